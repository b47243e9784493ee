//! Regular expressions, to be read by people.

use std::fmt;

use super::{Letter, Letters};

/// A regular expression. Made by the functions below, which keep it simple.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Expression {
    /// One letter of a set. No letter: no word.
    Letters(Letters),
    /// One after the other; nothing for the empty word. At least two, or none.
    Sequence(Vec<Expression>),
    /// One of several. At least two.
    Choice(Vec<Expression>),
    /// Any number of times.
    Star(Box<Expression>),
    /// At least once.
    Plus(Box<Expression>),
    /// At most once.
    Maybe(Box<Expression>),
}

impl Expression {
    /// No word.
    pub fn none() -> Self {
        Self::Letters(Letters::none())
    }

    /// The empty word.
    pub fn nothing() -> Self {
        Self::Sequence(Vec::new())
    }

    /// Whether it has no word.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::Letters(letters) if letters.is_empty())
    }

    /// Whether it has only the empty word.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Sequence(parts) if parts.is_empty())
    }

    /// How many letters and signs it has: the measure of what is simple.
    pub fn size(&self) -> usize {
        match self {
            Self::Letters(letters) => letters.listed().len().max(1),
            Self::Sequence(parts) | Self::Choice(parts) => {
                1 + parts.iter().map(Self::size).sum::<usize>()
            }
            Self::Star(inner) | Self::Plus(inner) | Self::Maybe(inner) => 1 + inner.size(),
        }
    }

    /// Whether the empty word is one of its words.
    pub fn accepts_nothing(&self) -> bool {
        match self {
            Self::Letters(_) => false,
            Self::Sequence(parts) => parts.iter().all(Self::accepts_nothing),
            Self::Choice(parts) => parts.iter().any(Self::accepts_nothing),
            Self::Star(_) | Self::Maybe(_) => true,
            Self::Plus(inner) => inner.accepts_nothing(),
        }
    }

    /// One after the other.
    pub fn sequence(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        for part in parts {
            if part.is_none() {
                return part;
            }
            match part {
                Self::Sequence(inner) => inner.into_iter().for_each(|part| follow(&mut flat, part)),
                part => follow(&mut flat, part),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Self::Sequence(flat) }
    }

    /// One of several.
    pub fn choice(parts: impl IntoIterator<Item = Self>) -> Self {
        let (mut letters, mut maybe, mut rest) = (Letters::none(), false, Vec::new());
        let mut todo: Vec<Self> = parts.into_iter().collect();
        todo.reverse();
        while let Some(part) = todo.pop() {
            match part {
                Self::Letters(more) => letters = letters.union(&more),
                Self::Choice(inner) => todo.extend(inner.into_iter().rev()),
                Self::Maybe(inner) => {
                    maybe = true;
                    todo.push(*inner);
                }
                part if part.is_nothing() => maybe = true,
                part => rest.push(part),
            }
        }
        if !letters.is_empty() {
            rest.push(Self::Letters(letters));
        }
        rest.sort();
        rest.dedup();
        absorb(&mut rest);
        factor(&mut rest);
        let one = match rest.len() {
            0 => return if maybe { Self::nothing() } else { Self::none() },
            1 => rest.remove(0),
            _ => Self::Choice(rest),
        };
        if maybe { one.maybe() } else { one }
    }

    /// At most once.
    #[must_use]
    pub fn maybe(self) -> Self {
        match self {
            Self::Plus(inner) => Self::Star(inner),
            one if one.accepts_nothing() => one,
            one if one.is_none() => Self::nothing(),
            one => Self::Maybe(Box::new(one)),
        }
    }

    /// Any number of times.
    #[must_use]
    pub fn star(self) -> Self {
        match self {
            Self::Star(inner) | Self::Plus(inner) => Self::Star(inner),
            Self::Maybe(inner) => inner.star(),
            Self::Choice(parts) => {
                let stripped = parts.into_iter().map(|part| match part {
                    Self::Star(inner) | Self::Plus(inner) | Self::Maybe(inner) => *inner,
                    part => part,
                });
                match Self::choice(stripped) {
                    Self::Choice(parts) => Self::Star(Box::new(Self::Choice(parts))),
                    simpler => simpler.star(),
                }
            }
            one if one.is_none() || one.is_nothing() => Self::nothing(),
            one => Self::Star(Box::new(one)),
        }
    }

    /// The text, with names for letters: `a b* (c | d)`. The empty word is `ε` and no word `∅`; `.` stands for
    /// any letter and `[^a b]` for any but some.
    pub fn display<'a>(&'a self, name: &'a dyn Fn(Letter) -> String) -> impl fmt::Display + 'a {
        Shown { expression: self, name }
    }
}

/// Adds a part to a sequence: `x x*` becomes `x+`, and `x* x*` becomes `x*`.
fn follow(parts: &mut Vec<Expression>, part: Expression) {
    use Expression::{Plus, Sequence, Star};
    let joined = match (parts.last(), &part) {
        (Some(Star(a) | Plus(a)), Star(b)) if a == b => return,
        (Some(Star(a)), Plus(b)) if a == b => Some(part.clone()),
        (Some(Star(a)), b) if **a == *b => Some(Plus(a.clone())),
        (Some(a), Star(b)) if *a == **b => Some(Plus(b.clone())),
        _ => None,
    };
    if let Some(joined) = joined {
        parts.pop();
        parts.push(joined);
        return;
    }
    // The repeated thing may itself be a sequence whose parts stand here one by one.
    if let Star(inner) = &part
        && let Sequence(word) = &**inner
        && parts.ends_with(word)
    {
        parts.truncate(parts.len() - word.len());
        parts.push(Plus(inner.clone()));
        return;
    }
    parts.push(part);
}

/// Removes choices that another one has already: `x` beside `x*` or `x+`.
fn absorb(parts: &mut Vec<Expression>) {
    let repeated: Vec<Expression> = parts
        .iter()
        .filter_map(|part| match part {
            Expression::Star(inner) | Expression::Plus(inner) => Some((**inner).clone()),
            _ => None,
        })
        .collect();
    parts.retain(|part| !repeated.contains(part));
}

/// Puts choices that begin, or else end, alike together: `x y | x z` becomes `x (y | z)`.
fn factor(parts: &mut Vec<Expression>) {
    for front in [true, false] {
        while let Some((i, j)) = alike(parts, front) {
            let second = parts_of(parts.remove(j));
            let first = parts_of(parts.remove(i));
            parts.push(factored(first, second, front));
            parts.sort();
            parts.dedup();
        }
    }
}

/// Two choices with the same first, or last, part.
fn alike(parts: &[Expression], front: bool) -> Option<(usize, usize)> {
    let end = |part: &Expression| match part {
        Expression::Sequence(inner) if front => inner.first().cloned(),
        Expression::Sequence(inner) => inner.last().cloned(),
        part => Some(part.clone()),
    };
    let ends: Vec<Option<Expression>> = parts.iter().map(end).collect();
    let pairs = (0..parts.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    pairs.into_iter().find(|&(i, j)| ends[i].is_some() && ends[i] == ends[j])
}

fn parts_of(expression: Expression) -> Vec<Expression> {
    match expression {
        Expression::Sequence(parts) => parts,
        part => vec![part],
    }
}

/// What two sequences share at one end, once, and the choice between what remains.
fn factored(mut a: Vec<Expression>, mut b: Vec<Expression>, front: bool) -> Expression {
    let same = |(a, b): &(&Expression, &Expression)| a == b;
    if front {
        let shared = a.iter().zip(&b).take_while(same).count();
        let rest = [a.split_off(shared), b.split_off(shared)].map(Expression::sequence);
        a.push(Expression::choice(rest));
        Expression::sequence(a)
    } else {
        let shared = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
        let end = a.split_off(a.len() - shared);
        b.truncate(b.len() - shared);
        let rest = Expression::choice([a, b].map(Expression::sequence));
        Expression::sequence([rest].into_iter().chain(end))
    }
}

struct Shown<'a> {
    expression: &'a Expression,
    name: &'a dyn Fn(Letter) -> String,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(self.expression, Strength::Choice, f)
    }
}

/// How strongly the surroundings of an expression bind: what binds less needs brackets.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Strength {
    Choice,
    Sequence,
    Repeat,
}

impl Shown<'_> {
    fn show(&self, what: &Expression, around: Strength, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match what {
            Expression::Letters(letters) => self.show_letters(letters, around, f),
            Expression::Sequence(parts) if parts.is_empty() => f.write_str("ε"),
            Expression::Sequence(parts) => {
                self.list(parts, " ", Strength::Sequence, around > Strength::Sequence, f)
            }
            Expression::Choice(parts) => {
                self.list(parts, " | ", Strength::Choice, around > Strength::Choice, f)
            }
            Expression::Star(inner) => self.repeated(inner, "*", f),
            Expression::Plus(inner) => self.repeated(inner, "+", f),
            Expression::Maybe(inner) => self.repeated(inner, "?", f),
        }
    }

    fn repeated(&self, inner: &Expression, sign: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(inner, Strength::Repeat, f)?;
        f.write_str(sign)
    }

    fn list(
        &self,
        parts: &[Expression],
        between: &str,
        inside: Strength,
        brackets: bool,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        f.write_str(if brackets { "(" } else { "" })?;
        for (i, part) in parts.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { between })?;
            self.show(part, inside, f)?;
        }
        f.write_str(if brackets { ")" } else { "" })
    }

    fn show_letters(
        &self,
        letters: &Letters,
        around: Strength,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let names: Vec<String> = letters.listed().iter().map(|&l| (self.name)(l)).collect();
        match (letters.is_finite(), names.as_slice()) {
            (true, []) => f.write_str("∅"),
            (false, []) => f.write_str("."),
            (false, names) => write!(f, "[^{}]", names.join(" ")),
            (true, [one]) => f.write_str(one),
            (true, names) if around > Strength::Choice => write!(f, "({})", names.join(" | ")),
            (true, names) => f.write_str(&names.join(" | ")),
        }
    }
}

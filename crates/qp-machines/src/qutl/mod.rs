//! The logic `QuTL`: what may be said about the content of one queue.

mod lexer;
mod parse;

use std::fmt::{self, Write};

/// A formula about a queue content: a temporal logic whose time runs from the front of the queue to its
/// back.
///
/// `X` is false on the empty content, so its negation is not `X` of the negation: that is what the
/// weak next is for. `F` and `G` look at the suffixes that are not empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Qutl {
    /// Always true.
    True,
    /// Always false.
    False,
    /// The first message is one of this name.
    First(String),
    /// So many messages of this name.
    Count(String, Relation, u32),
    /// There is a first message, and what comes behind it satisfies this.
    Next(Box<Self>),
    /// There is no message, or what comes behind the first one satisfies this.
    WeakNext(Box<Self>),
    /// Some suffix that is not empty satisfies this.
    Finally(Box<Self>),
    /// Every suffix that is not empty satisfies this.
    Globally(Box<Self>),
    /// Negation.
    Not(Box<Self>),
    /// Conjunction.
    And(Box<Self>, Box<Self>),
    /// Disjunction.
    Or(Box<Self>, Box<Self>),
    /// Implication.
    Implies(Box<Self>, Box<Self>),
}

/// How a count compares with a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names say what they are")]
pub enum Relation {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

impl Relation {
    /// Whether it holds between a count and a number.
    pub fn holds(self, count: u32, number: u32) -> bool {
        match self {
            Self::Less => count < number,
            Self::AtMost => count <= number,
            Self::Equal => count == number,
            Self::AtLeast => count >= number,
            Self::More => count > number,
        }
    }

    /// As it is written.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Equal => "=",
            Self::AtLeast => ">=",
            Self::More => ">",
        }
    }
}

impl Qutl {
    /// Whether a content satisfies the formula; `is` says whether a message has a name. This is the
    /// meaning of formulas: whatever is faster is tested against it.
    pub fn holds<M: Copy>(&self, content: &[M], is: &mut dyn FnMut(&str, M) -> bool) -> bool {
        let suffixes = || (0..content.len()).map(|from| &content[from..]);
        match self {
            Self::True => true,
            Self::False => false,
            Self::First(name) => content.first().is_some_and(|&message| is(name, message)),
            Self::Count(name, relation, number) => {
                let count = content.iter().filter(|&&message| is(name, message)).count();
                relation.holds(count as u32, *number)
            }
            Self::Next(f) => !content.is_empty() && f.holds(&content[1..], is),
            Self::WeakNext(f) => content.is_empty() || f.holds(&content[1..], is),
            Self::Finally(f) => suffixes().any(|suffix| f.holds(suffix, is)),
            Self::Globally(f) => suffixes().all(|suffix| f.holds(suffix, is)),
            Self::Not(f) => !f.holds(content, is),
            Self::And(f, g) => f.holds(content, is) && g.holds(content, is),
            Self::Or(f, g) => f.holds(content, is) || g.holds(content, is),
            Self::Implies(f, g) => !f.holds(content, is) || g.holds(content, is),
        }
    }

    /// Whether a message with this text has this name: the name stands alone or before a payload.
    pub fn names(name: &str, message_text: &str) -> bool {
        let rest = message_text.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
    }

    /// The names of messages that it mentions, each once, in order.
    pub fn atoms(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.collect(&mut names);
        names
    }

    fn collect<'f>(&'f self, names: &mut Vec<&'f str>) {
        match self {
            Self::True | Self::False => {}
            Self::First(name) | Self::Count(name, ..) => {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
            Self::Next(f)
            | Self::WeakNext(f)
            | Self::Finally(f)
            | Self::Globally(f)
            | Self::Not(f) => f.collect(names),
            Self::And(f, g) | Self::Or(f, g) | Self::Implies(f, g) => {
                f.collect(names);
                g.collect(names);
            }
        }
    }
}

impl fmt::Display for Qutl {
    /// As it is written: reading the text gives the same formula.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::True => f.write_str("true"),
            Self::False => f.write_str("false"),
            Self::First(name) => write!(f, "{}", Name(name)),
            Self::Count(name, relation, number) => {
                write!(f, "#{} {} {number}", Name(name), relation.sign())
            }
            Self::Next(g) => write!(f, "X {}", Tight(g)),
            Self::WeakNext(g) => write!(f, "W {}", Tight(g)),
            Self::Finally(g) => write!(f, "F {}", Tight(g)),
            Self::Globally(g) => write!(f, "G {}", Tight(g)),
            Self::Not(g) => write!(f, "!{}", Tight(g)),
            Self::And(a, b) if matches!(**a, Self::And(..)) => write!(f, "{a} & {}", Tight(b)),
            Self::And(a, b) => write!(f, "{} & {}", Tight(a), Tight(b)),
            Self::Or(a, b) if matches!(**a, Self::Or(..)) => write!(f, "{a} | {}", Tight(b)),
            Self::Or(a, b) => write!(f, "{} | {}", Tight(a), Tight(b)),
            Self::Implies(a, b) => write!(f, "{} => {}", Tight(a), Tight(b)),
        }
    }
}

/// A formula inside another one.
struct Tight<'a>(&'a Qutl);

impl fmt::Display for Tight<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Qutl::And(..) | Qutl::Or(..) | Qutl::Implies(..) | Qutl::Count(..) => {
                write!(f, "({})", self.0)
            }
            _ => write!(f, "{}", self.0),
        }
    }
}

/// The name of a message, in quotes where it would be read as something else without.
struct Name<'a>(&'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if lexer::is_plain(self.0) {
            return f.write_str(self.0);
        }
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests;

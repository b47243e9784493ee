//! From text to a formula, by recursive descent.

use qp_base::names::quoted;
use qp_base::{Code, Diagnostic, Span};

use super::lexer::{Token, is_reserved, place, tokens};
use super::{Qutl, Relation};

/// Formulas are walked through by recursion everywhere, so they must not be higher than this.
const HEIGHT_MAX: u32 = 100;

/// Operators and parentheses that are open at the same time. Printing a formula opens at most two of
/// them for each level, so every formula that was read is read again when it is printed.
const OPEN_MAX: u32 = 2 * HEIGHT_MAX;

impl Qutl {
    /// The code of all that can be wrong with the text of a formula.
    pub const CODE: Code = Code(131);

    /// Reads a formula that begins at this place of its file. The manual has the grammar, in
    /// `docs/manual/invariants.md`.
    pub fn parse(text: &str, start: u32) -> Result<Self, Box<Diagnostic>> {
        let tokens = tokens(text, start)?;
        let end = place(start, text.trim_end().len(), 0);
        let mut parser = Parser { text, start, tokens, at: 0, open: 0, end };
        let tree = parser.implication()?;
        if parser.at < parser.tokens.len() {
            let help = "formulas are joined with `&`, `|` or `=>`";
            return Err(parser.unexpected("the end", help).into());
        }
        Ok(tree.formula)
    }
}

struct Parser<'t> {
    text: &'t str,
    start: u32,
    tokens: Vec<(Token<'t>, Span)>,
    at: usize,
    /// How many operators and parentheses are waiting for their end.
    open: u32,
    end: Span,
}

/// A formula with its height, which is at most [`HEIGHT_MAX`].
struct Tree {
    formula: Qutl,
    height: u32,
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

const FORMULA_HELP: &str =
    "for instance `G (a => G !b)`, `#a <= 1`, `at most 1 a`, `a then never b` or `never a`";

impl Parser<'_> {
    fn implication(&mut self) -> Parsed<Tree> {
        let left = self.disjunction()?;
        if self.peek() != Some(&Token::Implies) {
            return Ok(left);
        }
        let span = self.bump();
        let right = self.inside(span, Self::implication)?;
        binary(Qutl::Implies, left, right, span)
    }

    fn disjunction(&mut self) -> Parsed<Tree> {
        let mut left = self.conjunction()?;
        while self.peek() == Some(&Token::Or) {
            let span = self.bump();
            left = binary(Qutl::Or, left, self.conjunction()?, span)?;
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed<Tree> {
        let mut left = self.prefixed()?;
        while self.peek() == Some(&Token::And) {
            let span = self.bump();
            left = binary(Qutl::And, left, self.prefixed()?, span)?;
        }
        Ok(left)
    }

    fn prefixed(&mut self) -> Parsed<Tree> {
        let make = match self.peek() {
            Some(Token::Not) => Qutl::Not,
            Some(Token::Next) => Qutl::Next,
            Some(Token::WeakNext) => Qutl::WeakNext,
            Some(Token::Finally) => Qutl::Finally,
            Some(Token::Globally) => Qutl::Globally,
            _ => return self.primary(),
        };
        let span = self.bump();
        unary(make, self.inside(span, Self::prefixed)?, span)
    }

    fn primary(&mut self) -> Parsed<Tree> {
        match self.peek() {
            Some(Token::True) => Ok(self.constant(Qutl::True)),
            Some(Token::False) => Ok(self.constant(Qutl::False)),
            Some(Token::Open) => self.parenthesized(),
            Some(Token::Count) => self.count(),
            Some(Token::At) => self.at_most_or_least(),
            Some(Token::Exactly) => {
                self.bump();
                self.so_many(Relation::Equal)
            }
            Some(Token::Never) => self.never(),
            Some(Token::Word(_) | Token::Name(_)) => self.named(),
            _ => Err(self.no_formula().into()),
        }
    }

    fn constant(&mut self, formula: Qutl) -> Tree {
        self.bump();
        leaf(formula)
    }

    fn parenthesized(&mut self) -> Parsed<Tree> {
        let span = self.bump();
        let inner = self.inside(span, Self::implication)?;
        if self.peek() != Some(&Token::Close) {
            let error = self.unexpected("`)` or an operator", "operators are `&`, `|` and `=>`");
            return Err(error.also(span, "this is not closed").into());
        }
        self.bump();
        Ok(inner)
    }

    /// `#NAME <= N`.
    fn count(&mut self) -> Parsed<Tree> {
        self.bump();
        let name = self.name()?;
        let Some(&Token::Relation(relation)) = self.peek() else {
            let help = "a count is compared with a number: `#a <= 1`";
            return Err(self.unexpected("`<`, `<=`, `=`, `>=` or `>`", help).into());
        };
        self.bump();
        Ok(leaf(Qutl::Count(name, relation, self.number()?)))
    }

    /// `at most N NAME`, `at least N NAME`.
    fn at_most_or_least(&mut self) -> Parsed<Tree> {
        self.bump();
        let relation = match self.peek() {
            Some(Token::Word("most")) => Relation::AtMost,
            Some(Token::Word("least")) => Relation::AtLeast,
            _ => {
                let help = "counts are written `at most 1 a`, `at least 1 a` or `exactly 1 a`";
                return Err(self
                    .unexpected("`most` or `least`", self.quotes_or(help).as_str())
                    .into());
            }
        };
        self.bump();
        self.so_many(relation)
    }

    /// `N NAME`.
    fn so_many(&mut self, relation: Relation) -> Parsed<Tree> {
        let number = self.number()?;
        Ok(leaf(Qutl::Count(self.name()?, relation, number)))
    }

    /// `never NAME`, `never (FORMULA)`.
    fn never(&mut self) -> Parsed<Tree> {
        let span = self.bump();
        let inner = match self.peek() {
            Some(Token::Open) => self.parenthesized()?,
            _ => leaf(Qutl::First(self.name()?)),
        };
        unary(Qutl::Globally, unary(Qutl::Not, inner, span)?, span)
    }

    /// `NAME`, `NAME then never NAME`.
    fn named(&mut self) -> Parsed<Tree> {
        let first = leaf(Qutl::First(self.name()?));
        if self.peek() != Some(&Token::Then) {
            return Ok(first);
        }
        let span = self.bump();
        if self.peek() != Some(&Token::Never) {
            return Err(self.unexpected("`never`", "an order is written `a then never b`").into());
        }
        self.bump();
        let second = leaf(Qutl::First(self.name()?));
        let none = unary(Qutl::Globally, unary(Qutl::Not, second, span)?, span)?;
        unary(Qutl::Globally, binary(Qutl::Implies, first, none, span)?, span)
    }

    fn name(&mut self) -> Parsed<String> {
        let name = match self.peek() {
            Some(Token::Word(word)) => (*word).to_owned(),
            Some(Token::Name(name)) => name.clone().into_owned(),
            _ => {
                let help = match self.found() {
                    found if is_reserved(found) => quotes(found),
                    _ => "other names than those of letters and digits stand in double quotes"
                        .to_owned(),
                };
                return Err(self.unexpected("the name of a message", &help).into());
            }
        };
        self.bump();
        Ok(name)
    }

    fn number(&mut self) -> Parsed<u32> {
        let digits = match self.peek() {
            Some(Token::Word(word)) if word.bytes().all(|b| b.is_ascii_digit()) => *word,
            _ => return Err(self.unexpected("a number", "for instance `#a <= 1`").into()),
        };
        let span = self.bump();
        digits.parse().map_err(|_| {
            let message = format!("the number {} is too large", quoted(digits));
            let help = format!("the largest is {}", u32::MAX);
            Box::new(Diagnostic::error(Qutl::CODE, message, span).help(help))
        })
    }

    /// Reads what stands behind an open operator or parenthesis.
    fn inside(&mut self, span: Span, read: fn(&mut Self) -> Parsed<Tree>) -> Parsed<Tree> {
        self.open += 1;
        if self.open > OPEN_MAX {
            return Err(too_high(span).into());
        }
        let tree = read(self);
        self.open -= 1;
        tree
    }
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&Token<'t>> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    /// Goes on, and says where the token was.
    fn bump(&mut self) -> Span {
        let span = self.here();
        self.at += 1;
        span
    }

    fn here(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |&(_, span)| span)
    }

    /// What is written at a place.
    fn written(&self, span: Span) -> &'t str {
        let from = (span.start - self.start) as usize;
        self.text.get(from..from + (span.end - span.start) as usize).unwrap_or_default()
    }

    /// What is written as the next token; nothing at the end.
    fn found(&self) -> &'t str {
        self.written(self.here())
    }

    fn no_formula(&self) -> Diagnostic {
        self.unexpected("a formula", &self.quotes_or(FORMULA_HELP))
    }

    /// Who wrote a reserved word may have meant a message.
    fn quotes_or(&self, help: &str) -> String {
        let before = self.at.checked_sub(1).map(|at| self.written(self.tokens[at].1));
        match before.filter(|word| is_reserved(word)) {
            Some(word) => quotes(word),
            None => help.to_owned(),
        }
    }

    fn unexpected(&self, wanted: &str, help: &str) -> Diagnostic {
        let found = match self.found() {
            "" => "the end of the formula".to_owned(),
            found => quoted(found),
        };
        let message = format!("expected {wanted}, found {found}");
        let error = Diagnostic::error(Qutl::CODE, message, self.here());
        error.label(format!("expected {wanted}")).help(help)
    }
}

fn quotes(word: &str) -> String {
    format!("for a message called `{word}`, write `\"{word}\"`")
}

fn leaf(formula: Qutl) -> Tree {
    Tree { formula, height: 1 }
}

fn unary(make: fn(Box<Qutl>) -> Qutl, inner: Tree, span: Span) -> Parsed<Tree> {
    let height = above(inner.height, span)?;
    Ok(Tree { formula: make(Box::new(inner.formula)), height })
}

fn binary(
    make: fn(Box<Qutl>, Box<Qutl>) -> Qutl,
    left: Tree,
    right: Tree,
    span: Span,
) -> Parsed<Tree> {
    let height = above(left.height.max(right.height), span)?;
    Ok(Tree { formula: make(Box::new(left.formula), Box::new(right.formula)), height })
}

fn above(height: u32, span: Span) -> Parsed<u32> {
    if height < HEIGHT_MAX { Ok(height + 1) } else { Err(too_high(span).into()) }
}

fn too_high(span: Span) -> Diagnostic {
    let message = format!("a formula has at most {HEIGHT_MAX} levels");
    Diagnostic::error(Qutl::CODE, message, span).help("write several invariants instead")
}

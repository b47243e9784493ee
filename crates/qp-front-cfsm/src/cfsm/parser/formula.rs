//! Formulas. From loose to tight: `<->`, `->`, `||`, `&&`, `U R W`, the prefix operators.

use crate::codes;

use super::super::ast::Formula;
use super::super::lexer::Token;
use super::pattern::single_or;
use super::{Alone, Parser, Spacing};

const HELP: &str = "a formula is made of `send M`, `recv M`, `M`, `Machine@State`, `true`, `false`, `!`, `&&`, `||`, `->`, `<->`, `X`, `F`, `G`, `U`, `R`, `W`";

type Binary<'t> = fn(Box<Formula<'t>>, Box<Formula<'t>>) -> Formula<'t>;

impl<'t> Parser<'t> {
    /// A formula, and nothing behind it.
    pub(super) fn formula_to_end(&mut self) -> Option<Alone<'t>> {
        let mut name = None;
        if self.cursor.peek_at(1) == Some(Token::Colon) {
            name = Some(self.name("the name of a formula", HELP)?);
            self.cursor.bump();
        }
        let start = self.cursor.here();
        let formula = self.formula()?;
        if self.cursor.peek().is_some() {
            return self.cursor.missing("the end of the formula", HELP);
        }
        Some((name, formula, start.to(self.cursor.last())))
    }

    pub(super) fn formula(&mut self) -> Option<Formula<'t>> {
        let left = self.implication()?;
        if self.cursor.eat(Token::Iff).is_none() {
            return Some(left);
        }
        let right = self.nested(Self::formula)?;
        Some(Formula::Iff(Box::new(left), Box::new(right)))
    }

    fn implication(&mut self) -> Option<Formula<'t>> {
        let left = self.disjunction()?;
        if self.cursor.eat(Token::Arrow).is_none() {
            return Some(left);
        }
        let right = self.nested(Self::implication)?;
        Some(Formula::Implies(Box::new(left), Box::new(right)))
    }

    fn disjunction(&mut self) -> Option<Formula<'t>> {
        let parts = self.list(Token::Or, Self::conjunction)?;
        Some(single_or(parts, Formula::False, Formula::Or))
    }

    fn conjunction(&mut self) -> Option<Formula<'t>> {
        let parts = self.list(Token::And, Self::until)?;
        Some(single_or(parts, Formula::True, Formula::And))
    }

    fn until(&mut self) -> Option<Formula<'t>> {
        let left = self.prefix()?;
        let together: Binary<'t> = match self.letter() {
            Some("U") => Formula::Until,
            Some("R") => Formula::Release,
            Some("W") => Formula::WeakUntil,
            _ => return Some(left),
        };
        self.cursor.bump();
        let right = self.nested(Self::until)?;
        Some(together(Box::new(left), Box::new(right)))
    }

    fn prefix(&mut self) -> Option<Formula<'t>> {
        let together = match (self.cursor.peek(), self.letter()) {
            (Some(Token::Not), _) => Formula::Not,
            (Some(Token::Box), _) | (_, Some("G")) => Formula::Globally,
            (Some(Token::Diamond), _) | (_, Some("F")) => Formula::Finally,
            (_, Some("X")) => Formula::Next,
            _ => return self.atom(),
        };
        self.cursor.bump();
        let inside = self.nested(Self::prefix)?;
        Some(together(Box::new(inside)))
    }

    /// The next name, unless it is a machine's. The operators with letters are not keywords, so that
    /// machines, states and messages may have these short names.
    fn letter(&mut self) -> Option<&'t str> {
        let is_name = self.cursor.peek() == Some(Token::Name);
        (is_name && self.cursor.peek_at(1) != Some(Token::At)).then(|| self.cursor.next_text())
    }

    fn atom(&mut self) -> Option<Formula<'t>> {
        match self.cursor.peek() {
            Some(Token::True) => self.cursor.bump().map(|_| Formula::True),
            Some(Token::False) => self.cursor.bump().map(|_| Formula::False),
            Some(Token::Send) => {
                self.cursor.bump();
                Some(Formula::Sends(self.message(Spacing::Free)?))
            }
            Some(Token::Recv) => {
                self.cursor.bump();
                Some(Formula::Receives(self.message(Spacing::Free)?))
            }
            Some(Token::Open) => {
                self.cursor.bump();
                let inside = self.nested(Self::formula)?;
                self.expect(Token::Close, "`)` or an operator", "every `(` needs a `)`")?;
                Some(inside)
            }
            Some(token) if token.is_word() => self.named_atom(),
            _ => self.cursor.missing("a formula", HELP),
        }
    }

    /// `Machine@State` or a message.
    fn named_atom(&mut self) -> Option<Formula<'t>> {
        let name = self.name("a message or a machine", HELP)?;
        if self.cursor.eat(Token::At).is_some() {
            let state = self.name("a state", "write `Machine@State`")?;
            return Some(Formula::At(name, state));
        }
        let operators = name.text.len() > 1 && name.text.bytes().all(|b| b"XFG".contains(&b));
        if operators && self.cursor.peek().is_some_and(|t| t.is_word() || t == Token::Open) {
            let message = format!("`{}` is one word, not several operators", name.text);
            let help = "put spaces between operators: `G F p`";
            self.cursor.complaints.error(codes::UNEXPECTED, message, name.span, help);
            return None;
        }
        Some(Formula::Sends(self.values(name, Spacing::Free)?))
    }
}

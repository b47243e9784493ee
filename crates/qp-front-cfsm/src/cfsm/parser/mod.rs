//! From tokens to what is written. A method that returns `None` has reported why.

mod formula;
mod item;
mod machine;
mod pattern;

use std::borrow::Cow;

use qp_base::{Complaints, Diagnostic, Span};

use crate::codes;
use crate::names::quoted;

use super::ast::{File, Formula, Message, Name};
use super::lexer::Token;

/// How deep parentheses and operators may be nested. Everything that walks patterns and formulas
/// recurses this deep.
const DEPTH_MAX: usize = 100;

/// Reads all declarations.
pub(crate) fn parse(text: &str) -> (File<'_>, Complaints) {
    let mut parser = Parser::new(text);
    while parser.cursor.peek().is_some() {
        let before = parser.cursor.last();
        if parser.item().is_none() {
            parser.recover();
        }
        if parser.cursor.last() == before {
            parser.cursor.bump();
        }
    }
    (parser.file, parser.cursor.complaints)
}

/// Reads a text that is one formula, with or without a name and a colon in front. The place is the formula's.
pub(crate) fn formula_alone(text: &str) -> (Option<Alone<'_>>, Complaints) {
    let mut parser = Parser::new(text);
    let found = parser.formula_to_end();
    (found, parser.cursor.complaints)
}

type Alone<'t> = (Option<Name<'t>>, Formula<'t>, Span);

type Parser<'t> = crate::cursor::Parser<'t, Token, File<'t>>;

/// Whether a message's values may stand apart from its name: not where a parenthesis could also
/// begin something else.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spacing {
    Free,
    Tight,
}

impl<'t> Parser<'t> {
    /// Skips to the next declaration.
    fn recover(&mut self) {
        while let Some(token) = self.cursor.peek() {
            match token {
                Token::Machine
                | Token::Queues
                | Token::Capacity
                | Token::Channel
                | Token::Bad
                | Token::Ltl => break,
                Token::Semicolon | Token::CloseBrace => {
                    self.cursor.bump();
                    break;
                }
                _ => {
                    self.cursor.bump();
                }
            }
        }
    }

    /// A name; `wanted` says what it names.
    fn name(&mut self, wanted: &str, help: &str) -> Option<Name<'t>> {
        if self.cursor.peek().is_some_and(Token::is_keyword) {
            let (span, text) = (self.cursor.here(), self.cursor.next_text());
            let message = format!("`{text}` is a keyword, but this is the place of {wanted}");
            let error = Diagnostic::error(codes::KEYWORD, message, span);
            self.cursor.complaints.push(
                error.label(format!("expected {wanted}")).help(format!(
                    "keywords cannot be names; if `{text}` is meant as a name, change it, for example to `{text}_`"
                )),
            );
            return None;
        }
        let span = self.expect(Token::Name, wanted, help)?;
        Some(Name { text: self.cursor.text(span), span })
    }

    /// A message with its values.
    fn message(&mut self, spacing: Spacing) -> Option<Message<'t>> {
        let name =
            self.name("a message", "a message is a name, with values if you like: `tok(0)`")?;
        self.values(name, spacing)
    }

    fn values(&mut self, name: Name<'t>, spacing: Spacing) -> Option<Message<'t>> {
        let touches = self.cursor.here().start == name.span.end;
        if self.cursor.peek() != Some(Token::Open) || (spacing == Spacing::Tight && !touches) {
            return Some(Message { text: Cow::Borrowed(name.text), span: name.span });
        }
        self.cursor.bump();
        let text = self.list(Token::Comma, Self::value)?.join(",");
        let end =
            self.expect(Token::Close, "`)` or `,`", "values are words with commas between them")?;
        let text = format!("{}({text})", name.text);
        Some(Message { text: Cow::Owned(text), span: name.span.to(end) })
    }

    /// One value: any word, also a keyword, or a negative number.
    fn value(&mut self) -> Option<&'t str> {
        let minus = self.cursor.eat(Token::Minus);
        if !self.cursor.peek().is_some_and(Token::is_word) {
            let help = "values are words with commas between them; a message without values has no parentheses";
            return self.cursor.missing("a value", help);
        }
        let (_, span) = self.cursor.bump()?;
        // A space after the minus sign does not count either, so the sign must touch.
        match minus {
            Some(sign) if sign.end != span.start => {
                let message = format!("a space between `-` and {}", quoted(self.cursor.text(span)));
                let help = "write the number without a space";
                self.cursor.complaints.error(codes::UNEXPECTED, message, sign.to(span), help);
                None
            }
            Some(sign) => Some(self.cursor.text(sign.to(span))),
            None => Some(self.cursor.text(span)),
        }
    }

    /// Goes one level deeper for the duration of `inside`.
    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth == DEPTH_MAX {
            let message = format!("this is nested more than {DEPTH_MAX} levels deep");
            let help = "give the parts names of their own, or simplify it";
            let here = self.cursor.here();
            self.cursor.complaints.error(codes::TOO_LARGE, message, here, help);
            return None;
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }
}

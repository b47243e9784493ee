//! From tokens to what is written. A method that returns `None` has reported why, or something at the
//! same place was reported before.
//!
//! After an error the parser goes on with the next statement, line of a state, member of a machine or
//! declaration. Nothing is reported twice at one place, and nothing after the nesting got too deep.

mod compound;
mod decl;
mod expr;
mod machine;
mod module;
mod primary;
mod recovery;
mod refused;
mod state;
mod stmt;
mod test;
mod types;
mod verifier;

#[cfg(test)]
mod tests;

use qp_base::{Complaints, Diagnostic, Span};

use crate::ast::{File, Ident, Literal};
use crate::codes;
use crate::lexer::{Token, tokens};
use crate::names::quoted;

/// How deep blocks, expressions, types and modules may be nested. Everything that walks the tree
/// recurses this deep.
const DEPTH_MAX: usize = 200;

/// Reads one file whose first byte is at `base`.
pub(crate) fn parse(text: &str, base: u32, complaints: &mut Complaints) -> File {
    let tokens = tokens(text, base, complaints);
    let mut parser = Parser {
        text,
        base,
        tokens: tokens.list,
        cut: tokens.cut,
        next: 0,
        complaints,
        depth: 0,
        height: 0,
        reported: None,
        file: File::default(),
    };
    parser.decls();
    parser.file
}

/// Something could not be read, and the user was told.
struct Reported;

struct Parser<'t, 'c> {
    text: &'t str,
    base: u32,
    tokens: Vec<(Token, Span)>,
    /// Whether the end of the file is no news: a comment goes on until there.
    cut: bool,
    /// How many tokens were taken.
    next: usize,
    complaints: &'c mut Complaints,
    depth: usize,
    /// How deep the expressions are that were read at this depth, in nodes.
    height: usize,
    /// Where an error was reported last.
    reported: Option<u32>,
    file: File,
}

impl<'t> Parser<'t, '_> {
    fn peek(&self) -> Option<Token> {
        self.peek_at(0)
    }

    /// The token after `n` others. When there are enough errors, the text ends.
    fn peek_at(&self, n: usize) -> Option<Token> {
        if self.complaints.is_full() {
            return None;
        }
        self.tokens.get(self.next + n).map(|&(token, _)| token)
    }

    /// Where the next token is; the end of the file if there is none.
    fn here(&self) -> Span {
        let end = self.base + self.text.len() as u32;
        self.tokens.get(self.next).map_or(Span { start: end, end }, |&(_, span)| span)
    }

    /// Where the token is that was taken last.
    fn last(&self) -> Span {
        let start = Span { start: self.base, end: self.base };
        self.next.checked_sub(1).map_or(start, |last| self.tokens[last].1)
    }

    /// From there to the last token that was taken.
    fn since(&self, start: Span) -> Span {
        start.to(self.last())
    }

    fn bump(&mut self) -> Option<(Token, Span)> {
        self.peek()?;
        let taken = self.tokens.get(self.next).copied();
        self.next += 1;
        taken
    }

    /// Takes the next token if it is this one.
    fn eat(&mut self, token: Token) -> Option<Span> {
        if self.peek() == Some(token) { self.bump().map(|(_, span)| span) } else { None }
    }

    /// What is written there.
    fn text(&self, span: Span) -> &'t str {
        &self.text[(span.start - self.base) as usize..(span.end - self.base) as usize]
    }

    /// The name after `n` other tokens; nothing if it is no name.
    fn name_at(&self, n: usize) -> &'t str {
        match self.peek_at(n) {
            Some(Token::Name) => self.text(self.tokens[self.next + n].1),
            _ => "",
        }
    }

    /// Whether the next token is this word, which is a keyword only in some places.
    fn at_word(&self, word: &str) -> bool {
        self.name_at(0) == word
    }

    /// Takes the next token if it is this word.
    fn eat_word(&mut self, word: &str) -> Option<Span> {
        if self.at_word(word) { self.bump().map(|(_, span)| span) } else { None }
    }

    /// Whether the next token stands on another line than the last one.
    fn on_new_line(&self) -> bool {
        let gap = Span { start: self.last().end, end: self.here().start };
        self.next == 0 || self.text(gap).contains(['\n', '\r'])
    }

    fn expect(&mut self, token: Token, wanted: &str, help: &str) -> Option<Span> {
        self.eat(token).or_else(|| self.missing(wanted, help))
    }

    /// Reports that something else should be here.
    fn unexpected(&mut self, wanted: &str, help: &str) {
        let message = format!("expected {wanted}, found {}", self.found());
        let error = Diagnostic::error(codes::UNEXPECTED, message, self.here());
        self.report(error.label(format!("expected {wanted}")).help(help));
    }

    /// Reports that something else should be here, which cannot be read for that reason.
    fn missing<T>(&mut self, wanted: &str, help: &str) -> Option<T> {
        self.unexpected(wanted, help);
        None
    }

    /// Reports something about the next token, unless something was reported there before.
    fn report(&mut self, error: Diagnostic) {
        let here = self.here().start;
        let known = match self.peek() {
            Some(token) => token == Token::Garbled,
            None => self.cut,
        };
        if self.reported != Some(here) && !known {
            self.complaints.push(error);
        }
        self.reported = Some(here);
    }

    /// The next token in words.
    fn found(&self) -> String {
        let text = self.text(self.here());
        match self.peek() {
            None => "the end of the file".to_owned(),
            Some(Token::Text) => format!("the string {}", quoted(text)),
            Some(token) if token.is_keyword() => format!("the keyword `{text}`"),
            Some(_) => quoted(text),
        }
    }

    /// A semicolon. If it is missing at the end of a line, reading goes on as if it were there.
    fn semicolon(&mut self, help: &str) -> Option<()> {
        if self.eat(Token::Semicolon).is_some() {
            return Some(());
        }
        let end = self.last().end;
        let message = format!("expected `;`, found {}", self.found());
        let error = Diagnostic::error(codes::UNEXPECTED, message, Span { start: end, end });
        self.report(error.label("expected `;`").help(help));
        let over = match self.peek() {
            None | Some(Token::CloseBrace) => true,
            Some(token) => token.begins_stmt() || self.on_new_line(),
        };
        over.then_some(())
    }

    /// A name; `wanted` says what it names.
    fn name(&mut self, wanted: &str, help: &str) -> Option<Ident> {
        if self.peek() == Some(Token::Name) {
            let (_, span) = self.bump()?;
            return Some(Ident { text: self.text(span).to_owned(), span });
        }
        if self.peek().is_some_and(Token::is_keyword) {
            let text = self.text(self.here());
            let message = format!("the keyword `{text}` cannot be {wanted}");
            let error = Diagnostic::error(codes::UNEXPECTED, message, self.here());
            self.report(error.label(format!("expected {wanted}")).help(help));
        } else {
            self.unexpected(wanted, help);
        }
        None
    }

    /// One or more, with commas between them.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.eat(Token::Comma).is_some() {
            all.push(one(self)?);
        }
        Some(all)
    }

    /// What may be left out: nothing if it is not there, an error if it is broken.
    fn optional<T>(
        &mut self,
        there: bool,
        one: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Result<Option<T>, Reported> {
        if there { one(self).map(Some).ok_or(Reported) } else { Ok(None) }
    }

    /// What may be left out together with the token before it.
    fn after<T>(
        &mut self,
        token: Token,
        one: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Result<Option<T>, Reported> {
        let there = self.eat(token).is_some();
        self.optional(there, one)
    }

    /// A number without a sign.
    fn number(&mut self, wanted: &str, help: &str) -> Option<Literal> {
        let span = self.expect(Token::Number, wanted, help)?;
        let value = self.text(span).parse().unwrap_or_else(|_| {
            let message = format!("the number {} is too large", quoted(self.text(span)));
            let help = format!("the largest number is {}", i64::MAX);
            self.complaints.error(codes::NUMBER, message, span, help);
            0
        });
        Some(Literal { value, span })
    }

    /// Goes one level deeper for the duration of `inside`.
    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.check_depth(1)?;
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// Reports that there are too many levels if there are so many more. Nothing after that is read:
    /// where the deep part ends is unknown.
    fn check_depth(&mut self, more: usize) -> Option<()> {
        if self.depth + more <= DEPTH_MAX {
            return Some(());
        }
        let message = format!("this is nested more than {DEPTH_MAX} levels deep");
        let error = Diagnostic::error(codes::TOO_DEEP, message, self.here());
        self.report(error.help("give the parts names of their own; nothing after this was read"));
        self.next = self.tokens.len();
        self.reported = Some(self.here().start);
        None
    }
}

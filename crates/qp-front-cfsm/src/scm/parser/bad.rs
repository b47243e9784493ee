//! Bad states and regular expressions over the contents of channels.

use crate::codes;

use super::super::ast::{Bad, Regexp};
use super::super::lexer::Token;
use super::Parser;

/// How deep parentheses may be nested in a regular expression.
const DEPTH_MAX: usize = 100;

const BAD_HELP: &str = "bad states are written `(automaton A : in 0 : true with a.b^*.#._)`";

impl<'t> Parser<'t> {
    pub(super) fn bad_states(&mut self) {
        if let Some((_, span)) = self.cursor.bump() {
            self.file.bad_span = span;
        }
        if self.expect(Token::Colon, "`:`", BAD_HELP).is_none() {
            return self.recover(&["automaton"]);
        }
        while self.cursor.peek() == Some(Token::Open) {
            match self.bad() {
                Some(bad) => self.file.bad.push(bad),
                None => self.skip_parenthesis(),
            }
        }
        if self.file.bad.is_empty() && !self.cursor.complaints.has_errors() {
            self.cursor.unexpected("`(`", BAD_HELP);
        }
    }

    /// Skips to the next bad situation: a parenthesis that is followed by `automaton`.
    fn skip_parenthesis(&mut self) {
        while self.cursor.peek().is_some() {
            self.cursor.bump();
            if self.cursor.peek() == Some(Token::Open)
                && self.cursor.peek_at(1) == Some(Token::Word)
                && self.cursor.text_at(1) == "automaton"
            {
                return;
            }
        }
    }

    fn bad(&mut self) -> Option<Bad<'t>> {
        self.cursor.bump();
        let mut at = Vec::new();
        while self.eat_word("automaton").is_some() {
            let name = self.word("the name of an automaton", BAD_HELP)?;
            self.expect(Token::Colon, "`:`", BAD_HELP)?;
            let mut states = Vec::new();
            while self.eat_word("in").is_some() {
                states.push(self.word("the number of a state", BAD_HELP)?);
                self.expect(Token::Colon, "`:`", BAD_HELP)?;
                self.condition(&[Token::Close, Token::Comma, Token::Semicolon])?;
            }
            at.push((name, states));
        }
        let mut contents = None;
        if self.eat_word("with").is_some() {
            let start = self.cursor.here();
            let regexp = self.regexp()?;
            contents = Some((regexp, start.to(self.cursor.last())));
        }
        self.expect(Token::Close, "`)`", BAD_HELP)?;
        Some(Bad { at, contents })
    }

    /// Alternatives. The format wants them in parentheses, two at a time; any number is read.
    fn regexp(&mut self) -> Option<Regexp<'t>> {
        self.list(Token::Bar, Self::sequence).map(Regexp::Choice)
    }

    fn sequence(&mut self) -> Option<Regexp<'t>> {
        self.list(Token::Dot, Self::repeated).map(Regexp::Sequence)
    }

    fn repeated(&mut self) -> Option<Regexp<'t>> {
        let start = self.cursor.here();
        let mut part = self.part()?;
        // The star of a star is the star, so only the first one counts for the depth.
        let mut loops = 0;
        while self.cursor.eat(Token::Power).is_some() {
            let plus = self.cursor.peek() == Some(Token::Plus);
            if !plus && self.cursor.peek() != Some(Token::Star) {
                return self.cursor.missing("`*` or `+`", "repetition is written `a^*` or `a^+`");
            }
            self.cursor.bump();
            loops += 1;
            if loops > DEPTH_MAX {
                return self.too_deep();
            }
            let span = start.to(self.cursor.last());
            let again = if plus { Regexp::Plus } else { Regexp::Star };
            part = again(Box::new(part), span);
        }
        Some(part)
    }

    fn too_deep<T>(&mut self) -> Option<T> {
        let message = format!("this is nested more than {DEPTH_MAX} levels deep");
        let help = "simplify the regular expression";
        let here = self.cursor.here();
        self.cursor.complaints.error(codes::TOO_LARGE, message, here, help);
        None
    }

    fn part(&mut self) -> Option<Regexp<'t>> {
        match self.cursor.peek() {
            Some(Token::Separator) => self.cursor.bump().map(|_| Regexp::Separator),
            Some(Token::Open) if self.depth == DEPTH_MAX => self.too_deep(),
            Some(Token::Open) => {
                self.cursor.bump();
                self.depth += 1;
                let inside = self.regexp();
                self.depth -= 1;
                let inside = inside?;
                self.expect(Token::Close, "`)`, `.` or `|`", "every `(` needs a `)`")?;
                Some(inside)
            }
            Some(Token::Word) if self.cursor.next_text() == "_" => {
                self.cursor.bump().map(|_| Regexp::Empty)
            }
            _ => {
                let help =
                    "contents are written with messages, `_`, `#`, `.`, `( | )`, `^*` and `^+`";
                self.word("a message, `_`, `#` or `(`", help).map(Regexp::Message)
            }
        }
    }
}

//! Patterns of queue contents.

use super::super::ast::Pattern;
use super::super::lexer::Token;
use super::{Parser, Spacing};

impl<'t> Parser<'t> {
    pub(super) fn pattern(&mut self) -> Option<Pattern<'t>> {
        let choices = self.list(Token::Bar, Self::sequence)?;
        Some(single_or(choices, Pattern::Empty, Pattern::Choice))
    }

    /// Items up to something that cannot be one. Nothing at all is the empty content.
    fn sequence(&mut self) -> Option<Pattern<'t>> {
        let mut parts = Vec::new();
        while !matches!(
            self.cursor.peek(),
            None | Some(Token::Bar | Token::Close | Token::Comma | Token::Semicolon)
        ) {
            let part = self.part()?;
            let repeat = match self.cursor.peek() {
                Some(Token::Star) => Pattern::Star,
                Some(Token::Plus) => Pattern::Plus,
                Some(Token::Question) => Pattern::Maybe,
                _ => {
                    parts.push(part);
                    continue;
                }
            };
            self.cursor.bump();
            parts.push(repeat(Box::new(part)));
        }
        Some(single_or(parts, Pattern::Empty, Pattern::Sequence))
    }

    fn part(&mut self) -> Option<Pattern<'t>> {
        match self.cursor.peek() {
            Some(Token::Dot) => self.cursor.bump().map(|_| Pattern::Any),
            Some(Token::Empty) => self.cursor.bump().map(|_| Pattern::Empty),
            Some(Token::Open) => {
                self.cursor.bump();
                let inside = self.nested(Self::pattern)?;
                self.expect(Token::Close, "`)`", "every `(` needs a `)`")?;
                Some(inside)
            }
            Some(token) if token.is_word() => Some(Pattern::Message(self.message(Spacing::Tight)?)),
            _ => {
                let help = "a pattern is made of messages, `.`, `empty`, `( )`, `|`, and at most one of `*`, `+`, `?` after each";
                self.cursor.missing("a message, `.`, `empty` or `(`", help)
            }
        }
    }
}

/// The only part, or all of them put together, or what stands for none.
pub(super) fn single_or<T>(mut parts: Vec<T>, none: T, together: impl FnOnce(Vec<T>) -> T) -> T {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            together(parts)
        }
        None => none,
    }
}

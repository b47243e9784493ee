//! The tokens of the scm format. Its keywords are words like others: names may repeat them.

use logos::Logos;

use crate::cursor::{Garbled, skip_comment};

#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(error = Garbled)]
#[logos(skip r"[ \t\r\n\f]+")]
pub(super) enum Token {
    #[regex(r"[\p{L}\p{Nd}_]([\p{L}\p{Nd}_]|-[\p{L}\p{Nd}_])*")]
    Word,
    #[token("/*", skip_comment)]
    Comment,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("=")]
    Equals,
    #[token("!")]
    Send,
    #[token("?")]
    Receive,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("#")]
    Separator,
    #[token(".")]
    Dot,
    #[token("|")]
    Bar,
    #[token("^")]
    Power,
    #[token("*")]
    Star,
    #[token("+")]
    Plus,
    /// Arithmetic and logic, which is refused with its place.
    #[regex(r"[<>&/%-]|<=|>=|==|!=|<>|&&|\|\|")]
    Operator,
}

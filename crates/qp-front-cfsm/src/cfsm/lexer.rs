//! The tokens of the CFSM language.

use logos::{Lexer, Logos};

use crate::cursor::{Garbled, skip_comment};

#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(error = Garbled)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum Token {
    #[token("queues")]
    Queues,
    #[token("mailbox")]
    Mailbox,
    #[token("peer")]
    Peer,
    #[token("to")]
    To,
    #[token("channels")]
    Channels,
    #[token("capacity")]
    Capacity,
    #[token("channel")]
    Channel,
    #[token("queue")]
    Queue,
    #[token("from")]
    From,
    #[token("machine")]
    Machine,
    #[token("bad")]
    Bad,
    #[token("ltl")]
    Ltl,
    #[token("unbounded")]
    Unbounded,
    #[token("rendezvous")]
    Rendezvous,
    #[token("lossy")]
    Lossy,
    #[token("drop")]
    Drop,
    #[token("init")]
    Init,
    #[token("end")]
    End,
    #[token("progress")]
    Progress,
    #[token("defer")]
    Defer,
    #[token("send")]
    Send,
    #[token("recv")]
    Recv,
    #[token("internal")]
    Internal,
    #[token("fail")]
    Fail,
    #[token("in")]
    In,
    #[token("matches")]
    Matches,
    #[token("empty")]
    Empty,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[regex(r"[\p{L}\p{Nd}_]+", priority = 1)]
    Name,
    #[regex(r#""[^"\n]*""#)]
    #[regex(r#""[^"\n]*"#, open_string)]
    String,
    #[token("/*", skip_comment)]
    Comment,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("->")]
    Arrow,
    #[token("<->")]
    Iff,
    #[token("-")]
    Minus,
    #[token("|")]
    Bar,
    #[token("||")]
    Or,
    #[token("&&")]
    And,
    #[token("!")]
    Not,
    #[token("[]")]
    Box,
    #[token("<>")]
    Diamond,
    #[token("@")]
    At,
    #[token(".")]
    Dot,
    #[token("*")]
    Star,
    #[token("+")]
    Plus,
    #[token("?")]
    Question,
}

/// The words that declarations begin with, for suggestions.
pub(crate) const ITEMS: &[&str] =
    &["queues", "capacity", "channel", "queue", "machine", "bad", "ltl"];

impl Token {
    /// Whether it is a word that cannot be a name.
    pub(crate) fn is_keyword(self) -> bool {
        (self as u8) < (Self::Name as u8)
    }

    /// Whether it is a word at all.
    pub(crate) fn is_word(self) -> bool {
        self == Self::Name || self.is_keyword()
    }

    /// Whether it says something about the state whose name follows.
    pub(crate) fn is_label(self) -> bool {
        matches!(self, Self::Init | Self::End | Self::Progress | Self::Bad)
    }
}

/// A string that does not end on its line.
fn open_string(_: &mut Lexer<'_, Token>) -> Result<(), Garbled> {
    Err(Garbled::String)
}

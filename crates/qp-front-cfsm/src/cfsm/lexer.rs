//! The tokens of the CFSM language.

use logos::{Lexer, Logos};
use qp_base::tokens;

use crate::cursor::{Garbled, skip_comment};

tokens! {
    #[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
    #[logos(error = Garbled)]
    #[logos(skip r"[ \t\r\n\f]+")]
    #[logos(skip(r"//[^\n]*", allow_greedy = true))]
    pub(crate) enum Token {
        words {
            "queues" Queues, "mailbox" Mailbox, "peer" Peer, "to" To, "channels" Channels,
            "capacity" Capacity, "channel" Channel, "queue" Queue, "from" From, "machine" Machine,
            "bad" Bad, "ltl" Ltl, "unbounded" Unbounded, "rendezvous" Rendezvous, "lossy" Lossy,
            "drop" Drop, "init" Init, "end" End, "progress" Progress, "defer" Defer, "send" Send,
            "recv" Recv, "internal" Internal, "fail" Fail, "in" In, "matches" Matches,
            "empty" Empty, "true" True, "false" False
        }
        marks {
            "{" OpenBrace, "}" CloseBrace, "(" Open, ")" Close, ":" Colon, ";" Semicolon, "," Comma,
            "->" Arrow, "<->" Iff, "-" Minus, "|" Bar, "||" Or, "&&" And, "!" Not, "[]" Box,
            "<>" Diamond, "@" At, "." Dot, "*" Star, "+" Plus, "?" Question
        }
        #[regex(r"[\p{L}\p{Nd}_]+", priority = 1)] Name,
        #[regex(r#""[^"\n]*""#)] #[regex(r#""[^"\n]*"#, open_string)] String,
        #[token("/*", skip_comment)] Comment,
    }
}

/// The words that declarations begin with, for suggestions.
pub(crate) const ITEMS: &[&str] =
    &["queues", "capacity", "channel", "queue", "machine", "bad", "ltl"];

impl Token {
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

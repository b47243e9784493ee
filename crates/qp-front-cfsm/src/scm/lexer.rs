//! The tokens of the scm format. Its keywords are words like others: names may repeat them.

use logos::Logos;
use qp_base::tokens;

use crate::cursor::{Garbled, skip_comment};

tokens! {
    #[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
    #[logos(error = Garbled)]
    #[logos(skip r"[ \t\r\n\f]+")]
    pub(super) enum Token {
        marks {
            ":" Colon, ";" Semicolon, "," Comma, "=" Equals, "!" Send, "?" Receive, "(" Open,
            ")" Close, "#" Separator, "." Dot, "|" Bar, "^" Power, "*" Star, "+" Plus
        }
        #[regex(r"[\p{L}\p{Nd}_]([\p{L}\p{Nd}_]|-[\p{L}\p{Nd}_])*")] Word,
        #[token("/*", skip_comment)] Comment,
        /// Arithmetic and logic, which is refused with its place.
        #[regex(r"[<>&/%-]|<=|>=|==|!=|<>|&&|\|\|")] Operator,
    }
}

//! The pieces that a text is made of.

use std::sync::Arc;

use qp_base::Span;

use crate::at::{At, ExpansionId};

/// A word, a number, a string or a sign.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: Arc<str>,
    pub(crate) span: Span,
    /// Whether it is the first one on its line, after macros are expanded.
    pub(crate) new_line: bool,
    pub(crate) expansion: Option<ExpansionId>,
    /// The macros that may not be expanded here any more.
    pub(crate) hidden: Option<Arc<Hidden>>,
}

/// What sort of token it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Name,
    Number,
    /// A character in single quotes.
    Char,
    /// A string with its quotes.
    Text,
    /// A sign, such as `->`.
    Mark,
    Garbled(Why),
}

/// Why a piece of text is not a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    /// No token begins with this character.
    Character,
    /// A comment does not end.
    Comment,
    /// A string does not end.
    Text,
    /// Something in single quotes is not one character.
    Quote,
}

/// A list of macros that are being expanded.
#[derive(Debug)]
pub(crate) struct Hidden {
    pub(crate) name: Arc<str>,
    pub(crate) next: Option<Arc<Hidden>>,
    pub(crate) depth: usize,
}

impl Token {
    pub(crate) fn new(kind: Kind, text: &str, span: Span) -> Self {
        let text = Arc::from(text);
        Self { kind, text, span, new_line: false, expansion: None, hidden: None }
    }

    pub(crate) fn at(&self) -> At {
        At { span: self.span, expansion: self.expansion }
    }

    /// Whether it is this word or sign.
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Name | Kind::Mark) && &*self.text == text
    }

    /// Whether it is a name that the user may choose.
    pub(crate) fn is_name(&self) -> bool {
        self.kind == Kind::Name && !is_keyword(&self.text)
    }
}

/// Whether a word cannot be a name.
pub(crate) fn is_keyword(text: &str) -> bool {
    KEYWORDS.binary_search(&text).is_ok()
}

/// Every word with a meaning of its own, sorted. `in` is a name outside of `for`.
pub const KEYWORDS: &[&str] = &[
    "D_proctype",
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

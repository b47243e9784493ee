//! What is wrong with the user's text, as data. `qp-report` draws it.

use std::fmt;

use crate::Span;

/// A stable name of a kind of message, printed as `QP0101`. Each has a page in `docs/errors/`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u16);

/// Defines the kinds of messages of a crate, and `CODES`, the list of all of them.
///
/// `codes! { GARBLED = Code(101), UNEXPECTED = Code(102) }`
#[macro_export]
macro_rules! codes {
    ($($name:ident = $code:expr),+ $(,)?) => {
        $(pub(crate) const $name: $crate::Code = $code;)+

        /// The kinds of messages of this crate.
        pub const CODES: &[$crate::Code] = &[$($name),+];
    };
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "QP{:04}", self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The model is refused.
    Error,
    /// The model is accepted; the message changes how to read the answer.
    Warning,
}

/// A place with a few words about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there, in the user's words. May be empty.
    pub text: String,
}

/// One message about the user's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One line, in terms of the user's program.
    pub message: String,
    /// The place it is about.
    pub primary: Label,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, message: impl Into<String>, span: Span) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            help: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: Code, message: impl Into<String>, span: Span) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message, span) }
    }

    /// Says something at the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

//! Exit codes: a contract with other people's scripts.

use std::process::ExitCode;

use queueproof::{Checked, VerdictWord};

/// How the program ends. Later variants outrank earlier ones when several models are checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    /// Everything is proved.
    Fine,
    /// Nothing is violated, something is unknown.
    Unknown,
    /// Something is violated.
    Violated,
    /// A model was refused.
    Refused,
    /// The command line was used wrongly.
    Usage,
    /// Interrupted; partial results were printed.
    Interrupted,
    /// A bug in Queueproof.
    Internal,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::Violated => 1,
            Exit::Unknown => 2,
            Exit::Refused => 3,
            Exit::Usage => 64,
            Exit::Internal => 70,
            Exit::Interrupted => 130,
        })
    }
}

impl Exit {
    /// The exit code for the properties of one model.
    pub(crate) fn of(checked: &Checked) -> Self {
        let has = |word| checked.report.properties.iter().any(|p| p.verdict == word);
        if !checked.errors.is_empty() {
            Self::Internal
        } else if checked.report.limits.hit.iter().any(|hit| hit == "interrupted") {
            Self::Interrupted
        } else if has(VerdictWord::Violated) {
            Self::Violated
        } else if has(VerdictWord::Unknown) || has(VerdictWord::ProvedUpToFailure) {
            Self::Unknown
        } else {
            Self::Fine
        }
    }
}

/// Something that ends a command early.
pub(crate) struct Trouble {
    pub(crate) exit: Exit,
    pub(crate) message: String,
}

impl Trouble {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, message: message.into() }
    }
}

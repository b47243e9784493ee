//! Exit codes: a contract with other people's scripts.

use std::path::Path;
use std::process::ExitCode;

use qp_base::{Diagnostic, Source};
use qp_report::json::{self, ErrorReport, Item};
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
        Self::from(exit.code())
    }
}

impl Exit {
    /// The number that scripts see.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Violated => 1,
            Self::Unknown => 2,
            Self::Refused => 3,
            Self::Usage => 64,
            Self::Internal => 70,
            Self::Interrupted => 130,
        }
    }

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
    /// What kind of trouble it is, for scripts.
    kind: &'static str,
    /// The model that was refused, for those who want to know more than that.
    refused: Option<Box<Item>>,
}

impl Trouble {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        let kind = match exit {
            Exit::Refused => "refused",
            Exit::Usage => "usage",
            Exit::Internal => "internal",
            Exit::Fine | Exit::Unknown | Exit::Violated | Exit::Interrupted => "unknown",
        };
        Self { exit, message: message.into(), kind, refused: None }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// A file cannot be read.
    pub(crate) fn unreadable(message: impl Into<String>) -> Self {
        Self { kind: "unreadable", ..Self::new(Exit::Refused, message) }
    }

    /// A model was refused, for these reasons.
    pub(crate) fn refused(source: Source, diagnostics: Vec<Diagnostic>) -> Self {
        let message = format!("{} was refused", source.name);
        let refused = Some(Box::new(Item::Refused(source, diagnostics)));
        Self { refused, ..Self::new(Exit::Refused, message) }
    }

    /// The same as an entry of a list of reports.
    pub(crate) fn item(self, path: &Path) -> Item {
        let error = self.report();
        match self.refused {
            Some(refused) => *refused,
            None => Item::Failed(path.to_string_lossy().into_owned(), error),
        }
    }

    /// The same as an object of its own.
    pub(crate) fn json(self) -> String {
        let error = self.report();
        match self.refused {
            Some(refused) => json::items(&[*refused]),
            None => json::error(&error),
        }
    }

    fn report(&self) -> ErrorReport {
        ErrorReport { kind: self.kind, exit: self.exit.code(), message: self.message.clone() }
    }
}

//! Diagnostics on their way out, with a limit.

use qp_base::{Diagnostic, Severity, Span};

use crate::codes;

/// Nobody reads more than this, and every one costs a walk through the text when it is shown.
const DIAGNOSTICS_MAX: usize = 20;

/// What is wrong with a text so far.
#[derive(Debug)]
pub(crate) struct Complaints {
    found: Vec<Diagnostic>,
    /// Where the first one past the limit was.
    more: Option<Span>,
}

impl Complaints {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self { found: Vec::new(), more: None }
    }

    /// Keeps it, unless there are enough already.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if self.found.len() < DIAGNOSTICS_MAX {
            self.found.push(diagnostic);
        } else if self.more.is_none() {
            self.more = Some(diagnostic.primary.span);
        }
    }

    /// Whether looking for more is of no use to anybody.
    pub(crate) fn is_full(&self) -> bool {
        self.more.is_some()
    }

    /// Whether the text must be refused.
    pub(crate) fn has_errors(&self) -> bool {
        self.found.iter().any(|d| d.severity == Severity::Error)
    }

    /// All of them, in the order of the text.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|d| d.primary.span.start);
        if let Some(span) = self.more {
            let message = format!("there are more; the first {DIAGNOSTICS_MAX} are shown");
            self.found.push(
                Diagnostic::warning(codes::MORE, message, span)
                    .help("correct these first: the others may follow from them"),
            );
        }
        self.found
    }
}

//! Messages on their way out: with the macros and inlines that they come through, and none twice.

use qp_base::{Code, Complaints, Diagnostic, Set};

use crate::at::{At, Expansions};
use crate::codes;

/// What is wrong with a model so far.
pub(crate) struct Report {
    complaints: Complaints,
    /// An inline that is called ten times has its fault once.
    seen: Set<(u16, u32, u32, String)>,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self { complaints: Complaints::new(codes::MORE), seen: Set::default() }
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let span = diagnostic.primary.span;
        let Code(code) = diagnostic.code;
        if self.seen.insert((code, span.start, span.end, diagnostic.message.clone())) {
            self.complaints.push(diagnostic);
        }
    }

    /// Reports something about a place.
    pub(crate) fn push_at(&mut self, diagnostic: Diagnostic, at: At, expansions: &Expansions) {
        self.push(expansions.explain(diagnostic, at));
    }

    pub(crate) fn is_full(&self) -> bool {
        self.complaints.is_full()
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.complaints.has_errors()
    }

    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        self.complaints.finish()
    }
}

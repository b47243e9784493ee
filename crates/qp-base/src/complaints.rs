//! Diagnostics on their way out, with a limit.

use crate::{Code, Diagnostic, Severity, Span};

/// Nobody reads more than this, and every one costs a walk through the text when it is shown.
const DIAGNOSTICS_MAX: usize = 20;

/// What is wrong with a text so far.
#[derive(Debug)]
pub struct Complaints {
    /// The code of "there are more".
    code: Code,
    found: Vec<Diagnostic>,
    /// Where the first one past the limit was.
    more: Option<Span>,
}

impl Complaints {
    /// Nothing yet. With this code it is said that there are more than are kept.
    pub fn new(more: Code) -> Self {
        Self { code: more, found: Vec::new(), more: None }
    }

    /// Keeps it, unless there are enough already. An error then takes the place of a warning, so that a text
    /// with an error is always refused.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.found.len() < DIAGNOSTICS_MAX {
            self.found.push(diagnostic);
            return;
        }
        self.more.get_or_insert(diagnostic.primary.span);
        let is_warning = |it: &Diagnostic| it.severity != Severity::Error;
        if diagnostic.severity == Severity::Error
            && let Some(last) = self.found.iter().rposition(is_warning)
        {
            self.found[last] = diagnostic;
        }
    }

    /// Keeps an error at a place, with what to do about it.
    pub fn error(
        &mut self,
        code: Code,
        message: impl Into<String>,
        span: Span,
        help: impl Into<String>,
    ) {
        self.push(Diagnostic::error(code, message, span).help(help));
    }

    /// Keeps a warning about a place, with what to do about it.
    pub fn warning(
        &mut self,
        code: Code,
        message: impl Into<String>,
        span: Span,
        help: impl Into<String>,
    ) {
        self.push(Diagnostic::warning(code, message, span).help(help));
    }

    /// Whether looking for more is of no use to anybody. Warnings alone are no reason to stop reading: what
    /// comes behind them is part of the text.
    pub fn is_full(&self) -> bool {
        self.more.is_some() && self.has_errors()
    }

    /// Whether the text must be refused.
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|d| d.severity == Severity::Error)
    }

    /// All of them, in the order of the text.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|d| d.primary.span.start);
        if let Some(span) = self.more {
            let message = format!("there are more; the first {DIAGNOSTICS_MAX} are shown");
            self.found.push(
                Diagnostic::warning(self.code, message, span)
                    .help("correct these first: the others may follow from them"),
            );
        }
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_past_the_limit_are_one() {
        let mut complaints = Complaints::new(Code(7));
        for at in (0..DIAGNOSTICS_MAX + 2).rev() {
            assert_eq!(complaints.is_full(), at == 0);
            complaints.push(Diagnostic::error(Code(1), "wrong", Span::new(at..at + 1)));
        }
        let all = complaints.finish();
        assert_eq!(all.len(), DIAGNOSTICS_MAX + 1);
        assert_eq!(all[0].primary.span.start, 2);
        let last = all.last().expect("there are some");
        assert_eq!((last.code, last.primary.span.start), (Code(7), 1));
    }

    #[test]
    fn warnings_do_not_hide_errors() {
        let mut complaints = Complaints::new(Code(7));
        for at in 0..DIAGNOSTICS_MAX + 2 {
            complaints.push(Diagnostic::warning(Code(1), "strange", Span::new(at..at + 1)));
        }
        assert!(!complaints.is_full());
        complaints.push(Diagnostic::error(Code(2), "wrong", Span::new(0..1)));
        assert!(complaints.has_errors());
        assert!(complaints.is_full());
    }
}

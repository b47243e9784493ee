//! What can go wrong while a program runs, and what the interpreter cannot do.

use std::sync::Arc;

use qp_base::{Code, Span};
use qp_machines::{Failure, Property};

pub(crate) const UNHANDLED: Code = Code(1001);
pub(crate) const ASSERTION: Code = Code(1002);
pub(crate) const SPEC_ASSERTION: Code = Code(1011);
pub(crate) const RANGE: Code = Code(1012);
pub(crate) const MISSING_KEY: Code = Code(1013);
pub(crate) const CAST: Code = Code(1014);
pub(crate) const DIVISION: Code = Code(1015);
pub(crate) const NULL: Code = Code(1016);
pub(crate) const PERMISSION: Code = Code(1017);
pub(crate) const CARDINALITY: Code = Code(1018);
pub(crate) const DIVERGENCE: Code = Code(1019);
pub(crate) const CHOICE: Code = Code(1020);
pub(crate) const KEY_TWICE: Code = Code(1021);
pub(crate) const LAST_POP: Code = Code(1022);
pub(crate) const PAYLOAD: Code = Code(1023);
pub(crate) const UNBOUND: Code = Code(1024);
pub(crate) const LIMIT: Code = Code(3006);

/// A failure, in a form that can be part of a local state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Fault {
    pub(crate) property: Property,
    pub(crate) code: Code,
    pub(crate) text: String,
    pub(crate) span: Option<Span>,
}

impl Fault {
    pub(crate) fn new(code: Code, text: impl Into<String>, span: Span) -> Self {
        let property = match code {
            UNHANDLED => Property::Unhandled,
            DIVERGENCE => Property::Divergence,
            _ => Property::Assert,
        };
        Self { property, code, text: text.into(), span: Some(span) }
    }

    pub(crate) fn to_failure(&self) -> Failure {
        let Self { property, code, text, span } = self.clone();
        Failure { property, code, text, span }
    }
}

/// Why running stops: the program fails, or the interpreter does not go further.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Fails(Box<Fault>),
    GivesUp(Box<Fault>),
}

impl Stop {
    /// The program fails.
    pub(crate) fn fails(code: Code, text: impl Into<String>, span: Span) -> Self {
        Self::Fails(Box::new(Fault::new(code, text, span)))
    }

    /// What ends a run in this way.
    pub(crate) fn of(fault: Fault) -> Self {
        if fault.code == LIMIT {
            Self::GivesUp(Box::new(fault))
        } else {
            Self::Fails(Box::new(fault))
        }
    }

    /// What stopped.
    pub(crate) fn into_fault(self) -> Fault {
        match self {
            Self::Fails(fault) | Self::GivesUp(fault) => *fault,
        }
    }

    /// The interpreter does not go further.
    pub(crate) fn limit(text: impl Into<String>, span: Span) -> Self {
        Self::GivesUp(Box::new(Fault::new(LIMIT, text, span)))
    }
}

impl From<Arc<Fault>> for Stop {
    fn from(fault: Arc<Fault>) -> Self {
        Self::of((*fault).clone())
    }
}

/// `1 element`, `2 elements`.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

//! Places of the user's text that runs may or may not come to.

use qp_base::Span;

/// A place of the text. Machines that are made from the same text share it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// What stands there.
    pub kind: SiteKind,
    /// The machine to which it belongs, as it is declared; empty if there is no single one.
    pub machine: String,
    /// What it is called, or its text.
    pub name: String,
    /// Where it is.
    pub span: Span,
}

/// What stands at a place of the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SiteKind {
    /// A machine or process that may be created.
    Machine,
    /// A control state.
    State,
    /// A step of an automaton.
    Transition,
    /// What a state does about an event.
    Handler,
    /// Code.
    Statement,
}

impl SiteKind {
    /// The word for it, as in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Machine => "machine",
            Self::State => "state",
            Self::Transition => "transition",
            Self::Handler => "handler",
            Self::Statement => "statement",
        }
    }
}

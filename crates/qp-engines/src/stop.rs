//! Why an engine cannot go on, and what it says then.

use qp_base::Exhausted;
use qp_claim::Reason;
use qp_machines::{Beyond, Failure, FailureId, System};

/// Why an engine cannot go on.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// A limit was met.
    Exhausted(Exhausted),
    /// So many were looked at, and this engine looks at no more: something else may still work.
    TooMuch,
    /// Nothing can be said, and this is why.
    Refused(Reason),
    /// Something is not as it was assumed to be: begin anew.
    Anew,
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl Stop {
    /// Because of what the model does, in the user's words.
    pub(crate) fn outside(because: impl Into<String>) -> Self {
        Self::Refused(outside(because))
    }

    /// The interpreter gave up.
    pub(crate) fn gave_up(system: &System, why: FailureId) -> Self {
        Self::Refused(gave_up(system.program().failure(why)))
    }

    /// A step that says more than the engine listens to.
    pub(crate) fn beyond(system: &System, beyond: Beyond) -> Self {
        match beyond {
            Beyond::Step(because) => Self::outside(because),
            Beyond::GivesUp(why) => Self::gave_up(system, why),
        }
    }

    pub(crate) fn reason(&self) -> Reason {
        match self {
            &Self::Exhausted(exhausted) => spent(exhausted),
            Self::TooMuch => spent(Exhausted::States),
            Self::Refused(reason) => reason.clone(),
            Self::Anew => unreachable!("bug in Queueproof: it was to begin anew"),
        }
    }
}

/// What an engine says where no width of key is enough.
pub(crate) const TOO_WIDE: &str = "a configuration has too many machines and queues for the search";

/// What an engine says about what it does not treat, in the user's words.
pub(crate) fn outside(because: impl Into<String>) -> Reason {
    Reason::OutsideFragment { because: because.into() }
}

/// What an engine says where the interpreter gave up.
pub(crate) fn gave_up(failure: Failure) -> Reason {
    Reason::Program { text: failure.text, span: failure.span }
}

/// What an engine says that searches no queue lengths and has met a limit.
pub(crate) fn spent(exhausted: Exhausted) -> Reason {
    Reason::Budget { exhausted, bound: 0, suspect: None }
}

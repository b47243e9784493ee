//! Counterexamples: lists of choices.

use qp_machines::{QueueId, Step};

/// A run, as the list of choices that make it. Configurations come from replaying it, so a wrong
/// trace cannot look right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The choices, first to last.
    pub steps: Vec<Step>,
    /// How the run goes on.
    pub shape: Shape,
}

/// How a run goes on after its last step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// It does not have to: what is wrong is wrong at the end.
    Finite,
    /// The steps from here on lead back to the same configuration and can be repeated for ever. If there
    /// are none, the run has ended, and its last configuration stays for ever.
    Lasso {
        /// The number of steps before the cycle.
        from: usize,
    },
    /// The steps from here on can be repeated for ever, and each turn leaves more in a queue.
    Pump {
        /// The number of steps before the cycle.
        from: usize,
        /// The queue that grows.
        queue: QueueId,
    },
    /// Some of the steps are a cycle that is taken several times, and could be taken any number of times more before
    /// the steps behind it.
    Family {
        /// The number of steps before the cycle.
        from: usize,
        /// The number of steps before what comes after the cycle.
        until: usize,
        /// How often the cycle is taken.
        turns: usize,
        /// The queue in which messages pile up, in every run that makes the same sends.
        queue: QueueId,
    },
}

impl Trace {
    /// A run that ends where something is wrong.
    pub fn finite(steps: Vec<Step>) -> Self {
        Self { steps, shape: Shape::Finite }
    }
}

//! Proofs for every queue length: contents of queues are told apart by their beginnings only.
//!
//! # Question
//! Is what was seen with short queues all there is, with queues of any length?
//!
//! # Fragment
//! All languages, systems and disciplines, deferred messages, declared capacities and atomic sequences included. A
//! step that asks more of a queue than what contents that look alike have in common is refused where it matters:
//! lengths and numbers of messages that are not told apart, messages that are sorted in. Properties of single
//! configurations (`assert`, `unhandled`, `deadlock`, `divergence`, `reach`) and greatest lengths; not what can
//! always still happen (`stuck`, `orphan`).
//!
//! # Theorem
//! Contents look alike that agree on their first p messages, on the order in which messages first occur behind
//! those, and on how often each does, counted up to c. A set of such views that contains the beginning and
//! is closed under every step that a content with this view can take contains the view of every
//! reachable configuration, at every queue length. With invariants of queues: the contents that satisfy them
//! only, and every step must lead to such contents again.
//!
//! # Algorithm
//! 1. Search with short queues, exactly, for what contents there are. What is violated there is violated.
//! 2. Search everything that is reachable in the coarsest view; no bound is needed, because there are finitely
//!    many views.
//! 3. Where something wrong is met that may be impossible: propose invariants that hold of all contents seen,
//!    drop those that a step may break until none does, and search again.
//! 4. Take a finer view (greater p or c) and go on.
//! 5. Leave out the invariants that are not needed. Compare the set with what looks different at bounds
//!    1, 2, ...: the least bound at which nothing is missing is where the views converge.
//!
//! # Certificate
//! The set of views, p, c and the invariants: closed under every step, invariants preserved.
//!
//! # Limits
//! Views with a million configurations are given up; so are systems that need to know more than some dozens
//! of views tell apart. An invariant that somebody states and nobody proves leaves the answer unknown.
//!
//! # What it never does
//! It never stops because nothing new was seen for a while, and never discards a situation because of an
//! invariant that was not proved together with the set.

mod attempt;
mod blur;
mod breaches;
mod candidates;
mod conduct;
mod explored;
mod possible;
mod projection;
mod reachable;
mod stated;
#[cfg(test)]
mod tests;
mod truth;

use qp_base::Budget;
use qp_machines::Property;

use crate::{Answers, Engine, Facts, Task, Turn};

pub use self::breaches::{Breach, breaches};
use self::conduct::Conduct;
pub use self::reachable::Reachable;

/// The engine `converge`.
pub struct Converge;

impl Engine for Converge {
    fn name(&self) -> &'static str {
        "converge"
    }

    fn summary(&self) -> &'static str {
        "proofs for every queue length: contents of queues are told apart by their beginnings only"
    }

    fn treats(&self, property: Property) -> bool {
        property.is_about_configurations()
    }

    fn turn(&self) -> Turn {
        Turn::Second
    }

    fn run(&self, task: Task, budget: &Budget) -> Answers {
        self.run_with(task, &Facts::default(), budget)
    }

    fn run_with(&self, task: Task, facts: &Facts, budget: &Budget) -> Answers {
        let own = Facts::default();
        let facts = if task.begins_with_the_shortest() { facts } else { &own };
        Conduct::new(task, facts, budget).start()
    }
}

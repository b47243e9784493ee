//! Search up to which numbers are held, where that does not matter.
//!
//! # Question
//! The same as those of `explore`, about programs whose identifiers grow (`nextId = nextId + 1`) or that draw numbers from
//! a range and only compare them: they have infinitely many configurations, or very many, that differ in nothing else.
//!
//! # Fragment
//! Programs that say what they do with numbers ([`qp_machines::Values`]): P programs. Properties that do not look at
//! numbers.
//!
//! # Theorem
//! Slots between which numbers are copied, or in which they are compared, are of one *sort*. What can still be done with
//! numbers of a sort says which of them may be exchanged: the relation is a bisimulation
//! (`docs/decisions/015-sorts.md`). It goes back to scalar sets (Ip and Dill 1996) and data independence (Wolper 1986).
//!
//! # Algorithm
//! 1. Sorts by union-find, and for each place of the code the uses from there on, by a fixpoint ([`tables`]).
//! 2. A search, breadth first. Each successor is replaced by a representative ([`canon`]): numbers are renamed, entries
//!    of collections that nobody can ask for any more are dropped.
//! 3. A violation is followed from the real beginning by steps that lead to the same representatives.
//!
//! # Certificate
//! The tables, the representatives, and for each step the renaming.
//!
//! # Limits
//! It gives up where a queue gets longer than the greatest bound, and beyond a million representatives. Counters that
//! drift apart stay infinite.
//!
//! # What it never does
//! It never exchanges numbers because nothing was seen that tells them apart: only what the code can still do counts.

mod apply;
mod canon;
mod conduct;
mod garbage;
mod kinds;
mod naming;
mod tables;

use qp_base::Budget;
use qp_machines::{Model, Property, Use, ValueFlow};

use crate::{Answers, Engine, Task, Turn};

/// The engine `sorts`.
pub struct Sorts;

impl Engine for Sorts {
    fn name(&self) -> &'static str {
        "sorts"
    }

    fn summary(&self) -> &'static str {
        "a search of configurations up to which numbers they hold, where that does not matter"
    }

    fn treats(&self, property: Property) -> bool {
        treats(property)
    }

    fn turn(&self) -> Turn {
        Turn::Second
    }

    /// Where identifiers grow there is no end for others.
    fn suits(&self, model: &Model) -> bool {
        let mut program = model.program.fork();
        let Some(values) = program.as_values() else { return false };
        let flow = values.value_flow();
        let mut uses = flow.nodes.iter().flat_map(|node| &node.uses);
        uses.any(|it| it.1 == Use::Step)
    }

    fn run(&self, task: Task, budget: &Budget) -> Answers {
        conduct::run(&task, budget, &|_| {})
    }
}

impl Sorts {
    /// Answers a task as if the program did something else with numbers: for tests of the referee, which refuses that.
    pub fn misled(task: &Task, budget: &Budget, edit: &dyn Fn(&mut ValueFlow)) -> Answers {
        conduct::run(task, budget, edit)
    }
}

/// What does not look at numbers; of what is asked of infinite runs, that specs do not stay hot.
fn treats(property: Property) -> bool {
    matches!(
        property,
        Property::Assert
            | Property::Unhandled
            | Property::Divergence
            | Property::Deadlock
            | Property::Bounded
            | Property::Ltl(_)
    )
}

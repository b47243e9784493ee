//! The part of the referee that checks closed sets written as decision diagrams.
//!
//! What a machine does depends on the columns of its own level, on the store, on the queue that it sends to and on the
//! queues that it asks about: that is checked for every move (one that takes from a queue of another level is refused).
//! So each step is a rule: values of a few levels with which it is possible, and what becomes of each. Rules are asked
//! of the plain step function, for every value of each level that matters, with anything in the other columns.
//!
//! A rule leads from the set into the set if, whenever a way through the diagram has the values that the rule needs, the
//! way with the changed values is one too. Both ways are followed side by side, from the first level that changes on;
//! pairs of nodes that were followed before are not followed again. What can never happen again is looked for backwards,
//! with sets that are diagrams themselves.
//!
//! A machine that is created at run time has a level of its own with its queues, on which it can be absent. Ways on which
//! a machine exists and an earlier one does not are no configurations; rules do not care.
//!
//! Nodes without any value are refused, so every node is on a way to the end, and what is met is a configuration.
//!
//! Absent on purpose: engines and their diagrams; programs whose steps are turns, machines that end, moves that wait
//! until nothing else is possible, rendezvous.

mod closure;
mod faults;
mod levels;
mod rules;
mod sets;

use qp_claim::DiagramSet;
use qp_machines::{Property, System};

use self::levels::Levels;
use self::rules::Rules;

/// Why a diagram proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It does not stand up.
    Wrong(String),
    /// Checking it would take too long.
    TooLarge,
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self::Wrong(why)
    }
}

impl From<&str> for Refusal {
    fn from(why: &str) -> Self {
        Self::Wrong(why.to_owned())
    }
}

/// Something that was checked, or why it was not.
pub(crate) type Checked<T> = Result<T, Refusal>;

/// A set that was checked.
pub struct Diagram {
    levels: Levels,
    rules: Rules,
}

impl Diagram {
    /// Checks that the set contains the beginning, and that no step leads out of it.
    pub fn check(system: &mut System, set: &DiagramSet) -> Result<Self, Refusal> {
        if system.program().outline().whole {
            return Err("a turn may look at more than one level".into());
        }
        let levels = Levels::read(system, set)?;
        levels.check_beginning(system)?;
        let rules = Rules::read(system, &levels)?;
        closure::check(&levels, &rules)?;
        Ok(Self { levels, rules })
    }

    /// Checks that nothing in the set violates the property.
    pub fn prove(&self, system: &mut System, property: Property) -> Result<(), Refusal> {
        faults::check(self, system, property)
    }
}

/// Counts what is done, so that nobody waits for ever.
#[derive(Default)]
pub(crate) struct Work(u64);

impl Work {
    /// Arcs that are followed before the set counts as too large.
    const MAX: u64 = 200_000_000;

    pub(crate) fn spend(&mut self, arcs: usize) -> Checked<()> {
        self.0 += arcs as u64;
        if self.0 > Self::MAX { Err(Refusal::TooLarge) } else { Ok(()) }
    }
}

//! The part of the referee that checks closed sets written as decision diagrams.
//!
//! What a machine does depends on the columns of its own level, on the queue that it sends to, on the queues that it asks
//! about and on those who watch: that is checked for every move (one that takes from a queue of another level is
//! refused). So each step is a rule: values of a few levels with which it is possible, and what becomes of each. Rules
//! are asked of the plain step function, for every value of each level that matters, with anything in the other columns.
//!
//! No step leads out of the set if every rule leads into the set wherever it is possible. What can never happen again is
//! looked for backwards. Both are plain operations on sets of ways through diagrams, with each result kept.
//!
//! A machine that is created at run time has a level of its own with its queues, on which it can be absent. Ways on which
//! a machine exists and an earlier one does not are no configurations; rules do not care.
//!
//! Nodes without any value are refused, so every node is on a way to the end, and what is met is a configuration.
//!
//! Absent on purpose: engines and their diagrams; programs whose steps are turns, machines that end or look at the store,
//! moves that wait until nothing else is possible, rendezvous.

mod faults;
mod levels;
mod rules;
mod sets;

use qp_claim::DiagramSet;
use qp_machines::{Property, System};

use self::levels::Levels;
use self::rules::{Deed, Rule};
use self::sets::Sets;

/// Why a diagram proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It does not stand up.
    Wrong(String),
    /// Checking it would take too long.
    TooLarge,
}

impl<T: Into<String>> From<T> for Refusal {
    fn from(why: T) -> Self {
        Self::Wrong(why.into())
    }
}

/// Something that was checked, or why it was not.
pub(crate) type Checked<T> = Result<T, Refusal>;

/// A set that was checked.
pub struct Diagram {
    levels: Levels,
    rules: Vec<Rule>,
    sets: Sets,
}

impl Diagram {
    /// Checks that the set contains the beginning, and that no step leads out of it.
    pub fn check(system: &mut System, set: &DiagramSet) -> Result<Self, Refusal> {
        if system.program().outline().whole {
            return Err("a turn may look at more than one level".into());
        }
        let levels = Levels::read(system, set)?;
        levels.check_beginning(system)?;
        let rules = rules::read(system, &levels)?;
        let mut sets = Sets::read(&levels, system.patience())?;
        for rule in &rules {
            let wrong = match rule.deed {
                // The run ends where it is.
                Deed::Fails(_) => false,
                Deed::GivesUp => sets.before(&rule.touches, sets.all, None)?.is_some(),
                Deed::Takes(_) | Deed::Skips | Deed::Other => sets.leads_out(&rule.touches)?,
            };
            if wrong {
                return Err(format!("a step of {:?} leads out of the set", rule.machine).into());
            }
        }
        Ok(Self { levels, rules, sets })
    }

    /// Checks that nothing in the set violates the property.
    pub fn prove(&mut self, system: &mut System, property: Property) -> Result<(), Refusal> {
        faults::check(self, system, property)
    }
}

//! The part of the referee that checks closed sets written as decision diagrams.
//!
//! What a machine does depends on the columns of its own level and on the store: that is checked for every move (a
//! machine that looks at, or takes from, a queue of another level is refused). So each step is a change of one value of
//! the machine's level, maybe one of the store, and maybe one message at the back of a queue of a third level: the
//! plain step function is asked once for each value of the machine and each store, with anything in the other
//! columns. A step leads from the set into the set if, whenever a way through the diagram has the values that the step
//! needs, the way with the changed values is one too. Both ways are followed side by side, from the first level that
//! changes on; pairs of nodes that were followed before are not followed again.
//!
//! Nodes without any value are refused, so every node is on a way to the end, and what is met is a configuration.
//!
//! Absent on purpose: engines and their diagrams; programs whose steps are turns, machines that are created, moves that
//! wait until nothing else is possible, rendezvous and loss.

mod closure;
mod faults;
mod levels;

use std::collections::BTreeMap;

use qp_claim::DiagramSet;
use qp_machines::{MachineId, Property, System};

use self::levels::Levels;

/// Something that was checked, or why it does not stand up.
pub(crate) type Checked<T> = Result<T, String>;

/// Pairs of nodes that are followed before the set counts as too large.
const WORK_MAX: u64 = 200_000_000;

/// A set that was checked.
pub struct Diagram {
    levels: Levels,
    /// What each machine can do, by machine, value of its level and value of the store's level.
    facts: BTreeMap<(MachineId, u32, u32), Fact>,
}

/// What a machine can do with one value of its level and of the store.
struct Fact {
    /// Whether some step is possible, whatever stands elsewhere.
    moves: bool,
    /// The properties that a step violates, because it runs into a failure.
    fails: Vec<Property>,
    /// Whether the machine is at a loss about a message.
    at_a_loss: bool,
    /// Whether it may rest here.
    rests: bool,
}

impl Diagram {
    /// Checks that the set contains the beginning, and that no step leads out of it.
    pub fn check(system: &mut System, set: &DiagramSet) -> Result<Self, String> {
        if system.program().outline().whole {
            return Err("a turn may look at more than one level".to_owned());
        }
        let levels = Levels::read(system, set)?;
        levels.check_beginning(system)?;
        let facts = closure::check(system, &levels)?;
        Ok(Self { levels, facts })
    }

    /// Checks that nothing in the set violates the property.
    pub fn prove(&self, system: &mut System, property: Property) -> Result<(), String> {
        faults::check(self, system, property)
    }
}

//! Closed sets written as decision diagrams.
//!
//! Every machine is asked what it can do, by the plain step function, in every configuration of the set: it is told what
//! stands on a level when it looks there, and asked again for each other thing that may stand there. So each turn becomes
//! a rule: values of a few levels with which it is possible, and what becomes of each.
//!
//! No step leads out of the set if every rule leads into the set wherever it may be followed. What can never happen again
//! is looked for backwards. Both are plain operations on sets of ways through diagrams, with each result kept.
//!
//! A machine or queue that comes and goes is absent on some ways. Ways on which it exists and an earlier one does not are
//! no configurations, and are refused. So are nodes without any value: every node is on a way to the end, and what is met
//! is a configuration.
//!
//! Absent on purpose: engines and their diagrams.

mod asks;
mod faults;
mod levels;
mod rules;
mod sets;
mod steps;

use qp_claim::DiagramSet;
use qp_machines::System;

use self::asks::demand_all;
use self::levels::Levels;
use self::rules::{Deed, Relation, Touches};
use self::sets::{Set, Sets};
use self::steps::Step;
use crate::columns::{Column, NOTHING};
use crate::{Checked, wrong};

/// A set that was checked.
pub(crate) struct Diagram {
    levels: Levels,
    sets: Sets,
    steps: Vec<Step>,
    /// The configurations without any step.
    still: Set,
}

impl Diagram {
    /// Checks that the set contains the beginning, and that no step leads out of it.
    pub(crate) fn check(system: &mut System, set: &DiagramSet) -> Checked<Self> {
        let levels = Levels::read(system, set)?;
        levels.check_beginning(system)?;
        let mut sets = Sets::read(&levels, system.patience())?;
        check_existence(&levels, &mut sets)?;
        let (steps, still) = steps::read(system, &levels, &mut sets)?;
        for step in &steps {
            let leads_out = match step.deed {
                // The run ends where it is.
                Deed::Fails(_) => false,
                Deed::GivesUp => step.before(&mut sets, step.from, None)?.is_some(),
                Deed::Does { .. } => step.leads_out(&mut sets)?,
            };
            if leads_out {
                return wrong(format!("a step of {:?} leads out of the set", step.machine));
            }
        }
        Ok(Self { levels, sets, steps, still })
    }
}

/// Checks that every way is a configuration: machines and queues come and go at the end, and whoever goes on alone exists.
fn check_existence(levels: &Levels, sets: &mut Sets) -> Checked<()> {
    let (machines, queues) = (levels.machines(), levels.queues());
    for pair in machines.windows(2).chain(queues.windows(2)) {
        let exists = levels.holding(pair[1], |number| number != NOTHING);
        check_apart(levels, sets, pair[0], exists)?;
    }
    for (&machine, number) in machines.iter().zip(0..) {
        let holds = levels.holding(Column::Holder, |holder| holder == number);
        check_apart(levels, sets, machine, holds)?;
    }
    Ok(())
}

/// Checks that something else is never so while a machine or queue does not exist.
fn check_apart(
    levels: &Levels,
    sets: &mut Sets,
    column: Column,
    other: Option<(usize, Relation)>,
) -> Checked<()> {
    let absent = levels.holding(column, |number| number == NOTHING);
    let Some((absent, other)) = absent.zip(other) else { return Ok(()) };
    let mut both = Touches::from([absent]);
    demand_all(&mut both, &Touches::from([other]));
    let is_never = both.values().any(Relation::is_empty);
    if !is_never && sets.before(&both, sets.all, None)?.is_some() {
        return wrong("something is there behind what does not exist");
    }
    Ok(())
}

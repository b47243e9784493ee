//! Everything that is met while no queue holds more than some messages.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::Set;
use qp_machines::{Capacity, Config, Event, KindId, LocalId, MachineId, MessageId, System};

use crate::translate::Untranslatable;

/// Beyond this the result is nothing that another tool gets through.
const CONFIGURATIONS_MAX: usize = 200_000;

/// What was met.
#[derive(Default)]
pub(super) struct Met {
    /// The local states of each machine.
    pub(super) locals: Vec<BTreeSet<LocalId>>,
    /// The kind of each queue.
    pub(super) kinds: Vec<KindId>,
    /// What was sent to each queue.
    pub(super) sent: Vec<BTreeSet<MessageId>>,
    /// Who created whom, by machine and local state.
    pub(super) births: BTreeMap<(MachineId, LocalId), BTreeSet<Birth>>,
}

/// A machine that was created.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Birth {
    pub(super) child: usize,
    /// Its first local state.
    pub(super) first: LocalId,
    /// The local state of who created it, afterwards.
    pub(super) after: LocalId,
}

/// Visits every configuration in which no queue holds more than `bound` messages.
pub(super) fn met(system: &mut System, bound: u32) -> Result<Met, Untranslatable> {
    let mut met = Met::default();
    let first = system.initial();
    let (mut seen, mut todo) = (Set::from_iter([first.clone()]), vec![first]);
    while let Some(config) = todo.pop() {
        met.note(&config)?;
        for outcome in system.successors(&config) {
            let machine = outcome.step.machine;
            match outcome.event {
                Event::GaveUp { .. } => {
                    return Err(Untranslatable::new("some of its steps cannot be run"));
                }
                Event::Sent { queue, .. } if is_over(system, &outcome.config, queue, bound) => {
                    continue;
                }
                Event::Sent { queue, message } => {
                    met.sent[queue.index()].insert(message);
                }
                Event::Created { machine: child } => {
                    let birth = Birth {
                        child: child.index(),
                        first: outcome.config.local(child),
                        after: outcome.config.local(machine),
                    };
                    let key = (machine, config.local(machine));
                    met.births.entry(key).or_default().insert(birth);
                }
                _ => {}
            }
            if seen.insert(outcome.config.clone()) {
                todo.push(outcome.config);
            }
        }
        if seen.len() > CONFIGURATIONS_MAX {
            let message = format!("it has more than {CONFIGURATIONS_MAX} configurations");
            return Err(Untranslatable::new(message));
        }
    }
    Ok(met)
}

/// Whether an unbounded queue holds more than it may.
fn is_over(system: &System, config: &Config, queue: qp_machines::QueueId, bound: u32) -> bool {
    let unbounded = system.kind(config, queue).capacity == Capacity::Unbounded;
    unbounded && system.words().len(config.word(queue)) > bound as usize
}

impl Met {
    fn note(&mut self, config: &Config) -> Result<(), Untranslatable> {
        for (machine, &local) in config.locals.iter().enumerate() {
            if self.locals.len() <= machine {
                self.locals.push(BTreeSet::new());
            }
            self.locals[machine].insert(local);
        }
        for (queue, &kind) in config.kinds.iter().enumerate() {
            if self.kinds.len() <= queue {
                self.kinds.push(kind);
                self.sent.push(BTreeSet::new());
            }
            if self.kinds[queue] != kind {
                return Err(Untranslatable::new("one of its queues is of several kinds"));
            }
        }
        Ok(())
    }
}

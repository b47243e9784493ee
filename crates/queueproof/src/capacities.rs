//! How much room queues need: capacities are tried one by one, each with a search of its own.
//!
//! Two capacities of a queue are of interest: the smallest at which no send ever waits, and the smallest at which
//! waiting adds no deadlock. The first one is the greatest length of the queue. The second one is found by giving the
//! queue the capacities 1, 2, 3 and so on, leaving everything else as it is, and asking for `deadlock`. More room is
//! more behaviour, so nothing is said about capacities between the two that were not tried.
//!
//! Both are about one queue alone. What all queues can have at once is found by [`jointly`].

mod by_proofs;
mod jointly;

pub use by_proofs::bound_by_proofs;

use std::sync::Arc;

use qp_base::{Budget, Phase};
use qp_machines::QueueId;

use crate::options::CAPACITY_STATES_MAX;
use crate::report::{CapacityReport, ChangesReport, QueueStatus, SetReport, Smallest, VerdictWord};
use crate::{Checked, Loaded, Options, check};

/// A queue that grows is tried with capacities up to this one.
const TRIED_MAX: u32 = 4;
/// Configurations of a proof for every queue length: one takes much longer than one of a search.
const BLURRED_MAX: u64 = 10_000;
/// More than any queue can hold: as good as no limit.
const ENDLESS: u32 = 1 << 30;

/// Adds to a report about queues how much room each of them needs, and what all of them can have at once.
pub fn measure_capacities(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    checked: &mut Checked,
) {
    budget.progress().enter(Phase::Capacities);
    // What single searches do is no news.
    let beside = budget.beside(Arc::default());
    let mut trial = Trial { options, budget: &beside, left: CAPACITY_STATES_MAX };
    let mut queues = std::mem::take(&mut checked.report.queues);
    let deadlock = trial.deadlock_at_all(loaded, checked);
    for queue in queues.iter_mut().filter(|queue| queue.limited != Some(0)) {
        if budget.ask().is_err() {
            trial.left = 0;
        }
        let plain = Free { loaded, status: queue.status, longest: queue.longest_seen, deadlock };
        // Where a capacity is honoured, the queue is looked at without it.
        let endless = queue.limited.and_then(|_| limited(loaded, &[(queue.number, ENDLESS)]));
        let free = match (&endless, queue.limited) {
            (_, None) => plain,
            (Some(endless), Some(_)) => trial.free(endless, queue.number, checked),
            (None, Some(_)) => {
                Free { status: QueueStatus::Unknown, deadlock: VerdictWord::Unknown, ..plain }
            }
        };
        let never_waits = longest_of(free.status, free.longest);
        let no_deadlock = match free.deadlock {
            VerdictWord::Proved | VerdictWord::ProvedUpToFailure => {
                trial.no_deadlock(&free, queue.number, checked)
            }
            VerdictWord::Violated => Smallest::DeadlocksAnyway,
            VerdictWord::Unknown | VerdictWord::None => Smallest::Unknown,
        };
        queue.capacities = Some(CapacityReport { never_waits, no_deadlock });
    }
    let mut trial = Trial { options, budget, left: CAPACITY_STATES_MAX };
    checked.report.together = jointly::jointly(&mut trial, loaded, &queues, checked);
    checked.report.queues = queues;
}

/// A model in which one queue has no limit, and what is known about that queue.
struct Free<'a> {
    loaded: &'a Loaded,
    status: QueueStatus,
    longest: u32,
    deadlock: VerdictWord,
}

/// Adds to a report about a model whose queues were given capacities what that changes, compared with the model
/// `before`.
pub fn compare_capacities(
    before: &Loaded,
    after: &Loaded,
    options: &Options,
    budget: &Budget,
    checked: &mut Checked,
) {
    let mut trial = Trial { options, budget, left: CAPACITY_STATES_MAX };
    let queues = &checked.report.queues;
    let number = |name: &String| queues.iter().find(|it| it.name == *name).map(|it| it.number);
    let given = after.switches.capacities.iter();
    let given: Vec<(String, u32, Option<usize>)> =
        given.map(|(name, messages)| (name.clone(), *messages, number(name))).collect();
    let mut sets = Vec::new();
    for (queue, capacity, number) in &given {
        let others = given.iter().filter(|(_, _, it)| it != number);
        let others = others.filter_map(|(_, messages, number)| Some(((*number)?, *messages)));
        let others: Vec<(usize, u32)> = others.collect();
        let waits = number.and_then(|it| trial.waits(before, &others, (it, *capacity), checked));
        sets.push(SetReport {
            queue: queue.clone(),
            capacity: *capacity,
            is_met: number.is_some(),
            waits,
        });
    }
    let deadlock_before = trial.deadlock_at_all(before, checked);
    let deadlock = checked.report.properties.iter().find(|property| property.id == "deadlock");
    let deadlock_after = deadlock.map_or(VerdictWord::Unknown, |property| property.verdict);
    checked.report.changes = Some(ChangesReport { sets, deadlock_before, deadlock_after });
}

/// Searches that share an allowance.
struct Trial<'a> {
    options: &'a Options,
    budget: &'a Budget,
    /// Configurations that may still be visited.
    left: u64,
}

impl Trial<'_> {
    /// Checks a model within what is left. Bugs that come to light are told.
    fn ask(&mut self, loaded: &Loaded, id: &str, engines: &[&str], told: &mut Checked) -> Checked {
        let options = Options {
            properties: vec![id.to_owned()],
            engines: engines.iter().map(|&name| name.to_owned()).collect(),
            states_max: self.left,
            exhaustive: false,
            ..self.options.clone()
        };
        let mut checked = check(loaded, &options, &self.budget.at_most(self.left));
        let visited = checked.report.figures("states").max();
        self.left = self.left.saturating_sub(visited.unwrap_or(0));
        told.errors.append(&mut checked.errors);
        checked
    }

    /// Whether there is a deadlock in a model whose queues may grow without end.
    fn deadlock_at_all(&mut self, loaded: &Loaded, told: &mut Checked) -> VerdictWord {
        match self.deadlock(loaded, &["explore"], told) {
            VerdictWord::Unknown => {
                let mut rest = Self { left: self.left.min(BLURRED_MAX), ..*self };
                rest.deadlock(loaded, &["converge"], told)
            }
            verdict @ (VerdictWord::Proved
            | VerdictWord::ProvedUpToFailure
            | VerdictWord::Violated
            | VerdictWord::None) => verdict,
        }
    }

    fn deadlock(&mut self, loaded: &Loaded, engines: &[&str], told: &mut Checked) -> VerdictWord {
        if self.left == 0 {
            return VerdictWord::Unknown;
        }
        let checked = self.ask(loaded, "deadlock", engines, told);
        checked.report.properties.first().map_or(VerdictWord::Unknown, |it| it.verdict)
    }

    /// What is known about a queue in a model in which it has no limit.
    fn free<'m>(&mut self, loaded: &'m Loaded, queue: usize, told: &mut Checked) -> Free<'m> {
        let length = self.length(loaded, &[], queue, told);
        let (status, longest) = length.unwrap_or((QueueStatus::Unknown, 0));
        Free { loaded, status, longest, deadlock: self.deadlock_at_all(loaded, told) }
    }

    /// The smallest capacity that adds no deadlock to a model without one.
    fn no_deadlock(&mut self, free: &Free<'_>, queue: usize, told: &mut Checked) -> Smallest {
        // With so much room nobody ever waits.
        let enough = match free.status {
            QueueStatus::Bounded(n) => Some(n.max(1)),
            QueueStatus::Unbounded | QueueStatus::Unknown => None,
        };
        for messages in 1..enough.unwrap_or(TRIED_MAX + 1) {
            let Some(limited) = limited(free.loaded, &[(queue, messages)]) else {
                return Smallest::Unknown;
            };
            match self.deadlock(&limited, &["explore"], told) {
                VerdictWord::Proved | VerdictWord::ProvedUpToFailure => {
                    return Smallest::Capacity(messages);
                }
                VerdictWord::Violated => {}
                VerdictWord::Unknown | VerdictWord::None => {
                    return enough.map_or(Smallest::Unknown, Smallest::AtMost);
                }
            }
        }
        enough.map_or(Smallest::Unknown, Smallest::Capacity)
    }

    /// Whether some send to a queue waits at this capacity while others have theirs; none if that is open.
    fn waits(
        &mut self,
        before: &Loaded,
        others: &[(usize, u32)],
        (queue, capacity): (usize, u32),
        told: &mut Checked,
    ) -> Option<bool> {
        let (status, longest) = self.length(before, others, queue, told)?;
        match status {
            // A run on which it gets longer comes to a send that would wait.
            _ if longest > capacity => Some(true),
            QueueStatus::Unbounded => Some(true),
            QueueStatus::Bounded(n) if n <= capacity => Some(false),
            QueueStatus::Bounded(_) | QueueStatus::Unknown => None,
        }
    }

    /// How long a queue gets when queues have these capacities, and how long it was seen.
    fn length(
        &mut self,
        loaded: &Loaded,
        capacities: &[(usize, u32)],
        queue: usize,
        told: &mut Checked,
    ) -> Option<(QueueStatus, u32)> {
        let limited = limited(loaded, capacities).filter(|_| self.left > 0)?;
        let checked = self.ask(&limited, "bounded", &["explore", "flow"], told);
        let queue = checked.report.queues.into_iter().find(|it| it.number == queue)?;
        Some((queue.status, queue.longest_seen))
    }
}

/// The model with these capacities, if it can have them.
fn limited(loaded: &Loaded, capacities: &[(usize, u32)]) -> Option<Loaded> {
    let mut limited = loaded.clone();
    let mut limit = |&(queue, messages)| limited.model.limit(QueueId::new(queue), messages);
    capacities.iter().all(&mut limit).then_some(limited)
}

fn longest_of(status: QueueStatus, longest_seen: u32) -> Smallest {
    match status {
        QueueStatus::Bounded(n) if longest_seen < n => Smallest::AtMost(n.max(1)),
        QueueStatus::Bounded(n) => Smallest::Capacity(n.max(1)),
        QueueStatus::Unbounded => Smallest::NoCapacity,
        QueueStatus::Unknown => Smallest::Unknown,
    }
}

#[cfg(test)]
mod tests;

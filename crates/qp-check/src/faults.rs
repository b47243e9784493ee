//! What is wrong with a configuration.

use std::collections::BTreeSet;

use qp_machines::{
    Config, Event, FailureId, MachineId, MessageId, Outcome, Property, QueueId, System,
};

use crate::exchanges::{self, Crossing, Refusal};
use crate::lists::{Cover, SIGHTS};
use crate::{Rejected, Run};

/// What is wrong, in terms of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Finding {
    /// A machine ran into a failure.
    Failed { machine: MachineId, failure: FailureId },
    /// A machine is at a loss about a message.
    Unhandled { machine: MachineId, queue: QueueId, message: MessageId },
    /// No machine can move, and this one may not rest.
    Deadlock { machine: MachineId },
    /// This machine can never move again, and may not rest.
    Stuck { machine: MachineId },
    /// From this queue nothing is ever taken again, and it is not empty.
    Orphan { queue: QueueId },
    /// The bad situation with this number.
    Bad { number: usize },
    /// The queue holds this many messages.
    Long { queue: QueueId, messages: u32 },
    /// The queue grows for ever.
    Grows { queue: QueueId },
    /// The machine receives one message before it sends the other, and both would have to be in one round.
    Crosses { machine: MachineId, received: MessageId, sent: MessageId },
    /// No length of queues is enough for all sequences of sends: this one needs more and more.
    NoLength { queue: QueueId },
    /// The steps from this number on are repeated for ever, and the run that makes violates a property
    /// of infinite runs. Without any such steps, the run has ended.
    Forever { property: Property, from: usize },
}

/// Whether a run ends in a fault.
pub(crate) enum Found {
    Yes(Finding),
    No,
    /// The referee would have to look at more configurations than it may.
    TooLarge(usize),
}

impl From<Option<Finding>> for Found {
    fn from(finding: Option<Finding>) -> Self {
        finding.map_or(Self::No, Self::Yes)
    }
}

/// What a run ends in.
pub(crate) fn at_end(
    system: &mut System,
    property: Property,
    run: &Run,
    configurations_max: usize,
) -> Result<Found, Rejected> {
    let failed = run.outcomes.iter().position(|o| matches!(o.event, Event::Failed { .. }));
    if failed.is_some_and(|at| at + 1 < run.outcomes.len()) {
        return Err(Rejected("the run goes on after a failure".to_owned()));
    }
    if run.outcomes.iter().any(|o| matches!(o.event, Event::GaveUp { .. })) {
        return Err(Rejected("nobody knows what the run does in its last step".to_owned()));
    }
    Ok(match (property, failed.map(|at| &run.outcomes[at])) {
        (_, Some(outcome)) => failure(system, property, outcome.step.machine, outcome.event).into(),
        (Property::Assert | Property::Divergence, None) => Found::No,
        (Property::Sync, None) => crosses(system, run)?,
        (Property::Unhandled, None) => at_a_loss(system, run.last()).into(),
        (Property::Stuck | Property::Orphan, None) => {
            never_again(system, property, run.last(), configurations_max)
        }
        (_, None) => {
            let steps = system.successors(run.last());
            let steps = steps.iter().map(|outcome| (outcome.step.machine, outcome.event));
            fault(system, property, run.last(), steps).into()
        }
    })
}

/// The failure that a step runs into, if it violates the property.
fn failure(
    system: &System,
    property: Property,
    machine: MachineId,
    event: Event,
) -> Option<Finding> {
    let Event::Failed { failure } = event else { return None };
    let violated = system.program().failure(failure).property;
    (violated == property).then_some(Finding::Failed { machine, failure })
}

/// Two messages that no round can have, however large it is.
fn crosses(system: &System, run: &Run) -> Result<Found, Rejected> {
    match exchanges::crossing(system, &run.initial, run.outcomes.iter()) {
        Ok(Some(Crossing { machine, received, sent })) => {
            Ok(Found::Yes(Finding::Crosses { machine, received, sent }))
        }
        Ok(None) => Ok(Found::No),
        Err(Refusal::Wrong(why)) => Err(Rejected(why)),
        Err(Refusal::TooLarge) => Ok(Found::TooLarge(run.outcomes.len())),
    }
}

/// A machine that is at a loss about a message.
fn at_a_loss(system: &mut System, config: &Config) -> Option<Finding> {
    config.machines().find_map(|machine| {
        let (queue, message) = system.unhandled(config, machine)?;
        Some(Finding::Unhandled { machine, queue, message })
    })
}

/// What is wrong with a configuration that has these steps.
pub(crate) fn fault(
    system: &mut System,
    property: Property,
    config: &Config,
    mut steps: impl Iterator<Item = (MachineId, Event)>,
) -> Option<Finding> {
    match property {
        Property::Assert | Property::Divergence => {
            steps.find_map(|(machine, event)| failure(system, property, machine, event))
        }
        Property::Unhandled => steps
            .find_map(|(machine, event)| failure(system, property, machine, event))
            .or_else(|| at_a_loss(system, config)),
        Property::Deadlock => {
            let awake = |&m: &MachineId| !system.program().may_rest(m, config.local(m));
            let awake = config.machines().find(awake).filter(|_| steps.next().is_none());
            awake.map(|machine| Finding::Deadlock { machine })
        }
        Property::Reach(number) => {
            let bad = system.program().outline().bad[number].clone();
            bad.holds(system, config).then_some(Finding::Bad { number })
        }
        Property::Length(queue, bound) => {
            let messages = system.words().len(*config.words.get(queue.index())?) as u32;
            (messages > bound).then_some(Finding::Long { queue, messages })
        }
        Property::Stuck
        | Property::Orphan
        | Property::Bounded
        | Property::Livelock
        | Property::Accept
        | Property::Live
        | Property::Ltl(_)
        | Property::Sync
        | Property::Sendlang => None,
    }
}

/// So many configurations are visited before covers of them are tried.
const FEW: usize = 10_000;

/// Whether something never happens again from here on: by visiting everything that is reachable, or, where that is much,
/// everything up to how contents of queues look. A cover in which it does not happen is enough; one in which it does
/// says nothing.
fn never_again(
    system: &mut System,
    property: Property,
    config: &Config,
    configurations_max: usize,
) -> Found {
    let open = candidates(system, property, config);
    let mut visit = Visit { open: open.clone(), seen: BTreeSet::new() };
    let found = visit.all(system, config, configurations_max.min(FEW), System::successors);
    if !matches!(found, Found::TooLarge(_)) {
        return found;
    }
    for sight in SIGHTS {
        let mut cover = Visit { open: open.clone(), seen: BTreeSet::new() };
        if let Some(mut lists) = Cover::new(system, config, sight) {
            let first = lists.first().clone();
            let found =
                cover.all(system, &first, FEW, |system, config| lists.steps(system, config));
            if matches!(found, Found::Yes(_)) && lists.is_sure() {
                return found;
            }
        }
        if system.go_on().is_err() {
            return Found::TooLarge(cover.seen.len());
        }
    }
    let mut visit = Visit { open, seen: BTreeSet::new() };
    visit.all(system, config, configurations_max, System::successors)
}

/// Everything that is reachable, until all that is awaited has happened.
struct Visit {
    open: Vec<Finding>,
    seen: BTreeSet<Config>,
}

impl Visit {
    fn all(
        &mut self,
        system: &mut System,
        config: &Config,
        most: usize,
        mut steps: impl FnMut(&mut System, &Config) -> Vec<Outcome>,
    ) -> Found {
        self.seen.insert(config.clone());
        let mut todo = vec![config.clone()];
        while let Some(config) = todo.pop() {
            for outcome in steps(system, &config) {
                // Anything may happen where the interpreter does not know on.
                if matches!(outcome.event, Event::GaveUp { .. }) {
                    return Found::No;
                }
                for (mover, event) in outcome.happenings() {
                    self.open.retain(|finding| !happens(*finding, mover, event));
                }
                if self.open.is_empty() {
                    return Found::No;
                }
                let failed = matches!(outcome.event, Event::Failed { .. });
                if !failed && self.seen.insert(outcome.config.clone()) {
                    todo.push(outcome.config);
                }
            }
            if self.seen.len() > most || system.go_on().is_err() {
                return Found::TooLarge(self.seen.len());
            }
        }
        self.open.first().copied().into()
    }
}

/// What would be a fault if it never happened again.
pub(crate) fn candidates(system: &System, property: Property, config: &Config) -> Vec<Finding> {
    let program = system.program();
    match property {
        Property::Stuck => config
            .machines()
            .filter(|&machine| !program.may_rest(machine, config.local(machine)))
            .map(|machine| Finding::Stuck { machine })
            .collect(),
        Property::Orphan => config
            .queues()
            .filter(|&queue| !system.words().is_empty(config.word(queue)))
            .map(|queue| Finding::Orphan { queue })
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether a step is what a machine or a queue is waiting for.
pub(crate) fn happens(finding: Finding, mover: MachineId, event: Event) -> bool {
    match (finding, event) {
        (Finding::Stuck { machine }, Event::Handshake { receiver, .. }) => {
            mover == machine || receiver == machine
        }
        (Finding::Stuck { machine }, _) => mover == machine,
        (
            Finding::Orphan { queue },
            Event::Took { queue: at, kept: false, .. } | Event::Closed { queue: at },
        ) => at == queue,
        _ => false,
    }
}

//! What is wrong with a configuration.

use qp_machines::{Config, Event, FailureId, MachineId, MessageId, Property, QueueId, System};

use crate::invariant::Question;

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
    /// What has this number among what is to remain possible can never happen again.
    Impossible { number: usize },
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

/// The failure that a step runs into, if it violates the property.
pub(crate) fn failure(
    system: &System,
    property: Property,
    machine: MachineId,
    event: Event,
) -> Option<Finding> {
    let Event::Failed { failure } = event else { return None };
    let violated = system.program().failure(failure).property;
    (violated == property).then_some(Finding::Failed { machine, failure })
}

/// What is wrong with a configuration that has these steps.
pub(crate) fn fault(
    system: &mut System,
    question: Question,
    config: &Config,
    mut steps: impl Iterator<Item = (MachineId, Event)>,
) -> Option<Finding> {
    match question {
        Question::Fails(property) => {
            steps.find_map(|(machine, event)| failure(system, property, machine, event))
        }
        Question::Lost => config.machines().find_map(|machine| {
            let (queue, message) = system.unhandled(config, machine)?;
            Some(Finding::Unhandled { machine, queue, message })
        }),
        Question::Dead => {
            let awake = |&m: &MachineId| !system.program().may_rest(m, config.local(m));
            let awake = config.machines().find(awake).filter(|_| steps.next().is_none());
            awake.map(|machine| Finding::Deadlock { machine })
        }
        Question::Bad(number) => {
            let bad = system.program().outline().bad[number].clone();
            bad.holds(system, config).then_some(Finding::Bad { number })
        }
        Question::Longer(queue, bound) => {
            let messages = system.words().len(*config.words.get(queue.index())?) as u32;
            (messages > bound).then_some(Finding::Long { queue, messages })
        }
        Question::Unbounded
        | Question::Stuck
        | Question::Orphan
        | Question::Crosses
        | Question::Beyond => None,
    }
}

/// What would be a fault if it never happened again.
pub(crate) fn candidates(system: &System, question: Question, config: &Config) -> Vec<Finding> {
    let program = system.program();
    match question {
        Question::Stuck => config
            .machines()
            .filter(|&machine| !program.may_rest(machine, config.local(machine)))
            .map(|machine| Finding::Stuck { machine })
            .collect(),
        Question::Orphan => config
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

/// Whether what is to remain possible is so where machines are.
pub(crate) fn is_there(system: &System, number: usize, config: &Config) -> bool {
    let program = system.program();
    let wanted = &program.outline().possible[number];
    config.machines().any(|machine| wanted.is_there(program, machine, config.local(machine)))
}

/// Whether a step that leads to a configuration is what is to remain possible.
pub(crate) fn comes_about(system: &System, number: usize, event: Event, after: &Config) -> bool {
    let program = system.program();
    let received = match event {
        Event::Took { message, .. } | Event::Handshake { message, .. } => Some(message),
        _ => None,
    };
    let wanted = &program.outline().possible[number];
    received.is_some_and(|message| wanted.is_received(program, message))
        || is_there(system, number, after)
}

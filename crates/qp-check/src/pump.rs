//! Loops that can be repeated for ever.

use qp_machines::{
    Capacity, Config, Effect, Event, MessageId, Move, Place, Property, QueueId, System,
};

use crate::faults::{Finding, Found};
use crate::{Rejected, Run};

/// Checks that the steps of `run` from number `from` on can be repeated for ever and make `queue` grow.
///
/// A loop that comes back to the same local states and only takes from the front and sends to the
/// back repeats for ever if, for each queue, what it takes keeps being there: the content followed by
/// endlessly many of the words it sends equals endlessly many of the words it takes.
pub(crate) fn check(
    system: &mut System,
    property: Property,
    run: &Run,
    from: usize,
    queue: QueueId,
) -> Result<Found, Rejected> {
    if system.program().outline().whole {
        return Err(Rejected("a turn may look at how long a queue is".to_owned()));
    }
    if let Property::Length(other, _) = property
        && other != queue
    {
        return Err(Rejected("another queue grows than the one that was asked about".to_owned()));
    }
    if from >= run.outcomes.len() {
        return Err(Rejected("the loop has no steps".to_owned()));
    }
    let (start, end) = (run.after(from), run.last());
    let same = start.locals == end.locals
        && start.kinds == end.kinds
        && start.store == end.store
        && start.holder == end.holder;
    if !same {
        return Err(Rejected("the loop does not come back to the same local states".to_owned()));
    }
    for number in from..run.outcomes.len() {
        repeatable(system, run.after(number), run, number)?;
    }
    for each in start.queues() {
        check_queue(system, start, run, from, each)?;
    }
    let (taken, sent) = traffic(run, from, queue)?;
    if sent.len() <= taken.len() {
        return Err(Rejected("the queue does not grow".to_owned()));
    }
    Ok(Found::Yes(Finding::Grows { queue }))
}

/// What a longer queue could change must not be involved: conditions on queues, places in sorted
/// queues, and machines that would go on alone if they did not have to wait for a message.
fn repeatable(
    system: &mut System,
    config: &Config,
    run: &Run,
    number: usize,
) -> Result<(), Rejected> {
    let outcome = &run.outcomes[number];
    if config.holder.is_some_and(|holder| holder != outcome.step.machine) {
        return Err(Rejected("the loop interrupts a machine that has to wait".to_owned()));
    }
    let mut who = vec![outcome.step.machine];
    if let Event::Handshake { receiver, .. } = outcome.event {
        who.push(receiver);
    }
    for machine in who {
        let moves = system.moves(machine, config.local(machine), config.store);
        if moves.iter().any(|mv| !mv.guards.is_empty()) {
            return Err(Rejected("a step of the loop depends on a condition".to_owned()));
        }
        let sorted = |mv: &Move| matches!(mv.effect, Effect::Send { place: Place::Sorted, .. });
        if moves.iter().any(sorted) {
            return Err(Rejected("the loop may send into the middle of a queue".to_owned()));
        }
    }
    Ok(())
}

fn check_queue(
    system: &System,
    start: &Config,
    run: &Run,
    from: usize,
    queue: QueueId,
) -> Result<(), Rejected> {
    let (taken, sent) = traffic(run, from, queue)?;
    let limited = matches!(system.kind(start, queue).capacity, Capacity::Messages(_));
    if limited && taken.len() != sent.len() {
        return Err(Rejected("a queue with a capacity changes its length".to_owned()));
    }
    if taken.is_empty() {
        return Ok(());
    }
    if sent.len() < taken.len() {
        return Err(Rejected("the loop takes more from a queue than it sends to it".to_owned()));
    }
    let content = system.words().messages(start.word(queue));
    // Two periodic words that agree this far are equal (Fine and Wilf).
    let far = content.len() + taken.len() + sent.len();
    let offered = content.iter().chain(sent.iter().cycle());
    if offered.zip(taken.iter().cycle()).take(far).any(|(offered, taken)| offered != taken) {
        return Err(Rejected("what the loop takes is not there for ever".to_owned()));
    }
    Ok(())
}

/// What the loop takes from a queue and sends to it.
fn traffic(
    run: &Run,
    from: usize,
    queue: QueueId,
) -> Result<(Vec<MessageId>, Vec<MessageId>), Rejected> {
    let (mut taken, mut sent) = (Vec::new(), Vec::new());
    for outcome in &run.outcomes[from..] {
        match outcome.event {
            Event::Took { queue: at, message, position, kept } if at == queue => {
                if position != 0 || kept {
                    return Err(Rejected("the loop does not take from the front".to_owned()));
                }
                taken.push(message);
            }
            Event::Sent { queue: at, message } if at == queue => sent.push(message),
            Event::Sent { .. }
            | Event::Took { .. }
            | Event::Internal
            | Event::Announced { .. }
            | Event::Lost { .. }
            | Event::Handshake { .. } => {}
            Event::Created { .. }
            | Event::Ended
            | Event::Closed { .. }
            | Event::Failed { .. }
            | Event::GaveUp { .. } => {
                return Err(Rejected("the loop does something that cannot be repeated".to_owned()));
            }
        }
    }
    Ok((taken, sent))
}

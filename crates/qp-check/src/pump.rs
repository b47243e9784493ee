//! Loops that can be repeated for ever.

use std::collections::VecDeque;

use qp_machines::{
    Capacity, Condition, Config, Effect, Event, Guard, MachineId, MessageId, Move, Outcome, Place,
    Property, QueueId, System, Touch,
};

use crate::faults::{Finding, Found};
use crate::{Rejected, Run};

/// Checks that the steps of `run` from number `from` on can be repeated for ever and make `queue` grow.
///
/// The loop comes back to the same local states, store, holder and queues. Some queues hold the same as before, at
/// its end and so at every moment of every later turn: whoever looks at them in whatever way sees what was seen in the
/// first turn. The others must *grow*:
///
/// * they have no capacity, and the loop only takes from the front, or copies what is there, and sends to the back, more
///   than it takes;
/// * what it takes keeps being there: the content followed by endlessly many of the words it sends equals endlessly
///   many of the words it takes. So wherever the loop finds a first message, it finds the same one in every turn;
/// * no step depends on more of them than a first message that is there: see [`check_view`] and [`check_moves`].
///
/// So a step that is possible at some place of the first turn is possible there in every turn, and does the same. That
/// others can do more there is no harm, because nobody but who moves goes on alone, and no step waits for a timeout.
/// Queues that machines bring and take with them begin empty in each turn.
pub(crate) fn check(
    system: &mut System,
    property: Property,
    run: &Run,
    from: usize,
    queue: QueueId,
) -> Result<Found, Rejected> {
    if let Property::Length(other, _) = property
        && other != queue
    {
        return Err(Rejected("another queue grows than the one that was asked about".to_owned()));
    }
    if from >= run.outcomes.len() || run.outcomes.iter().any(Outcome::is_end) {
        return Err(Rejected("the loop has no steps, or comes behind a failure".to_owned()));
    }
    let (start, end) = (run.after(from), run.last());
    let same = start.locals == end.locals
        && start.kinds == end.kinds
        && start.store == end.store
        && start.holder == end.holder;
    if !same {
        return Err(Rejected("the loop does not come back to the same local states".to_owned()));
    }
    let grow: Vec<QueueId> =
        start.queues().filter(|&each| start.word(each) != end.word(each)).collect();
    for number in from..run.outcomes.len() {
        check_step(system, start, run, number, &grow)?;
    }
    for &each in &grow {
        check_queue(system, start, run, from, each)?;
    }
    if !grow.contains(&queue) {
        return Err(Rejected("the queue does not grow".to_owned()));
    }
    Ok(Found::Yes(Finding::Grows { queue }))
}

/// Checks that a step can be repeated.
fn check_step(
    system: &mut System,
    start: &Config,
    run: &Run,
    number: usize,
    grow: &[QueueId],
) -> Result<(), Rejected> {
    let (config, outcome) = (run.after(number), &run.outcomes[number]);
    let machine = outcome.step.machine;
    if config.holder.is_some_and(|holder| holder != machine) {
        return Err(Rejected("the loop interrupts a machine that has to wait".to_owned()));
    }
    let once =
        |event| matches!(event, Event::Closed { .. } | Event::Failed { .. } | Event::GaveUp { .. });
    if outcome.events().any(once) || config.words.len() < start.words.len() {
        return Err(Rejected("the loop does something that cannot be repeated".to_owned()));
    }
    if !system.outcomes(config, machine, false).contains(outcome) {
        return Err(Rejected("a step of the loop waits for a timeout".to_owned()));
    }
    if system.program().outline().whole {
        return check_view(system, config, machine, grow);
    }
    let sorted = |mv: &Move| match (&mv.effect, outcome.event) {
        (&Effect::Send { queue, place: Place::Sorted, .. }, Event::Sent { queue: at, .. }) => {
            queue == at && grow.contains(&queue)
        }
        _ => false,
    };
    if system.moves(machine, config.local(machine), config.store).iter().any(sorted) {
        return Err(Rejected("the loop may send into the middle of a queue".to_owned()));
    }
    let mut movers = outcome.movers().into_iter();
    movers.try_for_each(|machine| check_moves(system, config, machine, grow))
}

/// A turn depends on what it looks at. It may put something at the back of a queue that grows, if the program says that it
/// does nothing else with it, or look at its first message, if there is one.
fn check_view(
    system: &mut System,
    config: &Config,
    machine: MachineId,
    grow: &[QueueId],
) -> Result<(), Rejected> {
    let view = system.view(config, machine, false);
    let uses = view.uses.unwrap_or_default();
    for queue in grow {
        let unnamed =
            |end: Touch, named: &[QueueId]| view.touches.contains(&end) && !named.contains(queue);
        if unnamed(Touch::Front(*queue), &uses.front) || unnamed(Touch::Back(*queue), &uses.back) {
            return Err(Rejected("a step of the loop may look at how long a queue is".to_owned()));
        }
        if uses.front.contains(queue) && system.words().is_empty(config.word(*queue)) {
            return Err(Rejected("a step of the loop finds a queue empty that grows".to_owned()));
        }
    }
    Ok(())
}

/// What a move depends on are its guards, whether others are possible if it is an `else`, and the message that it
/// takes. Conditions on the length of a queue that grows have one value once it is long enough.
fn check_moves(
    system: &mut System,
    config: &Config,
    machine: MachineId,
    grow: &[QueueId],
) -> Result<(), Rejected> {
    let moves = system.moves(machine, config.local(machine), config.store);
    let listens =
        |mv: &Move| matches!(mv.effect, Effect::Receive { queue, .. } if grow.contains(&queue));
    let meets = |mv: &Move| match mv.effect {
        Effect::Send { queue, .. } => system.kind(config, queue).capacity == Capacity::Rendezvous,
        _ => false,
    };
    let (listens, meets) = (moves.iter().any(listens), moves.iter().any(meets));
    let stays = |guard: &Guard| match *guard {
        Guard::Holds(queue, condition) | Guard::HoldsNot(queue, condition) => {
            let length = system.words().len(config.word(queue));
            let long = match condition {
                Condition::Empty => length > 0,
                Condition::Full => true,
                Condition::LengthBelow(n) => length >= n as usize,
                Condition::Ready(_) | Condition::Fewer(..) => false,
            };
            long || !grow.contains(&queue)
        }
        Guard::Idle => !listens,
        Guard::Else => !listens && !meets,
        Guard::Timeout => true,
    };
    if !moves.iter().flat_map(|mv| &mv.guards).all(stays) {
        return Err(Rejected("a step of the loop depends on a condition".to_owned()));
    }
    let sorts = |mv: &Move| matches!(mv.effect, Effect::Send { queue, place: Place::Sorted, .. } if grow.contains(&queue));
    if moves.iter().any(sorts) {
        return Err(Rejected("the loop may send into the middle of a queue".to_owned()));
    }
    Ok(())
}

/// Checks that a queue grows, and that what is taken from it keeps being there.
fn check_queue(
    system: &System,
    start: &Config,
    run: &Run,
    from: usize,
    queue: QueueId,
) -> Result<(), Rejected> {
    let (taken, sent) = traffic(system, start, run, from, queue)?;
    if system.kind(start, queue).capacity != Capacity::Unbounded {
        return Err(Rejected("a queue with a capacity changes its length".to_owned()));
    }
    if sent.len() <= taken.len() {
        return Err(Rejected("the loop takes as much from a queue as it sends to it".to_owned()));
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

/// What the loop takes from a queue and sends to it, if that is all that it does with it.
fn traffic(
    system: &System,
    start: &Config,
    run: &Run,
    from: usize,
    queue: QueueId,
) -> Result<(Vec<MessageId>, Vec<MessageId>), Rejected> {
    let (mut taken, mut sent) = (Vec::new(), Vec::new());
    let mut content: VecDeque<MessageId> = system.words().messages(start.word(queue)).into();
    for outcome in &run.outcomes[from..] {
        for event in outcome.events() {
            match event {
                Event::Took { queue: at, position, .. } if at == queue && position > 0 => {
                    return Err(Rejected("the loop does not take from the front".to_owned()));
                }
                Event::Took { queue: at, kept: false, .. } if at == queue => {
                    taken.extend(content.pop_front());
                }
                Event::Sent { queue: at, message } if at == queue => {
                    sent.push(message);
                    content.push_back(message);
                }
                _ => {}
            }
        }
        if content != system.words().messages(outcome.config.word(queue)) {
            return Err(Rejected("the loop does more to a queue than it says".to_owned()));
        }
    }
    Ok((taken, sent))
}

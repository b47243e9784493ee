//! Loops that can be repeated for ever.

use std::collections::VecDeque;
use std::ops::Range;

use qp_machines::{Capacity, Config, Event, Growth, MessageId, Outcome, Property, QueueId, System};

use crate::ends::Found;
use crate::faults::Finding;
use crate::{Checked, Run, wrong};

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
/// * no step depends on what comes behind what they hold ([`System::persists`]). At the same place of a later turn they
///   hold that and more: what is offered has the period of what is taken, and the loop begins in the same phase again;
///   what comes behind is of what the loop sends.
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
) -> Checked<Found> {
    if let Property::Length(other, _) = property
        && other != queue
    {
        return wrong("another queue grows than the one that was asked about");
    }
    if from >= run.outcomes.len() || run.outcomes.iter().any(Outcome::is_end) {
        return wrong("the loop has no steps, or comes behind a failure");
    }
    let (start, end) = (run.after(from), run.last());
    let same = start.locals == end.locals
        && start.kinds == end.kinds
        && start.store == end.store
        && start.holder == end.holder;
    if !same {
        return wrong("the loop does not come back to the same local states");
    }
    let grow: Vec<QueueId> =
        start.queues().filter(|&each| start.word(each) != end.word(each)).collect();
    let mut growths: Vec<Growth> = Vec::new();
    for &each in &grow {
        growths.push((each, grows(system, run, from..run.outcomes.len(), each)?));
    }
    for number in from..run.outcomes.len() {
        check_step(system, start, run, number, &growths)?;
    }
    if !grow.contains(&queue) {
        return wrong("the queue does not grow");
    }
    Ok(Found::Yes(Finding::Grows { queue }))
}

/// Checks that a step can be repeated.
fn check_step(
    system: &mut System,
    start: &Config,
    run: &Run,
    number: usize,
    grow: &[Growth],
) -> Checked<()> {
    let (config, outcome) = (run.after(number), &run.outcomes[number]);
    let machine = outcome.step.machine;
    if config.holder.is_some_and(|holder| holder != machine) {
        return wrong("the loop interrupts a machine that has to wait");
    }
    let once =
        |event| matches!(event, Event::Closed { .. } | Event::Failed { .. } | Event::GaveUp { .. });
    if outcome.events().any(once) || config.words.len() < start.words.len() {
        return wrong("the loop does something that cannot be repeated");
    }
    if !system.outcomes(config, machine, false).contains(outcome) {
        return wrong("a step of the loop waits for a timeout");
    }
    if system.persists(config, outcome, grow) {
        Ok(())
    } else {
        wrong("a step of the loop depends on how long a queue is")
    }
}

/// Checks that a queue grows in some steps of a run if they are repeated, and that what they take from it keeps being
/// there; says what they send to it.
pub(crate) fn grows(
    system: &System,
    run: &Run,
    steps: Range<usize>,
    queue: QueueId,
) -> Checked<Vec<MessageId>> {
    let start = run.after(steps.start);
    let (taken, sent) = traffic(system, run, steps, queue)?;
    if system.kind(start, queue).capacity != Capacity::Unbounded {
        return wrong("a queue with a capacity changes its length");
    }
    if sent.len() <= taken.len() {
        return wrong("the loop takes as much from a queue as it sends to it");
    }
    let content = system.words().messages(start.word(queue));
    // Two periodic words that agree this far are equal (Fine and Wilf).
    let far = content.len() + taken.len() + sent.len();
    let offered = content.iter().chain(sent.iter().cycle());
    if offered.zip(taken.iter().cycle()).take(far).any(|(offered, taken)| offered != taken) {
        return wrong("what the loop takes is not there for ever");
    }
    Ok(sent)
}

/// What some steps take from a queue and send to it, if that is all that they do with it.
pub(crate) fn traffic(
    system: &System,
    run: &Run,
    steps: Range<usize>,
    queue: QueueId,
) -> Checked<(Vec<MessageId>, Vec<MessageId>)> {
    let (mut taken, mut sent) = (Vec::new(), Vec::new());
    let start = run.after(steps.start).word(queue);
    let mut content: VecDeque<MessageId> = system.words().messages(start).into();
    for outcome in &run.outcomes[steps] {
        for event in outcome.events() {
            match event {
                Event::Took { queue: at, position, .. } if at == queue && position > 0 => {
                    return wrong("the loop does not take from the front");
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
            return wrong("the loop does more to a queue than it says");
        }
    }
    Ok((taken, sent))
}

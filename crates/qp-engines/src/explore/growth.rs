//! Queues that grow for ever: loops that can be repeated and leave more than they take.
//!
//! The way to a cut send is a run on which a queue has become long. If two of its configurations
//! have the same local states, the steps between them are a loop; whether it can be repeated for
//! ever is decided queue by queue from the words it takes and sends (the iterable-loop test).

use qp_claim::{Shape, Trace};
use qp_machines::{
    Capacity, Config, Effect, Event, MessageId, Move, Outcome, Place, QueueId, System,
};

/// A run that makes `queue` grow, if the run through these configurations has a fitting loop.
/// `outcomes[i]` leads from `configs[i]` to `configs[i + 1]`.
pub(super) fn pump(
    system: &mut System,
    configs: &[Config],
    outcomes: &[Outcome],
    queue: QueueId,
) -> Option<Trace> {
    // All pairs of configurations are tried, so only the end of a very long run is looked at.
    const STEPS_MAX: usize = 400;
    // What a turn looks at may be the length of a queue.
    if system.program().outline().whole {
        return None;
    }
    let n = outcomes.len();
    let first = n.saturating_sub(STEPS_MAX);
    for len in 1..=n - first {
        for from in first..=n - len {
            let (start, end) = (&configs[from], &configs[from + len]);
            let same = start.locals == end.locals
                && start.kinds == end.kinds
                && (start.store, start.holder) == (end.store, end.holder);
            if same && repeats(system, &configs[from..], &outcomes[from..from + len], queue) {
                let steps = outcomes[..from + len].iter().map(|o| o.step).collect();
                return Some(Trace { steps, shape: Shape::Pump { from, queue } });
            }
        }
    }
    None
}

/// Whether the loop, which begins in `configs[0]`, can be repeated for ever and makes `queue` longer
/// each time. What a longer queue could change must not be involved: conditions on queues, places in
/// sorted queues, and machines that would go on alone if they did not have to wait for a message.
fn repeats(system: &mut System, configs: &[Config], cycle: &[Outcome], queue: QueueId) -> bool {
    let start = &configs[0];
    let mut grows = false;
    for each in start.queues() {
        let Some(effect) = Traffic::of(cycle, each) else { return false };
        let limited = matches!(system.kind(start, each).capacity, Capacity::Messages(_));
        let changes = effect.sent.len() != effect.taken.len();
        if limited && changes || !effect.iterable(&system.words().messages(start.word(each))) {
            return false;
        }
        grows |= each == queue && effect.sent.len() > effect.taken.len();
    }
    grows && cycle.iter().zip(configs).all(|(outcome, config)| repeatable(system, config, outcome))
}

fn repeatable(system: &mut System, config: &Config, outcome: &Outcome) -> bool {
    if config.holder.is_some_and(|holder| holder != outcome.step.machine) {
        return false;
    }
    let partner = match outcome.event {
        Event::Handshake { receiver, .. } => Some(receiver),
        _ => None,
    };
    [Some(outcome.step.machine), partner].into_iter().flatten().all(|machine| {
        let moves = system.moves(machine, config.local(machine), config.store);
        let sorted = |mv: &Move| matches!(mv.effect, Effect::Send { place: Place::Sorted, .. });
        moves.iter().all(|mv| mv.guards.is_empty() && !sorted(mv))
    })
}

/// What a loop takes from and sends to one queue.
struct Traffic {
    taken: Vec<MessageId>,
    sent: Vec<MessageId>,
}

impl Traffic {
    /// `None` if the loop does anything but take from the front and send to the back.
    fn of(cycle: &[Outcome], queue: QueueId) -> Option<Self> {
        let mut traffic = Self { taken: Vec::new(), sent: Vec::new() };
        for outcome in cycle {
            match outcome.event {
                Event::Sent { queue: at, message } if at == queue => traffic.sent.push(message),
                Event::Took { queue: at, message, position: 0, kept: false } if at == queue => {
                    traffic.taken.push(message);
                }
                Event::Internal
                | Event::Announced { .. }
                | Event::Sent { .. }
                | Event::Lost { .. }
                | Event::Handshake { .. }
                | Event::Took { position: 0, kept: false, .. } => {}
                _ => return None,
            }
        }
        Some(traffic)
    }

    /// Whether the loop, which was just possible with this content, is possible again and again: what
    /// it takes must go on being what it put there. The content followed by endlessly many `sent` must
    /// be endlessly many `taken`.
    fn iterable(&self, content: &[MessageId]) -> bool {
        let (m, n) = (self.taken.len(), self.sent.len());
        if m == 0 {
            return true;
        }
        if n < m || content.iter().enumerate().any(|(i, &a)| a != self.taken[i % m]) {
            return false;
        }
        // With u rotated to where the content ends: u v = v u, so both are powers of one word.
        let r = content.len() % m;
        let rotated = [&self.taken[r..], &self.taken[..r]].concat();
        [&rotated[..], &self.sent[..]].concat() == [&self.sent[..], &rotated[..]].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test against thirty turns of the loop, for all short words over two letters.
    #[test]
    fn iterable_means_thirty_turns() {
        let letters = |n: usize, bits: usize| -> Vec<MessageId> {
            (0..n).map(|i| MessageId::new(bits >> i & 1)).collect()
        };
        let mut yes = 0;
        for (m, n, l) in
            (0..4).flat_map(|m| (0..4).flat_map(move |n| (0..5).map(move |l| (m, n, l))))
        {
            for bits in 0..1 << (m + n + l) {
                let taken = letters(m, bits);
                let sent = letters(n, bits >> m);
                let content = letters(l, bits >> (m + n));
                // All receives first: the loop must be possible once, as on the run it comes from.
                let turn = |queue: &mut Vec<MessageId>| {
                    let possible = queue.starts_with(&taken);
                    if possible {
                        queue.drain(..m);
                        queue.extend(&sent);
                    }
                    possible
                };
                let mut queue = content.clone();
                if !turn(&mut queue.clone()) {
                    continue;
                }
                let forever = (0..30).all(|_| turn(&mut queue));
                let traffic = Traffic { taken: taken.clone(), sent: sent.clone() };
                assert_eq!(traffic.iterable(&content), forever, "{taken:?} {sent:?} {content:?}");
                yes += usize::from(forever);
            }
        }
        assert!(yes > 300, "the test is not vacuous");
    }
}

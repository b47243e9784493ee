//! Queues that grow for ever: loops that can be repeated and leave more than they take.
//!
//! If two configurations of a run have the same local states, the steps between them are a loop. Queues that hold the
//! same at both are no matter: in every turn they hold what they held in the first one. Whether the loop can be repeated
//! for ever is decided for the others from the words it takes and sends (the iterable-loop test), and from
//! whether its steps stay possible whatever comes behind what such a queue holds ([`System::persists`]).

use qp_claim::{Shape, Trace};
use qp_machines::{Capacity, Config, Event, Growth, MessageId, Outcome, QueueId, System};

/// A run that makes `queue` grow, if the run through these configurations has a fitting loop.
/// `outcomes[i]` leads from `configs[i]` to `configs[i + 1]`.
pub(crate) fn pump(
    system: &mut System,
    configs: &[Config],
    outcomes: &[Outcome],
    queue: QueueId,
) -> Option<Trace> {
    // All pairs of configurations are tried, so only the end of a very long run is looked at.
    const STEPS_MAX: usize = 400;
    let n = outcomes.len();
    let first = n.saturating_sub(STEPS_MAX);
    for len in 1..=n - first {
        for from in first..=n - len {
            if !comes_back(&configs[from], &configs[from + len]) {
                continue;
            }
            let (configs, outcomes) = (&configs[..=from + len], &outcomes[..from + len]);
            let found = last_loop(system, configs, outcomes, from, queue);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// The same if the loop is known: it begins behind `from` steps and is the rest of the run.
pub(crate) fn last_loop(
    system: &mut System,
    configs: &[Config],
    outcomes: &[Outcome],
    from: usize,
    queue: QueueId,
) -> Option<Trace> {
    // So often the loop is turned before it has to stand the test: queues get longer, and conditions on their lengths
    // settle.
    const TURNS_MAX: usize = 4;
    // Nearly all loops fail at once, so nothing is copied for the first turn.
    let (mut turned, mut more) = ((Vec::new(), Vec::new()), Vec::new());
    for turn in 0..TURNS_MAX {
        let (configs, cycle) = match turn {
            0 => (&configs[from..], &outcomes[from..]),
            _ => (&turned.0[..], &turned.1[..]),
        };
        match trial(system, configs, cycle, queue) {
            Ok(()) => {
                let from = from + turn * cycle.len();
                let steps = outcomes.iter().chain(&more).map(|outcome| outcome.step).collect();
                return Some(Trace { steps, shape: Shape::Pump { from, queue } });
            }
            Err(Hitch::Never) => return None,
            Err(Hitch::TooShort) => turned = again(system, configs.last()?, cycle)?,
        }
        more.extend_from_slice(&turned.1);
    }
    None
}

/// Whether two configurations differ in nothing but the contents of queues.
pub(crate) fn comes_back(start: &Config, end: &Config) -> bool {
    start.locals == end.locals
        && start.kinds == end.kinds
        && (start.store, start.holder) == (end.store, end.holder)
}

/// Why a loop cannot be repeated, as far as that can be seen.
enum Hitch {
    Never,
    /// It might if a queue were longer.
    TooShort,
}

/// Whether the loop through these configurations can be repeated for ever and makes `queue` longer each time.
fn trial(
    system: &mut System,
    configs: &[Config],
    cycle: &[Outcome],
    queue: QueueId,
) -> Result<(), Hitch> {
    let (start, end) = (&configs[0], &configs[cycle.len()]);
    let grow: Vec<QueueId> = start.queues().filter(|&q| start.word(q) != end.word(q)).collect();
    let ends =
        |event| matches!(event, Event::Closed { .. } | Event::Failed { .. } | Event::GaveUp { .. });
    let survives = configs.iter().all(|config| config.words.len() >= start.words.len());
    if !grow.contains(&queue) || !survives || cycle.iter().flat_map(Outcome::events).any(ends) {
        return Err(Hitch::Never);
    }
    let mut growths: Vec<Growth> = Vec::new();
    for &each in &grow {
        let Some(traffic) = Traffic::of(cycle, each) else { return Err(Hitch::Never) };
        let unlimited = system.kind(start, each).capacity == Capacity::Unbounded;
        let grows = unlimited && traffic.sent.len() > traffic.taken.len();
        if !grows || !traffic.iterable(&system.words().messages(start.word(each))) {
            return Err(Hitch::Never);
        }
        growths.push((each, traffic.sent));
    }
    for (outcome, config) in cycle.iter().zip(configs) {
        step(system, config, outcome, &growths)?;
    }
    Ok(())
}

/// Whether a step is the same in every turn.
fn step(
    system: &mut System,
    config: &Config,
    outcome: &Outcome,
    grow: &[Growth],
) -> Result<(), Hitch> {
    let machine = outcome.step.machine;
    let waits = config.holder.is_some_and(|holder| holder != machine);
    if waits || !system.outcomes(config, machine, false).contains(outcome) {
        return Err(Hitch::Never);
    }
    // Where it does not persist, it may once queues are longer.
    if system.persists(config, outcome, grow) { Ok(()) } else { Err(Hitch::TooShort) }
}

/// One more turn of a loop.
fn again(
    system: &mut System,
    start: &Config,
    cycle: &[Outcome],
) -> Option<(Vec<Config>, Vec<Outcome>)> {
    let (mut configs, mut outcomes) = (vec![start.clone()], Vec::with_capacity(cycle.len()));
    for before in cycle {
        let config = configs.last()?;
        let same = |now: &Outcome| {
            now.step.machine == before.step.machine
                && now.events().eq(before.events())
                && comes_back(&now.config, &before.config)
        };
        let next = system.successors(config).into_iter().find(same)?;
        configs.push(next.config.clone());
        outcomes.push(next);
    }
    Some((configs, outcomes))
}

/// What a loop takes from and sends to one queue.
struct Traffic {
    taken: Vec<MessageId>,
    sent: Vec<MessageId>,
}

impl Traffic {
    /// `None` if the loop does anything but take or copy from the front and send to the back.
    fn of(cycle: &[Outcome], queue: QueueId) -> Option<Self> {
        let mut traffic = Self { taken: Vec::new(), sent: Vec::new() };
        for event in cycle.iter().flat_map(Outcome::events) {
            match event {
                Event::Sent { queue: at, message } if at == queue => traffic.sent.push(message),
                Event::Took { queue: at, position, .. } if at == queue && position > 0 => {
                    return None;
                }
                Event::Took { queue: at, message, kept: false, .. } if at == queue => {
                    traffic.taken.push(message);
                }
                _ => {}
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

//! Random systems.

use crate::net::{Act, Condition, Edge, Loss, Machine, Net, Pattern, Queue, Sharing, Size, State};
use crate::rng::Rng;

/// The system of a seed: two to four machines, up to five states and messages, any discipline.
pub fn net(seed: u64) -> Net {
    let mut rng = Rng::new(seed);
    let sharing = [Sharing::Mailbox, Sharing::Pairs, Sharing::Channels][rng.below(3)];
    let n_machines = 2 + rng.below(3);
    let n_messages = 1 + rng.below(5);
    let names: Vec<String> = (0..n_machines).map(|m| format!("M{m}")).collect();
    // Most systems are plain, so that the faster way to expand is met as often as the other.
    let odd = rng.percent(50);
    let queues = queues(&mut rng, sharing, &names, odd);
    let mut net = Net {
        sharing,
        machines: Vec::new(),
        queues,
        messages: (0..n_messages).map(|m| ["a", "b", "c", "d", "e"][m].to_owned()).collect(),
        bad: Vec::new(),
    };
    let (defers, fails) = (rng.percent(30), rng.percent(30));
    for (machine, name) in names.into_iter().enumerate() {
        let n_states = 1 + rng.below(5);
        let states = (0..n_states)
            .map(|state| self::state(&mut rng, &net, machine, (state, n_states), defers, fails))
            .collect();
        net.machines.push(Machine { name, states });
    }
    tidy(&mut net);
    if rng.percent(40) {
        let bad = bad(&mut rng, &net);
        net.bad.push(bad);
    }
    net
}

fn queues(rng: &mut Rng, sharing: Sharing, names: &[String], odd: bool) -> Vec<Queue> {
    let mut queues = Vec::new();
    let mut add = |name: String, ends| {
        let size = match rng.below(if odd { 8 } else { 3 }) {
            3..=5 => Size::Messages(1 + rng.below(3)),
            6 => Size::Rendezvous,
            _ => Size::Unbounded,
        };
        let loss = match (size, rng.below(if odd { 8 } else { 20 })) {
            (Size::Messages(_), 0) => Loss::WhenFull,
            (Size::Messages(_) | Size::Unbounded, 1) => Loss::Anything,
            _ => Loss::Nothing,
        };
        queues.push(Queue { name, ends, size, loss });
    };
    match sharing {
        Sharing::Mailbox => names.iter().for_each(|name| add(name.clone(), None)),
        Sharing::Channels => (0..names.len()).for_each(|c| add(format!("c{c}"), None)),
        Sharing::Pairs => {
            for (from, a) in names.iter().enumerate() {
                for (to, b) in names.iter().enumerate() {
                    add(format!("{a}->{b}"), Some((from, to)));
                }
            }
        }
    }
    queues
}

fn state(
    rng: &mut Rng,
    net: &Net,
    machine: usize,
    (number, n_states): (usize, usize),
    defers: bool,
    fails: bool,
) -> State {
    let message = |rng: &mut Rng| rng.below(net.messages.len());
    let mut state = State { name: format!("S{number}"), ..State::default() };
    for _ in 0..rng.below(4) {
        let act = match rng.below(20) {
            0 => Act::Internal,
            1 if fails => Act::Fail,
            2..=9 => Act::Send { queue: queue_for(rng, net, machine, true), message: message(rng) },
            _ => Act::Receive { queue: queue_for(rng, net, machine, false), message: message(rng) },
        };
        state.edges.push(Edge { act, to: rng.below(n_states) });
    }
    if defers && rng.percent(40) {
        let deferred = message(rng);
        let takes =
            |edge: &Edge| matches!(edge.act, Act::Receive { message, .. } if message == deferred);
        // The reader may refuse a state that both receives and defers a message.
        if !state.edges.iter().any(takes) {
            state.deferred.push(deferred);
        }
    }
    state.end = rng.percent(20);
    state.bad = rng.percent(5);
    state
}

/// A queue that the machine may send to, or receive from.
fn queue_for(rng: &mut Rng, net: &Net, machine: usize, sends: bool) -> usize {
    let own = |queue: &Queue| match queue.ends {
        Some((from, to)) => machine == if sends { from } else { to },
        None => true,
    };
    match net.sharing {
        Sharing::Mailbox if !sends => machine,
        _ => {
            let all: Vec<usize> =
                (0..net.queues.len()).filter(|&queue| own(&net.queues[queue])).collect();
            all[rng.below(all.len())]
        }
    }
}

fn bad(rng: &mut Rng, net: &Net) -> Vec<Condition> {
    let mut conditions = Vec::new();
    if rng.percent(60) {
        let machine = rng.below(net.machines.len());
        let states = vec![rng.below(net.machines[machine].states.len())];
        conditions.push(Condition::In { machine, states });
    }
    if !net.queues.is_empty() && (conditions.is_empty() || rng.percent(50)) {
        let queue = rng.below(net.queues.len());
        conditions.push(Condition::Holds { queue, pattern: pattern(rng, net, 3) });
    }
    if conditions.is_empty() {
        conditions.push(Condition::In { machine: 0, states: vec![0] });
    }
    conditions
}

fn pattern(rng: &mut Rng, net: &Net, depth: usize) -> Pattern {
    let used: Vec<usize> = (0..net.messages.len()).filter(|&m| is_mentioned(net, m)).collect();
    match rng.below(if depth == 0 { 3 } else { 7 }) {
        0 => Pattern::Empty,
        1 if !used.is_empty() => Pattern::One(used[rng.below(used.len())]),
        2 | 1 => Pattern::Any,
        3 | 4 => Pattern::Then(
            Box::new(pattern(rng, net, depth - 1)),
            Box::new(pattern(rng, net, depth - 1)),
        ),
        5 => Pattern::Or(
            Box::new(pattern(rng, net, depth - 1)),
            Box::new(pattern(rng, net, depth - 1)),
        ),
        _ => Pattern::Star(Box::new(pattern(rng, net, depth - 1))),
    }
}

/// Whether some machine sends, receives or defers the message: others cannot stand in patterns.
pub fn is_mentioned(net: &Net, message: usize) -> bool {
    let mut states = net.machines.iter().flat_map(|machine| &machine.states);
    states.any(|state| {
        state.deferred.contains(&message)
            || state.edges.iter().any(|edge| match edge.act {
                Act::Send { message: m, .. } | Act::Receive { message: m, .. } => m == message,
                Act::Internal | Act::Fail => false,
            })
    })
}

/// Removes the pairs that nobody uses: they do not exist in the text.
pub fn tidy(net: &mut Net) {
    if net.sharing != Sharing::Pairs {
        return;
    }
    for queue in (0..net.queues.len()).rev() {
        let watched = net.bad.iter().flatten().any(
            |condition| matches!(condition, Condition::Holds { queue: at, .. } if *at == queue),
        );
        if !watched && !net.is_used(queue) {
            drop_queue(net, queue);
        }
    }
}

/// Removes a queue that nobody uses.
pub fn drop_queue(net: &mut Net, queue: usize) {
    net.queues.remove(queue);
    let lower = |at: &mut usize| *at -= usize::from(*at > queue);
    for edge in net.machines.iter_mut().flat_map(|m| &mut m.states).flat_map(|s| &mut s.edges) {
        match &mut edge.act {
            Act::Send { queue, .. } | Act::Receive { queue, .. } => lower(queue),
            Act::Internal | Act::Fail => {}
        }
    }
    for condition in net.bad.iter_mut().flatten() {
        if let Condition::Holds { queue, .. } = condition {
            lower(queue);
        }
    }
}

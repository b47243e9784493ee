//! Random systems of the kind that rounds are about.

use crate::net::{Act, Edge, Loss, Machine, Net, Queue, Sharing, Size, State};
use crate::rng::Rng;

/// Two to four machines with few states; each message has one sender and one receiver.
pub fn net(seed: u64) -> Net {
    let mut rng = Rng::new(seed);
    let sharing = if rng.percent(60) { Sharing::Mailbox } else { Sharing::Pairs };
    let n_machines = [2, 3, 3, 4][rng.below(4)];
    let n_messages = 3 + rng.below(3);
    let mut ends = Vec::new();
    for _ in 0..n_messages {
        let from = rng.below(n_machines);
        ends.push((from, (from + 1 + rng.below(n_machines - 1)) % n_machines));
    }
    let mut queues = Vec::new();
    match sharing {
        Sharing::Pairs => {
            let mut pairs = ends.clone();
            pairs.sort_unstable();
            pairs.dedup();
            for (from, to) in pairs {
                queues.push(queue(format!("M{from}->M{to}"), Some((from, to))));
            }
        }
        _ => queues.extend((0..n_machines).map(|m| queue(format!("M{m}"), None))),
    }
    let place = |(from, to): (usize, usize)| match sharing {
        Sharing::Pairs => queues.iter().position(|it| it.ends == Some((from, to))).unwrap_or(0),
        _ => to,
    };
    let (n_states, n_edges, straight) = (2 + rng.below(3), 2 + rng.below(3), rng.percent(60));
    let mut machines = Vec::new();
    for machine in 0..n_machines {
        let mut states: Vec<State> = (0..n_states + n_edges)
            .map(|state| State { name: format!("S{state}"), ..State::default() })
            .collect();
        let mut acts = Vec::new();
        for (message, &(from, to)) in ends.iter().enumerate() {
            let queue = place((from, to));
            acts.extend((from == machine).then_some(Act::Send { queue, message }));
            acts.extend((to == machine).then_some(Act::Receive { queue, message }));
        }
        for number in 0..n_edges {
            let odd = rng.below(12);
            let act = match (odd, acts.is_empty()) {
                (0, _) => Act::Internal,
                (1, _) if rng.percent(20) => Act::Fail,
                (_, true) => continue,
                _ => acts[rng.below(acts.len())],
            };
            let (from, to) = if straight && rng.percent(80) {
                (number, number + 1)
            } else {
                (rng.below(n_states), rng.below(n_states))
            };
            states[from].edges.push(Edge { act, to });
        }
        for state in &mut states {
            state.end = rng.percent(20);
            state.bad = rng.percent(3);
            if rng.percent(3) {
                let message = rng.below(n_messages);
                let takes = |edge: &Edge| matches!(edge.act, Act::Receive { message: m, .. } if m == message);
                if !state.edges.iter().any(takes) {
                    state.deferred.push(message);
                }
            }
        }
        machines.push(Machine { name: format!("M{machine}"), states });
    }
    let names = ["a", "b", "c", "d", "e"];
    let messages = (0..n_messages).map(|m| names[m].to_owned()).collect();
    let mut net = Net { sharing, machines, queues, messages, bad: Vec::new() };
    crate::make::tidy(&mut net);
    net
}

/// Machines without any choice that do what they do in one random run of so many actions, and who moves when.
pub fn lines(seed: u64, actions: usize) -> (Net, Vec<usize>) {
    let mut rng = Rng::new(seed);
    let sharing = if rng.percent(50) { Sharing::Mailbox } else { Sharing::Pairs };
    let n_machines = 3 + rng.below(2);
    let mut queues = Vec::new();
    for from in 0..n_machines {
        match sharing {
            Sharing::Pairs => queues.extend(
                (0..n_machines)
                    .filter(|&to| to != from)
                    .map(|to| queue(format!("M{from}->M{to}"), Some((from, to)))),
            ),
            _ => queues.push(queue(format!("M{from}"), None)),
        }
    }
    let names = ["a", "b", "c", "d", "e"];
    let mut lines: Vec<Vec<Act>> = vec![Vec::new(); n_machines];
    let (mut held, mut order) = (vec![Vec::new(); queues.len()], Vec::new());
    while order.len() < actions {
        let queue = rng.below(queues.len());
        let reader = queues[queue].ends.map_or(queue, |ends| ends.1);
        let writer = queues[queue].ends.map_or_else(|| rng.below(n_machines), |ends| ends.0);
        if rng.percent(60) && !held[queue].is_empty() {
            lines[reader].push(Act::Receive { queue, message: held[queue].remove(0) });
            order.push(reader);
        } else if writer != reader {
            let message = rng.below(names.len());
            lines[writer].push(Act::Send { queue, message });
            held[queue].push(message);
            order.push(writer);
        }
    }
    let machine = |(number, line): (usize, Vec<Act>)| {
        let state = |at: usize| State {
            name: format!("S{at}"),
            edges: line.get(at).map(|&act| Edge { act, to: at + 1 }).into_iter().collect(),
            ..State::default()
        };
        Machine { name: format!("M{number}"), states: (0..=line.len()).map(state).collect() }
    };
    let machines = lines.into_iter().enumerate().map(machine).collect();
    let messages = names.map(str::to_owned).to_vec();
    let mut net = Net { sharing, machines, queues, messages, bad: Vec::new() };
    crate::make::tidy(&mut net);
    (net, order)
}

fn queue(name: String, ends: Option<(usize, usize)>) -> Queue {
    Queue { name, ends, size: Size::Unbounded, loss: Loss::Nothing }
}

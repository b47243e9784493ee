//! Systems that must get the same answers as another one.

use crate::net::{Act, Condition, Edge, Loss, Machine, Net, Queue, Sharing, Size, State};
use crate::rng::Rng;

/// Other names for machines, states and messages. Ids of `reach:` properties change with them.
pub fn renamed(net: &Net) -> Net {
    let mut twin = net.clone();
    for (m, machine) in twin.machines.iter_mut().enumerate() {
        machine.name = format!("Zed{}", 9 - m);
        for (s, state) in machine.states.iter_mut().enumerate() {
            state.name = format!("q{}", 99 - s);
        }
    }
    for (m, message) in twin.messages.iter_mut().enumerate() {
        *message = format!("msg{}({m},x)", 9 - m);
    }
    name_queues(&mut twin);
    twin
}

/// The machines in another order, and with them their mailboxes.
pub fn permuted(net: &Net, rng: &mut Rng) -> Net {
    let n = net.machines.len();
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, rng.below(i + 1));
    }
    let place = |old: usize| order.iter().position(|&o| o == old).expect("it is a permutation");
    let mut twin = net.clone();
    twin.machines = order.iter().map(|&old| net.machines[old].clone()).collect();
    for queue in &mut twin.queues {
        queue.ends = queue.ends.map(|(from, to)| (place(from), place(to)));
    }
    if net.sharing == Sharing::Mailbox {
        twin.queues = order.iter().map(|&old| net.queues[old].clone()).collect();
        for edge in twin.machines.iter_mut().flat_map(|m| &mut m.states).flat_map(|s| &mut s.edges)
        {
            if let Act::Send { queue, .. } | Act::Receive { queue, .. } = &mut edge.act {
                *queue = place(*queue);
            }
        }
    }
    for condition in twin.bad.iter_mut().flatten() {
        match condition {
            Condition::In { machine, .. } => *machine = place(*machine),
            Condition::Holds { queue, .. } if net.sharing == Sharing::Mailbox => {
                *queue = place(*queue);
            }
            Condition::Holds { .. } => {}
        }
    }
    twin
}

/// One transition twice. Counts of transitions change.
pub fn doubled(net: &Net, rng: &mut Rng) -> Net {
    let mut twin = net.clone();
    let mut states: Vec<&mut State> = twin
        .machines
        .iter_mut()
        .flat_map(|machine| &mut machine.states)
        .filter(|state| !state.edges.is_empty())
        .collect();
    if !states.is_empty() {
        let at = rng.below(states.len());
        let edge = states[at].edges[rng.below(states[at].edges.len())];
        states[at].edges.push(edge);
    }
    twin
}

/// One more machine, which has finished from the start.
pub fn with_finished(net: &Net) -> Net {
    let mut twin = net.clone();
    let state = State { name: "Done".to_owned(), ..State::default() };
    twin.machines.push(Machine { name: "Finished".to_owned(), states: vec![state] });
    if net.sharing == Sharing::Mailbox {
        twin.queues.push(queue("Finished", None, Size::Unbounded));
    }
    twin
}

/// With a rendezvous that never takes place, by which machines meet without a queue: it is expanded in the
/// other way, and everything else stays the same.
pub fn roundabout(net: &Net) -> Net {
    let mut twin = net.clone();
    if net.sharing == Sharing::Channels {
        twin.queues.push(queue("unused", None, Size::Rendezvous));
        return twin;
    }
    let (x, y) = (twin.machines.len(), twin.machines.len() + 1);
    let q = if net.sharing == Sharing::Mailbox {
        twin.queues.push(queue("X", None, Size::Unbounded));
        twin.queues.push(queue("Y", None, Size::Rendezvous));
        y
    } else {
        twin.queues.push(queue("X->Y", Some((x, y)), Size::Rendezvous));
        twin.queues.len() - 1
    };
    // The states that use the queue are never reached.
    let idle = |name: &str, act| {
        let first = State { name: "S".to_owned(), ..State::default() };
        let edges = vec![Edge { act, to: 0 }];
        let never = State { name: "Never".to_owned(), edges, ..State::default() };
        Machine { name: name.to_owned(), states: vec![first, never] }
    };
    twin.machines.push(idle("X", Act::Send { queue: q, message: 0 }));
    twin.machines.push(idle("Y", Act::Receive { queue: q, message: 0 }));
    twin
}

fn queue(name: &str, ends: Option<(usize, usize)>, size: Size) -> Queue {
    Queue { name: name.to_owned(), ends, size, loss: Loss::Nothing }
}

fn name_queues(net: &mut Net) {
    for (number, queue) in net.queues.iter_mut().enumerate() {
        queue.name = match (net.sharing, queue.ends) {
            (_, Some((from, to))) => {
                format!("{}->{}", net.machines[from].name, net.machines[to].name)
            }
            (Sharing::Mailbox, None) => net.machines[number].name.clone(),
            _ => format!("chan{number}"),
        };
    }
}

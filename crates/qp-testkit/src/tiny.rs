//! All tiny systems: two machines with two states, two messages, at most two transitions each.

use crate::net::{Act, Edge, Loss, Machine, Net, Queue, Sharing, Size, State};

/// All ways to choose the transitions of one of the two machines: 1 + 20 + 190.
///
/// A machine that only says `A` and the other way round: queue 0 leads to the first machine, queue 1 to
/// the second.
pub fn choices(machine: usize) -> Vec<Vec<(usize, Edge)>> {
    let mut edges = Vec::new();
    for (from, to) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let mut acts = vec![Act::Internal];
        for message in 0..2 {
            acts.push(Act::Send { queue: 1 - machine, message });
            acts.push(Act::Receive { queue: machine, message });
        }
        edges.extend(acts.into_iter().map(|act| (from, Edge { act, to })));
    }
    assert_eq!(edges.len(), 20);
    let mut all = vec![Vec::new()];
    for (i, &first) in edges.iter().enumerate() {
        all.push(vec![first]);
        all.extend(edges[i + 1..].iter().map(|&second| vec![first, second]));
    }
    assert_eq!(all.len(), 211);
    all
}

/// The system with these transitions.
pub fn net(sharing: Sharing, transitions: [&[(usize, Edge)]; 2]) -> Net {
    let machine = |m: usize| {
        let mut states: Vec<State> = ["S", "T"]
            .iter()
            .map(|name| State { name: (*name).to_owned(), ..State::default() })
            .collect();
        for &(from, edge) in transitions[m] {
            states[from].edges.push(edge);
        }
        Machine { name: ["A", "B"][m].to_owned(), states }
    };
    let queue = |to: usize| Queue {
        name: match sharing {
            Sharing::Pairs => ["B->A", "A->B"][to],
            Sharing::Mailbox => ["A", "B"][to],
            Sharing::Channels => ["c", "d"][to],
        }
        .to_owned(),
        ends: (sharing == Sharing::Pairs).then_some((1 - to, to)),
        size: Size::Unbounded,
        loss: Loss::Nothing,
    };
    let mut net = Net {
        sharing,
        machines: vec![machine(0), machine(1)],
        queues: vec![queue(0), queue(1)],
        messages: vec!["a".to_owned(), "b".to_owned()],
        bad: Vec::new(),
    };
    crate::make::tidy(&mut net);
    net
}

/// Whether the system is the least of those that differ from it only by the names of messages and by
/// the order of the machines: one of up to four is enough.
pub fn is_least(choices: [usize; 2], all: &[Vec<Vec<(usize, Edge)>>; 2]) -> bool {
    let key = |m: usize, choice: usize, flip: bool| key(&all[m][choice], flip);
    let [a, b] = choices;
    let own = [key(0, a, false), key(1, b, false)];
    let twins = [
        [key(0, a, true), key(1, b, true)],
        [key(1, b, false), key(0, a, false)],
        [key(1, b, true), key(0, a, true)],
    ];
    twins.iter().all(|twin| own <= *twin)
}

/// The transitions of a machine as numbers that do not tell which machine it is.
fn key(transitions: &[(usize, Edge)], flip: bool) -> Vec<(usize, usize, usize)> {
    let number = |(from, edge): &(usize, Edge)| {
        let act = match edge.act {
            Act::Internal => 0,
            Act::Fail => 5,
            Act::Send { message, .. } => 1 + (message ^ usize::from(flip)),
            Act::Receive { message, .. } => 3 + (message ^ usize::from(flip)),
        };
        (*from, edge.to, act)
    };
    let mut numbers: Vec<_> = transitions.iter().map(number).collect();
    numbers.sort_unstable();
    numbers
}

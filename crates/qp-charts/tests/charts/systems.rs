//! All charts of random systems of machines.

use crate::brute::Delivery;
use crate::brute::Plain;
use qp_charts::{Action, Chart, MessageId, ProcessId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Random numbers that are the same everywhere.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// Machines that send and receive messages of given kinds, each with one sender and one receiver.
#[derive(Debug)]
pub(crate) struct Machines {
    ends: Vec<(usize, usize)>,
    /// Per process: state, action, kind of message, next state.
    moves: Vec<Vec<(usize, Action, usize, usize)>>,
}

impl Machines {
    /// Three processes with three states and up to four moves each, and four kinds of messages.
    pub(crate) fn random(rng: &mut Rng) -> Self {
        let ends: Vec<(usize, usize)> = (0..4)
            .map(|_| {
                let from = rng.below(3);
                (from, (from + 1 + rng.below(2)) % 3)
            })
            .collect();
        let moves = (0..3).map(|process| random_moves(rng, &ends, process)).collect();
        Self { ends, moves }
    }

    /// The charts of all runs of up to so many events, each once.
    pub(crate) fn charts(&self, delivery: Delivery, events: usize) -> Vec<Chart> {
        let mut found = Vec::new();
        let mut known = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![Run {
            states: vec![0; self.moves.len()],
            queues: BTreeMap::new(),
            chart: Chart::new(self.moves.len()),
        }];
        while let Some(run) = open.pop() {
            // Two runs with the same lines differ in the numbers of messages, which kinds and places replace.
            let lines = canonical(&run.chart);
            if !seen.insert((lines.clone(), run.states.clone(), run.waiting())) {
                continue;
            }
            if known.insert(lines) {
                found.push(run.chart.clone());
            }
            if run.chart.events().len() < events {
                open.extend(self.next(&run, delivery));
            }
        }
        found
    }

    fn next(&self, run: &Run, delivery: Delivery) -> Vec<Run> {
        let mut next = Vec::new();
        for (process, moves) in self.moves.iter().enumerate() {
            for (state, action, kind, target) in moves {
                if *state == run.states[process] {
                    let mut run = run.clone();
                    run.states[process] = *target;
                    next.extend(self.act(run, *action, *kind, delivery));
                }
            }
        }
        next
    }

    fn act(&self, mut run: Run, action: Action, kind: usize, delivery: Delivery) -> Option<Run> {
        let (from, to) = self.ends[kind];
        let key = match delivery {
            Delivery::PeerToPeer => (from, to),
            Delivery::Mailbox => (0, to),
        };
        let queue = run.queues.entry(key).or_default();
        match action {
            Action::Send => {
                let [from, to] = [from, to].map(ProcessId::new);
                queue.push_back(run.chart.send_labelled(from, to, kind as u32));
            }
            Action::Receive => {
                let head = *queue.front()?;
                (run.chart.messages()[head].label == kind as u32).then(|| queue.pop_front())?;
                run.chart.receive(head);
            }
        }
        Some(run)
    }
}

fn random_moves(
    rng: &mut Rng,
    ends: &[(usize, usize)],
    process: usize,
) -> Vec<(usize, Action, usize, usize)> {
    let sends = (0..ends.len()).filter(|kind| ends[*kind].0 == process);
    let receives = (0..ends.len()).filter(|kind| ends[*kind].1 == process);
    let actions: Vec<(Action, usize)> = sends
        .map(|kind| (Action::Send, kind))
        .chain(receives.map(|kind| (Action::Receive, kind)))
        .collect();
    if actions.is_empty() {
        return Vec::new();
    }
    let mut one = || {
        let (action, kind) = actions[rng.below(actions.len())];
        (rng.below(3), action, kind, rng.below(3))
    };
    (0..4).map(|_| one()).collect()
}

#[derive(Clone)]
struct Run {
    states: Vec<usize>,
    queues: BTreeMap<(usize, usize), VecDeque<MessageId>>,
    chart: Chart,
}

/// The lines of a chart in which messages are named by their kind and their place among the sends of their sender.
type Canonical = Vec<Vec<(Action, usize, usize)>>;

impl Run {
    fn waiting(&self) -> Vec<Vec<(usize, usize)>> {
        let places = places(&self.chart);
        let name = |message: &MessageId| {
            (self.chart.messages()[*message].from.index(), places[message.index()])
        };
        let full = self.queues.values().filter(|queue| !queue.is_empty());
        full.map(|queue| queue.iter().map(name).collect()).collect()
    }
}

fn places(chart: &Chart) -> Vec<usize> {
    let mut counts = vec![0; chart.processes().count()];
    let count = |from: ProcessId| {
        counts[from.index()] += 1;
        counts[from.index()]
    };
    chart.messages().iter().map(|message| message.from).map(count).collect()
}

fn canonical(chart: &Chart) -> Canonical {
    let places = places(chart);
    let name = |(action, message): &(Action, usize)| {
        let kind = chart.messages()[MessageId::new(*message)].label as usize;
        (*action, kind, places[*message])
    };
    Plain::of(chart).lines.iter().map(|line| line.iter().map(name).collect()).collect()
}

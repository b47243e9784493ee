//! Charts of runs, and what is said about them by definition.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::{Config, Event, MessageId, System};

/// A send: the machine, and its place among the actions of that machine.
pub type Vertex = (usize, usize);

/// What a machine does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Act {
    Send { queue: usize, message: MessageId },
    Receive(Vertex),
}

/// For each machine, what it does in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Chart(pub Vec<Vec<Act>>);

impl Chart {
    /// All sends.
    pub fn sends(&self) -> Vec<Vertex> {
        let acts = self.0.iter().enumerate();
        acts.flat_map(|(machine, acts)| {
            let sends = acts.iter().enumerate();
            let sends = sends.filter(|(_, act)| matches!(act, Act::Send { .. }));
            sends.map(move |(place, _)| (machine, place))
        })
        .collect()
    }

    /// Where a message is sent to, and which.
    pub fn sent(&self, (machine, place): Vertex) -> (usize, MessageId) {
        match self.0[machine][place] {
            Act::Send { queue, message } => (queue, message),
            Act::Receive(_) => panic!("it is no send"),
        }
    }

    /// Who receives a message, and when.
    pub fn received(&self, send: Vertex) -> Option<Vertex> {
        self.0.iter().enumerate().find_map(|(machine, acts)| {
            let place = acts.iter().position(|act| *act == Act::Receive(send))?;
            Some((machine, place))
        })
    }

    /// The conflict graph: from, to, and whether the edge leads from a receive to a send.
    pub fn conflicts(&self) -> BTreeSet<(Vertex, Vertex, bool)> {
        let mut edges = BTreeSet::new();
        for (machine, acts) in self.0.iter().enumerate() {
            let of = |place: usize| match acts[place] {
                Act::Send { .. } => ((machine, place), false),
                Act::Receive(send) => (send, true),
            };
            for first in 0..acts.len() {
                for second in first + 1..acts.len() {
                    let ((v, receives), (w, receives_too)) = (of(first), of(second));
                    edges.insert((v, w, receives && !receives_too));
                }
            }
        }
        edges
    }

    /// Whether it is made of rounds of up to so many sends; of any number without one.
    pub fn is_made_of_rounds(&self, sends: Option<usize>) -> bool {
        let edges = self.conflicts();
        let plain: BTreeSet<_> = edges.iter().map(|&(v, w, _)| (v, w)).collect();
        let reach: BTreeMap<Vertex, BTreeSet<Vertex>> =
            self.sends().into_iter().map(|v| (v, closure([v], &plain))).collect();
        let together = |v: Vertex, w: Vertex| reach[&v].contains(&w) && reach[&w].contains(&v);
        let small = self.sends().iter().all(|&v| {
            let component = self.sends().into_iter().filter(|&w| together(v, w)).count();
            sends.is_none_or(|sends| component <= sends)
        });
        small && !edges.iter().any(|&(v, w, crosses)| crosses && together(v, w))
    }

    /// Whether it is the chart of a run in which messages are received at once or never.
    pub fn is_at_once(&self, mailbox: bool) -> bool {
        let mut edges: BTreeSet<_> = self.conflicts().iter().map(|&(v, w, _)| (v, w)).collect();
        for v in self.sends() {
            for w in self.sends() {
                let same = self.sent(v).0 == self.sent(w).0;
                if mailbox && same && self.received(v).is_some() && self.received(w).is_none() {
                    edges.insert((v, w));
                }
            }
        }
        let back = |v: Vertex| {
            let next = edges.iter().filter(|edge| edge.0 == v).map(|edge| edge.1);
            closure(next, &edges).contains(&v)
        };
        !self.sends().into_iter().any(back)
    }
}

/// Everything that edges lead to, with where they begin.
pub fn closure<T: Copy + Ord>(
    from: impl IntoIterator<Item = T>,
    edges: &BTreeSet<(T, T)>,
) -> BTreeSet<T> {
    let mut seen: BTreeSet<T> = from.into_iter().collect();
    loop {
        let next = edges.iter().filter(|(v, _)| seen.contains(v)).map(|&(_, w)| w);
        let next: Vec<T> = next.filter(|w| !seen.contains(w)).collect();
        if next.is_empty() {
            return seen;
        }
        seen.extend(next);
    }
}

/// Why there are no charts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// There are too many of them.
    TooMany,
    /// A message is received although another one is before it.
    Skips,
}

/// The charts of all runs with up to so many actions.
pub fn charts(system: &mut System, actions: usize, most: usize) -> Result<BTreeSet<Chart>, Unfit> {
    let initial = system.initial();
    let chart = Chart(vec![Vec::new(); initial.locals.len()]);
    let queues: Vec<Vec<Vertex>> = vec![Vec::new(); initial.words.len()];
    let mut todo: Vec<(Chart, Config, Vec<Vec<Vertex>>)> = vec![(chart, initial, queues)];
    let mut seen: BTreeSet<_> = todo.iter().cloned().collect();
    while let Some((chart, config, queues)) = todo.pop() {
        if seen.len() > most {
            return Err(Unfit::TooMany);
        }
        for outcome in system.successors(&config) {
            let (mut chart, mut queues) = (chart.clone(), queues.clone());
            let machine = outcome.step.machine.index();
            match outcome.event {
                Event::Internal => {}
                Event::Sent { queue, message } => {
                    queues[queue.index()].push((machine, chart.0[machine].len()));
                    chart.0[machine].push(Act::Send { queue: queue.index(), message });
                }
                Event::Took { queue, position: 0, .. } => {
                    let send = queues[queue.index()].remove(0);
                    chart.0[machine].push(Act::Receive(send));
                }
                Event::Took { .. } => return Err(Unfit::Skips),
                Event::Failed { .. } => continue,
                event => panic!("{event:?} is not in a chart"),
            }
            if chart.0.iter().map(Vec::len).sum::<usize>() <= actions {
                let next = (chart, outcome.config, queues);
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
    }
    Ok(seen.into_iter().map(|(chart, ..)| chart).collect())
}

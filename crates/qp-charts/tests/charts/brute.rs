//! The definitions, tried out: every order of events, every way to take a chart apart into rounds.

use qp_charts::{Action, Chart, Conflict, Conflicts, ProcessId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// An event as it is written here: whether it sends, and which message.
pub(crate) type Line = Vec<(Action, usize)>;

/// A chart as it is written here: who talks to whom, and the events of each process.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Plain {
    pub(crate) ends: Vec<(usize, usize)>,
    pub(crate) lines: Vec<Line>,
}

/// How messages wait between a send and a receive. Every queue is first in, first out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Delivery {
    /// A queue for each ordered pair of processes.
    PeerToPeer,
    /// One queue for each receiver, whoever sends.
    Mailbox,
}

/// The least number of messages per round that is enough; nothing if a chart is not made of rounds.
pub(crate) fn least(conflicts: &Conflicts) -> Option<usize> {
    let size = conflicts.largest().map_or(0, |it| conflicts.components()[it].len());
    conflicts.crossing().is_none().then_some(size)
}

/// All conflicts, by their definition.
pub(crate) fn all_conflicts(chart: &Chart) -> Vec<Conflict> {
    let mut all = Vec::new();
    for process in chart.processes() {
        let line: Vec<_> = chart.line(process).iter().map(|it| chart.events()[*it]).collect();
        for (index, first) in line.iter().enumerate() {
            for second in line[index + 1..].iter().filter(|it| it.message != first.message) {
                let (before, after) = (first.message, second.message);
                let (first, second) = (first.action, second.action);
                all.push(Conflict { before, first, after, second });
            }
        }
    }
    all
}

/// How far each process has come.
type Cut = Vec<usize>;

impl Plain {
    pub(crate) fn of(chart: &Chart) -> Self {
        let ends = chart.messages().iter().map(|m| (m.from.index(), m.to.index())).collect();
        let line = |process: ProcessId| {
            let events = chart.line(process).iter().map(|event| chart.events()[*event]);
            events.map(|event| (event.action, event.message.index())).collect()
        };
        Self { ends, lines: chart.processes().map(line).collect() }
    }

    /// Whether some order of all events is a run with these queues.
    pub(crate) fn has_run(&self, delivery: Delivery) -> bool {
        let start = (vec![0; self.lines.len()], BTreeMap::new());
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        while let Some((cut, queues)) = open.pop() {
            if self.is_all(&cut) {
                return true;
            }
            for process in 0..cut.len() {
                let next = self.step(&cut, &queues, process, delivery);
                open.extend(next.filter(|next| seen.insert(next.clone())));
            }
        }
        false
    }

    /// Lets a process take its next event, if the queues allow it.
    #[expect(clippy::type_complexity, reason = "a configuration is used here only")]
    fn step(
        &self,
        cut: &Cut,
        queues: &BTreeMap<(usize, usize), VecDeque<usize>>,
        process: usize,
        delivery: Delivery,
    ) -> Option<(Cut, BTreeMap<(usize, usize), VecDeque<usize>>)> {
        let (action, message) = *self.lines[process].get(cut[process])?;
        let (from, to) = self.ends[message];
        let key = match delivery {
            Delivery::PeerToPeer => (from, to),
            Delivery::Mailbox => (0, to),
        };
        let mut queues = queues.clone();
        let queue = queues.entry(key).or_default();
        match action {
            Action::Send => queue.push_back(message),
            Action::Receive => {
                (queue.front() == Some(&message)).then(|| queue.pop_front())?;
            }
        }
        let mut cut = cut.clone();
        cut[process] += 1;
        Some((cut, queues))
    }

    /// Whether it is made of rounds of at most `k` sends, by the definition.
    pub(crate) fn is_made_of_rounds(&self, k: usize) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![vec![0; self.lines.len()]];
        while let Some(cut) = open.pop() {
            if self.is_all(&cut) {
                return true;
            }
            if seen.insert(cut.clone()) {
                open.extend(
                    self.ends_of_rounds(&cut)
                        .into_iter()
                        .filter(|end| *end != cut && self.is_round(&cut, end, k)),
                );
            }
        }
        false
    }

    fn is_all(&self, cut: &Cut) -> bool {
        cut.iter().zip(&self.lines).all(|(at, line)| *at == line.len())
    }

    /// All cuts to which each process first sends and then receives.
    fn ends_of_rounds(&self, cut: &Cut) -> Vec<Cut> {
        let mut ends: Vec<Cut> = vec![Vec::new()];
        for (at, line) in cut.iter().zip(&self.lines) {
            let mut stops = vec![*at];
            let mut receiving = false;
            for (index, (action, _)) in line.iter().enumerate().skip(*at) {
                if receiving && *action == Action::Send {
                    break;
                }
                receiving |= *action == Action::Receive;
                stops.push(index + 1);
            }
            let longer = |end: &Cut| {
                let end = end.clone();
                stops
                    .iter()
                    .map(move |stop| [end.as_slice(), &[*stop]].concat())
                    .collect::<Vec<_>>()
            };
            ends = ends.iter().flat_map(longer).collect();
        }
        ends
    }

    /// Whether what lies between two cuts has few sends, and the send of each receive and the receive of each send.
    fn is_round(&self, from: &Cut, to: &Cut, k: usize) -> bool {
        let inside = |action| -> BTreeSet<usize> {
            let lines = self.lines.iter().zip(from.iter().zip(to));
            let events = lines.flat_map(|(line, (from, to))| &line[*from..*to]);
            events.filter(|event| event.0 == action).map(|event| event.1).collect()
        };
        let (sent, received) = (inside(Action::Send), inside(Action::Receive));
        let matched = |message: &usize| {
            self.lines[self.ends[*message].1].contains(&(Action::Receive, *message))
        };
        sent.len() <= k
            && received.is_subset(&sent)
            && sent
                .iter()
                .filter(|message| matched(message))
                .all(|message| received.contains(message))
    }
}

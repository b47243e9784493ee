//! The definitions, tried out: every order of events, every way to take a chart apart into rounds.

use qp_charts::{Action, Chart, Delivery, ProcessId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// An event as it is written here: whether it sends, and which message.
pub(crate) type Line = Vec<(Action, usize)>;

/// A chart as it is written here: who talks to whom, and the events of each process.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Plain {
    pub(crate) ends: Vec<(usize, usize)>,
    pub(crate) lines: Vec<Line>,
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

    /// Whether some send is forced before itself, by the definition: closure of all pairs.
    pub(crate) fn is_forced_in_a_circle(&self) -> bool {
        let count = self.ends.len();
        let mut before = vec![vec![false; count]; count];
        for line in &self.lines {
            for (index, (_, first)) in line.iter().enumerate() {
                for (action, second) in &line[index + 1..] {
                    before[*first][*second] |= *action == Action::Send && first != second;
                }
            }
        }
        for (first, row) in before.iter_mut().enumerate() {
            for (second, cell) in row.iter_mut().enumerate() {
                *cell |= first != second && self.is_ahead(first, second);
            }
        }
        for middle in 0..count {
            for first in 0..count {
                for second in 0..count {
                    before[first][second] |= before[first][middle] && before[middle][second];
                }
            }
        }
        (0..count).any(|message| before[message][message])
    }

    /// Whether both go to the same process, which receives the first, and the second later or never.
    fn is_ahead(&self, first: usize, second: usize) -> bool {
        let to = self.ends[first].1;
        let at =
            |message| self.lines[to].iter().position(|event| *event == (Action::Receive, message));
        let (first, there) = (at(first), self.ends[second].1 == to);
        let later = at(second).is_none_or(|second| first.is_some_and(|first| first < second));
        there && first.is_some() && later
    }
}

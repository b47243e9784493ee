//! Conflicts between messages, their components, and the rounds that they allow.

use crate::chart::{Action, Chart, EventId, MessageId};
use crate::graph::Graph;
use qp_base::{IndexVec, define_index};
use std::fmt;

define_index!(ComponentId, "c", "A strongly connected component of a conflict graph.");

/// Two messages in conflict: an action of one comes before an action of the other on some process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Conflict {
    /// The message that is acted on first.
    pub before: MessageId,
    /// What is done with it.
    pub first: Action,
    /// The message that is acted on later.
    pub after: MessageId,
    /// What is done with that one.
    pub second: Action,
}

/// The strongly connected components of the conflict graph of a chart, and what follows from them.
#[derive(Clone, Debug)]
pub struct Conflicts<'c> {
    chart: &'c Chart,
    components: IndexVec<ComponentId, Vec<MessageId>>,
    of: IndexVec<MessageId, ComponentId>,
    crossing: Option<Conflict>,
}

/// A round of a chart: each process first sends and then receives, and nothing is received that was
/// sent in another round.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Round {
    /// The messages that are sent in it, in the order of their sends.
    pub messages: Vec<MessageId>,
    /// Its events: all sends, then all receives.
    pub events: Vec<EventId>,
}

impl Chart {
    /// The components of its conflict graph.
    pub fn conflicts(&self) -> Conflicts<'_> {
        let (raw, count) = self.neighbours().components();
        // Numbered anew by their first messages, so that numbers do not depend on how they were found.
        let mut renamed: Vec<Option<ComponentId>> = vec![None; count];
        let mut components: IndexVec<ComponentId, Vec<MessageId>> = IndexVec::new();
        let mut of = IndexVec::new();
        for message in self.messages().ids() {
            let id = *renamed[raw[message.index()] as usize]
                .get_or_insert_with(|| components.push(Vec::new()));
            components[id].push(message);
            of.push(id);
        }
        let crossing = self.first_crossing(&of, components.len());
        Conflicts { chart: self, components, of, crossing }
    }

    /// Whether it is made of rounds of at most `k` messages each.
    pub fn is_synchronous(&self, k: usize) -> bool {
        self.conflicts().is_synchronous(k)
    }

    /// All conflicts, each once, in order. There may be as many as pairs of events on each process.
    pub fn all_conflicts(&self) -> Vec<Conflict> {
        let mut all = Vec::new();
        for process in self.processes() {
            let line = self.line(process);
            for (index, first) in line.iter().enumerate() {
                let first = self.events()[*first];
                let later = line[index + 1..].iter().map(|event| self.events()[*event]);
                all.extend(later.filter(|second| second.message != first.message).map(|second| {
                    Conflict {
                        before: first.message,
                        first: first.action,
                        after: second.message,
                        second: second.action,
                    }
                }));
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The conflicts between neighbours on each process. They reach whatever all conflicts reach.
    fn neighbours(&self) -> Graph {
        let mut graph = Graph::new(self.messages().len());
        for process in self.processes() {
            for pair in self.line(process).windows(2) {
                let [first, second] = [pair[0], pair[1]].map(|event| self.events()[event].message);
                graph.edge(first.index(), second.index());
            }
        }
        graph
    }

    /// A receive that comes before a send of the same component on some process.
    fn first_crossing(
        &self,
        of: &IndexVec<MessageId, ComponentId>,
        components: usize,
    ) -> Option<Conflict> {
        // Per component the last process on which one of its messages was received, and which.
        let mut received = vec![None; components];
        for process in self.processes() {
            for event in self.line(process).iter().map(|event| self.events()[*event]) {
                let slot = &mut received[of[event.message].index()];
                match (event.action, *slot) {
                    (Action::Receive, _) => *slot = Some((process, event.message)),
                    (Action::Send, Some((there, before))) if there == process => {
                        return Some(Conflict {
                            before,
                            first: Action::Receive,
                            after: event.message,
                            second: Action::Send,
                        });
                    }
                    (Action::Send, _) => {}
                }
            }
        }
        None
    }
}

impl Conflicts<'_> {
    /// The components, numbered by their first messages; each lists its messages in order.
    pub const fn components(&self) -> &IndexVec<ComponentId, Vec<MessageId>> {
        &self.components
    }

    /// The component of a message.
    pub fn component_of(&self, message: MessageId) -> ComponentId {
        self.of[message]
    }

    /// A component with the most messages, the first such one; nothing if there are no messages.
    pub fn largest(&self) -> Option<ComponentId> {
        let sizes = self.components.iter_enumerated().map(|(id, members)| (members.len(), id));
        sizes.max_by_key(|(size, id)| (*size, std::cmp::Reverse(*id))).map(|(_, id)| id)
    }

    /// How many messages the largest component has.
    pub fn size(&self) -> usize {
        self.components.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// A receive that comes before a send of the same component, if there is one. Then the chart is not
    /// made of rounds, of whatever size.
    pub const fn crossing(&self) -> Option<Conflict> {
        self.crossing
    }

    /// Whether the chart is made of rounds of at most `k` messages each.
    pub fn is_synchronous(&self, k: usize) -> bool {
        self.crossing.is_none() && self.size() <= k
    }

    /// The least number of messages per round that is enough; nothing if the chart is not made of
    /// rounds. 0 for a chart without messages.
    pub fn least(&self) -> Option<usize> {
        self.crossing.is_none().then(|| self.size())
    }

    /// The smallest rounds that the chart is made of, in an order in which they can be played; nothing
    /// if it is not made of rounds. Where the order is open, that of the first events decides.
    ///
    /// Played one after the other they are a run with a queue per pair of processes, if the chart has
    /// such a run. With mailboxes they need not be: see [`Chart::linearisation`].
    pub fn rounds(&self) -> Option<Vec<Round>> {
        if self.crossing.is_some() {
            return None;
        }
        let mut graph = Graph::new(self.components.len());
        for (from, to) in self.chart.neighbours().edges() {
            let [from, to] = [from, to].map(|node| self.of[MessageId::new(node)].index());
            graph.edge(from, to);
        }
        let order = graph.order(|component| component)?;
        Some(order.into_iter().map(|component| self.round(ComponentId::new(component))).collect())
    }

    fn round(&self, component: ComponentId) -> Round {
        let messages = self.components[component].clone();
        let sends = messages.iter().map(|message| self.chart.messages()[*message].sent);
        let mut receives: Vec<EventId> = messages
            .iter()
            .filter_map(|message| self.chart.messages()[*message].received)
            .collect();
        receives.sort_unstable();
        let events = sends.chain(receives).collect();
        Round { messages, events }
    }
}

/// Written as two letters: `RS` for a receive before a send.
impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |action| match action {
            Action::Send => 'S',
            Action::Receive => 'R',
        };
        write!(f, "{}{}", letter(self.first), letter(self.second))
    }
}

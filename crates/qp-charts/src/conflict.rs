//! Conflicts between messages, and their components.

use crate::chart::{Action, Chart, MessageId};
use qp_base::{IndexVec, define_index};
use qp_dataflow::Graph;

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
pub struct Conflicts {
    components: IndexVec<ComponentId, Vec<MessageId>>,
    of: IndexVec<MessageId, ComponentId>,
    crossing: Option<Conflict>,
}

impl Chart {
    /// The components of its conflict graph.
    pub fn conflicts(&self) -> Conflicts {
        let raw = qp_dataflow::components(&self.neighbours());
        // Numbered anew by their first messages, so that numbers do not depend on how they were found.
        let mut renamed: Vec<Option<ComponentId>> = vec![None; raw.len()];
        let mut components: IndexVec<ComponentId, Vec<MessageId>> = IndexVec::new();
        let mut of = IndexVec::new();
        for message in self.messages().ids() {
            let id =
                *renamed[raw[message.index()]].get_or_insert_with(|| components.push(Vec::new()));
            components[id].push(message);
            of.push(id);
        }
        let crossing = self.first_crossing(&of, components.len());
        Conflicts { components, of, crossing }
    }

    /// The conflicts between neighbours on each process. They reach whatever all conflicts reach.
    fn neighbours(&self) -> Graph {
        let mut successors = vec![Vec::new(); self.messages().len()];
        for process in self.processes() {
            for pair in self.line(process).windows(2) {
                let [first, second] = [pair[0], pair[1]].map(|event| self.events()[event].message);
                successors[first.index()].push(second.index());
            }
        }
        Graph::new(successors)
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

impl Conflicts {
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

    /// A receive that comes before a send of the same component, if there is one. Then the chart is not
    /// made of rounds, of whatever size.
    pub const fn crossing(&self) -> Option<Conflict> {
        self.crossing
    }
}

//! Readers that cannot keep up: that every run that sends u vⁿ w leaves more in a queue the larger n is.
//!
//! Only the reader of the queue is looked at, and of the others what they send. A *node* says where the reader is, which
//! send of v comes next, and which of the messages that v sends to the queue the reader takes next. An edge is a send of
//! v (weight 1 if it goes to the queue, else 0), or something that the reader does without sending (weight -1 if it
//! takes the next message from the queue, else 0); from other queues it may take whatever u, v and w ever send to them.
//! A run that sends u vⁿ w is a path from a node in which the reader has made its own sends of u to one from which it
//! can make those of w; the sum of its weights is how many messages of vⁿ are in the queue. In between, the reader may
//! take some of what u left in the queue, which happens at most |u| times and cuts the path into pieces.
//!
//! If every cycle between nodes on such paths has a weight of 1 at least, a path of N edges in p pieces has a weight of
//! at least N / nodes - p (nodes + 1). N is at least n |v|, so for large n more than k messages are in the queue.

use std::collections::BTreeSet;

use qp_base::Map;
use qp_machines::{Effect, LocalId, MachineId, MessageId, QueueId, Reception, StoreId, System};

use crate::{Checked, Send, rejected};

/// More nodes are not looked at.
const NODES_MAX: usize = 200_000;

/// The sends of a run: before its cycle, in one turn, and behind the last turn.
pub(crate) struct Words {
    pub(crate) stem: Vec<Send>,
    pub(crate) cycle: Vec<Send>,
    pub(crate) tail: Vec<Send>,
}

/// Where the reader is, which send comes next, and which message it takes next.
type Node = (LocalId, usize, usize);

/// Checks that messages pile up in a queue.
pub(crate) fn check(system: &mut System, words: &Words, queue: QueueId) -> Checked<()> {
    let info = system.program().outline().queues.get(queue);
    let readers = info.ok_or("the queue is not there from the beginning")?.readers.clone();
    let into = words.cycle.iter().filter(|send| send.1 == queue);
    let messages: Vec<MessageId> = into.map(|send| send.2).collect();
    if messages.is_empty() {
        return rejected("the cycle sends nothing to the queue");
    }
    let [reader] = readers[..] else {
        // What nobody takes stays.
        return if readers.is_empty() { Ok(()) } else { rejected("a queue has two readers") };
    };
    let start = system.initial();
    let first = start.locals.get(reader.index()).copied();
    let first = first.ok_or("the reader is not there from the beginning")?;
    let watched = system.program().outline().store_is_watched;
    let store = if watched { StoreId::NONE } else { start.store };
    let mut reader = Reader { system, machine: reader, store, words, known: Map::default() };
    let begins = reader.after(first, &words.stem)?;
    let graph = Graph::new(&mut reader, begins, queue, &messages)?;
    let kept = graph.kept(&mut reader)?;
    if !kept.contains(&true) {
        return rejected("the reader cannot make its own sends");
    }
    graph.check_cycles(&kept)
}

/// What the reader can do in a local state.
#[derive(Clone, Copy)]
enum Act {
    Silent(LocalId),
    Take(QueueId, MessageId, LocalId),
    Send(QueueId, MessageId, LocalId),
}

/// The one machine that reads the queue. Whatever else its moves depend on is taken to be as it needs it.
struct Reader<'a> {
    system: &'a mut System,
    machine: MachineId,
    store: StoreId,
    words: &'a Words,
    known: Map<LocalId, Vec<Act>>,
}

impl Reader<'_> {
    fn acts(&mut self, local: LocalId) -> Checked<Vec<Act>> {
        if let Some(known) = self.known.get(&local) {
            return Ok(known.clone());
        }
        let mut acts = Vec::new();
        for mv in self.system.moves(self.machine, local, self.store).iter() {
            match mv.effect {
                Effect::Internal => acts.push(Act::Silent(mv.next)),
                Effect::Send { queue, message, .. } => {
                    acts.push(Act::Send(queue, message, mv.next));
                }
                Effect::Receive { queue, ear } => {
                    for message in self.ever_sent(queue) {
                        let program = self.system.program_mut();
                        let about =
                            program.reception(self.machine, local, self.store, ear, message);
                        match about {
                            Reception::Take(ways) if ways.iter().all(|way| !way.keep) => {
                                let ways =
                                    ways.iter().map(|way| Act::Take(queue, message, way.next));
                                acts.extend(ways);
                            }
                            Reception::Refuse | Reception::Crash => {}
                            Reception::Take(_) | Reception::Skip => {
                                return rejected(
                                    "the reader does not take messages in their order",
                                );
                            }
                        }
                    }
                }
                Effect::Fail { .. } => {}
                Effect::Spawn { .. }
                | Effect::Exit { .. }
                | Effect::Close { .. }
                | Effect::GiveUp { .. } => {
                    return rejected("the reader does more than send and take");
                }
            }
        }
        self.known.insert(local, acts.clone());
        Ok(acts)
    }

    /// The messages that any run with these sends may ever put into a queue.
    fn ever_sent(&self, queue: QueueId) -> Vec<MessageId> {
        let Words { stem, cycle, tail } = self.words;
        let all = stem.iter().chain(cycle).chain(tail);
        let mut messages: Vec<MessageId> =
            all.filter(|send| send.1 == queue).map(|send| send.2).collect();
        messages.sort_unstable();
        messages.dedup();
        messages
    }

    /// Where the reader may be after its own ones of these sends, taking whatever it likes.
    fn after(&mut self, first: LocalId, sends: &[Send]) -> Checked<Vec<LocalId>> {
        let own: Vec<Send> = sends.iter().copied().filter(|send| send.0 == self.machine).collect();
        let (mut seen, mut todo) = (BTreeSet::from([(first, 0)]), vec![(first, 0)]);
        while let Some((local, made)) = todo.pop() {
            for act in self.acts(local)? {
                let next = match act {
                    Act::Silent(next) | Act::Take(_, _, next) => (next, made),
                    Act::Send(queue, message, next) => {
                        if own.get(made) != Some(&(self.machine, queue, message)) {
                            continue;
                        }
                        (next, made + 1)
                    }
                };
                if seen.insert(next) {
                    todo.push(next);
                }
            }
            check_size(seen.len())?;
        }
        let all = seen.into_iter().filter(|&(_, made)| made == own.len());
        Ok(all.map(|(local, _)| local).collect())
    }
}

/// The nodes that are reached, by number, with edges between them.
struct Graph {
    nodes: Vec<Node>,
    /// Edges with weights; none for taking what was left before the first turn, which does not happen for ever.
    edges: Vec<(usize, usize, Option<i64>)>,
}

impl Graph {
    fn new(
        reader: &mut Reader<'_>,
        begins: Vec<LocalId>,
        queue: QueueId,
        messages: &[MessageId],
    ) -> Checked<Self> {
        let mut nodes: Vec<Node> = begins.into_iter().map(|local| (local, 0, 0)).collect();
        let mut numbers: Map<Node, usize> =
            nodes.iter().enumerate().map(|(number, &node)| (node, number)).collect();
        let (mut edges, mut from) = (Vec::new(), 0);
        while from < nodes.len() {
            for (to, weight) in steps(reader, nodes[from], queue, messages)? {
                let number = *numbers.entry(to).or_insert_with(|| {
                    nodes.push(to);
                    nodes.len() - 1
                });
                edges.push((from, number, weight));
            }
            check_size(nodes.len())?;
            from += 1;
        }
        Ok(Self { nodes, edges })
    }

    /// The nodes from which the reader gets to where it can make its own sends of the tail.
    fn kept(&self, reader: &mut Reader<'_>) -> Checked<Vec<bool>> {
        let (mut kept, mut known) = (Vec::new(), Map::default());
        for &(local, next, _) in &self.nodes {
            if !known.contains_key(&local) {
                let ends = reader.after(local, &reader.words.tail)?;
                known.insert(local, !ends.is_empty());
            }
            kept.push(next == 0 && known[&local]);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(from, to, _) in &self.edges {
                if kept[to] && !kept[from] {
                    (kept[from], changed) = (true, true);
                }
            }
        }
        Ok(kept)
    }

    /// Checks that each cycle has a positive weight: shortest distances exist for weights times more than the number of
    /// nodes, less one for each edge (Bellman and Ford).
    fn check_cycles(&self, kept: &[bool]) -> Checked<()> {
        let many = i64::try_from(self.nodes.len()).map_err(|error| error.to_string())? + 1;
        let mut distance = vec![0_i64; self.nodes.len()];
        for _ in 0..=self.nodes.len() {
            let mut changed = false;
            for &(from, to, weight) in &self.edges {
                let Some(weight) = weight.filter(|_| kept[from] && kept[to]) else { continue };
                let far = distance[from] + weight * many - 1;
                if far < distance[to] {
                    (distance[to], changed) = (far, true);
                }
            }
            if !changed {
                return Ok(());
            }
        }
        rejected("the reader can keep up")
    }
}

/// Where a node leads to.
fn steps(
    reader: &mut Reader<'_>,
    (local, at, taken): Node,
    queue: QueueId,
    messages: &[MessageId],
) -> Checked<Vec<(Node, Option<i64>)>> {
    let (cycle, old) = (&reader.words.cycle, &reader.words.stem);
    let due = cycle[at];
    let (next, gain) = ((at + 1) % cycle.len(), i64::from(due.1 == queue));
    let mut found = Vec::new();
    if due.0 != reader.machine {
        found.push(((local, next, taken), Some(gain)));
    }
    for act in reader.acts(local)? {
        match act {
            Act::Silent(to) => found.push(((to, at, taken), Some(0))),
            Act::Take(from, _, to) if from != queue => found.push(((to, at, taken), Some(0))),
            Act::Take(_, message, to) => {
                if messages[taken] == message {
                    found.push(((to, at, (taken + 1) % messages.len()), Some(-1)));
                }
                if old.iter().any(|send| (send.1, send.2) == (queue, message)) {
                    found.push(((to, at, taken), None));
                }
            }
            Act::Send(to_queue, message, to) => {
                if due == (reader.machine, to_queue, message) {
                    found.push(((to, next, taken), Some(gain)));
                }
            }
        }
    }
    Ok(found)
}

fn check_size(n: usize) -> Checked<()> {
    if n > NODES_MAX { rejected("the reader has too many local states") } else { Ok(()) }
}

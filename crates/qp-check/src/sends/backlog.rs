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

use qp_base::{Interner, Map};
use qp_machines::{Config, LocalId, MachineId, MessageId, QueueId, System};

use crate::backwards::Backwards;
use crate::sends::Send;
use crate::{Checked, wrong};

/// More local states of a reader are not looked at.
const LOCALS_MAX: usize = 20_000;

/// The sends of a run: before its cycle, in one turn, and behind the last turn.
pub(crate) type Words = [Vec<Send>; 3];

/// Where the reader is, which send comes next, and which message it takes next.
type Node = (LocalId, usize, usize);

/// Checks that messages pile up in a queue.
pub(crate) fn check(system: &mut System, words: &Words, queue: QueueId) -> Checked<()> {
    let info = system.program().outline().queues.get(queue);
    let readers = info.ok_or("the queue is not there from the beginning")?.readers.clone();
    let messages: Vec<MessageId> = to(&words[1], queue).collect();
    if messages.is_empty() || readers.len() > 1 {
        return wrong("the cycle sends nothing to the queue, or two machines read it");
    }
    // What nobody takes stays.
    let Some(&machine) = readers.first() else { return Ok(()) };
    let start = system.initial();
    let first = *start.locals.get(machine.index()).ok_or("the reader comes later")?;
    let mut reader = Reader { system, machine, start, words, known: Map::default() };
    let graph = Graph::new(&mut reader, first, queue, &messages)?;
    let kept = graph.kept(&mut reader)?;
    graph.check_cycles(&kept)
}

/// The messages that are sent to a queue.
fn to(sends: &[Send], queue: QueueId) -> impl Iterator<Item = MessageId> {
    sends.iter().filter(move |send| send.1 == queue).map(|send| send.2)
}

/// What the reader can do, and its local state afterwards.
type Act = (Deed, LocalId);

#[derive(Clone, Copy)]
enum Deed {
    Silent,
    Take(QueueId, MessageId),
    Send(QueueId, MessageId),
}

/// The one machine that reads the queue. All that it does must be commands: it depends on its local state and on first
/// messages alone.
struct Reader<'a> {
    system: &'a mut System,
    machine: MachineId,
    start: Config,
    words: &'a Words,
    known: Map<LocalId, Vec<Act>>,
}

impl Reader<'_> {
    fn acts(&mut self, local: LocalId) -> Checked<Vec<Act>> {
        if let Some(known) = self.known.get(&local) {
            return Ok(known.clone());
        }
        if self.known.len() >= LOCALS_MAX {
            return wrong("the reader has too many local states");
        }
        let commands = self.system.commands(&self.start, self.machine, local);
        let Some(commands) = commands.ok().filter(|it| !it.creates && !it.ends) else {
            return wrong("the reader does more than send and take");
        };
        let sends = commands.sends.iter().map(|it| (Deed::Send(it.queue, it.message), it.next));
        let mut acts: Vec<Act> = sends.collect();
        acts.extend(commands.internals.iter().map(|&next| (Deed::Silent, next)));
        // Whatever it can take from a queue, of all that these sends ever put into it.
        for &queue in &commands.listens {
            let sent = self.words.iter().flat_map(|sends| to(sends, queue));
            for message in sent.collect::<BTreeSet<MessageId>>() {
                let at = (self.machine, local);
                let heard = self.system.hearing(&self.start, at, (queue, message));
                let Some(heard) = heard.ok().filter(|it| !it.skips) else {
                    return wrong("the reader does not take messages in their order");
                };
                acts.extend(heard.takes.iter().map(|&next| (Deed::Take(queue, message), next)));
            }
        }
        self.known.insert(local, acts.clone());
        Ok(acts)
    }

    /// Where the reader may be after its own ones of these sends, taking whatever it likes.
    fn after(&mut self, first: LocalId, sends: &[Send]) -> Checked<Vec<LocalId>> {
        let own: Vec<Send> = sends.iter().copied().filter(|send| send.0 == self.machine).collect();
        let (mut seen, mut todo) = (BTreeSet::from([(first, 0)]), vec![(first, 0)]);
        while let Some((local, made)) = todo.pop() {
            for (deed, next) in self.acts(local)? {
                let made = match deed {
                    Deed::Silent | Deed::Take(..) => made,
                    Deed::Send(queue, message) => {
                        if own.get(made) != Some(&(self.machine, queue, message)) {
                            continue;
                        }
                        made + 1
                    }
                };
                if seen.insert((next, made)) {
                    todo.push((next, made));
                }
            }
        }
        let all = seen.into_iter().filter(|&(_, made)| made == own.len());
        Ok(all.map(|(local, _)| local).collect())
    }

    /// Where a node leads to, with weights; none for taking what was left before the first turn, which does not happen
    /// for ever.
    fn steps(
        &mut self,
        (local, at, taken): Node,
        queue: QueueId,
        messages: &[MessageId],
    ) -> Checked<Vec<(Node, Option<i64>)>> {
        let [stem, cycle, _] = self.words;
        let due = cycle[at];
        let (next, gain) = ((at + 1) % cycle.len(), Some(i64::from(due.1 == queue)));
        let mut found = Vec::new();
        if due.0 != self.machine {
            found.push(((local, next, taken), gain));
        }
        for (deed, local) in self.acts(local)? {
            match deed {
                Deed::Take(from, message) if from == queue => {
                    if messages[taken] == message {
                        found.push(((local, at, (taken + 1) % messages.len()), Some(-1)));
                    }
                    if to(stem, queue).any(|old| old == message) {
                        found.push(((local, at, taken), None));
                    }
                }
                Deed::Silent | Deed::Take(..) => found.push(((local, at, taken), Some(0))),
                Deed::Send(to, message) => {
                    if due == (self.machine, to, message) {
                        found.push(((local, next, taken), gain));
                    }
                }
            }
        }
        Ok(found)
    }
}

/// The nodes that are reached, by number, with weighed edges between them.
struct Graph {
    nodes: Vec<Node>,
    edges: Vec<(usize, usize, Option<i64>)>,
}

impl Graph {
    fn new(
        reader: &mut Reader<'_>,
        first: LocalId,
        queue: QueueId,
        messages: &[MessageId],
    ) -> Checked<Self> {
        let mut nodes: Interner<usize, Node> = Interner::new();
        for local in reader.after(first, &reader.words[0])? {
            nodes.intern((local, 0, 0));
        }
        let (mut edges, mut from) = (Vec::new(), 0);
        while from < nodes.len() {
            let steps = reader.steps(*nodes.value(from), queue, messages)?;
            edges.extend(steps.into_iter().map(|(to, weight)| (from, nodes.intern(to), weight)));
            from += 1;
        }
        Ok(Self { nodes: nodes.values().to_vec(), edges })
    }

    /// The nodes from which the reader gets to where it can make its own sends of the tail.
    fn kept(&self, reader: &mut Reader<'_>) -> Checked<Vec<bool>> {
        let mut kept = Vec::new();
        for &(local, next, _) in &self.nodes {
            kept.push(next == 0 && !reader.after(local, &reader.words[2])?.is_empty());
        }
        let pairs = self.edges.iter().map(|&(from, to, _)| (from, to));
        Ok(Backwards::new(kept.len(), pairs).reach(|node| kept[node]))
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
        wrong("the reader can keep up")
    }
}

//! Whether the reader of a queue can keep up with what is sent to it.
//!
//! The referee has its own code for the same question: this one only finds what is worth to be handed over.

use std::collections::VecDeque;
use std::sync::Arc;

use qp_base::{Interner, Map};
use qp_machines::{Commands, LocalId, MachineId, MessageId, Outcome, QueueId};

use super::world::{Send, World, sent};

/// Nodes of one graph.
const NODES_MAX: usize = 20_000;

/// What a run sends: before its cycle, in one turn, and behind it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Sends {
    stem: Vec<Send>,
    cycle: Vec<Send>,
    tail: Vec<Send>,
}

impl Sends {
    pub(super) fn of(stem: &[Outcome], cycle: &[Outcome], tail: &[Outcome]) -> Self {
        let sends = |steps: &[Outcome]| {
            steps.iter().filter_map(|it| sent(it.step.machine, it.event)).collect()
        };
        Self { stem: sends(stem), cycle: sends(cycle), tail: sends(tail) }
    }

    fn to(&self, queue: QueueId) -> impl Iterator<Item = MessageId> + '_ {
        let all = self.stem.iter().chain(&self.cycle).chain(&self.tail);
        all.filter(move |send| send.1 == queue).map(|send| send.2)
    }
}

/// What a machine can do in a local state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    Silent,
    Take(QueueId, MessageId),
    Send(QueueId, MessageId),
}

/// A local state of a machine, with what may be in the queues that it listens to.
type Place = (MachineId, LocalId, Vec<(QueueId, MessageId)>);

/// The local states of readers, with what they can do; nothing where they do what is not followed.
#[derive(Default)]
pub(super) struct Backlog {
    known: Map<Place, Option<Vec<(Act, LocalId)>>>,
    commands: Map<(MachineId, LocalId), Option<Arc<Commands>>>,
}

/// A graph in the making: where the reader is, which send comes next, which message it takes next.
type Node = (LocalId, usize, usize);

/// From where to where, and how many messages more there are then; nothing for what happens finitely often.
type Edge = (usize, usize, Option<i64>);

impl Backlog {
    /// Whether every run that sends this, with many turns, leaves ever more in the queue.
    pub(super) fn grows(&mut self, world: &mut World<'_>, sends: &Sends, queue: QueueId) -> bool {
        let Some(info) = world.system.program().outline().queues.get(queue) else { return false };
        match info.readers[..] {
            [] => true,
            [reader] => self.falls_behind(world, sends, (queue, reader)).unwrap_or(false),
            _ => false,
        }
    }

    fn falls_behind(
        &mut self,
        world: &mut World<'_>,
        sends: &Sends,
        (queue, reader): (QueueId, MachineId),
    ) -> Option<bool> {
        let first = *world.system.initial().locals.get(reader.index())?;
        let begins = self.after(world, (reader, first), sends, &sends.stem)?;
        let (nodes, mut edges) = self.graph(world, sends, (queue, reader), begins)?;
        let mut kept = Vec::new();
        for &(local, at, _) in &nodes {
            let ends = self.after(world, (reader, local), sends, &sends.tail)?;
            kept.push(at == 0 && !ends.is_empty());
        }
        lead_to(&mut kept, &edges);
        edges.retain(|&(from, to, weight)| kept[from] && kept[to] && weight.is_some());
        Some(kept.contains(&true) && is_positive(nodes.len(), &edges))
    }

    /// What the reader gets to while turns are taken.
    fn graph(
        &mut self,
        world: &mut World<'_>,
        sends: &Sends,
        (queue, reader): (QueueId, MachineId),
        begins: Vec<LocalId>,
    ) -> Option<(Vec<Node>, Vec<Edge>)> {
        let mut nodes: Interner<usize, Node> = Interner::new();
        for local in begins {
            nodes.intern((local, 0, 0));
        }
        let (mut edges, mut from) = (Vec::new(), 0);
        while from < nodes.len() {
            let node = *nodes.value(from);
            for act in self.acts(world, reader, node.0, sends)? {
                let to = step(sends, (queue, reader), node, act).into_iter().flatten();
                edges.extend(to.map(|(to, weight)| (from, nodes.intern(to), weight)));
            }
            let due = sends.cycle[node.1];
            if due.0 != reader {
                let next = (node.0, (node.1 + 1) % sends.cycle.len(), node.2);
                edges.push((from, nodes.intern(next), Some(i64::from(due.1 == queue))));
            }
            if nodes.len() > NODES_MAX {
                return None;
            }
            from += 1;
        }
        Some((nodes.values().to_vec(), edges))
    }

    fn acts(
        &mut self,
        world: &mut World<'_>,
        machine: MachineId,
        local: LocalId,
        sends: &Sends,
    ) -> Option<Vec<(Act, LocalId)>> {
        let commands = self.commands.entry((machine, local)).or_insert_with(|| {
            let commands = world.system.commands(&world.start, machine, local);
            commands.ok().filter(|it| !it.creates && !it.ends).map(Arc::new)
        });
        let commands = Arc::clone(commands.as_ref()?);
        let listens = commands.listens.iter();
        let mut heard: Vec<(QueueId, MessageId)> = listens
            .flat_map(|&queue| sends.to(queue).map(move |message| (queue, message)))
            .collect();
        heard.sort_unstable();
        heard.dedup();
        let key = (machine, local, heard);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let acts = done(world, (machine, local), &commands, &key.2);
        self.known.insert(key, acts.clone());
        acts
    }

    /// Where a machine may be once it has made its own ones of these sends.
    fn after(
        &mut self,
        world: &mut World<'_>,
        (machine, first): (MachineId, LocalId),
        sends: &Sends,
        made: &[Send],
    ) -> Option<Vec<LocalId>> {
        let own: Vec<&Send> = made.iter().filter(|send| send.0 == machine).collect();
        let mut seen = qp_base::Set::default();
        seen.insert((first, 0));
        let (mut todo, mut ends) = (VecDeque::from([(first, 0)]), Vec::new());
        while let Some((local, n)) = todo.pop_front() {
            if n == own.len() {
                ends.push(local);
            }
            for (act, next) in self.acts(world, machine, local, sends)? {
                let n = match act {
                    Act::Silent | Act::Take(..) => n,
                    Act::Send(queue, message) => {
                        if own.get(n) != Some(&&(machine, queue, message)) {
                            continue;
                        }
                        n + 1
                    }
                };
                if seen.insert((next, n)) {
                    todo.push_back((next, n));
                }
            }
            if seen.len() > NODES_MAX {
                return None;
            }
        }
        Some(ends)
    }
}

/// What a machine does, with what it hears; nothing if that is not followed.
fn done(
    world: &mut World<'_>,
    at: (MachineId, LocalId),
    commands: &Commands,
    heard: &[(QueueId, MessageId)],
) -> Option<Vec<(Act, LocalId)>> {
    let sends = commands.sends.iter().map(|it| (Act::Send(it.queue, it.message), it.next));
    let mut all: Vec<(Act, LocalId)> = sends.collect();
    all.extend(commands.internals.iter().map(|&next| (Act::Silent, next)));
    for &(queue, message) in heard {
        let hearing = world.system.hearing(&world.start, at, (queue, message)).ok()?;
        if hearing.skips {
            return None;
        }
        all.extend(hearing.takes.iter().map(|&next| (Act::Take(queue, message), next)));
    }
    Some(all)
}

/// Where a node leads by what the reader does: as something that happens in turns, and as something that happens while
/// there are messages from before them.
fn step(
    sends: &Sends,
    (queue, reader): (QueueId, MachineId),
    (_, at, taken): Node,
    (act, to): (Act, LocalId),
) -> [Option<(Node, Option<i64>)>; 2] {
    match act {
        Act::Take(from, message) if from == queue => {
            let mut period = sends.cycle.iter().filter(|send| send.1 == queue);
            let length = period.clone().count();
            let is_next = period.nth(taken).is_some_and(|send| send.2 == message);
            let is_old = sends.stem.iter().any(|send| (send.1, send.2) == (queue, message));
            let next = ((to, at, (taken + 1) % length), Some(-1));
            [is_next.then_some(next), is_old.then_some(((to, at, taken), None))]
        }
        Act::Silent | Act::Take(..) => [Some(((to, at, taken), Some(0))), None],
        Act::Send(to_queue, message) => {
            let due = sends.cycle[at];
            let next = (to, (at + 1) % sends.cycle.len(), taken);
            let gain = i64::from(due.1 == queue);
            [(due == (reader, to_queue, message)).then_some((next, Some(gain))), None]
        }
    }
}

/// Adds the nodes from which a kept one is reached.
fn lead_to(kept: &mut [bool], edges: &[Edge]) {
    let mut changed = true;
    while changed {
        changed = false;
        for &(from, to, _) in edges {
            if kept[to] && !kept[from] {
                kept[from] = true;
                changed = true;
            }
        }
    }
}

/// Whether each cycle has a positive weight.
fn is_positive(n: usize, edges: &[Edge]) -> bool {
    let Ok(many) = i64::try_from(n + 1) else { return false };
    let mut far = vec![0_i64; n];
    for _ in 0..=n {
        let mut changed = false;
        for &(from, to, weight) in edges {
            let next = far[from] + weight.unwrap_or(0) * many - 1;
            if next < far[to] {
                far[to] = next;
                changed = true;
            }
        }
        if !changed {
            return true;
        }
    }
    false
}

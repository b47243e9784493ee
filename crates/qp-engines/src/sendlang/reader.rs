//! Whether the reader of a queue can keep up with what is sent to it.
//!
//! The referee has its own code for the same question: this one only finds what is worth to be handed over.

use std::collections::VecDeque;

use qp_base::Map;
use qp_machines::{
    Effect, Event, LocalId, MachineId, MessageId, Outcome, QueueId, Reception, StoreId,
};

use super::world::{Send, World};

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
            let send = |outcome: &Outcome| match outcome.event {
                Event::Sent { queue, message } | Event::Lost { queue, message } => {
                    Some((outcome.step.machine, queue, message))
                }
                _ => None,
            };
            steps.iter().filter_map(send).collect()
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

/// The local states of readers, with what they can do; nothing where they do what is not followed.
#[derive(Default)]
pub(super) struct Backlog {
    known: Map<(MachineId, LocalId, Vec<(QueueId, MessageId)>), Option<Vec<(Act, LocalId)>>>,
}

/// A graph in the making: where the reader is, which send comes next, which message it takes next.
type Node = (LocalId, usize, usize);

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
        let cycle = &sends.cycle;
        let period: Vec<MessageId> =
            cycle.iter().filter(|send| send.1 == queue).map(|send| send.2).collect();
        let begins = self.after(world, (reader, first), sends, &sends.stem)?;
        let mut numbers: Map<Node, usize> = Map::default();
        let mut nodes: Vec<Node> = Vec::new();
        let mut edges: Vec<(usize, usize, Option<i64>)> = Vec::new();
        for local in begins {
            numbers.insert((local, 0, 0), nodes.len());
            nodes.push((local, 0, 0));
        }
        let mut from = 0;
        while from < nodes.len() && nodes.len() < NODES_MAX {
            let (local, at, taken) = nodes[from];
            let mut add = |node: Node, weight: Option<i64>| {
                let to = *numbers.entry(node).or_insert_with(|| {
                    nodes.push(node);
                    nodes.len() - 1
                });
                edges.push((from, to, weight));
            };
            let due = cycle[at];
            let (next, gain) = ((at + 1) % cycle.len(), i64::from(due.1 == queue));
            if due.0 != reader {
                add((local, next, taken), Some(gain));
            }
            for (act, to) in self.acts(world, reader, local, sends)? {
                match act {
                    Act::Take(at_queue, message) if at_queue == queue => {
                        if period[taken] == message {
                            add((to, at, (taken + 1) % period.len()), Some(-1));
                        }
                        if sends.stem.iter().any(|send| (send.1, send.2) == (queue, message)) {
                            add((to, at, taken), None);
                        }
                    }
                    Act::Silent | Act::Take(..) => add((to, at, taken), Some(0)),
                    Act::Send(to_queue, message) => {
                        if due == (reader, to_queue, message) {
                            add((to, next, taken), Some(gain));
                        }
                    }
                }
            }
            from += 1;
        }
        if nodes.len() >= NODES_MAX {
            return None;
        }
        let mut kept = Vec::new();
        for &(local, at, _) in &nodes {
            kept.push(
                at == 0 && !self.after(world, (reader, local), sends, &sends.tail)?.is_empty(),
            );
        }
        lead_to(&mut kept, &edges);
        edges.retain(|&(from, to, weight)| kept[from] && kept[to] && weight.is_some());
        Some(kept.contains(&true) && is_positive(nodes.len(), &edges))
    }

    fn acts(
        &mut self,
        world: &mut World<'_>,
        machine: MachineId,
        local: LocalId,
        sends: &Sends,
    ) -> Option<Vec<(Act, LocalId)>> {
        let moves = world.system.moves(machine, local, StoreId::NONE);
        let mut heard: Vec<(QueueId, MessageId)> = Vec::new();
        for mv in moves.iter() {
            if let Effect::Receive { queue, .. } = mv.effect {
                heard.extend(sends.to(queue).map(|message| (queue, message)));
            }
        }
        heard.sort_unstable();
        heard.dedup();
        let key = (machine, local, heard);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let mut acts = Some(Vec::new());
        for mv in moves.iter() {
            let done = match mv.effect {
                Effect::Internal => Some(vec![(Act::Silent, mv.next)]),
                Effect::Fail { .. } => Some(Vec::new()),
                Effect::Send { queue, message, .. } => {
                    Some(vec![(Act::Send(queue, message), mv.next)])
                }
                Effect::Receive { queue, ear } => {
                    let program = world.system.program_mut();
                    let mut all = Some(Vec::new());
                    for &(_, message) in key.2.iter().filter(|(at, _)| *at == queue) {
                        match program.reception(machine, local, StoreId::NONE, ear, message) {
                            Reception::Take(ways) if ways.iter().all(|way| !way.keep) => {
                                let ways =
                                    ways.into_iter().map(|w| (Act::Take(queue, message), w.next));
                                if let Some(all) = &mut all {
                                    all.extend(ways);
                                }
                            }
                            Reception::Refuse | Reception::Crash => {}
                            Reception::Take(_) | Reception::Skip => all = None,
                        }
                    }
                    all
                }
                Effect::Spawn { .. }
                | Effect::Exit { .. }
                | Effect::Close { .. }
                | Effect::GiveUp { .. } => None,
            };
            acts = acts.zip(done).map(|(mut acts, done)| {
                acts.extend(done);
                acts
            });
        }
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

/// Adds the nodes from which a kept one is reached.
fn lead_to(kept: &mut [bool], edges: &[(usize, usize, Option<i64>)]) {
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
fn is_positive(n: usize, edges: &[(usize, usize, Option<i64>)]) -> bool {
    let many = n as i64 + 1;
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

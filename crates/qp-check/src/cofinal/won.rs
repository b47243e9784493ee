//! Positions that are won: rules W1 and W2.

use std::collections::BTreeMap;

use qp_claim::{Core, CoreDeed};
use qp_machines::System;

use super::Graph;
use crate::automata::{Automata, Scene, Status};
use crate::{Checked, wrong};

/// Who is bound to which transition, and who owes the next message of which queue.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Terms {
    bound: BTreeMap<u32, u32>,
    owed: BTreeMap<u32, u32>,
}

impl Terms {
    fn with_bound(&self, machine: u32, transition: u32) -> Self {
        let mut more = self.clone();
        more.bound.insert(machine, transition);
        more
    }

    fn with_owed(&self, queue: u32, machine: u32) -> Self {
        let mut more = self.clone();
        more.owed.insert(queue, machine);
        more
    }
}

/// For each terms and node: the rank, and the edge that is followed.
pub(super) struct Positions(BTreeMap<Terms, BTreeMap<u32, (u32, Option<u32>)>>);

impl Positions {
    pub(super) fn read(automata: &Automata, core: &Core) -> Checked<Self> {
        let mut all = BTreeMap::new();
        for (number, won) in core.won.iter().enumerate() {
            let senseless = || wrong(format!("the terms of table {number} make no sense"));
            let terms = Terms {
                bound: won.bound.iter().copied().collect(),
                owed: won.owed.iter().copied().collect(),
            };
            let is_sender = |(&queue, machine): (&u32, &u32)| {
                automata.senders(queue).is_some_and(|all| all.len() > 1 && all.contains(machine))
            };
            let listed = (won.bound.len(), won.owed.len(), won.nodes.len());
            let nodes: BTreeMap<u32, (u32, Option<u32>)> =
                won.nodes.iter().map(|&(node, rank, edge)| (node, (rank, edge))).collect();
            let once = (terms.bound.len(), terms.owed.len(), nodes.len());
            let is_known = terms.bound.iter().all(|(&machine, &it)| automata.has(machine, it));
            if listed != once || !is_known || !terms.owed.iter().all(is_sender) {
                return senseless();
            }
            if all.insert(terms, nodes).is_some() {
                return senseless();
            }
        }
        Ok(Self(all))
    }

    fn rank(&self, node: usize, terms: &Terms) -> Option<u32> {
        self.0.get(terms)?.get(&(node as u32)).map(|it| it.0)
    }

    fn has(&self, node: usize, terms: &Terms) -> bool {
        self.rank(node, terms).is_some()
    }

    /// Whether the graph catches up with a step that it leaves out at a node.
    pub(super) fn catch_up(
        &self,
        automata: &Automata,
        node: usize,
        machine: u32,
        transition: u32,
    ) -> bool {
        let terms = Terms::default().with_bound(machine, transition);
        let queue = automata.shared_queue(machine, transition);
        let terms = queue.map_or(terms.clone(), |queue| terms.with_owed(queue, machine));
        self.has(node, &terms)
    }

    /// Checks that every position is won.
    pub(super) fn check(
        &self,
        system: &System,
        automata: &Automata,
        graph: &Graph,
        core: &Core,
    ) -> Checked<()> {
        for (terms, nodes) in &self.0 {
            for (&node, &(rank, followed)) in nodes {
                system.go_on()?;
                let Some(scene) = graph.scenes.get(node as usize) else {
                    return wrong(format!("there is no node {node}"));
                };
                let at = At { positions: self, automata, graph, node: node as usize, scene, terms };
                let is_there = |(&machine, &it): (&u32, &u32)| {
                    automata.transition(machine, it).from == scene.locals[machine as usize]
                };
                let is_won = match followed {
                    None => at.is_won_at_once(),
                    Some(edge) => at.is_won_by_edge(core, rank, edge),
                };
                if !terms.bound.iter().all(is_there) || !is_won {
                    return wrong(format!("a position at node {node} is not won"));
                }
            }
        }
        Ok(())
    }
}

/// A position.
struct At<'a> {
    positions: &'a Positions,
    automata: &'a Automata,
    graph: &'a Graph,
    node: usize,
    scene: &'a Scene,
    terms: &'a Terms,
}

impl At<'_> {
    fn has_edge(&self, machine: u32, transition: u32) -> bool {
        self.graph.edges[self.node].contains_key(&(machine, transition))
    }

    /// W1: what somebody is bound to never comes, or it can be done.
    fn is_won_at_once(&self) -> bool {
        self.terms.bound.iter().any(|(&machine, &transition)| {
            self.automata.status(self.scene, machine, transition) == Status::Never
                || self.has_edge(machine, transition) && self.made(machine, transition, self.terms)
        })
    }

    /// W2: an edge of somebody who is not bound leads closer, whatever that machine is to do next.
    fn is_won_by_edge(&self, core: &Core, rank: u32, edge: u32) -> bool {
        let Some(edge) = core.edges.get(edge as usize) else { return false };
        let later = self.positions.rank(edge.to as usize, self.terms);
        edge.from as usize == self.node
            && !self.terms.bound.contains_key(&edge.machine)
            && later.is_some_and(|later| later < rank)
            && self.made(edge.machine, edge.transition, self.terms)
            && self
                .automata
                .leaving(self.scene, edge.machine)
                .all(|other| other == edge.transition || self.is_won_with(edge.machine, other))
    }

    /// Whether the position is won if a machine is to do something else next.
    fn is_won_with(&self, machine: u32, transition: u32) -> bool {
        if self.automata.status(self.scene, machine, transition) == Status::Never {
            return true;
        }
        let terms = self.terms.with_bound(machine, transition);
        let made = self.has_edge(machine, transition) && self.made(machine, transition, &terms);
        // Whoever can do it at once does it, unless a message of somebody else is owed first.
        made || self.may_wait(machine, transition) && self.positions.has(self.node, &terms)
    }

    /// Whether somebody may have to wait with what it does next.
    fn may_wait(&self, machine: u32, transition: u32) -> bool {
        let queue = self.automata.shared_queue(machine, transition);
        let is_owed = queue.is_some_and(|queue| self.terms.owed.contains_key(&queue));
        !self.has_edge(machine, transition) || is_owed
    }

    /// Whether a step with an edge, which is known to be the next one of its machine, is followed, or else won.
    fn made(&self, machine: u32, transition: u32, terms: &Terms) -> bool {
        let Some(queue) = self.automata.shared_queue(machine, transition) else { return true };
        if let Some(&debtor) = terms.owed.get(&queue) {
            return debtor == machine;
        }
        let senders = self.automata.senders(queue).into_iter().flatten();
        let mut rivals = senders.filter(|&&it| it != machine && self.is_rival(it, queue, terms));
        rivals.all(|&rival| self.positions.has(self.node, &terms.with_owed(queue, rival)))
    }

    /// Whether a machine may send to a queue from here on.
    fn is_rival(&self, machine: u32, queue: u32, terms: &Terms) -> bool {
        match terms.bound.get(&machine) {
            Some(&transition) => {
                let bound = self.automata.transition(machine, transition);
                matches!(bound.deed, CoreDeed::Send(to, _) if to == queue)
                    || self.automata.may_send(machine, bound.to, queue)
            }
            None => self.automata.may_send(machine, self.scene.locals[machine as usize], queue),
        }
    }
}

//! Whether an automaton has no words but those of another one, by antichains of pairs of states and sets of states.

use std::collections::BTreeMap;

use qp_base::{Interner, Map};
use qp_claim::SendPairs;
use qp_machines::Config;

use crate::search::evidence::listed;

use super::automaton::Automaton;
use super::world::{SendId, Stop, World};

/// More elements of sets are not kept.
const ELEMENTS_MAX: u64 = 6_000_000;

/// What comes of a comparison.
pub(super) enum Compared {
    /// No other words; these pairs show it.
    Included(Vec<(u32, u32)>),
    /// A shortest word that only the first has.
    Differs(Vec<SendId>),
}

/// Sets of states of an automaton that are closed under steps without sends.
pub(super) struct Sets {
    pub(super) of: Automaton,
    closed: Interner<usize, Vec<u32>>,
    /// For each set: some of its states from which the others are reached without sends.
    kernels: Vec<Vec<u32>>,
    posts: Vec<Option<Vec<(SendId, u32)>>>,
    elements: u64,
}

impl Sets {
    pub(super) fn new(of: Automaton) -> Self {
        let (closed, kernels, posts) = (Interner::new(), Vec::new(), Vec::new());
        Self { of, closed, kernels, posts, elements: 0 }
    }

    /// The set of everything that is reached from these states without sends.
    fn close(&mut self, world: &mut World<'_>, mut kernel: Vec<u32>) -> Result<u32, Stop> {
        kernel.sort_unstable();
        kernel.dedup();
        let mut all = kernel.clone();
        let mut seen: qp_base::Set<u32> = all.iter().copied().collect();
        let mut next = 0;
        while next < all.len() {
            for &(send, to) in self.of.edges(world, all[next])?.iter() {
                if send.is_none() && seen.insert(to) {
                    all.push(to);
                }
            }
            next += 1;
        }
        all.sort_unstable();
        let n = all.len() as u64;
        let set = self.closed.intern(all);
        if set == self.kernels.len() {
            self.elements += n;
            world.spend(self.elements)?;
            if self.elements > ELEMENTS_MAX {
                return Err(Stop::TooMuch);
            }
            self.kernels.push(kernel);
            self.posts.push(None);
        }
        Ok(set as u32)
    }

    /// What is reached by one send from a set, for each send that is possible.
    fn post(&mut self, world: &mut World<'_>, set: u32, send: SendId) -> Result<Option<u32>, Stop> {
        if self.posts[set as usize].is_none() {
            let mut by_send: BTreeMap<SendId, Vec<u32>> = BTreeMap::new();
            for row in self.closed.value(set as usize).clone() {
                for &(send, to) in self.of.edges(world, row)?.iter() {
                    if let Some(send) = send {
                        by_send.entry(send).or_default().push(to);
                    }
                }
            }
            let mut posts = Vec::new();
            for (send, kernel) in by_send {
                posts.push((send, self.close(world, kernel)?));
            }
            self.posts[set as usize] = Some(posts);
        }
        let posts = self.posts[set as usize].as_ref().expect("it was just made");
        Ok(posts.iter().find(|(other, _)| *other == send).map(|&(_, to)| to))
    }

    /// Whether one set is part of another.
    fn is_part(&self, part: u32, of: u32) -> bool {
        let of = self.closed.value(of as usize);
        self.kernels[part as usize].iter().all(|row| of.binary_search(row).is_ok())
    }
}

/// Compares the words of an automaton with those of another one.
pub(super) fn compare(
    world: &mut World<'_>,
    outer: &mut Automaton,
    inner: &mut Sets,
    pairs_max: usize,
) -> Result<Compared, Stop> {
    let first = inner.close(world, vec![0])?;
    let mut hunt = Hunt { nodes: Vec::new(), by_row: Map::default() };
    let (mut level, mut later) = (vec![(0, first, None)], Vec::new());
    while !level.is_empty() {
        // Everything with as many sends comes before anything with more.
        while let Some((row, set, from)) = level.pop() {
            let Some(number) = hunt.add(inner, row, set, from) else { continue };
            if hunt.nodes.len() > pairs_max {
                return Err(Stop::TooMuch);
            }
            for &(send, to) in outer.edges(world, row)?.iter() {
                let Some(send) = send else {
                    let from = hunt.nodes[number].from;
                    level.push((to, set, from));
                    continue;
                };
                match inner.post(world, set, send)? {
                    Some(next) => later.push((to, next, Some((number, send)))),
                    None => return Ok(Compared::Differs(hunt.word(number, send))),
                }
            }
        }
        later.reverse();
        level = std::mem::take(&mut later);
    }
    let alive = hunt.nodes.iter().filter(|node| node.is_alive);
    Ok(Compared::Included(alive.map(|node| (node.row, node.set)).collect()))
}

/// Where a pair comes from: a pair, and a send.
type From = Option<(usize, SendId)>;

struct Node {
    row: u32,
    set: u32,
    from: From,
    is_alive: bool,
}

struct Hunt {
    nodes: Vec<Node>,
    by_row: Map<u32, Vec<usize>>,
}

impl Hunt {
    /// The number of a pair, if none is there that says more.
    fn add(&mut self, sets: &Sets, row: u32, set: u32, from: From) -> Option<usize> {
        let others = self.by_row.entry(row).or_default();
        if others.iter().any(|&other| sets.is_part(self.nodes[other].set, set)) {
            return None;
        }
        let nodes = &mut self.nodes;
        others.retain(|&other| {
            nodes[other].is_alive = !sets.is_part(set, nodes[other].set);
            nodes[other].is_alive
        });
        others.push(nodes.len());
        nodes.push(Node { row, set, from, is_alive: true });
        Some(nodes.len() - 1)
    }

    /// The sends on the way to a pair, and one more.
    fn word(&self, number: usize, send: SendId) -> Vec<SendId> {
        let (mut word, mut from) = (vec![send], self.nodes[number].from);
        while let Some((number, send)) = from {
            word.push(send);
            from = self.nodes[number].from;
        }
        word.reverse();
        word
    }
}

/// Pairs as evidence: with nothing but what they are about.
pub(super) fn evidence(
    world: &World<'_>,
    (bound, prefix): (u32, u32),
    outer: &Automaton,
    inner: &Sets,
    pairs: &[(u32, u32)],
) -> SendPairs {
    let mut rows: Interner<usize, u32> = Interner::new();
    let mut sets: Interner<usize, u32> = Interner::new();
    let renumber = |&(row, set): &(u32, u32)| (rows.intern(row) as u32, sets.intern(set) as u32);
    let pairs: Vec<(u32, u32)> = pairs.iter().map(renumber).collect();
    let outer_rows: Vec<&Config> =
        rows.values().iter().map(|&row| &outer.rows()[row as usize]).collect();
    let inner_rows: Vec<&Config> = inner.of.rows().iter().collect();
    SendPairs {
        bound,
        prefix,
        outer: listed(&world.system, &outer_rows),
        inner: listed(&world.system, &inner_rows),
        sets: sets.values().iter().map(|&set| inner.kernels[set as usize].clone()).collect(),
        pairs,
    }
}

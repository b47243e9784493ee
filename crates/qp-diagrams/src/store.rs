//! Nodes: made once, found again by content, collected when nobody needs them.

use hashbrown::HashTable;

use crate::answers::Answers;
use crate::cache::{Cache, Op};
use crate::frame::Frame;

pub(crate) type NodeId = u32;

/// The empty set, at every level.
pub(crate) const EMPTY: NodeId = 0;
/// The set of the one tuple without values.
pub(crate) const UNIT: NodeId = 1;

/// A set of tuples. Equal sets of the same [`Diagrams`] are equal values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Set(pub(crate) NodeId);

impl Set {
    /// The set without tuples.
    pub const EMPTY: Self = Self(EMPTY);

    /// Whether there is no tuple in it.
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
}

/// How much may be spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Nodes that are in use at the same time.
    pub nodes_max: usize,
    /// Results that are worked out, and the arcs that are looked at for them. Those that are remembered
    /// do not count.
    pub work_max: u64,
}

/// Why an operation was given up. Everything that is held is as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Abort {
    /// There are too many nodes.
    Nodes,
    /// It is too much work.
    Work,
    /// Whoever was asked on the way said no.
    Stopped,
}

#[derive(Clone, Copy)]
struct Node {
    hash: u64,
    start: u32,
    len: u32,
    level: u32,
}

/// An arc: a value, and what may follow below.
pub(crate) type Arc = (u32, NodeId);

/// A level that no node has: it marks numbers that are free.
const NO_LEVEL: u32 = u32::MAX;

/// A store of diagrams.
pub struct Diagrams {
    nodes: Vec<Node>,
    free: Vec<NodeId>,
    arcs: Vec<Arc>,
    unique: HashTable<NodeId>,
    pub(crate) cache: Cache,
    pub(crate) answers: Answers,
    limits: Limits,
    work: u64,
    n_calls: u32,
    /// Sets that somebody holds.
    held: Vec<NodeId>,
    /// Nodes that an operation under way needs.
    pub(crate) pins: Vec<NodeId>,
    /// Arcs of nodes under construction.
    pub(crate) building: Vec<Arc>,
    /// Nodes under construction whose values come in any order.
    pub(crate) frames: Vec<Frame>,
    /// For each level: a node that was finished, to be used again.
    pub(crate) spare_frames: Vec<Frame>,
    /// Nodes are collected when there are so many.
    collect_at: usize,
    /// Whether nodes are collected at every opportunity.
    strict: bool,
}

impl Diagrams {
    /// An empty store.
    pub fn new(limits: Limits) -> Self {
        Self::with(limits, 1 << 22, false)
    }

    /// An empty store that forgets nearly everything at once and collects at every opportunity, for tests.
    pub fn tiny(limits: Limits) -> Self {
        Self::with(limits, 2, true)
    }

    fn with(limits: Limits, slots_max: usize, strict: bool) -> Self {
        let terminal = Node { hash: 0, start: 0, len: 0, level: NO_LEVEL };
        Self {
            nodes: vec![terminal; 2],
            free: Vec::new(),
            arcs: Vec::new(),
            unique: HashTable::new(),
            cache: Cache::new(slots_max),
            answers: Answers::default(),
            limits,
            work: 0,
            n_calls: 0,
            held: Vec::new(),
            pins: Vec::new(),
            building: Vec::new(),
            frames: Vec::new(),
            spare_frames: Vec::new(),
            collect_at: if strict { 0 } else { 1 << 14 },
            strict,
        }
    }

    /// Keeps a set until it is released as often as it was held.
    pub fn hold(&mut self, set: Set) -> Set {
        self.held.push(set.0);
        set
    }

    /// Gives up a set that was held.
    pub fn release(&mut self, set: Set) {
        let place = self.held.iter().rposition(|&held| held == set.0);
        self.held.swap_remove(place.expect("only what is held can be released"));
    }

    /// Other limits from now on. Work that was done counts.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Nodes in use, as far as is known without collecting.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len() - 2 - self.free.len()
    }

    /// Results that were worked out so far, and the arcs that were looked at for them.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Bytes of nodes and tables.
    pub fn bytes(&self) -> u64 {
        let nodes = self.nodes.len() * (size_of::<Node>() + 8);
        (nodes + self.arcs.len() * size_of::<Arc>()) as u64
            + self.cache.bytes()
            + self.answers.bytes()
    }

    /// Forgets results that depend on what events do: to be called when that changes.
    pub fn forget_moves(&mut self) {
        self.cache.forget_moves();
        self.answers.clear();
    }

    /// Collects the nodes that no held set needs.
    pub fn collect(&mut self) {
        let mut is_alive = vec![false; self.nodes.len()];
        (is_alive[EMPTY as usize], is_alive[UNIT as usize]) = (true, true);
        let mut open: Vec<NodeId> = self.held.iter().chain(&self.pins).copied().collect();
        open.extend(self.building.iter().map(|&(_, child)| child));
        open.extend(self.frames.iter().flat_map(Frame::children));
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut is_alive[node as usize], true) {
                open.extend(self.arcs(node).iter().map(|&(_, child)| child));
            }
        }
        self.sweep(&is_alive);
    }

    fn sweep(&mut self, is_alive: &[bool]) {
        self.unique.retain(|&mut node| is_alive[node as usize]);
        self.cache.sweep(|node| is_alive[node as usize]);
        let mut arcs = Vec::with_capacity(self.arcs.len());
        for (number, node) in self.nodes.iter_mut().enumerate().skip(2) {
            if is_alive[number] {
                let start = arcs.len() as u32;
                arcs.extend_from_slice(&self.arcs[node.start as usize..][..node.len as usize]);
                node.start = start;
            } else if node.level != NO_LEVEL {
                node.level = NO_LEVEL;
                self.free.push(number as NodeId);
            }
        }
        self.arcs = arcs;
        self.collect_at = if self.strict { 0 } else { (2 * self.n_nodes()).max(1 << 14) };
    }

    /// The level of a node that has one.
    pub(crate) fn level(&self, node: NodeId) -> u32 {
        debug_assert!(self.nodes[node as usize].level != NO_LEVEL, "node {node} is gone");
        self.nodes[node as usize].level
    }

    pub(crate) fn arcs(&self, node: NodeId) -> &[Arc] {
        let node = &self.nodes[node as usize];
        &self.arcs[node.start as usize..][..node.len as usize]
    }

    pub(crate) fn n_arcs(&self, node: NodeId) -> usize {
        self.nodes[node as usize].len as usize
    }

    /// The arc with this number. Arcs move when nodes are collected, so loops that make nodes ask for
    /// each.
    pub(crate) fn arc(&self, node: NodeId, number: usize) -> Arc {
        debug_assert!(number < self.n_arcs(node));
        self.arcs[self.nodes[node as usize].start as usize + number]
    }

    /// What follows a value.
    pub(crate) fn child(&self, node: NodeId, value: u32) -> NodeId {
        let arcs = self.arcs(node);
        arcs.binary_search_by_key(&value, |&(value, _)| value).map_or(EMPTY, |at| arcs[at].1)
    }

    /// The node whose arcs are those under construction from `base` on, which must be in order and lead to
    /// something. They are taken away.
    pub(crate) fn make(&mut self, level: u32, base: usize) -> Result<NodeId, Abort> {
        if self.building.len() == base {
            return Ok(EMPTY);
        }
        let fresh = &self.building[base..];
        debug_assert!(fresh.windows(2).all(|pair| pair[0].0 < pair[1].0));
        debug_assert!(fresh.iter().all(|&(_, child)| child != EMPTY));
        let hash = hash(level, fresh);
        let is_same =
            |&node: &NodeId| self.nodes[node as usize].level == level && self.arcs(node) == fresh;
        if let Some(&node) = self.unique.find(hash, is_same) {
            self.building.truncate(base);
            return Ok(node);
        }
        if self.n_nodes() >= self.collect_at.min(self.limits.nodes_max) {
            self.collect();
            // If little was found, the next collection would come too soon.
            if self.n_nodes() >= self.limits.nodes_max / 8 * 7 {
                return Err(Abort::Nodes);
            }
        }
        let start = self.arcs.len() as u32;
        self.arcs.extend_from_slice(&self.building[base..]);
        let len = (self.building.len() - base) as u32;
        self.building.truncate(base);
        let fresh = Node { hash, start, len, level };
        let node = if let Some(node) = self.free.pop() {
            self.nodes[node as usize] = fresh;
            node
        } else {
            self.nodes.push(fresh);
            self.cache.grow(8 * self.nodes.len());
            self.nodes.len() as NodeId - 1
        };
        let nodes = &self.nodes;
        self.unique.insert_unique(hash, node, |&other| nodes[other as usize].hash);
        Ok(node)
    }

    /// A result that is remembered.
    pub(crate) fn known(&self, op: Op, a: NodeId, b: NodeId) -> Option<NodeId> {
        self.cache.get(op, a, b)
    }

    /// Accounts for a result that has to be worked out from so many arcs.
    pub(crate) fn spend(&mut self, n_arcs: usize) -> Result<(), Abort> {
        self.work += 1 + n_arcs as u64;
        if self.work > self.limits.work_max { Err(Abort::Work) } else { Ok(()) }
    }

    /// A number for the function of one call.
    pub(crate) fn call(&mut self) -> u32 {
        self.n_calls = (self.n_calls + 1) % (1 << 28);
        self.n_calls
    }

    /// Runs an operation whose operands are kept meanwhile, and tidies up after it.
    pub(crate) fn operate<T>(
        &mut self,
        operands: &[Set],
        operation: impl FnOnce(&mut Self) -> Result<T, Abort>,
    ) -> Result<T, Abort> {
        assert!(self.frames.is_empty() && self.building.is_empty() && self.pins.is_empty());
        self.pins.extend(operands.iter().map(|set| set.0));
        let result = operation(self);
        debug_assert!(result.is_err() || self.pins.len() == operands.len());
        self.pins.clear();
        self.building.clear();
        self.frames.clear();
        result
    }
}

fn hash(level: u32, arcs: &[Arc]) -> u64 {
    let mut hash = u64::from(level);
    for &(value, child) in arcs {
        let word = u64::from(value) << 32 | u64::from(child);
        hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    let mixed = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ mixed >> 29
}

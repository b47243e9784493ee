//! Sets of ways as diagrams, for what has to be worked out.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use qp_machines::Patience;

use crate::diagram::levels::Levels;
use crate::diagram::rules::Touches;
use crate::{Checked, Refusal};

/// A set of ways from some level on: the number of a node, or nothing.
pub(crate) type Set = Option<u32>;

/// Values in order, and where each leads.
type Node = Arc<[(u32, u32)]>;

/// All nodes. Equal sets are equal nodes, and no node is without a value.
pub(crate) struct Sets {
    nodes: Vec<Node>,
    numbers: HashMap<Node, u32>,
    merged: HashMap<(Merge, u32, u32), Set>,
    /// The nodes of the diagram, by level.
    levels: Vec<Vec<u32>>,
    /// The set of all its ways.
    pub(crate) all: Set,
    /// Arcs that were looked at.
    work: u64,
    patience: Patience,
}

/// More work than this takes too long.
const WORK_MAX: u64 = 200_000_000;

/// What to keep of two sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Merge {
    Either,
    Both,
    FirstOnly,
}

/// On a level that nobody looks at.
const ANYTHING: u32 = u32::MAX - 1;

/// The set of the one way that has nothing before it: what is behind the last level.
const END: u32 = 0;

impl Sets {
    /// The set of all ways through a diagram.
    pub(crate) fn read(levels: &Levels, patience: &Patience) -> Checked<Self> {
        // The end has to be a node like others, and no other node has no values.
        let end = Node::from([]);
        let numbers = HashMap::from([(end.clone(), END)]);
        let (nodes, merged, all) = (vec![end], HashMap::new(), Some(END));
        let (levels_read, patience) = (vec![vec![END]], patience.clone());
        let mut sets = Self { nodes, numbers, merged, levels: levels_read, all, work: 0, patience };
        for level in levels.all.iter().rev() {
            let mut here = Vec::new();
            for node in &level.nodes {
                let arcs = node.iter().map(|(&value, &to)| (value, sets.levels[0][to as usize]));
                here.push(sets.node(arcs.collect())?.expect("every node has a value"));
            }
            sets.all = here.first().copied();
            sets.levels.insert(0, here);
        }
        Ok(sets)
    }

    fn node(&mut self, arcs: Vec<(u32, u32)>) -> Checked<Set> {
        self.work += 1 + arcs.len() as u64;
        if self.work > WORK_MAX {
            return Err(Refusal::TooLarge);
        }
        if self.nodes.len().is_multiple_of(1024) {
            self.patience.go_on()?;
        }
        if arcs.is_empty() {
            return Ok(None);
        }
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(arcs.into()).or_insert_with_key(|arcs| {
            self.nodes.push(arcs.clone());
            next
        });
        Ok(Some(number))
    }

    /// What two sets from the same level on come to.
    pub(crate) fn merge(&mut self, how: Merge, first: Set, second: Set) -> Checked<Set> {
        let (a, b) = match (how, first, second) {
            (_, Some(a), Some(b)) => (a, b),
            (Merge::Either, a, b) => return Ok(a.or(b)),
            (Merge::Both, ..) => return Ok(None),
            (Merge::FirstOnly, a, _) => return Ok(a),
        };
        if a == b {
            return Ok(if how == Merge::FirstOnly { None } else { Some(a) });
        }
        if let Some(&known) = self.merged.get(&(how, a, b)) {
            return Ok(known);
        }
        let (left, right) = (self.nodes[a as usize].clone(), self.nodes[b as usize].clone());
        let values: BTreeSet<u32> = left.iter().chain(right.iter()).map(|arc| arc.0).collect();
        let mut arcs = Vec::new();
        for value in values {
            let behind = self.merge(how, behind(&left, value), behind(&right, value))?;
            arcs.extend(behind.map(|behind| (value, behind)));
        }
        let merged = self.node(arcs)?;
        self.merged.insert((how, a, b), merged);
        Ok(merged)
    }

    /// The ways of a set on which a rule is possible; with a target, those from which it leads there.
    pub(crate) fn before(&mut self, touches: &Touches, set: Set, to: Option<Set>) -> Checked<Set> {
        Before { touches, known: HashMap::new() }.of(self, 0, set, to)
    }

    /// Whether a rule leads out of the diagram. Above the first level that it touches, ways stay as they are.
    pub(crate) fn leads_out(&mut self, touches: &Touches) -> Checked<bool> {
        let Some(&first) = touches.keys().next() else { return Ok(false) };
        let mut before = Before { touches, known: HashMap::new() };
        for node in self.levels[first].clone() {
            let possible = before.of(self, first, Some(node), None)?;
            if before.of(self, first, Some(node), Some(Some(node)))? != possible {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What somebody sees of a set who looks at these levels only: on all others nothing is told apart.
    pub(crate) fn project(&mut self, set: Set, seen: &BTreeSet<usize>) -> Checked<Set> {
        self.projected(0, set, seen, &mut HashMap::new())
    }

    fn projected(
        &mut self,
        level: usize,
        set: Set,
        seen: &BTreeSet<usize>,
        known: &mut HashMap<u32, Set>,
    ) -> Checked<Set> {
        let Some(node) = set.filter(|&node| node != END) else { return Ok(set) };
        if let Some(&known) = known.get(&node) {
            return Ok(known);
        }
        let (mut arcs, mut any) = (Vec::new(), None);
        for &(value, next) in &*self.nodes[node as usize].clone() {
            let behind = self.projected(level + 1, Some(next), seen, known)?;
            if seen.contains(&level) {
                arcs.extend(behind.map(|behind| (value, behind)));
            } else {
                any = self.merge(Merge::Either, any, behind)?;
            }
        }
        arcs.extend(any.map(|behind| (ANYTHING, behind)));
        let projected = self.node(arcs)?;
        known.insert(node, projected);
        Ok(projected)
    }

    /// The values of a level that stand on some way of a set.
    pub(crate) fn values(&mut self, set: Set, level: usize) -> BTreeSet<u32> {
        let mut here: BTreeSet<u32> = set.into_iter().collect();
        for _ in 0..level {
            let arcs = here.iter().flat_map(|&node| self.nodes[node as usize].iter());
            here = arcs.map(|arc| arc.1).collect();
            self.work += here.len() as u64;
        }
        let arcs = here.iter().flat_map(|&node| self.nodes[node as usize].iter());
        arcs.map(|arc| arc.0).collect()
    }
}

/// Where a value leads.
fn behind(node: &Node, value: u32) -> Set {
    let place = node.binary_search_by_key(&value, |arc| arc.0);
    place.ok().map(|place| node[place].1)
}

/// Works out where a rule leads from.
struct Before<'a> {
    touches: &'a Touches,
    known: HashMap<(u32, Option<u32>), Set>,
}

impl Before<'_> {
    /// The same from some level on.
    fn of(&mut self, sets: &mut Sets, level: usize, set: Set, to: Option<Set>) -> Checked<Set> {
        let (set, target) = match (set, to) {
            (None, _) | (_, Some(None)) => return Ok(None),
            (Some(set), target) => (set, target.flatten()),
        };
        if self.touches.keys().next_back().is_none_or(|&last| level > last) {
            return sets.merge(Merge::Both, Some(set), target.or(Some(set)));
        }
        if let Some(&known) = self.known.get(&(set, target)) {
            return Ok(known);
        }
        let mut arcs = Vec::new();
        for (value, next, after) in self.changed(&sets.nodes[set as usize], level) {
            let to = target.map(|target| behind(&sets.nodes[target as usize], after));
            let found = self.of(sets, level + 1, Some(next), to)?;
            arcs.extend(found.map(|found| (value, found)));
        }
        let found = sets.node(arcs)?;
        self.known.insert((set, target), found);
        Ok(found)
    }

    /// The values of a node that the rule allows, where each leads, and what becomes of it.
    fn changed(&self, node: &Node, level: usize) -> Vec<(u32, u32, u32)> {
        match self.touches.get(&level) {
            None => node.iter().map(|&(value, next)| (value, next, value)).collect(),
            Some(relation) if relation.len() < node.len() => relation
                .iter()
                .filter_map(|(&value, &after)| Some((value, behind(node, value)?, after)))
                .collect(),
            Some(relation) => node
                .iter()
                .filter_map(|&(value, next)| Some((value, next, *relation.get(&value)?)))
                .collect(),
        }
    }
}

//! Sets of ways as diagrams, for what has to be worked out.

use std::collections::{BTreeMap, HashMap};

use crate::levels::Levels;
use crate::rules::Touches;
use crate::{Checked, Work};

/// A set of ways from some level on: the number of a node, or nothing.
pub(crate) type Set = Option<u32>;

/// All nodes. Equal sets are equal nodes, and no node is without a value.
pub(crate) struct Sets {
    nodes: Vec<BTreeMap<u32, u32>>,
    numbers: HashMap<BTreeMap<u32, u32>, u32>,
    merged: HashMap<(Merge, u32, u32), Set>,
    work: Work,
}

/// What to keep of two sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Merge {
    Either,
    Both,
    FirstOnly,
}

/// The set of the one way that has nothing before it: what is behind the last level.
const END: u32 = 0;

impl Sets {
    /// The set of all ways through a diagram.
    pub(crate) fn read(levels: &Levels) -> Checked<(Self, Set)> {
        // The end has to be a node like others, and no other node has no values.
        let end = BTreeMap::new();
        let numbers = HashMap::from([(end.clone(), END)]);
        let (merged, work) = (HashMap::new(), Work::default());
        let mut sets = Self { nodes: vec![end], numbers, merged, work };
        let mut below = vec![END];
        for level in levels.all.iter().rev() {
            let mut here = Vec::new();
            for node in &level.nodes {
                let arcs = node.iter().map(|(&value, &to)| (value, below[to as usize]));
                let arcs = arcs.collect();
                here.push(sets.node(arcs)?.expect("every node has a value"));
            }
            below = here;
        }
        Ok((sets, below.first().copied()))
    }

    fn node(&mut self, arcs: BTreeMap<u32, u32>) -> Checked<Set> {
        self.work.spend(1 + arcs.len())?;
        if arcs.is_empty() {
            return Ok(None);
        }
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(arcs).or_insert_with_key(|arcs| {
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
        let mut arcs = BTreeMap::new();
        let (left, right) = (self.nodes[a as usize].clone(), self.nodes[b as usize].clone());
        for value in left.keys().chain(right.keys()) {
            if !arcs.contains_key(value) {
                let of = |node: &BTreeMap<u32, u32>| node.get(value).copied();
                let behind = self.merge(how, of(&left), of(&right))?;
                behind.map(|behind| arcs.insert(*value, behind));
            }
        }
        let merged = self.node(arcs)?;
        self.merged.insert((how, a, b), merged);
        Ok(merged)
    }

    /// The ways of a set on which a rule is possible; with a target, those from which it leads into the target.
    pub(crate) fn before(
        &mut self,
        touches: &Touches,
        set: Set,
        target: Option<Set>,
    ) -> Checked<Set> {
        let last = touches.keys().next_back().copied();
        let mut before = Before { touches, last, known: HashMap::new() };
        let Some(set) = set else { return Ok(None) };
        match target {
            Some(None) => Ok(None),
            Some(Some(target)) => before.of(self, 0, set, Some(target)),
            None => before.of(self, 0, set, None),
        }
    }
}

/// Works out where a rule leads from.
struct Before<'a> {
    touches: &'a Touches,
    last: Option<usize>,
    known: HashMap<(u32, Option<u32>), Set>,
}

impl Before<'_> {
    /// The same from some level on.
    fn of(&mut self, sets: &mut Sets, level: usize, set: u32, target: Option<u32>) -> Checked<Set> {
        if self.last.is_none_or(|last| level > last) {
            return match target {
                Some(target) => sets.merge(Merge::Both, Some(set), Some(target)),
                None => Ok(Some(set)),
            };
        }
        if let Some(&known) = self.known.get(&(set, target)) {
            return Ok(known);
        }
        let mut arcs = BTreeMap::new();
        for (value, behind) in sets.nodes[set as usize].clone() {
            let mut found = None;
            for after in self.images(level, value) {
                let to = target.map(|target| sets.nodes[target as usize].get(&after).copied());
                let some = match to {
                    Some(None) => None,
                    Some(to) => self.of(sets, level + 1, behind, to)?,
                    None => self.of(sets, level + 1, behind, None)?,
                };
                found = sets.merge(Merge::Either, found, some)?;
            }
            found.map(|found| arcs.insert(value, found));
        }
        let found = sets.node(arcs)?;
        self.known.insert((set, target), found);
        Ok(found)
    }

    /// What can become of a value: nothing where the rule is not possible.
    fn images(&self, level: usize, value: u32) -> Vec<u32> {
        match self.touches.get(&level) {
            None => vec![value],
            Some(relation) => relation.get(&value).into_iter().flatten().copied().collect(),
        }
    }
}

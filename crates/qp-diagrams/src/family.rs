//! Union, intersection, difference and inclusion.

use std::cmp::Ordering;

use crate::cache::Op;
use crate::store::{Abort, Diagrams, EMPTY, NodeId, Set, UNIT};

impl Diagrams {
    /// What is in one of two sets.
    pub fn union(&mut self, a: Set, b: Set) -> Result<Set, Abort> {
        self.operate(&[a, b], |it| it.join(a.0, b.0)).map(Set)
    }

    /// What is in both of two sets.
    pub fn intersection(&mut self, a: Set, b: Set) -> Result<Set, Abort> {
        self.operate(&[a, b], |it| it.meet(a.0, b.0)).map(Set)
    }

    /// What is in the first set and not in the second.
    pub fn difference(&mut self, a: Set, b: Set) -> Result<Set, Abort> {
        self.operate(&[a, b], |it| it.subtract(a.0, b.0)).map(Set)
    }

    /// Whether everything in the first set is in the second.
    pub fn is_subset(&mut self, a: Set, b: Set) -> Result<bool, Abort> {
        self.operate(&[a, b], |it| it.is_within(a.0, b.0))
    }

    /// The union of two nodes of one level.
    pub(crate) fn join(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Abort> {
        if a == b || b == EMPTY {
            return Ok(a);
        }
        if a == EMPTY {
            return Ok(b);
        }
        let (a, b) = (a.min(b), a.max(b));
        if let Some(known) = self.known(Op::Union, a, b) {
            return Ok(known);
        }
        self.spend(self.n_arcs(a) + self.n_arcs(b))?;
        debug_assert_eq!(self.level(a), self.level(b));
        let (base, level) = (self.building.len(), self.level(a));
        let (mut i, mut j) = (0, 0);
        while i < self.n_arcs(a) || j < self.n_arcs(b) {
            let (left, right) = self.heads((a, i), (b, j));
            match left.0.cmp(&right.0) {
                Ordering::Less => self.building.push(left),
                Ordering::Greater => self.building.push(right),
                Ordering::Equal => {
                    let child = self.join(left.1, right.1)?;
                    self.building.push((left.0, child));
                }
            }
            i += usize::from(left.0 <= right.0);
            j += usize::from(right.0 <= left.0);
        }
        let result = self.make(level, base)?;
        self.cache.set(Op::Union, a, b, result);
        Ok(result)
    }

    /// The next arcs of two nodes; beyond the last one comes a value that is greater than all others.
    fn heads(&self, (a, i): (NodeId, usize), (b, j): (NodeId, usize)) -> ((u32, u32), (u32, u32)) {
        let head = |node, number| {
            if number < self.n_arcs(node) { self.arc(node, number) } else { (u32::MAX, EMPTY) }
        };
        (head(a, i), head(b, j))
    }

    /// The intersection of two nodes of one level.
    pub(crate) fn meet(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Abort> {
        if a == b || a == EMPTY {
            return Ok(a);
        }
        if b == EMPTY {
            return Ok(EMPTY);
        }
        let (a, b) = (a.min(b), a.max(b));
        if let Some(known) = self.known(Op::Intersection, a, b) {
            return Ok(known);
        }
        self.spend(self.n_arcs(a))?;
        debug_assert_eq!(self.level(a), self.level(b));
        let (base, level) = (self.building.len(), self.level(a));
        let (mut i, mut j) = (0, 0);
        while i < self.n_arcs(a) && j < self.n_arcs(b) {
            let (left, right) = (self.arc(a, i), self.arc(b, j));
            if left.0 == right.0 {
                let child = self.meet(left.1, right.1)?;
                if child != EMPTY {
                    self.building.push((left.0, child));
                }
            }
            i += usize::from(left.0 <= right.0);
            j += usize::from(right.0 <= left.0);
        }
        let result = self.make(level, base)?;
        self.cache.set(Op::Intersection, a, b, result);
        Ok(result)
    }

    /// What a node has that another one of its level has not.
    fn subtract(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Abort> {
        if a == b || a == EMPTY {
            return Ok(EMPTY);
        }
        if b == EMPTY {
            return Ok(a);
        }
        if let Some(known) = self.known(Op::Difference, a, b) {
            return Ok(known);
        }
        self.spend(self.n_arcs(a))?;
        debug_assert_eq!(self.level(a), self.level(b));
        let (base, level) = (self.building.len(), self.level(a));
        for number in 0..self.n_arcs(a) {
            let (value, mine) = self.arc(a, number);
            let child = self.subtract(mine, self.child(b, value))?;
            if child != EMPTY {
                self.building.push((value, child));
            }
        }
        let result = self.make(level, base)?;
        self.cache.set(Op::Difference, a, b, result);
        Ok(result)
    }

    fn is_within(&mut self, a: NodeId, b: NodeId) -> Result<bool, Abort> {
        if a == b || a == EMPTY {
            return Ok(true);
        }
        if b == EMPTY || self.n_arcs(a) > self.n_arcs(b) {
            return Ok(false);
        }
        if let Some(known) = self.known(Op::Inclusion, a, b) {
            return Ok(known == UNIT);
        }
        self.spend(self.n_arcs(a))?;
        let mut is_within = true;
        for number in 0..self.n_arcs(a) {
            let (value, mine) = self.arc(a, number);
            is_within = self.is_within(mine, self.child(b, value))?;
            if !is_within {
                break;
            }
        }
        self.cache.set(Op::Inclusion, a, b, if is_within { UNIT } else { EMPTY });
        Ok(is_within)
    }
}

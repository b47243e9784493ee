//! Single tuples.

use crate::store::{Abort, Diagrams, EMPTY, NodeId, Set, UNIT};

impl Diagrams {
    /// The set of one tuple, given from the lowest level to the highest.
    pub fn single(&mut self, tuple: &[u32]) -> Result<Set, Abort> {
        self.operate(&[], |it| it.path(tuple)).map(Set)
    }

    /// A set with one tuple more.
    pub fn with_tuple(&mut self, set: Set, tuple: &[u32]) -> Result<Set, Abort> {
        self.operate(&[set], |it| {
            let path = it.path(tuple)?;
            it.pins.push(path);
            let joined = it.join(set.0, path);
            it.pins.pop();
            joined
        })
        .map(Set)
    }

    fn path(&mut self, tuple: &[u32]) -> Result<NodeId, Abort> {
        let mut node = UNIT;
        for (level, &value) in tuple.iter().enumerate() {
            let base = self.building.len();
            self.building.push((value, node));
            node = self.make(level as u32, base)?;
        }
        Ok(node)
    }

    /// The same tuples with one level more on top, where all of them have this value.
    pub fn lift(&mut self, set: Set, level: usize, value: u32) -> Result<Set, Abort> {
        self.operate(&[set], |it| {
            if set.0 != EMPTY {
                it.building.push((value, set.0));
            }
            it.make(level as u32, 0)
        })
        .map(Set)
    }

    /// Whether a tuple, given from the lowest level to the highest, is in a set.
    pub fn contains(&self, set: Set, tuple: &[u32]) -> bool {
        let follow = |node: NodeId, &value: &u32| match node {
            EMPTY => EMPTY,
            node => self.child(node, value),
        };
        tuple.iter().rev().fold(set.0, follow) != EMPTY
    }

    /// Calls `f` with every tuple, in the order of their values from the highest level to the lowest, until it says
    /// no. Tuples are given from the lowest level to the highest.
    pub fn each(&self, set: Set, mut f: impl FnMut(&[u32]) -> bool) {
        if set.0 == EMPTY {
            return;
        }
        if set.0 == UNIT {
            f(&[]);
            return;
        }
        let mut tuple = vec![0; self.level(set.0) as usize + 1];
        // The nodes on the way down, each with the number of its next arc.
        let mut way = vec![(set.0, 0)];
        while let Some((node, number)) = way.pop() {
            if number == self.n_arcs(node) {
                continue;
            }
            way.push((node, number + 1));
            let (value, child) = self.arc(node, number);
            tuple[self.level(node) as usize] = value;
            if child != UNIT {
                way.push((child, 0));
            } else if !f(&tuple) {
                return;
            }
        }
    }

    /// The first tuple in the order of [`Diagrams::each`].
    pub fn first(&self, set: Set) -> Option<Vec<u32>> {
        let mut first = None;
        self.each(set, |tuple| {
            first = Some(tuple.to_vec());
            false
        });
        first
    }

    /// For each level, from the lowest: the values that occur there, in order.
    pub fn values(&self, set: Set) -> Vec<Vec<u32>> {
        let Some(n_levels) = (set.0 > UNIT).then(|| self.level(set.0) as usize + 1) else {
            return Vec::new();
        };
        let mut values = vec![Vec::new(); n_levels];
        for node in self.below(set) {
            let found = self.arcs(node).iter().map(|&(value, _)| value);
            values[self.level(node) as usize].extend(found);
        }
        for values in &mut values {
            values.sort_unstable();
            values.dedup();
        }
        values
    }

    /// The nodes of a set that is not empty, level by level from the highest: for each node its values, in order, and for
    /// each of them the number of the node of the next level that it leads to. The highest level has one node, and below
    /// the lowest there is one, too.
    pub fn nodes(&self, set: Set) -> Vec<Vec<Vec<(u32, u32)>>> {
        let Some(n_levels) = (set.0 > UNIT).then(|| self.level(set.0) as usize + 1) else {
            return Vec::new();
        };
        let (mut numbers, mut counts) = (qp_base::Map::default(), vec![0_u32; n_levels]);
        numbers.insert(UNIT, 0);
        let below = self.below(set);
        for &node in &below {
            let count = &mut counts[self.level(node) as usize];
            numbers.insert(node, *count);
            *count += 1;
        }
        let mut nodes = vec![Vec::new(); n_levels];
        for node in below {
            let arcs = self.arcs(node).iter().map(|&(value, child)| (value, numbers[&child]));
            nodes[n_levels - 1 - self.level(node) as usize].push(arcs.collect());
        }
        nodes
    }

    /// How many nodes a set has.
    pub fn size(&self, set: Set) -> usize {
        self.below(set).len()
    }

    /// The nodes of a set, each before those it leads to.
    pub(crate) fn below(&self, set: Set) -> Vec<NodeId> {
        let mut seen = qp_base::Set::default();
        let mut found = vec![set.0];
        found.retain(|&node| node > UNIT);
        let mut looked = 0;
        while looked < found.len() {
            for &(_, child) in self.arcs(found[looked]) {
                if child > UNIT && seen.insert(child) {
                    found.push(child);
                }
            }
            looked += 1;
        }
        found
    }
}

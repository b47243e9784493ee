//! The tables: sorts of slots, classes of collections, and what can still be done from each place of the code.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_base::Map;
use qp_claim::SortedSet;
use qp_machines::{ClassId, SlotId, Use, ValueFlow};

use crate::{Checked, wrong};

/// Tables that were checked.
pub(super) struct Tables {
    sorts: Vec<u32>,
    classes: Vec<u32>,
    /// All uses, in the order in which they are met.
    uses: Vec<(SlotId, Use)>,
    /// Sets of uses.
    sets: Vec<BTreeSet<u32>>,
    /// For each node: the set of uses from there on.
    future: Vec<u32>,
    /// Sorts that are in keys or elements.
    keyed: BTreeSet<u32>,
    /// Classes of collections whose entries all matter.
    counted: BTreeSet<u32>,
}

impl Tables {
    /// Checks the tables, place by place: numbers are exchanged inside of sorts only, and what is done at a node, or from
    /// the next ones on, is in its set.
    pub(super) fn check(flow: &Arc<ValueFlow>, sorted: &SortedSet) -> Checked<Self> {
        let SortedSet { sorts, classes, uses: sets, future, .. } = sorted;
        if sorts.len() != flow.slots.len()
            || classes.len() != flow.n_classes
            || future.len() != flow.nodes.len()
        {
            return wrong("the sorts are not those of the program");
        }
        for (a, b) in &flow.same {
            if sorts[a.index()] != sorts[b.index()] {
                return wrong(format!("numbers go from {a:?} to {b:?}, which are of two sorts"));
            }
        }
        for (a, b) in &flow.alike {
            if classes[a.index()] != classes[b.index()] {
                return wrong(format!("collections go from {a:?} to {b:?}, which are not alike"));
            }
        }
        let (mut uses, mut numbers) = (Vec::new(), Map::default());
        for it in flow.nodes.iter().flat_map(|node| &node.uses) {
            numbers.entry(*it).or_insert_with(|| {
                uses.push(*it);
                uses.len() as u32 - 1
            });
        }
        let sets: Vec<BTreeSet<u32>> = sets.iter().map(|it| it.iter().copied().collect()).collect();
        if sets.iter().flatten().any(|&it| it as usize >= uses.len()) {
            return wrong("there is a use that the program has not");
        }
        let of = |node: usize| -> Checked<&BTreeSet<u32>> {
            sets.get(future[node] as usize).ok_or_else(|| format!("node {node} has no set").into())
        };
        for (number, node) in flow.nodes.iter().enumerate() {
            let here = of(number)?;
            if let Some(it) = node.uses.iter().find(|it| !here.contains(&numbers[*it])) {
                return wrong(format!("{it:?} is missing at node {number}"));
            }
            for &next in &node.next {
                if future[next as usize] != future[number] && !of(next as usize)?.is_subset(here) {
                    return wrong(format!("node {number} does not know what node {next} does"));
                }
            }
        }
        let slots = flow.slots.iter().zip(sorts).filter(|(slot, _)| slot.is_key);
        Ok(Self {
            keyed: slots.map(|(_, &sort)| sort).collect(),
            counted: flow.counted.iter().map(|class| classes[class.index()]).collect(),
            sorts: sorts.clone(),
            classes: classes.clone(),
            uses,
            future: future.clone(),
            sets,
        })
    }

    pub(super) fn sort(&self, slot: SlotId) -> u32 {
        self.sorts[slot.index()]
    }

    /// Whether numbers of a sort are in keys or elements.
    pub(super) fn is_keyed(&self, sort: u32) -> bool {
        self.keyed.contains(&sort)
    }

    /// Whether all entries of a collection matter, whoever asks for them.
    pub(super) fn is_counted(&self, class: ClassId) -> bool {
        self.counted.contains(&self.classes[class.index()])
    }

    /// Everything that can still be done from these nodes.
    pub(super) fn future(&self, nodes: &[u32]) -> BTreeSet<(SlotId, Use)> {
        let sets = nodes.iter().flat_map(|&node| &self.sets[self.future[node as usize] as usize]);
        sets.map(|&it| self.uses[it as usize]).collect()
    }
}

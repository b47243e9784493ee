//! Sets of another store.

use qp_base::Map;

use crate::store::{Abort, Diagrams, EMPTY, NodeId, Set, UNIT};

impl Diagrams {
    /// The tuples of a set of another store, with each value replaced by what `label` says of level and value. Different
    /// values may become the same.
    pub fn adopt(
        &mut self,
        from: &Self,
        set: Set,
        mut label: impl FnMut(usize, u32) -> u32,
    ) -> Result<Set, Abort> {
        let mut known: Map<NodeId, NodeId> = Map::default();
        known.insert(EMPTY, EMPTY);
        known.insert(UNIT, UNIT);
        self.operate(&[], |it| {
            // Layers have nothing but arcs to the next one, so the reverse order has children first.
            for node in from.below(set).into_iter().rev() {
                it.spend(from.n_arcs(node))?;
                let level = from.level(node);
                it.open_frame(level);
                for &(value, child) in from.arcs(node) {
                    it.put(label(level as usize, value), known[&child])?;
                }
                let own = it.close_frame(level)?;
                it.pins.push(own);
                known.insert(node, own);
            }
            it.pins.clear();
            Ok(known[&set.0])
        })
        .map(Set)
    }
}

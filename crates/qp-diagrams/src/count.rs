//! How many tuples there are.

use num_bigint::BigUint;
use qp_base::Map;

use crate::store::{Diagrams, EMPTY, NodeId, Set, UNIT};

impl Diagrams {
    /// How many tuples are in a set.
    pub fn count(&self, set: Set) -> BigUint {
        self.weigh(set, |_, _| 1)
    }

    /// The sum over all tuples of the product of the weights of their values, by level and value.
    pub fn weigh(&self, set: Set, weight: impl Fn(usize, u32) -> u64) -> BigUint {
        let mut known: Map<NodeId, BigUint> = Map::default();
        known.insert(EMPTY, BigUint::ZERO);
        known.insert(UNIT, BigUint::from(1_u32));
        // Layers have nothing but arcs to the next one, so the reverse order has children first.
        for node in self.below(set).into_iter().rev() {
            let level = self.level(node) as usize;
            let mut sum = BigUint::ZERO;
            for &(value, child) in self.arcs(node) {
                match weight(level, value) {
                    0 => {}
                    1 => sum += &known[&child],
                    weight => sum += &known[&child] * weight,
                }
            }
            known.insert(node, sum);
        }
        known.remove(&set.0).expect("it was counted")
    }
}

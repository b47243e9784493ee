//! Plain sets of tuples, and random ones.
#![allow(dead_code, reason = "each test uses a part of it")]
#![allow(unreachable_pub, reason = "shared by several tests")]

use std::collections::BTreeSet;

use qp_diagrams::{Diagrams, Limits, Set};

pub type Plain = BTreeSet<Vec<u32>>;

pub const NO_LIMITS: Limits = Limits { nodes_max: 1 << 30, work_max: u64::MAX };

/// A store as it is used, and one that forgets and collects all the time.
pub fn stores() -> [Diagrams; 2] {
    [Diagrams::new(NO_LIMITS), Diagrams::tiny(NO_LIMITS)]
}

/// The set of these tuples, held.
pub fn build(diagrams: &mut Diagrams, plain: &Plain) -> Set {
    let mut set = diagrams.hold(Set::EMPTY);
    for tuple in plain {
        let more = diagrams.with_tuple(set, tuple).expect("the limits are wide");
        diagrams.release(set);
        set = diagrams.hold(more);
    }
    set
}

pub fn tuples(diagrams: &Diagrams, set: Set) -> Plain {
    let mut found = Plain::new();
    diagrams.each(set, |tuple| found.insert(tuple.to_vec()));
    found
}

/// Numbers that look random and are always the same.
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, end: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % end
    }

    /// A set of tuples with this many values, each below `end`.
    pub fn set(&mut self, n_levels: u32, end: u32) -> Plain {
        let n = self.below(12);
        (0..n).map(|_| (0..n_levels).map(|_| self.below(end)).collect()).collect()
    }
}

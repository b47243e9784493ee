//! Remembered results of operations.
//!
//! One slot per hash: whatever comes later takes the place of what was there. So the cache never holds more
//! than it has slots, and losing an entry costs time only.

use crate::store::NodeId;

/// What was done to the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    Union,
    Intersection,
    Difference,
    Inclusion,
    /// With the number of the call: each has a function of its own.
    Relabel(u32),
    Restrict(u32),
    Saturate,
    /// With the number of the event.
    Fire(u32),
    Image(u32),
    PreImage(u32),
}

impl Op {
    fn code(self) -> u32 {
        let (kind, number) = match self {
            Self::Union => (1, 0),
            Self::Intersection => (2, 0),
            Self::Difference => (3, 0),
            Self::Inclusion => (4, 0),
            Self::Relabel(call) => (5, call),
            Self::Restrict(call) => (6, call),
            Self::Saturate => (7, 0),
            Self::Fire(event) => (8, event),
            Self::Image(event) => (9, event),
            Self::PreImage(event) => (10, event),
        };
        assert!(number < 1 << 28, "2^28 events or calls");
        number << 4 | kind
    }
}

/// The first kind that depends on what events do.
const FIRST_MOVING: u32 = 7;
/// No operation has this code.
const FREE: u32 = 0;

/// The operation, both operands and the result. Arrays, because a vector of zeros costs nothing before it is used: the
/// structs that were here took 3 % of a small search, in which several stores are begun.
type Entry = [u32; 4];

const NOTHING: Entry = [FREE, 0, 0, 0];

/// A table of results.
pub(crate) struct Cache {
    entries: Vec<Entry>,
    slots_max: usize,
}

impl Cache {
    /// With a power of two as the greatest number of slots.
    pub(crate) fn new(slots_max: usize) -> Self {
        assert!(slots_max.is_power_of_two());
        Self { entries: vec![NOTHING; slots_max.min(1 << 14)], slots_max }
    }

    pub(crate) fn get(&self, op: Op, a: NodeId, b: NodeId) -> Option<NodeId> {
        let code = op.code();
        let entry = &self.entries[self.slot(code, a, b)];
        (entry[..3] == [code, a, b]).then_some(entry[3])
    }

    pub(crate) fn set(&mut self, op: Op, a: NodeId, b: NodeId, result: NodeId) {
        let op = op.code();
        let slot = self.slot(op, a, b);
        self.entries[slot] = [op, a, b, result];
    }

    fn slot(&self, op: u32, a: NodeId, b: NodeId) -> usize {
        let key = u64::from(a) << 32 | u64::from(b);
        let mixed = (key ^ u64::from(op).wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed ^ mixed >> 32) as usize & (self.entries.len() - 1)
    }

    /// Makes room for this many results, as far as it may.
    pub(crate) fn grow(&mut self, n_results: usize) {
        let wanted = n_results.next_power_of_two().min(self.slots_max);
        if wanted <= self.entries.len() {
            return;
        }
        let old = std::mem::replace(&mut self.entries, vec![NOTHING; wanted]);
        for entry @ [op, a, b, _] in old.into_iter().filter(|entry| entry[0] != FREE) {
            let slot = self.slot(op, a, b);
            self.entries[slot] = entry;
        }
    }

    /// Forgets what is about nodes that are gone.
    pub(crate) fn sweep(&mut self, is_alive: impl Fn(NodeId) -> bool) {
        for entry in &mut self.entries {
            if !entry[1..].iter().all(|&node| is_alive(node)) {
                *entry = NOTHING;
            }
        }
    }

    /// Forgets what depends on what events do.
    pub(crate) fn forget_moves(&mut self) {
        for entry in &mut self.entries {
            if entry[0] & 15 >= FIRST_MOVING {
                *entry = NOTHING;
            }
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.entries.len() * size_of::<Entry>()) as u64
    }
}

//! Sorts of slots, classes of collections, and what can still be done from each place of the code.

use qp_base::{Interner, Map, Span};
use qp_machines::{ClassId, SlotId, Use, ValueFlow};

/// A set of uses, one bit each.
pub(super) type Bits = Vec<u64>;

/// What follows from what a program does with numbers.
pub(super) struct Tables {
    /// The user's names of slots, and where they are declared.
    pub(super) names: Vec<(String, Span)>,
    /// For each slot: its sort.
    pub(super) sorts: Vec<u32>,
    pub(super) n_sorts: usize,
    /// For each sort: whether it is in keys or elements.
    pub(super) keyed: Vec<bool>,
    /// For each class of collections: the number of all that are alike.
    pub(super) classes: Vec<u32>,
    /// For each of these numbers: whether entries matter that nobody asks for.
    pub(super) counted: Vec<bool>,
    /// All uses, in the order in which they are met.
    pub(super) uses: Interner<usize, (SlotId, Use)>,
    /// For each node: the uses from there on.
    pub(super) future: Vec<Bits>,
}

impl Tables {
    pub(super) fn of(flow: &ValueFlow) -> Self {
        let pairs = flow.same.iter().map(|(a, b)| (a.index(), b.index()));
        let (sorts, n_sorts) = united(flow.slots.len(), pairs);
        let pairs = flow.alike.iter().map(|(a, b)| (a.index(), b.index()));
        let (classes, n_classes) = united(flow.n_classes, pairs);
        let mut counted = vec![false; n_classes];
        for class in &flow.counted {
            counted[classes[class.index()] as usize] = true;
        }
        let mut keyed = vec![false; n_sorts];
        for (slot, info) in flow.slots.iter().enumerate() {
            keyed[sorts[slot] as usize] |= info.is_key;
        }
        let mut uses = Interner::new();
        for node in &flow.nodes {
            for &it in &node.uses {
                uses.intern(it);
            }
        }
        let future = future(flow, &uses);
        let names = flow.slots.iter().map(|slot| (slot.name.clone(), slot.span)).collect();
        Self { names, sorts, n_sorts, keyed, classes, counted, uses, future }
    }

    pub(super) fn sort(&self, slot: SlotId) -> usize {
        self.sorts[slot.index()] as usize
    }

    /// Whether entries that nobody asks for may be dropped from collections of a class, as far as it alone says.
    pub(super) fn forgets(&self, class: ClassId) -> bool {
        !self.counted[self.classes[class.index()] as usize]
    }

    /// What can still be done from these nodes.
    pub(super) fn from(&self, nodes: &[u32]) -> Bits {
        let mut bits = vec![0; self.uses.len().div_ceil(64)];
        for &node in nodes {
            unite(&mut bits, &self.future[node as usize]);
        }
        bits
    }

    /// The uses of a set.
    pub(super) fn listed(&self, bits: &Bits) -> impl Iterator<Item = (SlotId, Use)> {
        let has = |number: &usize| bits[number / 64] >> (number % 64) & 1 == 1;
        (0..self.uses.len()).filter(has).map(|number| *self.uses.value(number))
    }

    /// Whether anything is added to numbers.
    pub(super) fn counts(&self) -> bool {
        self.uses.values().iter().any(|it| matches!(it.1, Use::Step | Use::Shift))
    }

    /// Whether anything that is done with numbers may make a search of all configurations long.
    pub(super) fn are_of_use(&self) -> bool {
        let uses = self.uses.values();
        let is_plain = |slot: SlotId| {
            let other = |it: &&(SlotId, Use)| matches!(it.1, Use::Other | Use::Walk);
            uses.iter().filter(other).any(|it| self.sort(it.0) == self.sort(slot))
        };
        uses.iter().any(|it| match it.1 {
            Use::Step => true,
            Use::Shift | Use::Choose(3..) => !is_plain(it.0),
            _ => false,
        })
    }

    /// The sets of uses as they stand in a certificate, and for each node the number of its own.
    pub(super) fn written(&self) -> (Vec<Vec<u32>>, Vec<u32>) {
        let mut sets: Interner<usize, Bits> = Interner::new();
        let numbers = self.future.iter().map(|bits| sets.intern(bits.clone()) as u32).collect();
        let list = |bits: &Bits| {
            let has = |number: &u32| bits[*number as usize / 64] >> (number % 64) & 1 == 1;
            (0..self.uses.len() as u32).filter(has).collect()
        };
        (sets.values().iter().map(list).collect(), numbers)
    }
}

fn unite(bits: &mut Bits, more: &Bits) -> bool {
    let mut changed = false;
    for (bits, more) in bits.iter_mut().zip(more) {
        changed |= *more & !*bits != 0;
        *bits |= more;
    }
    changed
}

/// The least sets that contain what is done at a node and what is done at those that come next.
fn future(flow: &ValueFlow, uses: &Interner<usize, (SlotId, Use)>) -> Vec<Bits> {
    let mut sets: Vec<Bits> = vec![vec![0; uses.len().div_ceil(64)]; flow.nodes.len()];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); flow.nodes.len()];
    for (number, node) in flow.nodes.iter().enumerate() {
        for it in &node.uses {
            let it = uses.find(it).expect("all uses have numbers");
            sets[number][it / 64] |= 1 << (it % 64);
        }
        node.next.iter().for_each(|&next| before[next as usize].push(number as u32));
    }
    let mut due: Vec<u32> = (0..flow.nodes.len() as u32).collect();
    while let Some(node) = due.pop() {
        let set = sets[node as usize].clone();
        for &earlier in &before[node as usize] {
            if unite(&mut sets[earlier as usize], &set) {
                due.push(earlier);
            }
        }
    }
    sets
}

/// The classes that pairs make of so many things, numbered in order.
fn united(n: usize, pairs: impl Iterator<Item = (usize, usize)>) -> (Vec<u32>, usize) {
    fn root(up: &mut [usize], mut it: usize) -> usize {
        while up[it] != it {
            up[it] = up[up[it]];
            it = up[it];
        }
        it
    }
    let mut up: Vec<usize> = (0..n).collect();
    for (a, b) in pairs {
        let (a, b) = (root(&mut up, a), root(&mut up, b));
        up[a.max(b)] = a.min(b);
    }
    let (mut numbers, mut count) = (Map::default(), 0);
    let number = |it| {
        *numbers.entry(root(&mut up, it)).or_insert_with(|| {
            count += 1;
            count - 1
        })
    };
    let classes = (0..n).map(number).collect();
    (classes, count as usize)
}

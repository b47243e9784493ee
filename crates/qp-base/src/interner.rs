//! Values to small numbers, and back.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;

use crate::IndexVec;

/// Gives equal values equal indices, numbered in order of first appearance.
///
/// Owned by whoever needs it, never global: two sessions in one process do not see each other, and
/// the numbers depend only on the order of the calls.
#[derive(Clone, Debug)]
pub struct Interner<I, T> {
    values: IndexVec<I, T>,
    table: HashTable<u32>,
    hasher: foldhash::fast::FixedState,
}

impl<I: From<usize> + Into<usize>, T: Hash + Eq> Interner<I, T> {
    /// An empty interner.
    pub fn new() -> Self {
        Self {
            values: IndexVec::new(),
            table: HashTable::new(),
            hasher: foldhash::fast::FixedState::default(),
        }
    }

    /// The index of `value`, new if it was not seen before.
    pub fn intern(&mut self, value: T) -> I {
        let hash = self.hasher.hash_one(&value);
        let values = &self.values;
        if let Some(&found) = self.table.find(hash, |&i| values.as_slice()[i as usize] == value) {
            return I::from(found as usize);
        }
        let id: usize = self.values.push(value).into();
        let (values, hasher) = (&self.values, &self.hasher);
        self.table
            .insert_unique(hash, id as u32, |&i| hasher.hash_one(&values.as_slice()[i as usize]));
        I::from(id)
    }

    /// The index of `value`, if it was interned.
    pub fn find(&self, value: &T) -> Option<I> {
        let hash = self.hasher.hash_one(value);
        let values = &self.values;
        self.table
            .find(hash, |&i| values.as_slice()[i as usize] == *value)
            .map(|&i| I::from(i as usize))
    }

    /// The value with this index.
    pub fn value(&self, id: I) -> &T {
        &self.values[id]
    }

    /// How many different values were interned.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nothing was interned.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// All values in index order.
    pub fn values(&self) -> &[T] {
        self.values.as_slice()
    }
}

impl<I: From<usize> + Into<usize>, T: Hash + Eq> Default for Interner<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_get_equal_indices_in_order_of_appearance() {
        let mut interner: Interner<usize, String> = Interner::new();
        let words = ["b", "a", "b", "c", "a"];
        let ids: Vec<usize> = words.iter().map(|w| interner.intern((*w).to_owned())).collect();
        assert_eq!(ids, [0, 1, 0, 2, 1]);
        assert_eq!(interner.values(), ["b", "a", "c"]);
        assert_eq!(interner.find(&"z".to_owned()), None);
    }
}

//! Indices that have types and print like names.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// Defines an index type: a `u32` that cannot be mistaken for another one.
///
/// `define_index!(MachineId, "m", "a machine of a system")` makes a type that prints as `m3`.
#[macro_export]
macro_rules! define_index {
    ($name:ident, $prefix:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The index with this number. Panics past `u32::MAX`: the index space is exhausted.
            #[inline]
            pub fn new(index: usize) -> Self {
                assert!(index <= u32::MAX as usize, "index space exhausted");
                Self(index as u32)
            }
            /// The number, for indexing.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
            /// The number, for packing.
            #[inline]
            pub const fn raw(self) -> u32 {
                self.0
            }
            /// The index with this number.
            #[inline]
            pub const fn from_raw(raw: u32) -> Self {
                Self(raw)
            }
        }

        impl From<$name> for usize {
            fn from(id: $name) -> usize {
                id.index()
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> $name {
                $name::new(index)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}{}", $prefix, self.0)
            }
        }
    };
}

/// A vector that is indexed by one index type only.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    key: PhantomData<fn(I) -> I>,
}

impl<I: From<usize> + Into<usize>, T> IndexVec<I, T> {
    /// An empty vector.
    pub const fn new() -> Self {
        Self { items: Vec::new(), key: PhantomData }
    }
    /// Appends an item and returns its index.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from(self.items.len() - 1)
    }
    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// The item at an index, if there is one.
    pub fn get(&self, index: I) -> Option<&T> {
        self.items.get(index.into())
    }
    /// All items in index order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }
    /// All indices in order.
    pub fn ids(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::from)
    }
    /// All items with their indices.
    pub fn iter_enumerated(&self) -> impl Iterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(i, item)| (I::from(i), item))
    }
    /// The items as a plain slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self { items: Vec::new(), key: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        Self { items: items.into_iter().collect(), key: PhantomData }
    }
}

impl<I, T> From<Vec<T>> for IndexVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, key: PhantomData }
    }
}

impl<I: Into<usize>, T> Index<I> for IndexVec<I, T> {
    type Output = T;
    fn index(&self, index: I) -> &T {
        &self.items[index.into()]
    }
}

impl<I: Into<usize>, T> IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, index: I) -> &mut T {
        &mut self.items[index.into()]
    }
}

impl<'a, I, T> IntoIterator for &'a IndexVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<I, T: std::fmt::Debug> std::fmt::Debug for IndexVec<I, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.items.fmt(f)
    }
}

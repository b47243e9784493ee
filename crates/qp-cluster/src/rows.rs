//! Sets of configurations, as rows of small numbers.

use std::hash::BuildHasher;

use hashbrown::HashTable;

/// A row without the zeros at its end, which say nothing. So configurations are the same if their rows are.
pub(crate) fn trimmed(row: &[u32]) -> &[u32] {
    let last = row.iter().rposition(|&value| value != 0);
    &row[..last.map_or(0, |last| last + 1)]
}

/// A set of rows, numbered in the order in which they were added.
#[derive(Default)]
pub(crate) struct Rows {
    cells: Vec<u32>,
    /// Where each row ends in `cells`.
    ends: Vec<usize>,
    table: HashTable<u32>,
    hasher: foldhash::fast::FixedState,
}

impl Rows {
    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The row with this number.
    pub(crate) fn row(&self, place: u32) -> &[u32] {
        row(&self.cells, &self.ends, place)
    }

    /// The number of a row, and whether it is new.
    pub(crate) fn add(&mut self, cells: &[u32]) -> (u32, bool) {
        let hash = self.hasher.hash_one(cells);
        if let Some(&place) = self.table.find(hash, |&place| self.row(place) == cells) {
            return (place, false);
        }
        let place = self.ends.len() as u32;
        self.cells.extend_from_slice(cells);
        self.ends.push(self.cells.len());
        let (all, ends, hasher) = (&self.cells, &self.ends, &self.hasher);
        self.table.insert_unique(hash, place, |&place| hasher.hash_one(row(all, ends, place)));
        (place, true)
    }

    /// Forgets all rows.
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.ends.clear();
        self.table.clear();
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes =
            self.cells.capacity() * 4 + self.ends.capacity() * 8 + self.table.capacity() * 5;
        bytes as u64
    }
}

fn row<'r>(cells: &'r [u32], ends: &[usize], place: u32) -> &'r [u32] {
    let place = place as usize;
    let start = if place == 0 { 0 } else { ends[place - 1] };
    &cells[start..ends[place]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_any_length_are_told_apart() {
        let mut rows = Rows::default();
        let all: [&[u32]; 5] = [&[], &[0], &[0, 0], &[0, 1], &[1]];
        for (place, row) in all.iter().enumerate() {
            assert_eq!(rows.add(row), (place as u32, true));
        }
        for (place, row) in all.iter().enumerate() {
            assert_eq!(rows.add(row), (place as u32, false));
            assert_eq!(rows.row(place as u32), *row);
        }
        rows.clear();
        assert_eq!((rows.len(), rows.add(&[1])), (0, (0, true)));
    }

    #[test]
    fn zeros_at_the_end_say_nothing() {
        let all: [&[u32]; 4] = [&[], &[0, 0], &[0, 3], &[0, 3, 0]];
        assert_eq!(all.map(|row| trimmed(row).len()), [0, 0, 2, 2]);
    }
}

//! Sets of configurations, as rows of small numbers.

use std::hash::BuildHasher;

/// A row without the zeros at its end, which say nothing. So configurations are the same if their rows are.
pub(crate) fn trimmed(row: &[u32]) -> &[u32] {
    let last = row.iter().rposition(|&value| value != 0);
    &row[..last.map_or(0, |last| last + 1)]
}

/// A set of rows without zeros at their ends, numbered in the order in which they were added.
///
/// Most rows that are added are there already. Finding that out takes two reads far apart: the slot, which
/// has enough of the hash to be the right one nearly always, and the row itself.
#[derive(Default)]
pub(crate) struct Rows {
    /// All rows, filled up with zeros to the same length.
    cells: Vec<u32>,
    width: usize,
    count: usize,
    /// A table with the upper half of the hash, and the number of the row plus one; 0 where nothing is.
    slots: Vec<u64>,
    hasher: foldhash::fast::FixedState,
}

impl Rows {
    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The row with this number. There may be zeros at its end.
    pub(crate) fn row(&self, place: u32) -> &[u32] {
        let start = place as usize * self.width;
        &self.cells[start..start + self.width]
    }

    /// The number of a row, and whether it is new.
    pub(crate) fn add(&mut self, row: &[u32]) -> (u32, bool) {
        if row.len() > self.width {
            self.widen(row.len());
        }
        if self.slots.len() * 3 <= self.count * 4 {
            self.grow();
        }
        let hash = self.hasher.hash_one(row);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            if self.slots[at] >> 32 == hash >> 32 {
                let place = self.slots[at] as u32 - 1;
                let (known, rest) = self.row(place).split_at(row.len());
                if known == row && rest.iter().all(|&value| value == 0) {
                    return (place, false);
                }
            }
            at = (at + 1) & mask;
        }
        self.count += 1;
        self.slots[at] = hash >> 32 << 32 | self.count as u64;
        self.cells.extend_from_slice(row);
        self.cells.resize(self.count * self.width, 0);
        (self.count as u32 - 1, true)
    }

    /// Forgets all rows.
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.count = 0;
        self.slots.fill(0);
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.cells.capacity() * 4 + self.slots.len() * 8) as u64
    }

    fn widen(&mut self, width: usize) {
        let mut cells = Vec::with_capacity(self.count * width);
        for place in 0..self.count {
            cells.extend_from_slice(self.row(place as u32));
            cells.resize((place + 1) * width, 0);
        }
        (self.cells, self.width) = (cells, width);
    }

    fn grow(&mut self) {
        let n_slots = (self.slots.len() * 2).max(64);
        let mut slots = vec![0; n_slots];
        for place in 0..self.count as u32 {
            let hash = self.hasher.hash_one(trimmed(self.row(place)));
            let mut at = hash as usize & (n_slots - 1);
            while slots[at] != 0 {
                at = (at + 1) & (n_slots - 1);
            }
            slots[at] = hash >> 32 << 32 | (u64::from(place) + 1);
        }
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_any_length_are_told_apart() {
        let mut rows = Rows::default();
        let mut all: Vec<Vec<u32>> =
            vec![vec![], vec![1], vec![0, 1], vec![1, 1], vec![0, 0, 0, 1]];
        all.extend((2..500).map(|number| vec![number % 7, number]));
        for (place, row) in all.iter().enumerate() {
            assert_eq!(rows.add(row), (place as u32, true));
        }
        for (place, row) in all.iter().enumerate() {
            assert_eq!(rows.add(row), (place as u32, false));
            assert_eq!(trimmed(rows.row(place as u32)), *row);
        }
        assert_eq!(rows.len(), all.len());
        rows.clear();
        assert_eq!((rows.len(), rows.add(&[1])), (0, (0, true)));
    }

    #[test]
    fn zeros_at_the_end_say_nothing() {
        let all: [&[u32]; 4] = [&[], &[0, 0], &[0, 3], &[0, 3, 0]];
        assert_eq!(all.map(|row| trimmed(row).len()), [0, 0, 2, 2]);
    }
}

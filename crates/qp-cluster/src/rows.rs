//! Configurations as rows of small numbers, and sets of such rows.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use qp_base::Interner;
use qp_machines::{Config, KindId, LocalId, MachineId, StoreId, WordId};

/// How rows are read: which kinds of queues there are in which row.
///
/// A row is the number of its kinds, the store, the holder of an atomic sequence (0 for nobody), then the
/// local states and the contents of queues. The numbers are those of one process.
#[derive(Default)]
pub(crate) struct Shapes {
    kinds: Interner<usize, Vec<KindId>>,
}

/// The cells in front of the local states.
const HEAD: usize = 3;

/// What a row says, cell by cell.
pub(crate) struct Cells<'r> {
    pub(crate) shape: u32,
    pub(crate) store: u32,
    pub(crate) holder: u32,
    pub(crate) locals: &'r [u32],
    pub(crate) words: &'r [u32],
}

impl Shapes {
    /// The number of these kinds of queues.
    pub(crate) fn number(&mut self, kinds: &[KindId]) -> u32 {
        self.kinds.intern(kinds.to_vec()) as u32
    }

    /// The kinds of queues with this number.
    pub(crate) fn kinds(&self, shape: u32) -> &[KindId] {
        self.kinds.value(shape as usize)
    }

    /// Writes a configuration as a row.
    pub(crate) fn write(&mut self, config: &Config, row: &mut Vec<u32>) {
        row.clear();
        let holder = config.holder.map_or(0, |machine| machine.raw() + 1);
        row.extend([self.number(&config.kinds), config.store.raw(), holder]);
        row.extend(config.locals.iter().map(|local| local.raw()));
        row.extend(config.words.iter().map(|word| word.raw()));
    }

    /// The cells of a row.
    pub(crate) fn cells<'r>(&self, row: &'r [u32]) -> Cells<'r> {
        let n_queues = self.kinds(row[0]).len();
        let (locals, words) = row[HEAD..].split_at(row.len() - HEAD - n_queues);
        Cells { shape: row[0], store: row[1], holder: row[2], locals, words }
    }

    /// The configuration that a row stands for.
    pub(crate) fn config(&self, row: &[u32]) -> Config {
        let cells = self.cells(row);
        Config {
            locals: cells.locals.iter().map(|&local| LocalId::from_raw(local)).collect(),
            words: cells.words.iter().map(|&word| WordId::from_raw(word)).collect(),
            kinds: self.kinds(cells.shape).to_vec(),
            store: StoreId::from_raw(cells.store),
            holder: cells.holder.checked_sub(1).map(MachineId::from_raw),
        }
    }
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
    fn a_row_is_read_as_it_was_written() {
        let config = Config {
            locals: vec![LocalId::from_raw(4), LocalId::from_raw(0)],
            words: vec![WordId::from_raw(7), WordId::EMPTY, WordId::CLOSED],
            kinds: vec![KindId::from_raw(1), KindId::from_raw(0), KindId::from_raw(1)],
            store: StoreId::from_raw(9),
            holder: Some(MachineId::from_raw(1)),
        };
        let (mut shapes, mut row) = (Shapes::default(), Vec::new());
        for config in
            [Config { holder: None, kinds: vec![], words: vec![], ..config.clone() }, config]
        {
            shapes.write(&config, &mut row);
            assert_eq!(shapes.config(&row), config);
        }
    }
}

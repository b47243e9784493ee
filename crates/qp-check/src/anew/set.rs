//! A set of packed rows, exact: every row is kept, in an open-addressing table of places (Knuth 6.4).
//!
//! Rows are spread over shards by their hash. A shard is small enough to be looked through in a cache, grows without
//! the others, and belongs to one thread at a time. How many there are does not depend on threads, so nothing else does.

/// A power of two.
pub(super) const SHARDS: usize = 1 << 7;

/// A row by its shard and its place there.
pub(super) type Place = (u32, u32);

pub(super) struct Set {
    pub(super) width: usize,
    pub(super) shards: Vec<Shard>,
}

#[derive(Clone, Default)]
pub(super) struct Shard {
    /// The rows one after the other, in the order in which they came.
    rows: Vec<u64>,
    /// Places of rows, from 1 on; 0 where there is none.
    table: Vec<u32>,
    n: usize,
    /// How many rows were expanded.
    pub(super) done: usize,
}

impl Set {
    pub(super) fn new(width: usize) -> Self {
        Self { width, shards: vec![Shard::default(); SHARDS] }
    }

    pub(super) fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.n as u64).sum()
    }

    pub(super) fn bytes(&self) -> u64 {
        let bytes = |shard: &Shard| shard.rows.capacity() * 8 + shard.table.capacity() * 4;
        self.shards.iter().map(|shard| bytes(shard) as u64).sum()
    }

    pub(super) fn insert(&mut self, row: &[u64]) {
        let hash = hash(row);
        self.shards[shard_of(hash)].insert(row, hash);
    }

    pub(super) fn row(&self, (shard, place): Place) -> &[u64] {
        self.shards[shard as usize].row(self.width, place as usize)
    }

    /// Where a row is that is in the set.
    pub(super) fn place(&self, row: &[u64]) -> Option<Place> {
        let hash = hash(row);
        let shard = shard_of(hash);
        let place = self.shards[shard].find(row, hash).ok()?;
        Some((shard as u32, place))
    }

    /// How many rows the longest shard has.
    pub(super) fn longest(&self) -> u32 {
        self.shards.iter().map(|shard| shard.n).max().unwrap_or(0) as u32
    }

    /// The shards that have so many rows and one more.
    pub(super) fn shards_with(&self, place: u32) -> impl Iterator<Item = u32> + use<> {
        let there: Vec<u32> = (0..SHARDS as u32)
            .filter(|&it| (place as usize) < self.shards[it as usize].n)
            .collect();
        there.into_iter()
    }

    /// The places of all rows, in about the order in which they came.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> + '_ {
        (0..self.longest())
            .flat_map(|place| self.shards_with(place).map(move |shard| (shard, place)))
    }

    /// The same rows, each made wider by `widen`. What was expanded comes first and stays so.
    pub(super) fn widened(&self, width: usize, widen: impl Fn(&[u64], &mut [u64])) -> Self {
        let (mut set, mut row) = (Self::new(width), vec![0; width]);
        for done in [true, false] {
            let is_done =
                |&(shard, place): &Place| (place as usize) < self.shards[shard as usize].done;
            for at in self.places().filter(|at| is_done(at) == done) {
                widen(self.row(at), &mut row);
                set.insert(&row);
            }
            if done {
                set.shards.iter_mut().for_each(|shard| shard.done = shard.n);
            }
        }
        set
    }
}

impl Shard {
    pub(super) fn len(&self) -> usize {
        self.n
    }

    #[inline]
    pub(super) fn row(&self, width: usize, place: usize) -> &[u64] {
        &self.rows[place * width..(place + 1) * width]
    }

    /// Adds a row unless it is there.
    #[inline]
    pub(super) fn insert(&mut self, row: &[u64], hash: u64) {
        if self.n * 4 >= self.table.len() * 3 {
            self.grow(row.len());
        }
        if let Err(free) = self.find(row, hash) {
            self.n += 1;
            self.table[free] = self.n as u32;
            if self.rows.len() + row.len() > self.rows.capacity() {
                self.rows.reserve_exact(self.rows.len() / 4 + 16 * row.len());
            }
            self.rows.extend_from_slice(row);
        }
    }

    /// The place of a row, or the free entry of the table for it.
    #[inline]
    fn find(&self, row: &[u64], hash: u64) -> Result<u32, usize> {
        if self.table.is_empty() {
            return Err(0);
        }
        let mut at = spread(hash, self.table.len());
        loop {
            match self.table[at] {
                0 => return Err(at),
                place => {
                    let place = place - 1;
                    let known = self.row(row.len(), place as usize);
                    if known.iter().zip(row).all(|(a, b)| a == b) {
                        return Ok(place);
                    }
                }
            }
            at += 1;
            if at == self.table.len() {
                at = 0;
            }
        }
    }

    fn grow(&mut self, width: usize) {
        let len = self.table.len() / 2 * 3 + 16;
        self.table = Vec::new();
        self.table = vec![0; len];
        for place in 0..self.n {
            let mut at = spread(hash(self.row(width, place)), len);
            while self.table[at] != 0 {
                at = (at + 1) % len;
            }
            self.table[at] = place as u32 + 1;
        }
    }
}

/// All bits of a row count for all bits of its hash.
#[inline]
pub(super) fn hash(row: &[u64]) -> u64 {
    row.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, &word| {
        let product = u128::from(hash ^ word) * 0xd6e8_feb8_6659_fd93;
        (product >> 64) as u64 ^ product as u64
    })
}

#[inline]
pub(super) fn shard_of(hash: u64) -> usize {
    (hash >> 32) as usize % SHARDS
}

/// A place in a table of any length, from the low half of a hash.
#[inline]
fn spread(hash: u64, len: usize) -> usize {
    ((u64::from(hash as u32) * len as u64) >> 32) as usize
}

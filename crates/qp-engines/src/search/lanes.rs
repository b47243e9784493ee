//! Keys that may be new, on their way from the threads that make them to the threads that look them up.

use super::packing::Key;
use super::visited::{N_SHARDS, hash, shard_of};

/// A key that may be new, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<const W: usize> {
    pub(crate) key: Key<W>,
    pub(crate) hash: u64,
    pub(crate) parent: u32,
    /// Its number among the candidates of one thread.
    pub(crate) order: u32,
}

/// The candidates that one thread has made, sorted into one lane for each thread that looks keys up: so
/// nobody reads what is not for him. Inside a lane they are in order.
#[derive(Debug)]
pub(crate) struct Lanes<const W: usize> {
    first: Vec<Candidate<W>>,
    /// Apart from the first, which is all there is on one thread: the detour costs a tenth of the time.
    rest: Vec<Vec<Candidate<W>>>,
    /// For each shard: who looks after it.
    job_of: [u8; N_SHARDS],
    count: u32,
}

/// How many shards each of this many threads looks after.
pub(crate) fn shards_per_job(jobs: usize) -> usize {
    N_SHARDS.div_ceil(jobs)
}

impl<const W: usize> Lanes<W> {
    /// Lanes for this many threads.
    pub(crate) fn new(jobs: usize) -> Self {
        let lane = |shard: usize| shard / shards_per_job(jobs);
        Self {
            first: Vec::new(),
            rest: (1..=lane(N_SHARDS - 1)).map(|_| Vec::new()).collect(),
            job_of: std::array::from_fn(|shard| lane(shard) as u8),
            count: 0,
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, key: Key<W>, parent: u32) {
        let hash = hash(&key);
        let candidate = Candidate { key, hash, parent, order: self.count };
        self.count += 1;
        if !self.rest.is_empty() {
            let lane = self.job_of[shard_of(hash)] as usize;
            if lane > 0 {
                self.rest[lane - 1].push(candidate);
                return;
            }
        }
        self.first.push(candidate);
    }

    pub(crate) fn clear(&mut self) {
        self.first.clear();
        self.rest.iter_mut().for_each(Vec::clear);
        self.count = 0;
    }

    pub(crate) fn len(&self) -> usize {
        self.count as usize
    }

    /// The candidates for one thread, in order.
    pub(crate) fn lane(&self, number: usize) -> &[Candidate<W>] {
        match number.checked_sub(1) {
            None => &self.first,
            Some(number) => self.rest.get(number).map_or(&[], |lane| lane),
        }
    }
}

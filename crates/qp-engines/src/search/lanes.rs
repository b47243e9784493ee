//! Keys that may be new, on their way from the threads that make them to the threads that look them up.
//!
//! Keys travel bare. Where they come from is the same for all that one configuration leads to, so that is
//! written down once for each configuration; and what they hash to is worked out again where it is needed,
//! which is cheaper than carrying it through memory.

use super::packing::Key;
use super::visited::{N_SHARDS, lane_of};

/// The candidates that one thread has made, in order.
#[derive(Debug)]
pub(crate) struct Lanes<const W: usize> {
    /// On one thread: all candidates. Longer than what is used of it, so that keys can be written without a
    /// look at whether they are wanted.
    keys: Vec<Key<W>>,
    /// On several threads: a lane for each thread that looks keys up, so that nobody reads what is not for him.
    per_thread: Vec<Lane<W>>,
    /// The configurations that lead somewhere, with the number of their first candidate.
    sources: Vec<(u32, u32)>,
    count: u32,
}

/// What is for one thread, with its number among all candidates.
#[derive(Debug, Default)]
struct Lane<const W: usize> {
    keys: Vec<Key<W>>,
    orders: Vec<u32>,
}

/// How many shards each of this many threads looks after.
pub(crate) fn shards_per_job(jobs: usize) -> usize {
    N_SHARDS.div_ceil(jobs)
}

impl<const W: usize> Lanes<W> {
    /// Lanes for this many threads.
    pub(crate) fn new(jobs: usize) -> Self {
        let n = if jobs == 1 { 0 } else { N_SHARDS.div_ceil(shards_per_job(jobs)) };
        let lanes = (0..n).map(|_| Lane { keys: Vec::new(), orders: Vec::new() }).collect();
        Self { keys: Vec::new(), per_thread: lanes, sources: Vec::new(), count: 0 }
    }

    /// Adds a candidate. Those of one configuration come one after the other.
    #[inline]
    pub(crate) fn push(&mut self, key: Key<W>, place: u32) {
        self.room(1)[0] = key;
        self.keep(1, place);
    }

    /// Where up to `n` candidates can be written; see [`Lanes::keep`].
    #[inline]
    pub(crate) fn room(&mut self, n: usize) -> &mut [Key<W>] {
        let start = if self.per_thread.is_empty() { self.count as usize } else { 0 };
        if self.keys.len() < start + n {
            self.keys.resize((start + n).next_power_of_two(), [0; W]);
        }
        &mut self.keys[start..start + n]
    }

    /// Adds the first `n` keys that were written where [`Lanes::room`] said: they come from `place`.
    #[inline]
    pub(crate) fn keep(&mut self, n: usize, place: u32) {
        if n == 0 {
            return;
        }
        if self.sources.last().is_none_or(|last| last.0 != place) {
            self.sources.push((place, self.count));
        }
        if !self.per_thread.is_empty() {
            self.sort(n);
        }
        self.count += n as u32;
    }

    /// Puts keys into their lanes. Apart, so that what one thread does is small enough to be inlined.
    #[inline(never)]
    fn sort(&mut self, n: usize) {
        let per_job = shards_per_job(self.per_thread.len());
        for (key, order) in self.keys[..n].iter().zip(self.count..) {
            let lane = &mut self.per_thread[lane_of(key, per_job)];
            lane.keys.push(*key);
            lane.orders.push(order);
        }
    }

    pub(crate) fn clear(&mut self) {
        for lane in &mut self.per_thread {
            lane.keys.clear();
            lane.orders.clear();
        }
        self.sources.clear();
        self.count = 0;
    }

    /// Takes back the candidates of the configuration whose were added last, if it has any.
    pub(crate) fn take_back(&mut self, place: u32) {
        let Some((_, start)) = self.sources.pop_if(|last| last.0 == place) else { return };
        for lane in &mut self.per_thread {
            let n = lane.orders.partition_point(|&order| order < start);
            lane.keys.truncate(n);
            lane.orders.truncate(n);
        }
        self.count = start;
    }

    pub(crate) fn len(&self) -> usize {
        self.count as usize
    }

    /// The candidates for one thread, in order.
    pub(crate) fn lane(&self, number: usize) -> &[Key<W>] {
        self.per_thread.get(number).map_or_else(|| &self.keys[..self.len()], |lane| &lane.keys)
    }

    /// The number among all candidates of one that is in a lane.
    #[inline]
    pub(crate) fn order(&self, lane: usize, number: u32) -> u32 {
        self.per_thread.get(lane).map_or(number, |lane| lane.orders[number as usize])
    }

    /// Says of candidates, asked in order by their numbers, where they come from.
    pub(crate) fn parents(&self) -> impl FnMut(u32) -> u32 {
        let mut rest = &self.sources[..];
        move |order| {
            while rest.get(1).is_some_and(|next| next.1 <= order) {
                rest = &rest[1..];
            }
            rest[0].0
        }
    }

    /// All candidates of one thread that works alone, each with the configuration that it comes from.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, &Key<W>)> {
        assert!(self.per_thread.is_empty(), "several threads have no common order");
        let mut parent = self.parents();
        (0..).zip(self.lane(0)).map(move |(order, key)| (parent(order), key))
    }
}

//! The set of configurations met so far.
//!
//! Keys stand twice: in an array in the order of discovery, which is also the frontier of the search, and
//! in a hash table, where finding out that a key is old takes one read. Tables are split into shards that
//! grow one after the other, so that two versions of the whole never exist at once. A configuration costs 8 bytes for
//! every 64 bits of key, one of parent at most and 10 to 20 of table.
//!
//! The table does not know places: only those who look at the whole graph need them, and make a
//! [`Places`] for as long as they do.
//!
//! Tried and left: slots with 32 bits of hash and a place (two reads far apart for each old key, and
//! most keys are old: 1.7 times slower at the same memory); buckets of a cache line whose tags are
//! compared together (slower still); huge pages (no difference).

use qp_base::Map;

use super::lanes::{Candidate, Lanes, shards_per_job};
use super::packing::Key;
use super::parents::Parents;

/// How many tables the set is split into. Threads share them out. A power of two.
pub(crate) const N_SHARDS: usize = 16;
/// When more than this part of its slots is used, a table grows.
const LOAD: (usize, usize) = (4, 5);

/// The configurations met so far, numbered in order of discovery.
pub(crate) struct Visited<const W: usize> {
    keys: Vec<Key<W>>,
    /// The configuration from which each was first reached.
    parents: Parents,
    shards: Vec<Shard<W>>,
}

struct Shard<const W: usize> {
    /// Keys with the first word complemented. The packing leaves the top bit of the first word zero,
    /// so that no key looks like an empty slot, which is all zeros.
    slots: Vec<Key<W>>,
    used: usize,
}

impl<const W: usize> Visited<W> {
    pub(crate) fn new() -> Self {
        let shards = (0..N_SHARDS).map(|_| Shard { slots: vec![[0; W]; 64], used: 0 }).collect();
        Self { keys: Vec::new(), parents: Parents::default(), shards }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// All keys, in order of discovery.
    pub(crate) fn keys(&self) -> &[Key<W>] {
        &self.keys
    }

    pub(crate) fn parent(&self, place: u32) -> u32 {
        self.parents.get(place)
    }

    /// Bytes in use. What the arrays have reserved beyond depends on the batches and is not counted,
    /// because reports must not depend on them.
    pub(crate) fn bytes(&self) -> u64 {
        let slots: usize = self.shards.iter().map(|shard| shard.slots.len()).sum();
        let keys = (self.keys.len() + slots) * size_of::<Key<W>>();
        keys as u64 + self.parents.bytes()
    }

    /// Adds the new ones among the candidates of several threads, in their order: those of the first
    /// thread, then those of the second. With `jobs` threads, each of which has a lane; the numbering
    /// does not depend on their number.
    pub(crate) fn add(&mut self, parts: &[&Lanes<W>], jobs: usize) {
        // Starting threads costs more than adding this many.
        const WORTH_A_THREAD: usize = 8_192;
        let n: usize = parts.iter().map(|part| part.len()).sum();
        assert!(u32::try_from(self.len() + n).is_ok(), "2^32 configurations");
        let lanes = self.shards.chunks_mut(shards_per_job(jobs)).enumerate();
        let work = |(lane, shards): (usize, &mut [Shard<W>])| -> Vec<Vec<u32>> {
            let first = lane * shards_per_job(jobs);
            parts.iter().map(|part| claim(shards, first, part.lane(lane))).collect()
        };
        let winners: Vec<Vec<Vec<u32>>> = if jobs == 1 || n < WORTH_A_THREAD {
            lanes.map(work).collect()
        } else {
            std::thread::scope(|scope| {
                let threads: Vec<_> = lanes.map(|lane| scope.spawn(move || work(lane))).collect();
                let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<Vec<u32>>>| {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                };
                threads.into_iter().map(join).collect()
            })
        };
        for (number, part) in parts.iter().enumerate() {
            let new = winners.iter().enumerate().flat_map(|(lane, winners)| {
                winners[number].iter().map(move |&winner| &part.lane(lane)[winner as usize])
            });
            let mut new: Vec<&Candidate<W>> = new.collect();
            if winners.len() > 1 {
                // A few sorted lists one after the other: the stable sort merges them.
                new.sort_by_key(|candidate| candidate.order);
            }
            reserve(&mut self.keys, new.len());
            self.keys.extend(new.iter().map(|candidate| candidate.key));
            for candidate in new {
                self.parents.push(candidate.parent);
            }
        }
    }

    /// The same set with every key rewritten, in the same order. The tables get their sizes at once, and
    /// slots are asked for ahead: a search whose keys become wider near its end does little else.
    pub(crate) fn rewrite<const V: usize>(self, f: impl FnMut(&Key<W>) -> Key<V>) -> Visited<V> {
        const BATCH: usize = 1_024;
        let Self { keys, parents, shards } = self;
        drop(shards);
        let mut new = Visited::new();
        new.parents = parents;
        new.keys = keys.iter().map(f).collect();
        // Other hashes share the keys out differently. Sizes must be those that adding one by one gives,
        // because when keys get wider depends on the number of threads.
        let mut counts = vec![0; new.shards.len()];
        new.keys.iter().for_each(|key| counts[shard_of(hash(key))] += 1);
        new.shards.iter_mut().zip(counts).for_each(|(shard, n)| shard.make_room(n + 1));
        let mut hashes = Vec::with_capacity(BATCH);
        for batch in new.keys.chunks(BATCH) {
            hashes.clear();
            hashes.extend(batch.iter().map(hash));
            let mut later = hashes.iter().skip(AHEAD);
            for (key, &hash) in batch.iter().zip(&hashes) {
                if let Some(&later) = later.next() {
                    let slots = &new.shards[shard_of(later)].slots;
                    qp_prefetch::prefetch(slots, home(slots, later));
                }
                new.shards[shard_of(hash)].insert(hash, stored(key));
            }
        }
        new
    }
}

/// How far ahead slots are asked for. Enough to cover the time memory takes, few enough to stay in the
/// nearest cache.
const AHEAD: usize = 24;

/// Inserts those of the candidates that are new, and returns their numbers. All of them belong to
/// `shards`, the first of which has number `first`.
fn claim<const W: usize>(
    shards: &mut [Shard<W>],
    first: usize,
    candidates: &[Candidate<W>],
) -> Vec<u32> {
    let mut winners = Vec::new();
    let mut later = candidates.iter().skip(AHEAD);
    for (number, candidate) in (0..).zip(candidates) {
        if let Some(&Candidate { hash, .. }) = later.next() {
            let slots = &shards[shard_of(hash) - first].slots;
            qp_prefetch::prefetch(slots, home(slots, hash));
        }
        let shard = &mut shards[shard_of(candidate.hash) - first];
        if shard.insert(candidate.hash, stored(&candidate.key)) {
            winners.push(number);
            shard.make_room(1);
        }
    }
    winners
}

/// A key as it stands in a table.
#[inline]
fn stored<const W: usize>(key: &Key<W>) -> Key<W> {
    debug_assert_eq!(key[0] >> 63, 0, "the packing leaves this bit alone");
    let mut key = *key;
    key[0] = !key[0];
    key
}

/// Where the search for a hash begins.
#[inline]
fn home<const W: usize>(slots: &[Key<W>], hash: u64) -> usize {
    (((hash & 0xffff_ffff) * slots.len() as u64) >> 32) as usize
}

impl<const W: usize> Shard<W> {
    /// Inserts a key unless it is there; there must be an empty slot. Says whether it was new.
    #[inline]
    fn insert(&mut self, hash: u64, stored: Key<W>) -> bool {
        let slots = &mut self.slots[..];
        let mut slot = home(slots, hash);
        loop {
            if slots[slot] == stored {
                return false;
            }
            if slots[slot][0] == 0 {
                slots[slot] = stored;
                self.used += 1;
                return true;
            }
            slot += 1;
            if slot == slots.len() {
                slot = 0;
            }
        }
    }

    /// Grows so that `more` entries fit. Entries keep their order, so both tables are walked from
    /// end to end.
    fn make_room(&mut self, more: usize) {
        let needed = (self.used + more) * LOAD.1 / LOAD.0 + 1;
        if needed <= self.slots.len() {
            return;
        }
        // Always the same sizes, whatever is added at once.
        let mut size = self.slots.len();
        while size < needed {
            size *= 2;
        }
        let new = Self { slots: vec![[0; W]; size], used: 0 };
        let old = std::mem::replace(self, new);
        for entry in old.slots.into_iter().filter(|entry| entry[0] != 0) {
            // Complementing twice gives the key back.
            let mut key = entry;
            key[0] = !key[0];
            self.insert(hash(&key), entry);
        }
    }
}

#[inline]
pub(crate) fn shard_of(hash: u64) -> usize {
    (hash >> 32) as usize % N_SHARDS
}

/// The place of every key, for those who look at the whole graph.
pub(crate) struct Places<const W: usize>(Map<Key<W>, u32>);

impl<const W: usize> Places<W> {
    pub(crate) fn of(visited: &Visited<W>) -> Self {
        Self(visited.keys.iter().copied().zip(0..).collect())
    }

    /// Adds the keys from this place on.
    pub(crate) fn add(&mut self, visited: &Visited<W>, from: usize) {
        self.0.extend(visited.keys[from..].iter().copied().zip(from as u32..));
    }

    pub(crate) fn find(&self, key: &Key<W>) -> Option<u32> {
        self.0.get(key).copied()
    }

    /// Bytes that the places of this many keys may take.
    pub(crate) fn bytes_for(n: usize) -> u64 {
        // Hash maps double, and leave an eighth free.
        let slots = (n * 8 / 7).next_power_of_two();
        (slots * (size_of::<Key<W>>() + 8)) as u64
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.0.capacity() * (size_of::<Key<W>>() + 16)) as u64
    }
}

/// Multiplication and folding: keys are small numbers side by side, so every input bit must reach the
/// top and the bottom half.
#[inline]
pub(crate) fn hash<const W: usize>(key: &Key<W>) -> u64 {
    key.iter().fold(0x9e37_79b9_7f4a_7c15, |h, &word| {
        let product = u128::from(h ^ word) * 0xd6e8_feb8_6659_fd93_u128;
        (product as u64) ^ (product >> 64) as u64
    })
}

/// Grows by an eighth instead of doubling: the arrays are the larger part of the memory.
fn reserve<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(more.max(items.len() / 8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers keys exactly like a map that is filled one by one, whatever the batches and threads.
    #[test]
    fn numbers_in_order_of_discovery_on_any_number_of_threads() {
        let keys: Vec<Key<2>> = (0..60_000_u64).map(|i| [i * i % 20_011, i % 7]).collect();
        let mut seen = std::collections::BTreeSet::new();
        let order: Vec<Key<2>> = keys.iter().copied().filter(|key| seen.insert(*key)).collect();
        for (jobs, batch) in [(1, 1), (1, 1000), (2, 997), (3, 20_000), (16, 60_000)] {
            let mut visited = Visited::new();
            for part in keys.chunks(batch) {
                // As if two threads had made the candidates.
                let (some, others) = part.split_at(part.len() / 3);
                let parts = [some, others].map(|keys| {
                    let mut lanes = Lanes::new(jobs);
                    for &key in keys {
                        lanes.push(key, 0);
                    }
                    lanes
                });
                visited.add(&[&parts[0], &parts[1]], jobs);
            }
            assert_eq!(visited.keys(), order);
            let wider: Visited<3> = visited.rewrite(|key| [key[1], 5, key[0]]);
            let places = Places::of(&wider);
            assert_eq!(wider.len(), order.len());
            assert_eq!(places.find(&[order[100][1], 5, order[100][0]]), Some(100));
            assert_eq!(places.find(&[8, 5, 0]), None);
        }
    }
}

//! The set of configurations met so far.
//!
//! An array has the keys in the order of discovery; it is also the frontier of the search. Beside it a hash
//! table says what is old. Its entries are *groups*: up to 64 configurations that differ in the lowest six bits
//! of the key only have one entry, with a bit for each. The packing puts the part there whose values go
//! together best with the rest, so that a group of most systems has 4 to 25 members: the table is that
//! many times smaller than one of keys, which saves memory, growing, and above all misses of the cache.
//! Where the members are few it costs a little more.
//!
//! Tables are split into shards that grow one after the other, so that two versions of the whole never exist
//! at once. A configuration costs 8 bytes for every 64 bits of key, 1 of parent and 1 to 25 of table.
//!
//! The table does not know places: only those who look at the whole graph need them, and make a
//! [`Places`] for as long as they do.
//!
//! Tried and left: a table of whole keys (10 to 20 bytes each, and twice as slow); slots with 32 bits of hash and a
//! place (two reads far apart for each old key, and most keys are old: 1.7 times slower still at the same memory);
//! buckets of a cache line whose tags are compared together (slower than that); huge pages (no difference); tables that
//! grow by half at load 7/10 (a quarter smaller where groups are small, but 5 to 12 of 100 slower elsewhere).

use qp_base::Map;

use super::lanes::{Lanes, shards_per_job};
use super::packing::{Key, LOWEST};
use super::parents::Parents;

/// How many tables the set is split into. Threads share them out. A power of two.
pub(crate) const N_SHARDS: usize = 16;
/// When more than this part of its slots is used, a table grows.
const LOAD: (usize, usize) = (3, 5);

/// The configurations met so far, numbered in order of discovery.
pub(crate) struct Visited<const W: usize> {
    keys: Vec<Key<W>>,
    /// The configuration from which each was first reached.
    parents: Parents,
    shards: Vec<Shard<W>>,
}

struct Shard<const W: usize> {
    slots: Vec<Group<W>>,
    used: usize,
}

/// The configurations whose keys differ in the lowest bits only.
#[derive(Clone, Copy, Debug)]
struct Group<const W: usize> {
    /// Their keys without the lowest bits.
    stem: Key<W>,
    /// Which of them were met; none for a slot that is empty.
    members: u64,
}

impl<const W: usize> Visited<W> {
    pub(crate) fn new() -> Self {
        let shards = (0..N_SHARDS).map(|_| Shard::new(16)).collect();
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
        let keys = self.keys.len() * size_of::<Key<W>>();
        (keys + slots * size_of::<Group<W>>()) as u64 + self.parents.bytes()
    }

    /// Adds the new ones among the candidates of several threads, in their order: those of the first
    /// thread, then those of the second. With `jobs` threads, each of which has a lane; the numbering
    /// does not depend on their number.
    pub(crate) fn add(&mut self, parts: &[&Lanes<W>], jobs: usize) {
        let n: usize = parts.iter().map(|part| part.len()).sum();
        assert!(u32::try_from(self.len() + n).is_ok(), "2^32 configurations");
        let winners = self.claim_all(parts, jobs, n);
        for (number, part) in parts.iter().enumerate() {
            let n_new = winners.iter().map(|lane| lane[number].len()).sum();
            reserve(&mut self.keys, n_new);
            self.parents.reserve(n_new);
            let mut parent = part.parents();
            if let [alone] = &winners[..] {
                let keys = part.lane(0);
                for &winner in &alone[number] {
                    self.keys.push(keys[winner as usize]);
                    self.parents.push(parent(part.order(0, winner)));
                }
                continue;
            }
            let new = winners.iter().enumerate().flat_map(|(lane, winners)| {
                let numbers = winners[number].iter();
                numbers.map(move |&it| (part.order(lane, it), &part.lane(lane)[it as usize]))
            });
            let mut new: Vec<(u32, &Key<W>)> = new.collect();
            // A few sorted lists one after the other: the stable sort merges them.
            new.sort_by_key(|&(order, _)| order);
            for (order, key) in new {
                self.keys.push(*key);
                self.parents.push(parent(order));
            }
        }
    }

    /// For each lane and part: the numbers of the new ones among the candidates.
    fn claim_all(&mut self, parts: &[&Lanes<W>], jobs: usize, n: usize) -> Vec<Vec<Vec<u32>>> {
        // Starting threads costs more than adding this many.
        const WORTH_A_THREAD: usize = 8_192;
        let mut lanes = self.shards.chunks_mut(shards_per_job(jobs)).enumerate();
        let work = |(lane, shards): (usize, &mut [Shard<W>])| -> Vec<Vec<u32>> {
            let first = lane * shards_per_job(jobs);
            parts.iter().map(|part| claim(shards, first, part.lane(lane))).collect()
        };
        if jobs == 1 || n < WORTH_A_THREAD {
            return lanes.map(work).collect();
        }
        let own = lanes.next();
        std::thread::scope(|scope| {
            let threads: Vec<_> = lanes.map(|lane| scope.spawn(move || work(lane))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<Vec<u32>>>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            let own = own.map(work);
            own.into_iter().chain(threads.into_iter().map(join)).collect()
        })
    }

    /// The same set with every key rewritten, in the same order.
    pub(crate) fn rewrite<const V: usize>(self, f: impl FnMut(&Key<W>) -> Key<V>) -> Visited<V> {
        let Self { keys, parents, shards } = self;
        drop(shards);
        let mut new = Visited::new();
        new.parents = parents;
        new.keys = keys.iter().map(f).collect();
        drop(keys);
        for batch in new.keys.chunks(1 << 16) {
            claim(&mut new.shards, 0, batch);
        }
        new
    }
}

/// How many slots are asked for ahead. Enough to cover the time memory takes, few enough to stay in the
/// nearest cache.
const AHEAD: usize = 64;

/// Inserts those of the candidates that are new, and returns their numbers. All of them belong to
/// `shards`, the first of which has number `first`.
fn claim<const W: usize>(shards: &mut [Shard<W>], first: usize, keys: &[Key<W>]) -> Vec<u32> {
    let (mut winners, mut n_winners) = (vec![0; keys.len()], 0);
    let mut hashes = [0; AHEAD];
    let mut number = 0;
    for batch in keys.chunks(AHEAD) {
        for (hash, key) in hashes.iter_mut().zip(batch) {
            *hash = hash_of(&stem(key));
            let slots = &shards[shard_of(*hash) - first].slots;
            qp_prefetch::prefetch(slots, home(slots, *hash));
        }
        for (&hash, key) in hashes.iter().zip(batch) {
            let shard = &mut shards[shard_of(hash) - first];
            // Whether a key is new cannot be foretold, so that nothing is to depend on it but numbers.
            winners[n_winners] = number;
            n_winners += usize::from(shard.insert(hash, key));
            number += 1;
            if shard.is_full() {
                shard.grow();
            }
        }
    }
    winners.truncate(n_winners);
    winners
}

/// A key without its lowest bits.
#[inline]
fn stem<const W: usize>(key: &Key<W>) -> Key<W> {
    let mut stem = *key;
    stem[0] &= !LOWEST;
    stem
}

/// Where the search for a hash begins.
#[inline]
fn home<const W: usize>(slots: &[Group<W>], hash: u64) -> usize {
    (((hash & 0xffff_ffff) * slots.len() as u64) >> 32) as usize
}

impl<const W: usize> Shard<W> {
    fn new(size: usize) -> Self {
        Self { slots: vec![Group { stem: [0; W], members: 0 }; size], used: 0 }
    }

    /// Inserts a key unless it is there; there must be an empty slot. Says whether it was new.
    #[inline]
    fn insert(&mut self, hash: u64, key: &Key<W>) -> bool {
        let (stem, member) = (stem(key), 1 << (key[0] & LOWEST));
        let group = self.find(hash, &stem);
        let is_new = group.members & member == 0;
        let is_first = group.members == 0;
        group.stem = stem;
        group.members |= member;
        self.used += usize::from(is_first);
        is_new
    }

    /// The slot of a group, or an empty one that can become it.
    #[inline]
    fn find(&mut self, hash: u64, stem: &Key<W>) -> &mut Group<W> {
        let slots = &mut self.slots[..];
        let mut slot = home(slots, hash);
        while slots[slot].stem != *stem && slots[slot].members != 0 {
            slot += 1;
            if slot == slots.len() {
                slot = 0;
            }
        }
        &mut slots[slot]
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.used * LOAD.1 > self.slots.len() * LOAD.0
    }

    /// Doubles the table: always the same sizes, whatever is added at once. Entries keep their order, so both
    /// tables are walked from end to end.
    #[cold]
    fn grow(&mut self) {
        let new = Self::new(self.slots.len() * 2);
        let old = std::mem::replace(self, new);
        for group in old.slots.into_iter().filter(|group| group.members != 0) {
            *self.find(hash_of(&group.stem), &group.stem) = group;
            self.used += 1;
        }
    }
}

#[inline]
fn shard_of(hash: u64) -> usize {
    (hash >> 32) as usize % N_SHARDS
}

/// The lane of a key if each lane has this many shards.
#[inline]
pub(crate) fn lane_of<const W: usize>(key: &Key<W>, shards_per_lane: usize) -> usize {
    shard_of(hash_of(&stem(key))) / shards_per_lane
}

/// The place of every key, for those who look at the whole graph.
pub(crate) struct Places<const W: usize>(Map<Key<W>, u32>);

impl<const W: usize> Places<W> {
    pub(crate) fn of(visited: &Visited<W>) -> Self {
        Self(visited.keys.iter().copied().zip(0..).collect())
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
pub(crate) fn hash_of<const W: usize>(key: &Key<W>) -> u64 {
    key.iter().fold(0x9e37_79b9_7f4a_7c15, |h, &word| {
        let product = u128::from(h ^ word) * 0xd6e8_feb8_6659_fd93_u128;
        (product as u64) ^ (product >> 64) as u64
    })
}

/// Grows by an eighth instead of doubling: the arrays are the larger part of the memory.
pub(crate) fn reserve<T>(items: &mut Vec<T>, more: usize) {
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

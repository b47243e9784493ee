//! The set of configurations met so far.
//!
//! Keys stand in one array in the order of discovery, which is also the frontier of the search; a hash
//! table of 8-byte slots (32 bits of hash, 31 bits of place) finds them. The slot is computed from the
//! 32 bits alone, so growing a table never touches the keys. Tables are split into shards that grow
//! one after the other by a third, not all at once by doubling. A configuration costs 8 bytes of key
//! for every 64 bits, 4 of parent and 11 to 15 of table.
//!
//! Tried and left: keys inside the table (one cache miss less for each old key, but no numbering, and
//! parents, bounds and eventualities all need one); buckets of a cache line whose tags are compared
//! together (1.4 times slower); huge pages (no difference).

use super::packing::Key;

/// How many tables the set is split into: two versions of the whole never exist at once, and threads
/// share them out. A power of two.
const N_SHARDS: usize = 16;
/// When more than this part of its slots is used, a table grows.
const LOAD: (usize, usize) = (7, 10);
/// Slots with this bit refer to candidates of the current batch, not to keys in the array.
const CANDIDATE: u32 = 1 << 31;

/// The configurations met so far, numbered in order of discovery.
pub(super) struct Visited<const W: usize> {
    keys: Vec<Key<W>>,
    /// The configuration from which each was first reached.
    parents: Vec<u32>,
    shards: Vec<Shard>,
}

/// A key that may be new, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<const W: usize> {
    pub(super) key: Key<W>,
    pub(super) hash: u64,
    pub(super) parent: u32,
}

impl<const W: usize> Candidate<W> {
    #[inline]
    pub(super) fn new(key: Key<W>, parent: u32) -> Self {
        Self { key, hash: hash(&key), parent }
    }
}

/// A candidate that turned out to be new, and its slot.
struct Winner {
    candidate: u32,
    shard: u32,
    slot: u32,
}

struct Shard {
    /// Zero for an empty slot, else tag << 32 | reference + 1.
    slots: Vec<u64>,
    used: usize,
}

impl<const W: usize> Visited<W> {
    pub(super) fn new() -> Self {
        let shards = (0..N_SHARDS).map(|_| Shard { slots: vec![0; 64], used: 0 }).collect();
        Self { keys: Vec::new(), parents: Vec::new(), shards }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// All keys, in order of discovery.
    pub(super) fn keys(&self) -> &[Key<W>] {
        &self.keys
    }

    pub(super) fn parent(&self, place: u32) -> u32 {
        self.parents[place as usize]
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let slots: usize = self.shards.iter().map(|shard| shard.slots.capacity()).sum();
        let keys = self.keys.capacity() * size_of::<Key<W>>();
        (keys + self.parents.capacity() * 4 + slots * 8) as u64
    }

    /// The place of a key, if it was met.
    pub(super) fn find(&self, key: &Key<W>) -> Option<u32> {
        let hash = hash(key);
        let slots = &self.shards[shard_of(hash)].slots;
        probe(slots, home(slots, hash), hash, |place| self.keys[place as usize] == *key).ok()
    }

    /// Adds the new ones among the candidates, in their order, on `jobs` threads. The numbering does
    /// not depend on the number of threads: it is the order of the candidates.
    pub(super) fn add(&mut self, candidates: &[Candidate<W>], jobs: usize) {
        assert!(self.len() + candidates.len() < CANDIDATE as usize, "2^31 configurations");
        let winners = if jobs == 1 {
            let numbers: Vec<u32> = (0..candidates.len() as u32).collect();
            Tables::new(&mut self.shards, 0, candidates).claim(&self.keys, candidates, &numbers)
        } else {
            claim_on_threads(&self.keys, &mut self.shards, jobs, candidates)
        };
        for (place, winner) in (self.keys.len() as u32..).zip(&winners) {
            let entry = entry(candidates[winner.candidate as usize].hash, place);
            self.shards[winner.shard as usize].slots[winner.slot as usize] = entry;
        }
        let won = || winners.iter().map(|winner| &candidates[winner.candidate as usize]);
        reserve(&mut self.keys, winners.len());
        self.keys.extend(won().map(|candidate| candidate.key));
        reserve(&mut self.parents, winners.len());
        self.parents.extend(won().map(|candidate| candidate.parent));
    }

    /// The same set with every key rewritten, in the same order.
    pub(super) fn rewrite<const V: usize>(self, f: impl Fn(&Key<W>) -> Key<V>) -> Visited<V> {
        let keys: Vec<Key<V>> = self.keys.iter().map(f).collect();
        let mut shards = self.shards;
        for shard in &mut shards {
            shard.slots.fill(0);
            shard.used = 0;
        }
        for (place, key) in (0..).zip(&keys) {
            let hash = hash(key);
            let shard = &mut shards[shard_of(hash)];
            shard.make_room(1);
            shard.used += 1;
            put(&mut shard.slots, entry(hash, place));
        }
        Visited { keys, parents: self.parents, shards }
    }
}

/// Each thread looks through all candidates and takes those of its own shards.
fn claim_on_threads<const W: usize>(
    keys: &[Key<W>],
    shards: &mut [Shard],
    jobs: usize,
    candidates: &[Candidate<W>],
) -> Vec<Winner> {
    let per_job = N_SHARDS.div_ceil(jobs);
    let work = |first: usize, shards: &mut [Shard]| {
        let mine = first..first + shards.len();
        let of_mine = |&i: &u32| mine.contains(&shard_of(candidates[i as usize].hash));
        let numbers: Vec<u32> = (0..candidates.len() as u32).filter(of_mine).collect();
        Tables::new(shards, first, candidates).claim(keys, candidates, &numbers)
    };
    let mut winners: Vec<Winner> = std::thread::scope(|scope| {
        let parts = shards.chunks_mut(per_job).enumerate();
        let threads: Vec<_> =
            parts.map(|(job, shards)| scope.spawn(move || work(job * per_job, shards))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<Winner>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect()
    });
    winners.sort_unstable_by_key(|winner| winner.candidate);
    winners
}

/// Some of the shards, with room made for a batch of candidates.
struct Tables<'a> {
    /// Indexed by shard; empty for those that belong to others.
    slots: [&'a mut [u64]; N_SHARDS],
    used: [Option<&'a mut usize>; N_SHARDS],
}

/// How many candidates are looked up together.
const BATCH: usize = 32;

impl<'a> Tables<'a> {
    /// All room is made before the first insertion: winners remember their slots.
    fn new<const W: usize>(
        shards: &'a mut [Shard],
        first: usize,
        candidates: &[Candidate<W>],
    ) -> Self {
        let mut expected = [0; N_SHARDS];
        for candidate in candidates {
            expected[shard_of(candidate.hash)] += 1;
        }
        let mut slots: [&mut [u64]; N_SHARDS] = std::array::from_fn(|_| &mut [][..]);
        let mut used: [Option<&mut usize>; N_SHARDS] = std::array::from_fn(|_| None);
        for (number, shard) in (first..).zip(shards) {
            shard.make_room(expected[number]);
            slots[number] = &mut shard.slots;
            used[number] = Some(&mut shard.used);
        }
        Self { slots, used }
    }

    /// Inserts those of the candidates with these numbers that are new.
    fn claim<const W: usize>(
        &mut self,
        keys: &[Key<W>],
        candidates: &[Candidate<W>],
        numbers: &[u32],
    ) -> Vec<Winner> {
        let mut winners = Vec::new();
        for batch in numbers.chunks(BATCH) {
            let old = self.look(keys, candidates, batch);
            for (&number, old) in batch.iter().zip(old) {
                if old {
                    continue;
                }
                let shard = shard_of(candidates[number as usize].hash);
                if let Some(slot) = insert(self.slots[shard], keys, candidates, number) {
                    *self.used[shard].as_deref_mut().expect("the shard is ours") += 1;
                    winners.push(Winner { candidate: number, shard: shard as u32, slot });
                }
            }
        }
        winners
    }

    /// Which of these candidates are old for sure. Most are, and telling takes two reads far apart: of
    /// a slot, then of a key. Each kind is read for all candidates in a loop of its own, in which no
    /// read waits for another: that overlaps the cache misses.
    #[inline]
    fn look<const W: usize>(
        &self,
        keys: &[Key<W>],
        candidates: &[Candidate<W>],
        batch: &[u32],
    ) -> [bool; BATCH] {
        let mut homes = [(0_u32, 0_u64); BATCH];
        for (place, &number) in homes.iter_mut().zip(batch) {
            let hash = candidates[number as usize].hash;
            let slots = &*self.slots[shard_of(hash)];
            let home = home(slots, hash);
            *place = (home, slots[home as usize]);
        }
        let mut places = [0; BATCH];
        for ((place, &(home, first)), &number) in places.iter_mut().zip(&homes).zip(batch) {
            let hash = candidates[number as usize].hash;
            *place = if first >> 32 == hash & 0xffff_ffff {
                (first as u32).wrapping_sub(1)
            } else {
                probe(self.slots[shard_of(hash)], home, hash, |_| true).unwrap_or(CANDIDATE)
            };
        }
        let mut old = [false; BATCH];
        for ((old, place), &number) in old.iter_mut().zip(places).zip(batch) {
            let key = keys.get(place as usize);
            *old = key.is_some_and(|key| *key == candidates[number as usize].key);
        }
        old
    }
}

/// Where the search for a hash begins.
#[inline]
fn home(slots: &[u64], hash: u64) -> u32 {
    (((hash & 0xffff_ffff) * slots.len() as u64) >> 32) as u32
}

/// Looks for an entry from `slot` on, up to the first empty slot. Returns the reference that `is_it`
/// accepts, or else the empty slot.
#[inline]
fn probe(slots: &[u64], mut slot: u32, hash: u64, is_it: impl Fn(u32) -> bool) -> Result<u32, u32> {
    loop {
        let entry = slots[slot as usize];
        if entry == 0 {
            return Err(slot);
        }
        let reference = (entry as u32).wrapping_sub(1);
        if entry >> 32 == hash & 0xffff_ffff && is_it(reference) {
            return Ok(reference);
        }
        slot = if slot as usize + 1 == slots.len() { 0 } else { slot + 1 };
    }
}

/// Inserts a candidate; returns its slot if it is new.
#[inline]
fn insert<const W: usize>(
    slots: &mut [u64],
    keys: &[Key<W>],
    candidates: &[Candidate<W>],
    candidate: u32,
) -> Option<u32> {
    let Candidate { key, hash, .. } = &candidates[candidate as usize];
    let is_it = |place: u32| {
        let old = if place & CANDIDATE == 0 {
            &keys[place as usize]
        } else {
            &candidates[(place ^ CANDIDATE) as usize].key
        };
        old == key
    };
    let slot = probe(slots, home(slots, *hash), *hash, is_it).err()?;
    slots[slot as usize] = entry(*hash, CANDIDATE | candidate);
    Some(slot)
}

/// Adds an entry that is known to be new.
fn put(slots: &mut [u64], entry: u64) {
    let hash = entry >> 32;
    let slot = probe(slots, home(slots, hash), hash, |_| false).expect_err("it accepts nothing");
    slots[slot as usize] = entry;
}

#[inline]
fn entry(hash: u64, reference: u32) -> u64 {
    (hash << 32) | (u64::from(reference) + 1)
}

impl Shard {
    /// Grows so that `more` entries fit. An entry's place follows from its tag, in the same order,
    /// so both tables are walked from end to end.
    fn make_room(&mut self, more: usize) {
        let needed = (self.used + more) * LOAD.1 / LOAD.0 + 1;
        if needed <= self.slots.len() {
            return;
        }
        let len = needed.max(self.slots.len() / 3 * 4);
        assert!(u32::try_from(len).is_ok(), "slots are numbered with 32 bits");
        let mut slots = vec![0; len];
        for &entry in self.slots.iter().filter(|&&entry| entry != 0) {
            put(&mut slots, entry);
        }
        self.slots = slots;
    }
}

#[inline]
fn shard_of(hash: u64) -> usize {
    (hash >> 32) as usize % N_SHARDS
}

/// Multiplication and folding, twice: keys are small numbers side by side, so every input bit must
/// reach the top and the bottom half.
#[inline]
pub(super) fn hash<const W: usize>(key: &Key<W>) -> u64 {
    let mut h = 0x9e37_79b9_7f4a_7c15_u64;
    for &word in key {
        let product = u128::from(h ^ word) * 0xd6e8_feb8_6659_fd93_u128;
        h = (product as u64) ^ (product >> 64) as u64;
    }
    h ^= h >> 32;
    h = h.wrapping_mul(0xe703_7ed1_a0b4_28db);
    h ^ h >> 29
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
        let mut reference = std::collections::BTreeMap::new();
        let mut order = Vec::new();
        for key in &keys {
            reference.entry(*key).or_insert_with(|| {
                order.push(*key);
                order.len() as u32 - 1
            });
        }
        for (jobs, batch) in [(1, 1), (1, 1000), (2, 997), (3, 20_000), (16, 60_000)] {
            let mut visited = Visited::new();
            for part in keys.chunks(batch) {
                let candidates: Vec<_> = part.iter().map(|&k| Candidate::new(k, 0)).collect();
                visited.add(&candidates, jobs);
            }
            assert_eq!(visited.keys(), order);
            for (key, &place) in &reference {
                assert_eq!(visited.find(key), Some(place));
            }
            assert_eq!(visited.find(&[1, 99]), None);
            let wider: Visited<3> = visited.rewrite(|key| [key[1], 5, key[0]]);
            assert_eq!(wider.len(), order.len());
            assert_eq!(wider.find(&[order[100][1], 5, order[100][0]]), Some(100));
        }
    }
}

//! The set of configurations met so far.
//!
//! Keys stand in one array in the order of discovery, which is also the frontier of the search; a hash
//! table of 8-byte slots (32 bits of hash, 31 bits of place) finds them. The place of a slot is computed
//! from the 32 bits alone, so growing a table never touches the keys. Tables are split into shards
//! that grow one after the other by half, not all at once by doubling: at 10^7 configurations this
//! holds 8 bytes of key, 4 of parent and 10 to 15 of table each.
//!
//! Tried and left: keys inside the table (one cache miss less for each old key, but no numbering, and
//! parents, bounds and eventualities all need one); buckets of a cache line with quotiented
//! 4-byte slots (less memory, but they tie the table to the packing, which changes while we search).

use super::packing::Key;

/// How many tables the set is split into. A power of two; more than any sensible number of threads.
pub(super) const N_SHARDS: usize = 16;
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
pub(super) struct Winner {
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

    pub(super) fn key(&self, place: u32) -> &Key<W> {
        &self.keys[place as usize]
    }

    pub(super) fn parent(&self, place: u32) -> u32 {
        self.parents[place as usize]
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let slots: usize = self.shards.iter().map(|shard| shard.slots.capacity()).sum();
        (self.keys.capacity() * size_of::<Key<W>>() + self.parents.capacity() * 4 + slots * 8)
            as u64
    }

    /// The place of a key, if it was met.
    pub(super) fn find(&self, key: &Key<W>) -> Option<u32> {
        let hash = hash(key);
        let shard = &self.shards[shard_of(hash)];
        let mut slot = shard.home(hash);
        loop {
            let found = shard.slots[slot];
            if found == 0 {
                return None;
            }
            let place = (found as u32) - 1;
            if found >> 32 == hash & 0xffff_ffff && self.keys[place as usize] == *key {
                return Some(place);
            }
            slot = shard.after(slot);
        }
    }

    /// Adds the new ones among the candidates, in their order, on `jobs` threads. The numbering does
    /// not depend on the number of threads: it is the order of the candidates.
    pub(super) fn add(&mut self, candidates: &[Candidate<W>], jobs: usize) {
        assert!(candidates.len() < CANDIDATE as usize, "batches are small");
        assert!(self.keys.len() + candidates.len() < CANDIDATE as usize, "2^31 configurations");
        let keys = &self.keys;
        let per_job = N_SHARDS.div_ceil(jobs);
        let mut winners: Vec<Winner> = if jobs == 1 {
            claim(keys, &mut self.shards, 0, candidates)
        } else {
            std::thread::scope(|scope| {
                let threads: Vec<_> = (self.shards.chunks_mut(per_job).enumerate())
                    .map(|(job, shards)| {
                        scope.spawn(move || claim(keys, shards, job * per_job, candidates))
                    })
                    .collect();
                let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<Winner>>| {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                };
                threads.into_iter().flat_map(join).collect()
            })
        };
        if jobs > 1 {
            winners.sort_unstable_by_key(|winner| winner.candidate);
        }
        reserve(&mut self.keys, winners.len());
        reserve(&mut self.parents, winners.len());
        for winner in winners {
            let candidate = &candidates[winner.candidate as usize];
            let slot = &mut self.shards[winner.shard as usize].slots[winner.slot as usize];
            *slot = slot_for(candidate.hash, self.keys.len() as u32);
            self.keys.push(candidate.key);
            self.parents.push(candidate.parent);
        }
    }

    /// The same set with every key rewritten, in the same order.
    pub(super) fn rewrite<const V: usize>(self, f: impl Fn(&Key<W>) -> Key<V>) -> Visited<V> {
        let mut new = Visited { keys: Vec::new(), parents: Vec::new(), shards: self.shards };
        for shard in &mut new.shards {
            shard.slots.fill(0);
            shard.used = 0;
        }
        new.keys.reserve_exact(self.keys.len());
        for key in &self.keys {
            let key = f(key);
            let hash = hash(&key);
            let shard = &mut new.shards[shard_of(hash)];
            shard.make_room(1);
            let slot = shard.free(hash);
            shard.slots[slot] = slot_for(hash, new.keys.len() as u32);
            shard.used += 1;
            new.keys.push(key);
        }
        new.parents = self.parents;
        new
    }
}

/// How many candidates are looked up together. Their slots are read in one go before any of them is
/// needed, so that the cache misses overlap; this halves the time on sets larger than the cache.
const BATCH: usize = 32;

/// Inserts the candidates that belong to `shards` (the first of which has number `first`) and are new.
fn claim<const W: usize>(
    keys: &[Key<W>],
    shards: &mut [Shard],
    first: usize,
    candidates: &[Candidate<W>],
) -> Vec<Winner> {
    let mine = first..first + shards.len();
    let all = shards.len() == N_SHARDS;
    // All room is made before the first insertion: winners remember their slots.
    let mut expected = [0; N_SHARDS];
    for candidate in candidates {
        expected[shard_of(candidate.hash)] += 1;
    }
    for (shard, &more) in shards.iter_mut().zip(&expected[first..]) {
        shard.make_room(more);
    }
    let mut winners = Vec::new();
    let mut batch = [(0_u32, 0_usize); BATCH];
    let mut numbers = (0..candidates.len() as u32)
        .filter(|&c| all || mine.contains(&shard_of(candidates[c as usize].hash)));
    loop {
        let mut n = 0;
        for candidate in numbers.by_ref().take(BATCH) {
            let hash = candidates[candidate as usize].hash;
            batch[n] = (candidate, shard_of(hash) - first);
            n += 1;
        }
        if n == 0 {
            return winners;
        }
        // The two loops of independent reads are the prefetch; their results are not used.
        let mut seen = [0_u64; BATCH];
        for (seen, &(candidate, shard)) in seen.iter_mut().zip(&batch[..n]) {
            let shard = &shards[shard];
            *seen = shard.slots[shard.home(candidates[candidate as usize].hash)];
        }
        let touch =
            |&slot: &u64| keys.get((slot as u32).wrapping_sub(1) as usize).map_or(0, |k| k[0]);
        std::hint::black_box(seen.iter().map(touch).fold(0, |a, b| a ^ b));
        for &(candidate, shard) in &batch[..n] {
            if let Some(slot) = shards[shard].insert(keys, candidates, candidate) {
                let shard = (first + shard) as u32;
                winners.push(Winner { candidate, shard, slot });
            }
        }
    }
}

impl Shard {
    /// Where the search for a hash begins.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash & 0xffff_ffff) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    /// The first empty slot for a hash.
    fn free(&self, hash: u64) -> usize {
        let mut slot = self.home(hash);
        while self.slots[slot] != 0 {
            slot = self.after(slot);
        }
        slot
    }

    /// Inserts a candidate; returns its slot if it is new.
    #[inline]
    fn insert<const W: usize>(
        &mut self,
        keys: &[Key<W>],
        candidates: &[Candidate<W>],
        candidate: u32,
    ) -> Option<u32> {
        let Candidate { key, hash, .. } = &candidates[candidate as usize];
        let mut slot = self.home(*hash);
        loop {
            let found = self.slots[slot];
            if found == 0 {
                self.slots[slot] = slot_for(*hash, CANDIDATE | candidate);
                self.used += 1;
                return Some(slot as u32);
            }
            if found >> 32 == *hash & 0xffff_ffff {
                let place = (found as u32).wrapping_sub(1);
                let old = if place & CANDIDATE == 0 {
                    &keys[place as usize]
                } else {
                    &candidates[(place ^ CANDIDATE) as usize].key
                };
                if old == key {
                    return None;
                }
            }
            slot = self.after(slot);
        }
    }

    /// Grows so that `more` entries keep the load below four fifths.
    fn make_room(&mut self, more: usize) {
        let needed = (self.used + more) * 5 / 4;
        if needed <= self.slots.len() {
            return;
        }
        let len = needed.max(self.slots.len() * 3 / 2);
        let old = std::mem::replace(&mut self.slots, vec![0; len]);
        for entry in old.into_iter().filter(|&entry| entry != 0) {
            let slot = self.free(entry >> 32);
            self.slots[slot] = entry;
        }
    }
}

fn slot_for(hash: u64, reference: u32) -> u64 {
    (hash << 32) | (u64::from(reference) + 1)
}

fn shard_of(hash: u64) -> usize {
    (hash >> 60) as usize & (N_SHARDS - 1)
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
            assert_eq!(visited.keys, order);
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

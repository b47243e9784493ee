//! What the configurations that were visited look like, and how many look different.
//!
//! Looks are numbered part by part, and what a configuration looks like is one number for each part. Where
//! configurations are kept one by one, each is looked at once, however the search grows, and that has to be cheap
//! beside visiting it: what each value of each part looks like is worked out once, as bits that only have to be put
//! together. Where they are a decision diagram, the values at its levels are replaced by their looks.

use num_bigint::BigUint;
use qp_base::{Interner, Map};
use qp_machines::WordId;

use crate::search::any::AnySearch;
use crate::search::sets::{ConfigSet, Listed};
use crate::search::space::Space;

use crate::lists::Look;

/// What visited configurations look like.
pub(super) struct Projection {
    look: Look,
    /// What contents look like.
    words: Map<WordId, WordId>,
    parts: Vec<Part>,
    set: ConfigSet,
    looked_at: usize,
}

/// One part: what its values look like, as small numbers and as bits of a key.
#[derive(Default)]
struct Part {
    looks: Interner<usize, (u64, Vec<WordId>)>,
    /// For each value of the part: the number of its look.
    numbers: Vec<u32>,
    /// For each value of the part: the word of the key in which its bits are, and those.
    bits: Vec<(u32, u64)>,
}

impl Projection {
    pub(super) fn new(look: Look) -> Self {
        let set = ConfigSet::from(Listed::default());
        Self { look, words: Map::default(), parts: Vec::new(), set, looked_at: 0 }
    }

    /// How many look different.
    pub(super) fn count(&self) -> BigUint {
        self.set.count()
    }

    /// Whether something that was visited looks like the configuration with these values of parts.
    pub(super) fn contains(&mut self, space: &mut Space, values: &[u32]) -> bool {
        self.learn(space);
        let looks: Vec<u32> =
            values.iter().enumerate().map(|(part, &value)| self.number(part, value)).collect();
        self.set.contains(&looks)
    }

    /// Looks at the configurations that were visited since, up to place `up_to`, until `all` were seen:
    /// there are no others.
    pub(super) fn add(
        &mut self,
        space: &mut Space,
        search: &AnySearch,
        (up_to, all): (usize, usize),
    ) {
        const BATCH: usize = 4_096;
        self.learn(space);
        let Some(set) = self.set.listed() else { return };
        let counts: Vec<usize> = self.parts.iter().map(|part| part.looks.len()).collect();
        if set.make_room(&counts) {
            self.parts.iter_mut().for_each(|part| part.bits.clear());
        }
        for (number, part) in self.parts.iter_mut().enumerate() {
            let known = part.bits.len();
            part.bits.extend(part.numbers[known..].iter().map(|&look| set.place(number, look)));
        }
        let parts = &self.parts;
        while self.looked_at < up_to && set.len() < all {
            let batch = self.looked_at..up_to.min(self.looked_at + BATCH);
            self.looked_at = batch.end;
            search.each(batch, |values| {
                set.add_places(parts.iter().zip(values).map(|(part, &v)| part.bits[v as usize]));
            });
        }
    }

    /// From now on, these are the configurations that were visited. `None` if that takes too much.
    pub(super) fn replace(&mut self, visited: &ConfigSet) -> Option<()> {
        self.set = visited.project(|part, value| self.number(part, value)).ok()?;
        Some(())
    }

    /// The number of what a value of a part looks like, of those that were there when it learnt last.
    pub(super) fn number(&self, part: usize, value: u32) -> u32 {
        self.parts[part].numbers[value as usize]
    }

    /// Works out what values look like that are new.
    pub(super) fn learn(&mut self, space: &mut Space) {
        let counts = space.counts();
        self.parts.resize_with(counts.len(), Part::default);
        for (part, &count) in counts.iter().enumerate() {
            for value in self.parts[part].numbers.len()..count {
                self.look_at(space, part, value as u32);
            }
        }
    }

    fn look_at(&mut self, space: &mut Space, part: usize, value: u32) {
        let (rest, mut words) = space.part(part, value);
        let interned = space.system().words_mut();
        for word in words.iter_mut().filter(|word| **word != WordId::CLOSED) {
            *word = *self.words.entry(*word).or_insert_with(|| {
                let list = self.look.of(&interned.messages(*word));
                interned.intern(&list.representative())
            });
        }
        let part = &mut self.parts[part];
        let number = part.looks.intern((rest, words)) as u32;
        part.numbers.push(number);
    }
}

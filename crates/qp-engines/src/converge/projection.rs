//! How many of the configurations that were visited look different.
//!
//! Every configuration is looked at once, however the search grows, and that has to be cheap beside visiting
//! it: what each value of each part looks like is worked out once, as bits that only have to be put together.

use qp_base::{Interner, Map, Set};
use qp_machines::WordId;

use crate::search::any::AnySearch;
use crate::search::packing::{Key, Packing};
use crate::search::space::Space;

use super::list::Look;

/// Words of a key. What looks different is told apart by fewer bits than what is different.
const WORDS: usize = 4;

/// What visited configurations look like.
pub(super) struct Projection {
    look: Look,
    /// What contents look like.
    words: Map<WordId, WordId>,
    parts: Vec<Part>,
    packing: Packing,
    /// Configurations as they look, while one word is enough for each.
    narrow: Set<u64>,
    /// The same where it is not.
    wide: Set<Key<WORDS>>,
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
        Self {
            look,
            words: Map::default(),
            parts: Vec::new(),
            packing: Packing::for_counts(&[]),
            narrow: Set::default(),
            wide: Set::default(),
            looked_at: 0,
        }
    }

    /// How many look different.
    pub(super) fn len(&self) -> usize {
        self.narrow.len() + self.wide.len()
    }

    /// Looks at the configurations that were visited since, up to place `up_to`, until `all` were seen:
    /// there are no others. `None` if keys are too short.
    pub(super) fn add(
        &mut self,
        space: &mut Space,
        search: &AnySearch,
        (up_to, all): (usize, usize),
    ) -> Option<()> {
        const BATCH: usize = 4_096;
        self.learn(space)?;
        let (parts, is_narrow) = (&self.parts, self.packing.n_words() == 1);
        while self.looked_at < up_to && self.narrow.len() + self.wide.len() < all {
            let batch = self.looked_at..up_to.min(self.looked_at + BATCH);
            if is_narrow {
                let narrow = &mut self.narrow;
                search.each(batch.clone(), |values| {
                    let bits = parts.iter().zip(values).map(|(part, &v)| part.bits[v as usize].1);
                    narrow.insert(bits.fold(0, |key, bits| key | bits));
                });
            } else {
                let wide = &mut self.wide;
                search.each(batch.clone(), |values| {
                    let mut key = [0; WORDS];
                    for (part, &value) in parts.iter().zip(values) {
                        let (word, bits) = part.bits[value as usize];
                        key[word as usize] |= bits;
                    }
                    wide.insert(key);
                });
            }
            self.looked_at = batch.end;
        }
        Some(())
    }

    /// Works out what values look like that are new, and makes keys wider if they need it.
    fn learn(&mut self, space: &mut Space) -> Option<()> {
        let counts = space.counts();
        self.parts.resize_with(counts.len(), Part::default);
        for (part, &count) in counts.iter().enumerate() {
            for value in self.parts[part].numbers.len()..count {
                self.look_at(space, part, value as u32);
            }
        }
        let counts: Vec<usize> = self.parts.iter().map(|part| part.looks.len()).collect();
        if !self.packing.fits(&counts) {
            let wider = Packing::for_counts(&counts);
            if wider.n_words() > WORDS {
                return None;
            }
            let narrow = self.narrow.drain().map(|word| [word, 0, 0, 0]);
            let old: Vec<Key<WORDS>> = narrow.chain(self.wide.drain()).collect();
            for key in old {
                let mut numbers = Vec::new();
                self.packing.unpack(&key, &mut numbers);
                // Parts that are added are absent in old configurations, which is their first value.
                numbers.resize(counts.len(), 0);
                let key: Key<WORDS> = wider.pack(&numbers);
                if wider.n_words() == 1 {
                    self.narrow.insert(key[0]);
                } else {
                    self.wide.insert(key);
                }
            }
            self.packing = wider;
            self.parts.iter_mut().for_each(|part| part.bits.clear());
        }
        for (number, part) in self.parts.iter_mut().enumerate() {
            let field = self.packing.field(number);
            let known = part.bits.len();
            part.bits.extend(part.numbers[known..].iter().map(|&look| field.place(look)));
        }
        Some(())
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

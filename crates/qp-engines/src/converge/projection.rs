//! How many of the configurations that were visited look different.

use std::collections::HashSet;

use qp_base::{Interner, Map};
use qp_machines::WordId;

use crate::search::any::AnySearch;
use crate::search::space::Space;

use super::list::Look;

/// What visited configurations look like. It grows with the search: every configuration is looked at once.
pub(super) struct Projection {
    look: Look,
    /// What contents look like.
    words: Map<WordId, WordId>,
    parts: Vec<Part>,
    /// Configurations as they look, each part a number.
    seen: HashSet<Box<[u32]>>,
    /// The same where it fits: most systems have few parts.
    small: HashSet<u128, std::hash::BuildHasherDefault<Mix>>,
    looked_at: usize,
}

/// One part: what its values look like, as small numbers.
#[derive(Default)]
struct Part {
    looks: Interner<usize, (u64, Vec<WordId>)>,
    /// For each value of the part that was met: the number of its look, or [`UNKNOWN`].
    numbers: Vec<u32>,
}

const UNKNOWN: u32 = u32::MAX;

impl Projection {
    pub(super) fn new(look: Look) -> Self {
        Self {
            look,
            words: Map::default(),
            parts: Vec::new(),
            seen: HashSet::new(),
            small: HashSet::default(),
            looked_at: 0,
        }
    }

    /// How many look different.
    pub(super) fn len(&self) -> usize {
        self.seen.len() + self.small.len()
    }

    /// Looks at the configurations that were visited since, up to place `up_to`; stops looking once
    /// nothing new is left to see, which the caller knows.
    pub(super) fn add(&mut self, space: &mut Space, search: &AnySearch, up_to: usize) {
        let mut place = self.looked_at;
        let mut key = Vec::new();
        search.each(self.looked_at, |values| {
            if place < up_to {
                place += 1;
                self.number(space, values, &mut key);
                self.insert(&key);
            }
        });
        self.looked_at = place;
    }

    /// The numbers of the looks of all parts. What the first value of a part looks like has the number 0: in
    /// parts that are added later, that is absence.
    fn number(&mut self, space: &mut Space, values: &[u32], key: &mut Vec<u32>) {
        key.clear();
        while self.parts.len() < values.len() {
            self.parts.push(Part::default());
            self.look_at(space, self.parts.len() - 1, 0);
        }
        for (part, &value) in values.iter().enumerate() {
            let known = self.parts[part].numbers.get(value as usize);
            let number = match known {
                Some(&number) if number != UNKNOWN => number,
                _ => self.look_at(space, part, value),
            };
            key.push(number);
        }
    }

    #[cold]
    fn look_at(&mut self, space: &mut Space, part: usize, value: u32) -> u32 {
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
        if part.numbers.len() <= value as usize {
            part.numbers.resize(value as usize + 1, UNKNOWN);
        }
        part.numbers[value as usize] = number;
        number
    }

    /// Up to eight parts, each with fewer than 2^16 looks, make one number. Which of the two sets a
    /// configuration belongs to depends on it alone, but for trailing parts that are absent: those are 0,
    /// or not there.
    fn insert(&mut self, key: &[u32]) {
        let present = key.iter().rposition(|&number| number != 0).map_or(0, |last| last + 1);
        let key = &key[..present];
        if key.len() <= 8 && key.iter().all(|&number| number < 1 << 16) {
            let small = key.iter().rev().fold(0, |all, &number| all << 16 | u128::from(number));
            self.small.insert(small);
        } else {
            self.seen.insert(key.into());
        }
    }
}

/// Keys are small numbers side by side: multiplication spreads them.
#[derive(Default)]
pub(super) struct Mix(u64);

impl std::hash::Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let product =
            u128::from(self.0 ^ value ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }

    fn write_u128(&mut self, value: u128) {
        self.write_u64(value as u64);
        self.write_u64((value >> 64) as u64);
    }
}

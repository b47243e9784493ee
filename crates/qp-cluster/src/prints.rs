//! Fingerprints: numbers that depend on the content of a configuration alone, in whatever process.
//!
//! They say who owns a configuration and in which order configurations are looked at. Nothing rests on
//! different configurations having different ones.

use qp_base::Map;
use qp_machines::{LocalId, MachineId, MessageId, StoreId, System, WordId};

use crate::rows::Cells;

/// The fingerprints of parts that were met, each worked out once.
#[derive(Default)]
pub(crate) struct Prints {
    locals: Map<(u32, u32), u64>,
    stores: Map<u32, u64>,
    messages: Map<MessageId, u64>,
    words: Map<u32, u64>,
}

impl Prints {
    /// The fingerprint of a configuration.
    pub(crate) fn of(&mut self, system: &System, cells: &Cells<'_>) -> u64 {
        let mut print = Mix::new(u64::from(cells.holder));
        print.add(self.store(system, cells.store));
        print.add(cells.locals.len() as u64);
        for (machine, &local) in cells.locals.iter().enumerate() {
            print.add(self.local(system, machine as u32, local));
        }
        for &word in cells.words {
            print.add(self.word(system, word));
        }
        print.finish()
    }

    fn local(&mut self, system: &System, machine: u32, local: u32) -> u64 {
        *self.locals.entry((machine, local)).or_insert_with(|| {
            let (machine, local) = (MachineId::from_raw(machine), LocalId::from_raw(local));
            fingerprint(&system.program().local_text(machine, local))
        })
    }

    fn store(&mut self, system: &System, store: u32) -> u64 {
        *self
            .stores
            .entry(store)
            .or_insert_with(|| fingerprint(&system.program().store_text(StoreId::from_raw(store))))
    }

    fn word(&mut self, system: &System, word: u32) -> u64 {
        if let Some(&known) = self.words.get(&word) {
            return known;
        }
        let id = WordId::from_raw(word);
        let mut print = Mix::new(u64::from(id == WordId::CLOSED));
        for message in system.words().messages(id) {
            let text = || fingerprint(&system.program().message_text(message));
            print.add(*self.messages.entry(message).or_insert_with(text));
        }
        *self.words.entry(word).or_insert(print.finish())
    }
}

/// A number that depends on the text alone, on every machine.
pub fn fingerprint(text: &str) -> u64 {
    let mut print = Mix::new(text.len() as u64);
    for piece in text.as_bytes().chunks(8) {
        let mut bytes = [0; 8];
        bytes[..piece.len()].copy_from_slice(piece);
        print.add(u64::from_le_bytes(bytes));
    }
    print.finish()
}

/// Mixes numbers into one. Written out here because it must be the same on every machine and in every
/// version of every library.
struct Mix(u64);

impl Mix {
    fn new(first: u64) -> Self {
        let mut mix = Self(0);
        mix.add(first);
        mix
    }

    fn add(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(self) -> u64 {
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_same_fingerprint_everywhere() {
        assert_eq!(fingerprint(""), fingerprint(""));
        let texts = ["", "a", "b", "ab", "ba", "aaaaaaaa", "aaaaaaaab", "baaaaaaaa"];
        let prints: std::collections::BTreeSet<u64> = texts.map(fingerprint).into_iter().collect();
        assert_eq!(prints.len(), texts.len());
    }
}

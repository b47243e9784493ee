//! A bit for each place.

/// A set of places of the visited set. One bit each: in a flooded system nearly every configuration is
/// in it, and a list would cost as much as half a key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags {
    words: Vec<u64>,
    any: bool,
}

impl Flags {
    pub(crate) fn is_empty(&self) -> bool {
        !self.any
    }

    pub(crate) fn insert(&mut self, place: u32) {
        let word = place as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (place % 64);
        self.any = true;
    }

    pub(crate) fn contains(&self, place: u32) -> bool {
        self.words.get(place as usize / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_inserted() {
        let mut flags = Flags::default();
        assert!(flags.is_empty() && !flags.contains(0));
        let places = [0, 1, 63, 64, 200, 1000];
        for place in places {
            flags.insert(place);
        }
        let held: Vec<u32> = (0..2000).filter(|&place| flags.contains(place)).collect();
        assert_eq!(held, places);
        assert!(!flags.is_empty());
    }
}

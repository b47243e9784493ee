//! Configurations as a few machine words.

use super::visited::hash_of;

/// A configuration, packed. `W` is the number of 64-bit words; the search is compiled for a few widths
/// because a width known to the compiler is what makes hashing and comparing cheap.
pub(crate) type Key<const W: usize> = [u64; W];

/// Which bits of a key hold which part of a configuration.
///
/// Parts are numbered as they are discovered, so widths are not known in advance: when a number no
/// longer fits, the search makes a wider packing and moves every key over.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    fields: Vec<Field>,
    n_words: usize,
}

/// The lowest bits of a key: the set of visited keys has one entry for all keys that differ only there.
pub(crate) const LOWEST: u64 = 63;

/// The bits of one part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    word: u32,
    shift: u32,
    bits: u32,
}

impl Field {
    /// Replaces `old`, which is there, by `new`.
    #[inline]
    pub(crate) fn replace<const W: usize>(self, key: &mut Key<W>, old: u32, new: u32) {
        debug_assert!(u64::from(new) <= mask(self.bits), "the search widens before it packs");
        key[self.word(W)] ^= u64::from(old ^ new) << self.shift;
    }

    /// Where its lowest bit is in the word.
    pub(crate) fn shift(self) -> u32 {
        self.shift
    }

    /// The word of the key in which `value` stands, and the bits that it has there.
    pub(crate) fn place(self, value: u32) -> (u32, u64) {
        (self.word, u64::from(value) << self.shift)
    }

    /// Keys of one word need no look at the field, and no check of its range.
    #[inline]
    const fn word(self, n_words: usize) -> usize {
        if n_words == 1 { 0 } else { self.word as usize }
    }

    #[inline]
    pub(crate) fn get<const W: usize>(self, key: &Key<W>) -> u32 {
        ((key[self.word(W)] >> self.shift) & mask(self.bits)) as u32
    }
}

/// Numbers are `u32`, and a wider field could not hold more.
const BITS_MAX: u32 = 32;

impl Packing {
    /// A packing for parts with these many values each. Where it costs no further word, fields
    /// get up to four spare bits, so that most systems are repacked only a few times. Parts that have had one
    /// value so far, such as variables that never change, get bits only where these are to be had for nothing.
    pub(crate) fn for_counts(counts: &[usize]) -> Self {
        Self::laid_out(counts, false)
    }

    /// If `lowest_is_tight`, the first part gets no spare bits among the lowest ones of the key: they would never be
    /// used, and others had better have them.
    fn laid_out(counts: &[usize], lowest_is_tight: bool) -> Self {
        let is_tight = lowest_is_tight && counts.first().is_some_and(|&n| n as u64 <= LOWEST / 2);
        let mut tight = Self::with_spare(counts, 0, 0, is_tight);
        let ways = [1, 0].into_iter().flat_map(|single| [4, 3, 2, 1].map(|spare| (spare, single)));
        let mut roomy = ways.map(|(spare, single)| {
            let single = if single == 0 { 0 } else { single + spare };
            Self::with_spare(counts, spare, single, is_tight)
        });
        let fitting = roomy.find(|packing| packing.n_words <= tight.n_words);
        fitting.unwrap_or_else(|| {
            tight.fill(counts, is_tight);
            tight
        })
    }

    /// The same with one part in the lowest bits.
    pub(crate) fn with_lowest(counts: &[usize], lowest: usize) -> Self {
        let mut counts = counts.to_vec();
        counts[..=lowest].rotate_right(1);
        let mut packing = Self::laid_out(&counts, true);
        packing.fields[..=lowest].rotate_left(1);
        packing
    }

    /// Gives the bits that are left in each word to the fields that are nearest to being full: a search that
    /// is repacked near its end, once for each machine, takes twice as long.
    fn fill(&mut self, counts: &[usize], is_tight: bool) {
        let first = |word| self.fields.iter().position(|field| field.word == word);
        let starts: Vec<usize> = (0..=self.n_words as u32).filter_map(first).collect();
        for (number, &start) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(self.fields.len());
            let (fields, counts) = (&mut self.fields[start..end], &counts[start..end]);
            let used: u32 = fields.iter().map(|field| field.bits).sum();
            for _ in used..u64::BITS {
                // Compared as fractions: how many times the values of the field it can hold.
                let fuller = |&(a, f): &(usize, &Field), &(b, g): &(usize, &Field)| {
                    ((counts[b] as u128) << f.bits).cmp(&((counts[a] as u128) << g.bits))
                };
                let is_open = |(number, field): &(usize, &Field)| {
                    let may_grow = !is_tight || start + number > 0;
                    counts[*number] > 1 && field.bits < BITS_MAX && may_grow
                };
                let open = fields.iter().enumerate().filter(is_open);
                let Some((fullest, _)) = open.min_by(fuller) else { break };
                fields[fullest].bits += 1;
            }
            let mut used = 0;
            for field in fields {
                field.shift = used.min(u64::BITS - 1);
                used += field.bits;
            }
        }
    }

    /// Parts with one value get `single` bits.
    fn with_spare(counts: &[usize], spare: u32, single: u32, is_tight: bool) -> Self {
        let (mut fields, mut word, mut used) = (Vec::with_capacity(counts.len()), 0, 0);
        for &count in counts {
            let needed = usize::BITS - count.saturating_sub(1).leading_zeros();
            let spare = if is_tight && fields.is_empty() { 0 } else { spare };
            let bits = if needed == 0 { single } else { (needed + spare).min(BITS_MAX) };
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            // No bits may stand behind the last one, where nothing can be shifted to.
            fields.push(Field { word, shift: used.min(u64::BITS - 1), bits });
            used += bits;
        }
        Self { fields, n_words: word as usize + 1 }
    }

    /// How many words a key needs.
    pub(crate) fn n_words(&self) -> usize {
        self.n_words
    }

    /// Whether parts with these many values each fit.
    pub(crate) fn fits(&self, counts: &[usize]) -> bool {
        counts.len() == self.fields.len()
            && self.fields.iter().zip(counts).all(|(f, &count)| count <= 1 << f.bits)
    }

    /// The bits of one part.
    #[inline]
    pub(crate) fn field(&self, part: usize) -> Field {
        self.fields[part]
    }

    /// The bits of all parts.
    pub(crate) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The part that should have the lowest bits: the one of which most values go together with the same
    /// values of all others, as far as these keys show.
    pub(crate) fn best_lowest<const W: usize>(&self, keys: &[Key<W>]) -> usize {
        // Stems are counted by the bits that they hash to: near enough.
        const BITS: usize = 1 << 18;
        let n_stems = |&(_, field): &(usize, &Field)| {
            let mut seen = vec![0_u64; BITS / 64];
            let lowest = mask(field.bits) & LOWEST;
            for key in keys {
                let mut stem = *key;
                stem[field.word(W)] &= !(lowest << field.shift);
                let bit = (hash_of(&stem) >> 32) as usize % BITS;
                seen[bit / 64] |= 1 << (bit % 64);
            }
            seen.iter().map(|word| word.count_ones()).sum::<u32>()
        };
        let fields = self.fields.iter().enumerate();
        fields.min_by_key(n_stems).map_or(0, |(part, _)| part)
    }

    /// All parts of a key.
    pub(crate) fn unpack<const W: usize>(&self, key: &Key<W>, values: &mut Vec<u32>) {
        values.clear();
        self.append(key, values);
    }

    /// All parts of a key, behind what is there.
    #[inline]
    pub(crate) fn append<const W: usize>(&self, key: &Key<W>, values: &mut Vec<u32>) {
        values.extend(self.fields.iter().map(|field| field.get(key)));
    }

    /// All parts of a key of any width.
    pub(crate) fn read_all(&self, key: &[u64]) -> Vec<u32> {
        let read =
            |field: &Field| (key[field.word as usize] >> field.shift & mask(field.bits)) as u32;
        self.fields.iter().map(read).collect()
    }

    /// The key of these parts.
    pub(crate) fn pack<const W: usize>(&self, values: &[u32]) -> Key<W> {
        debug_assert_eq!(values.len(), self.fields.len());
        let mut key = [0; W];
        for (field, &value) in self.fields.iter().zip(values) {
            field.replace(&mut key, 0, value);
        }
        key
    }
}

const fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let counts = [1, 2, 3, 5, 1 << 20, 1 << 31, 17, 1 << 32];
        let packing = Packing::for_counts(&counts);
        assert!(packing.fits(&counts));
        assert!(packing.n_words() <= 3);
        let values: Vec<u32> = counts.iter().map(|&n| (n - 1) as u32).collect();
        let key: Key<4> = packing.pack(&values);
        let mut back = Vec::new();
        packing.unpack(&key, &mut back);
        assert_eq!(back, values);
        let mut changed = key;
        packing.field(3).replace(&mut changed, 4, 1);
        assert_ne!(changed, key);
        packing.field(3).replace(&mut changed, 1, 4);
        assert_eq!(changed, key);
    }

    /// Eleven fields of five bits leave nine, which go to the fullest.
    #[test]
    fn bits_that_are_left_go_to_the_fullest() {
        let counts = [17, 32, 17, 31, 17, 30, 29, 28, 27, 26, 25];
        let packing = Packing::for_counts(&counts);
        assert_eq!(packing.n_words(), 1);
        assert!(packing.fits(&[32, 64, 32, 64, 32, 64, 64, 64, 64, 64, 64]));
        assert!(packing.fits(&[64, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32]), "the next fullest");
        assert!(!packing.fits(&[32, 32, 33, 32, 32, 32, 32, 32, 32, 32, 32]));
        let values: Vec<u32> = counts.iter().map(|&n| n as u32 - 1).collect();
        let key: Key<1> = packing.pack(&values);
        let mut back = Vec::new();
        packing.unpack(&key, &mut back);
        assert_eq!(back, values);
    }

    /// The second part has all values for each value of the others, which depend on each other.
    #[test]
    fn the_part_whose_values_go_together_gets_the_lowest_bits() {
        let counts = [40, 8, 40];
        let packing = Packing::for_counts(&counts);
        let keys: Vec<Key<1>> = (0..320).map(|i| packing.pack(&[i / 8, i % 8, i / 8])).collect();
        assert_eq!(packing.best_lowest(&keys), 1);
        let packing = Packing::with_lowest(&counts, 1);
        let key: Key<1> = packing.pack(&[39, 7, 38]);
        assert_eq!(key[0] & 7, 7);
        let mut back = Vec::new();
        packing.unpack(&key, &mut back);
        assert_eq!(back, [39, 7, 38]);
    }

    /// Sixty variables that never change leave room for those that do.
    #[test]
    fn what_never_changes_costs_nothing() {
        let counts = [vec![1; 60], vec![1 << 30; 2], vec![1]].concat();
        let packing = Packing::for_counts(&counts);
        assert_eq!(packing.n_words(), 1);
        assert!(packing.fits(&counts));
        let values: Vec<u32> = counts.iter().map(|&n| (n - 1) as u32).collect();
        let key: Key<1> = packing.pack(&values);
        let mut back = Vec::new();
        packing.unpack(&key, &mut back);
        assert_eq!(back, values);
        let few = Packing::for_counts(&[1; 8]);
        assert!(few.fits(&[32; 8]), "bits are given away where they are free");
    }

    #[test]
    fn knows_when_it_is_too_narrow() {
        let packing = Packing::for_counts(&[2; 16]);
        assert_eq!(packing.n_words(), 1);
        assert!(packing.fits(&[8; 16]), "spare bits are used where they are free");
        assert!(!packing.fits(&[1 << 20; 16]));
        assert!(!packing.fits(&[2; 17]));
    }
}

//! A set that is kept one by one, each configuration packed into as few words as it takes.

use qp_base::Set;

use super::super::packing::Packing;

/// Configurations by the values of their parts. Parts that are added later are 0 in those that are there already.
pub(crate) struct Listed {
    /// For each part: more than any of its values.
    counts: Vec<usize>,
    packing: Packing,
    /// Keys, while one word is enough for each.
    narrow: Set<u64>,
    /// The same where it is not.
    wide: Set<Box<[u64]>>,
    /// A key under construction.
    key: Vec<u64>,
}

impl Default for Listed {
    fn default() -> Self {
        Self {
            counts: Vec::new(),
            packing: Packing::for_counts(&[]),
            narrow: Set::default(),
            wide: Set::default(),
            key: vec![0],
        }
    }
}

impl Listed {
    pub(crate) fn len(&self) -> usize {
        self.narrow.len() + self.wide.len()
    }

    /// Adds a configuration.
    pub(crate) fn add(&mut self, values: &[u32]) {
        let mut counts = self.counts.clone();
        counts.resize(counts.len().max(values.len()), 1);
        for (count, &value) in counts.iter_mut().zip(values) {
            *count = (*count).max(value as usize + 1);
        }
        self.make_room(&counts);
        let places = values.iter().enumerate();
        let places: Vec<(u32, u64)> =
            places.map(|(part, &value)| self.packing.field(part).place(value)).collect();
        self.add_places(places.into_iter());
    }

    /// Adds the configuration whose values stand at these places, of [`Listed::place`].
    pub(crate) fn add_places(&mut self, places: impl Iterator<Item = (u32, u64)>) {
        if self.packing.n_words() == 1 {
            self.narrow.insert(places.fold(0, |key, (_, bits)| key | bits));
            return;
        }
        self.key.fill(0);
        for (word, bits) in places {
            self.key[word as usize] |= bits;
        }
        if !self.wide.contains(&self.key[..]) {
            self.wide.insert(self.key.clone().into_boxed_slice());
        }
    }

    /// The word of a key in which a value of a part stands, and the bits that it has there.
    pub(crate) fn place(&self, part: usize, value: u32) -> (u32, u64) {
        self.packing.field(part).place(value)
    }

    /// Makes room for parts with these many values each, of which there are no fewer than before. Says whether
    /// places have changed.
    pub(crate) fn make_room(&mut self, counts: &[usize]) -> bool {
        if self.packing.fits(counts) {
            self.counts.copy_from_slice(counts);
            return false;
        }
        let wider = Packing::for_counts(counts);
        let mut rows = Vec::with_capacity(self.len());
        self.each_key(|key| {
            let mut values = self.packing.read_all(key);
            values.resize(counts.len(), 0);
            rows.push(values);
        });
        *self = Self {
            counts: counts.to_vec(),
            key: vec![0; wider.n_words()],
            packing: wider,
            ..Self::default()
        };
        for values in rows {
            let fields = values.iter().enumerate();
            let places: Vec<(u32, u64)> =
                fields.map(|(part, &value)| self.packing.field(part).place(value)).collect();
            self.add_places(places.into_iter());
        }
        true
    }

    pub(crate) fn contains(&self, values: &[u32]) -> bool {
        let (known, more) = values.split_at(values.len().min(self.counts.len()));
        let fits = known.iter().zip(&self.counts).all(|(&value, &count)| (value as usize) < count);
        if !fits || more.iter().any(|&value| value != 0) {
            return false;
        }
        let mut key = vec![0; self.packing.n_words()];
        for (part, &value) in known.iter().enumerate() {
            let (word, bits) = self.packing.field(part).place(value);
            key[word as usize] |= bits;
        }
        if key.len() == 1 { self.narrow.contains(&key[0]) } else { self.wide.contains(&key[..]) }
    }

    /// All of them, in order.
    pub(crate) fn rows(&self) -> Vec<Vec<u32>> {
        let mut rows = Vec::with_capacity(self.len());
        self.each_key(|key| rows.push(self.packing.read_all(key)));
        rows.sort_unstable();
        rows
    }

    fn each_key(&self, mut f: impl FnMut(&[u64])) {
        self.narrow.iter().for_each(|&key| f(&[key]));
        self.wide.iter().for_each(|key| f(key));
    }
}

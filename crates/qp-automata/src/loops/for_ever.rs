//! What can be done for ever, and in which order things are better done.

use super::Effect;
use crate::regular::{Builder, Exponents, Language, Letter, Letters};

impl Effect {
    /// The words to which this can be done for ever. Without letters taken that is every word, of any letters; with
    /// fewer put than taken it is none. Otherwise it is the prefixes of `u u u...` with u the letters taken, of
    /// those lengths for which the letters put go on like it. Time O(m (m + n)) for m letters taken and n put.
    pub fn iterable(&self) -> Language {
        let (m, n) = (self.taken().len(), self.put().len());
        if m == 0 {
            return Language::all(&Letters::all());
        }
        if n < m {
            return Language::none();
        }
        let cycle = (0..m).map(|left| self.goes_on(left)).collect();
        let lengths = Exponents::new(Vec::new(), cycle).at_least(self.demand());
        let mut builder = Builder::new();
        let start = builder.start();
        builder.accept_prefixes(start, self.taken(), &lengths);
        // There are no two ways to read a word here, so that no more states are needed than were made.
        Language::from_small(&builder.build())
    }

    /// Whether this can be done to a word for ever. Linear.
    pub fn can_repeat_for_ever(&self, word: &[Letter]) -> bool {
        let (m, n) = (self.taken().len(), self.put().len());
        let prefix = || word.iter().enumerate().all(|(i, letter)| *letter == self.taken()[i % m]);
        m == 0
            || (n >= m && word.len() >= self.demand() && prefix() && self.goes_on(word.len() % m))
    }

    /// Whether the letters put go on like `u u u...` behind `left` letters of u: u, turned by that much, and the
    /// letters put are powers of the same word, which they are if they can be exchanged.
    fn goes_on(&self, left: usize) -> bool {
        let (first, second) = self.taken().split_at(left);
        commute(&[second, first].concat(), self.put())
    }

    /// Whether this is better done before `other` than after it: whenever `other` and then this can be done to a
    /// word, this and then `other` can, with the same result. Linear.
    pub fn precedes_favourably(&self, other: &Self) -> bool {
        if !commute(self.taken(), other.taken()) || !commute(self.put(), other.put()) {
            return false;
        }
        let (after, before) = (other.then(self), self.then(other));
        // Where only the demands differ, a word that is long enough for one order and too short for the other
        // must not be one to which the first can be done.
        let possible = |length: usize| after.put().starts_with(&after.taken()[length..]);
        !(after.demand()..before.demand()).any(possible)
    }
}

/// Whether two words give the same one in both orders: they are powers of the same word.
fn commute(a: &[Letter], b: &[Letter]) -> bool {
    let (ab, ba) = (a.iter().chain(b), b.iter().chain(a));
    ab.eq(ba)
}

//! Letters and sets of letters.

use std::fmt;
use std::sync::Arc;

qp_base::define_index!(Letter, "a", "A letter. Which letters there are is nowhere fixed.");

/// A finite sequence of letters.
pub type Word = Vec<Letter>;

/// A set of letters: some, or all but some.
///
/// There is no end of letters, so that a set of all but some is never empty, and sets that hold the same
/// letters are equal values. Operations on two sets take time linear in the letters that are listed.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Letters {
    /// Whether it holds the letters that are not listed.
    others: bool,
    /// Invariant: in ascending order, none twice.
    listed: Arc<[Letter]>,
}

impl Letters {
    /// No letter.
    pub fn none() -> Self {
        Self { others: false, listed: Arc::default() }
    }

    /// Every letter.
    pub fn all() -> Self {
        Self { others: true, listed: Arc::default() }
    }

    /// One letter.
    pub fn one(letter: Letter) -> Self {
        Self { others: false, listed: Arc::from([letter]) }
    }

    /// These letters.
    pub fn only(letters: impl IntoIterator<Item = Letter>) -> Self {
        Self::listing(false, letters.into_iter().collect())
    }

    /// Every letter but these.
    pub fn except(letters: impl IntoIterator<Item = Letter>) -> Self {
        Self::listing(true, letters.into_iter().collect())
    }

    fn listing(others: bool, mut listed: Vec<Letter>) -> Self {
        listed.sort_unstable();
        listed.dedup();
        Self { others, listed: listed.into() }
    }

    /// Whether it holds a letter.
    pub fn contains(&self, letter: Letter) -> bool {
        self.listed.binary_search(&letter).is_ok() != self.others
    }

    /// Whether it holds no letter.
    pub fn is_empty(&self) -> bool {
        !self.others && self.listed.is_empty()
    }

    /// Whether it holds finitely many letters.
    pub fn is_finite(&self) -> bool {
        !self.others
    }

    /// The letters it holds if they are finitely many, else the letters it does not hold.
    pub fn listed(&self) -> &[Letter] {
        &self.listed
    }

    /// The letter with the least number that it holds.
    pub fn least(&self) -> Option<Letter> {
        if self.others {
            let gap = self.listed.iter().enumerate().find(|(i, letter)| letter.index() != *i);
            Some(Letter::new(gap.map_or(self.listed.len(), |(i, _)| i)))
        } else {
            self.listed.first().copied()
        }
    }

    /// The letters that one of both holds.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a || b)
    }

    /// The letters that both hold.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a && b)
    }

    /// The letters it holds and the other does not.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a && !b)
    }

    /// The letters that one of many holds. Time O(n log n) in the letters listed by those that are finite.
    pub fn union_of<'a>(sets: impl IntoIterator<Item = &'a Self>) -> Self {
        let (mut listed, mut rest) = (Vec::new(), Self::none());
        for set in sets {
            if set.others {
                rest = rest.union(set);
            } else if listed.is_empty() && rest.is_empty() {
                rest = set.clone();
            } else {
                listed.extend_from_slice(&set.listed);
            }
        }
        if listed.is_empty() { rest } else { rest.union(&Self::listing(false, listed)) }
    }

    /// The letters of which `keep` says so, given whether each of both holds them.
    fn combine(&self, other: &Self, keep: fn(bool, bool) -> bool) -> Self {
        let others = keep(self.others, other.others);
        let (mut a, mut b) = (self.listed.iter().peekable(), other.listed.iter().peekable());
        let mut listed = Vec::new();
        while let Some(&letter) = [a.peek(), b.peek()].into_iter().flatten().min() {
            let in_a = a.next_if_eq(&letter).is_some() != self.others;
            let in_b = b.next_if_eq(&letter).is_some() != other.others;
            if keep(in_a, in_b) != others {
                listed.push(*letter);
            }
        }
        Self { others, listed: listed.into() }
    }
}

impl From<Letter> for Letters {
    fn from(letter: Letter) -> Self {
        Self::one(letter)
    }
}

impl fmt::Debug for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.others { "all but " } else { "" })?;
        f.debug_set().entries(self.listed.iter()).finish()
    }
}

//! What a formula says about some of the letters of a word.

use crate::Formula;

impl<A: Clone> Formula<A> {
    /// A formula about whole words that says of the letters with `mark` what this one says, as if there were no
    /// others. It is true of words in which only finitely many letters have the mark.
    #[must_use]
    pub fn at_marks(&self, mark: &A) -> Self {
        let again = Self::Globally(Box::new(Self::Finally(Box::new(Self::Atom(mark.clone())))));
        Self::Or(Box::new(Self::Not(Box::new(again))), Box::new(self.at_next(mark)))
    }

    /// True if the formula is, of the marks alone, at the first one from here on, which may be here.
    fn at_next(&self, mark: &A) -> Self {
        let unmarked = Self::Not(Box::new(Self::Atom(mark.clone())));
        Self::Until(Box::new(unmarked), Box::new(self.and_marked(mark)))
    }

    /// True here if here is a mark, and the formula is true here of the marks alone.
    fn and_marked(&self, mark: &A) -> Self {
        Self::And(Box::new(Self::Atom(mark.clone())), Box::new(self.here(mark)))
    }

    /// True here unless here is a mark and the formula is false here of the marks alone.
    fn unless_marked(&self, mark: &A) -> Self {
        let unmarked = Self::Not(Box::new(Self::Atom(mark.clone())));
        Self::Or(Box::new(unmarked), Box::new(self.here(mark)))
    }

    /// At a mark: true if the formula is, of the marks alone.
    fn here(&self, mark: &A) -> Self {
        let one = |a: &Self| Box::new(a.here(mark));
        let marked = |a: &Self| Box::new(a.and_marked(mark));
        let unless = |a: &Self| Box::new(a.unless_marked(mark));
        match self {
            Self::True | Self::False | Self::Atom(_) => self.clone(),
            Self::Not(a) => Self::Not(one(a)),
            Self::And(a, b) => Self::And(one(a), one(b)),
            Self::Or(a, b) => Self::Or(one(a), one(b)),
            Self::Next(a) => Self::Next(Box::new(a.at_next(mark))),
            Self::Finally(a) => Self::Finally(marked(a)),
            Self::Globally(a) => Self::Globally(unless(a)),
            Self::Until(a, b) => Self::Until(unless(a), marked(b)),
            Self::Release(a, b) => Self::Release(marked(a), unless(b)),
        }
    }
}

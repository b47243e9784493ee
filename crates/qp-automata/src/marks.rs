//! What a formula says about some of the letters of a word.

use crate::Formula;

impl<A: Clone> Formula<A> {
    /// A formula about whole words that says of the letters with `mark` what this one says, as if there were no
    /// others. Of words in which only finitely many letters have the mark it is false if these letters alone refute
    /// it ([`Self::refuted`]), and true otherwise.
    #[must_use]
    pub fn at_marks(&self, mark: &A) -> Self {
        let says = self.folded();
        let again = Self::Globally(Box::new(Self::Finally(Box::new(Self::Atom(mark.clone())))));
        let forever = Self::Or(Box::new(Self::Not(Box::new(again))), Box::new(says.at_next(mark)));
        let refuted = match says.refuted() {
            Self::True => Self::True,
            Self::False => return forever,
            refuted => refuted.at_next(mark),
        };
        Self::And(Box::new(Self::Not(Box::new(refuted))), Box::new(forever))
    }

    /// A formula that is true of a word exactly if some finite beginning of it shows that this one is false, whatever
    /// comes behind: nothing is promised for ever in it. A beginning that leaves no way to go on, but shows that only
    /// by what two parts of the formula demand for ever, is none that shows it.
    #[must_use]
    pub fn refuted(&self) -> Self {
        self.negated().folded().shown().folded()
    }

    /// Of a formula with negations at atoms only: what a finite beginning of a word can show of it.
    fn shown(&self) -> Self {
        let one = |a: &Self| Box::new(a.shown());
        match self {
            Self::True | Self::False | Self::Atom(_) | Self::Not(_) => self.clone(),
            Self::And(a, b) => Self::And(one(a), one(b)),
            Self::Or(a, b) => Self::Or(one(a), one(b)),
            Self::Next(a) => Self::Next(one(a)),
            Self::Finally(a) => Self::Finally(one(a)),
            Self::Globally(_) => Self::False,
            Self::Until(a, b) => Self::Until(one(a), one(b)),
            Self::Release(a, b) => {
                let both = Self::And(one(a), one(b));
                Self::Until(one(b), Box::new(both))
            }
        }
    }

    /// The same formula with negations at atoms only, in which *true* and *false* are not part of anything.
    fn folded(&self) -> Self {
        self.nnf().fold()
    }

    fn fold(self) -> Self {
        match self {
            Self::And(a, b) => match (a.fold(), b.fold()) {
                (Self::False, _) | (_, Self::False) => Self::False,
                (Self::True, other) | (other, Self::True) => other,
                (a, b) => Self::And(Box::new(a), Box::new(b)),
            },
            Self::Or(a, b) => match (a.fold(), b.fold()) {
                (Self::True, _) | (_, Self::True) => Self::True,
                (Self::False, other) | (other, Self::False) => other,
                (a, b) => Self::Or(Box::new(a), Box::new(b)),
            },
            Self::Next(a) => a.fold().unless_constant(Self::Next),
            Self::Finally(a) => a.fold().unless_constant(Self::Finally),
            Self::Globally(a) => a.fold().unless_constant(Self::Globally),
            Self::Until(a, b) => match (a.fold(), b.fold()) {
                (_, b @ (Self::True | Self::False)) | (Self::False, b) => b,
                (Self::True, b) => Self::Finally(Box::new(b)),
                (a, b) => Self::Until(Box::new(a), Box::new(b)),
            },
            Self::Release(a, b) => match (a.fold(), b.fold()) {
                (_, b @ (Self::True | Self::False)) | (Self::True, b) => b,
                (Self::False, b) => Self::Globally(Box::new(b)),
                (a, b) => Self::Release(Box::new(a), Box::new(b)),
            },
            plain @ (Self::True | Self::False | Self::Atom(_) | Self::Not(_)) => plain,
        }
    }

    /// The formula itself if it is *true* or *false*, and otherwise what is made of it.
    fn unless_constant(self, make: fn(Box<Self>) -> Self) -> Self {
        if matches!(self, Self::True | Self::False) { self } else { make(Box::new(self)) }
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

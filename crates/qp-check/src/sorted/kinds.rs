//! Which renamings of the numbers of a sort are allowed, from what can still be done with them.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::Use;

/// The numbers of a sort in a configuration, and what they are in its row.
pub(super) type Names = BTreeMap<i64, i64>;

/// What can still be done with the numbers of a sort.
#[derive(Clone, Debug, Default)]
pub(super) struct Sort {
    uses: BTreeSet<Use>,
    /// Whether they are in keys or elements: then two of them may not become one.
    keyed: bool,
    literals: BTreeSet<i64>,
    cuts: BTreeSet<i64>,
    /// The ends of ranges from which numbers are drawn.
    ranges: BTreeSet<i64>,
}

impl Sort {
    /// A sort with which nothing is done any more.
    pub(super) fn unused(keyed: bool) -> Self {
        Self { keyed, ..Self::default() }
    }

    pub(super) fn add(&mut self, it: Use) {
        self.uses.insert(it);
        match it {
            Use::Literal(c) => self.literals.insert(c),
            Use::Cut(c) => self.cuts.insert(c),
            Use::Choose(n) => self.ranges.insert(n),
            _ => false,
        };
    }

    fn any(&self, which: &[Use]) -> bool {
        which.iter().any(|it| self.uses.contains(it))
    }

    /// The greatest constant, if there is any.
    fn greatest(&self) -> Option<i64> {
        let drawn = self.ranges.last().map(|n| n - 1);
        self.literals.last().copied().max(self.cuts.last().copied()).max(drawn)
    }

    /// Whether a number is one that constants mean, or that a generator may make again: `low` is the least one that can
    /// still be generated.
    pub(super) fn is_known(&self, number: i64, low: Option<i64>) -> bool {
        self.greatest().is_some_and(|greatest| number <= greatest)
            || low.is_some_and(|low| number >= low)
    }

    /// Whether a number that nobody holds can be forgotten.
    pub(super) fn forgets(&self) -> bool {
        !self.any(&[Use::Other, Use::Walk, Use::Shift, Use::Back, Use::Reset])
            && (self.keyed || self.any(&[Use::Equal, Use::Order, Use::Size]))
    }

    /// Whether a renaming is allowed.
    pub(super) fn allows(&self, names: &Names, low: Option<i64>) -> bool {
        if names.iter().all(|(from, to)| from == to) {
            return true;
        }
        if self.any(&[Use::Other, Use::Walk]) {
            return false;
        }
        if !self.keyed && !self.any(&[Use::Equal, Use::Order, Use::Back, Use::Size]) {
            return names.iter().all(|(&from, &to)| self.is_alike(from, to));
        }
        let images: BTreeSet<i64> = names.values().copied().collect();
        if images.len() < names.len() {
            return false;
        }
        if self.any(&[Use::Shift, Use::Back]) {
            let by = |(&from, &to): (&i64, &i64)| to.checked_sub(from);
            let first = names.iter().next().and_then(by);
            return self.greatest().is_none()
                && !self.any(&[Use::Reset])
                && first.is_some()
                && names.iter().all(|pair| by(pair) == first);
        }
        if self.any(&[Use::Order, Use::Step]) {
            let rises = names.values().zip(names.values().skip(1)).all(|(a, b)| a < b);
            return self.keeps_zones(names, low) && (rises || !self.any(&[Use::Order]));
        }
        names.iter().all(|(&from, &to)| self.is_in_cell(from, to))
    }

    /// Constants are what they are, what can still be generated keeps its distances, and what is between stays between.
    fn keeps_zones(&self, names: &Names, low: Option<i64>) -> bool {
        let is_above = |it: i64| self.greatest().is_none_or(|greatest| it > greatest);
        if self.any(&[Use::Reset]) || low.is_some_and(|low| !is_above(low)) {
            return false;
        }
        let new_low = low.and_then(|low| names.get(&low)).copied();
        if new_low.is_some() != low.is_some() || new_low.is_some_and(|it| !is_above(it)) {
            return false;
        }
        names.iter().all(|(&from, &to)| match (low, new_low) {
            _ if !is_above(from) => from == to,
            (Some(low), Some(new_low)) if from >= low => {
                i128::from(to) - i128::from(new_low) == i128::from(from) - i128::from(low)
            }
            (_, new_low) => is_above(to) && new_low.is_none_or(|new_low| to < new_low),
        })
    }

    /// Whether two numbers answer all questions alike, each by itself.
    fn is_alike(&self, from: i64, to: i64) -> bool {
        let has_constants = !self.literals.is_empty() || !self.cuts.is_empty();
        if has_constants && self.any(&[Use::Step, Use::Shift]) {
            return from == to;
        }
        from == to || self.is_free(from) && self.is_free(to) && together(&self.cuts, from, to)
    }

    /// Whether two numbers are in one cell, and no literals.
    fn is_in_cell(&self, from: i64, to: i64) -> bool {
        let ends = [&self.cuts, &self.ranges, &BTreeSet::from([0])];
        let alike = ends.into_iter().all(|ends| together(ends, from, to));
        from == to || self.is_free(from) && self.is_free(to) && alike
    }

    fn is_free(&self, number: i64) -> bool {
        !self.literals.contains(&number)
    }
}

/// Whether no end tells two numbers apart.
fn together(ends: &BTreeSet<i64>, a: i64, b: i64) -> bool {
    ends.iter().all(|&end| (a < end) == (b < end))
}

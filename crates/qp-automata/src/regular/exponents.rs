//! Sets of numbers that repeat themselves from some number on.

use std::fmt;

use super::builder::least_common_multiple;

/// An eventually periodic set of natural numbers, such as the numbers of times that a word can be repeated
/// inside a regular language. Equal sets are equal values.
///
/// With n and m the first number from which it repeats itself plus the period, of two sets, operations take
/// time O(n m) at most, and mostly far less.
///
/// ```
/// use qp_automata::regular::Exponents;
///
/// let odd = Exponents::only([1]).plus_multiples(2);
/// let large = Exponents::starting_at(10);
/// let both = odd.intersection(&large);
/// assert!(both.contains(11) && !both.contains(9) && !both.contains(12));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Exponents {
    /// Which of the first numbers are in it. Invariant: as short as possible.
    first: Vec<bool>,
    /// Which of the next numbers are in it, and so on for ever. Invariant: as short as possible, not empty.
    cycle: Vec<bool>,
}

impl Exponents {
    /// No number.
    pub fn none() -> Self {
        Self { first: Vec::new(), cycle: vec![false] }
    }

    /// Every number from one on.
    pub fn starting_at(least: usize) -> Self {
        Self::new(vec![false; least], vec![true])
    }

    /// Finitely many numbers.
    pub fn only(numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut first = Vec::new();
        for number in numbers {
            if first.len() <= number {
                first.resize(number + 1, false);
            }
            first[number] = true;
        }
        Self::new(first, vec![false])
    }

    /// Says of the first numbers whether they are in it, then of the next ones, and of those again for ever.
    /// An empty `cycle` stands for none.
    pub fn new(mut first: Vec<bool>, mut cycle: Vec<bool>) -> Self {
        if cycle.is_empty() {
            cycle.push(false);
        }
        let len = cycle.len();
        let repeats =
            |p: &usize| len.is_multiple_of(*p) && (*p..len).all(|i| cycle[i] == cycle[i - p]);
        let period = (1..=len).find(repeats).unwrap_or(len);
        cycle.truncate(period);
        while first.last().is_some_and(|last| Some(last) == cycle.last()) {
            first.pop();
            cycle.rotate_right(1);
        }
        Self { first, cycle }
    }

    /// The number from which it repeats itself.
    pub fn first_period(&self) -> usize {
        self.first.len()
    }

    /// How soon it repeats itself.
    pub fn period(&self) -> usize {
        self.cycle.len()
    }

    /// Whether a number is in it.
    pub fn contains(&self, number: usize) -> bool {
        match number.checked_sub(self.first.len()) {
            None => self.first[number],
            Some(rest) => self.cycle[rest % self.cycle.len()],
        }
    }

    /// Whether no number is in it.
    pub fn is_empty(&self) -> bool {
        *self == Self::none()
    }

    /// Whether finitely many numbers are in it.
    pub fn is_finite(&self) -> bool {
        self.cycle == [false]
    }

    /// The greatest number in it, if there is one.
    pub fn greatest(&self) -> Option<usize> {
        if !self.is_finite() {
            return None;
        }
        self.first.iter().rposition(|&member| member)
    }

    /// The numbers that are in both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a && b)
    }

    /// Each number plus `by`.
    #[must_use]
    pub fn plus(&self, by: usize) -> Self {
        let mut first = vec![false; by];
        first.extend_from_slice(&self.first);
        Self::new(first, self.cycle.clone())
    }

    /// Each number that is at least `by`, minus `by`.
    #[must_use]
    pub fn minus(&self, by: usize) -> Self {
        Self::sampled(self.first.len(), self.period(), |number| self.contains(number + by))
    }

    /// Each number times `by`.
    #[must_use]
    pub fn times(&self, by: usize) -> Self {
        if by == 0 {
            return if self.is_empty() { Self::none() } else { Self::only([0]) };
        }
        let scaled = |number: usize| number.is_multiple_of(by) && self.contains(number / by);
        Self::sampled(self.first.len() * by, self.period() * by, scaled)
    }

    /// Each number plus 0, `step`, 2 `step`, ...
    #[must_use]
    pub fn plus_multiples(&self, step: usize) -> Self {
        if step == 0 {
            return self.clone();
        }
        // Where both periods have passed once, every class modulo `step` that has a number has had one.
        let end = self.first.len() + least_common_multiple(self.period(), step);
        let mut member: Vec<bool> = (0..end + step).map(|number| self.contains(number)).collect();
        for number in step..end + step {
            member[number] |= member[number - step];
        }
        let cycle = member.split_off(end);
        Self::new(member, cycle)
    }

    /// Each number minus `step`, 2 `step`, ..., as far as that is not negative.
    #[must_use]
    pub fn minus_multiples(&self, step: usize) -> Self {
        if step == 0 {
            return self.clone();
        }
        let start = self.first.len();
        // From any number on, a class modulo `step` that has a number at all has one before both periods
        // have passed once.
        let end = start + 2 * step + least_common_multiple(self.period(), step);
        let mut from: Vec<bool> = (0..end).map(|number| self.contains(number)).collect();
        for number in (0..end - step).rev() {
            from[number] |= from[number + step];
        }
        Self::sampled(start, step, |number| from[number + step])
    }

    /// The numbers in it from one on.
    #[must_use]
    pub fn at_least(&self, least: usize) -> Self {
        self.intersection(&Self::starting_at(least))
    }

    /// Past which number everything has been said once.
    fn horizon(&self) -> usize {
        self.first.len() + self.cycle.len()
    }

    fn combine(&self, other: &Self, keep: fn(bool, bool) -> bool) -> Self {
        let first = self.first.len().max(other.first.len());
        let period = least_common_multiple(self.period(), other.period());
        Self::sampled(first, period, |number| keep(self.contains(number), other.contains(number)))
    }

    /// A set with a known beginning and period.
    fn sampled(first: usize, period: usize, member: impl Fn(usize) -> bool) -> Self {
        let (first, cycle) = ((0..first), (first..first + period));
        Self::new(first.map(&member).collect(), cycle.map(&member).collect())
    }

    /// The last number that has to be looked at if it is known to repeat itself with a given period.
    pub(super) fn last_needed(&self, period: usize) -> Option<usize> {
        if self.is_finite() { self.greatest() } else { Some(self.first.len() + period - 1) }
    }
}

impl fmt::Debug for Exponents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = (0..self.first.len()).filter(|&number| self.contains(number));
        f.debug_set().entries(first).finish()?;
        if !self.is_finite() {
            let cycle = (self.first.len()..self.horizon()).filter(|&number| self.contains(number));
            write!(f, " and ")?;
            f.debug_set().entries(cycle).finish()?;
            write!(f, " + {}n", self.period())?;
        }
        Ok(())
    }
}

//! One equation of the tableau, in integers without a common factor.

use std::borrow::Cow;
use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

use crate::number::gcd;

/// The number of a column.
pub(super) type Column = u32;

/// `scale * basic + entries = constant`, where the basic variable is known to the tableau.
///
/// Nearly all numbers of nearly all programs are small, and then a row costs no allocation per number.
/// A row whose numbers do not fit becomes a row of big integers, and small again when they fit again.
#[derive(Clone, Debug)]
pub(super) enum Row {
    Small(Equation<i64>),
    Big(Equation<BigInt>),
}

/// Invariants: the scale is positive, the entries are sorted by column and not 0, all numbers together
/// have no common factor, and `i64::MIN` does not occur, so that every number has a negative.
#[derive(Clone, Debug)]
pub(super) struct Equation<T> {
    scale: T,
    constant: T,
    entries: Vec<(Column, T)>,
}

/// How far a variable can go before a row stops it: a constant over an entry, which is positive.
#[derive(Debug)]
pub(super) enum Distance {
    Small(i64, i64),
    Big(BigInt, BigInt),
}

impl Row {
    /// The row with scale 1. Terms of the same column add up.
    pub(super) fn new(mut terms: Vec<(Column, BigInt)>, constant: BigInt) -> Self {
        terms.sort_by_key(|&(column, _)| column);
        let mut entries: Vec<(Column, BigInt)> = Vec::with_capacity(terms.len());
        for (column, number) in terms {
            match entries.last_mut() {
                Some((last, sum)) if *last == column => *sum += number,
                _ => entries.push((column, number)),
            }
        }
        entries.retain(|(_, number)| number.sign() != Sign::NoSign);
        Equation { scale: 1.into(), constant, entries }.reduced()
    }

    /// Roughly the memory that it holds.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Small(row) => 16 * row.entries.len() as u64,
            Self::Big(row) => row.entries.iter().map(|(_, n)| 40 + n.bits() / 8).sum(),
        }
    }

    /// Each column with an entry.
    pub(super) fn columns(&self, mut visit: impl FnMut(Column)) {
        match self {
            Self::Small(row) => row.entries.iter().for_each(|&(column, _)| visit(column)),
            Self::Big(row) => row.entries.iter().for_each(|(column, _)| visit(*column)),
        }
    }

    /// Each column with an entry, and the entry in units of the scale, roughly.
    pub(super) fn rough_entries(&self) -> Box<dyn Iterator<Item = (Column, f64)> + '_> {
        match self {
            Self::Small(row) => {
                let scale = row.scale as f64;
                Box::new(row.entries.iter().map(move |&(column, n)| (column, n as f64 / scale)))
            }
            Self::Big(row) => {
                Box::new(row.entries.iter().map(|(column, n)| (*column, quotient(n, &row.scale))))
            }
        }
    }

    /// The sign of an entry.
    pub(super) fn sign(&self, column: Column) -> Ordering {
        match self {
            Self::Small(row) => row.entry(column).map_or(Ordering::Equal, |n| n.cmp(&0)),
            Self::Big(row) => row.entry(column).map_or(Ordering::Equal, |n| n.cmp(&BigInt::ZERO)),
        }
    }

    /// An entry in units of the scale, roughly.
    pub(super) fn rough(&self, column: Column) -> f64 {
        match self {
            Self::Small(row) => row.entry(column).map_or(0.0, |n| *n as f64 / row.scale as f64),
            Self::Big(row) => row.entry(column).map_or(0.0, |n| quotient(n, &row.scale)),
        }
    }

    /// The sign of the constant.
    pub(super) fn sign_of_constant(&self) -> Ordering {
        match self {
            Self::Small(row) => row.constant.cmp(&0),
            Self::Big(row) => row.constant.cmp(&BigInt::ZERO),
        }
    }

    /// An entry, exactly; the caller divides by the scale.
    pub(super) fn exact(&self, column: Column) -> BigInt {
        match self {
            Self::Small(row) => row.entry(column).copied().unwrap_or(0).into(),
            Self::Big(row) => row.entry(column).cloned().unwrap_or(BigInt::ZERO),
        }
    }

    /// The constant and the scale.
    pub(super) fn constant_and_scale(&self) -> (BigInt, BigInt) {
        match self {
            Self::Small(row) => (row.constant.into(), row.scale.into()),
            Self::Big(row) => (row.constant.clone(), row.scale.clone()),
        }
    }

    /// How far the variable of a column can go in the given direction before the basic variable is 0;
    /// `None` if it never is.
    pub(super) fn distance(&self, column: Column, direction: Ordering) -> Option<Distance> {
        if self.sign(column) != direction {
            return None;
        }
        match self {
            Self::Small(row) => Some(Distance::Small(row.constant, row.entry(column)?.abs())),
            Self::Big(row) => {
                let size = row.entry(column)?.magnitude().clone();
                Some(Distance::Big(row.constant.clone(), size.into()))
            }
        }
    }

    /// Makes the variable of a column the basic one. The one that was basic becomes an entry, or is
    /// dropped if it is never needed again.
    pub(super) fn exchange(&mut self, entering: Column, leaving: Option<Column>) {
        match self {
            Self::Small(row) => row.exchange(entering, leaving, |n| *n = -*n),
            Self::Big(row) => row.exchange(entering, leaving, |n| *n = -std::mem::take(n)),
        }
    }

    /// Removes a column by means of the row in which its variable is basic.
    pub(super) fn eliminate(&mut self, column: Column, by: &Self) {
        if let (Self::Small(row), Self::Small(by)) = (&*self, by)
            && let Some(result) = row.without(column, by)
        {
            *self = Self::Small(result);
            return;
        }
        if self.sign(column) != Ordering::Equal {
            let result = self.widened().without(column, &by.widened()).reduced();
            *self = result;
        }
    }

    fn widened(&self) -> Cow<'_, Equation<BigInt>> {
        match self {
            Self::Small(row) => Cow::Owned(row.widened()),
            Self::Big(row) => Cow::Borrowed(row),
        }
    }
}

impl<T> Equation<T> {
    fn entry(&self, column: Column) -> Option<&T> {
        let found = self.entries.binary_search_by_key(&column, |&(column, _)| column);
        found.ok().map(|at| &self.entries[at].1)
    }

    fn exchange(&mut self, entering: Column, leaving: Option<Column>, negate: impl Fn(&mut T))
    where
        T: Ord + Default,
    {
        let at = self.entries.binary_search_by_key(&entering, |&(column, _)| column);
        let at = at.expect("bug in Queueproof: the pivot is not 0");
        let pivot = self.entries.remove(at).1;
        let scale = std::mem::replace(&mut self.scale, pivot);
        if let Some(leaving) = leaving {
            let at = self.entries.partition_point(|&(column, _)| column < leaving);
            self.entries.insert(at, (leaving, scale));
        }
        if self.scale < T::default() {
            negate(&mut self.scale);
            negate(&mut self.constant);
            self.entries.iter_mut().for_each(|(_, number)| negate(number));
        }
    }

    /// Merges the entries of two rows except one column; `combine` is given 0 where a row has no entry.
    fn merge(
        &self,
        by: &Self,
        except: Column,
        mut combine: impl FnMut(&T, &T) -> Option<T>,
    ) -> Option<Vec<(Column, T)>>
    where
        T: Default + PartialEq,
    {
        let zero = T::default();
        let mut merged = Vec::with_capacity(self.entries.len() + by.entries.len());
        let (mut left, mut right) = (self.entries.as_slice(), by.entries.as_slice());
        loop {
            let (column, number) = match (left.first(), right.first()) {
                (None, None) => return Some(merged),
                (Some((column, a)), Some((other, b))) if column == other => {
                    (left, right) = (&left[1..], &right[1..]);
                    (*column, combine(a, b)?)
                }
                (Some((column, a)), other) if other.is_none_or(|(other, _)| column < other) => {
                    left = &left[1..];
                    if *column == except {
                        continue;
                    }
                    (*column, combine(a, &zero)?)
                }
                (_, Some((column, b))) => {
                    right = &right[1..];
                    (*column, combine(&zero, b)?)
                }
                (Some(_), None) => unreachable!("bug in Queueproof: the guard above took it"),
            };
            if number != zero {
                merged.push((column, number));
            }
        }
    }
}

impl Equation<i64> {
    /// The row without a column; `None` if it does not have it or a number would not fit.
    fn without(&self, column: Column, by: &Self) -> Option<Self> {
        let entry = *self.entry(column)?;
        let shared = small_gcd(by.scale, entry);
        let (times, minus) = (by.scale / shared, entry / shared);
        let combine = |a: &i64, b: &i64| {
            let number = a.checked_mul(times)?.checked_sub(b.checked_mul(minus)?)?;
            (number != i64::MIN).then_some(number)
        };
        let mut row = Self {
            scale: self.scale.checked_mul(times)?,
            constant: combine(&self.constant, &by.constant)?,
            entries: self.merge(by, column, combine)?,
        };
        row.reduce();
        Some(row)
    }

    fn reduce(&mut self) {
        let mut shared = small_gcd(self.scale, self.constant);
        for (_, number) in &self.entries {
            if shared == 1 {
                return;
            }
            shared = small_gcd(shared, *number);
        }
        if shared > 1 {
            self.scale /= shared;
            self.constant /= shared;
            self.entries.iter_mut().for_each(|(_, number)| *number /= shared);
        }
    }

    fn widened(&self) -> Equation<BigInt> {
        let wide = |&(column, number): &(Column, i64)| (column, BigInt::from(number));
        Equation {
            scale: self.scale.into(),
            constant: self.constant.into(),
            entries: self.entries.iter().map(wide).collect(),
        }
    }
}

impl Equation<BigInt> {
    fn without(&self, column: Column, by: &Self) -> Self {
        let entry = self.entry(column).cloned().unwrap_or(BigInt::ZERO);
        let shared = gcd(&by.scale, &entry);
        let (times, minus) = (&by.scale / &shared, entry / shared);
        let combine = |a: &BigInt, b: &BigInt| Some(a * &times - b * &minus);
        let entries = self.merge(by, column, combine);
        Self {
            scale: &self.scale * &times,
            constant: &self.constant * &times - &by.constant * &minus,
            entries: entries.expect("bug in Queueproof: big integers do not overflow"),
        }
    }

    /// The row without the common factor of its numbers, small if they fit.
    fn reduced(mut self) -> Row {
        let one = BigInt::from(1);
        let mut shared = gcd(&self.scale, &self.constant);
        for (_, number) in &self.entries {
            if shared == one {
                break;
            }
            shared = gcd(&shared, number);
        }
        if shared != one {
            self.scale /= &shared;
            self.constant /= &shared;
            self.entries.iter_mut().for_each(|(_, number)| *number /= &shared);
        }
        match self.narrowed() {
            Some(row) => Row::Small(row),
            None => Row::Big(self),
        }
    }

    fn narrowed(&self) -> Option<Equation<i64>> {
        let narrow = |number: &BigInt| i64::try_from(number).ok().filter(|&n| n != i64::MIN);
        let entry = |(column, number): &(Column, BigInt)| Some((*column, narrow(number)?));
        Some(Equation {
            scale: narrow(&self.scale)?,
            constant: narrow(&self.constant)?,
            entries: self.entries.iter().map(entry).collect::<Option<_>>()?,
        })
    }
}

impl Distance {
    /// Whether it is no way at all.
    pub(super) fn is_zero(&self) -> bool {
        match self {
            Self::Small(constant, _) => *constant == 0,
            Self::Big(constant, _) => constant.sign() == Sign::NoSign,
        }
    }

    /// Which of two is longer.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        if let (Self::Small(a, b), Self::Small(c, d)) = (self, other) {
            return (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)));
        }
        let ((a, b), (c, d)) = (self.widened(), other.widened());
        (a * d).cmp(&(c * b))
    }

    fn widened(&self) -> (BigInt, BigInt) {
        match self {
            Self::Small(constant, entry) => ((*constant).into(), (*entry).into()),
            Self::Big(constant, entry) => (constant.clone(), entry.clone()),
        }
    }
}

/// The greatest common divisor of two numbers that are not both 0 and not `i64::MIN`.
fn small_gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A quotient as a float. Its exactness does not matter, that it is finite does.
fn quotient(a: &BigInt, b: &BigInt) -> f64 {
    let (above, below) = (a.bits().saturating_sub(62), b.bits().saturating_sub(62));
    let top = |n: &BigInt, bits: u64| i64::try_from(n >> bits).unwrap_or(i64::MAX) as f64;
    let exponent = (i128::from(above) - i128::from(below)).clamp(-400, 400) as i32;
    top(a, above) / top(b, below) * 2f64.powi(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(entries: &[(Column, i64)], constant: i64) -> Row {
        let terms = entries.iter().map(|&(column, n)| (column, n.into())).collect();
        Row::new(terms, constant.into())
    }

    /// Scale, constant and entries.
    type Numbers = (i64, i64, Vec<(Column, i64)>);

    fn small(row: &Row) -> Option<Numbers> {
        match row {
            Row::Small(row) => Some((row.scale, row.constant, row.entries.clone())),
            Row::Big(_) => None,
        }
    }

    #[test]
    fn terms_of_a_column_add_up_and_may_cancel() {
        let row = row(&[(4, 1), (2, 5), (4, 2), (3, 7), (3, -7)], 9);
        assert_eq!(small(&row), Some((1, 9, vec![(2, 5), (4, 3)])));
    }

    #[test]
    fn a_negative_pivot_turns_the_signs() {
        let mut row = row(&[(1, -2), (3, 4)], 6);
        row.exchange(1, Some(2));
        assert_eq!(small(&row), Some((2, -6, vec![(2, -1), (3, -4)])));
    }

    #[test]
    fn a_variable_that_is_not_kept_is_forgotten() {
        let mut row = row(&[(1, 2), (3, 4)], 6);
        row.exchange(1, None);
        assert_eq!(small(&row), Some((2, 6, vec![(3, 4)])));
    }

    #[test]
    fn elimination_removes_the_column_and_the_common_factor() {
        let mut by = row(&[(1, 2), (3, 4)], 6);
        by.exchange(1, Some(2));
        let mut changed = row(&[(1, 6), (3, 12), (5, 1)], 8);
        changed.eliminate(1, &by);
        assert_eq!(small(&changed), Some((1, -10, vec![(2, -3), (5, 1)])));
        let mut untouched = row(&[(3, 1)], 1);
        untouched.eliminate(1, &by);
        assert_eq!(small(&untouched), Some((1, 1, vec![(3, 1)])));
    }

    #[test]
    fn a_row_becomes_big_when_it_must_and_small_when_it_can() {
        let large = i64::MAX;
        let by = row(&[(2, large)], 0);
        let mut changed = row(&[(1, large), (2, 1)], 1);
        changed.eliminate(1, &by);
        assert!(small(&changed).is_none());
        assert_eq!(changed.exact(2), 1 - BigInt::from(large) * large);
        changed.eliminate(2, &row(&[(3, 0)], 0));
        assert_eq!(small(&changed), Some((1, 1, vec![])));
        assert!(small(&row(&[(1, i64::MIN)], 0)).is_none(), "it has no negative");
    }

    #[test]
    fn distances_are_compared_exactly() {
        let (near, far) = (row(&[(1, 3)], 1), row(&[(1, -2)], 1));
        let near = near.distance(1, Ordering::Greater).unwrap();
        assert!(far.distance(1, Ordering::Greater).is_none());
        let far = far.distance(1, Ordering::Less).unwrap();
        assert_eq!(near.compare(&far), Ordering::Less);
        let big = Distance::Big(BigInt::from(2), BigInt::from(4));
        assert_eq!((big.compare(&far), big.compare(&near)), (Ordering::Equal, Ordering::Greater));
        assert!(!big.is_zero());
    }

    #[test]
    fn rough_numbers_are_finite_however_large() {
        let huge = BigInt::from(3) << 5000_u32;
        assert!((quotient(&huge, &(BigInt::from(-2) << 5000_u32)) + 1.5).abs() < 1e-9);
        assert!(quotient(&huge, &1.into()).is_finite());
        assert!(quotient(&1.into(), &huge) > 0.0);
    }
}

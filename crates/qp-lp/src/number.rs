//! Exact rational numbers, and vectors of them over one denominator.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, Sign};

/// A rational number. Invariant: the denominator is positive and shares no factor with the numerator,
/// so equal numbers are equal values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ratio {
    numerator: BigInt,
    denominator: BigInt,
}

impl Ratio {
    /// The quotient of two integers. Panics if the second is 0.
    pub fn new(numerator: BigInt, denominator: BigInt) -> Self {
        assert!(denominator.sign() != Sign::NoSign, "a denominator is not 0");
        let shared = gcd(&numerator, &denominator);
        let shared = if denominator.sign() == Sign::Minus { -shared } else { shared };
        Self { numerator: numerator / &shared, denominator: denominator / shared }
    }

    /// What stands above the line.
    pub fn numerator(&self) -> &BigInt {
        &self.numerator
    }

    /// What stands below the line; positive.
    pub fn denominator(&self) -> &BigInt {
        &self.denominator
    }

    /// The largest integer that is not larger.
    pub fn floor(&self) -> BigInt {
        let quotient = &self.numerator / &self.denominator;
        let rounded_up = &quotient * &self.denominator > self.numerator;
        if rounded_up { quotient - 1 } else { quotient }
    }
}

impl From<i64> for Ratio {
    fn from(integer: i64) -> Self {
        Self { numerator: integer.into(), denominator: 1.into() }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == BigInt::from(1) {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

/// A vector of rational numbers: integers over one common denominator.
///
/// The fields are public because any values are evidence that a check may be asked about; the checks
/// refuse a denominator that is not positive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vector {
    /// What stands above the line.
    pub numerators: Vec<BigInt>,
    /// What stands below every line.
    pub denominator: BigInt,
}

impl Vector {
    /// A vector of integers.
    pub fn integers(numerators: Vec<BigInt>) -> Self {
        Self { numerators, denominator: 1.into() }
    }

    /// Brings numbers over their least common denominator.
    pub fn of(numbers: &[Ratio]) -> Self {
        let mut denominator = BigInt::from(1);
        for number in numbers {
            let shared = gcd(&denominator, &number.denominator);
            denominator *= &number.denominator / shared;
        }
        let numerator = |number: &Ratio| &number.numerator * (&denominator / &number.denominator);
        Self { numerators: numbers.iter().map(numerator).collect(), denominator }
    }

    /// One of the numbers.
    pub fn get(&self, index: usize) -> Ratio {
        Ratio::new(self.numerators[index].clone(), self.denominator.clone())
    }

    /// The smallest integer vector with the same direction: the one to show to people.
    pub fn smallest_integers(&self) -> Vec<BigInt> {
        let shared = self.numerators.iter().fold(BigInt::ZERO, |shared, n| gcd(&shared, n));
        if shared == BigInt::ZERO {
            return self.numerators.clone();
        }
        let shared = if self.denominator.sign() == Sign::Minus { -shared } else { shared };
        self.numerators.iter().map(|numerator| numerator / &shared).collect()
    }
}

/// The greatest common divisor; not negative, and 0 only for two zeros.
pub(crate) fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.magnitude().clone(), b.magnitude().clone());
    while b.bits() > 0 {
        let rest = a % &b;
        a = b;
        b = rest;
    }
    a.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i64, denominator: i64) -> Ratio {
        Ratio::new(numerator.into(), denominator.into())
    }

    fn integers(numbers: &[i64]) -> Vec<BigInt> {
        numbers.iter().map(|&number| number.into()).collect()
    }

    #[test]
    fn equal_numbers_are_equal_values() {
        assert_eq!(ratio(6, -4), ratio(-3, 2));
        assert_eq!(ratio(0, -7), Ratio::from(0));
        assert_eq!(ratio(6, -4).to_string(), "-3/2");
        assert_eq!(ratio(6, 3).to_string(), "2");
    }

    #[test]
    fn numbers_are_ordered_by_value() {
        assert!(ratio(1, 3) < ratio(1, 2));
        assert!(ratio(-1, 2) < ratio(-1, 3));
    }

    #[test]
    fn floor_rounds_down_on_both_sides_of_zero() {
        let floors = [(7, 2), (-7, 2), (6, 2), (-6, 2), (0, 5)].map(|(n, d)| ratio(n, d).floor());
        assert_eq!(floors.to_vec(), integers(&[3, -4, 3, -3, 0]));
    }

    #[test]
    fn a_vector_has_the_least_common_denominator() {
        let vector = Vector::of(&[ratio(1, 6), ratio(-1, 4), Ratio::from(0)]);
        assert_eq!(vector, Vector { numerators: integers(&[2, -3, 0]), denominator: 12.into() });
        assert_eq!(vector.get(1), ratio(-1, 4));
    }

    #[test]
    fn the_smallest_integers_have_no_common_factor_and_the_same_direction() {
        let vector = Vector { numerators: integers(&[4, -6, 0]), denominator: (-5).into() };
        assert_eq!(vector.smallest_integers(), integers(&[-2, 3, 0]));
        let zero = Vector { numerators: integers(&[0, 0]), denominator: 5.into() };
        assert_eq!(zero.smallest_integers(), integers(&[0, 0]));
    }
}

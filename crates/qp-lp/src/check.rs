//! The checks of evidence: all that has to be believed.
//!
//! They share nothing with the solver but the definitions of a program and of a vector, and compute
//! with integers only: a rational vector is checked as its numerators, with the constants multiplied by
//! its denominator.
//!
//! Evidence about rows is one factor per row. Adding up the rows, each times its factor, gives a new
//! demand that follows from them, provided that the factor of an *at most* is not negative and that of
//! an *at least* is not positive: `factors·rows·x <= factors·constants`. Both kinds of proof are such a
//! demand: one that bounds the objective, and one that no point can satisfy.

use num_bigint::{BigInt, Sign};

use crate::number::{Ratio, Vector};
use crate::problem::{Domain, Problem, Relation, Row, Term};

/// Whether the point satisfies every row, has this value, and the factors prove that no point has a
/// larger one: their demand bounds a sum that is at least the objective at every point, and it bounds
/// it by the value.
pub fn check_optimal(problem: &Problem, value: &Ratio, point: &Vector, factors: &Vector) -> bool {
    if !check_point(problem, point) || !allowed_factors(problem, factors) {
        return false;
    }
    let of_point = sum(problem.objective(), point);
    let of_factors = sum_of_constants(problem, factors);
    let excess = |sums: Vec<BigInt>| subtract(sums, problem.objective(), &factors.denominator);
    equals(value, &of_point, &point.denominator)
        && equals(value, &of_factors, &factors.denominator)
        && dominates_zero(problem, &excess(sum_of_rows(problem, factors)))
}

/// Whether the point satisfies every row, and going from it in the direction of the ray, however far,
/// leads to such points only, with larger and larger values.
pub fn check_ray(problem: &Problem, point: &Vector, ray: &Vector) -> bool {
    let along = |row: &Row| holds(row.relation, &sum(&row.terms, ray), &BigInt::ZERO);
    check_point(problem, point)
        && in_domains(problem, ray)
        && problem.rows().iter().all(along)
        && sum(problem.objective(), ray).sign() == Sign::Plus
}

/// Whether the factors prove that no point satisfies every row: their demand asks that a sum which is
/// never negative be at most a negative number.
pub fn check_farkas(problem: &Problem, factors: &Vector) -> bool {
    allowed_factors(problem, factors)
        && dominates_zero(problem, &sum_of_rows(problem, factors))
        && sum_of_constants(problem, factors).sign() == Sign::Minus
}

/// Whether the point satisfies every row and every variable may have its value.
pub fn check_point(problem: &Problem, point: &Vector) -> bool {
    let satisfied = |row: &Row| {
        let constant = &point.denominator * row.constant;
        holds(row.relation, &sum(&row.terms, point), &constant)
    };
    in_domains(problem, point) && problem.rows().iter().all(satisfied)
}

fn in_domains(problem: &Problem, vector: &Vector) -> bool {
    vector.denominator.sign() == Sign::Plus
        && vector.numerators.len() == problem.variables().len()
        && problem.variables().iter().zip(&vector.numerators).all(|(domain, number)| match domain {
            Domain::NonNegative => number.sign() != Sign::Minus,
            Domain::Free => true,
        })
}

fn allowed_factors(problem: &Problem, factors: &Vector) -> bool {
    factors.denominator.sign() == Sign::Plus
        && factors.numerators.len() == problem.rows().len()
        && problem.rows().iter().zip(&factors.numerators).all(|(row, factor)| match row.relation {
            Relation::AtMost => factor.sign() != Sign::Minus,
            Relation::Equal => true,
            Relation::AtLeast => factor.sign() != Sign::Plus,
        })
}

fn holds(relation: Relation, left: &BigInt, right: &BigInt) -> bool {
    match relation {
        Relation::AtMost => left <= right,
        Relation::Equal => left == right,
        Relation::AtLeast => left >= right,
    }
}

fn sum(terms: &[Term], vector: &Vector) -> BigInt {
    let numbers =
        terms.iter().map(|&(variable, factor)| (&vector.numerators[variable.index()], factor));
    numbers.filter(|(number, _)| !is_zero(number)).map(|(number, factor)| number * factor).sum()
}

fn is_zero(number: &BigInt) -> bool {
    number.sign() == Sign::NoSign
}

fn sum_of_constants(problem: &Problem, factors: &Vector) -> BigInt {
    let rows = problem.rows().iter().zip(&factors.numerators);
    rows.map(|(row, factor)| factor * row.constant).sum()
}

fn sum_of_rows(problem: &Problem, factors: &Vector) -> Vec<BigInt> {
    let mut sums = vec![BigInt::ZERO; problem.variables().len()];
    let used =
        problem.rows().iter().zip(&factors.numerators).filter(|(_, factor)| !is_zero(factor));
    for (row, factor) in used {
        for &(variable, entry) in &row.terms {
            sums[variable.index()] += factor * entry;
        }
    }
    sums
}

fn subtract(mut sums: Vec<BigInt>, terms: &[Term], times: &BigInt) -> Vec<BigInt> {
    for &(variable, factor) in terms {
        sums[variable.index()] -= times * factor;
    }
    sums
}

/// Whether the sum with these factors is at least 0 at every point of the domains.
fn dominates_zero(problem: &Problem, sums: &[BigInt]) -> bool {
    problem.variables().iter().zip(sums).all(|(domain, sum)| match domain {
        Domain::NonNegative => sum.sign() != Sign::Minus,
        Domain::Free => sum.sign() == Sign::NoSign,
    })
}

fn equals(value: &Ratio, numerator: &BigInt, denominator: &BigInt) -> bool {
    value.numerator() * denominator == numerator * value.denominator()
}

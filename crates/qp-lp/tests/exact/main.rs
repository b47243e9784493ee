//! The answers of the solver against a naive method, on programs that are known to be hard, and the
//! checks against evidence that was changed.

mod enumeration;
mod evidence;
mod hard;
mod random;

use qp_base::Budget;
use qp_lp::{Answer, BigInt, Domain, Problem, Relation, VariableId};

/// A program from its dense description: what the variables may be, rows of factors with a relation
/// and a constant, and the factors of the objective.
fn program(domains: &[Domain], rows: &[(&[i64], Relation, i64)], objective: &[i64]) -> Problem {
    let mut problem = Problem::new();
    let variables: Vec<VariableId> = domains.iter().map(|&d| problem.variable(d)).collect();
    let terms = |factors: &[i64]| variables.iter().copied().zip(factors.iter().copied()).collect();
    for (factors, relation, constant) in rows {
        problem.row(terms(factors), *relation, *constant);
    }
    problem.maximise(terms(objective));
    problem
}

fn solve(problem: &Problem) -> Answer {
    qp_lp::solve(problem, &Budget::states(100_000))
}

fn integers(numbers: &[i64]) -> Vec<BigInt> {
    numbers.iter().map(|&number| number.into()).collect()
}

/// Numbers that are random enough, and the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % bound
    }

    fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least + 1).cast_unsigned()).cast_signed()
    }
}

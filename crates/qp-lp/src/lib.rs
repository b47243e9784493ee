//! Linear programs with exact answers, each with evidence that has been checked.

mod problem;
mod number;
mod check;
mod simplex;

pub use check::{check_farkas, check_optimal, check_point, check_ray};
pub use num_bigint::BigInt;
pub use number::{Ratio, Vector};
pub use problem::{Domain, Problem, Relation, Row, RowId, Term, VariableId};
pub use simplex::Simplex;

use qp_base::{Budget, Exhausted};

/// What is known about a program. All evidence has passed its check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// No point has a larger value than this one.
    Optimal {
        /// The value of the objective.
        value: Ratio,
        /// A point that has this value: a number per variable.
        point: Vector,
        /// A factor per row; they prove that no value is larger. See [`check_optimal`].
        factors: Vector,
    },
    /// Values have no bound.
    Unbounded {
        /// A point that satisfies every row.
        point: Vector,
        /// A direction in which every point satisfies every row, with larger and larger values.
        ray: Vector,
    },
    /// No point satisfies every row.
    Infeasible {
        /// A factor per row; they prove it. See [`check_farkas`].
        factors: Vector,
    },
    /// The budget was spent before an answer was found.
    Unknown(Exhausted),
}

/// Solves a program. A step of the simplex method counts as one configuration in the budget.
pub fn solve(problem: &Problem, budget: &Budget) -> Answer {
    let objective = problem.objective().to_vec();
    Simplex::new(problem.clone()).maximise(objective, budget)
}

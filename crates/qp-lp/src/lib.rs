//! Linear programs with exact answers, each with evidence that has been checked.
//!
//! A [`Problem`] has variables that are at least 0 or free, rows `sum <= constant`, `=` or `>=`, and a
//! sum to maximise, all with integers. [`solve`], or [`Simplex`] for many objectives over the same
//! rows, finds an optimum with factors that prove it, a ray along which values grow for ever, or
//! factors that prove that no point exists. The checks of this evidence ([`check_optimal`],
//! [`check_ray`], [`check_farkas`]) know nothing of the solver; every answer has passed them.
//!
//! ```
//! use qp_base::Budget;
//! use qp_lp::{Answer, Domain, Problem, Ratio, Relation, solve};
//!
//! let mut problem = Problem::new();
//! let send = problem.variable(Domain::NonNegative);
//! let take = problem.variable(Domain::NonNegative);
//! problem.row(vec![(send, 2), (take, -1)], Relation::AtMost, 3);
//! problem.row(vec![(send, 1), (take, -1)], Relation::AtLeast, 0);
//! problem.maximise(vec![(send, 1), (take, -1)]);
//! let Answer::Optimal { value, .. } = solve(&problem, &Budget::states(100)) else { panic!() };
//! assert_eq!(value, Ratio::new(3.into(), 2.into()));
//! ```
//!
//! # Why the solver computes with integers
//!
//! The programs it is made for count how often transitions are taken: a few entries of 1 and -1 per
//! column, nearly all constants 0. There the numbers of an exact tableau stay as small as they were,
//! and most choices are ties, which floats decide badly and exact numbers do not. Measured on one
//! loaded core, beside a floating-point solver (microlp 0.7) that would have to be run on the program
//! and on its dual, and whose answers would still have to be made exact:
//!
//! | flow program | rows x columns | here | floats: program + dual |
//! | --- | --- | --- | --- |
//! | ring of 50, all messages | 950 x 1000 | 0.010 s | 0.010 + 0.006 s |
//! | ring of 50, one type | 950 x 1000 | 0.014 s | 0.012 + 0.006 s |
//! | ring of 100, one type | 1900 x 2000 | 0.11 s | 0.041 + 0.023 s |
//! | random graphs, one type | 1600 x 3000 | 0.002 s | 0.004 + 0.005 s |
//!
//! So there is no other solver. What made it fast is to prefer, among the columns that promise growth,
//! those with few entries: before, the ring of 100 took 1.1 s. Choosing by growth alone and preferring
//! slacks were tried and lost; preferring short rows changed little.
//!
//! The price: in programs that are no flows numbers can grow to hundreds of digits, and then a dense
//! program of 100 rows and 400 columns takes seconds, and one with 1000 columns about a minute. The
//! example `flows` prints such times.
//!
//! Absent on purpose: integer programming, and anything that knows what the variables stand for.

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

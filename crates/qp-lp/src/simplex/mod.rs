//! The simplex method in exact integers.
//!
//! Every row of the program becomes an equation with one more variable, its *slack*: how much the sum
//! is below the constant of an *at most*, or above that of an *at least*. The slack of an equality is
//! barred: it is to become 0. Equations are multiplied by -1 where that makes the constant at least 0;
//! where it makes the factor of the slack -1, another barred variable starts in the basis instead.
//! First the sum of the barred variables is driven to 0, which finds a point or proves that there is
//! none; then the objective is maximised. The factors of the proofs are the entries of the slacks in
//! the equation of the objective.

mod row;
mod tableau;

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use qp_base::{Budget, Exhausted};

use self::row::{Column, Row};
use self::tableau::{End, Kind, Tableau};
use crate::Answer;
use crate::check::{check_farkas, check_optimal, check_ray};
use crate::number::{Ratio, Vector};
use crate::problem::{self, Domain, Problem, Relation, RowId, Term};

/// A program that is being solved, for one objective after the other: each starts where the one before
/// ended, which is much faster than to start anew.
#[derive(Clone, Debug)]
pub struct Simplex {
    problem: Problem,
    tableau: Tableau,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    /// It is not known whether a point exists.
    Open,
    /// The basic solution is a point.
    Feasible,
    /// No point exists, as the factors show.
    Infeasible(Vector),
}

impl Simplex {
    /// Prepares a program. Its objective does not matter.
    pub fn new(problem: Problem) -> Self {
        let tableau = first_tableau(&problem);
        Self { problem, tableau, state: State::Open }
    }

    /// The program, with the objective that was maximised last.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Maximises a sum. The steps of all calls are counted together, each as one configuration of the
    /// budget. After [`Answer::Unknown`] another call goes on where this one ended.
    pub fn maximise(&mut self, objective: Vec<Term>, budget: &Budget) -> Answer {
        self.problem.maximise(objective);
        let answer = self.climb(budget).unwrap_or_else(Answer::Unknown);
        let accepted = match &answer {
            Answer::Optimal { value, point, factors } => {
                check_optimal(&self.problem, value, point, factors)
            }
            Answer::Unbounded { point, ray } => check_ray(&self.problem, point, ray),
            Answer::Infeasible { factors } => check_farkas(&self.problem, factors),
            Answer::Unknown(_) => true,
        };
        assert!(accepted, "bug in Queueproof: the evidence about a linear program is wrong");
        answer
    }

    fn climb(&mut self, budget: &Budget) -> Result<Answer, Exhausted> {
        if matches!(self.state, State::Open) {
            self.state = self.find_point(budget)?;
        }
        if let State::Infeasible(factors) = &self.state {
            return Ok(Answer::Infeasible { factors: factors.clone() });
        }
        let objective = self.problem.objective().iter();
        let terms = objective.map(|&(variable, factor)| (variable.raw(), factor));
        self.tableau.aim(terms, budget)?;
        Ok(match self.tableau.climb(budget, |_| false)? {
            End::Top => {
                let (value, scale) = self.tableau.objective.constant_and_scale();
                let value = Ratio::new(value, scale);
                Answer::Optimal { value, point: self.point(), factors: self.factors(0) }
            }
            End::Ray(column, direction) => {
                Answer::Unbounded { point: self.point(), ray: self.ray(column, direction) }
            }
        })
    }

    fn find_point(&mut self, budget: &Budget) -> Result<State, Exhausted> {
        self.tableau.drive_out_barred(budget)?;
        let barred = self.tableau.barred();
        self.tableau.aim(barred.into_iter().map(|column| (column, -1)), budget)?;
        let reached = |tableau: &Tableau| tableau.objective.sign_of_constant() == Ordering::Equal;
        self.tableau.climb(budget, reached)?;
        if reached(&self.tableau) {
            self.tableau.drive_out_barred(budget)?;
            return Ok(State::Feasible);
        }
        Ok(State::Infeasible(self.factors(1)))
    }

    /// The factors of the rows in the equation of the objective; `cost` is what the objective takes for
    /// the slack of an equality.
    fn factors(&self, cost: i64) -> Vector {
        let objective = &self.tableau.objective;
        let denominator = objective.constant_and_scale().1;
        let factor = |(id, row): (RowId, &problem::Row)| {
            let entry = objective.exact(slack(&self.problem, id));
            match row.relation {
                Relation::AtMost => entry,
                Relation::AtLeast => -entry,
                Relation::Equal if row.constant < 0 => &denominator * cost - entry,
                Relation::Equal => entry - &denominator * cost,
            }
        };
        let numerators = self.problem.rows().iter_enumerated().map(factor).collect();
        Vector { numerators, denominator }
    }

    /// The basic solution.
    fn point(&self) -> Vector {
        let mut numbers = vec![Ratio::from(0); self.problem.variables().len()];
        for (row, basic) in self.tableau.rows.iter().zip(&self.tableau.basis) {
            if let Some(number) = numbers.get_mut(*basic as usize) {
                let (constant, scale) = row.constant_and_scale();
                *number = Ratio::new(constant, scale);
            }
        }
        Vector::of(&numbers)
    }

    /// How the point moves when the variable of a column does.
    fn ray(&self, column: Column, direction: Ordering) -> Vector {
        let sign = |number: BigInt| if direction == Ordering::Less { -number } else { number };
        let mut numbers = vec![Ratio::from(0); self.problem.variables().len()];
        for (row, basic) in self.tableau.rows.iter().zip(&self.tableau.basis) {
            if let Some(number) = numbers.get_mut(*basic as usize) {
                let scale = row.constant_and_scale().1;
                *number = Ratio::new(sign(-row.exact(column)), scale);
            }
        }
        if let Some(number) = numbers.get_mut(column as usize) {
            *number = Ratio::new(sign(1.into()), 1.into());
        }
        Vector::integers(Vector::of(&numbers).smallest_integers())
    }
}

fn slack(problem: &Problem, row: RowId) -> Column {
    problem.variables().len() as Column + row.raw()
}

fn first_tableau(problem: &Problem) -> Tableau {
    let (mut equations, mut basis) = (Vec::new(), Vec::new());
    let mut kinds: Vec<Kind> = problem.variables().iter().copied().map(Kind::of).collect();
    let slacks = problem.rows().iter().map(|row| match row.relation {
        Relation::AtMost | Relation::AtLeast => Kind::NonNegative,
        Relation::Equal => Kind::Barred,
    });
    kinds.extend(slacks);
    let kept = kinds.len() as Column;
    for (id, row) in problem.rows().iter_enumerated() {
        let slack = slack(problem, id);
        let (equation, slack_is_basic) = equation(row, slack);
        equations.push(equation);
        basis.push(if slack_is_basic { slack } else { kept + id.raw() });
        kinds.push(Kind::Barred);
    }
    Tableau::new(kinds, kept, equations, basis)
}

/// The equation of a row with a constant that is not negative, and whether the slack is its basic
/// variable.
fn equation(row: &problem::Row, slack: Column) -> (Row, bool) {
    let at_most = row.relation != Relation::AtLeast;
    let constant = if at_most { BigInt::from(row.constant) } else { -BigInt::from(row.constant) };
    let negate = constant.sign() == Sign::Minus;
    let number = |factor: i64| {
        if at_most == negate { -BigInt::from(factor) } else { BigInt::from(factor) }
    };
    let slack_is_basic = !negate || row.relation == Relation::Equal;
    let terms = row.terms.iter().map(|&(variable, factor)| (variable.raw(), number(factor)));
    let mut terms: Vec<(Column, BigInt)> = terms.collect();
    if !slack_is_basic {
        terms.push((slack, BigInt::from(-1)));
    }
    (Row::new(terms, constant.magnitude().clone().into()), slack_is_basic)
}

impl Kind {
    fn of(domain: Domain) -> Self {
        match domain {
            Domain::NonNegative => Self::NonNegative,
            Domain::Free => Self::Free,
        }
    }
}

//! Decides small programs by trying every corner.

use qp_lp::{Domain, Problem, Ratio, Relation};

/// What a program comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Optimal(Ratio),
    Unbounded,
    Infeasible,
}

/// Free variables are written as differences, so that a set of points that is not empty has a corner,
/// and an unbounded objective grows along an edge: a corner of the rays whose entries sum up to 1.
pub(crate) fn decide(problem: &Problem) -> Outcome {
    let points = Dense::of(problem);
    let Some(value) = points.best_corner() else { return Outcome::Infeasible };
    match points.rays().best_corner() {
        Some(growth) if growth > Ratio::from(0) => Outcome::Unbounded,
        _ => Outcome::Optimal(value),
    }
}

/// A program whose variables are all at least 0.
struct Dense {
    rows: Vec<(Vec<i128>, Relation, i128)>,
    objective: Vec<i128>,
}

impl Dense {
    fn of(problem: &Problem) -> Self {
        let spread = |terms: &[qp_lp::Term]| {
            let mut factors = vec![0; problem.variables().len()];
            for (variable, n) in terms {
                factors[variable.index()] += i128::from(*n);
            }
            let pairs = problem.variables().iter().zip(factors);
            pairs
                .flat_map(|(domain, n)| match domain {
                    Domain::NonNegative => vec![n],
                    Domain::Free => vec![n, -n],
                })
                .collect()
        };
        let row = |row: &qp_lp::Row| (spread(&row.terms), row.relation, i128::from(row.constant));
        Self {
            rows: problem.rows().iter().map(row).collect(),
            objective: spread(problem.objective()),
        }
    }

    fn rays(&self) -> Self {
        let mut rows = self.rows.clone();
        for row in &mut rows {
            row.2 = 0;
        }
        rows.push((vec![1; self.objective.len()], Relation::Equal, 1));
        Self { rows, objective: self.objective.clone() }
    }

    fn best_corner(&self) -> Option<Ratio> {
        let size = self.objective.len();
        let mut tight: Vec<(Vec<i128>, i128)> =
            self.rows.iter().map(|(factors, _, constant)| (factors.clone(), *constant)).collect();
        for variable in 0..size {
            let unit = (0..size).map(|other| i128::from(other == variable)).collect();
            tight.push((unit, 0));
        }
        let mut best = None;
        for choice in 0_u32..1 << tight.len() {
            if choice.count_ones() as usize != size {
                continue;
            }
            let chosen = (0..tight.len()).filter(|index| choice >> index & 1 == 1);
            let Some((point, scale)) = intersection(chosen.map(|i| tight[i].clone()).collect())
            else {
                continue;
            };
            if self.satisfied(&point, scale) {
                let value = Ratio::new(dot(&self.objective, &point).into(), scale.into());
                best = best.max(Some(value));
            }
        }
        best
    }

    fn satisfied(&self, point: &[i128], scale: i128) -> bool {
        let row = |(factors, relation, constant): &(Vec<i128>, Relation, i128)| {
            let (sum, constant) = (dot(factors, point), constant * scale);
            match relation {
                Relation::AtMost => sum <= constant,
                Relation::Equal => sum == constant,
                Relation::AtLeast => sum >= constant,
            }
        };
        point.iter().all(|&number| number >= 0) && self.rows.iter().all(row)
    }
}

fn dot(a: &[i128], b: &[i128]) -> i128 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The one solution of as many equations as unknowns, over a positive common denominator.
fn intersection(mut rows: Vec<(Vec<i128>, i128)>) -> Option<(Vec<i128>, i128)> {
    let size = rows.len();
    for column in 0..size {
        let pivot = (column..size).find(|&row| rows[row].0[column] != 0)?;
        rows.swap(column, pivot);
        let (by, by_constant) = rows[column].clone();
        for (index, (row, constant)) in rows.iter_mut().enumerate() {
            if index != column && row[column] != 0 {
                let factor = row[column];
                row.iter_mut().zip(&by).for_each(|(n, m)| *n = *n * by[column] - m * factor);
                *constant = *constant * by[column] - by_constant * factor;
                let shared = row.iter().fold(*constant, |a, b| gcd(a, *b)).max(1);
                for n in row.iter_mut().chain([constant]) {
                    *n /= shared;
                }
            }
        }
    }
    let scale = (0..size).fold(1, |scale, i| {
        let n = rows[i].0[i].abs();
        scale / gcd(scale, n) * n
    });
    let point = (0..size).map(|i| rows[i].1 * (scale / rows[i].0[i])).collect();
    Some((point, scale))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

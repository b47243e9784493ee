//! The tableau: each equation solved for its basic variable, and the steps from one basis to the next.

use std::cmp::Ordering;

use num_bigint::BigInt;
use qp_base::{Budget, Exhausted, Spent};

use super::row::{Column, Distance, Row};

/// What the variable of a column may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// It is at least 0.
    NonNegative,
    /// It has any value; once basic it stays so.
    Free,
    /// It may start basic; it is to become 0, leaves the basis, and never comes back.
    Barred,
}

/// Where a climb ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// No value is larger.
    Top,
    /// The variable of this column can grow, or shrink if the direction is `Less`, for ever.
    Ray(Column, Ordering),
}

/// Invariant: the basic variables that are not free are at least 0 when all others are 0.
#[derive(Clone, Debug)]
pub(super) struct Tableau {
    kinds: Vec<Kind>,
    /// Columns from this one on are forgotten once their variable is not basic.
    kept: Column,
    pub(super) rows: Vec<Row>,
    /// The basic variable of each row.
    pub(super) basis: Vec<Column>,
    /// The equation `value - objective = 0`, solved like all others.
    pub(super) objective: Row,
    /// Per row, a small amount that its constant is imagined to be larger. Exact ties between rows are
    /// decided by it, and so nearly every step climbs, if only in imagination. Rough: it guides only.
    nudges: Vec<f64>,
    /// Per column, roughly the square of how much a step along it moves the basic variables.
    weights: Vec<f64>,
    /// Per column, how many rows have an entry in it.
    lengths: Vec<u32>,
    random: u64,
    /// Steps since the value last grew.
    stalled: usize,
    steps: u64,
}

impl Tableau {
    /// A tableau without an objective. The constants of the rows must not be negative.
    pub(super) fn new(kinds: Vec<Kind>, kept: Column, rows: Vec<Row>, basis: Vec<Column>) -> Self {
        let mut tableau = Self {
            kept,
            nudges: vec![0.0; rows.len()],
            weights: vec![1.0; kinds.len()],
            lengths: vec![0; kinds.len()],
            objective: Row::new(vec![], BigInt::ZERO),
            random: 0x9E37_79B9_7F4A_7C15,
            stalled: 0,
            steps: 0,
            kinds,
            rows,
            basis,
        };
        for index in 0..tableau.rows.len() {
            tableau.nudge(index);
            tableau.rows[index].columns(|column| tableau.lengths[column as usize] += 1);
        }
        tableau
    }

    /// The barred variables that are kept or basic: the others are 0 and forgotten.
    pub(super) fn barred(&self) -> Vec<Column> {
        let forgettable = self.basis.iter().copied().filter(|&column| column >= self.kept);
        let all = (0..self.kept).chain(forgettable);
        all.filter(|&column| self.kinds[column as usize] == Kind::Barred).collect()
    }

    /// Sets the sum to maximise.
    pub(super) fn aim(
        &mut self,
        terms: impl Iterator<Item = (Column, i64)>,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let terms = terms.map(|(column, factor)| (column, -BigInt::from(factor)));
        self.objective = Row::new(terms.collect(), BigInt::ZERO);
        for (number, (row, basic)) in self.rows.iter().zip(&self.basis).enumerate() {
            if number.is_multiple_of(64) {
                budget.ask()?;
            }
            self.objective.eliminate(*basic, row);
        }
        self.weights.fill(1.0);
        self.stalled = 0;
        Ok(())
    }

    /// Steps from basis to basis until the value is the largest one, or can grow for ever, or `enough`
    /// says so.
    pub(super) fn climb(
        &mut self,
        budget: &Budget,
        enough: impl Fn(&Self) -> bool,
    ) -> Result<End, Exhausted> {
        while !enough(self) {
            let Some((entering, direction)) = self.entering() else { return Ok(End::Top) };
            let Some((row, distance)) = self.leaving(entering, direction) else {
                return Ok(End::Ray(entering, direction));
            };
            self.stalled = if distance.is_zero() { self.stalled + 1 } else { 0 };
            self.pivot(row, entering);
            self.spend(budget)?;
        }
        Ok(End::Top)
    }

    /// Makes barred basic variables whose value is 0 leave the basis. A row in which that is impossible
    /// says only that barred variables sum up to 0, and no step changes it.
    pub(super) fn drive_out_barred(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        for row in 0..self.rows.len() {
            let barred = self.kinds[self.basis[row] as usize] == Kind::Barred;
            if !barred || self.rows[row].sign_of_constant() != Ordering::Equal {
                continue;
            }
            let columns = self.rows[row].rough_entries().map(|(column, _)| column);
            let allowed = columns.filter(|&column| self.kinds[column as usize] != Kind::Barred);
            if let Some(entering) = allowed.min_by_key(|&column| self.lengths[column as usize]) {
                self.nudges[row] = 0.0;
                self.pivot(row, entering);
                self.nudge(row);
                self.spend(budget)?;
            }
        }
        Ok(())
    }

    fn spend(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        self.steps += 1;
        let bytes = self.rows.iter().map(Row::bytes).sum();
        budget.check(Spent { states: self.steps, bytes })
    }

    /// Long without growth, it takes the smallest columns: then no basis comes twice (Bland 1977).
    fn careful(&self) -> bool {
        self.stalled > 1000 + 4 * self.rows.len()
    }

    /// A column along which the value grows, and in which direction.
    fn entering(&self) -> Option<(Column, Ordering)> {
        let mut best = None;
        let mut best_worth = f64::NEG_INFINITY;
        for (column, slope) in self.objective.rough_entries() {
            let Some(direction) = self.uphill(column) else { continue };
            if self.careful() {
                return Some((column, direction));
            }
            let weight = self.weights[column as usize];
            let worth = slope * slope / weight / f64::from(1 + self.lengths[column as usize]);
            if best.is_none() || worth > best_worth {
                best = Some((column, direction));
                best_worth = worth;
            }
        }
        best
    }

    fn uphill(&self, column: Column) -> Option<Ordering> {
        match (self.kinds[column as usize], self.objective.sign(column)) {
            (Kind::NonNegative | Kind::Free, Ordering::Less) => Some(Ordering::Greater),
            (Kind::Free, Ordering::Greater) => Some(Ordering::Less),
            (Kind::NonNegative, Ordering::Greater) | (Kind::Barred, _) | (_, Ordering::Equal) => {
                None
            }
        }
    }

    /// The row that stops the variable of a column first.
    fn leaving(&self, entering: Column, direction: Ordering) -> Option<(usize, Distance)> {
        let mut first: Option<(usize, Distance, f64)> = None;
        for (index, row) in self.rows.iter().enumerate() {
            if self.kinds[self.basis[index] as usize] == Kind::Free {
                continue;
            }
            let Some(distance) = row.distance(entering, direction) else { continue };
            let tie = self.tie_breaker(index, entering);
            let earlier = first.as_ref().is_none_or(|(_, other, other_tie)| {
                distance.compare(other).then(tie.total_cmp(other_tie)) == Ordering::Less
            });
            if earlier {
                first = Some((index, distance, tie));
            }
        }
        first.map(|(index, distance, _)| (index, distance))
    }

    fn tie_breaker(&self, row: usize, entering: Column) -> f64 {
        if self.careful() {
            f64::from(self.basis[row])
        } else {
            self.nudges[row] / self.rows[row].rough(entering).abs()
        }
    }

    /// Makes the variable of a column basic in a row.
    fn pivot(&mut self, index: usize, entering: Column) {
        let step = self.nudges[index] / self.rows[index].rough(entering);
        let leaving = self.basis[index];
        let mut pivot = std::mem::replace(&mut self.rows[index], Row::new(vec![], BigInt::ZERO));
        pivot.columns(|column| self.lengths[column as usize] -= 1);
        pivot.exchange(entering, (leaving < self.kept).then_some(leaving));
        pivot.columns(|column| self.lengths[column as usize] += 1);
        self.reweigh(&pivot, entering, leaving);
        for (row, nudge) in self.rows.iter_mut().zip(&mut self.nudges) {
            if row.sign(entering) != Ordering::Equal {
                *nudge = (*nudge - row.rough(entering) * step).clamp(1e-9, 1e100);
                row.columns(|column| self.lengths[column as usize] -= 1);
                row.eliminate(entering, &pivot);
                row.columns(|column| self.lengths[column as usize] += 1);
            }
        }
        self.objective.eliminate(entering, &pivot);
        self.nudges[index] = step.abs().min(1e100);
        self.basis[index] = entering;
        self.rows[index] = pivot;
    }

    /// Changes the weights by a step in the manner of Devex (Harris 1973).
    fn reweigh(&mut self, pivot: &Row, entering: Column, leaving: Column) {
        let weight = self.weights[entering as usize];
        self.weights[leaving as usize] = 1.0;
        for (column, entry) in pivot.rough_entries() {
            let old = &mut self.weights[column as usize];
            *old = old.max((entry * entry * weight).min(1e100));
        }
    }

    fn nudge(&mut self, row: usize) {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.nudges[row] = 1.0 + (self.random >> 11) as f64 / (1_u64 << 53) as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns 0 to 3 are variables, 4 to 6 slacks; all rows but one have the constant 0.
    fn beale() -> Tableau {
        let row = |factors: [i64; 4], constant: i64| {
            let terms = (0..).zip(factors.map(BigInt::from)).collect();
            Row::new(terms, constant.into())
        };
        let rows =
            vec![row([25, -6000, -4, 900], 0), row([50, -9000, -2, 300], 0), row([0, 0, 1, 0], 1)];
        let mut tableau = Tableau::new(vec![Kind::NonNegative; 7], 7, rows, vec![4, 5, 6]);
        let aimed = tableau.aim((0..).zip([75, -15_000, 2, -600]), &Budget::states(100));
        assert_eq!(aimed, Ok(()));
        tableau
    }

    #[test]
    fn the_careful_rule_ends_as_well() {
        let mut tableau = beale();
        tableau.stalled = 1_000_000;
        assert!(tableau.careful());
        assert_eq!(tableau.climb(&Budget::states(100), |_| false), Ok(End::Top));
        let (constant, scale) = tableau.objective.constant_and_scale();
        assert_eq!(constant, scale * 5);
    }

    #[test]
    fn the_lengths_of_columns_are_kept() {
        let mut tableau = beale();
        assert_eq!(tableau.climb(&Budget::states(100), |_| false), Ok(End::Top));
        let mut lengths = vec![0; 7];
        for row in &tableau.rows {
            row.columns(|column| lengths[column as usize] += 1);
        }
        assert_eq!(tableau.lengths, lengths);
    }
}

//! What a linear program is: variables, rows and something to maximise.

use qp_base::{IndexVec, define_index};

define_index!(VariableId, "x", "a variable of a linear program");
define_index!(RowId, "r", "a row of a linear program");

/// A linear program: maximise the objective over all points that satisfy every row.
///
/// The objective of a new program is 0, which asks for any point at all. Invariant: every term names a
/// variable of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    variables: IndexVec<VariableId, Domain>,
    rows: IndexVec<RowId, Row>,
    objective: Vec<Term>,
}

/// Which values a variable may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// At least 0.
    NonNegative,
    /// Any.
    Free,
}

/// A variable and its factor. In a list of terms a variable may occur more than once: terms add up.
pub type Term = (VariableId, i64);

/// The demand that a sum relates to a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The sum.
    pub terms: Vec<Term>,
    /// How it relates to the constant.
    pub relation: Relation,
    /// The constant.
    pub constant: i64,
}

/// How the sum of a row relates to its constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// The sum is at most the constant.
    AtMost,
    /// The sum is the constant.
    Equal,
    /// The sum is at least the constant.
    AtLeast,
}

impl Problem {
    /// A program without variables and rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a variable.
    pub fn variable(&mut self, domain: Domain) -> VariableId {
        self.variables.push(domain)
    }

    /// Adds a row. Panics if a term names a variable that was not added before: a bug of the caller.
    pub fn row(&mut self, terms: Vec<Term>, relation: Relation, constant: i64) -> RowId {
        self.assert_known(&terms);
        self.rows.push(Row { terms, relation, constant })
    }

    /// Sets the sum to maximise. Panics if a term names a variable that was not added before.
    pub fn maximise(&mut self, terms: Vec<Term>) {
        self.assert_known(&terms);
        self.objective = terms;
    }

    /// What each variable may be.
    pub fn variables(&self) -> &IndexVec<VariableId, Domain> {
        &self.variables
    }

    /// What every point must satisfy.
    pub fn rows(&self) -> &IndexVec<RowId, Row> {
        &self.rows
    }

    /// The sum to maximise.
    pub fn objective(&self) -> &[Term] {
        &self.objective
    }

    fn assert_known(&self, terms: &[Term]) {
        let known = |(variable, _): &Term| variable.index() < self.variables.len();
        assert!(terms.iter().all(known), "a term names a variable that the program does not have");
    }
}

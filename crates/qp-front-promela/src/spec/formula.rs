//! Formulas of linear temporal logic.

use crate::at::At;

use super::Expr;

/// An `ltl` formula.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its name, or `ltl_0` and so on, as SPIN counts them.
    pub name: String,
    /// Where it stands.
    pub at: At,
    /// What must hold.
    pub formula: FormulaKind,
}

/// What a formula says.
#[derive(Clone, Debug)]
pub enum FormulaKind {
    /// The value is not 0 now.
    Now(Expr),
    /// It does not hold.
    Not(Box<FormulaKind>),
    /// Both hold.
    And(Box<FormulaKind>, Box<FormulaKind>),
    /// One of them holds.
    Or(Box<FormulaKind>, Box<FormulaKind>),
    /// If the first holds, the second does.
    Implies(Box<FormulaKind>, Box<FormulaKind>),
    /// Both hold, or none.
    Iff(Box<FormulaKind>, Box<FormulaKind>),
    /// It holds from now on.
    Always(Box<FormulaKind>),
    /// It holds now or later.
    Eventually(Box<FormulaKind>),
    /// It holds after the next step.
    Next(Box<FormulaKind>),
    /// About two formulas and time.
    Temporal(TemporalOp, Box<FormulaKind>, Box<FormulaKind>),
}

/// An operator about two formulas and time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemporalOp {
    /// `U`: the second will hold, and the first does until then.
    Until,
    /// `W`: the same, or the first holds for ever.
    WeakUntil,
    /// `V`: the second holds up to and including when the first does, or for ever.
    Release,
}

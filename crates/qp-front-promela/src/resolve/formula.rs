//! Formulas of linear temporal logic.

use crate::ast::{Binary, Expr, ExprKind, Ident, Unary};
use crate::at::At;
use crate::spec::{BinaryOp, Formula, FormulaKind, TemporalOp, UnaryOp};

use super::Resolver;
use super::expr::Allowed;

impl Resolver<'_, '_> {
    pub(super) fn formula_unit(&mut self, name: Option<&Ident>, formula: &Expr, at: At) {
        let unnamed = self.unnamed_formulas;
        self.unnamed_formulas += usize::from(name.is_none());
        let name = name.map_or(format!("ltl_{unnamed}"), |name| name.text.to_string());
        self.in_formula = true;
        let formula = self.formula(formula, Allowed::CONDITION);
        self.in_formula = false;
        if let Some(formula) = formula {
            self.spec.formulas.push(Formula { name, at, formula });
        }
    }

    fn formula(&mut self, expr: &Expr, allowed: Allowed) -> Option<FormulaKind> {
        if !is_temporal(expr) {
            return self.expr(expr, allowed).map(FormulaKind::Now);
        }
        match &expr.kind {
            ExprKind::Unary(op, inside) => {
                let wrap = match op {
                    Unary::Value(UnaryOp::Not) => FormulaKind::Not,
                    Unary::Always => FormulaKind::Always,
                    Unary::Eventually => FormulaKind::Eventually,
                    Unary::Next => FormulaKind::Next,
                    Unary::Value(_) => return self.temporal_value(expr),
                };
                Some(wrap(Box::new(self.formula(inside, Allowed::VALUE)?)))
            }
            ExprKind::Binary(op, left, right) => {
                let joins = matches!(op, Binary::Value(BinaryOp::And | BinaryOp::Or));
                if matches!(op, Binary::Value(_)) && !joins {
                    return self.temporal_value(expr);
                }
                let allowed = if joins { allowed } else { Allowed::VALUE };
                let left = self.formula(left, allowed);
                let right = self.formula(right, allowed);
                Some(both(*op, Box::new(left?), Box::new(right?)))
            }
            _ => self.temporal_value(expr),
        }
    }

    /// Reports the operator about time that is somewhere inside of a value.
    fn temporal_value(&mut self, expr: &Expr) -> Option<FormulaKind> {
        self.expr(expr, Allowed::VALUE).map(FormulaKind::Now)
    }
}

fn both(op: Binary, left: Box<FormulaKind>, right: Box<FormulaKind>) -> FormulaKind {
    match op {
        Binary::Value(BinaryOp::Or) => FormulaKind::Or(left, right),
        Binary::Value(_) => FormulaKind::And(left, right),
        Binary::Implies => FormulaKind::Implies(left, right),
        Binary::Iff => FormulaKind::Iff(left, right),
        Binary::Until => FormulaKind::Temporal(TemporalOp::Until, left, right),
        Binary::WeakUntil => FormulaKind::Temporal(TemporalOp::WeakUntil, left, right),
        Binary::Release => FormulaKind::Temporal(TemporalOp::Release, left, right),
    }
}

/// Whether an operator that only formulas have is somewhere in it.
fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Unary(op, inside) => !matches!(op, Unary::Value(_)) || is_temporal(inside),
        ExprKind::Binary(op, left, right) => {
            !matches!(op, Binary::Value(_)) || is_temporal(left) || is_temporal(right)
        }
        ExprKind::Conditional(condition, yes, no) => {
            is_temporal(condition) || is_temporal(yes) || is_temporal(no)
        }
        _ => false,
    }
}

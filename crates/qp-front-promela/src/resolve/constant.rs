//! Values that must be known before anything runs.

use crate::ast::{Binary, Expr, ExprKind, Unary};
use crate::at::At;
use crate::codes;
use crate::names::quoted;
use crate::spec::{self, BinaryOp, Init};

use super::{Meaning, Resolver};

impl Resolver<'_, '_> {
    /// The value of a constant expression; `what` says what it is for.
    pub(super) fn constant(&mut self, expr: &Expr, what: &str) -> Option<i32> {
        let value = self.value(expr);
        if value.is_none() {
            let message = format!("{what} must be a constant");
            let help =
                "use numbers and macros; variables have their values only when the model runs";
            self.error(codes::CONSTANT, message, expr.at, help);
        }
        value
    }

    /// The value of a constant expression, or the first value of a variable that stands alone.
    pub(super) fn size(&mut self, expr: &Expr, what: &str) -> Option<i32> {
        if let ExprKind::Ref(reference) = &expr.kind
            && let [part] = reference.parts.as_slice()
            && part.index.is_none()
            && let Some(Meaning::Global(id)) = self.meaning(&part.name.text)
            && let Init::Value(value) = &self.spec.globals[id].init
            && let spec::ExprKind::Number(value) = value.kind
        {
            return Some(value);
        }
        self.constant(expr, what)
    }

    /// A number that must be between two others.
    pub(super) fn in_range(
        &mut self,
        value: i32,
        least: i32,
        most: i32,
        what: &str,
        at: At,
    ) -> Option<i32> {
        if (least..=most).contains(&value) {
            return Some(value);
        }
        let message = format!("{what} cannot be {value}");
        let help = format!("it must be from {least} to {most}");
        self.refused(codes::RANGE, message, at, &help)
    }

    fn value(&mut self, expr: &Expr) -> Option<i32> {
        match &expr.kind {
            ExprKind::Number(value) => Some(*value),
            ExprKind::Ref(reference) => match reference.parts.as_slice() {
                [part] if part.index.is_none() => match self.meaning(&part.name.text) {
                    Some(Meaning::Mtype(_, value)) => Some(value),
                    None => {
                        self.unknown_name(&part.name);
                        Some(1)
                    }
                    Some(_) => None,
                },
                _ => None,
            },
            ExprKind::Unary(op, operand) => {
                let value = self.value(operand)?;
                match op {
                    Unary::Value(op) => Some(op.of(value)),
                    Unary::Always | Unary::Eventually | Unary::Next => None,
                }
            }
            ExprKind::Binary(Binary::Value(op), left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let value = match op {
                    // A constant is shifted by how far the amount is from zero.
                    BinaryOp::ShiftLeft | BinaryOp::ShiftRight => op.of(left, right.wrapping_abs()),
                    _ => op.of(left, right),
                };
                if value.is_none() {
                    let message = format!("{} has no value", quoted(&format!("{left} / {right}")));
                    self.error(codes::RANGE, message, expr.at, "nothing can be divided by 0");
                    return Some(1);
                }
                value
            }
            _ => None,
        }
    }
}

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
                    Unary::Negate => Some(value.wrapping_neg()),
                    Unary::Complement => Some(!value),
                    Unary::Not => Some(i32::from(value == 0)),
                    Unary::Always | Unary::Eventually | Unary::Next => None,
                }
            }
            ExprKind::Binary(Binary::Value(op), left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let value = compute(*op, left, right);
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

/// The value of two values; `None` if there is none.
fn compute(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    let truth = |holds: bool| Some(i32::from(holds));
    match op {
        BinaryOp::Add => Some(left.wrapping_add(right)),
        BinaryOp::Subtract => Some(left.wrapping_sub(right)),
        BinaryOp::Multiply => Some(left.wrapping_mul(right)),
        BinaryOp::Divide => (right != 0).then(|| left.wrapping_div(right)),
        BinaryOp::Remainder => (right != 0).then(|| left.wrapping_rem(right)),
        BinaryOp::ShiftLeft => Some(left.wrapping_shl(right.unsigned_abs())),
        BinaryOp::ShiftRight => Some(left.wrapping_shr(right.unsigned_abs())),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::Equal => truth(left == right),
        BinaryOp::NotEqual => truth(left != right),
        BinaryOp::Less => truth(left < right),
        BinaryOp::LessEqual => truth(left <= right),
        BinaryOp::Greater => truth(left > right),
        BinaryOp::GreaterEqual => truth(left >= right),
        BinaryOp::And => truth(left != 0 && right != 0),
        BinaryOp::Or => truth(left != 0 || right != 0),
    }
}

//! Which values are channels, and which are compared.

use qp_front_promela::spec::{BinaryOp, Expr, ExprKind, Ty};

/// Whether the value of an expression is a channel.
pub(crate) fn is_channel(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Load(place) => place.ty == Ty::Chan,
        ExprKind::Conditional(_, yes, no) => is_channel(yes) || is_channel(no),
        _ => false,
    }
}

/// Whether an operator compares two numbers.
pub(crate) fn compares(op: BinaryOp) -> bool {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

//! Single values.

use qp_front_promela::spec::{BinaryOp, ShapeId, UnaryOp};
use qp_machines::QueueId;

/// The greatest number of a channel, and of a process.
pub(super) const NUMBER_MAX: usize = 255;

/// The number of a process or channel as a value. There are never more than a few hundred.
pub(super) fn number(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

/// A channel as a value: its number, counted from 1, in the lowest byte; above it what it carries. So a
/// number that was made up is not taken for a channel.
pub(super) fn channel(queue: QueueId, shape: ShapeId) -> i32 {
    (number(shape.index() + 1) << 8) | (number(queue.index() + 1) & 0xff)
}

/// The channel behind a value, if it is one.
pub(super) fn as_channel(value: i32) -> Option<(QueueId, ShapeId)> {
    let number = usize::try_from(value & 0xff).ok()?.checked_sub(1)?;
    let shape = usize::try_from(value >> 8).ok()?.checked_sub(1)?;
    Some((QueueId::new(number), ShapeId::new(shape)))
}

pub(super) fn unary(op: UnaryOp, value: i32) -> i32 {
    match op {
        UnaryOp::Not => i32::from(value == 0),
        UnaryOp::Complement => !value,
        UnaryOp::Negate => value.wrapping_neg(),
    }
}

/// The value of an operator that looks at both sides; `None` for a division by zero.
pub(super) fn binary(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide | BinaryOp::Remainder if b == 0 => return None,
        BinaryOp::Divide => a.wrapping_div(b),
        BinaryOp::Remainder => a.wrapping_rem(b),
        BinaryOp::ShiftLeft => a.wrapping_shl(b.cast_unsigned()),
        BinaryOp::ShiftRight => a.wrapping_shr(b.cast_unsigned()),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        BinaryOp::Equal => i32::from(a == b),
        BinaryOp::NotEqual => i32::from(a != b),
        BinaryOp::Less => i32::from(a < b),
        BinaryOp::LessEqual => i32::from(a <= b),
        BinaryOp::Greater => i32::from(a > b),
        BinaryOp::GreaterEqual => i32::from(a >= b),
        BinaryOp::And => i32::from(a != 0 && b != 0),
        BinaryOp::Or => i32::from(a != 0 || b != 0),
    })
}

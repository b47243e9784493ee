//! Single values.

use qp_front_promela::spec::ShapeId;
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

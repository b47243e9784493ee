//! How much fits into channels.

use std::sync::Arc;

use qp_front_promela::spec::{Shape, ShapeId};
use qp_machines::{KindId, QueueId};

use super::{Code, Processes};

impl Code {
    /// How many messages fit into a channel that carries this; `None` if any number does, or if it hands
    /// messages over.
    pub(crate) fn room(&self, shape: ShapeId) -> Option<u32> {
        let capacity = self.spec.shapes[shape].capacity;
        (capacity > 0 && shape.index() >= self.endless).then_some(capacity)
    }

    /// Whether no channel that keeps messages is ever full.
    pub(crate) fn is_never_full(&self) -> bool {
        self.spec.shapes.ids().all(|shape| self.room(shape).is_none())
    }
}

impl Processes {
    /// Lets so many messages into a channel that exists from the beginning. What it carries says how much fits, so
    /// from now on it carries something of its own.
    pub(super) fn give_room(&mut self, queue: QueueId, messages: u32) -> bool {
        let Some(info) = self.outline.queues.get(queue) else { return false };
        let old = ShapeId::new(info.kind.index());
        if self.code.spec.shapes[old].capacity == 0 {
            return false;
        }
        let code = Arc::make_mut(&mut self.code);
        let shape = Shape { capacity: messages, ..code.spec.shapes[old].clone() };
        let shape = code.spec.shapes.push(shape);
        code.layout.carry(queue.index(), shape);
        let kind = self.outline.limit(queue, messages);
        debug_assert_eq!(
            kind.map(KindId::index),
            Some(shape.index()),
            "numbered like what is carried"
        );
        true
    }
}

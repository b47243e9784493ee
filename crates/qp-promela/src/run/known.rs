//! Variables as two rows, where nothing else is seen: before anything runs, and in steps that nobody notices.

use qp_front_promela::At;
use qp_front_promela::spec::{ProcId, ShapeId};
use qp_machines::{Condition, QueueId};

use super::Code;
use super::eval::{Beyond, Moment, Row, Scene, Stop, Wanted};
use super::value::{as_channel, number};

/// Where values come from if nothing else is seen: all channels are empty, and nobody else is there.
pub(super) struct Known {
    pub(super) globals: Vec<i32>,
    pub(super) locals: Vec<i32>,
    /// How many things there are that channels can carry.
    shapes: usize,
}

impl Code {
    /// A moment of a process with these local and global variables.
    pub(super) fn lone_moment(
        &self,
        proc: ProcId,
        pid: i32,
        (locals, globals): (Vec<i32>, Vec<i32>),
    ) -> Moment<'_, Known> {
        let shapes = self.spec.shapes.len();
        Moment { code: self, proc, pid, scene: Known { globals, locals, shapes } }
    }
}

impl Scene for Known {
    fn load(&mut self, row: Row, index: usize) -> Result<i32, Stop> {
        Ok(match row {
            Row::Globals => self.globals[index],
            Row::Locals => self.locals[index],
        })
    }

    fn store(&mut self, row: Row, index: usize, value: i32) {
        match row {
            Row::Globals => self.globals[index] = value,
            Row::Locals => self.locals[index] = value,
        }
    }

    fn channel(&mut self, value: i32) -> Option<(QueueId, ShapeId)> {
        as_channel(value).filter(|(_, shape)| shape.index() < self.shapes)
    }

    fn named(&self, queue: QueueId, _: ShapeId) -> i32 {
        number(queue.index() + 1) & 0xff
    }

    fn holds(&mut self, _: QueueId, _: Condition) -> Result<bool, Stop> {
        Ok(true)
    }

    fn has(&mut self, _: QueueId, _: Wanted) -> Result<bool, Stop> {
        Ok(false)
    }

    fn times_out(&mut self) -> Result<bool, Stop> {
        Ok(false)
    }

    fn beyond(&mut self, _: Beyond, _: At) -> Result<i32, Stop> {
        Ok(0)
    }
}

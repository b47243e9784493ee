//! Variables as two rows, with answers to questions about channels that somebody has made up.

use qp_front_promela::At;
use qp_front_promela::spec::ShapeId;
use qp_machines::{Condition, QueueId};

use super::eval::{Beyond, Question, Row, Scene, Stop, Wanted};
use super::value::{as_channel, channel, number};

/// Where values come from if channels cannot be seen.
pub(super) struct Known<'a> {
    pub(super) globals: Vec<i32>,
    pub(super) locals: Vec<i32>,
    /// What is known about channels. Nothing is asked before anything runs: all of them are empty.
    pub(super) answers: Option<&'a [(Question, bool)]>,
    /// How many things there are that channels can carry.
    pub(super) shapes: usize,
    /// Whether the value of a channel is only its number.
    pub(super) whole: bool,
}

impl Known<'_> {
    fn ask(&self, question: Question) -> Result<bool, Stop> {
        let Some(answers) = self.answers else {
            return Ok(matches!(question, Question::Queue(..)));
        };
        let answer = answers.iter().find(|(known, _)| *known == question);
        answer.map(|(_, answer)| *answer).ok_or(Stop::Ask(question))
    }
}

impl Scene for Known<'_> {
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

    fn named(&self, queue: QueueId, shape: ShapeId) -> i32 {
        if self.whole { number(queue.index() + 1) & 0xff } else { channel(queue, shape) }
    }

    fn holds(&mut self, queue: QueueId, condition: Condition) -> Result<bool, Stop> {
        self.ask(Question::Queue(queue, condition))
    }

    fn has(&mut self, queue: QueueId, wanted: Wanted) -> Result<bool, Stop> {
        self.ask(Question::Poll(queue, wanted))
    }

    fn times_out(&mut self) -> Result<bool, Stop> {
        self.ask(Question::Timeout)
    }

    fn beyond(&mut self, about: Beyond, _: At) -> Result<i32, Stop> {
        assert!(self.whole, "bug in Queueproof: {about:?} is refused where moves are made");
        Ok(0)
    }
}

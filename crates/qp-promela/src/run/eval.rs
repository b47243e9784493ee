//! Values and places in one moment.
//!
//! What a channel holds is not known here. Whoever computes a value asks, and the value is computed again
//! for either answer: the answers become guards.

use qp_base::Code;
use qp_front_promela::At;
use qp_front_promela::spec::{
    BinaryOp, Expr, ExprKind, Init, Match, Place, Probe, ProcId, ShapeId, Spec, Step, Ty, Var,
};
use qp_machines::{Condition, Failure, Property, QueueId};

use super::Layout;
use super::value::{as_channel, binary, channel, cut, unary};
use crate::codes;

/// Something that variables do not decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// Whether a condition on a channel holds.
    Queue(QueueId, Condition),
    /// Whether a channel has a message that matches where it may be taken.
    Poll(QueueId, Wanted),
    /// Whether nothing else is possible.
    Timeout,
}

/// What the parts of a message must be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Wanted {
    /// Whether any message will do, not only the first one.
    pub(super) random: bool,
    /// The values; nothing where any will do.
    pub(super) parts: Vec<Option<i32>>,
}

impl Wanted {
    pub(super) fn matches(&self, message: &[i32]) -> bool {
        self.parts.iter().zip(message).all(|(part, value)| part.is_none_or(|part| part == *value))
    }
}

/// Why there is no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// Something must be known first.
    Ask(Question),
    /// The run fails here.
    Fail(Box<Failure>),
}

/// A failure at a place.
pub(super) fn fail(code: Code, text: impl Into<String>, at: At) -> Stop {
    let (text, span) = (text.into(), Some(at.span));
    Stop::Fail(Box::new(Failure { property: Property::Assert, code, text, span }))
}

/// One moment as one process sees it.
pub(super) struct Moment<'a> {
    pub(super) spec: &'a Spec,
    pub(super) layout: &'a Layout,
    /// Whether channels are never full.
    pub(super) unbounded: bool,
    pub(super) proc: ProcId,
    pub(super) pid: i32,
    pub(super) globals: Vec<i32>,
    pub(super) locals: Vec<i32>,
    pub(super) known: &'a [(Question, bool)],
}

/// A single cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    /// Where; nowhere for `_`.
    pub(super) row: Option<Row>,
    pub(super) index: usize,
    pub(super) ty: Ty,
    pub(super) in_array: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Row {
    Globals,
    Locals,
}

impl Moment<'_> {
    pub(super) fn value(&self, value: &Expr) -> Result<i32, Stop> {
        match &value.kind {
            &ExprKind::Number(number) | &ExprKind::Mtype(_, number) => Ok(number),
            ExprKind::Load(place) => Ok(self.load(self.spot(place)?)),
            ExprKind::Unary(op, operand) => Ok(unary(*op, self.value(operand)?)),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, value.at),
            ExprKind::Conditional(condition, yes, no) => {
                self.value(if self.value(condition)? == 0 { no } else { yes })
            }
            ExprKind::Pid => Ok(self.pid),
            ExprKind::Probe(probe, place) => {
                let (queue, shape) = self.channel(place)?;
                // What a channel carries says how much fits, so the channel itself need not be asked.
                let room = match self.spec.shapes[shape].capacity {
                    capacity if capacity > 0 && !self.unbounded => Some(capacity),
                    _ => None,
                };
                let (condition, positive) = match (probe, room) {
                    (Probe::Empty, _) => (Condition::Empty, true),
                    (Probe::Nempty, _) => (Condition::Empty, false),
                    (Probe::Full, Some(room)) => (Condition::LengthBelow(room), false),
                    (Probe::Nfull, Some(room)) => (Condition::LengthBelow(room), true),
                    (Probe::Full, None) => return Ok(0),
                    (Probe::Nfull, None) => return Ok(1),
                };
                Ok(i32::from(self.ask(Question::Queue(queue, condition))? == positive))
            }
            ExprKind::Poll { channel, random, args } => {
                let (queue, _) = self.channel(channel)?;
                let wanted = self.wanted(*random, args)?;
                self.ask(Question::Poll(queue, wanted)).map(i32::from)
            }
            ExprKind::Timeout => self.ask(Question::Timeout).map(i32::from),
            ExprKind::Run { .. }
            | ExprKind::Len(_)
            | ExprKind::Enabled(_)
            | ExprKind::PcValue(_)
            | ExprKind::GetPriority(_)
            | ExprKind::NonProgress
            | ExprKind::ProcessCount
            | ExprKind::Last
            | ExprKind::Priority
            | ExprKind::RemoteLabel { .. }
            | ExprKind::RemoteVar { .. } => {
                unreachable!("bug in Queueproof: a value that is refused is computed")
            }
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr, at: At) -> Result<i32, Stop> {
        match (&left.kind, &right.kind) {
            (ExprKind::Len(place), _) => return self.length(place, op, self.value(right)?),
            (_, ExprKind::Len(place)) => {
                return self.length(place, mirrored(op), self.value(left)?);
            }
            _ => {}
        }
        let a = self.value(left)?;
        match op {
            BinaryOp::And if a == 0 => return Ok(0),
            BinaryOp::Or if a != 0 => return Ok(1),
            _ => {}
        }
        let b = self.value(right)?;
        binary(op, a, b).ok_or_else(|| fail(codes::DIVISION, "a division by zero", at))
    }

    /// How the number of messages of a channel compares with a number.
    fn length(&self, place: &Place, op: BinaryOp, number: i32) -> Result<i32, Stop> {
        let (queue, _) = self.channel(place)?;
        let below = |limit: i64| match u32::try_from(limit) {
            Err(_) | Ok(0) => Ok(false),
            Ok(limit) => self.ask(Question::Queue(queue, Condition::LengthBelow(limit))),
        };
        let number = i64::from(number);
        let holds = match op {
            BinaryOp::Less => below(number)?,
            BinaryOp::LessEqual => below(number + 1)?,
            BinaryOp::Greater => !below(number + 1)?,
            BinaryOp::GreaterEqual => !below(number)?,
            BinaryOp::Equal => below(number + 1)? && !below(number)?,
            BinaryOp::NotEqual => !below(number + 1)? || below(number)?,
            _ => unreachable!("bug in Queueproof: a value that is refused is computed"),
        };
        Ok(i32::from(holds))
    }

    fn ask(&self, question: Question) -> Result<bool, Stop> {
        let answer = self.known.iter().find(|(known, _)| *known == question);
        answer.map(|(_, answer)| *answer).ok_or(Stop::Ask(question))
    }

    /// The channel that a place holds.
    pub(super) fn channel(&self, place: &Place) -> Result<(QueueId, ShapeId), Stop> {
        let value = self.load(self.spot(place)?);
        let found = as_channel(value).filter(|(_, shape)| shape.index() < self.spec.shapes.len());
        found.ok_or_else(|| fail(codes::NO_CHANNEL, "there is no channel here", place.at))
    }

    pub(super) fn load(&self, spot: Spot) -> i32 {
        match spot.row {
            None => 0,
            Some(Row::Globals) => self.globals[spot.index],
            Some(Row::Locals) => self.locals[spot.index],
        }
    }

    pub(super) fn store(&mut self, spot: Spot, value: i32) {
        let value = cut(spot.ty, spot.in_array, value);
        match spot.row {
            None => {}
            Some(Row::Globals) => self.globals[spot.index] = value,
            Some(Row::Locals) => self.locals[spot.index] = value,
        }
    }

    /// The cell that a place means.
    pub(super) fn spot(&self, place: &Place) -> Result<Spot, Stop> {
        let (row, mut index, variable) = match place.var {
            Var::Scratch => {
                return Ok(Spot { row: None, index: 0, ty: place.ty, in_array: false });
            }
            Var::Global(id) => (Row::Globals, self.layout.global(id), &self.spec.globals[id]),
            Var::Local(id) => {
                let variable = &self.spec.procs[self.proc].body.locals[id];
                (Row::Locals, self.layout.local(self.proc, id), variable)
            }
        };
        let (mut ty, mut len) = (variable.ty, variable.len);
        let mut in_array = false;
        for step in &place.steps {
            match step {
                Step::Index(element) => {
                    let element = self.value(element)?;
                    let inside = u32::try_from(element).ok().filter(|&it| it < len.unwrap_or(1));
                    let Some(inside) = inside else {
                        let text = format!("{element} is not an index of this array");
                        return Err(fail(codes::INDEX, text, place.at));
                    };
                    index += inside as usize * self.spec.cells_of(ty);
                    in_array = len.take().is_some();
                }
                &Step::Field(field) => {
                    let Ty::Record(record) = ty else {
                        unreachable!("bug in Queueproof: a field of what is no record")
                    };
                    index += self.spec.field_offset(record, field);
                    let field = &self.spec.records[record].fields[field];
                    (ty, len, in_array) = (field.ty, field.len, false);
                }
            }
        }
        Ok(Spot { row: Some(row), index, ty, in_array })
    }

    /// Fills in what a variable holds at first. Its channels are numbered on from `queue`.
    pub(super) fn first(
        &mut self,
        row: Row,
        index: &mut usize,
        (ty, len, init): (Ty, Option<u32>, &Init),
        queue: &mut usize,
    ) -> Result<(), Stop> {
        let value = match init {
            Init::Value(value) => self.value(value)?,
            Init::Zero | Init::List(_) | Init::Channel(_) => 0,
        };
        let spec = self.spec;
        for element in 0..len.unwrap_or(1) as usize {
            if let Ty::Record(record) = ty {
                for field in &spec.records[record].fields {
                    self.first(row, index, (field.ty, field.len, &field.init), queue)?;
                }
                continue;
            }
            let value = match init {
                Init::Zero | Init::Value(_) => value,
                Init::List(list) => list.get(element).or(list.last()).copied().unwrap_or(0),
                Init::Channel(shape) => {
                    *queue += 1;
                    channel(QueueId::new(*queue - 1), *shape)
                }
            };
            let spot = Spot { row: Some(row), index: *index, ty, in_array: len.is_some() };
            self.store(spot, value);
            *index += 1;
        }
        Ok(())
    }

    /// What a message must be for a receive to take it.
    pub(super) fn wanted(&self, random: bool, args: &[Match]) -> Result<Wanted, Stop> {
        let part = |part: &Match| match part {
            Match::Constant(value) | Match::Eval(value) => self.value(value).map(Some),
            Match::Bind(_) | Match::Any => Ok(None),
        };
        let parts = args.iter().map(part).collect::<Result<_, _>>()?;
        Ok(Wanted { random, parts })
    }
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}

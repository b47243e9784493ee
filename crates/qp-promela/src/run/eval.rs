//! Values and places in one moment.
//!
//! What lies outside of variables is asked of a [`Scene`]. One kind of scene sees the whole configuration. Others know
//! only some variables, and nothing of channels: what depends on more is not known, and its computation stops there.

use qp_base::Code as Kind;
use qp_front_promela::At;
use qp_front_promela::spec::{
    BinaryOp, Expr, ExprKind, Init, LabelId, Match, Place, Probe, ProcId, ShapeId, Step, Ty, Var,
};
use qp_machines::{Condition, Failure, Property, QueueId};

use super::Code;
use super::channels::compares;
use crate::codes;

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
    /// Something is not known here, and never will be.
    Unknown,
    /// The run fails here.
    Fail(Box<Failure>),
}

/// What is wrong with looking into a channel of capacity 0.
pub(super) const RENDEZVOUS_HOLDS_NOTHING: &str =
    "a look into a rendezvous channel, which never holds a message";

/// A failure at a place.
pub(super) fn fail(code: Kind, text: impl Into<String>, at: At) -> Stop {
    let (text, span) = (text.into(), Some(at.span));
    Stop::Fail(Box::new(Failure { property: Property::Assert, code, text, span }))
}

/// Where values come from. Whoever sees no channels and no other processes knows nothing about them.
pub(super) trait Scene {
    /// What a cell holds.
    fn load(&mut self, row: Row, index: usize) -> Result<i32, Stop>;
    /// Puts a value into a cell, as it is.
    fn store(&mut self, row: Row, index: usize, value: i32);
    /// The channel that a value stands for.
    fn channel(&mut self, value: i32) -> Option<(QueueId, ShapeId)>;
    /// The value that stands for a channel.
    fn named(&self, queue: QueueId, shape: ShapeId) -> i32;
    /// Whether a condition on a channel holds.
    fn holds(&mut self, _: QueueId, _: Condition) -> Result<bool, Stop> {
        Err(Stop::Unknown)
    }
    /// Whether a channel has a message that matches where it may be taken.
    fn has(&mut self, _: QueueId, _: Wanted) -> Result<bool, Stop> {
        Err(Stop::Unknown)
    }
    /// Whether nothing else is possible.
    fn times_out(&mut self) -> Result<bool, Stop> {
        Err(Stop::Unknown)
    }
    /// What only somebody knows who sees everything.
    fn beyond(&mut self, _: Beyond, _: At) -> Result<i32, Stop> {
        Err(Stop::Unknown)
    }
    /// The number of the process itself, which is `pid` unless nobody knows it.
    fn me(&mut self, pid: i32) -> Result<i32, Stop> {
        Ok(pid)
    }
}

/// A question to somebody who sees everything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Beyond {
    /// How many messages a channel has.
    Length(QueueId),
    /// Whether a process can move.
    Enabled(i32),
    /// The number of the place where a process is.
    PcValue(i32),
    /// The priority of a process.
    PriorityOf(i32),
    /// The priority of the process itself.
    Priority,
    /// Whether no process is at a progress label.
    NonProgress,
    /// How many processes there are.
    ProcessCount,
    /// The process that moved last.
    Last,
    /// Whether a process is at a label.
    Label { proc: ProcId, pid: Option<i32>, label: LabelId },
    /// A cell of another process.
    Cell { proc: ProcId, pid: Option<i32>, index: usize },
    /// The number of a process that is created by asking.
    Run { proc: ProcId, args: Vec<i32>, priority: Option<i32> },
}

/// One moment as one process sees it.
pub(super) struct Moment<'a, S> {
    pub(super) code: &'a Code,
    pub(super) proc: ProcId,
    pub(super) pid: i32,
    pub(super) scene: S,
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

impl<S: Scene> Moment<'_, S> {
    pub(super) fn value(&mut self, value: &Expr) -> Result<i32, Stop> {
        match &value.kind {
            &ExprKind::Number(number) | &ExprKind::Mtype(_, number) => Ok(number),
            ExprKind::Load(place) => {
                let spot = self.spot(place)?;
                self.load(spot)
            }
            ExprKind::Unary(op, operand) => Ok(op.of(self.value(operand)?)),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, value.at),
            ExprKind::Conditional(condition, yes, no) => {
                let holds = self.value(condition)? != 0;
                self.value(if holds { yes } else { no })
            }
            ExprKind::Pid => self.scene.me(self.pid),
            ExprKind::Probe(probe, place) => self.probe(*probe, place),
            ExprKind::Poll { channel, random, args } => {
                let (queue, shape) = self.channel(channel)?;
                if self.code.spec.shapes[shape].capacity == 0 {
                    return Err(fail(codes::LOOK, RENDEZVOUS_HOLDS_NOTHING, value.at));
                }
                let wanted = self.wanted(*random, args)?;
                self.scene.has(queue, wanted).map(i32::from)
            }
            ExprKind::Timeout => self.scene.times_out().map(i32::from),
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
            | ExprKind::RemoteVar { .. } => self.beyond(value),
        }
    }

    fn beyond(&mut self, value: &Expr) -> Result<i32, Stop> {
        let about = match &value.kind {
            ExprKind::Len(place) => Beyond::Length(self.channel(place)?.0),
            ExprKind::Enabled(pid) => Beyond::Enabled(self.value(pid)?),
            ExprKind::PcValue(pid) => Beyond::PcValue(self.value(pid)?),
            ExprKind::GetPriority(pid) => Beyond::PriorityOf(self.value(pid)?),
            ExprKind::NonProgress => Beyond::NonProgress,
            ExprKind::ProcessCount => Beyond::ProcessCount,
            ExprKind::Last => Beyond::Last,
            ExprKind::Priority => Beyond::Priority,
            ExprKind::RemoteLabel { proc, pid, label } => {
                let pid = pid.as_ref().map(|pid| self.value(pid)).transpose()?;
                Beyond::Label { proc: *proc, pid, label: *label }
            }
            ExprKind::RemoteVar { proc, pid, place } => {
                let pid = pid.as_ref().map(|pid| self.value(pid)).transpose()?;
                let index = self.spot_of(place, *proc)?.index;
                Beyond::Cell { proc: *proc, pid, index }
            }
            ExprKind::Run { proc, args, priority } => {
                let args = self.arguments(*proc, args)?;
                Beyond::Run { proc: *proc, args, priority: *priority }
            }
            _ => unreachable!("bug in Queueproof: variables decide about this value"),
        };
        self.scene.beyond(about, value.at)
    }

    fn probe(&mut self, probe: Probe, place: &Place) -> Result<i32, Stop> {
        let (queue, shape) = self.channel(place)?;
        // What a channel carries says how much fits, so the channel itself need not be asked.
        let room = self.code.room(shape);
        let (condition, positive) = match (probe, room) {
            (Probe::Empty, _) => (Condition::Empty, true),
            (Probe::Nempty, _) => (Condition::Empty, false),
            (Probe::Full, Some(room)) => (Condition::LengthBelow(room), false),
            (Probe::Nfull, Some(room)) => (Condition::LengthBelow(room), true),
            (Probe::Full, None) => return Ok(0),
            (Probe::Nfull, None) => return Ok(1),
        };
        Ok(i32::from(self.scene.holds(queue, condition)? == positive))
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, at: At) -> Result<i32, Stop> {
        if compares(op) {
            match (&left.kind, &right.kind) {
                (ExprKind::Len(place), _) => {
                    let number = self.value(right)?;
                    return self.length(place, op, number);
                }
                (_, ExprKind::Len(place)) => {
                    let number = self.value(left)?;
                    return self.length(place, op.mirrored(), number);
                }
                _ => {}
            }
        }
        let a = self.value(left)?;
        match op {
            BinaryOp::And if a == 0 => return Ok(0),
            BinaryOp::Or if a != 0 => return Ok(1),
            _ => {}
        }
        let b = self.value(right)?;
        op.of(a, b).ok_or_else(|| fail(codes::DIVISION, "a division by zero", at))
    }

    /// How the number of messages of a channel compares with a number.
    fn length(&mut self, place: &Place, op: BinaryOp, number: i32) -> Result<i32, Stop> {
        let (queue, _) = self.channel(place)?;
        let mut below = |limit: i64| match u32::try_from(limit) {
            Err(_) | Ok(0) => Ok(false),
            Ok(limit) => self.scene.holds(queue, Condition::LengthBelow(limit)),
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

    /// The channel that a place holds.
    pub(super) fn channel(&mut self, place: &Place) -> Result<(QueueId, ShapeId), Stop> {
        let spot = self.spot(place)?;
        let value = self.load(spot)?;
        let found = self.scene.channel(value);
        found.ok_or_else(|| fail(codes::NO_CHANNEL, "there is no channel here", place.at))
    }

    pub(super) fn load(&mut self, spot: Spot) -> Result<i32, Stop> {
        spot.row.map_or(Ok(0), |row| self.scene.load(row, spot.index))
    }

    pub(super) fn store(&mut self, spot: Spot, value: i32) {
        if let Some(row) = spot.row {
            let value = self.code.cut(spot.ty, spot.in_array, value);
            self.scene.store(row, spot.index, value);
        }
    }

    /// The cell that a place means.
    pub(super) fn spot(&mut self, place: &Place) -> Result<Spot, Stop> {
        self.spot_of(place, self.proc)
    }

    /// The cell that a place means if local variables are those of another body.
    fn spot_of(&mut self, place: &Place, proc: ProcId) -> Result<Spot, Stop> {
        let code = self.code;
        let (row, mut index, variable) = match place.var {
            Var::Scratch => {
                return Ok(Spot { row: None, index: 0, ty: place.ty, in_array: false });
            }
            Var::Global(id) => (Row::Globals, code.layout.global(id), &code.spec.globals[id]),
            Var::Local(id) => {
                let variable = &code.spec.procs[proc].body.locals[id];
                (Row::Locals, code.layout.local(proc, id), variable)
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
                    index += inside as usize * code.spec.cells_of(ty);
                    in_array = len.take().is_some();
                }
                &Step::Field(field) => {
                    let Ty::Record(record) = ty else {
                        unreachable!("bug in Queueproof: a field of what is no record")
                    };
                    index += code.spec.field_offset(record, field);
                    let field = &code.spec.records[record].fields[field];
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
        let spec = &self.code.spec;
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
                    self.scene.named(QueueId::new(*queue - 1), *shape)
                }
            };
            let spot = Spot { row: Some(row), index: *index, ty, in_array: len.is_some() };
            self.store(spot, value);
            *index += 1;
        }
        Ok(())
    }

    /// What a message must be for a receive to take it.
    pub(super) fn wanted(&mut self, random: bool, args: &[Match]) -> Result<Wanted, Stop> {
        let mut part = |part: &Match| match part {
            Match::Constant(value) | Match::Eval(value) => self.value(value).map(Some),
            Match::Bind(_) | Match::Any => Ok(None),
        };
        let parts = args.iter().map(&mut part).collect::<Result<_, _>>()?;
        Ok(Wanted { random, parts })
    }
}

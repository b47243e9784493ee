//! What an edge comes to in one moment, whoever asks.

use qp_front_promela::At;
use qp_front_promela::spec::{Cell, Expr, Match, Place as Target, ProcId, ShapeId, Ty};
use qp_machines::QueueId;

use super::channels::is_channel;
use super::eval::{Beyond, Moment, Scene, Stop, Wanted, fail};
use super::{Code, Part};
use crate::codes;
use crate::effects::parameters;
use crate::graph::{Act, Edge};

/// What an edge comes to once everything is known.
pub(super) enum Done {
    /// It is not possible.
    Waits,
    /// Only variables change, or a process is created that is there already.
    Moves,
    Sends {
        queue: QueueId,
        shape: ShapeId,
        sorted: bool,
        message: Vec<Part>,
    },
    Listens {
        queue: QueueId,
        shape: ShapeId,
        wanted: Wanted,
    },
    /// A process gets another priority.
    Ranks {
        pid: i32,
        priority: i32,
    },
    Ends,
}

impl<S: Scene> Moment<'_, S> {
    /// What an edge comes to. Variables are changed; channels are not.
    pub(super) fn perform(&mut self, edge: &Edge) -> Result<Done, Stop> {
        match &edge.act {
            Act::Jump | Act::Else => {}
            Act::Condition(value) => {
                if self.value(value)? == 0 {
                    return Ok(Done::Waits);
                }
            }
            Act::Assign(place, value) | Act::Declare(place, value) => {
                let value = self.value(value)?;
                let spot = self.spot(place)?;
                self.store(spot, value);
            }
            Act::Add(place, number) => {
                let spot = self.spot(place)?;
                let value = self.load(spot)?.wrapping_add(*number);
                self.store(spot, value);
            }
            Act::Send { channel, sorted, args } => {
                return self.send(channel, (*sorted, args), edge.at);
            }
            Act::Receive { channel, random, args, .. } => {
                // What the message must be is computed once here, so that a failure shows without one.
                let wanted = self.wanted(*random, args)?;
                let (queue, shape) = self.channel(channel)?;
                return Ok(Done::Listens { queue, shape, wanted });
            }
            Act::Assert(value) => {
                if self.value(value)? == 0 {
                    return Err(fail(codes::ASSERTION, "an assertion does not hold", edge.at));
                }
            }
            Act::Print(values) => {
                for value in values {
                    self.value(value)?;
                }
            }
            Act::Run { into, proc, args, priority } => {
                return self.run(into.as_ref(), *proc, (args, *priority), edge.at);
            }
            Act::SetPriority(pid, priority) => {
                let (pid, priority) = (self.value(pid)?, self.value(priority)?);
                return Ok(Done::Ranks { pid, priority });
            }
            Act::Block => {
                let text = "a statement inside of a `d_step` cannot be executed";
                return Err(fail(codes::BLOCKED, text, edge.at));
            }
            Act::End => return Ok(Done::Ends),
            Act::DStep(_) => unreachable!("bug in Queueproof: a sequence is no single statement"),
        }
        Ok(Done::Moves)
    }

    fn run(
        &mut self,
        into: Option<&Target>,
        proc: ProcId,
        (args, priority): (&[Expr], Option<i32>),
        at: At,
    ) -> Result<Done, Stop> {
        let args = self.arguments(proc, args)?;
        let child = self.scene.beyond(Beyond::Run { proc, args, priority }, at)?;
        if let Some(place) = into {
            let spot = self.spot(place)?;
            self.store(spot, child);
        }
        Ok(Done::Moves)
    }

    fn send(
        &mut self,
        channel: &Target,
        (sorted, args): (bool, &[Expr]),
        at: At,
    ) -> Result<Done, Stop> {
        let (queue, shape) = self.channel(channel)?;
        let fields = &self.code.spec.shapes[shape].fields;
        if args.len() != fields.len() {
            let text = format!("{} parts are sent where {} belong", args.len(), fields.len());
            return Err(fail(codes::WRONG_LENGTH, text, at));
        }
        let mut message = Vec::new();
        for (value, &ty) in args.iter().zip(fields) {
            let number = as_stored(self.value(value)?, is_channel(value), ty);
            // A bit that is the whole message is kept as a byte.
            message.push(self.code.part(ty, self.code.cut(ty, fields.len() == 1, number)));
        }
        Ok(Done::Sends { queue, shape, sorted, message })
    }

    /// The values that the parameters of a process get.
    pub(super) fn arguments(&mut self, proc: ProcId, args: &[Expr]) -> Result<Vec<i32>, Stop> {
        let cells = parameters(&self.code.spec, proc);
        let value = |(value, (_, cell)): (&Expr, (_, Cell))| {
            Ok(as_stored(self.value(value)?, is_channel(value), cell.ty))
        };
        args.iter().zip(cells).map(value).collect()
    }

    /// Puts the parts of a message where they go, from left to right.
    pub(super) fn take(&mut self, args: &[Match], message: &[i32], at: At) -> Result<(), Stop> {
        if args.len() != message.len() {
            let (wanted, sent) = (args.len(), message.len());
            let text = format!("{wanted} parts are received where {sent} were sent");
            return Err(fail(codes::WRONG_LENGTH, text, at));
        }
        for (part, &value) in args.iter().zip(message) {
            if let Match::Bind(place) = part {
                let spot = self.spot(place)?;
                self.store(spot, value);
            }
        }
        Ok(())
    }
}

impl Code {
    /// What is left of a value in a variable.
    pub(super) fn cut(&self, ty: Ty, in_array: bool, value: i32) -> i32 {
        match ty {
            Ty::Chan if !self.numbered => value,
            _ if in_array => ty.cut_in_array(value),
            _ => ty.cut(value),
        }
    }

    fn part(&self, ty: Ty, value: i32) -> Part {
        match ty {
            Ty::Chan => Part::Channel(value),
            Ty::Mtype(set) if self.spec.mtypes[set].name_of(value).is_some() => {
                Part::Name(set, value)
            }
            _ => Part::Number(value),
        }
    }
}

/// In what is not declared as a channel only the number of a channel is kept.
fn as_stored(value: i32, is_channel: bool, ty: Ty) -> i32 {
    if is_channel && ty != Ty::Chan { value & 0xff } else { value }
}

//! What a process can do: one move for every edge, and for every case that its channels can be in.

use qp_front_promela::At;
use qp_front_promela::spec::{
    Cell, Expr, Init, LocalId as VariableId, Place as Target, ProcId, ShapeId, Ty,
};
use qp_machines::{
    Condition, Effect, Failure, Guard, LocalId, MachineId, Move, Place, QueueId, StoreId,
};

use super::eval::{Moment, Question, Row, Spot, Stop, fail};
use super::value::{cut_in_message, number};
use super::{Code, Ear, Frame, Part, Pending, Processes, Seed};
use crate::codes;
use crate::graph::{Act, Edge};
use crate::refuse::is_channel;

/// What an edge comes to once everything is known.
enum Done {
    /// It is not possible.
    Waits,
    /// Only variables change.
    Moves,
    Sends {
        queue: QueueId,
        shape: ShapeId,
        sorted: bool,
        message: Vec<Part>,
    },
    Listens(QueueId),
    Creates {
        proc: ProcId,
        args: Vec<i32>,
        pending: Option<Pending>,
    },
    Ends,
}

impl Code {
    /// One moment of a process with these local and global variables.
    pub(super) fn moment<'a>(
        &'a self,
        proc: ProcId,
        pid: i32,
        (locals, globals): (Vec<i32>, Vec<i32>),
        known: &'a [(Question, bool)],
    ) -> Moment<'a> {
        let unbounded = self.unbounded;
        Moment {
            spec: &self.spec,
            layout: &self.layout,
            unbounded,
            proc,
            pid,
            globals,
            locals,
            known,
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

impl Processes {
    pub(super) fn all_moves(
        &mut self,
        machine: MachineId,
        local: LocalId,
        store: StoreId,
    ) -> Vec<Move> {
        let (code, frame) = (self.code.clone(), self.frames.value(local).clone());
        if let Some(failure) = frame.trouble {
            return vec![Move::plain(Effect::Fail { failure }, local)];
        }
        let mut moves = Vec::new();
        let edges = &code.graphs[frame.proc].nodes[frame.node].edges;
        for (index, edge) in edges.iter().enumerate() {
            // Each question is answered both ways, until none is left.
            let mut cases: Vec<Vec<(Question, bool)>> = vec![Vec::new()];
            while let Some(known) = cases.pop() {
                let rows = (frame.cells.clone(), self.stores.value(store).clone());
                let mut moment = code.moment(frame.proc, number(machine.index()), rows, &known);
                match perform(&code, &mut moment, edge) {
                    Err(Stop::Ask(question)) => {
                        for answer in [false, true] {
                            let mut case = known.clone();
                            case.push((question.clone(), answer));
                            cases.push(case);
                        }
                    }
                    Err(Stop::Fail(failure)) => {
                        let guards = self.guards(&known);
                        moves.push(self.failing(*failure, guards, local));
                    }
                    Ok(Done::Waits) => {}
                    Ok(done) => {
                        let rows = (moment.locals, moment.globals);
                        let mut guards = self.guards(&known);
                        if matches!(edge.act, Act::Else) {
                            guards.push(Guard::Else);
                        }
                        let mv = self.result((&frame, edge, index), store, rows, done);
                        moves.push(Move { guards, ..mv });
                    }
                }
            }
        }
        moves
    }

    fn failing(&mut self, failure: Failure, guards: Vec<Guard>, local: LocalId) -> Move {
        let failure = self.failure_id(failure);
        Move { guards, ..Move::plain(Effect::Fail { failure }, local) }
    }

    /// Whatever is possible without a timeout is taken before one, so only the timeout itself needs a
    /// guard.
    fn guards(&mut self, known: &[(Question, bool)]) -> Vec<Guard> {
        let mut guards = Vec::new();
        for (question, answer) in known {
            let (queue, condition) = match question {
                Question::Timeout => {
                    if *answer {
                        guards.push(Guard::Timeout);
                    }
                    continue;
                }
                Question::Queue(queue, condition) => (*queue, *condition),
                Question::Poll(queue, wanted) => {
                    (*queue, Condition::Ready(self.ears.intern(Ear::Poll(wanted.clone()))))
                }
            };
            guards.push(match answer {
                true => Guard::Holds(queue, condition),
                false => Guard::HoldsNot(queue, condition),
            });
        }
        guards
    }

    fn result(
        &mut self,
        (frame, edge, index): (&Frame, &Edge, usize),
        store: StoreId,
        (cells, globals): (Vec<i32>, Vec<i32>),
        done: Done,
    ) -> Move {
        let mut next =
            Frame { proc: frame.proc, node: edge.target, cells, trouble: None, pending: None };
        let mut hold = self.code.graphs[frame.proc].nodes[edge.target].held;
        let effect = match done {
            Done::Waits | Done::Moves => Effect::Internal,
            Done::Sends { queue, shape, sorted, message } => {
                // A handshake hands control to the receiver, whether or not that goes on alone.
                hold &= self.code.spec.shapes[shape].capacity > 0;
                let place = if sorted { Place::Sorted } else { Place::Back };
                Effect::Send { queue, message: self.messages.intern(message), place }
            }
            Done::Listens(queue) => {
                let ear = self.ears.intern(Ear::Receive(frame.proc, frame.node, index));
                Effect::Receive { queue, ear }
            }
            Done::Creates { proc, args, pending } => {
                next.pending = pending;
                let seed = self.seeds.intern(Seed { proc, args, store });
                Effect::Spawn { seed, queues: self.own_kinds(proc) }
            }
            Done::Ends => {
                Effect::Exit { queues: self.code.layout.own_channels(frame.proc).len() as u32 }
            }
        };
        let after = self.stores.intern(globals);
        Move {
            hold,
            store: (after != store).then_some(after),
            ..Move::plain(effect, self.frames.intern(next))
        }
    }
}

fn perform(code: &Code, moment: &mut Moment, edge: &Edge) -> Result<Done, Stop> {
    match &edge.act {
        Act::Jump | Act::Else => Ok(Done::Moves),
        Act::Condition(value) => {
            Ok(if moment.value(value)? == 0 { Done::Waits } else { Done::Moves })
        }
        Act::Assign(place, value) => {
            let value = moment.value(value)?;
            let spot = moment.spot(place)?;
            moment.store(spot, value);
            Ok(Done::Moves)
        }
        Act::Add(place, number) => {
            let spot = moment.spot(place)?;
            moment.store(spot, moment.load(spot).wrapping_add(*number));
            Ok(Done::Moves)
        }
        Act::Send { channel, sorted, args } => {
            send(code, moment, channel, (*sorted, args), edge.at)
        }
        Act::Receive { channel, random, args, .. } => {
            // What the message must be is computed once here, so that a failure shows without one.
            moment.wanted(*random, args)?;
            Ok(Done::Listens(moment.channel(channel)?.0))
        }
        Act::Assert(value) => match moment.value(value)? {
            0 => Err(fail(codes::ASSERTION, "an assertion does not hold", edge.at)),
            _ => Ok(Done::Moves),
        },
        Act::Print(values) => {
            for value in values {
                moment.value(value)?;
            }
            Ok(Done::Moves)
        }
        Act::Run { into, proc, args, .. } => {
            let args = number_args(code, moment, *proc, args)?;
            let spot = into.as_ref().map(|place| moment.spot(place)).transpose()?;
            let local = spot.filter(|spot| spot.row == Some(Row::Locals));
            let pending =
                local.map(|Spot { index, ty, in_array, .. }| Pending { index, ty, in_array });
            Ok(Done::Creates { proc: *proc, args, pending })
        }
        Act::Declare(variable) => declare(code, moment, *variable),
        Act::End => Ok(Done::Ends),
    }
}

fn send(
    code: &Code,
    moment: &Moment,
    channel: &Target,
    (sorted, args): (bool, &[Expr]),
    at: At,
) -> Result<Done, Stop> {
    let (queue, shape) = moment.channel(channel)?;
    let fields = &code.spec.shapes[shape].fields;
    if args.len() != fields.len() {
        let text = format!("{} parts are sent where {} belong", args.len(), fields.len());
        return Err(fail(codes::WRONG_LENGTH, text, at));
    }
    let part = |(value, &ty): (&Expr, &_)| {
        let number = as_stored(moment.value(value)?, is_channel(value), ty);
        Ok(code.part(ty, cut_in_message(ty, fields.len() == 1, number)))
    };
    let message = args.iter().zip(fields).map(part).collect::<Result<_, _>>()?;
    Ok(Done::Sends { queue, shape, sorted, message })
}

/// In what is not declared as a channel only the number of a channel is kept.
fn as_stored(value: i32, is_channel: bool, ty: Ty) -> i32 {
    if is_channel && ty != Ty::Chan { value & 0xff } else { value }
}

fn number_args(
    code: &Code,
    moment: &Moment,
    proc: ProcId,
    args: &[Expr],
) -> Result<Vec<i32>, Stop> {
    let called = &code.spec.procs[proc];
    let cells = called.body.locals.iter().take(called.params).flat_map(|it| code.spec.cells(it));
    let value = |(value, cell): (&Expr, Cell)| {
        Ok(as_stored(moment.value(value)?, is_channel(value), cell.ty))
    };
    args.iter().zip(cells).map(value).collect()
}

fn declare(code: &Code, moment: &mut Moment, id: VariableId) -> Result<Done, Stop> {
    let variable = &code.spec.procs[moment.proc].body.locals[id];
    let value = match &variable.init {
        Init::Zero | Init::Channel(_) => 0,
        Init::Value(value) => moment.value(value)?,
        Init::List(list) => list.first().copied().unwrap_or(0),
    };
    let index = code.layout.local(moment.proc, id);
    let in_array = variable.len.is_some();
    moment.store(Spot { row: Some(Row::Locals), index, ty: variable.ty, in_array }, value);
    Ok(Done::Moves)
}

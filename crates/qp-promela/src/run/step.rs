//! What a process can do: one move for every edge, and for every case that its channels can be in.

use qp_front_promela::spec::ProcId;
use qp_machines::{Condition, Effect, Failure, Guard, LocalId, MachineId, Move, Place, StoreId};

use super::act::Done;
use super::eval::{Moment, Question, Stop};
use super::known::Known;
use super::value::number;
use super::{Code, Ear, Frame, Processes, Seed};
use crate::graph::{Act, Edge};

impl Code {
    /// One moment of a process with these local and global variables.
    pub(super) fn moment<'a>(
        &'a self,
        proc: ProcId,
        pid: i32,
        (locals, globals): (Vec<i32>, Vec<i32>),
        answers: Option<&'a [(Question, bool)]>,
    ) -> Moment<'a, Known<'a>> {
        let (shapes, whole) = (self.spec.shapes.len(), self.whole);
        Moment { code: self, proc, pid, scene: Known { globals, locals, answers, shapes, whole } }
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
        self.visited.note(frame.proc, frame.node);
        let edges = &code.graphs[frame.proc].nodes[frame.node].edges;
        for (index, edge) in edges.iter().enumerate() {
            // Each question is answered both ways, until none is left.
            let mut cases: Vec<Vec<(Question, bool)>> = vec![Vec::new()];
            while let Some(known) = cases.pop() {
                let rows = (frame.cells.clone(), self.stores.value(store).clone());
                let mut moment =
                    code.moment(frame.proc, number(machine.index()), rows, Some(&known));
                match moment.perform(edge) {
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
                    Err(Stop::Unknown) => {
                        unreachable!("bug in Queueproof: a process does not know its own variables")
                    }
                    Ok(Done::Waits) => {}
                    Ok(done) => {
                        let rows = (moment.scene.locals, moment.scene.globals);
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
        let mut next = Frame { node: edge.target, cells, ..frame.clone() };
        let mut hold = edge.holds;
        let effect = match done {
            Done::Waits | Done::Moves | Done::Ranks { .. } => Effect::Internal,
            Done::Sends { queue, shape, sorted, message } => {
                // A handshake hands control to the receiver, whether or not that goes on alone.
                hold &= self.code.spec.shapes[shape].capacity > 0;
                let place = if sorted { Place::Sorted } else { Place::Back };
                Effect::Send { queue, message: self.messages.intern(message), place }
            }
            Done::Listens { queue, .. } => {
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

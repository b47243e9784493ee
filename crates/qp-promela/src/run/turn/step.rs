//! What one process can do next, as far as the next moment at which others might notice.

use qp_front_promela::At;
use qp_front_promela::spec::ShapeId;
use qp_machines::{
    Act as Happening, Event, Failure, FailureId, MachineId, Property, QueueId, WordId,
};

use super::changes::Changes;
use super::stage::Stage;
use super::trace::Followed;
use crate::codes;
use crate::graph::{Act, Edge, NodeId};
use crate::run::Part;
use crate::run::act::Done;
use crate::run::eval::{RENDEZVOUS_HOLDS_NOTHING, Stop, Wanted, fail};
use crate::run::value::number;

/// One possible step.
pub(super) struct Step {
    pub(super) now: Changes,
    pub(super) acts: Vec<Happening>,
    pub(super) end: End,
}

/// How a step ends.
pub(super) enum End {
    /// Anyone may go on.
    Free,
    /// This process goes on alone, if it can.
    Alone(MachineId),
    /// The run fails here, at a statement of this process.
    Fails(Box<Failure>, MachineId, Option<u32>),
    /// The run fails here, as was known before.
    Trouble(FailureId),
    /// Nobody can say what comes next.
    GivesUp(Box<Failure>),
}

impl<'a> Stage<'a> {
    /// Everything that a process can do now.
    pub(super) fn steps(&mut self, machine: MachineId) -> Vec<Step> {
        if let Some(trouble) = self.frame(machine).trouble {
            let end = End::Trouble(trouble);
            return vec![Step { now: self.now.clone(), acts: Vec::new(), end }];
        }
        if let Err(stop) = self.provided(machine)
            && let Some(edge) = self.node(machine).edges.first()
        {
            return vec![self.stopped(stop, machine, edge)];
        }
        if !self.may_move(machine) {
            return Vec::new();
        }
        self.chances(machine, false, |stage, edge| stage.attempt(machine, edge))
    }

    /// Whether one of the statements at which a process is can be executed, whoever has precedence.
    pub(super) fn is_enabled(&mut self, machine: MachineId) -> bool {
        if self.looking.contains(&machine) {
            return false;
        }
        self.looking.push(machine);
        let found = self.chances(machine, true, |stage, edge| stage.attempt(machine, edge));
        self.looking.pop();
        !found.is_empty()
    }

    /// What becomes of the edges at which a process is. Those that leave an `unless` come first, and keep
    /// all others from being tried; `else` is tried if nothing before it is possible. It is the last option of
    /// its choice, but a choice can be an option of another one.
    fn chances(
        &mut self,
        machine: MachineId,
        first_only: bool,
        mut attempt: impl FnMut(&mut Self, &'a Edge) -> Vec<Step>,
    ) -> Vec<Step> {
        let edges = &self.node(machine).edges;
        let (mut found, mut escape) = (Vec::new(), 0);
        for edge in edges {
            if escape > 0 && edge.escape != escape || first_only && !found.is_empty() {
                break;
            }
            if edge.waits && !found.is_empty() {
                continue;
            }
            let before = self.now.clone();
            let steps = attempt(self, edge);
            self.now = before;
            if !steps.is_empty() {
                escape = edge.escape;
                found.extend(steps);
            }
        }
        found
    }

    /// Whether a process may move at all: what it is `provided` with holds, and nobody of higher
    /// priority can move.
    pub(super) fn may_move(&mut self, machine: MachineId) -> bool {
        if !self.is_provided(machine) {
            return false;
        }
        if !self.code.ranks {
            return true;
        }
        let priority = self.frame(machine).priority;
        !(0..self.n_machines()).map(MachineId::new).any(|other| {
            other != machine
                && self.frame(other).priority > priority
                && self.is_provided(other)
                && self.is_enabled(other)
        })
    }

    fn is_provided(&mut self, machine: MachineId) -> bool {
        self.provided(machine).is_ok_and(|value| value != 0)
    }

    /// What a process is `provided` with; that may fail.
    fn provided(&mut self, machine: MachineId) -> Result<i32, Stop> {
        let code = self.code;
        let provided = &code.spec.procs[self.frame(machine).proc].provided;
        provided.as_ref().map_or(Ok(1), |condition| self.moment(machine).value(condition))
    }

    /// What comes of an edge. The stage is left in disorder.
    fn attempt(&mut self, machine: MachineId, edge: &'a Edge) -> Vec<Step> {
        if let Act::DStep(entry) = edge.act {
            self.go(machine, entry);
            return self.sequence(machine, edge, entry, None).into_iter().collect();
        }
        let n_before = self.now.n_machines;
        let done = match self.moment(machine).perform(edge) {
            Ok(done) => done,
            Err(stop) => return vec![self.stopped(stop, machine, edge)],
        };
        let event = match done {
            Done::Waits => return Vec::new(),
            Done::Moves => match self.now.n_machines {
                Some(n) if self.now.n_machines != n_before => {
                    Event::Created { machine: MachineId::new(n - 1) }
                }
                _ => Event::Internal,
            },
            Done::Sends { queue, shape, message, .. }
                if self.code.spec.shapes[shape].capacity == 0 =>
            {
                if self.node(machine).inside.is_some() {
                    let text = "a rendezvous is tried inside of a `d_step`";
                    return vec![self.stopped(fail(codes::BLOCKED, text, edge.at), machine, edge)];
                }
                return self.handshakes(machine, edge, queue, message);
            }
            Done::Sends { queue, shape, sorted, message } => {
                let parts: Vec<i32> = message.iter().map(|part| part.value()).collect();
                let Some(event) = self.send(queue, shape, sorted, message) else {
                    return Vec::new();
                };
                match self.follow(machine, Followed::Send, queue, &parts, edge) {
                    Ok(()) => event,
                    Err(stop) => return vec![self.stopped(stop, machine, edge)],
                }
            }
            Done::Listens { queue, shape, wanted } => {
                return self.received(machine, edge, (queue, shape), &wanted);
            }
            Done::Ranks { pid, priority } => match self.rank(pid, priority, edge.at) {
                Ok(()) => Event::Internal,
                Err(stop) => return vec![self.stopped(stop, machine, edge)],
            },
            Done::Ends => return self.end(machine, edge).into_iter().collect(),
        };
        self.go(machine, edge.target);
        let act = Happening { machine, event, statement: edge.number };
        vec![self.done(machine, edge, vec![act])]
    }

    /// The step that led here; the process goes on alone if it took it inside of an atomic sequence.
    fn done(&mut self, machine: MachineId, edge: &Edge, acts: Vec<Happening>) -> Step {
        let end = if edge.holds { End::Alone(machine) } else { End::Free };
        Step { now: std::mem::take(&mut self.now), acts, end }
    }

    fn stopped(&mut self, stop: Stop, machine: MachineId, edge: &Edge) -> Step {
        let Stop::Fail(failure) = stop else {
            unreachable!("bug in Queueproof: whoever sees everything is not asked")
        };
        let end = End::Fails(failure, machine, edge.number);
        Step { now: std::mem::take(&mut self.now), acts: Vec::new(), end }
    }

    fn go(&mut self, machine: MachineId, node: NodeId) {
        let code = self.code;
        let frame = self.frame_mut(machine);
        frame.node = node;
        code.dead.reset(frame);
        if let Some(cell) = self.code.last {
            self.now.cells.insert(cell, number(machine.index()));
        }
    }

    fn send(
        &mut self,
        queue: QueueId,
        shape: ShapeId,
        sorted: bool,
        message: Vec<Part>,
    ) -> Option<Event> {
        if self.is_full(queue, shape) {
            return None;
        }
        let word = self.word(queue);
        let ranks = |parts: &[Part]| parts.iter().map(|part| part.rank()).collect::<Vec<_>>();
        let rank = ranks(&message);
        let message = self.messages.intern(message);
        let (code, messages) = (self.code, &*self.messages);
        let texts = |it| code.message_text(messages.value(it));
        let word = if sorted {
            let behind = |other| ranks(messages.value(other)) > rank;
            self.world.insert(queue, word, message, &behind, &texts)
        } else {
            self.world.push(queue, word, message, &texts)
        };
        self.now.words.insert(queue, word);
        Some(Event::Sent { queue, message })
    }

    /// A receive with everything that may be left of the channel.
    fn received(
        &mut self,
        machine: MachineId,
        edge: &Edge,
        channel: (QueueId, ShapeId),
        wanted: &Wanted,
    ) -> Vec<Step> {
        let (event, rests) = match self.receive(machine, edge, channel, wanted) {
            Ok(Some(taken)) => taken,
            Ok(None) => return Vec::new(),
            Err(stop) => return vec![self.stopped(stop, machine, edge)],
        };
        let is_inside = self.node(machine).inside.is_some();
        self.go(machine, edge.target);
        let acts = vec![Happening { machine, event, statement: edge.number }];
        let Some((last, others)) = rests.split_last() else {
            return vec![self.done(machine, edge, acts)];
        };
        if !others.is_empty() && is_inside {
            let text = "a `d_step` takes a message from a channel of which only the front is known";
            let end = End::GivesUp(Box::new(failure(codes::ENDLESS, text, edge.at)));
            return vec![Step { now: std::mem::take(&mut self.now), acts, end }];
        }
        let mut steps = Vec::with_capacity(rests.len());
        for &rest in others {
            let now = self.now.clone();
            self.now.words.insert(channel.0, rest);
            steps.push(self.done(machine, edge, acts.clone()));
            self.now = now;
        }
        self.now.words.insert(channel.0, *last);
        steps.push(self.done(machine, edge, acts));
        steps
    }

    /// What is received, and what may be left of the channel; nothing if the message stays there.
    fn receive(
        &mut self,
        machine: MachineId,
        edge: &Edge,
        (queue, shape): (QueueId, ShapeId),
        wanted: &Wanted,
    ) -> Result<Option<(Event, Vec<WordId>)>, Stop> {
        let Act::Receive { keep, args, .. } = &edge.act else {
            unreachable!("bug in Queueproof: something else listens")
        };
        if self.code.spec.shapes[shape].capacity == 0 {
            let refused = fail(codes::LOOK, RENDEZVOUS_HOLDS_NOTHING, edge.at);
            return if *keep { Err(refused) } else { Ok(None) };
        }
        let Some((position, message)) = self.find(queue, wanted) else { return Ok(None) };
        let parts = self.parts(message);
        self.follow(machine, Followed::Receive, queue, &parts, edge)?;
        let mut rests = Vec::new();
        if !keep {
            let (word, code, messages) = (self.word(queue), self.code, &*self.messages);
            let text = |it| code.message_text(messages.value(it));
            rests = self.world.remove(queue, word, position, &text);
        }
        self.moment(machine).take(args, &parts, edge.at)?;
        let event = Event::Took { queue, message, position, kept: *keep };
        Ok(Some((event, rests)))
    }

    /// A send and everything that can answer it.
    fn handshakes(
        &mut self,
        machine: MachineId,
        edge: &'a Edge,
        queue: QueueId,
        message: Vec<Part>,
    ) -> Vec<Step> {
        self.go(machine, edge.target);
        let parts: Vec<i32> = message.iter().map(|part| part.value()).collect();
        let message = self.messages.intern(message);
        let mut found = Vec::new();
        for receiver in (0..self.n_machines()).map(MachineId::new) {
            let may_hear = receiver != machine && self.code.listeners.may_hear(receiver, queue);
            if !may_hear || !self.may_listen(receiver, queue) || !self.may_move(receiver) {
                continue;
            }
            let event = Event::Handshake { queue, message, receiver };
            let act = Happening { machine, event, statement: edge.number };
            found.extend(self.chances(receiver, false, |stage, edge| {
                stage.answer(receiver, edge, (queue, &parts), act).into_iter().collect()
            }));
        }
        found
    }

    fn answer(
        &mut self,
        receiver: MachineId,
        edge: &'a Edge,
        (queue, parts): (QueueId, &[i32]),
        act: Happening,
    ) -> Option<Step> {
        if let Act::DStep(entry) = edge.act {
            self.go(receiver, entry);
            let mut answers = self.chances(receiver, true, |stage, edge| {
                stage.answer(receiver, edge, (queue, parts), act).into_iter().collect()
            });
            let first = answers.pop()?;
            return self.sequence(receiver, edge, entry, Some(first));
        }
        let Act::Receive { channel, random, keep: false, args } = &edge.act else { return None };
        let mut moment = self.moment(receiver);
        if moment.channel(channel).ok()?.0 != queue
            || !moment.wanted(*random, args).ok()?.matches(parts)
        {
            return None;
        }
        let taken = moment.take(args, parts, edge.at);
        let done = taken
            .and_then(|()| self.follow(act.machine, Followed::Send, queue, parts, edge))
            .and_then(|()| self.follow(receiver, Followed::Receive, queue, parts, edge));
        if let Err(stop) = done {
            return Some(Step { acts: vec![act], ..self.stopped(stop, receiver, edge) });
        }
        self.go(receiver, edge.target);
        let answer =
            Happening { machine: receiver, event: Event::Internal, statement: edge.number };
        Some(self.done(receiver, edge, vec![act, answer]))
    }

    fn rank(&mut self, pid: i32, priority: i32, at: At) -> Result<(), Stop> {
        let Ok(priority @ 1..) = u8::try_from(priority) else {
            let text = format!("{priority} is no priority");
            return Err(fail(codes::PRIORITY, text, at));
        };
        if let Ok(index) = usize::try_from(pid)
            && index < self.n_machines()
        {
            self.frame_mut(MachineId::new(index)).priority = priority;
        }
        Ok(())
    }

    /// Only the youngest process can end. Its channels go with it.
    fn end(&mut self, machine: MachineId, edge: &Edge) -> Option<Step> {
        if machine.index() + 1 != self.n_machines() {
            return None;
        }
        let own = self.code.layout.own_channels(self.frame(machine).proc).len();
        if own > 0 {
            let left = self.n_queues().saturating_sub(own);
            self.now.n_queues = Some(left);
            self.now.words.retain(|queue, _| queue.index() < left);
            self.now.kinds.retain(|queue, _| queue.index() < left);
        }
        self.go(machine, edge.target);
        self.now.frames.remove(&machine);
        self.now.n_machines = Some(machine.index());
        let acts = vec![Happening { machine, event: Event::Ended, statement: edge.number }];
        Some(Step { now: std::mem::take(&mut self.now), acts, end: End::Free })
    }

    /// A `d_step` that was just entered, or whose first statement answered somebody: everything up to where
    /// it is left, always the first option that is possible.
    fn sequence(
        &mut self,
        machine: MachineId,
        edge: &'a Edge,
        entry: NodeId,
        mut first: Option<Step>,
    ) -> Option<Step> {
        let nodes = &self.code.graphs[self.frame(machine).proc].nodes;
        if first.is_none() {
            match self.opening(machine)? {
                Step { end: End::Free | End::Alone(_), .. } => {}
                fails => return Some(fails),
            }
        }
        let mut acts: Vec<Happening> = Vec::new();
        for _ in 0..SEQUENCE_MAX {
            let step = first.take().or_else(|| {
                let attempt = |stage: &mut Self, edge| stage.attempt(machine, edge);
                self.chances(machine, true, attempt).pop()
            });
            let Some(step) = step else {
                return Some(self.blocked(machine, edge, acts));
            };
            // One number stands for the whole sequence; who is answered has one of its own.
            let mut number = acts.iter().all(|act| act.machine != machine).then_some(edge.number);
            for mut act in step.acts {
                if act.machine == machine {
                    act.statement = number.take().flatten();
                }
                acts.push(act);
            }
            match step.end {
                End::Free | End::Alone(_) => self.now = step.now,
                End::Fails(failure, ..) => {
                    let end = End::Fails(failure, machine, number.flatten());
                    return Some(Step { now: step.now, acts, end });
                }
                end @ (End::Trouble(_) | End::GivesUp(_)) => {
                    return Some(Step { now: step.now, acts, end });
                }
            }
            // Nothing inside is where a process ever rests.
            let (proc, node) = (self.frame(machine).proc, self.frame(machine).node);
            self.visited.note(proc, entry);
            self.visited.note(proc, node);
            if nodes[node].inside != nodes[entry].inside {
                return Some(self.done(machine, edge, acts));
            }
        }
        let text = format!("a `d_step` has not come to its end after {SEQUENCE_MAX} statements");
        let end = End::GivesUp(Box::new(failure(codes::ENDLESS, text, edge.at)));
        Some(Step { now: std::mem::take(&mut self.now), acts, end })
    }

    /// The test with which a `d_step` begins that a process has just entered, if it can begin. Testing may fail, even
    /// where another option would be taken.
    fn opening(&mut self, machine: MachineId) -> Option<Step> {
        let code = self.code;
        let frame = self.frame(machine);
        let Some(mut openings) = code.graphs[frame.proc].openings(frame.node) else {
            return Some(Step { now: self.now.clone(), acts: Vec::new(), end: End::Free });
        };
        openings.find_map(|edge| {
            let before = self.now.clone();
            let tested = self.attempt(machine, edge).pop();
            self.now = before;
            tested
        })
    }

    fn blocked(&mut self, machine: MachineId, edge: &Edge, acts: Vec<Happening>) -> Step {
        let text = "a statement inside of a `d_step` cannot be executed";
        let at = self.node(machine).edges.first().map_or(edge.at, |edge| edge.at);
        let end = End::Fails(Box::new(failure(codes::BLOCKED, text, at)), machine, None);
        Step { now: std::mem::take(&mut self.now), acts, end }
    }
}

/// A `d_step` with more statements than this is not followed.
const SEQUENCE_MAX: usize = 100_000;

pub(super) fn failure(code: qp_base::Code, text: impl Into<String>, at: At) -> Failure {
    let (text, span) = (text.into(), Some(at.span));
    Failure { property: Property::Assert, code, text, span }
}

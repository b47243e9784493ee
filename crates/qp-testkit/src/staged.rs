//! A model with one mailbox per machine, played by machines that are created at run time, as P does it:
//! the first machine creates all the others and tells them to go.
//!
//! For comparisons: what is the price of creating machines, of watching them, of asking about queues?

use qp_base::{Code, Interner, Span};
use qp_machines::{
    Condition, EarId, Effect, Failure, FailureId, Guard, KindId, LocalId, MachineId, MachineInfo,
    MessageId, Model, Move, Moves, Names, Observed, Outline, Place, Program, Property, QueueId,
    QueueInfo, QueueKind, Reception, SeedId, Start, Taken, Turn, World, turns_of_commands,
};

/// How the machines are played.
#[derive(Clone, Copy, Default, Debug)]
pub struct Staging {
    /// Whether the outline says that machines meet only through queues.
    pub local: bool,
    /// Whether every send is announced first, to somebody who tells odd from even.
    pub watched: bool,
    /// The number of messages at which a mailbox is taken to be full: sending more is a failure.
    pub assumed: Option<u32>,
    /// Whether every machine also has something to do when it can receive nothing.
    pub idles: bool,
}

/// The program.
pub struct Staged {
    inner: Box<dyn Program>,
    staging: Staging,
    outline: Outline,
    /// Where the actors begin.
    start: Vec<LocalId>,
    go: MessageId,
    locals: Interner<LocalId, Local>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Local {
    /// The first machine, which has created so many.
    Creating(u32),
    /// The first machine, which has told so many to go.
    Telling(u32),
    /// Waits to be told to go.
    Waiting(u32),
    /// Plays a machine, in this state.
    Playing(u32, LocalId),
    /// Is about to send: its move with this number was announced.
    Announced(u32, LocalId, u32),
}

impl Staged {
    /// Machines play those of `model`, whose queues are the mailboxes of its machines in order.
    pub fn new(model: &Model, staging: Staging) -> Self {
        let mut inner = model.program.fork();
        let start = inner.start().locals;
        let (span, kind) = (Span::default(), KindId::from_raw(0));
        let mut outline = Outline {
            language: "p",
            store_is_watched: staging.watched || staging.local,
            failing: vec![Property::Assert],
            ..Outline::default()
        };
        outline.kinds.push(QueueKind::UNBOUNDED);
        outline.machines.push(MachineInfo { name: "Main".to_owned(), span });
        let readers = vec![MachineId::from_raw(0)];
        let name = "Main".to_owned();
        outline.queues.push(QueueInfo { name, kind, readers, writers: Vec::new(), span });
        outline.messages = inner.outline().messages.clone();
        let go = outline.messages.push("go".to_owned());
        Self { inner, staging, outline, start, go, locals: Interner::new() }
    }

    /// As a model.
    pub fn model(self) -> Model {
        Model::new(self)
    }

    fn inner(&mut self) -> &mut dyn Moves {
        self.inner.as_moves().expect("the actors are automata")
    }

    fn at(&mut self, local: Local) -> LocalId {
        self.locals.intern(local)
    }

    fn send(&mut self, to: u32, message: MessageId, next: Local) -> Move {
        let queue = QueueId::from_raw(to + 1);
        Move::plain(Effect::Send { queue, message, place: Place::Back }, self.at(next))
    }

    fn own_queue(actor: u32) -> QueueId {
        QueueId::from_raw(actor + 1)
    }

    fn listen(&mut self, actor: u32, ear: EarId, here: Local) -> Move {
        let effect = Effect::Receive { queue: Self::own_queue(actor), ear };
        Move::plain(effect, self.at(here))
    }

    fn plays(&mut self, actor: u32, state: LocalId) -> Vec<Move> {
        let here = Local::Playing(actor, state);
        let plan = self.inner().moves(MachineId::from_raw(actor), state, 0);
        let mut moves = Vec::new();
        for (number, mv) in plan.into_iter().enumerate() {
            match mv.effect {
                Effect::Send { message, .. } if self.staging.watched => {
                    let next = self.at(Local::Announced(actor, state, number as u32));
                    let announced = Move::plain(Effect::Internal, next);
                    moves.push(Move { announce: Some(message), ..announced });
                }
                Effect::Send { .. } => moves.extend(self.sends(actor, &mv)),
                Effect::Receive { ear, .. } => moves.push(self.listen(actor, ear, here)),
                Effect::Internal => {
                    let next = self.at(Local::Playing(actor, mv.next));
                    moves.push(Move::plain(Effect::Internal, next));
                }
                _ => unreachable!("the language of automata has nothing else"),
            }
        }
        if self.staging.idles {
            let idle = Move::plain(Effect::Internal, self.at(here));
            moves.push(Move { guards: vec![Guard::Idle], ..idle });
        }
        moves
    }

    fn sends(&mut self, actor: u32, mv: &Move) -> Vec<Move> {
        let Effect::Send { queue, message, .. } = mv.effect else { return Vec::new() };
        let send = self.send(queue.raw(), message, Local::Playing(actor, mv.next));
        let Some(most) = self.staging.assumed else { return vec![send] };
        let (queue, room) = (Self::own_queue(queue.raw()), Condition::LengthBelow(most));
        let fail = Move::plain(Effect::Fail { failure: FailureId::from_raw(0) }, send.next);
        vec![
            Move { guards: vec![Guard::Holds(queue, room)], ..send },
            Move { guards: vec![Guard::HoldsNot(queue, room)], ..fail },
        ]
    }
}

impl Program for Staged {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn outline_mut(&mut self) -> &mut Outline {
        &mut self.outline
    }

    fn fork(&self) -> Box<dyn Program> {
        Box::new(Self {
            inner: self.inner.fork(),
            staging: self.staging,
            outline: self.outline.clone(),
            start: self.start.clone(),
            go: self.go,
            locals: self.locals.clone(),
        })
    }

    fn start(&mut self) -> Start {
        let first = self.at(Local::Creating(0));
        Start { locals: vec![first], queues: vec![KindId::from_raw(0)], cells: vec![0] }
    }

    fn turns(&mut self, machine: MachineId, timeout: bool, world: &mut dyn World) -> Vec<Turn> {
        turns_of_commands(self, machine, timeout, world)
    }

    fn as_moves(&mut self) -> Option<&mut dyn Moves> {
        Some(self)
    }

    fn may_rest(&self, _: MachineId, local: LocalId) -> bool {
        match *self.locals.value(local) {
            Local::Telling(_) => true,
            Local::Playing(actor, state) => self.inner.may_rest(MachineId::from_raw(actor), state),
            _ => false,
        }
    }
}

impl Moves for Staged {
    fn are_local(&self) -> bool {
        self.staging.local
    }

    fn moves(&mut self, _: MachineId, local: LocalId, _: i32) -> Vec<Move> {
        let n = self.start.len() as u32;
        match *self.locals.value(local) {
            Local::Creating(made) if made < n => {
                let seed = SeedId::from_raw(made);
                let effect = Effect::Spawn { seed, queues: vec![KindId::from_raw(0)] };
                vec![Move::plain(effect, self.at(Local::Creating(made + 1)))]
            }
            Local::Creating(_) => vec![self.send(0, self.go, Local::Telling(1))],
            Local::Telling(told) if told < n => {
                vec![self.send(told, self.go, Local::Telling(told + 1))]
            }
            Local::Telling(_) => vec![],
            Local::Waiting(actor) => {
                vec![self.listen(actor, EarId::from_raw(0), Local::Waiting(actor))]
            }
            Local::Playing(actor, state) => self.plays(actor, state),
            Local::Announced(actor, state, number) => {
                let mut plan = self.inner().moves(MachineId::from_raw(actor), state, 0);
                self.sends(actor, &plan.swap_remove(number as usize))
            }
        }
    }

    fn reception(
        &mut self,
        _: MachineId,
        local: LocalId,
        store: i32,
        ear: EarId,
        message: MessageId,
    ) -> Reception {
        let goes = message == self.go;
        match *self.locals.value(local) {
            Local::Waiting(actor) if goes => {
                let state = self.start[actor as usize];
                Reception::Take(vec![Taken::plain(self.at(Local::Playing(actor, state)))])
            }
            Local::Waiting(_) => Reception::Skip,
            Local::Playing(actor, state) if !goes => {
                let machine = MachineId::from_raw(actor);
                match self.inner().reception(machine, state, store, ear, message) {
                    Reception::Take(ways) => {
                        let play = |way: Taken| self.at(Local::Playing(actor, way.next));
                        let ways: Vec<LocalId> = ways.into_iter().map(play).collect();
                        Reception::Take(ways.into_iter().map(Taken::plain).collect())
                    }
                    other => other,
                }
            }
            _ => Reception::Crash,
        }
    }

    fn born(&mut self, seed: SeedId, _: MachineId, _: QueueId) -> LocalId {
        self.at(Local::Waiting(seed.raw()))
    }

    fn observe(&mut self, store: i32, _: MessageId) -> Observed {
        Observed::Store(1 - store)
    }
}

impl Names for Staged {
    fn control_name(&self, machine: MachineId, local: LocalId) -> String {
        self.local_text(machine, local)
    }

    fn control_span(&self, _: MachineId, _: LocalId) -> Span {
        Span::default()
    }

    fn local_text(&self, _: MachineId, local: LocalId) -> String {
        let played = |actor, state| self.inner.local_text(MachineId::from_raw(actor), state);
        match *self.locals.value(local) {
            Local::Creating(n) => format!("creating {n}"),
            Local::Telling(n) => format!("telling {n}"),
            Local::Waiting(actor) => format!("waiting {actor}"),
            Local::Playing(actor, state) => format!("playing {actor} {}", played(actor, state)),
            Local::Announced(actor, state, number) => {
                format!("announced {actor} {number} {}", played(actor, state))
            }
        }
    }

    fn local_from_text(&mut self, _: MachineId, text: &str) -> Option<LocalId> {
        let (word, rest) = text.split_once(' ')?;
        let (first, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let number: u32 = first.parse().ok()?;
        let machine = MachineId::from_raw(number);
        let local = match word {
            "creating" => Local::Creating(number),
            "telling" => Local::Telling(number),
            "waiting" => Local::Waiting(number),
            "playing" => Local::Playing(number, self.inner.local_from_text(machine, rest)?),
            "announced" => {
                let (choice, rest) = rest.split_once(' ')?;
                let state = self.inner.local_from_text(machine, rest)?;
                Local::Announced(number, state, choice.parse().ok()?)
            }
            _ => return None,
        };
        Some(self.at(local))
    }

    fn message_text(&self, message: MessageId) -> String {
        self.outline.messages[message].clone()
    }

    fn message_from_text(&mut self, text: &str) -> Option<MessageId> {
        self.outline.messages.iter().position(|name| name == text).map(MessageId::new)
    }

    fn store_text(&self, cells: &[i32]) -> String {
        cells[0].to_string()
    }

    fn store_from_text(&mut self, text: &str) -> Option<Vec<i32>> {
        Some(vec![text.parse().ok()?])
    }

    fn machine_name(&self, machine: MachineId, _: LocalId) -> Option<String> {
        Some(format!("Actor({})", machine.raw()))
    }

    fn failure(&self, _: FailureId) -> Failure {
        let text = "a mailbox has no room".to_owned();
        Failure { property: Property::Assert, code: Code(1002), text, span: None }
    }
}

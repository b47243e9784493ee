//! The semantics: what steps a configuration has.
//!
//! [`System::outcomes`] and the functions below it are the only place in the project that says what
//! sending and receiving mean. Everything faster is tested against it.

use std::sync::Arc;

use qp_base::{Budget, Map};

use crate::remember::Memory;
use crate::turn::Plain;
use crate::{
    Act, Blur, Capacity, Condition, ConditionId, Config, EarId, Effect, FailureId, Guard, Letter,
    LocalId, Loss, MachineId, MessageId, Move, Observed, Patience, Pattern, Place, Program,
    QueueId, QueueKind, Reception, StoreId, Taken, Turn, WordId, Words, World,
};

/// A program together with everything it has said so far.
pub struct System {
    program: Box<dyn Program>,
    words: Words,
    /// Set where contents that look alike are one content.
    blur: Option<Box<dyn Blur>>,
    moves: Map<(MachineId, LocalId, StoreId), Arc<[Move]>>,
    receptions: Map<(MachineId, LocalId, StoreId, EarId, MessageId), Arc<Reception>>,
    observations: Map<(StoreId, MessageId), Observed>,
    turns: Memory<(MachineId, bool), Arc<[Turn]>>,
    conditions: Memory<ConditionId, bool>,
    /// The shared variables of the store that was looked at last.
    cells: (Option<StoreId>, Vec<i32>),
    /// Whom to ask whether there is time left.
    budget: Budget,
    patience: Patience,
}

/// A choice: which machine moves, and which of its steps that are possible now it takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The machine that moves (the sender of a rendezvous).
    pub machine: MachineId,
    /// The number of the step among those that [`System::outcomes`] lists for the machine.
    pub choice: u32,
}

/// One possible step with its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Which step.
    pub step: Step,
    /// What happened, for those who draw it.
    pub event: Event,
    /// The configuration afterwards.
    pub config: Config,
    /// Everything that happened, in order, if the step is a turn: `event` is the first of it.
    pub acts: Vec<Act>,
}

impl Outcome {
    /// Who does what in the step: the step itself, and then everything else that happens in a turn. What comes
    /// before a failure does not count, because the run ends there.
    pub fn happenings(&self) -> impl Iterator<Item = (MachineId, Event)> + '_ {
        let ends = matches!(self.event, Event::Failed { .. } | Event::GaveUp { .. });
        let first = (self.step.machine, self.event);
        let acts = self.acts.iter().filter(move |_| !ends).map(|act| (act.machine, act.event));
        [first].into_iter().chain(acts.filter(move |act| *act != first))
    }

    /// Everything that happens in the step, in order and as often as it happens.
    pub fn events(&self) -> impl Iterator<Item = Event> + '_ {
        let alone = self.acts.is_empty().then_some(self.event);
        alone.into_iter().chain(self.acts.iter().map(|act| act.event))
    }
}

/// What happened in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Event {
    /// Nothing that others see.
    Internal,
    /// Nothing but that those who watch saw a message.
    Announced { message: MessageId },
    /// A message was put into a queue.
    Sent { queue: QueueId, message: MessageId },
    /// A message was sent and lost or discarded.
    Lost { queue: QueueId, message: MessageId },
    /// A message was taken; position 0 is the front. Kept means that a copy was taken.
    Took { queue: QueueId, message: MessageId, position: u32, kept: bool },
    /// Sender and receiver moved together.
    Handshake { queue: QueueId, message: MessageId, receiver: MachineId },
    /// A machine was created.
    Created { machine: MachineId },
    /// The machine ended.
    Ended,
    /// A queue was closed.
    Closed { queue: QueueId },
    /// The machine, or who watches it, ran into a failure; the run ends here.
    Failed { failure: FailureId },
    /// The interpreter gave up: nothing is known beyond this point.
    GaveUp { why: FailureId },
}

/// What a scan of a queue comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Scan {
    Takes { position: usize, message: MessageId, ways: Arc<Reception> },
    Crashes(MessageId),
    Waits,
}

impl System {
    /// A system that knows nothing yet.
    pub fn new(program: Box<dyn Program>) -> Self {
        Self {
            program,
            turns: Memory::new(),
            conditions: Memory::new(),
            cells: (None, Vec::new()),
            words: Words::new(),
            blur: None,
            moves: Map::default(),
            receptions: Map::default(),
            observations: Map::default(),
            patience: Patience::new(&Budget::states(u64::MAX)),
            budget: Budget::states(u64::MAX),
        }
    }

    /// The same system for somebody whose time and memory are limited: steps are what they are, and everybody who
    /// takes many of them asks [`System::budget`].
    #[must_use]
    pub fn heeding(mut self, budget: &Budget) -> Self {
        self.patience = Patience::new(budget);
        self.budget = budget.clone();
        self
    }

    /// Whom to ask between steps whether to go on.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Whom those ask who check, which may take long as well.
    pub fn patience(&self) -> &Patience {
        &self.patience
    }

    /// Refuses to go on when a limit was met: for those who check.
    pub fn go_on(&self) -> Result<(), String> {
        self.patience.go_on()
    }

    /// The same system as it looks to somebody who does not tell all contents of queues apart: every step of
    /// the system is a step of the blurred one, whatever the queues hold.
    #[must_use]
    pub fn blurred(mut self, blur: Box<dyn Blur>) -> Self {
        self.blur = Some(blur);
        self
    }

    /// The program, for names.
    pub fn program(&self) -> &dyn Program {
        &*self.program
    }

    /// The program, for turning texts into numbers.
    pub fn program_mut(&mut self) -> &mut dyn Program {
        &mut *self.program
    }

    /// The queue contents met so far.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// The queue contents met so far, to add some.
    pub fn words_mut(&mut self) -> &mut Words {
        &mut self.words
    }

    /// The program with the queue contents met so far, for those who ask it about a [`crate::World`] of
    /// their own.
    pub fn program_and_words(&mut self) -> (&mut dyn Program, &mut Words) {
        (&mut *self.program, &mut self.words)
    }

    /// The configuration in which every run begins.
    pub fn initial(&mut self) -> Config {
        Config::initial(self.program.start())
    }

    /// Every possible step, in machine order and then source order.
    ///
    /// The order is part of the contract: traces name steps by it.
    pub fn successors(&mut self, config: &Config) -> Vec<Outcome> {
        let mut all = Vec::new();
        for timeout in [false, true] {
            if let Some(holder) = config.holder {
                all = self.outcomes(config, holder, timeout);
            }
            if all.is_empty() {
                for machine in config.machines() {
                    all.extend(self.outcomes(config, machine, timeout));
                }
            }
            if !all.is_empty() {
                break;
            }
        }
        all
    }

    /// Takes one step, or returns `None` if it is not possible in `config`.
    pub fn fire(&mut self, config: &Config, step: Step) -> Option<Outcome> {
        self.successors(config).into_iter().find(|outcome| outcome.step == step)
    }

    /// The message at which a waiting machine is at a loss: it can do nothing but receive, and every
    /// queue it listens to has come to a message that it has no right to ignore.
    pub fn unhandled(
        &mut self,
        config: &Config,
        machine: MachineId,
    ) -> Option<(QueueId, MessageId)> {
        if self.program.outline().whole {
            return None;
        }
        let mut first = None;
        for mv in self.moves(machine, config.local(machine), config.store).iter() {
            let Effect::Receive { queue, ear } = mv.effect else { return None };
            let Scan::Crashes(message) = self.scan(config, machine, queue, ear) else {
                return None;
            };
            first = first.or(Some((queue, message)));
        }
        first
    }

    /// What a machine can do in a local state.
    pub fn moves(&mut self, machine: MachineId, local: LocalId, store: StoreId) -> Arc<[Move]> {
        let store = self.seen(store);
        let program = &mut self.program;
        self.moves
            .entry((machine, local, store))
            .or_insert_with(|| program.moves(machine, local, store).into())
            .clone()
    }

    /// Capacity and loss of a queue.
    pub fn kind(&self, config: &Config, queue: QueueId) -> QueueKind {
        self.program.outline().kinds[config.kinds[queue.index()]]
    }

    /// The possible steps of one machine, whoever holds an atomic sequence; with `timeout`, also those that
    /// wait until nothing else is possible.
    pub fn outcomes(&mut self, config: &Config, machine: MachineId, timeout: bool) -> Vec<Outcome> {
        if self.program.outline().whole {
            return self.turns(config, machine, timeout);
        }
        let moves = self.moves(machine, config.local(machine), config.store);
        let mut found = Vec::new();
        if self.blur.is_some() {
            self.doubt_all(config, machine, &moves);
        }
        for mv in moves.iter().filter(|mv| !mv.guards.contains(&Guard::Else)) {
            if self.allowed(config, machine, &mv.guards, timeout) {
                self.perform(config, machine, mv, &mut found);
            }
        }
        if found.is_empty() {
            for mv in moves.iter().filter(|mv| mv.guards.contains(&Guard::Else)) {
                if self.allowed(config, machine, &mv.guards, timeout) {
                    self.perform(config, machine, mv, &mut found);
                }
            }
        }
        let number = |(choice, (event, config))| Outcome {
            step: Step { machine, choice: choice as u32 },
            event,
            config,
            acts: Vec::new(),
        };
        found.into_iter().enumerate().map(number).collect()
    }

    /// The possible steps of one machine of a program whose steps are turns. Failures leave the
    /// configuration as it is.
    fn turns(&mut self, config: &Config, machine: MachineId, timeout: bool) -> Vec<Outcome> {
        self.load_cells(config.store);
        let (program, cells) = (&mut *self.program, &self.cells.1[..]);
        let world = Plain { config, cells, words: &mut self.words };
        let ask = |world: &mut dyn World| program.turns(machine, timeout, world).into();
        let turns = self.turns.answer((machine, timeout), world, ask);
        let mut outcomes = Vec::with_capacity(turns.len());
        for (choice, turn) in turns.iter().enumerate() {
            let step = Step { machine, choice: choice as u32 };
            let (event, acts, config) = match turn {
                Turn::Does { acts, after } => {
                    let after = after.apply(&mut *self.program, config, cells);
                    (acts.first().map_or(Event::Internal, |act| act.event), &acts[..], after)
                }
                &Turn::Fails { ref acts, failure } => {
                    (Event::Failed { failure }, &acts[..], config.clone())
                }
                &Turn::GivesUp { why } => (Event::GaveUp { why }, &[][..], config.clone()),
            };
            outcomes.push(Outcome { step, event, config, acts: acts.to_vec() });
        }
        outcomes
    }

    /// Looks up the shared variables, unless they are those of the last time.
    fn load_cells(&mut self, store: StoreId) {
        if self.cells.0 != Some(store) {
            self.cells = (Some(store), self.program.cells(store));
        }
    }

    /// Whether a letter is true of a configuration and of what happens in the next step; nothing does
    /// where a run has ended, which is not to lack progress.
    pub fn reads(&mut self, letter: &Letter, config: &Config, event: Option<Event>) -> bool {
        let program = &self.program;
        let named = |message: MessageId, name: &str| program.message_text(message) == name;
        let sent = match event {
            Some(
                Event::Sent { message, .. }
                | Event::Lost { message, .. }
                | Event::Handshake { message, .. },
            ) => Some(message),
            _ => None,
        };
        match letter {
            Letter::Sends(name) => sent.is_some_and(|message| named(message, name)),
            Letter::SendsSome(None) => sent.is_some(),
            Letter::SendsSome(Some(name)) => {
                sent.is_some_and(|message| is_named(&program.message_text(message), name))
            }
            Letter::Receives(name) => match event {
                Some(Event::Took { message, .. } | Event::Handshake { message, .. }) => {
                    named(message, name)
                }
                _ => false,
            },
            Letter::At(machine, state) => {
                let local = config.locals.get(machine.index());
                local.is_some_and(|&local| program.control_name(*machine, local) == *state)
            }
            Letter::Progress => {
                let marked = |m| program.is_progress(m, config.local(m));
                event.is_none() || config.machines().any(marked)
            }
            Letter::Accepts => config.machines().any(|m| program.is_accepting(m, config.local(m))),
            &Letter::Holds(condition) => {
                self.load_cells(config.store);
                let (program, cells) = (&mut *self.program, &self.cells.1[..]);
                let world = Plain { config, cells, words: &mut self.words };
                self.conditions.answer(condition, world, |world| program.holds(condition, world))
            }
        }
    }

    /// Whether all of these guards of a machine hold; with `timeout`, nothing else is possible.
    pub fn allowed(
        &mut self,
        config: &Config,
        machine: MachineId,
        guards: &[Guard],
        timeout: bool,
    ) -> bool {
        guards.iter().all(|guard| match *guard {
            Guard::Holds(queue, condition) => self.holds(config, machine, queue, condition),
            Guard::HoldsNot(queue, condition) => !self.holds(config, machine, queue, condition),
            Guard::Idle => self.idle(config, machine),
            Guard::Else => true,
            Guard::Timeout => timeout,
        })
    }

    fn holds(&mut self, config: &Config, machine: MachineId, queue: QueueId, c: Condition) -> bool {
        let len = self.words.len(config.word(queue));
        self.doubt(config, machine, queue, c);
        match c {
            Condition::Empty => len == 0,
            Condition::Full => {
                matches!(self.kind(config, queue).capacity, Capacity::Messages(n) if len >= n as usize)
            }
            Condition::LengthBelow(n) => len < n as usize,
            Condition::Ready(ear) => {
                matches!(self.scan(config, machine, queue, ear), Scan::Takes { .. })
            }
            Condition::Fewer(ear, n) => {
                let messages = self.words.messages(config.word(queue)).into_iter();
                let takes = |message| {
                    matches!(*self.reception(config, machine, ear, message), Reception::Take(_))
                };
                messages.map(takes).filter(|&takes| takes).count() < n as usize
            }
        }
    }

    /// Tells the blur about everything that moves may ask of contents, whether they get to it or not.
    fn doubt_all(&mut self, config: &Config, machine: MachineId, moves: &[Move]) {
        for mv in moves {
            for guard in &mv.guards {
                if let Guard::Holds(queue, condition) | Guard::HoldsNot(queue, condition) = *guard {
                    self.doubt(config, machine, queue, condition);
                }
            }
            if let Effect::Send { queue, place: Place::Sorted, .. } = mv.effect
                && let Some(blur) = &mut self.blur
            {
                blur.sorts(&self.words, (queue, config.word(queue)));
            }
        }
    }

    /// Tells the blur about a condition that counts messages.
    fn doubt(&mut self, config: &Config, machine: MachineId, queue: QueueId, c: Condition) {
        let Some(mut blur) = self.blur.take() else { return };
        let word = config.word(queue);
        let messages = self.words.messages(word);
        let (limit, counted) = match c {
            Condition::Empty | Condition::Ready(_) => (0, Vec::new()),
            Condition::LengthBelow(n) => (n, messages),
            Condition::Full => match self.kind(config, queue).capacity {
                Capacity::Messages(n) => (n, messages),
                Capacity::Unbounded | Capacity::Rendezvous => (0, Vec::new()),
            },
            Condition::Fewer(ear, n) => {
                let takes = |&message: &MessageId| {
                    matches!(*self.reception(config, machine, ear, message), Reception::Take(_))
                };
                (n, messages.into_iter().filter(takes).collect())
            }
        };
        if limit > 0 {
            blur.counts(&self.words, queue, word, &counted, limit);
        }
        self.blur = Some(blur);
    }

    /// Whether no receive of the machine is possible.
    fn idle(&mut self, config: &Config, machine: MachineId) -> bool {
        let moves = self.moves(machine, config.local(machine), config.store);
        !moves.iter().any(|mv| {
            matches!(mv.effect, Effect::Receive { queue, ear }
                if matches!(self.scan(config, machine, queue, ear), Scan::Takes { .. }))
        })
    }

    /// Adds everything that can come of a move whose guards hold.
    pub fn perform(
        &mut self,
        config: &Config,
        machine: MachineId,
        mv: &Move,
        found: &mut Vec<(Event, Config)>,
    ) {
        if let (Effect::Receive { queue, ear }, None) = (&mv.effect, mv.announce) {
            return self.receive(config, machine, *queue, *ear, found);
        }
        let mut after = config.clone();
        after.locals[machine.index()] = mv.next;
        after.store = mv.store.unwrap_or(config.store);
        after.holder = mv.hold.then_some(machine);
        if let Some(message) = mv.announce {
            match self.observe(config.store, message) {
                Observed::Store(store) => after.store = store,
                Observed::Failed(failure) => {
                    found.push((Event::Failed { failure }, config.clone()));
                    return;
                }
                Observed::GaveUp(why) => {
                    found.push((Event::GaveUp { why }, config.clone()));
                    return;
                }
            }
        }
        match mv.effect {
            Effect::Internal => {
                let announced = |message| Event::Announced { message };
                found.push((mv.announce.map_or(Event::Internal, announced), after));
            }
            Effect::Send { queue, message, place } => {
                self.send(config, machine, (queue, message, place), &after, found);
            }
            Effect::Receive { queue, ear } => self.receive(config, machine, queue, ear, found),
            Effect::Spawn { seed, ref queues } => {
                let (child, first) =
                    (MachineId::new(after.locals.len()), QueueId::new(after.words.len()));
                let special = &self.program.outline().created;
                let created = (first.index()..).map(QueueId::new).zip(queues);
                let kinds = created.map(|(queue, kind)| special.get(&queue).unwrap_or(kind));
                after.kinds.extend(kinds);
                after.words.resize(after.kinds.len(), WordId::EMPTY);
                after.locals[machine.index()] = self.program.resume(mv.next, child, first);
                after.locals.push(self.program.born(seed, child, first));
                found.push((Event::Created { machine: child }, after));
            }
            Effect::Exit { queues } => {
                if machine.index() + 1 == config.locals.len() {
                    after.locals.pop();
                    let left = after.words.len() - queues as usize;
                    after.words.truncate(left);
                    after.kinds.truncate(left);
                    after.holder = None;
                    found.push((Event::Ended, after));
                }
            }
            Effect::Close { queue } => {
                after.words[queue.index()] = WordId::CLOSED;
                found.push((Event::Closed { queue }, after));
            }
            Effect::Fail { failure } => found.push((Event::Failed { failure }, config.clone())),
            Effect::GiveUp { why } => found.push((Event::GaveUp { why }, config.clone())),
        }
    }

    /// What those who watch make of a message.
    pub fn observe(&mut self, store: StoreId, message: MessageId) -> Observed {
        let program = &mut self.program;
        *self
            .observations
            .entry((store, message))
            .or_insert_with(|| program.observe(store, message))
    }

    /// The store as machines see it: always the same one if they do not look at it.
    fn seen(&self, store: StoreId) -> StoreId {
        if self.program.outline().store_is_watched { StoreId::NONE } else { store }
    }

    /// A send: `after` is the configuration in which the sender has moved and the message is gone.
    fn send(
        &mut self,
        config: &Config,
        machine: MachineId,
        (queue, message, place): (QueueId, MessageId, Place),
        after: &Config,
        found: &mut Vec<(Event, Config)>,
    ) {
        let word = config.word(queue);
        if word == WordId::CLOSED {
            found.push((Event::Lost { queue, message }, after.clone()));
            return;
        }
        let kind = self.kind(config, queue);
        let room = match kind.capacity {
            Capacity::Unbounded => true,
            Capacity::Messages(n) => self.words.len(word) < n as usize,
            Capacity::Rendezvous => {
                return self.handshake(config, machine, queue, message, after, found);
            }
        };
        if room {
            let mut sent = after.clone();
            sent.words[queue.index()] = self.insert(queue, word, message, place);
            found.push((Event::Sent { queue, message }, sent));
        }
        let lost = match kind.loss {
            Loss::Never => false,
            Loss::WhenFull => !room,
            Loss::Always => true,
        };
        if lost {
            found.push((Event::Lost { queue, message }, after.clone()));
        }
    }

    /// The content of a queue with one more message at the back.
    pub fn append(&mut self, queue: QueueId, word: WordId, message: MessageId) -> WordId {
        match &mut self.blur {
            None => self.words.push(word, message),
            Some(blur) => blur.push(&mut self.words, &*self.program, (queue, word), message),
        }
    }

    fn insert(&mut self, queue: QueueId, word: WordId, message: MessageId, place: Place) -> WordId {
        match place {
            Place::Back => self.append(queue, word, message),
            Place::Sorted => {
                let mut messages = self.words.messages(word);
                let behind = |&m: &MessageId| !self.program.in_order(m, message);
                let at = messages.iter().position(behind).unwrap_or(messages.len());
                messages.insert(at, message);
                let longer = self.words.intern(&messages);
                match &mut self.blur {
                    None => longer,
                    Some(blur) => blur.sorted(&mut self.words, longer),
                }
            }
        }
    }

    /// A rendezvous with every other machine that takes the message now.
    fn handshake(
        &mut self,
        config: &Config,
        machine: MachineId,
        queue: QueueId,
        message: MessageId,
        after: &Config,
        found: &mut Vec<(Event, Config)>,
    ) {
        for receiver in config.machines().filter(|&receiver| receiver != machine) {
            let moves = self.moves(receiver, config.local(receiver), config.store);
            for mv in moves.iter() {
                let Effect::Receive { queue: at, ear } = mv.effect else { continue };
                if at != queue || !self.allowed(config, receiver, &mv.guards, false) {
                    continue;
                }
                let reception = self.reception(config, receiver, ear, message);
                let Reception::Take(ways) = &*reception else { continue };
                for way in ways {
                    let mut met = after.clone();
                    met.locals[receiver.index()] = way.next;
                    debug_assert!(way.store.is_none() || after.store == config.store);
                    met.store = way.store.unwrap_or(after.store);
                    met.holder = way.hold.then_some(receiver).or(after.holder);
                    found.push((Event::Handshake { queue, message, receiver }, met));
                }
            }
        }
    }

    fn receive(
        &mut self,
        config: &Config,
        machine: MachineId,
        queue: QueueId,
        ear: EarId,
        found: &mut Vec<(Event, Config)>,
    ) {
        let Scan::Takes { position, message, ways } = self.scan(config, machine, queue, ear) else {
            return;
        };
        let Reception::Take(ways) = &*ways else {
            unreachable!("bug in Queueproof: a scan takes what is not taken")
        };
        for &Taken { next, store, hold, keep } in ways {
            let mut after = config.clone();
            after.locals[machine.index()] = next;
            after.store = store.unwrap_or(config.store);
            after.holder = hold.then_some(machine);
            let event = Event::Took { queue, message, position: position as u32, kept: keep };
            if keep {
                found.push((event, after));
                continue;
            }
            for rest in self.remove(queue, config.word(queue), position) {
                let mut after = after.clone();
                after.words[queue.index()] = rest;
                found.push((event, after));
            }
        }
    }

    /// What a queue may hold once the message at `position` was taken.
    fn remove(&mut self, queue: QueueId, word: WordId, position: usize) -> Vec<WordId> {
        match &mut self.blur {
            None => vec![self.words.remove(word, position)],
            Some(blur) => blur.remove(&mut self.words, &*self.program, (queue, word), position),
        }
    }

    /// Whether the content of a queue, or one that looks like it, matches.
    pub fn may_match(&self, word: WordId, pattern: &Pattern) -> bool {
        match &self.blur {
            None => pattern.matches(&self.words.messages(word)),
            Some(blur) => blur.matches(&self.words, word, pattern),
        }
    }

    /// Looks through a queue from the front: the first message that is not skipped decides.
    fn scan(&mut self, config: &Config, machine: MachineId, queue: QueueId, ear: EarId) -> Scan {
        for (position, message) in self.words.messages(config.word(queue)).into_iter().enumerate() {
            let ways = self.reception(config, machine, ear, message);
            match &*ways {
                Reception::Take(_) => return Scan::Takes { position, message, ways },
                Reception::Skip => {}
                Reception::Refuse => return Scan::Waits,
                Reception::Crash => return Scan::Crashes(message),
            }
        }
        Scan::Waits
    }

    fn reception(
        &mut self,
        config: &Config,
        machine: MachineId,
        ear: EarId,
        message: MessageId,
    ) -> Arc<Reception> {
        let (local, store) = (config.local(machine), self.seen(config.store));
        let program = &mut self.program;
        self.receptions
            .entry((machine, local, store, ear, message))
            .or_insert_with(|| Arc::new(program.reception(machine, local, store, ear, message)))
            .clone()
    }
}

/// Whether a message has this name: in front of its values, or as one of its fields.
fn is_named(text: &str, name: &str) -> bool {
    match text.split_once(['(', ' ']) {
        Some((head, _)) => head == name,
        None => text.split(',').any(|field| field == name),
    }
}

//! The semantics: what steps a configuration has.
//!
//! [`System::outcomes`] is the one step function: the program's turns ([`Program::turns`]), played. Everything faster is
//! tested against it.

use std::sync::Arc;

use qp_base::{Budget, Interner};

use crate::reads::{Plain, Reads, STORE, Within, World};
use crate::remember::Memory;
use crate::{
    Act, After, ConditionId, Config, Exact, FailureId, Guard, Letter, LocalId, MachineId,
    MessageId, Move, Observed, Patience, Pattern, Program, QueueDomain, QueueId, QueueKind,
    StoreId, Turn, Uses, WordId, Words,
};

/// A program together with everything it has said so far.
pub struct System {
    pub(crate) program: Box<dyn Program>,
    /// The values of all shared variables together that were met so far.
    stores: Interner<StoreId, Vec<i32>>,
    pub(crate) words: Words,
    /// What contents of queues are.
    pub(crate) domain: Box<dyn QueueDomain>,
    turns: Memory<(MachineId, bool), Arc<[Turn]>>,
    conditions: Memory<ConditionId, bool>,
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
    /// Everything that happened, in order: `event` is the first of it.
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

impl System {
    /// A system that knows nothing yet.
    pub fn new(program: Box<dyn Program>) -> Self {
        Self {
            program,
            stores: Interner::new(),
            turns: Memory::new(),
            conditions: Memory::new(),
            words: Words::new(),
            domain: Box::new(Exact),
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

    /// Heeds another limit from now on, for whoever goes on with what somebody else has begun.
    pub fn heed(&mut self, budget: &Budget) {
        self.program.heed(&budget.with_grace());
        self.patience = Patience::new(budget);
        self.budget = budget.clone();
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
    /// the system is a step of this one, whatever the queues hold.
    #[must_use]
    pub fn over(mut self, domain: Box<dyn QueueDomain>) -> Self {
        self.domain = domain;
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

    /// The program with the queue contents met so far.
    pub fn program_and_words(&mut self) -> (&mut dyn Program, &mut Words) {
        (&mut *self.program, &mut self.words)
    }

    /// The configuration in which every run begins.
    pub fn initial(&mut self) -> Config {
        let start = self.program.start();
        debug_assert_eq!(start.cells.len(), self.n_cells());
        let (words, store) =
            (vec![WordId::EMPTY; start.queues.len()], self.stores.intern(start.cells));
        Config { locals: start.locals, words, kinds: start.queues, store, holder: None }
    }

    /// Every possible step, in machine order and then source order.
    ///
    /// The order is part of the contract: traces name steps by it.
    pub fn successors(&mut self, config: &Config) -> Vec<Outcome> {
        self.ordered(config, |system, machine, timeout| system.outcomes(config, machine, timeout))
    }

    /// The same where contents of queues are what somebody else says.
    pub fn successors_over(
        &mut self,
        config: &Config,
        domain: &mut dyn QueueDomain,
    ) -> Vec<Outcome> {
        self.ordered(config, |system, machine, timeout| {
            system.outcomes_over(config, machine, timeout, domain)
        })
    }

    /// The possible steps of one machine ([`System::outcomes`]) where contents of queues are what somebody else says.
    pub fn outcomes_over(
        &mut self,
        config: &Config,
        machine: MachineId,
        timeout: bool,
        domain: &mut dyn QueueDomain,
    ) -> Vec<Outcome> {
        let turns = self.turns_with(config, machine, timeout, domain);
        self.outcomes_of(config, machine, &turns)
    }

    /// The steps of those who may move: whoever goes on alone, or everybody; without a timeout, or with one where
    /// nothing is possible without.
    fn ordered(
        &mut self,
        config: &Config,
        mut outcomes: impl FnMut(&mut Self, MachineId, bool) -> Vec<Outcome>,
    ) -> Vec<Outcome> {
        let mut all = Vec::new();
        for timeout in [false, true] {
            if let Some(holder) = config.holder {
                all = outcomes(self, holder, timeout);
            }
            if all.is_empty() {
                for machine in config.machines() {
                    all.extend(outcomes(self, machine, timeout));
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
        let plain = &mut Plain { config, cells: self.stores.value(config.store) };
        let mut world = Within::new(plain, &mut self.words, &mut *self.domain);
        self.program.as_moves()?.at_a_loss(machine, &mut world)
    }

    /// The same of a configuration that is read part by part.
    pub fn unhandled_in<R: Reads>(
        &mut self,
        machine: MachineId,
        reads: &mut R,
    ) -> Option<(QueueId, MessageId)> {
        let mut world = Within::new(reads, &mut self.words, &mut *self.domain);
        self.program.as_moves()?.at_a_loss(machine, &mut world)
    }

    /// The same where contents of queues are what somebody else says.
    pub fn unhandled_over<R: Reads>(
        &mut self,
        machine: MachineId,
        reads: &mut R,
        domain: &mut dyn QueueDomain,
    ) -> Option<(QueueId, MessageId)> {
        let mut world = Within::new(reads, &mut self.words, domain);
        self.program.as_moves()?.at_a_loss(machine, &mut world)
    }

    /// The commands of a machine in a local state, if the program says any.
    pub fn moves(
        &mut self,
        machine: MachineId,
        local: LocalId,
        store: StoreId,
    ) -> Option<Arc<[Move]>> {
        let store = self.stores.value(store).get(STORE.index()).copied();
        Some(self.program.as_moves()?.commands_in(machine, local, store.unwrap_or(0)))
    }

    /// Whether machines meet only through queues that one of them reads, which is known for all that is ever created: what
    /// a machine can do depends on its own local state, on these queues, and on one other queue for each of its commands.
    pub fn is_local(&mut self) -> bool {
        self.program.outline().meets_by_queues()
            && self.program.as_moves().is_some_and(|it| it.are_local())
    }

    /// Whether a machine can never move where it is, whatever queues hold. Only of commands that is known.
    pub fn never_moves(&mut self, config: &Config, machine: MachineId) -> bool {
        let Some(&local) = config.locals.get(machine.index()) else { return true };
        self.moves(machine, local, config.store).is_some_and(|moves| moves.is_empty())
    }

    /// The kind of a message in the control flow without data ([`crate::Moves::prospects`]).
    pub fn message_kind(&mut self, message: MessageId) -> u32 {
        self.program.as_moves().map_or(message.raw(), |it| it.message_kind(message))
    }

    /// Capacity and loss of a queue.
    pub fn kind(&self, config: &Config, queue: QueueId) -> QueueKind {
        self.program.outline().kinds[config.kinds[queue.index()]]
    }

    /// The possible steps of one machine, whoever holds an atomic sequence; with `timeout`, also those that
    /// wait until nothing else is possible. Failures leave the configuration as it is.
    pub fn outcomes(&mut self, config: &Config, machine: MachineId, timeout: bool) -> Vec<Outcome> {
        let plain = Plain { config, cells: self.stores.value(config.store) };
        let program = &mut *self.program;
        let ask = |world: &mut dyn World| program.turns(machine, timeout, world).into();
        let contents = (&mut self.words, &mut *self.domain as &mut dyn QueueDomain);
        let turns: Arc<[Turn]> = self.turns.answer((machine, timeout), plain, contents, ask);
        self.outcomes_of(config, machine, &turns)
    }

    fn outcomes_of(&mut self, config: &Config, machine: MachineId, turns: &[Turn]) -> Vec<Outcome> {
        let mut outcomes = Vec::with_capacity(turns.len());
        for (choice, turn) in turns.iter().enumerate() {
            let step = Step { machine, choice: choice as u32 };
            let (event, config) = self.played(config, turn);
            outcomes.push(Outcome { step, event, config, acts: turn.acts().to_vec() });
        }
        outcomes
    }

    /// Everything that a machine can do in a configuration that is read part by part.
    pub fn turns_in<R: Reads>(
        &mut self,
        machine: MachineId,
        timeout: bool,
        reads: &mut R,
    ) -> Vec<Turn> {
        let mut world = Within::new(reads, &mut self.words, &mut *self.domain);
        self.program.turns(machine, timeout, &mut world)
    }

    /// The same where contents of queues are what somebody else says.
    pub fn turns_over<R: Reads>(
        &mut self,
        machine: MachineId,
        timeout: bool,
        reads: &mut R,
        domain: &mut dyn QueueDomain,
    ) -> Vec<Turn> {
        let mut world = Within::new(reads, &mut self.words, domain);
        self.program.turns(machine, timeout, &mut world)
    }

    /// Everything that a machine can do in a configuration where contents of queues are what somebody else says.
    pub fn turns_with(
        &mut self,
        config: &Config,
        machine: MachineId,
        timeout: bool,
        domain: &mut dyn QueueDomain,
    ) -> Vec<Turn> {
        let cells = self.cells(config.store);
        self.turns_over(machine, timeout, &mut Plain { config, cells: &cells }, domain)
    }

    /// Whether a condition that the user wrote holds in a configuration that is read part by part.
    pub fn holds_in<R: Reads>(&mut self, condition: ConditionId, reads: &mut R) -> bool {
        let mut world = Within::new(reads, &mut self.words, &mut *self.domain);
        self.program.holds(condition, &mut world)
    }

    /// How many things a machine may choose from: together their turns are all that it can do. Each can be asked for
    /// alone, and then reads no more than it has to.
    pub fn n_alternatives_in<R: Reads>(&mut self, machine: MachineId, reads: &mut R) -> usize {
        let mut world = Within::new(reads, &mut self.words, &mut *self.domain);
        let commands = self.program.as_moves();
        commands.and_then(|it| it.n_alone(machine, &mut world)).unwrap_or(1).max(1)
    }

    /// The turns of one alternative.
    pub fn alternative_in<R: Reads>(
        &mut self,
        machine: MachineId,
        number: usize,
        timeout: bool,
        reads: &mut R,
    ) -> Vec<Turn> {
        let mut world = Within::new(reads, &mut self.words, &mut *self.domain);
        if let Some(commands) = self.program.as_moves()
            && commands.n_alone(machine, &mut world).is_some()
        {
            return commands.moved_alone(machine, number, timeout, &mut world);
        }
        self.program.turns(machine, timeout, &mut world)
    }

    /// How a machine uses queues in a configuration that is read part by part ([`Program::uses`]).
    pub fn uses_in<R: Reads>(&mut self, machine: MachineId, reads: &mut R) -> Option<Uses> {
        let mut world = Within::new(reads, &mut self.words, &mut *self.domain);
        self.program.uses(machine, &mut world)
    }

    /// What happens in a step, and the configuration afterwards.
    pub fn played(&mut self, config: &Config, turn: &Turn) -> (Event, Config) {
        let after = match turn {
            Turn::Does { after, .. } => self.after(config, after),
            Turn::Fails { .. } | Turn::GivesUp { .. } => config.clone(),
        };
        (turn.event(), after)
    }

    /// The configuration after a step.
    fn after(&mut self, config: &Config, after: &After) -> Config {
        let mut next = after.apply(config);
        if !after.cells.is_empty() {
            let mut cells = self.cells(config.store);
            for &(cell, value) in &after.cells {
                cells[cell.index()] = value;
            }
            next.store = self.store_of(&cells);
        }
        next
    }

    /// How many shared variables there are. What only the program understands is one.
    pub fn n_cells(&self) -> usize {
        self.program.outline().n_cells.unwrap_or(1)
    }

    /// The shared variables of a store.
    pub fn cells(&self, store: StoreId) -> Vec<i32> {
        self.stores.value(store).clone()
    }

    /// The store in which the shared variables have these values.
    pub fn store_of(&mut self, cells: &[i32]) -> StoreId {
        self.stores.intern(cells.to_vec())
    }

    /// The text that names a store completely ([`crate::Names::store_text`]).
    pub fn store_text(&self, store: StoreId) -> String {
        self.program.store_text(self.stores.value(store))
    }

    /// The store named by [`System::store_text`].
    pub fn store_from_text(&mut self, text: &str) -> Option<StoreId> {
        let cells = self.program.store_from_text(text)?;
        Some(self.stores.intern(cells))
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
                let reads = Plain { config, cells: self.stores.value(config.store) };
                let program = &mut *self.program;
                let ask = |world: &mut dyn World| program.holds(condition, world);
                let contents = (&mut self.words, &mut *self.domain as &mut dyn QueueDomain);
                self.conditions.answer(condition, reads, contents, ask)
            }
        }
    }
}

/// What only those need who compile commands.
impl System {
    /// Whether all of these guards of a machine hold; with `timeout`, nothing else is possible.
    pub fn allowed(
        &mut self,
        config: &Config,
        machine: MachineId,
        guards: &[Guard],
        timeout: bool,
    ) -> bool {
        let plain = &mut Plain { config, cells: self.stores.value(config.store) };
        let world = &mut Within::new(plain, &mut self.words, &mut *self.domain);
        let Some(commands) = self.program.as_moves() else { return false };
        let mover = commands.mover(machine, world);
        commands.open(mover, guards, timeout, world)
    }

    /// Everything that can come of a move whose guards hold.
    pub fn performed(&mut self, config: &Config, machine: MachineId, mv: &Move) -> Vec<Turn> {
        let plain = &mut Plain { config, cells: self.stores.value(config.store) };
        let world = &mut Within::new(plain, &mut self.words, &mut *self.domain);
        let mut turns = Vec::new();
        if let Some(commands) = self.program.as_moves() {
            let mover = commands.mover(machine, world);
            commands.performed(mover, mv, world, &mut turns);
        }
        turns
    }

    /// What those who watch make of a message.
    pub fn observe(&mut self, store: StoreId, message: MessageId) -> Option<Observed> {
        let cell = *self.stores.value(store).get(STORE.index())?;
        Some(self.program.as_moves()?.observed(cell, message))
    }

    /// The content of a queue with one more message at the back.
    pub fn append(&mut self, queue: QueueId, word: WordId, message: MessageId) -> WordId {
        let program = &*self.program;
        self.domain.push(&mut self.words, (queue, word), message, &|it| program.message_text(it))
    }

    /// Whether the content of a queue, or one that looks like it, matches.
    pub fn may_match(&self, word: WordId, pattern: &Pattern) -> bool {
        self.domain.matches(&self.words, word, pattern)
    }
}

/// Whether a message has this name: in front of its values, or as one of its fields.
fn is_named(text: &str, name: &str) -> bool {
    match text.split_once(['(', ' ']) {
        Some((head, _)) => head == name,
        None => text.split(',').any(|field| field == name),
    }
}

//! The program that the rest of Queueproof sees.

use std::cell::OnceCell;
use std::sync::Arc;

use qp_base::{Budget, IndexVec, Interner, Set, Span};
use qp_machines::{
    Assigned, CellId, CommandMemo, ConditionId, DetailId, Discipline, EarId, Failure, FailureId,
    LocalId, MachineId, MachineInfo, MessageId, Move, Moves, Names, Net, Observed, Outline,
    Program, Property, Prospects, QueueId, QueueInfo, QueueKind, Reception, SeedId, Site, Start,
    Suspect, Turn, Values, Whereabouts, Widest, World, turns_of_commands,
};

use crate::net::Stages;
use crate::sorts::Parts;
use crate::{Blueprint, EventId, Instr, Marks, RoleId, SpecId, Value};

use super::failures::{Fault, LIMIT, Stop};
use super::growth::Growth;
use super::local::{Local, Owner, Phase};
use super::moves::{UNBOUNDED, after, created, span_of};
use super::plan::Plan;
use super::search::run_on;
use super::specs::{Store, observe, start};
use super::visited::Visited;

/// A blueprint, run as a program of machines with one mailbox each.
#[derive(Clone, Debug)]
pub struct Actors {
    pub(crate) plan: Arc<Plan>,
    outline: Outline,
    pub(crate) locals: Interner<LocalId, Local>,
    pub(crate) messages: Interner<MessageId, Message>,
    pub(crate) stores: Interner<usize, Store>,
    pub(super) seeds: Interner<SeedId, (RoleId, Value)>,
    pub(super) failures: Interner<FailureId, Fault>,
    growth: Growth,
    pub(super) visited: Visited,
    /// What counts as progress.
    pub(super) marks: Arc<Marks>,
    /// Whom to ask in the midst of a long step.
    budget: Budget,
    /// For each event: the parts of its payload that are not kept.
    unread: Arc<IndexVec<EventId, Vec<bool>>>,
    /// The blueprint before anything was left out.
    full: Option<Arc<Blueprint>>,
    /// The control flow without data, from when it is asked for; nothing if it is too much.
    stages: OnceCell<Option<Arc<Stages>>>,
    memo: CommandMemo,
    /// What is known about numbers.
    pub(crate) parts: Parts,
}

/// An event with what it carries. Those that are shown to specs know to which.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Message {
    pub(crate) event: EventId,
    pub(crate) payload: Value,
    pub(crate) audience: Vec<SpecId>,
}

impl Actors {
    /// The program of a blueprint.
    pub fn new(blueprint: Arc<Blueprint>) -> Self {
        Self::from_plan(Plan::new(blueprint))
    }

    /// The same program, with progress where the user marked it.
    #[must_use]
    pub fn with_marks(mut self, marks: Marks) -> Self {
        self.outline.has_progress = !marks.is_empty();
        self.marks = Arc::new(marks);
        self.stages = OnceCell::new();
        self
    }

    /// The same program, of whose payloads these parts are not what is sent, and the blueprint in full.
    #[must_use]
    pub(crate) fn made_of(mut self, full: Blueprint, unread: IndexVec<EventId, Vec<bool>>) -> Self {
        (self.full, self.unread) = (Some(Arc::new(full)), Arc::new(unread));
        self
    }

    /// The program of a blueprint that forgets nothing: what it holds is what was assigned.
    pub(crate) fn remembering(blueprint: Arc<Blueprint>) -> Self {
        let liveness = crate::reduce::Liveness::everything(&blueprint);
        Self::from_plan(Plan { liveness, ..Plan::new(blueprint) })
    }

    fn from_plan(plan: Plan) -> Self {
        Self {
            outline: outline(&plan.blueprint),
            plan: Arc::new(plan),
            locals: Interner::new(),
            messages: Interner::new(),
            stores: Interner::new(),
            seeds: Interner::new(),
            failures: Interner::new(),
            growth: Growth::default(),
            visited: Visited::default(),
            marks: Arc::default(),
            budget: Budget::states(u64::MAX),
            unread: Arc::default(),
            full: None,
            stages: OnceCell::new(),
            memo: CommandMemo::default(),
            parts: Parts::default(),
        }
    }

    fn stages(&self) -> Option<&Stages> {
        let find = || Stages::find(&self.plan, &self.marks).map(Arc::new);
        self.stages.get_or_init(find).as_deref()
    }

    /// The number of a local state in which a machine rests. What can never be read again is forgotten
    /// first, so that local states which only differ in it are one.
    pub(super) fn settle(&mut self, mut local: Local) -> LocalId {
        self.plan.liveness.forget(&self.plan, self.plan.body_id(local.owner), &mut local);
        self.note_growth(&local);
        self.locals.intern(local)
    }

    /// The local states in which a machine can next rest, in source order and without repetition.
    pub(super) fn settle_each(&mut self, local: Local) -> Vec<LocalId> {
        let (mut found, mut seen) = (Vec::new(), Set::default());
        for outcome in run_on(&self.plan, local, (&mut self.visited, &self.budget)) {
            let id = self.settle(outcome);
            if seen.insert(id) {
                found.push(id);
            }
        }
        found
    }

    /// Runs on at once if there is only one way to; otherwise that is a move of its own.
    fn settle_on(&mut self, local: Local) -> LocalId {
        match self.settle_each(local.clone())[..] {
            [only] => only,
            _ => self.settle(local),
        }
    }

    fn note_growth(&mut self, local: &Local) {
        let plan = self.plan.clone();
        let owner = match local.owner {
            Owner::Machine(role, _) => plan.blueprint.roles[role].name.as_str(),
            Owner::Spec(spec) => plan.blueprint.specs[spec].name.as_str(),
        };
        self.growth.note(owner, plan.body(local.owner).fields.as_slice(), &local.fields);
        for frame in &local.frames {
            let variables = plan.function(frame.function).registers.as_slice();
            self.growth.note(owner, variables, &frame.registers);
        }
    }

    /// The number that stands for what specs know.
    pub(crate) fn cell(&mut self, store: Store) -> i32 {
        i32::try_from(self.stores.intern(store)).expect("2^31 stores")
    }

    fn note_specs(&mut self, store: &Store) {
        let plan = self.plan.clone();
        for (spec, watch) in plan.blueprint.specs.iter().zip(store) {
            let variables = plan.blueprint.bodies[spec.body].fields.as_slice();
            self.growth.note(&spec.name, variables, &watch.fields);
        }
    }
}

impl Program for Actors {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn outline_mut(&mut self) -> &mut Outline {
        &mut self.outline
    }

    fn fork(&self) -> Box<dyn Program> {
        Box::new(Self { visited: Visited::default(), ..self.clone() })
    }

    fn heed(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }

    fn start(&mut self) -> Start {
        let main = Owner::Machine(self.plan.blueprint.main, MachineId::from_raw(0));
        let mut local = Local::newborn(&self.plan, main, Value::Null);
        let store = match start(&self.plan, (&mut self.visited, &self.budget)) {
            Ok(store) => store,
            Err(fault) => {
                local.stop(Stop::of(fault));
                Store::new()
            }
        };
        Start {
            locals: vec![self.settle_on(local)],
            queues: self.outline.queues.iter().map(|queue| queue.kind).collect(),
            cells: vec![self.cell(store)],
        }
    }

    fn turns(&mut self, machine: MachineId, timeout: bool, world: &mut dyn World) -> Vec<Turn> {
        turns_of_commands(self, machine, timeout, world)
    }

    fn as_moves(&mut self) -> Option<&mut dyn Moves> {
        Some(self)
    }

    fn holds(&mut self, condition: ConditionId, world: &mut dyn World) -> bool {
        // What is shared is one variable: what those who watch know.
        let store = world.cell(CellId::from_raw(0)).cast_unsigned() as usize;
        super::heat::holds(&self.plan.blueprint, self.stores.value(store), condition)
    }

    fn may_rest(&self, _: MachineId, local: LocalId) -> bool {
        let local = self.locals.value(local);
        let pending = local
            .frames
            .last()
            .and_then(|frame| self.plan.function(frame.function).code.get(frame.pc as usize));
        match pending {
            Some(Instr::Receive(_)) => false,
            // Where queues have capacities, a send may wait.
            Some(Instr::Send { .. }) => self.outline.kinds.len() == 1,
            _ => true,
        }
    }

    fn is_progress(&self, _: MachineId, local: LocalId) -> bool {
        let local = self.locals.value(local);
        match local.phase {
            Phase::Took => true,
            // Nothing that follows is of interest, so it is no livelock either.
            Phase::Discarded => self.outline.has_progress,
            Phase::Running | Phase::Announced | Phase::Halting => {
                let body = self.plan.body_id(local.owner);
                self.marks.states.contains(&(body, local.top()))
            }
            Phase::Halted | Phase::Failed(_) | Phase::GaveUp(_) => false,
        }
    }

    fn net(&mut self, followed: &[DetailId]) -> Result<Net, String> {
        crate::net::net(&self.plan, &self.marks, followed)
    }

    fn as_values(&mut self) -> Option<&mut dyn Values> {
        Some(self)
    }

    /// Every machine has one queue, so its number says whose it is, whenever it is created. A send that waits for room
    /// is part of a run, one that `assume` holds back ends it: there cannot be both.
    fn limit(&mut self, queue: QueueId, messages: u32) -> bool {
        let Blueprint { events, roles, .. } = &*self.plan.blueprint;
        let mut caps =
            events.iter().map(|it| it.cap).chain(roles.iter().map(|it| it.cap)).flatten();
        !caps.any(|cap| cap.assume) && self.outline.limit(queue, messages).is_some()
    }
}

impl Moves for Actors {
    fn are_local(&self) -> bool {
        true
    }

    fn memo(&mut self) -> Option<&mut CommandMemo> {
        Some(&mut self.memo)
    }

    fn prospects(&mut self) -> Option<Arc<Prospects>> {
        Some(self.stages()?.prospects.clone())
    }

    fn whereabouts(&mut self, _: MachineId, local: LocalId) -> Option<Whereabouts> {
        self.stages()?.of(self.locals.value(local))
    }

    fn message_kind(&self, message: MessageId) -> u32 {
        self.messages.value(message).event.raw()
    }

    fn watchers(&self, message: MessageId) -> Option<Vec<u32>> {
        let audience = &self.messages.value(message).audience;
        Some(audience.iter().map(|spec| spec.raw()).collect())
    }

    fn moves(&mut self, _: MachineId, local: LocalId, _: i32) -> Vec<Move> {
        self.moves_from(local)
    }

    fn reception(
        &mut self,
        _: MachineId,
        local: LocalId,
        _: i32,
        ear: EarId,
        message: MessageId,
    ) -> Reception {
        let message = self.messages.value(message).clone();
        self.hear(local, ear, &message)
    }

    fn born(&mut self, seed: SeedId, machine: MachineId, first_queue: QueueId) -> LocalId {
        debug_assert_eq!(machine.raw(), first_queue.raw(), "a mailbox has its machine's number");
        let (role, arg) = self.seeds.value(seed).clone();
        let local = Local::newborn(&self.plan, Owner::Machine(role, machine), arg);
        self.settle_on(local)
    }

    fn resume(&mut self, local: LocalId, child: MachineId, _: QueueId) -> LocalId {
        let local = self.locals.value(local);
        let frame = local.frames.last().expect("a creation belongs to a call");
        let instr = &self.plan.function(frame.function).code[frame.pc as usize];
        let Instr::New { interface, into, .. } = instr else {
            unreachable!("bug in Queueproof: a machine resumes that created nobody")
        };
        let role = created(&self.plan, local.owner, *interface);
        let mut next = after(local);
        if let (Some(into), Some(role)) = (into, role) {
            let frame = next.frames.last_mut().expect("the call is still there");
            frame.registers[into.index()] = Value::Machine(child, role);
        }
        self.settle_on(next)
    }

    fn observe(&mut self, store: i32, message: MessageId) -> Observed {
        let Message { event, payload, audience } = self.messages.value(message);
        let (plan, store) = (&self.plan, self.stores.value(store.cast_unsigned() as usize));
        let noted = (&mut self.visited, &self.budget);
        match observe(plan, store, audience, *event, payload, noted) {
            Ok(store) => {
                self.note_specs(&store);
                Observed::Store(self.cell(store))
            }
            Err(fault) if fault.code == LIMIT => Observed::GaveUp(self.failures.intern(fault)),
            Err(fault) => Observed::Failed(self.failures.intern(fault)),
        }
    }
}

impl Names for Actors {
    fn control_name(&self, _: MachineId, local: LocalId) -> String {
        let local = self.locals.value(local);
        if local.phase == Phase::Halted {
            return "halted".to_owned();
        }
        let names = local.stack.iter().map(|&state| self.plan.state_name(local.owner, state));
        names.collect::<Vec<_>>().join("/")
    }

    fn control_span(&self, _: MachineId, local: LocalId) -> Span {
        span_of(&self.plan, self.locals.value(local))
    }

    fn action_span(&self, machine: MachineId, local: LocalId) -> Option<Span> {
        Some(self.control_span(machine, local))
    }

    fn assigned(&self, _: MachineId, from: LocalId, to: LocalId) -> Vec<Assigned> {
        self.plan.assigned(self.locals.value(from), self.locals.value(to))
    }

    fn local_text(&self, _: MachineId, local: LocalId) -> String {
        self.plan.local_text(self.locals.value(local))
    }

    fn local_from_text(&mut self, machine: MachineId, text: &str) -> Option<LocalId> {
        let local = self.plan.read_local(text)?;
        let of = matches!(local.owner, Owner::Machine(_, id) if id == machine);
        of.then(|| self.locals.intern(local))
    }

    fn message_text(&self, message: MessageId) -> String {
        self.plan.message_text(self.messages.value(message))
    }

    fn in_full(&self) -> Option<Box<dyn Program>> {
        let full = Self::remembering(self.full.clone()?);
        let (outline, marks) = (self.outline.clone(), self.marks.clone());
        Some(Box::new(Self { outline, marks, ..full }))
    }

    fn message_shown(&self, message: MessageId) -> String {
        let message = self.messages.value(message);
        let unread = self.unread.get(message.event).map_or(&[][..], Vec::as_slice);
        self.plan.message_shown(message, unread)
    }

    fn message_from_text(&mut self, text: &str) -> Option<MessageId> {
        let message = self.plan.read_message(text)?;
        Some(self.messages.intern(message))
    }

    fn store_text(&self, cells: &[i32]) -> String {
        self.plan.store_text(self.stores.value(cells[0].cast_unsigned() as usize))
    }

    fn store_from_text(&mut self, text: &str) -> Option<Vec<i32>> {
        let store = self.plan.read_store(text)?;
        Some(vec![self.cell(store)])
    }

    fn failure(&self, failure: FailureId) -> Failure {
        self.failures.value(failure).to_failure()
    }

    fn machine_name(&self, machine: MachineId, local: LocalId) -> Option<String> {
        let Owner::Machine(role, _) = self.locals.value(local).owner else { return None };
        Some(format!("{}({})", self.plan.role_name(role), machine.raw()))
    }

    fn unvisited(&self) -> Option<Vec<Site>> {
        Some(self.visited.others(&self.plan))
    }

    fn suspect(&self) -> Option<Suspect> {
        self.growth.suspect()
    }

    fn widest(&self) -> Option<Widest> {
        self.growth.widest()
    }
}

/// One machine with its mailbox is there from the beginning.
fn outline(blueprint: &Blueprint) -> Outline {
    let main = &blueprint.roles[blueprint.main];
    let machine = MachineId::from_raw(0);
    let queue = QueueInfo {
        name: main.name.clone(),
        kind: UNBOUNDED,
        readers: vec![machine],
        writers: Vec::new(),
        span: main.span,
    };
    Outline {
        language: blueprint.language,
        discipline: Discipline::Mailbox,
        machines: vec![MachineInfo { name: main.name.clone(), span: main.span }].into(),
        queues: vec![queue].into(),
        kinds: vec![QueueKind::UNBOUNDED].into(),
        ltl: super::heat::demands(blueprint),
        failing: vec![Property::Assert, Property::Unhandled, Property::Divergence],
        store_is_watched: true,
        ..Outline::default()
    }
}

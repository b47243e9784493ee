//! Random programs whose steps are turns: machines that look at each other, do several things at once, come
//! and go, go on alone, wait for a timeout and fail. Everything that the fast expansion of such programs has to
//! get right.

use qp_base::{Code, Interner, Span};
use qp_machines::{
    Act, After, Atom, Bad, Capacity, CellId, Event, Failure, FailureId, Heed, KindId, LocalId,
    Loss, MachineId, MachineInfo, MessageId, Model, Names, Outline, Pattern, Program, Property,
    QueueId, QueueInfo, QueueKind, Scan, Start, Turn, Uses, WordId, World,
};

use crate::rng::Rng;

const STATES: usize = 4;
const TYPES: usize = 2;
const MESSAGES: usize = 2;
const CELLS: usize = 2;
const MACHINES_MAX: usize = 4;
const QUEUES_MAX: usize = 4;

/// A random program.
#[derive(Clone)]
pub struct Pageant {
    outline: Outline,
    /// By type and state.
    plans: Vec<Vec<State>>,
    n_initial: usize,
    /// Whether nobody looks at where others are, and queues stay.
    discreet: bool,
    locals: Interner<LocalId, Local>,
}

/// A local state: type and control state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Local {
    kind: usize,
    state: usize,
}

#[derive(Clone)]
struct State {
    plans: Vec<Plan>,
    may_rest: bool,
}

/// One thing that a machine can do, if all conditions hold and all deeds are possible.
#[derive(Clone)]
struct Plan {
    conditions: Vec<Condition>,
    deeds: Vec<Deed>,
    next: usize,
    hold: bool,
}

/// Machines, queues and cells are taken modulo how many there are.
#[derive(Clone, Copy)]
enum Condition {
    Cell(usize, i32),
    /// The queue has at least so many messages.
    Length(usize, usize),
    /// The machine is in this state.
    Sees(usize, usize),
    /// The same, with a small look.
    Asks(usize, usize),
    /// There are at most so many machines.
    Few(usize),
    Timeout,
}

#[derive(Clone, Copy)]
enum Deed {
    Set(usize, i32),
    Send(usize, usize),
    Take(usize),
    /// Pushes another machine into a state.
    Push(usize, usize),
    Create(usize),
    Open(usize),
    End,
    Fail(u32),
    GiveUp,
}

/// What a plan has come to so far.
struct Draft<'a> {
    world: &'a mut dyn World,
    machine: MachineId,
    kinds: &'a [QueueKind],
    acts: Vec<Act>,
    after: After,
}

/// Why a plan does not lead on.
enum Stop {
    Waits,
    Fails(FailureId),
    GivesUp,
}

impl Pageant {
    /// The program of a seed. If it is `closed`, all queues have capacities.
    pub fn new(seed: u64, closed: bool) -> Self {
        let mut rng = Rng::new(seed);
        let rng = &mut rng;
        let n_initial = 1 + rng.below(3);
        let outline = outline(rng, n_initial, closed);
        let plans = (0..TYPES).map(|_| (0..STATES).map(|_| state(rng)).collect()).collect();
        Self::made(outline, plans, n_initial, false)
    }

    /// The program of a seed in which nobody looks at where others are, and most queues are written by one
    /// machine and read by another.
    pub fn discreet(seed: u64, closed: bool) -> Self {
        let mut rng = Rng::new(seed);
        let rng = &mut rng;
        let n_initial = 2 + rng.below(2);
        let outline = outline(rng, n_initial, closed);
        let state = |rng: &mut Rng, kind| {
            let plans = (0..=rng.below(2)).map(|_| discreet_plan(rng, kind)).collect();
            State { plans, may_rest: rng.percent(40) }
        };
        let kind = |kind| (0..STATES).map(|_| state(rng, kind)).collect();
        let plans = (0..TYPES).map(kind).collect();
        Self::made(outline, plans, n_initial, true)
    }

    fn made(outline: Outline, plans: Vec<Vec<State>>, n_initial: usize, discreet: bool) -> Self {
        Self { outline, plans, n_initial, discreet, locals: Interner::new() }
    }

    /// As a model.
    pub fn model(self) -> Model {
        Model::new(self)
    }

    fn turn(
        &mut self,
        machine: MachineId,
        local: Local,
        plan: &Plan,
        timeout: bool,
        world: &mut dyn World,
    ) -> Option<Turn> {
        for &condition in &plan.conditions {
            if !self.is_true(condition, timeout, world) {
                return None;
            }
        }
        let kinds = self.outline.kinds.iter().copied().collect::<Vec<_>>();
        let (acts, after) = (Vec::new(), After::default());
        let mut draft = Draft { world, machine, kinds: &kinds, acts, after };
        let mut ended = false;
        for &deed in &plan.deeds {
            let born = match deed {
                Deed::Push(other, state) => {
                    let other = MachineId::new(other % draft.world.n_machines());
                    let Local { kind, .. } = *self.locals.value(draft.world.local(other));
                    Some((other, Local { kind, state }))
                }
                Deed::Create(kind) => Some((machine, Local { kind, state: 0 })),
                _ => None,
            };
            let born = born.map(|(whom, local)| (whom, self.locals.intern(local)));
            ended |= matches!(deed, Deed::End);
            match draft.perform(deed, born) {
                Ok(()) => {}
                Err(Stop::Waits) => return None,
                Err(Stop::Fails(failure)) => {
                    return Some(Turn::Fails { acts: draft.acts, failure });
                }
                Err(Stop::GivesUp) => return Some(Turn::GivesUp { why: FailureId::from_raw(0) }),
            }
            if ended {
                break;
            }
        }
        if draft.acts.is_empty() {
            draft.act(Event::Internal);
        }
        let Draft { acts, mut after, .. } = draft;
        if !ended {
            let next = self.locals.intern(Local { state: plan.next, ..local });
            after.locals.retain(|&(other, _)| other != machine);
            after.locals.push((machine, next));
            after.holder = plan.hold.then_some(machine);
        }
        Some(Turn::Does { acts, after })
    }

    fn is_true(&self, condition: Condition, timeout: bool, world: &mut dyn World) -> bool {
        match condition {
            Condition::Cell(cell, value) => world.cell(CellId::new(cell)) == value,
            Condition::Length(..) if world.n_queues() == 0 => false,
            Condition::Length(queue, least) => {
                let queue = QueueId::new(queue % world.n_queues().max(1));
                let word = world.word(queue);
                !world.shorter(queue, word, least as u32)
            }
            Condition::Sees(other, state) => {
                let other = MachineId::new(other % world.n_machines());
                self.locals.value(world.local(other)).state == state
            }
            Condition::Asks(other, state) => {
                let other = MachineId::new(other % world.n_machines());
                let is = |local| u32::from(self.locals.value(local).state == state);
                world.about(other, state as u64, &mut { is }) == 1
            }
            Condition::Few(most) => world.n_machines() <= most,
            Condition::Timeout => timeout,
        }
    }
}

impl Draft<'_> {
    fn act(&mut self, event: Event) {
        self.acts.push(Act { machine: self.machine, event, statement: None });
    }

    /// A queue that exists before the turn, and what it holds by now.
    fn queue(&mut self, number: usize) -> (QueueId, WordId) {
        let queue = QueueId::new(number % self.world.n_queues().max(1));
        let changed = self.after.words.iter().find(|(changed, _)| *changed == queue);
        (queue, changed.map_or_else(|| self.world.word(queue), |&(_, word)| word))
    }

    fn put(&mut self, queue: QueueId, word: WordId) {
        self.after.words.retain(|(changed, _)| *changed != queue);
        self.after.words.push((queue, word));
    }

    /// `local` is the machine that is pushed or created, with its new local state.
    fn perform(&mut self, deed: Deed, local: Option<(MachineId, LocalId)>) -> Result<(), Stop> {
        match deed {
            Deed::Send(..) | Deed::Take(_) if self.world.n_queues() == 0 => {
                return Err(Stop::Waits);
            }
            Deed::Set(cell, value) => self.after.cells.push((CellId::new(cell), value)),
            Deed::Send(queue, message) => {
                let (queue, word) = self.queue(queue);
                let kind = self.world.kind(queue);
                if let Capacity::Messages(n) = self.kinds[kind.index()].capacity
                    && !self.world.shorter(queue, word, n)
                {
                    return Err(Stop::Waits);
                }
                let message = MessageId::new(message);
                let longer = self.world.push(queue, word, message, &named);
                self.put(queue, longer);
                self.act(Event::Sent { queue, message });
            }
            Deed::Take(queue) => {
                let (queue, word) = self.queue(queue);
                let Scan::Takes { message, .. } = self.world.scan(queue, word, &mut |_| Heed::Take)
                else {
                    return Err(Stop::Waits);
                };
                // A turn of these programs is one way through it: where several contents may be left, it is given up.
                let [rest] = self.world.remove(queue, word, 0, &named)[..] else {
                    return Err(Stop::GivesUp);
                };
                self.put(queue, rest);
                self.act(Event::Took { queue, message, position: 0, kept: false });
            }
            Deed::Push(..) => {
                let (other, local) = local.expect("somebody is pushed");
                self.after.locals.retain(|&(changed, _)| changed != other);
                self.after.locals.push((other, local));
            }
            Deed::Create(_) => {
                let (_, local) = local.expect("somebody is created");
                let n = self.after.n_machines.unwrap_or_else(|| self.world.n_machines());
                if n == MACHINES_MAX {
                    return Err(Stop::Waits);
                }
                self.after.n_machines = Some(n + 1);
                self.after.locals.push((MachineId::new(n), local));
                self.act(Event::Created { machine: MachineId::new(n) });
            }
            Deed::Open(message) => {
                let n = self.after.n_queues.unwrap_or_else(|| self.world.n_queues());
                if n == QUEUES_MAX {
                    return Err(Stop::Waits);
                }
                self.after.n_queues = Some(n + 1);
                self.after.kinds.push((QueueId::new(n), KindId::from_raw(message as u32)));
                let (queue, message) = (QueueId::new(n), MessageId::new(message));
                let word = self.world.push(queue, WordId::EMPTY, message, &named);
                self.after.words.push((queue, word));
            }
            Deed::End => return self.end(),
            Deed::Fail(failure) => {
                let failure = FailureId::from_raw(failure);
                self.act(Event::Failed { failure });
                return Err(Stop::Fails(failure));
            }
            Deed::GiveUp => return Err(Stop::GivesUp),
        }
        Ok(())
    }

    /// Only the last machine can end, and the last queue ends with it; nothing else happened before.
    fn end(&mut self) -> Result<(), Stop> {
        let (n_machines, n_queues) = (self.world.n_machines(), self.world.n_queues());
        let last = self.machine.index() + 1 == n_machines && n_machines > 1 && n_queues > 1;
        if !last || !self.acts.is_empty() || self.after != After::default() {
            return Err(Stop::Waits);
        }
        self.after.n_machines = Some(n_machines - 1);
        self.after.n_queues = Some(n_queues - 1);
        self.act(Event::Ended);
        Ok(())
    }
}

fn outline(rng: &mut Rng, n_initial: usize, closed: bool) -> Outline {
    let span = Span::default();
    let mut outline = Outline {
        language: "pageant",
        failing: vec![Property::Assert, Property::Divergence],
        n_cells: Some(CELLS),
        ..Outline::default()
    };
    for kind in 0..2 {
        let capacity = if closed || rng.percent(30) {
            Capacity::Messages(1 + kind)
        } else {
            Capacity::Unbounded
        };
        outline.kinds.push(QueueKind { capacity, loss: Loss::Never });
    }
    for m in 0..n_initial {
        outline.machines.push(MachineInfo { name: format!("M{m}"), span });
    }
    for q in 0..=rng.below(2) {
        let (name, kind) = (format!("q{q}"), KindId::new(q));
        let (readers, writers) = (Vec::new(), Vec::new());
        outline.queues.push(QueueInfo { name, kind, readers, writers, span });
    }
    outline.messages = (0..MESSAGES).map(|m| format!("m{m}")).collect();
    let at = |m: usize, state: &str| Atom::Control(MachineId::new(m), vec![state.to_owned()]);
    let rest = Pattern::Star(Box::new(Pattern::Any));
    let first = Pattern::Sequence(vec![Pattern::One(vec![MessageId::new(0)]), rest]);
    let bad = |name: &str, cases| Bad { name: name.to_owned(), span, cases };
    outline.bad.push(bad("third", vec![vec![at(2, "s2")]]));
    let both = vec![at(0, "s1"), at(n_initial, "s2")];
    let held = vec![at(0, "s2"), Atom::Content(QueueId::new(outline.queues.len()), first)];
    outline.bad.push(bad("together", vec![both, held]));
    outline
}

fn state(rng: &mut Rng) -> State {
    let plans = (0..=rng.below(3)).map(|_| plan(rng)).collect();
    State { plans, may_rest: rng.percent(40) }
}

fn plan(rng: &mut Rng) -> Plan {
    let conditions = (0..rng.below(3)).map(|_| condition(rng)).collect();
    let deeds = (0..rng.below(4)).map(|_| deed(rng)).collect();
    Plan { conditions, deeds, next: rng.below(STATES), hold: rng.percent(15) }
}

/// Steps that nobody notices happen often here.
fn discreet_plan(rng: &mut Rng, kind: usize) -> Plan {
    let mut conditions = Vec::new();
    if rng.percent(25) {
        conditions.push(match rng.below(8) {
            0..4 => Condition::Cell(rng.below(CELLS), value(rng)),
            4 => Condition::Length(rng.below(QUEUES_MAX), 1 + rng.below(2)),
            5 => Condition::Few(1 + rng.below(3)),
            _ => Condition::Timeout,
        });
    }
    let queue = |rng: &mut Rng, usual| if rng.percent(95) { usual } else { rng.below(QUEUES_MAX) };
    let deeds = (0..rng.below(3)).map(|_| match rng.below(40) {
        0..4 => Deed::Set(rng.below(CELLS), value(rng)),
        4..18 => Deed::Send(queue(rng, kind), rng.below(MESSAGES)),
        18..37 => Deed::Take(queue(rng, 1 - kind)),
        37 => Deed::Create(rng.below(TYPES)),
        38 if rng.percent(5) => Deed::GiveUp,
        _ => Deed::Fail(rng.below(2) as u32),
    });
    let deeds = deeds.collect();
    Plan { conditions, deeds, next: rng.below(STATES), hold: rng.percent(1) }
}

/// A value of a cell.
fn value(rng: &mut Rng) -> i32 {
    [-1, 0, 1][rng.below(3)]
}

fn condition(rng: &mut Rng) -> Condition {
    let other = rng.below(MACHINES_MAX);
    match rng.below(12) {
        0..4 => Condition::Cell(rng.below(CELLS), value(rng)),
        4..6 => Condition::Length(rng.below(QUEUES_MAX), 1 + rng.below(2)),
        6..8 => Condition::Sees(other, rng.below(STATES)),
        8..10 => Condition::Asks(other, rng.below(STATES)),
        10 => Condition::Few(1 + rng.below(3)),
        _ => Condition::Timeout,
    }
}

fn deed(rng: &mut Rng) -> Deed {
    match rng.below(40) {
        0..8 => Deed::Set(rng.below(CELLS), value(rng)),
        8..18 => Deed::Send(rng.below(QUEUES_MAX), rng.below(MESSAGES)),
        18..28 => Deed::Take(rng.below(QUEUES_MAX)),
        28..30 => Deed::Push(rng.below(MACHINES_MAX), rng.below(STATES)),
        30..33 => Deed::Create(rng.below(TYPES)),
        33 => Deed::Open(rng.below(2)),
        34..38 => Deed::End,
        38 => Deed::Fail(rng.below(2) as u32),
        _ if rng.percent(20) => Deed::GiveUp,
        _ => Deed::Take(0),
    }
}

impl Program for Pageant {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn outline_mut(&mut self) -> &mut Outline {
        &mut self.outline
    }

    fn fork(&self) -> Box<dyn Program> {
        Box::new(self.clone())
    }

    fn start(&mut self) -> Start {
        let local = |m: usize| Local { kind: m % TYPES, state: 0 };
        let locals = (0..self.n_initial).map(|m| self.locals.intern(local(m))).collect();
        let queues = self.outline.queues.iter().map(|info| info.kind).collect();
        Start { locals, queues, cells: vec![0; CELLS] }
    }

    fn turns(&mut self, machine: MachineId, timeout: bool, world: &mut dyn World) -> Vec<Turn> {
        let local = *self.locals.value(world.local(machine));
        let plans = self.plans[local.kind][local.state].plans.clone();
        let turn = |plan: &Plan| self.turn(machine, local, plan, timeout, world);
        plans.iter().filter_map(turn).collect()
    }

    fn uses(&mut self, machine: MachineId, world: &mut dyn World) -> Option<Uses> {
        if !self.discreet {
            return None;
        }
        let local = *self.locals.value(world.local(machine));
        let n_queues = world.n_queues();
        let mut uses = Uses { alone: true, single: true, ..Uses::default() };
        for plan in &self.plans[local.kind][local.state].plans {
            let asks = |condition: &Condition| matches!(condition, Condition::Length(..));
            if plan.conditions.iter().any(asks) {
                return None;
            }
            let mut met = Vec::new();
            for &deed in &plan.deeds {
                let (queue, ends) = match deed {
                    Deed::Send(queue, _) => (queue, &mut uses.back),
                    Deed::Take(queue) => (queue, &mut uses.front),
                    _ => continue,
                };
                let queue = QueueId::new(queue % n_queues);
                if met.contains(&queue) {
                    return None;
                }
                met.push(queue);
                ends.push(queue);
            }
            uses.single &= met.len() < 2;
        }
        Some(uses)
    }

    fn may_rest(&self, _: MachineId, local: LocalId) -> bool {
        let local = self.locals.value(local);
        self.plans[local.kind][local.state].may_rest
    }
}

impl Names for Pageant {
    fn control_name(&self, _: MachineId, local: LocalId) -> String {
        format!("s{}", self.locals.value(local).state)
    }

    fn control_span(&self, _: MachineId, _: LocalId) -> Span {
        Span::default()
    }

    fn local_text(&self, _: MachineId, local: LocalId) -> String {
        let Local { kind, state } = self.locals.value(local);
        format!("{kind} {state}")
    }

    fn local_from_text(&mut self, _: MachineId, text: &str) -> Option<LocalId> {
        let numbers: Option<Vec<usize>> = text.split(' ').map(|n| n.parse().ok()).collect();
        let [kind, state] = numbers?[..] else { return None };
        Some(self.locals.intern(Local { kind, state }))
    }

    fn message_text(&self, message: MessageId) -> String {
        named(message)
    }

    fn message_from_text(&mut self, text: &str) -> Option<MessageId> {
        text.strip_prefix('m')?.parse().ok().map(MessageId::from_raw)
    }

    fn store_text(&self, cells: &[i32]) -> String {
        cells.iter().map(i32::to_string).collect::<Vec<_>>().join(" ")
    }

    fn store_from_text(&mut self, text: &str) -> Option<Vec<i32>> {
        text.split(' ').map(|n| n.parse().ok()).collect()
    }

    fn failure(&self, failure: FailureId) -> Failure {
        let property = self.outline.failing[failure.index()];
        Failure { property, code: Code(1002), text: format!("{failure:?}"), span: None }
    }
}

/// The name of a message.
fn named(message: MessageId) -> String {
    format!("m{}", message.raw())
}

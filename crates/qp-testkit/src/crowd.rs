//! Random programs of machines that create each other: everything that the fast expansion of machines
//! that meet only through queues has to get right.

use qp_base::{Code, Interner, Span};
use qp_machines::{
    Atom, Bad, Capacity, Condition, EarId, Effect, Failure, FailureId, Guard, KindId, LocalId,
    Loss, MachineId, MachineInfo, MessageId, Model, Move, Moves, Names, Observed, Outline, Pattern,
    Place, Program, Property, QueueId, QueueInfo, QueueKind, Reception, SeedId, Start, Taken, Turn,
    World, turns_of_commands,
};

use crate::rng::Rng;

const STATES: usize = 4;
const TYPES: usize = 3;
const MESSAGES: usize = 3;
const STORES: usize = 3;
/// What the ears of handlers are; others only count.
const HANDLERS: EarId = EarId::from_raw(0);
const COUNTS: EarId = EarId::from_raw(1);
/// Counts the same, whoever asks.
const ALIKE: EarId = EarId::from_raw(2);

/// A random program.
#[derive(Clone)]
pub struct Crowd {
    outline: Outline,
    local: bool,
    types: Vec<Vec<State>>,
    /// By store and message: the store afterwards, or a failure.
    watched: Vec<Vec<Result<usize, u32>>>,
    n_initial: usize,
    queues_each: usize,
    locals: Interner<LocalId, Local>,
}

/// A local state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Local {
    kind: usize,
    state: usize,
    /// The first of its own queues.
    mine: u32,
    /// A queue of a machine that it knows.
    friend: u32,
    /// How many machines it may still create.
    left: u32,
}

impl Local {
    fn queue(self, whom: Whom) -> QueueId {
        QueueId::from_raw(match whom {
            Whom::Friend => self.friend,
            Whom::Me => self.mine,
            Whom::First => 0,
        })
    }
}

#[derive(Clone)]
struct State {
    moves: Vec<Plan>,
    /// By message: where a handler leads, or what else happens.
    hears: Vec<Hears>,
    may_rest: bool,
}

#[derive(Clone, Copy)]
enum Hears {
    Goes(usize, Option<usize>),
    Skips,
    Refuses,
    Crashes,
}

#[derive(Clone, Copy)]
struct Plan {
    deed: Deed,
    next: usize,
    announce: Option<usize>,
    guard: Option<Question>,
}

#[derive(Clone, Copy)]
enum Deed {
    Internal,
    Send { to: Whom, message: usize },
    Listen { second: bool },
    Create { kind: usize },
    Close,
    Fail { failure: u32 },
    GiveUp,
}

#[derive(Clone, Copy)]
enum Whom {
    Friend,
    Me,
    First,
}

/// Conditions are about the target of a send, and otherwise about whom they say.
#[derive(Clone, Copy)]
enum Question {
    Idle,
    About { whom: Whom, not: bool, condition: Condition },
}

impl Crowd {
    /// The program of a seed; `local` says whether it tells what kind of program it is.
    pub fn new(seed: u64, local: bool) -> Self {
        let mut rng = Rng::new(seed);
        let rng = &mut rng;
        let n_initial = 1 + rng.below(2);
        let queues_each = 1 + usize::from(rng.percent(20));
        let kind = QueueKind {
            capacity: if rng.percent(20) { Capacity::Messages(2) } else { Capacity::Unbounded },
            loss: Loss::Never,
        };
        let outline = outline(n_initial, queues_each, kind);
        let types =
            (0..TYPES).map(|_| (0..STATES).map(|_| state(rng, queues_each)).collect()).collect();
        let watched = (0..STORES)
            .map(|_| {
                let cell = |rng: &mut Rng| {
                    let (fails, store) = (rng.percent(10), rng.below(STORES));
                    if fails { Err(store as u32) } else { Ok(store) }
                };
                (0..MESSAGES).map(|_| cell(rng)).collect()
            })
            .collect();
        let locals = Interner::new();
        Self { outline, local, types, watched, n_initial, queues_each, locals }
    }

    /// As a model.
    pub fn model(self) -> Model {
        Model::new(self)
    }

    fn make(&mut self, local: Local, plan: Plan) -> Option<Move> {
        let effect = match plan.deed {
            Deed::Internal => Effect::Internal,
            Deed::Send { to, message } => Effect::Send {
                queue: local.queue(to),
                message: MessageId::new(message),
                place: Place::Back,
            },
            Deed::Listen { second } => {
                let queue = QueueId::from_raw(local.mine + u32::from(second));
                Effect::Receive { queue, ear: HANDLERS }
            }
            Deed::Create { .. } if local.left == 0 => return None,
            Deed::Create { kind } => {
                let seed = SeedId::new(kind + TYPES * local.mine as usize);
                Effect::Spawn { seed, queues: vec![KindId::from_raw(0); self.queues_each] }
            }
            Deed::Close => Effect::Close { queue: local.queue(Whom::Me) },
            Deed::Fail { failure } => Effect::Fail { failure: FailureId::from_raw(failure) },
            Deed::GiveUp => Effect::GiveUp { why: FailureId::from_raw(0) },
        };
        let left = local.left - u32::from(matches!(plan.deed, Deed::Create { .. }));
        let next = self.locals.intern(Local { state: plan.next, left, ..local });
        let guards = plan.guard.map(|question| match (question, plan.deed) {
            (Question::Idle, _) => Guard::Idle,
            (Question::About { whom, not, condition }, deed) => {
                let whom = if let Deed::Send { to, .. } = deed { to } else { whom };
                let queue = local.queue(whom);
                if not { Guard::HoldsNot(queue, condition) } else { Guard::Holds(queue, condition) }
            }
        });
        let announce = plan.announce.map(MessageId::new);
        let guards = guards.into_iter().collect();
        Some(Move { guards, announce, ..Move::plain(effect, next) })
    }
}

fn outline(n_initial: usize, queues_each: usize, kind: QueueKind) -> Outline {
    let span = Span::default();
    let machine = MachineId::new;
    let mut outline = Outline {
        language: "crowd",
        failing: vec![Property::Assert, Property::Unhandled, Property::Divergence],
        store_is_watched: true,
        ..Outline::default()
    };
    outline.kinds.push(kind);
    for m in 0..n_initial {
        outline.machines.push(MachineInfo { name: format!("M{m}"), span });
        for q in 0..queues_each {
            outline.queues.push(QueueInfo {
                name: format!("M{m}.{q}"),
                kind: KindId::from_raw(0),
                readers: vec![machine(m)],
                writers: Vec::new(),
                span,
            });
        }
    }
    outline.messages = (0..MESSAGES).map(|m| format!("m{m}")).collect();
    // One about a machine that may never exist, one about two machines and a queue.
    let at = |m: usize, states: &[&str]| {
        Atom::Control(machine(m), states.iter().map(|&state| state.to_owned()).collect())
    };
    let rest = Pattern::Star(Box::new(Pattern::Any));
    let holds_first = Pattern::Sequence(vec![Pattern::One(vec![MessageId::new(0)]), rest]);
    let bad = |name: &str, cases| Bad { name: name.to_owned(), span, cases };
    outline.bad.push(bad("third", vec![vec![at(2, &["s0", "s1", "s2"])]]));
    let queue = QueueId::new(queues_each * n_initial);
    let both = vec![at(0, &["s1", "s3"]), at(n_initial, &["s2"])];
    let full = vec![at(0, &["s2"]), Atom::Content(queue, holds_first)];
    outline.bad.push(bad("together", vec![both, full]));
    outline
}

fn state(rng: &mut Rng, queues_each: usize) -> State {
    let mut moves: Vec<Plan> = (0..=rng.below(3)).map(|_| plan(rng, queues_each)).collect();
    if rng.percent(50) {
        moves.push(plain(rng, Deed::Listen { second: false }));
    }
    let hears = |rng: &mut Rng| match rng.below(8) {
        0 => Hears::Skips,
        1 => Hears::Refuses,
        2 => Hears::Crashes,
        3 => Hears::Goes(rng.below(STATES), Some(rng.below(STATES))),
        _ => Hears::Goes(rng.below(STATES), None),
    };
    let hears = (0..MESSAGES).map(|_| hears(rng)).collect();
    State { moves, hears, may_rest: rng.percent(40) }
}

fn plain(rng: &mut Rng, deed: Deed) -> Plan {
    Plan { deed, next: rng.below(STATES), announce: None, guard: None }
}

fn plan(rng: &mut Rng, queues_each: usize) -> Plan {
    let message = rng.below(MESSAGES);
    let to = whom(rng);
    let deed = match rng.below(40) {
        0..2 => Deed::Internal,
        2..12 => Deed::Send { to, message },
        12..24 => Deed::Listen { second: queues_each > 1 && rng.percent(50) },
        24..36 => Deed::Create { kind: rng.below(TYPES) },
        36 => Deed::Close,
        37..39 => Deed::Fail { failure: rng.below(3) as u32 },
        _ if rng.percent(30) => Deed::GiveUp,
        _ => Deed::Internal,
    };
    let mut plan = plain(rng, deed);
    if !matches!(deed, Deed::Listen { .. }) {
        plan.announce = rng.percent(20).then_some(message);
        plan.guard = rng.percent(40).then(|| question(rng));
    }
    plan
}

fn whom(rng: &mut Rng) -> Whom {
    match rng.below(6) {
        0 => Whom::Me,
        1..3 => Whom::First,
        _ => Whom::Friend,
    }
}

fn question(rng: &mut Rng) -> Question {
    if rng.percent(25) {
        return Question::Idle;
    }
    let condition = match rng.below(6) {
        0 => Condition::Empty,
        1 => Condition::Full,
        2 => Condition::LengthBelow(1 + rng.below(2) as u32),
        3 => Condition::Ready(COUNTS),
        4 => Condition::Fewer(ALIKE, 1 + rng.below(2) as u32),
        _ => Condition::Fewer(COUNTS, 1 + rng.below(2) as u32),
    };
    Question::About { whom: whom(rng), not: rng.percent(40), condition }
}

impl Program for Crowd {
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
        let each = self.queues_each as u32;
        let local = |m: usize| Local {
            kind: m,
            state: 0,
            mine: m as u32 * each,
            friend: (self.n_initial - 1) as u32 * each,
            left: 2,
        };
        let locals: Vec<Local> = (0..self.n_initial).map(local).collect();
        Start {
            locals: locals.into_iter().map(|local| self.locals.intern(local)).collect(),
            queues: vec![KindId::from_raw(0); self.n_initial * self.queues_each],
            cells: vec![0],
        }
    }

    fn turns(&mut self, machine: MachineId, timeout: bool, world: &mut dyn World) -> Vec<Turn> {
        turns_of_commands(self, machine, timeout, world)
    }

    fn as_moves(&mut self) -> Option<&mut dyn Moves> {
        Some(self)
    }

    fn may_rest(&self, _: MachineId, local: LocalId) -> bool {
        let local = self.locals.value(local);
        self.types[local.kind][local.state].may_rest
    }
}

impl Moves for Crowd {
    fn are_local(&self) -> bool {
        self.local
    }

    fn moves(&mut self, _: MachineId, local: LocalId, _: i32) -> Vec<Move> {
        let local = *self.locals.value(local);
        let plans = self.types[local.kind][local.state].moves.clone();
        plans.into_iter().filter_map(|plan| self.make(local, plan)).collect()
    }

    fn reception(
        &mut self,
        _: MachineId,
        local: LocalId,
        _: i32,
        ear: EarId,
        message: MessageId,
    ) -> Reception {
        let local = *self.locals.value(local);
        if ear != HANDLERS {
            let counted = message.index() == if ear == ALIKE { 0 } else { local.state % 2 };
            let here = Taken::plain(self.locals.intern(local));
            return if counted { Reception::Take(vec![here]) } else { Reception::Skip };
        }
        match self.types[local.kind][local.state].hears[message.index()] {
            Hears::Skips => Reception::Skip,
            Hears::Refuses => Reception::Refuse,
            Hears::Crashes => Reception::Crash,
            Hears::Goes(first, second) => {
                let states = [Some(first), second].into_iter().flatten();
                let go = |state| Taken::plain(self.locals.intern(Local { state, ..local }));
                Reception::Take(states.map(go).collect())
            }
        }
    }

    fn hears_alike(&self, ear: EarId) -> bool {
        ear == ALIKE
    }

    /// A child knows who created it.
    fn born(&mut self, seed: SeedId, machine: MachineId, first_queue: QueueId) -> LocalId {
        let (kind, friend) = (seed.index() % TYPES, (seed.index() / TYPES) as u32);
        let left = u32::from(machine.index() < 3);
        self.locals.intern(Local { kind, state: 0, mine: first_queue.raw(), friend, left })
    }

    fn resume(&mut self, local: LocalId, _: MachineId, first_queue: QueueId) -> LocalId {
        let local = *self.locals.value(local);
        self.locals.intern(Local { friend: first_queue.raw(), ..local })
    }

    fn observe(&mut self, store: i32, message: MessageId) -> Observed {
        match self.watched[store.cast_unsigned() as usize][message.index()] {
            Ok(store) => Observed::Store(i32::try_from(store).expect("few")),
            Err(failure) => Observed::Failed(FailureId::from_raw(failure)),
        }
    }
}

impl Names for Crowd {
    fn control_name(&self, _: MachineId, local: LocalId) -> String {
        format!("s{}", self.locals.value(local).state)
    }

    fn control_span(&self, _: MachineId, _: LocalId) -> Span {
        Span::default()
    }

    fn local_text(&self, _: MachineId, local: LocalId) -> String {
        let Local { kind, state, mine, friend, left } = self.locals.value(local);
        format!("{kind} {state} {mine} {friend} {left}")
    }

    fn local_from_text(&mut self, _: MachineId, text: &str) -> Option<LocalId> {
        let numbers: Option<Vec<usize>> = text.split(' ').map(|n| n.parse().ok()).collect();
        let [kind, state, mine, friend, left] = numbers?[..] else { return None };
        let (mine, friend, left) = (mine as u32, friend as u32, left as u32);
        Some(self.locals.intern(Local { kind, state, mine, friend, left }))
    }

    fn message_text(&self, message: MessageId) -> String {
        format!("m{}", message.raw())
    }

    fn message_from_text(&mut self, text: &str) -> Option<MessageId> {
        text.strip_prefix('m')?.parse().ok().map(MessageId::from_raw)
    }

    fn store_text(&self, cells: &[i32]) -> String {
        cells[0].to_string()
    }

    fn store_from_text(&mut self, text: &str) -> Option<Vec<i32>> {
        Some(vec![text.parse().ok()?])
    }

    fn failure(&self, failure: FailureId) -> Failure {
        let property = self.outline.failing[failure.index()];
        Failure { property, code: Code(1002), text: format!("{failure:?}"), span: None }
    }
}

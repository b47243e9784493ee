//! Random machines with mailboxes in which messages wait: deferred ones, moves for when nothing can be received,
//! conditions on queues, copies, atomic sequences.
//!
//! Most of them have queues that grow for ever, and few states: what proofs for every queue length are about.

use qp_base::{Code, Span};
use qp_machines::{
    Atom, Bad, Capacity, Condition, EarId, Effect, Failure, FailureId, Guard, KindId, LocalId,
    Loss, MachineId, MachineInfo, MessageId, Model, Move, Moves, Names, Outline, Pattern, Place,
    Program, Property, QueueId, QueueInfo, QueueKind, Reception, Start, Taken, Turn, World,
    turns_of_commands,
};

use crate::rng::Rng;

const NAMES: [&str; 3] = ["a", "b", "c"];
/// The ear of handlers; the other one takes the first message only.
const HANDLERS: EarId = EarId::from_raw(0);
const COUNTS: EarId = EarId::from_raw(1);

/// A random program.
#[derive(Clone)]
pub struct Lazy {
    outline: Outline,
    /// By machine and state.
    states: Vec<Vec<State>>,
}

#[derive(Clone)]
struct State {
    moves: Vec<Move>,
    /// By message.
    hears: Vec<Reception>,
    may_rest: bool,
}

/// What a system may contain besides sends, receives and deferred messages.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is drawn for itself")]
struct Oddities {
    conditions: bool,
    sorted: bool,
    keeps: bool,
    holds: bool,
    others: bool,
}

impl Lazy {
    /// The program of a seed: two or three machines with up to three states and messages.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let rng = &mut rng;
        let (n_machines, n_messages) = (2 + rng.below(5) / 4, 1 + rng.below(3));
        let odd = Oddities {
            conditions: rng.percent(20),
            sorted: rng.percent(5),
            keeps: rng.percent(10),
            holds: rng.percent(10),
            others: rng.percent(10),
        };
        let outline = outline(rng, n_machines, n_messages);
        let states = (0..n_machines)
            .map(|machine| {
                let n_states = 1 + rng.below(3);
                let shape = (machine, n_machines, n_states, n_messages);
                (0..n_states).map(|_| state(rng, shape, odd)).collect()
            })
            .collect();
        Self { outline, states }
    }

    /// As a model.
    pub fn model(self) -> Model {
        Model::new(self)
    }
}

fn outline(rng: &mut Rng, n_machines: usize, n_messages: usize) -> Outline {
    let span = Span::default();
    let mut outline = Outline {
        language: "lazy",
        failing: vec![Property::Assert],
        n_cells: Some(0),
        messages: NAMES[..n_messages].iter().map(|&name| name.to_owned()).collect(),
        ..Outline::default()
    };
    for m in 0..n_machines {
        let (capacity, loss) = match rng.below(12) {
            0 => (Capacity::Messages(1 + rng.below(2) as u32), Loss::Never),
            1 => (Capacity::Messages(1), Loss::WhenFull),
            2 => (Capacity::Unbounded, Loss::Always),
            _ => (Capacity::Unbounded, Loss::Never),
        };
        let kind = outline.kinds.push(QueueKind { capacity, loss });
        let (name, readers) = (format!("M{m}"), vec![MachineId::new(m)]);
        outline.machines.push(MachineInfo { name: name.clone(), span });
        outline.queues.push(QueueInfo { name, kind, readers, writers: Vec::new(), span });
    }
    for number in 0..2 {
        let control = Atom::Control(MachineId::new(rng.below(n_machines)), vec!["s1".to_owned()]);
        let queue = QueueId::new(rng.below(n_machines));
        let content = Atom::Content(queue, pattern(rng, n_messages));
        let case = match rng.below(3) {
            0 => vec![control],
            1 => vec![content],
            _ => vec![control, content],
        };
        outline.bad.push(Bad { name: format!("bad{number}"), span, cases: vec![case] });
    }
    outline
}

/// Such as `.* a .* b`, or a few messages.
fn pattern(rng: &mut Rng, n_messages: usize) -> Pattern {
    let part = |rng: &mut Rng| match rng.below(3) {
        0 => Pattern::Star(Box::new(Pattern::Any)),
        1 => Pattern::Any,
        _ => Pattern::One(vec![MessageId::new(rng.below(n_messages))]),
    };
    Pattern::Sequence((0..=rng.below(5)).map(|_| part(rng)).collect())
}

type Numbers = (usize, usize, usize, usize);

fn state(rng: &mut Rng, shape: Numbers, odd: Oddities) -> State {
    let (machine, _, n_states, n_messages) = shape;
    let mut moves: Vec<Move> = (0..=rng.below(3)).map(|_| plan(rng, shape, odd)).collect();
    if rng.percent(70) {
        let effect = Effect::Receive { queue: QueueId::new(machine), ear: HANDLERS };
        moves.push(Move::plain(effect, LocalId::new(0)));
    }
    let hears = (0..n_messages).map(|_| hears(rng, n_states, odd)).collect();
    State { moves, hears, may_rest: rng.percent(30) }
}

fn hears(rng: &mut Rng, n_states: usize, odd: Oddities) -> Reception {
    let taken = |rng: &mut Rng| Taken {
        hold: odd.holds && rng.percent(30),
        keep: odd.keeps && rng.percent(30),
        ..Taken::plain(LocalId::new(rng.below(n_states)))
    };
    match rng.below(10) {
        0..3 => Reception::Skip,
        3 => Reception::Refuse,
        // Where machines go on alone, as in Promela, nobody is ever at a loss.
        4 if !odd.holds => Reception::Crash,
        5 => Reception::Take(vec![taken(rng), taken(rng)]),
        _ => Reception::Take(vec![taken(rng)]),
    }
}

fn plan(rng: &mut Rng, (_, n_machines, n_states, n_messages): Numbers, odd: Oddities) -> Move {
    let queue = |rng: &mut Rng| QueueId::new(rng.below(n_machines));
    let effect = match rng.below(20) {
        0..14 => Effect::Send {
            queue: queue(rng),
            message: MessageId::new(rng.below(n_messages)),
            place: if odd.sorted && rng.percent(30) { Place::Sorted } else { Place::Back },
        },
        14 if odd.others => Effect::Close { queue: queue(rng) },
        15 if odd.others => Effect::Fail { failure: FailureId::from_raw(0) },
        16 if odd.others => Effect::Receive { queue: queue(rng), ear: HANDLERS },
        _ => Effect::Internal,
    };
    let guards = match rng.below(10) {
        0..2 => vec![Guard::Idle],
        2 if odd.others => vec![Guard::Else],
        3 if odd.others => vec![Guard::Timeout],
        4..7 if odd.conditions => {
            let (queue, condition) = (queue(rng), condition(rng));
            let no = rng.percent(40);
            let guard = if no { Guard::HoldsNot } else { Guard::Holds };
            vec![guard(queue, condition)]
        }
        _ => Vec::new(),
    };
    let hold = odd.holds && rng.percent(20);
    Move { guards, hold, ..Move::plain(effect, LocalId::new(rng.below(n_states))) }
}

fn condition(rng: &mut Rng) -> Condition {
    let n = 1 + rng.below(2) as u32;
    match rng.below(5) {
        0 => Condition::Empty,
        1 => Condition::Full,
        2 => Condition::LengthBelow(n),
        3 => Condition::Ready(COUNTS),
        _ => Condition::Fewer(COUNTS, n),
    }
}

impl Program for Lazy {
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
        Start {
            locals: vec![LocalId::new(0); self.states.len()],
            queues: (0..self.states.len()).map(KindId::new).collect(),
            cells: Vec::new(),
        }
    }

    fn turns(&mut self, machine: MachineId, timeout: bool, world: &mut dyn World) -> Vec<Turn> {
        turns_of_commands(self, machine, timeout, world)
    }

    fn as_moves(&mut self) -> Option<&mut dyn Moves> {
        Some(self)
    }

    fn may_rest(&self, machine: MachineId, local: LocalId) -> bool {
        self.states[machine.index()][local.index()].may_rest
    }
}

impl Moves for Lazy {
    fn moves(&mut self, machine: MachineId, local: LocalId, _: i32) -> Vec<Move> {
        self.states[machine.index()][local.index()].moves.clone()
    }

    fn reception(
        &mut self,
        machine: MachineId,
        local: LocalId,
        _: i32,
        ear: EarId,
        message: MessageId,
    ) -> Reception {
        if ear == COUNTS {
            let here = Reception::Take(vec![Taken::plain(local)]);
            return if message.index() == 0 { here } else { Reception::Skip };
        }
        self.states[machine.index()][local.index()].hears[message.index()].clone()
    }
}

impl Names for Lazy {
    fn control_name(&self, _: MachineId, local: LocalId) -> String {
        format!("s{}", local.raw())
    }

    fn control_span(&self, _: MachineId, _: LocalId) -> Span {
        Span::default()
    }

    fn local_text(&self, _: MachineId, local: LocalId) -> String {
        local.raw().to_string()
    }

    fn local_from_text(&mut self, machine: MachineId, text: &str) -> Option<LocalId> {
        let state: usize = text.parse().ok()?;
        (state < self.states.get(machine.index())?.len()).then(|| LocalId::new(state))
    }

    fn message_text(&self, message: MessageId) -> String {
        self.outline.messages[message].clone()
    }

    fn message_from_text(&mut self, text: &str) -> Option<MessageId> {
        self.outline.messages.iter().position(|name| name == text).map(MessageId::new)
    }

    fn failure(&self, _: FailureId) -> Failure {
        let text = "it went wrong".to_owned();
        Failure { property: Property::Assert, code: Code(1002), text, span: None }
    }
}

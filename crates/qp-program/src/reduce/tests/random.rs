//! Random programs: forgetting and leaving out must not change what can be seen.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_base::Span;
use qp_machines::{Config, Effect, Event, System};

use crate::reduce::reduce;
use crate::run::tests::build::*;
use crate::{
    Actors, Blueprint, Cap, Choice, Dialect, EventId, Expr, FunctionId, Handler, Instr, Op, Place,
    Projection, ReceiveCase, RegisterId, RoleId, State, StateId, Type,
};

/// A small generator of numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn small(&mut self, sides: u32) -> u32 {
        self.below(u64::from(sides)) as u32
    }
}

const N_STATES: u32 = 2;
const N_FIELDS: u32 = 3;
/// Each carries a pair of numbers.
const EVENTS: [EventId; 3] = [EventId::from_raw(2), EventId::from_raw(3), EventId::from_raw(4)];
/// The field after the numbers holds a pair, the next one a machine.
const PAIR: u32 = N_FIELDS;
const PEER: u32 = N_FIELDS + 1;

fn pair_type() -> Type {
    Type::Tuple(Arc::from([Type::Int, Type::Int]))
}

/// A pair of numbers.
fn pair(dice: &mut Dice) -> Expr {
    match dice.below(6) {
        0 => reg(0),
        1 => field(PAIR),
        _ => Expr::Tuple(vec![number(dice, 1), number(dice, 1)]),
    }
}

/// A number from 0 to 2.
fn number(dice: &mut Dice, depth: u32) -> Expr {
    match dice.below(if depth == 0 { 5 } else { 7 }) {
        0 => int(i64::from(dice.small(3))),
        1 => reg(1),
        2 => field(dice.small(N_FIELDS)),
        3 => Expr::Part(reg(0).into(), dice.small(2)),
        4 => Expr::Part(field(PAIR).into(), dice.small(2)),
        5 => {
            let divisor = number(dice, 0);
            binary(Op::Remainder, number(dice, depth - 1), plus(divisor, int(1)))
        }
        _ => {
            let sum = plus(number(dice, depth - 1), number(dice, depth - 1));
            binary(Op::Remainder, sum, int(3))
        }
    }
}

fn instr(dice: &mut Dice, at: u32, len: u32, callee: u32) -> Instr {
    let event = EVENTS[dice.below(3) as usize];
    let condition = |dice: &mut Dice| match dice.below(5) {
        0 => binary(Op::Equal, pair(dice), pair(dice)),
        _ => binary(Op::LessEqual, number(dice, 1), int(i64::from(dice.small(2) + 1))),
    };
    match dice.below(17) {
        0..4 => set_field(dice.small(N_FIELDS), number(dice, 2)),
        4 => set_reg(1, number(dice, 2)),
        5 => match dice.below(3) {
            0 => set_reg(0, pair(dice)),
            1 => set_field(PAIR, pair(dice)),
            _ => {
                let path = vec![Projection::Part(dice.small(2))];
                Instr::Assign { place: Place { path, ..at_field(PAIR) }, value: number(dice, 1) }
            }
        },
        6..8 => {
            let target = if dice.below(2) == 0 { Expr::This } else { field(PEER) };
            Instr::Send { target, event: ev(event), payload: pair(dice) }
        }
        8 | 9 => Instr::Unless(condition(dice), (at + 1 + dice.small(len - at)).min(len)),
        10 => Instr::Unless(condition(dice), dice.small(len)),
        11 => Instr::Choose { into: RegisterId::from_raw(1), from: Choice::Of(int(2)) },
        12 => Instr::Goto { state: StateId::from_raw(dice.small(N_STATES)), payload: pair(dice) },
        13 => Instr::Raise { event: ev(event), payload: pair(dice) },
        14 => Instr::Call {
            function: FunctionId::from_raw(callee),
            args: vec![pair(dice)],
            into: Some(RegisterId::from_raw(1)),
        },
        15 if dice.below(3) == 0 => Instr::Assert { condition: condition(dice), message: None },
        _ => match dice.below(3) {
            0 => Instr::Return(Some(number(dice, 1))),
            1 => Instr::Announce { event: ev(event), payload: pair(dice) },
            _ => Instr::Receive(vec![ReceiveCase {
                event: EVENTS[dice.below(2) as usize],
                into: Some(RegisterId::from_raw(0)),
                target: dice.small(len) + 1,
            }]),
        },
    }
}

/// Code that only changes variables, for specs.
fn quiet(dice: &mut Dice) -> Instr {
    match dice.below(3) {
        0 | 1 => set_field(dice.small(N_FIELDS), number(dice, 2)),
        _ => {
            let condition = binary(Op::LessEqual, number(dice, 1), int(1));
            Instr::Assert { condition, message: None }
        }
    }
}

/// Functions first..first + count, each with one parameter, which may call each other.
fn functions(maker: &mut Maker, dice: &mut Dice, count: u32) -> u32 {
    let first = maker.blueprint.functions.len() as u32;
    for number in 0..count {
        let len = 1 + dice.small(5);
        // Only the function before this one is called: deep recursion would give up.
        let callee = (maker.blueprint.functions.len() as u32).saturating_sub(1).max(first);
        let mut code: Vec<Instr> = (0..len).map(|at| instr(dice, at, len, callee)).collect();
        if number == 0 {
            let calls = code.iter_mut().filter(|instr| matches!(instr, Instr::Call { .. }));
            calls.for_each(|instr| *instr = Instr::Evaluate(reg(0)));
        }
        if dice.below(3) > 0 {
            let target = if dice.below(2) == 0 { Expr::This } else { field(PEER) };
            code.push(send_with(target, EVENTS[dice.below(3) as usize], pair(dice)));
        }
        code.push(Instr::Return(Some(self::number(dice, 1))));
        maker.function("f", 1, &[pair_type(), Type::Int], code);
    }
    first
}

fn states(dice: &mut Dice, first: u32, count: u32, pushes: bool) -> Vec<State> {
    let function = |dice: &mut Dice| FunctionId::from_raw(first + dice.small(count));
    let mut all = Vec::new();
    for name in ["S", "T"] {
        let mut it = state(name);
        it.entry = (dice.below(2) == 0).then(|| function(dice));
        it.exit = (dice.below(4) == 0).then(|| function(dice));
        for event in EVENTS {
            let next = StateId::from_raw(dice.small(N_STATES));
            it = match dice.below(if pushes { 9 } else { 8 }) {
                0 => it.on(event, Handler::Defer),
                1 => it.on(event, Handler::Ignore),
                2..=5 => it.on(event, Handler::Do(function(dice))),
                6 => it.on(event, Handler::Goto(next, None)),
                7 => it.on(event, Handler::Goto(next, Some(function(dice)))),
                _ => it.on(event, Handler::Push(next)),
            };
        }
        all.push(it);
    }
    all
}

/// Exit functions take nothing.
fn without_params(maker: &mut Maker) {
    let bodies = maker.blueprint.bodies.ids();
    let exits = bodies.flat_map(|body| {
        maker.blueprint.bodies[body].states.iter().filter_map(|it| it.exit).collect::<Vec<_>>()
    });
    for exit in exits.collect::<Vec<_>>() {
        let copy = maker.blueprint.functions[exit].clone();
        let copy = maker.blueprint.functions.push(crate::Function { n_params: 0, ..copy });
        for body in maker.blueprint.bodies.ids() {
            let states = maker.blueprint.bodies[body].states.ids();
            for state in states {
                let place = &mut maker.blueprint.bodies[body].states[state].exit;
                if *place == Some(exit) {
                    *place = Some(copy);
                }
            }
        }
    }
}

fn begin_at_zero() -> Instr {
    Instr::Goto { state: StateId::from_raw(0), payload: Expr::Tuple(vec![int(0), int(1)]) }
}

fn fields() -> Vec<(&'static str, Type)> {
    vec![
        ("a", Type::Int),
        ("b", Type::Int),
        ("c", Type::Int),
        ("pair", pair_type()),
        ("peer", Type::Machine(None)),
    ]
}

/// A main machine that creates one other and then does as its states say; a spec watches.
fn program(dice: &mut Dice) -> Blueprint {
    let dialect = if dice.below(2) == 0 { Dialect::Current } else { Dialect::Y2018 };
    let pushes = dialect == Dialect::Y2018 && dice.below(2) == 0;
    let mut maker = Maker::new(dialect);
    for name in ["eA", "eB", "eC"] {
        maker.event(name, pair_type());
    }
    let first = functions(&mut maker, dice, 4);
    let mut own = states(dice, first, 4, pushes);
    let code = vec![
        new(RoleId::from_raw(1), Expr::This, 0),
        set_field(PEER, reg(0)),
        send_with(field(PEER), EVENTS[0], Expr::Tuple(vec![int(1), int(2)])),
        begin_at_zero(),
    ];
    let begin = maker.function("begin", 0, &[Type::Machine(None)], code);
    own.push(state("Begin").entry(begin));
    let main = maker.role("Main", &fields(), own);
    let body = maker.blueprint.roles[main].body;
    maker.blueprint.bodies[body].start = StateId::from_raw(2);

    let first = functions(&mut maker, dice, 3);
    let mut other = states(dice, first, 3, pushes);
    let begin = maker.function(
        "begin",
        1,
        &[Type::Machine(None)],
        vec![set_field(PEER, reg(0)), begin_at_zero()],
    );
    other.push(state("Begin").entry(begin));
    let role = maker.role("Other", &fields(), other);
    let body = maker.blueprint.roles[role].body;
    maker.blueprint.bodies[body].start = StateId::from_raw(2);
    for role in [main, role] {
        maker.blueprint.roles[role].cap =
            Some(Cap { assume: true, count: 2, span: Span::default() });
    }

    let code: Vec<Instr> = (0..3).map(|_| quiet(dice)).collect();
    let seen = maker.function("seen", 1, &[pair_type(), Type::Int], code);
    let watch = state("W").on(EVENTS[0], Handler::Do(seen)).on(EVENTS[1], Handler::Ignore);
    maker.spec("Watch", &EVENTS[..2], &fields(), vec![watch]);
    without_params(&mut maker);
    maker.blueprint
}

/// All that can be seen of a program: where machines are, which events wait, how runs end.
#[derive(PartialEq, Eq, Debug, Default)]
struct Views {
    configs: BTreeSet<String>,
    ends: BTreeSet<String>,
}

/// What can be seen, and how many configurations there are; nothing if there are too many.
fn views(mut system: System) -> Option<(Views, usize)> {
    let mut views = Views::default();
    let first = system.initial();
    let (mut known, mut open) = (BTreeSet::from([first.clone()]), vec![first]);
    while let Some(config) = open.pop() {
        let view = view(&system, &config);
        // A machine that is just created and has several ways to begin takes a step for that; there may be
        // fewer ways when variables are forgotten.
        if !view.contains("Begin") {
            views.configs.insert(view);
        }
        for outcome in system.successors(&config) {
            if let Event::Failed { failure } | Event::GaveUp { why: failure } = outcome.event {
                views.ends.insert(format!("{:?}", system.program().failure(failure).code));
            } else if known.insert(outcome.config.clone()) {
                open.push(outcome.config);
            }
        }
        if known.len() > 4_000 {
            return None;
        }
    }
    Some((views, known.len()))
}

fn view(system: &System, config: &Config) -> String {
    let name = |machine| system.program().control_name(machine, config.local(machine));
    let names: Vec<String> = config.machines().map(name).collect();
    let event = |message| {
        let text = system.program().message_text(message);
        text.split('(').next().unwrap_or_default().to_owned()
    };
    let queue =
        |queue| system.words().messages(config.word(queue)).into_iter().map(event).collect();
    let queues: Vec<Vec<String>> = config.queues().map(queue).collect();
    format!("{names:?} {queues:?}")
}

#[test]
fn nothing_that_can_be_seen_changes() {
    let (mut compared, mut all, mut fewer, mut failing) = (0, 0, 0, 0);
    for seed in 0..1_000 {
        let mut dice = Dice(seed * 7919 + 13);
        let blueprint = program(&mut dice);
        let mut linked = blueprint.clone();
        for role in linked.roles.ids() {
            linked.roles[role].links = linked.roles.ids().map(Some).collect();
        }
        let plain = System::new(Box::new(Actors::remembering(Arc::new(linked.clone()))));
        let Some((plain, n_plain)) = views(plain) else { continue };
        // How far a run gets before the interpreter gives up depends on what it remembers.
        if plain.ends.contains("QP3006") {
            continue;
        }
        let forgetting = System::new(Box::new(Actors::new(Arc::new(linked.clone()))));
        let (forgetting, n_forgetting) = views(forgetting).unwrap();
        assert_eq!(plain, forgetting, "seed {seed}, forgetting");
        reduce(&mut linked);
        let (reduced, n_reduced) =
            views(System::new(Box::new(Actors::new(Arc::new(linked))))).unwrap();
        assert_eq!(plain, reduced, "seed {seed}, reduced");
        compared += 1;
        all += n_plain;
        fewer += n_reduced;
        assert!(n_forgetting <= n_plain, "seed {seed}");
        failing += usize::from(!plain.ends.is_empty());
    }
    assert!(compared > 900 && failing > 250, "{compared} compared, {failing} fail");
    assert!(fewer * 12 < all * 11, "{all} configurations, {fewer} reduced");
}

#[test]
fn texts_of_random_programs_can_be_read_back() {
    for seed in 0..150 {
        let mut dice = Dice(seed * 104_729 + 5);
        crate::run::tests::walk::walk(&mut system_of(program(&mut dice)), 200);
    }
}

/// Texts that somebody changed are refused, or name a local state that can be asked.
#[test]
fn changed_texts_do_no_harm() {
    let (mut read, mut refused) = (0, 0);
    for seed in 0..60 {
        let mut dice = Dice(seed * 15_485_863 + 1);
        let mut system = system_of(program(&mut dice));
        let seen = crate::run::tests::walk::walk(&mut system, 40);
        let message = system.program_mut().message_from_text("eA(1, 2)").unwrap();
        for (machine, local) in seen.locals {
            let text = system.program().local_text(machine, local);
            for _ in 0..20 {
                let changed = change(&mut dice, &text);
                let Some(local) = system.program_mut().local_from_text(machine, &changed) else {
                    refused += 1;
                    continue;
                };
                read += 1;
                let program = system.program_mut().as_moves().expect("P says commands");
                for mv in program.moves(machine, local, 0) {
                    if let Effect::Receive { ear, .. } = mv.effect {
                        program.reception(machine, local, 0, ear, message);
                    }
                }
            }
        }
    }
    assert!(read > 200 && refused > 2_000, "{read} read, {refused} refused");
}

/// Changes a character, leaves some out, or repeats some.
fn change(dice: &mut Dice, text: &str) -> String {
    let from = dice.below(text.len() as u64) as usize;
    let to = (from + 1 + dice.below(9) as usize).min(text.len());
    let (before, inside, after) = (&text[..from], &text[from..to], &text[to..]);
    match dice.below(3) {
        0 => format!("{before}{after}"),
        1 => format!("{before}{inside}{inside}{after}"),
        _ => {
            let letters = "0123456789STAB;fn@ {}(),=-".as_bytes();
            let letter = letters[dice.below(letters.len() as u64) as usize] as char;
            format!("{before}{letter}{}{after}", &inside[1..])
        }
    }
}

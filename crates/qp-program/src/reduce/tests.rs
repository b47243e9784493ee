//! Fewer local states, the same ends.

mod random;

use std::sync::Arc;

use qp_base::Span;

use super::{Reductions, reduce};
use crate::run::tests::build::*;
use crate::run::tests::walk::{Seen, walk};
use crate::{
    Blueprint, Choice, Dialect, EventId, Expr, Fields, FunctionId, Handler, Instr, Op, ReceiveCase,
    RegisterId, RoleId, StateId, Type,
};

fn ends(seen: &Seen) -> Vec<&str> {
    seen.ends.iter().map(String::as_str).collect()
}

/// Walks a program as it is and reduced.
fn both(blueprint: &Blueprint) -> (Seen, Seen, Reductions) {
    let plain = walk(&mut system_of(blueprint.clone()), 300);
    let mut reduced = blueprint.clone();
    let reductions = reduce(&mut reduced);
    let seen = walk(&mut system_of(reduced), 300);
    (plain, seen, reductions)
}

/// Whether nothing was left out.
fn keeps_all(reductions: &Reductions) -> bool {
    let Reductions { variables, payloads, unread } = reductions;
    variables.is_empty() && payloads.is_empty() && unread.iter().all(|parts| !parts.contains(&true))
}

/// A machine that sends itself `eTick` for ever, runs some code each time, and may fail.
fn ticking(fields: &[(&str, Type)], mut code: Vec<Instr>) -> Maker {
    let mut maker = Maker::new(Dialect::Current);
    let tick = maker.event("eTick", Type::Null);
    code.push(send(Expr::This, tick));
    let registers = [Type::Bool, Type::Int];
    let on_tick = maker.function("on eTick", 0, &registers, code);
    let entry = maker.plain("entry", vec![send(Expr::This, tick)]);
    maker.role("Main", fields, vec![state("A").entry(entry).on(tick, Handler::Do(on_tick))]);
    maker
}

#[test]
fn a_counter_that_nobody_reads_is_left_out() {
    let count = set_field(0, plus(field(0), int(1)));
    let may_fail = Instr::Assert { condition: reg(0), message: None };
    let maker = ticking(&[("count", Type::Int)], vec![count, choose(0), may_fail]);
    let (plain, reduced, reductions) = both(&maker.blueprint);
    assert!(!plain.complete);
    assert!(reduced.complete);
    assert_eq!(reduced.n_configs, 4);
    assert_eq!(ends(&reduced), ends(&plain));
    assert_eq!(reductions.variables, ["count of Main"]);
}

#[test]
fn a_counter_that_decides_is_kept() {
    let count = set_field(0, plus(field(0), int(1)));
    let condition = binary(Op::Less, field(0), int(5));
    let maker =
        ticking(&[("count", Type::Int)], vec![count, Instr::Assert { condition, message: None }]);
    let (plain, reduced, reductions) = both(&maker.blueprint);
    assert_eq!(plain.n_configs, reduced.n_configs);
    assert_eq!(ends(&reduced), ["0 failed QP1002: assertion failed"]);
    assert!(keeps_all(&reductions), "{reductions:?}");
}

#[test]
fn variables_that_only_feed_each_other_are_left_out() {
    let code = vec![
        set_reg(1, plus(field(0), field(1))),
        set_field(0, plus(reg(1), int(1))),
        set_field(1, field(0)),
        Instr::Insert { place: at_field(2), key: Expr::Size(field(2).into()), value: field(1) },
    ];
    let log = Type::Seq(Arc::new(Type::Int));
    let maker = ticking(&[("a", Type::Int), ("b", Type::Int), ("log", log)], code);
    let (_, reduced, reductions) = both(&maker.blueprint);
    assert!(reduced.complete);
    assert_eq!(reductions.variables, ["a of Main", "b of Main", "log of Main", "x1 in on eTick"]);
}

#[test]
fn what_can_fail_is_still_worked_out() {
    let divide = binary(Op::Divide, int(6), field(1));
    let code = vec![
        set_field(0, plus(field(0), divide)),
        set_field(1, binary(Op::Subtract, field(1), int(1))),
    ];
    let mut maker = ticking(&[("sum", Type::Int), ("left", Type::Int)], code);
    let entry = FunctionId::from_raw(1);
    maker.blueprint.functions[entry].code.insert(0, set_field(1, int(2)));
    let (plain, reduced, reductions) = both(&maker.blueprint);
    assert_eq!(ends(&plain), ["0 failed QP1015: 6 is divided by zero"]);
    assert_eq!(ends(&reduced), ends(&plain));
    assert_eq!(reductions.variables, Vec::<String>::new());
}

#[test]
fn reading_an_entry_that_is_not_there_still_fails() {
    let list = Type::Seq(Arc::new(Type::Int));
    let entry = Expr::Index { of: field(1).into(), index: int(0).into(), span: Span::default() };
    let maker = ticking(&[("last", Type::Int), ("list", list)], vec![set_field(0, entry)]);
    let (plain, reduced, _) = both(&maker.blueprint);
    let text = "0 failed QP1012: index 0 is out of range: the sequence has 0 elements";
    assert_eq!(ends(&plain), [text]);
    assert_eq!(ends(&reduced), [text]);
}

#[test]
fn insertions_that_can_fail_keep_their_collection() {
    let map = Type::Map(Arc::new((Type::Int, Type::Int)));
    let insert = |key| Instr::Insert { place: at_field(0), key, value: int(1) };
    for (ty, key, kept) in [
        (map.clone(), Expr::Size(field(0).into()), true),
        (map, int(0), true),
        (Type::Seq(Arc::new(Type::Int)), int(1), true),
        (Type::Seq(Arc::new(Type::Int)), int(0), false),
    ] {
        let mut maker = ticking(&[("it", ty)], vec![insert(key)]);
        let reductions = reduce(&mut maker.blueprint);
        assert_eq!(reductions.variables.is_empty(), kept);
    }
}

#[test]
fn a_choice_that_nobody_looks_at_is_left_out() {
    let code = vec![Instr::Evaluate(field(0)), choose(0), set_field(0, reg(0))];
    let maker = ticking(&[("last", Type::Bool)], code);
    let (plain, reduced, _) = both(&maker.blueprint);
    assert!(reduced.n_configs < plain.n_configs);
    assert_eq!(reduced.n_configs, 3);
}

/// The main machine sends itself payloads that grow, which a handler or a receive may store.
fn echoing(reads: bool) -> Maker {
    let mut maker = Maker::new(Dialect::Current);
    let ping = maker.event("ePing", Type::Int);
    let next = send_with(Expr::This, ping, plus(reg(0), int(1)));
    let check = Instr::Assert { condition: binary(Op::Less, reg(0), int(5)), message: None };
    let code = if reads { vec![check, next] } else { vec![next] };
    let on_ping = maker.function("on ePing", 1, &[Type::Int], code);
    let entry = maker.plain("entry", vec![send_with(Expr::This, ping, int(0))]);
    maker.role("Main", &[], vec![state("A").entry(entry).on(ping, Handler::Do(on_ping))]);
    maker
}

#[test]
fn payloads_that_nobody_reads_are_left_out() {
    let (plain, reduced, reductions) = both(&echoing(false).blueprint);
    assert!(!plain.complete);
    assert!(reduced.complete);
    assert_eq!(reductions.payloads, ["ePing"]);
    let (plain, reduced, reductions) = both(&echoing(true).blueprint);
    assert_eq!(ends(&plain), ["0 failed QP1002: assertion failed"]);
    assert_eq!(ends(&reduced), ends(&plain));
    assert!(reductions.payloads.is_empty());
}

/// The main machine numbers its requests; another one answers with the number, which is compared or not.
fn numbered(compares: bool) -> Maker {
    let names: Arc<[String]> = Arc::from(["source".to_owned(), "id".to_owned()]);
    let types = vec![Type::Machine(None), Type::Int];
    let request = Type::Record(Arc::new(Fields { names: names.clone(), types }));
    let mut maker = Maker::new(Dialect::Current);
    let (ask, answer) = (maker.event("eAsk", request.clone()), maker.event("eAnswer", Type::Int));
    let next = set_field(1, plus(field(1), int(1)));
    let ask_again = send_with(field(0), ask, Expr::Record(names, vec![Expr::This, field(1)]));
    let entry = maker.function(
        "entry",
        0,
        &[Type::Machine(None)],
        vec![
            new(RoleId::from_raw(1), null(), 0),
            set_field(0, reg(0)),
            next.clone(),
            ask_again.clone(),
        ],
    );
    let check = Instr::Assert { condition: binary(Op::Equal, reg(0), field(1)), message: None };
    let mut code = vec![next, ask_again];
    if compares {
        code.insert(0, check);
    }
    let on_answer = maker.function("on eAnswer", 1, &[Type::Int], code);
    let a = state("A").entry(entry).on(answer, Handler::Do(on_answer));
    maker.role("Client", &[("server", Type::Machine(None)), ("id", Type::Int)], vec![a]);
    let part = |part| Expr::Part(field(0).into(), part);
    let code = vec![set_field(0, reg(0)), send_with(part(0), answer, part(1))];
    let on_ask = maker.function("on eAsk", 1, std::slice::from_ref(&request), code);
    maker.role("Server", &[("last", request)], vec![state("B").on(ask, Handler::Do(on_ask))]);
    maker
}

#[test]
fn parts_of_payloads_that_nobody_reads_are_left_out() {
    let (plain, reduced, reductions) = both(&numbered(false).blueprint);
    assert!(!plain.complete);
    assert!(reduced.complete);
    assert_eq!(reductions.payloads, ["eAsk.id", "eAnswer"]);
    assert_eq!(reductions.variables, ["id of Client", "last.id of Server"]);
}

#[test]
fn parts_of_payloads_that_somebody_compares_are_kept() {
    let (plain, reduced, reductions) = both(&numbered(true).blueprint);
    assert!(!plain.complete && !reduced.complete);
    assert!(keeps_all(&reductions), "{reductions:?}");
    assert_eq!(ends(&plain), ends(&reduced));
}

#[test]
fn payloads_of_events_that_are_values_are_kept() {
    let mut maker = echoing(false);
    let ping = EventId::from_raw(2);
    let entry = FunctionId::from_raw(1);
    maker.blueprint.functions[entry].registers.push(variable("e", Type::Event));
    maker.blueprint.functions[entry].code.insert(0, set_reg(0, ev(ping)));
    assert!(reduce(&mut maker.blueprint).payloads.is_empty());
}

#[test]
fn payloads_that_a_spec_or_a_receive_reads_are_kept() {
    let ping = EventId::from_raw(2);
    let mut maker = echoing(false);
    let check = Instr::Assert { condition: binary(Op::Less, reg(0), int(5)), message: None };
    let seen = maker.function("on ePing", 1, &[Type::Int], vec![check]);
    maker.spec("Watch", &[ping], &[], vec![state("S").on(ping, Handler::Do(seen))]);
    assert!(reduce(&mut maker.blueprint).payloads.is_empty());

    let mut maker = echoing(false);
    let case = ReceiveCase { event: ping, into: Some(RegisterId::from_raw(0)), target: 1 };
    let check = Instr::Assert { condition: binary(Op::Less, reg(0), int(5)), message: None };
    let waits = maker.function("waits", 0, &[Type::Int], vec![Instr::Receive(vec![case]), check]);
    let body = maker.blueprint.roles[maker.blueprint.main].body;
    maker.blueprint.bodies[body].states.push(state("B").entry(waits));
    assert!(reduce(&mut maker.blueprint).payloads.is_empty());
}

/// The number of local states in which a choice among ten was made and one send is left, where the
/// choice is read behind the send or not.
fn after_choice(read_later: bool) -> usize {
    let choice = Instr::Choose { into: RegisterId::from_raw(1), from: Choice::Of(int(10)) };
    let check = Instr::Assert { condition: binary(Op::Less, reg(1), int(10)), message: None };
    let tick = EventId::from_raw(2);
    let mut code = vec![choice, check, send(Expr::This, tick)];
    if read_later {
        code.push(Instr::Evaluate(binary(Op::Divide, int(1), plus(reg(1), int(1)))));
    }
    let mut maker = ticking(&[], code);
    let keep = Instr::Unless(truth(true), 0);
    maker.blueprint.functions[FunctionId::from_raw(0)].code.pop();
    maker.blueprint.functions[FunctionId::from_raw(0)].code.push(keep);
    walk(&mut maker.system(), 300).locals.len()
}

#[test]
fn registers_that_are_not_read_again_are_forgotten() {
    assert_eq!(after_choice(false) + 9, after_choice(true));
}

/// Two states that pass each other a field; the second state may assign it before it reads it, and may be
/// pushed onto the first one.
fn passing(overwrites: bool, pushes: bool) -> Seen {
    let mut maker = Maker::new(Dialect::Y2018);
    let go = maker.event("eGo", Type::Null);
    let choice = Instr::Choose { into: RegisterId::from_raw(0), from: Choice::Of(int(10)) };
    let entry = maker.function(
        "entry of A",
        0,
        &[Type::Int],
        vec![choice, set_field(0, reg(0)), send(Expr::This, go)],
    );
    let mut code =
        vec![Instr::Assert { condition: binary(Op::Less, field(0), int(10)), message: None }];
    if overwrites {
        code.insert(0, set_field(0, int(3)));
    }
    let next = maker.plain("entry of B", code);
    let target = StateId::from_raw(1);
    let handler = if pushes { Handler::Push(target) } else { Handler::Goto(target, None) };
    let a = state("A").entry(entry).on(go, handler);
    maker.role("Main", &[("it", Type::Int)], vec![a, state("B").entry(next)]);
    walk(&mut maker.system(), 300)
}

#[test]
fn fields_that_are_assigned_before_they_are_read_are_forgotten() {
    let (kept, forgotten) = (passing(false, false), passing(true, false));
    assert_eq!(kept.locals.len(), 1 + 10 + 10 + 1);
    assert_eq!(forgotten.locals.len(), 1 + 1 + 1);
    assert_eq!(kept.ends, forgotten.ends);
}

#[test]
fn fields_are_forgotten_below_pushed_states_too() {
    let (kept, forgotten) = (passing(false, true), passing(true, true));
    assert_eq!(kept.locals.len(), 1 + 10 + 10 + 10);
    assert_eq!(forgotten.locals.len(), 1 + 1 + 1);
    assert_eq!(kept.ends, forgotten.ends);
}

//! Sends, creation, and what can be wrong with them.

use std::sync::Arc;

use qp_base::Span;
use qp_machines::{Effect, Guard, MachineId};

use super::build::*;
use super::walk::{lines, run, run_machines, walk};
use crate::{Cap, Dialect, EventId, Expr, Handler, Instr, RoleId, State, Type};

/// A main machine whose entry has one register for a machine.
fn main_with(maker: &mut Maker, code: Vec<Instr>) -> State {
    let entry = maker.function("entry", 0, &[Type::Machine(None), Type::Any], code);
    state("A").entry(entry)
}

fn only_failure(maker: Maker) -> String {
    let (lines, _) = run(&mut maker.system(), 5);
    lines.last().unwrap().clone()
}

#[test]
fn null_events_and_null_targets_fail() {
    let mut maker = Maker::new(Dialect::Current);
    let a =
        main_with(&mut maker, vec![Instr::Send { target: null(), event: null(), payload: null() }]);
    maker.role("Main", &[], vec![a]);
    assert_eq!(only_failure(maker), "0 failed QP1016: null is sent, which is not an event");

    let mut maker = Maker::new(Dialect::Current);
    let e = maker.event("e", Type::Null);
    let a = main_with(&mut maker, vec![send(reg(0), e)]);
    maker.role("Main", &[], vec![a]);
    let text = "0 failed QP1016: event e is sent to null, which is not a machine";
    assert_eq!(only_failure(maker), text);
}

#[test]
fn sends_and_receives_sets_are_checked_in_this_order() {
    let make = |sends: Option<Vec<EventId>>| {
        let mut maker = Maker::new(Dialect::Current);
        let e = maker.event("e", Type::Int);
        let a = main_with(&mut maker, vec![send(Expr::This, e)]);
        let role = maker.role("Main", &[], vec![a]);
        maker.blueprint.roles[role].sends = sends;
        maker.blueprint.roles[role].receives = Some(vec![EventId::HALT]);
        only_failure(maker)
    };
    assert_eq!(make(Some(vec![])), "0 failed QP1017: event e is not in the sends set of Main");
    assert_eq!(make(None), "0 failed QP1017: event e is not in the receives set of Main");
}

#[test]
fn payloads_must_have_the_type_of_the_event() {
    let mut maker = Maker::new(Dialect::Current);
    let e = maker.event("e", Type::Seq(Arc::new(Type::Int)));
    let a = main_with(&mut maker, vec![send_with(Expr::This, e, truth(true))]);
    maker.role("Main", &[], vec![a]);
    let text = "0 failed QP1023: event e carries seq[int], but is given true";
    assert_eq!(only_failure(maker), text);
}

/// The main machine sends itself `e` three times, with caps on the event and on the machine.
fn capped(event: Option<(bool, u32)>, machine: Option<(bool, u32)>) -> Vec<String> {
    let mut maker = Maker::new(Dialect::Y2018);
    let (e, other) = (maker.event("e", Type::Int), maker.event("eOther", Type::Null));
    let code = vec![
        send(Expr::This, other),
        send_with(Expr::This, e, int(1)),
        send_with(Expr::This, e, int(2)),
    ];
    let a = main_with(&mut maker, code);
    let role = maker.role("Main", &[], vec![a]);
    let cap = |(assume, count)| Cap { assume, count, span: Span::default() };
    maker.blueprint.events[e].cap = event.map(cap);
    maker.blueprint.roles[role].cap = machine.map(cap);
    run(&mut maker.system(), 3).0
}

#[test]
fn caps_stop_sends_or_fail() {
    let (first, second, third) = ("0 sent eOther to 0", "0 sent e(1) to 0", "0 sent e(2) to 0");
    assert_eq!(capped(None, None), [first, second, third]);
    assert_eq!(capped(Some((true, 2)), Some((false, 3))), [first, second, third]);
    assert_eq!(capped(Some((true, 1)), None), [first, second]);
    assert_eq!(capped(None, Some((true, 1))), [first]);
    let text = "0 failed QP1018: more than 1 e in the queue of Main";
    assert_eq!(capped(Some((false, 1)), None), [first, second, text]);
    let text = "0 failed QP1018: more than 2 events in the queue of Main";
    assert_eq!(capped(None, Some((false, 2))), [first, second, text]);
    // A send that is never tried does not fail.
    assert_eq!(capped(Some((true, 1)), Some((false, 2))), [first, second]);
}

#[test]
fn an_assumed_cap_is_a_guard() {
    let mut maker = Maker::new(Dialect::Y2018);
    let e = maker.event("e", Type::Null);
    let a = main_with(&mut maker, vec![send(Expr::This, e)]);
    maker.role("Main", &[], vec![a]);
    maker.blueprint.events[e].cap = Some(Cap { assume: true, count: 3, span: Span::default() });
    let mut system = maker.system();
    let config = system.initial();
    let moves = system.moves(MachineId::from_raw(0), config.locals[0], config.store).unwrap();
    assert_eq!(moves.len(), 1);
    assert!(matches!(moves[0].guards[..], [Guard::Holds(..)]));
    assert!(matches!(moves[0].effect, Effect::Send { .. }));
}

#[test]
fn a_child_gets_its_argument_and_the_creator_its_reference() {
    let mut maker = Maker::new(Dialect::Current);
    let e = maker.event("e", Type::Int);
    let child = RoleId::from_raw(1);
    let a = main_with(
        &mut maker,
        vec![new(child, Expr::Tuple(vec![Expr::This, int(7)]), 0), send_with(reg(0), e, int(1))],
    );
    maker.role("Main", &[], vec![a.on(e, Handler::Ignore)]);
    let argument = Type::Tuple(Arc::from([Type::Machine(None), Type::Int]));
    let part = |number| Expr::Part(reg(0).into(), number);
    let entry = maker.function("entry", 1, &[argument], vec![send_with(part(0), e, part(1))]);
    maker.role("Child", &[], vec![state("B").entry(entry).on(e, Handler::Ignore)]);
    let mut system = maker.system();
    let (lines, config) = run_machines(&mut system, &[0, 1, 0, 0, 1]);
    assert_eq!(
        lines,
        [
            "0 created 1",
            "1 sent e(7) to 0",
            "0 sent e(1) to 1",
            "0 took e(7) at 0",
            "1 took e(1) at 0",
        ]
    );
    let (main, second) = (MachineId::from_raw(0), MachineId::from_raw(1));
    assert_eq!(system.program().machine_name(second, config.local(second)).unwrap(), "Child(1)");
    assert_eq!(system.program().machine_name(main, config.local(main)).unwrap(), "Main(0)");
    assert!(walk(&mut system, 100).complete);
}

#[test]
fn creating_what_is_not_bound_fails() {
    let mut maker = Maker::new(Dialect::Current);
    let a = main_with(&mut maker, vec![new(RoleId::from_raw(1), null(), 0)]);
    let role = maker.role("Main", &[], vec![a]);
    maker.blueprint.roles[role].links = vec![Some(role), None];
    let text = "0 failed QP1024: this test binds no machine to what is created here";
    assert_eq!(only_failure(maker), text);
}

#[test]
fn a_free_choice_after_a_creation_is_a_step_of_its_own() {
    let mut maker = Maker::new(Dialect::Current);
    let (e, f) = (maker.event("e", Type::Null), maker.event("f", Type::Null));
    let code = vec![
        new(RoleId::from_raw(1), null(), 0),
        choose(1),
        Instr::Unless(reg(1), 4),
        send(reg(0), e),
        send(reg(0), f),
    ];
    let entry = maker.function("entry", 0, &[Type::Machine(None), Type::Bool], code);
    maker.role("Main", &[], vec![state("A").entry(entry)]);
    let again = maker.function(
        "entry",
        0,
        &[Type::Bool],
        vec![choose(0), Instr::Unless(reg(0), 3), goto(1)],
    );
    maker.role("Child", &[], vec![state("B").entry(again), state("C")]);
    let mut system = maker.system();
    let (_, config) = run_machines(&mut system, &[0]);
    assert_eq!(
        lines(&mut system, &config),
        ["0 internal", "0 internal", "1 internal", "1 internal"]
    );
    walk(&mut system, 500);
}

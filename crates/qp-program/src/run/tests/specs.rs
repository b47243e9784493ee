//! Specs: what they see, when, and what they find.

use super::build::*;
use super::walk::{run, walk};
use crate::{Dialect, Expr, Handler, Instr, Op, StateId, Type};

const S1: StateId = StateId::from_raw(1);

/// The main machine sends itself `e(1)` and `e(2)`; a spec sums up and fails beyond `most`.
fn summing(dialect: Dialect, most: i64) -> Maker {
    let mut maker = Maker::new(dialect);
    let e = maker.event("e", Type::Int);
    let code = vec![send_with(Expr::This, e, int(1)), send_with(Expr::This, e, int(2))];
    let entry = maker.plain("entry", code);
    maker.role("Main", &[], vec![state("A").entry(entry).on(e, Handler::Ignore)]);
    let sum = maker.function(
        "on e",
        1,
        &[Type::Int],
        vec![
            set_field(0, plus(field(0), reg(0))),
            Instr::Assert { condition: binary(Op::LessEqual, field(0), int(most)), message: None },
        ],
    );
    maker.spec("Sum", &[e], &[("sum", Type::Int)], vec![state("S").on(e, Handler::Do(sum))]);
    maker
}

#[test]
fn today_specs_see_a_message_before_it_is_sent() {
    let mut system = summing(Dialect::Current, 9).system();
    let (lines, config) = run(&mut system, 4);
    assert_eq!(lines, ["0 internal", "0 sent e(1) to 0", "0 internal", "0 sent e(2) to 0"]);
    assert_eq!(system.store_text(config.store), "Sum in S {sum = 3}");
    let (_, config) = run(&mut system, 1);
    assert_eq!(system.store_text(config.store), "Sum in S {sum = 1}");
    assert!(system.words().is_empty(config.words[0]));
    assert!(walk(&mut system, 100).complete);
}

#[test]
fn in_2018_specs_see_a_message_in_the_step_that_sends_it() {
    let mut system = summing(Dialect::Y2018, 9).system();
    let (lines, config) = run(&mut system, 2);
    assert_eq!(lines, ["0 sent e(1) to 0", "0 sent e(2) to 0"]);
    assert_eq!(system.store_text(config.store), "Sum in S {sum = 3}");
    assert!(walk(&mut system, 100).complete);
}

#[test]
fn a_spec_that_fails_ends_the_run() {
    for (dialect, before) in [(Dialect::Current, 2), (Dialect::Y2018, 1)] {
        let (lines, _) = run(&mut summing(dialect, 2).system(), 9);
        assert_eq!(lines[before..], ["0 failed QP1011: spec Sum: assertion failed"]);
    }
}

#[test]
fn a_spec_must_handle_what_it_observes() {
    let mut maker = Maker::new(Dialect::Current);
    let e = maker.event("e", Type::Null);
    let entry = maker.plain("entry", vec![Instr::Announce { event: ev(e), payload: null() }]);
    maker.role("Main", &[], vec![state("A").entry(entry)]);
    maker.spec("Strict", &[e], &[], vec![state("S")]);
    let text = "0 failed QP1001: spec Strict: event e cannot be handled in state S";
    assert_eq!(run(&mut maker.system(), 9).0, [text]);
}

#[test]
fn announcements_are_only_seen_by_those_who_watch() {
    let mut maker = Maker::new(Dialect::Current);
    let (e, f) = (maker.event("e", Type::Null), maker.event("f", Type::Int));
    let code = vec![
        Instr::Announce { event: ev(e), payload: null() },
        Instr::Announce { event: ev(f), payload: int(3) },
    ];
    let entry = maker.plain("entry", code);
    let main = maker.role("Main", &[], vec![state("A").entry(entry)]);
    let code = vec![Instr::Evaluate(field(0)), set_field(0, reg(0))];
    let set = maker.function("on f", 1, &[Type::Int], code);
    let states = || vec![state("S").on(f, Handler::Do(set))];
    maker.spec("One", &[f], &[("got", Type::Int)], states());
    maker.spec("Two", &[f], &[("got", Type::Int)], states());
    maker.blueprint.roles[main].watchers.remove(0);
    let mut system = maker.system();
    let (lines, config) = run(&mut system, 9);
    assert_eq!(lines, ["0 internal"]);
    let text = "One in S {got = 0}; Two in S {got = 3}";
    assert_eq!(system.store_text(config.store), text);
}

#[test]
fn specs_run_to_completion_through_goto_and_raise() {
    let mut maker = Maker::new(Dialect::Current);
    let (e, f) = (maker.event("e", Type::Null), maker.event("f", Type::Null));
    let entry = maker.plain("entry", vec![Instr::Announce { event: ev(e), payload: null() }]);
    maker.role("Main", &[], vec![state("A").entry(entry)]);
    let begin = maker.plain("entry of S", vec![log(1)]);
    let on_e = maker.plain("on e", vec![log(2), goto(1)]);
    let enter = maker.plain("entry of T", vec![log(3), raise(f)]);
    let on_f = maker.plain("on f", vec![log(4)]);
    let s = state("S").entry(begin).on(e, Handler::Do(on_e));
    let t = state("T").entry(enter).on(f, Handler::Do(on_f));
    maker.spec("Watch", &[e], &logging(), vec![s, t]);
    let mut system = maker.system();
    let first = system.initial();
    assert_eq!(system.store_text(first.store), "Watch in S {log = [1]}");
    let (_, config) = run(&mut system, 9);
    assert_eq!(system.store_text(config.store), "Watch in T {log = [1, 2, 3, 4]}");
}

#[test]
fn a_spec_that_fails_at_once_is_the_first_failure() {
    let mut maker = Maker::new(Dialect::Current);
    let e = maker.event("e", Type::Null);
    maker.role("Main", &[], vec![state("A")]);
    let begin =
        maker.plain("entry of S", vec![Instr::Evaluate(binary(Op::Divide, int(1), int(0)))]);
    maker.spec(
        "Watch",
        &[e],
        &[],
        vec![state("S").entry(begin).on(e, Handler::Goto(S1, None)), state("T")],
    );
    let text = "0 failed QP1015: spec Watch: 1 is divided by zero";
    assert_eq!(run(&mut maker.system(), 9).0, [text]);
}

#[test]
fn shown_messages_know_their_audience() {
    let mut maker = summing(Dialect::Current, 9);
    let e = crate::EventId::from_raw(2);
    maker.spec("Second", &[e], &[], vec![state("S").on(e, Handler::Ignore)]);
    let mut system = maker.system();
    let program = system.program_mut();
    let text = "e(4) for Sum, Second";
    let message = program.message_from_text(text).unwrap();
    assert_eq!(program.message_text(message), text);
    assert_ne!(program.message_from_text("e(4)"), Some(message));
    assert_eq!(program.message_from_text("e(true)"), None);
}

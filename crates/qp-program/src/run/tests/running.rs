//! What happens between two things that others see.

use qp_machines::{MachineId, Property};

use super::build::*;
use super::walk::{lines, run, walk};
use crate::{Choice, Dialect, Expr, Handler, Instr, Op, RegisterId, StateId, Type};

fn with_entry(registers: &[Type], code: Vec<Instr>) -> Maker {
    let mut maker = Maker::new(Dialect::Current);
    let e = maker.event("e", Type::Int);
    let entry = maker.function("entry of A", 0, registers, code);
    let reads = maker.plain("on e", vec![Instr::Evaluate(field(0))]);
    let a = state("A").entry(entry).on(e, Handler::Do(reads));
    maker.role("Main", &[("n", Type::Int)], vec![a]);
    maker
}

#[test]
fn an_endless_loop_is_a_divergence() {
    let mut system = with_entry(&[], vec![Instr::Jump(0)]).system();
    let config = system.initial();
    let text = "0 failed QP1019: entry of A runs for ever without sending or receiving";
    assert_eq!(lines(&mut system, &config), [text]);
    let moves = system.moves(MachineId::from_raw(0), config.locals[0], config.store).unwrap();
    let qp_machines::Effect::Fail { failure } = moves[0].effect else { panic!() };
    assert_eq!(system.program().failure(failure).property, Property::Divergence);
}

#[test]
fn raising_and_changing_state_for_ever_is_a_divergence() {
    let mut maker = Maker::new(Dialect::Current);
    let e = maker.event("e", Type::Null);
    let entry = maker.plain("entry", vec![raise(e)]);
    let s = |number| Handler::Goto(StateId::from_raw(number), None);
    let a = state("A").entry(entry).on(e, s(1));
    maker.role("Main", &[], vec![a, state("B").entry(entry).on(e, s(0))]);
    let mut system = maker.system();
    let config = system.initial();
    let lines = lines(&mut system, &config);
    assert_eq!(lines.len(), 1);
    assert!(lines[0].contains("QP1019"), "{lines:?}");
}

#[test]
fn a_loop_that_a_choice_can_leave_is_no_divergence() {
    let code = vec![choose(0), Instr::Unless(reg(0), 0)];
    let mut system = with_entry(&[Type::Bool], code).system();
    let config = system.initial();
    assert_eq!(lines(&mut system, &config), Vec::<String>::new());
}

#[test]
fn a_choice_that_can_enter_an_endless_loop_is_a_divergence() {
    let code = vec![choose(0), Instr::Unless(reg(0), 3), Instr::Jump(2)];
    let mut system = with_entry(&[Type::Bool], code).system();
    let seen = walk(&mut system, 100);
    assert_eq!(seen.ends.len(), 1, "{:?}", seen.ends);
    assert!(seen.ends.iter().all(|end| end.contains("QP1019")));
}

#[test]
fn a_long_loop_gives_up() {
    let code = vec![set_field(0, plus(field(0), int(1))), Instr::Jump(0)];
    let mut system = with_entry(&[], code).system();
    let config = system.initial();
    let text =
        "0 gave up QP3006: more than 200000 instructions without a send or receive in entry of A";
    assert_eq!(lines(&mut system, &config), [text]);
}

#[test]
fn deep_recursion_gives_up() {
    let mut maker = with_entry(&[], vec![]);
    let entry = crate::FunctionId::from_raw(0);
    let call = Instr::Call { function: entry, args: vec![], into: None };
    maker.blueprint.functions[entry].code = vec![call];
    maker.blueprint.functions[entry].spans = vec![qp_base::Span::default()];
    let text = "0 gave up QP3006: calls are nested more than 1000 deep in entry of A";
    assert_eq!(run(&mut maker.system(), 1).0, [text]);
}

#[test]
fn pushing_for_ever_gives_up() {
    let mut maker = Maker::new(Dialect::Y2018);
    let e = maker.event("e", Type::Null);
    let entry = maker.plain("entry", vec![raise(e)]);
    let push = Handler::Push(StateId::from_raw(0));
    maker.role("Main", &[], vec![state("A").entry(entry).on(e, push)]);
    let text = "0 gave up QP3006: states are pushed more than 1000 deep in state A";
    assert_eq!(run(&mut maker.system(), 1).0, [text]);
}

#[test]
fn values_that_grow_without_end_give_up() {
    let pair = || Expr::Tuple(vec![reg(0), reg(0)]);
    let mut system = with_entry(&[Type::Any], vec![set_reg(0, pair()), Instr::Jump(0)]).system();
    let (lines, _) = run(&mut system, 1);
    assert_eq!(
        lines,
        ["0 gave up QP3006: a value has more than 100000 parts, or is nested too deeply"]
    );
    let nested = Expr::Tuple(vec![reg(0), int(1)]);
    let mut system = with_entry(&[Type::Any], vec![set_reg(0, nested), Instr::Jump(0)]).system();
    assert!(run(&mut system, 1).0[0].starts_with("0 gave up QP3006: a value"));
}

#[test]
fn choices_are_moves_in_order_without_repetition() {
    let from = Choice::Of(int(3));
    let mut code = vec![send_with(Expr::This, crate::EventId::from_raw(2), int(0))];
    code.push(Instr::Choose { into: RegisterId::from_raw(0), from });
    code.push(set_field(0, binary(Op::Remainder, reg(0), int(2))));
    let mut system = with_entry(&[Type::Int], code).system();
    let first = system.initial();
    let outcomes = system.successors(&first);
    let texts: Vec<String> = outcomes
        .iter()
        .map(|it| system.program().local_text(MachineId::from_raw(0), it.config.locals[0]))
        .collect();
    assert_eq!(texts, ["Main(0) in A {n = 0}", "Main(0) in A {n = 1}"]);
}

#[test]
fn choices_with_too_few_or_too_many_options_fail() {
    for (from, text) in [
        (int(-1), "0 failed QP1020: choose(-1): P allows 0 to 10000"),
        (int(10_001), "0 failed QP1020: choose(10001): P allows 0 to 10000"),
        (
            Expr::Const(crate::Value::Set(std::sync::Arc::default())),
            "0 failed QP1020: choose from 0 elements: P allows 1 to 10000",
        ),
        (
            Expr::Const(crate::Value::Seq(vec![crate::Value::Null; 10_001].into())),
            "0 failed QP1020: choose from 10001 elements: P allows 1 to 10000",
        ),
    ] {
        let into = RegisterId::from_raw(0);
        let code = vec![Instr::Choose { into, from: Choice::Of(from) }];
        assert_eq!(run(&mut with_entry(&[Type::Any], code).system(), 1).0, [text]);
    }
}

#[test]
fn an_assumption_discards_runs() {
    let code = vec![choose(0), Instr::Assume(reg(0)), set_field(0, int(5))];
    let mut system = with_entry(&[Type::Bool], code).system();
    let config = system.initial();
    assert_eq!(
        system.program().local_text(MachineId::from_raw(0), config.locals[0]),
        "Main(0) in A {n = 5}"
    );
    let mut system = with_entry(&[], vec![Instr::Assume(truth(false))]).system();
    let config = system.initial();
    assert_eq!(lines(&mut system, &config), ["0 internal"]);
}

#[test]
fn calls_pass_values_and_return_them() {
    let mut maker = with_entry(&[Type::Int], vec![]);
    let twice =
        maker.function("twice", 1, &[Type::Int], vec![Instr::Return(Some(plus(reg(0), reg(0))))]);
    let into = Some(RegisterId::from_raw(0));
    let call = |arg| Instr::Call { function: twice, args: vec![arg], into };
    let entry = crate::FunctionId::from_raw(0);
    maker.blueprint.functions[entry].code = vec![call(int(4)), call(reg(0)), set_field(0, reg(0))];
    let mut system = maker.system();
    let config = system.initial();
    let text = system.program().local_text(MachineId::from_raw(0), config.locals[0]);
    assert_eq!(text, "Main(0) in A {n = 16}");
}

#[test]
fn the_same_program_gives_the_same_texts_in_a_copy() {
    let code =
        vec![choose(0), send_with(Expr::This, crate::EventId::from_raw(2), int(1)), Instr::Jump(0)];
    let mut system = with_entry(&[Type::Bool], code).system();
    let first = system.initial();
    let text = system.program().local_text(MachineId::from_raw(0), first.locals[0]);
    let mut copy = system.program().fork();
    let start = copy.start();
    assert_eq!(copy.local_text(MachineId::from_raw(0), start.locals[0]), text);
}

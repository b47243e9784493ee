//! What states do about events.

use qp_machines::MachineId;

use super::build::*;
use super::walk::{lines, run, run_machines, walk};
use crate::{Dialect, EventId, Handler, Instr, ReceiveCase, RegisterId, StateId, Type};

const S1: StateId = StateId::from_raw(1);
const S2: StateId = StateId::from_raw(2);
const MAIN: MachineId = MachineId::from_raw(0);

#[test]
fn a_transition_runs_exit_then_with_then_entry() {
    let mut maker = Maker::new(Dialect::Current);
    let e = maker.event("eGo", Type::Int);
    let entry = maker.plain("entry of A", vec![log(1), send_with(crate::Expr::This, e, int(40))]);
    let exit = maker.plain("exit of A", vec![log(2)]);
    let with = maker.function("with", 1, &[Type::Int], vec![log_value(reg(0))]);
    let enter = maker.function(
        "entry of B",
        1,
        &[Type::Int],
        vec![log_value(plus(reg(0), int(1))), tell()],
    );
    let a = state("A").entry(entry).exit(exit).on(e, Handler::Goto(S1, Some(with)));
    maker.role("Main", &logging(), vec![a, state("B").entry(enter)]);
    let (lines, _) = run(&mut maker.system(), 9);
    assert_eq!(
        lines,
        ["0 sent eGo(40) to 0", "0 took eGo(40) at 0", "0 failed QP1002: (1, 2, 40, 41)"]
    );
}

#[test]
fn a_raised_event_is_handled_before_the_queue() {
    let mut maker = Maker::new(Dialect::Current);
    let (queued, raised) = (maker.event("eQueued", Type::Null), maker.event("eRaised", Type::Null));
    let entry = maker.plain("entry", vec![send(crate::Expr::This, queued), raise(raised), log(9)]);
    let one = maker.plain("on eQueued", vec![log(1), tell()]);
    let two = maker.plain("on eRaised", vec![log(2)]);
    let a = state("A").entry(entry).on(queued, Handler::Do(one)).on(raised, Handler::Do(two));
    maker.role("Main", &logging(), vec![a]);
    let (lines, _) = run(&mut maker.system(), 9);
    assert_eq!(lines, ["0 sent eQueued to 0", "0 took eQueued at 0", "0 failed QP1002: (2, 1)"]);
}

/// A main machine that sends itself these events, then waits in A.
fn sends_itself(maker: &mut Maker, events: &[EventId]) -> crate::FunctionId {
    let code = events.iter().map(|&event| send(crate::Expr::This, event)).collect();
    maker.plain("entry", code)
}

#[test]
fn deferred_events_keep_their_place() {
    let mut maker = Maker::new(Dialect::Current);
    let (late, now) = (maker.event("eLate", Type::Null), maker.event("eNow", Type::Null));
    let entry = sends_itself(&mut maker, &[late, now, late]);
    let a = state("A").entry(entry).on(late, Handler::Defer).on(now, Handler::Goto(S1, None));
    let b = state("B").on(late, Handler::Ignore);
    maker.role("Main", &[], vec![a, b]);
    let mut system = maker.system();
    let (lines, config) = run(&mut system, 20);
    assert_eq!(lines[3..], ["0 took eNow at 1", "0 took eLate at 0", "0 took eLate at 0"]);
    assert_eq!(system.program().control_name(MAIN, config.local(MAIN)), "B");
    assert!(system.program().may_rest(MAIN, config.local(MAIN)));
}

#[test]
fn ignored_events_are_taken_and_change_nothing() {
    let mut maker = Maker::new(Dialect::Current);
    let e = maker.event("eNoise", Type::Null);
    let entry = sends_itself(&mut maker, &[e]);
    maker.role("Main", &[], vec![state("A").entry(entry).on(e, Handler::Ignore)]);
    let mut system = maker.system();
    let (_, before) = run(&mut system, 1);
    let (lines, after) = run(&mut system, 2);
    assert_eq!(lines, ["0 sent eNoise to 0", "0 took eNoise at 0"]);
    assert_eq!(before.local(MAIN), after.local(MAIN));
}

#[test]
fn an_unhandled_event_runs_exit_and_fails() {
    let mut maker = Maker::new(Dialect::Current);
    let (e, f) = (maker.event("eResp", Type::Null), maker.event("eBye", Type::Null));
    let entry = sends_itself(&mut maker, &[e]);
    let exit = maker.plain("exit", vec![send(crate::Expr::This, f)]);
    maker.role("Main", &[], vec![state("Wait").entry(entry).exit(exit)]);
    let (lines, _) = run(&mut maker.system(), 9);
    assert_eq!(
        lines,
        [
            "0 sent eResp to 0",
            "0 took eResp at 0",
            "0 sent eBye to 0",
            "0 failed QP1001: event eResp cannot be handled in state Wait",
        ]
    );
}

#[test]
fn raising_what_is_deferred_or_ignored_drops_it() {
    for handler in [Handler::Defer, Handler::Ignore] {
        let mut maker = Maker::new(Dialect::Current);
        let e = maker.event("e", Type::Null);
        let entry = maker.plain("entry", vec![raise(e)]);
        maker.role("Main", &[], vec![state("A").entry(entry).on(e, handler)]);
        let mut system = maker.system();
        let config = system.initial();
        assert_eq!(lines(&mut system, &config), Vec::<String>::new(), "{handler:?}");
    }
}

#[test]
fn halt_drops_the_queue_and_later_sends_are_lost() {
    let mut maker = Maker::new(Dialect::Current);
    let e = maker.event("e", Type::Null);
    let code = vec![
        new(crate::RoleId::from_raw(1), null(), 0),
        send(reg(0), EventId::HALT),
        send(reg(0), e),
        send(reg(0), e),
    ];
    let entry = maker.function("entry", 0, &[Type::Machine(None)], code);
    maker.role("Main", &[], vec![state("A").entry(entry)]);
    maker.role("Child", &[], vec![state("B")]);
    let mut system = maker.system();
    let (lines, config) = run_machines(&mut system, &[0, 0, 0, 1, 1, 0]);
    assert_eq!(
        lines,
        [
            "0 created 1",
            "0 sent halt to 1",
            "0 sent e to 1",
            "1 took halt at 0",
            "1 closed",
            "0 lost e to 1",
        ]
    );
    let child = MachineId::from_raw(1);
    assert_eq!(system.program().control_name(child, config.local(child)), "halted");
    assert_eq!(system.program().local_text(child, config.local(child)), "Child(1) in -; halted");
    assert!(system.program().may_rest(child, config.local(child)));
    assert_eq!(super::walk::lines(&mut system, &config), Vec::<String>::new());
}

#[test]
fn halt_can_be_handled() {
    let mut maker = Maker::new(Dialect::Current);
    let entry = maker.plain("entry", vec![raise(EventId::HALT)]);
    let handler = maker.plain("on halt", vec![log(1), tell()]);
    let a = state("A").entry(entry).on(EventId::HALT, Handler::Do(handler));
    maker.role("Main", &logging(), vec![a]);
    assert_eq!(run(&mut maker.system(), 9).0, ["0 failed QP1002: (1)"]);
}

#[test]
fn null_handlers_run_only_when_nothing_can_be_taken() {
    let mut maker = Maker::new(Dialect::Current);
    let (e, late) = (maker.event("e", Type::Null), maker.event("eLate", Type::Null));
    let entry = sends_itself(&mut maker, &[late, e]);
    let a = state("A").entry(entry).on(EventId::NULL, Handler::Goto(S1, None));
    let a = a.on(e, Handler::Ignore).on(late, Handler::Defer);
    maker.role("Main", &[], vec![a, state("B").on(late, Handler::Ignore)]);
    let (lines, _) = run(&mut maker.system(), 9);
    assert_eq!(lines[2..], ["0 took e at 1", "0 internal", "0 took eLate at 0"]);
}

#[test]
fn a_receive_takes_its_cases_and_skips_the_rest() {
    let mut maker = Maker::new(Dialect::Current);
    let (other, wanted) = (maker.event("eOther", Type::Null), maker.event("eWanted", Type::Int));
    let case = ReceiveCase { event: wanted, into: Some(RegisterId::from_raw(0)), target: 3 };
    let code = vec![
        send(crate::Expr::This, other),
        send_with(crate::Expr::This, wanted, int(5)),
        Instr::Receive(vec![case]),
        log_value(reg(0)),
        tell(),
    ];
    let entry = maker.function("entry", 0, &[Type::Int], code);
    maker.role("Main", &logging(), vec![state("A").entry(entry).on(other, Handler::Ignore)]);
    let mut system = maker.system();
    let (_, waiting) = run(&mut system, 2);
    assert!(!system.program().may_rest(MAIN, waiting.local(MAIN)));
    let (lines, _) = run(&mut system, 9);
    assert_eq!(lines[2..], ["0 took eWanted(5) at 1", "0 failed QP1002: (5)"]);
}

#[test]
fn registers_keep_their_values_across_a_receive() {
    let mut maker = Maker::new(Dialect::Current);
    let e = maker.event("e", Type::Null);
    let case = ReceiveCase { event: e, into: None, target: 3 };
    let code = vec![
        set_reg(0, int(7)),
        send(crate::Expr::This, e),
        Instr::Receive(vec![case]),
        log_value(reg(0)),
        tell(),
    ];
    let entry = maker.function("entry", 0, &[Type::Int], code);
    maker.role("Main", &logging(), vec![state("A").entry(entry)]);
    let (lines, _) = run(&mut maker.system(), 9);
    assert_eq!(lines[1..], ["0 took e at 0", "0 failed QP1002: (7)"]);
}

#[test]
fn a_receive_of_null_goes_on_when_nothing_can_be_taken() {
    let mut maker = Maker::new(Dialect::Y2018);
    let e = maker.event("e", Type::Null);
    let case = |event, target| ReceiveCase { event, into: None, target };
    let code = vec![
        send(crate::Expr::This, e),
        Instr::Receive(vec![case(EventId::NULL, 2), case(e, 4)]),
        log(0),
        tell(),
        Instr::Jump(1),
    ];
    let entry = maker.plain("entry", code);
    maker.role("Main", &logging(), vec![state("A").entry(entry)]);
    let (lines, _) = run(&mut maker.system(), 9);
    assert_eq!(lines[1..], ["0 took e at 0", "0 internal", "0 failed QP1002: (0)"]);
}

#[test]
fn a_pushed_state_inherits_actions_and_deferrals_but_no_transitions() {
    let mut maker = Maker::new(Dialect::Y2018);
    let names = ["ePush", "eDo", "eDefer", "eGo"];
    let [push, act, defer, go] = names.map(|name| maker.event(name, Type::Null));
    let entry = sends_itself(&mut maker, &[push, defer, act, go]);
    let action = maker.plain("on eDo", vec![log(1)]);
    let exit_a = maker.plain("exit of A", vec![log(2)]);
    let exit_b = maker.plain("exit of B", vec![log(3)]);
    let end = maker.plain("entry of C", vec![log(4), tell()]);
    let a = state("A").entry(entry).exit(exit_a).on(push, Handler::Push(S1));
    let a =
        a.on(act, Handler::Do(action)).on(defer, Handler::Defer).on(go, Handler::Goto(S2, None));
    let b = state("B").exit(exit_b);
    maker.role("Main", &logging(), vec![a, b, state("C").entry(end)]);
    let mut system = maker.system();
    let (_, pushed) = run(&mut system, 5);
    assert_eq!(system.program().control_name(MAIN, pushed.local(MAIN)), "A/B");
    let (lines, _) = run(&mut system, 20);
    assert_eq!(
        lines[4..],
        [
            "0 took ePush at 0",
            "0 took eDo at 1",
            "0 took eGo at 1",
            "0 failed QP1002: (1, 3, 2, 4)",
        ]
    );
}

#[test]
fn pop_goes_back_without_entry() {
    let mut maker = Maker::new(Dialect::Y2018);
    let (push, e) = (maker.event("ePush", Type::Null), maker.event("e", Type::Null));
    let entry = sends_itself(&mut maker, &[push, e]);
    let enter_b = maker.plain("entry of B", vec![log(1), Instr::Pop, log(9)]);
    let exit_b = maker.plain("exit of B", vec![log(2)]);
    let done = maker.plain("on e", vec![tell()]);
    let a = state("A").entry(entry).on(push, Handler::Push(S1)).on(e, Handler::Do(done));
    let b = state("B").entry(enter_b).exit(exit_b).on(e, Handler::Ignore);
    maker.role("Main", &logging(), vec![a, b]);
    let (lines, _) = run(&mut maker.system(), 20);
    assert_eq!(lines[2..], ["0 took ePush at 0", "0 took e at 0", "0 failed QP1002: (1, 2)"]);
}

#[test]
fn pop_of_the_last_state_fails() {
    let mut maker = Maker::new(Dialect::Y2018);
    let entry = maker.plain("entry", vec![Instr::Pop]);
    maker.role("Main", &[], vec![state("A").entry(entry)]);
    let text = "0 failed QP1022: pop in state A, which has no state below it";
    assert_eq!(run(&mut maker.system(), 9).0, [text]);
}

#[test]
fn an_event_that_no_state_of_the_stack_handles_names_where_it_arrived() {
    let mut maker = Maker::new(Dialect::Y2018);
    let (push, e) = (maker.event("ePush", Type::Null), maker.event("e", Type::Null));
    let entry = sends_itself(&mut maker, &[push, e]);
    let a = state("A").entry(entry).on(push, Handler::Push(S1));
    maker.role("Main", &[], vec![a, state("B")]);
    let mut system = maker.system();
    let (lines, _) = run(&mut system, 20);
    assert_eq!(lines[4], "0 failed QP1001: event e cannot be handled in state B");
    assert!(walk(&mut system, 100).complete);
}

#[test]
fn null_actions_are_inherited_but_null_transitions_are_not() {
    for inherited in [true, false] {
        let mut maker = Maker::new(Dialect::Y2018);
        let push = maker.event("ePush", Type::Null);
        let entry = sends_itself(&mut maker, &[push]);
        let action = maker.plain("on null", vec![log(1), tell()]);
        let handler = if inherited { Handler::Do(action) } else { Handler::Goto(S1, None) };
        let a = state("A").entry(entry).on(push, Handler::Push(S1)).on(EventId::NULL, handler);
        maker.role("Main", &logging(), vec![a, state("B")]);
        let (lines, _) = run(&mut maker.system(), 9);
        let end: &[&str] = if inherited { &["0 internal", "0 failed QP1002: (1)"] } else { &[] };
        assert_eq!(lines[2..], *end);
    }
}

#[test]
fn goto_abandons_the_calls() {
    let mut maker = Maker::new(Dialect::Current);
    let inner = maker.plain("inner", vec![log(1), goto(1), log(9)]);
    let call = Instr::Call { function: inner, args: vec![], into: None };
    let entry = maker.plain("entry of A", vec![call, log(8)]);
    let end = maker.plain("entry of B", vec![log(2), tell()]);
    maker.role("Main", &logging(), vec![state("A").entry(entry), state("B").entry(end)]);
    assert_eq!(run(&mut maker.system(), 9).0, ["0 failed QP1002: (1, 2)"]);
}

//! Texts can be read back, and wrong ones are refused.

use std::sync::Arc;

use qp_machines::MachineId;

use super::build::*;
use super::walk::{run, walk};
use crate::{Dialect, Enum, Expr, Handler, Instr, StateId, Type, Value};

fn colours() -> Arc<Enum> {
    Arc::new(Enum { name: "Colour".into(), elements: vec![("RED".into(), 3), ("BLUE".into(), 4)] })
}

/// A machine that sends itself one payload of any type.
fn carrying(payload: Value) -> qp_machines::System {
    let mut maker = Maker::new(Dialect::Current);
    let any = maker.event("eAny", Type::Any);
    maker.event("eOther", Type::Enum(colours()));
    let entry = maker.plain("entry", vec![send_with(Expr::This, any, Expr::Const(payload))]);
    let keep = maker.function("on eAny", 1, &[Type::Any], vec![set_field(0, reg(0))]);
    let a = state("A").entry(entry).on(any, Handler::Do(keep));
    maker.role("Main", &[("last", Type::Any)], vec![a]);
    maker.system()
}

#[test]
fn every_kind_of_value_can_be_read_back() {
    let one = Value::Int(1);
    let names: Arc<[String]> = Arc::from(["source".to_owned(), "id".to_owned()]);
    let main = Value::Machine(MachineId::from_raw(0), crate::RoleId::from_raw(0));
    let cases = [
        (Value::Null, "eAny"),
        (Value::Bool(true), "eAny(true)"),
        (Value::Int(-3), "eAny(-3)"),
        (Value::float(-2.5), "eAny(-2.5)"),
        (Value::float(1e300), "eAny(1e300)"),
        (Value::float(2.0), "eAny(2.0)"),
        (Value::float(f64::NAN), "eAny(float(NaN))"),
        (Value::float(f64::NEG_INFINITY), "eAny(float(-inf))"),
        (Value::Text("a \"b\"\\\n\u{7}é".into()), "eAny(\"a \\\"b\\\"\\\\\\n\\u{7}é\")"),
        (Value::Enum(colours(), 4), "eAny(Colour.BLUE)"),
        (Value::Event(crate::EventId::from_raw(3)), "eAny(eOther)"),
        (Value::Event(crate::EventId::NULL), "eAny(event(0))"),
        (main.clone(), "eAny(Main(0))"),
        (Value::Tuple(Arc::from([])), "eAny()"),
        (Value::Tuple(Arc::from([one.clone()])), "eAny(1,)"),
        (Value::Tuple(Arc::from([one.clone(), main.clone()])), "eAny(1, Main(0))"),
        (Value::Record(names, Arc::from([main, one.clone()])), "eAny(source = Main(0), id = 1)"),
        (Value::Record(Arc::from([]), Arc::from([])), "eAny(=)"),
        (Value::Seq(Arc::default()), "eAny([])"),
        (Value::Seq(Arc::new(vec![one.clone(), Value::Null])), "eAny([1, null])"),
        (Value::Set(Arc::default()), "eAny({})"),
        (Value::Set(Arc::new(vec![one.clone(), Value::Int(2)])), "eAny({1, 2})"),
        (Value::Map(Arc::default()), "eAny({:})"),
        (Value::Map(Arc::new(vec![(one.clone(), one)])), "eAny({1: 1})"),
    ];
    for (value, text) in cases {
        let mut system = carrying(value);
        assert_eq!(run(&mut system, 1).0, [format!("0 sent {text} to 0")]);
        let seen = walk(&mut system, 10);
        assert_eq!(seen.n_configs, 3, "{text}");
    }
}

#[test]
fn local_states_with_everything_in_them_can_be_read_back() {
    let mut maker = Maker::new(Dialect::Y2018);
    let (e, go) = (maker.event("e", Type::Int), maker.event("eGo", Type::Null));
    let inner = maker.function(
        "inner",
        1,
        &[Type::Int, Type::Text],
        vec![
            set_reg(1, Expr::Const(Value::Text("; fn0@0 {".into()))),
            send_with(Expr::This, e, reg(0)),
            Instr::Evaluate(reg(1)),
        ],
    );
    let call = |arg| Instr::Call { function: inner, args: vec![int(arg)], into: None };
    let entry = maker.plain("entry of A", vec![send(Expr::This, go)]);
    let exit = maker.plain("exit of A", vec![call(1)]);
    let with = maker.plain("with", vec![call(2)]);
    let pushes = maker.plain("on e", vec![call(3)]);
    let target = StateId::from_raw;
    let a = state("A").entry(entry).exit(exit).on(go, Handler::Goto(target(1), Some(with)));
    let b = state("B.C").on(e, Handler::Push(target(2)));
    let c = state("D").entry(pushes).exit(exit);
    maker.role("Main", &logging(), vec![a, b, c]);
    let mut system = maker.system();
    let (_, config) = run(&mut system, 2);
    let main = MachineId::from_raw(0);
    assert_eq!(
        system.program().local_text(main, config.local(main)),
        "Main(0) in A {log = []}; fn2@0; fn0@1 {0 = 1, 1 = \"; fn0@0 {\"}; call fn3; enter B.C"
    );
    let seen = walk(&mut system, 300);
    assert!(seen.n_configs > 8, "{}", seen.n_configs);
}

#[test]
fn wrong_texts_are_refused() {
    let mut system = carrying(Value::Null);
    let first = system.initial();
    let main = MachineId::from_raw(0);
    let right = system.program().local_text(main, first.local(main));
    assert_eq!(right, "Main(0) in A {last = null}; fn0@0");
    let program = system.program_mut();
    assert!(program.local_from_text(main, &right).is_some());
    for wrong in [
        "",
        "Main(1) in A {last = null}; fn0@0",
        "Main(0) in B {last = null}; fn0@0",
        "Main(0) in - {last = null}",
        "Main(0) in A; fn0@0",
        "Main(0) in A {last = null}; fn9@0",
        "Main(0) in A {last = null}; fn0@2",
        "Main(0) in A {last = null}; fn0@0; fn0@0",
        "Main(0) in A {last = null}; fn0@0 {0 = 1}",
        "Main(0) in A {last = null}; announced",
        "Main(0) in A {last = null}; enter A(1)",
        "Main(0) in A {last = {2, 1}}",
        "Main(0) in A {last = (1}",
        "Main(0) in A {last = Nobody(0)}",
        "Main(0) in A {last = Colour.GREEN}",
        "Main(0) in A {last = null}; failed 1002 \"x\"",
        "Main(0) in A {last = null} ",
    ] {
        assert_eq!(program.local_from_text(main, wrong), None, "{wrong}");
    }
    let deep = format!("Main(0) in A {{last = {}", "[".repeat(100_000));
    assert_eq!(program.local_from_text(main, &deep), None);
}

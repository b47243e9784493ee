//! Expressions, places and what can go wrong with them.

use std::sync::Arc;

use qp_base::Span;

use super::build::*;
use super::walk::run;
use crate::{Dialect, Enum, Expr, Instr, Op, Place, Projection, Root, Type, Value};

/// The text of an expression's value as the machine says it, or what goes wrong.
fn said(dialect: Dialect, expr: Expr) -> String {
    after(dialect, vec![], &[], expr)
}

fn after(dialect: Dialect, mut code: Vec<Instr>, registers: &[Type], expr: Expr) -> String {
    let mut maker = Maker::new(dialect);
    let message = Some(Expr::Format(vec![String::new(), String::new()], vec![expr]));
    code.push(Instr::Assert { condition: truth(false), message });
    let entry = maker.function("entry", 0, registers, code);
    maker.role("Main", &[], vec![state("A").entry(entry)]);
    let line = run(&mut maker.system(), 1).0.remove(0);
    line.strip_prefix("0 failed ").unwrap().replace("QP1002: ", "")
}

fn now(expr: Expr) -> String {
    said(Dialect::Current, expr)
}

fn seq(numbers: &[i64]) -> Value {
    Value::Seq(Arc::new(numbers.iter().copied().map(Value::Int).collect()))
}

fn map(entries: &[(i64, i64)]) -> Value {
    let entry = |&(key, value): &(i64, i64)| (Value::Int(key), Value::Int(value));
    Value::Map(Arc::new(entries.iter().map(entry).collect()))
}

fn index(of: Value, index: i64) -> Expr {
    Expr::Index { of: Expr::Const(of).into(), index: int(index).into(), span: Span::default() }
}

#[test]
fn numbers_wrap_around_at_the_width_of_the_dialect() {
    let next = |number: i64| plus(int(number), int(1));
    assert_eq!(said(Dialect::Current, next(i64::MAX)), i64::MIN.to_string());
    assert_eq!(said(Dialect::Y2018, next(i64::from(i32::MAX))), i32::MIN.to_string());
    assert_eq!(said(Dialect::Current, next(i64::from(i32::MAX))), "2147483648");
}

#[test]
fn arithmetic_divides_towards_zero() {
    assert_eq!(now(binary(Op::Divide, int(-7), int(2))), "-3");
    assert_eq!(now(binary(Op::Remainder, int(-7), int(2))), "-1");
    assert_eq!(now(binary(Op::Divide, int(7), int(0))), "QP1015: 7 is divided by zero");
    assert_eq!(now(binary(Op::Remainder, int(7), int(0))), "QP1015: 7 is divided by zero");
}

#[test]
fn the_second_operand_of_and_is_not_always_looked_at() {
    let bad = || binary(Op::Equal, binary(Op::Divide, int(1), int(0)), int(0));
    assert_eq!(now(Expr::And(truth(false).into(), bad().into())), "False");
    assert_eq!(now(Expr::Or(truth(true).into(), bad().into())), "True");
    assert_eq!(now(Expr::And(truth(true).into(), bad().into())), "QP1015: 1 is divided by zero");
}

#[test]
fn entries_are_found_or_missing() {
    assert_eq!(now(index(seq(&[5, 6]), 1)), "6");
    let text = "QP1012: index 3 is out of range: the sequence has 2 elements";
    assert_eq!(now(index(seq(&[5, 6]), 3)), text);
    let text = "QP1012: index -1 is out of range: the sequence has 1 element";
    assert_eq!(now(index(seq(&[5]), -1)), text);
    assert_eq!(now(index(map(&[(4, 5)]), 4)), "5");
    assert_eq!(now(index(map(&[(4, 5)]), 5)), "QP1013: key 5 is not in the map");
}

#[test]
fn casts_look_at_the_whole_value() {
    let cast = |value: Value, ty: Type| Expr::Cast {
        value: Expr::Const(value).into(),
        ty,
        span: Span::default(),
    };
    let ints = Type::Seq(Arc::new(Type::Int));
    assert_eq!(now(cast(seq(&[1]), ints.clone())), "(1)");
    let mixed = Value::Seq(Arc::new(vec![Value::Int(1), Value::Bool(true)]));
    assert_eq!(now(cast(mixed, ints)), "QP1014: [1, true] is not of type seq[int]");
    assert_eq!(now(cast(Value::Null, Type::Int)), "QP1014: null is not of type int");
    let machine = Value::Machine(qp_machines::MachineId::from_raw(0), crate::RoleId::from_raw(0));
    assert_eq!(now(cast(machine.clone(), Type::Data)), "QP1014: Main(0) is not of type data");
    let in_role = |role| Type::Machine(Some(Arc::from([crate::RoleId::from_raw(role)])));
    assert_eq!(now(cast(machine.clone(), in_role(0))), "Main(0)");
    assert_eq!(now(cast(machine, in_role(1))), "QP1014: Main(0) is not of type machine");
}

#[test]
fn values_print_as_in_p() {
    let names: Arc<[String]> = Arc::from(["a".to_owned(), "b".to_owned()]);
    let record = Expr::Record(names, vec![int(1), truth(true)]);
    assert_eq!(now(record), "<a:1, b:True, >");
    assert_eq!(now(Expr::Tuple(vec![int(1), int(2)])), "<1,2,>");
    assert_eq!(now(Expr::Const(map(&[(1, 2), (3, 4)]))), "(<1->2>, <3->4>)");
    assert_eq!(now(Expr::Const(Value::Set(Arc::new(vec![Value::Int(1)])))), "(<1>)");
    let colour = Enum { name: "Colour".into(), elements: vec![("RED".into(), 3)] };
    assert_eq!(now(Expr::Const(Value::Enum(Arc::new(colour), 3))), "RED");
    assert_eq!(now(Expr::Const(Value::float(1.5))), "1.5");
}

#[test]
fn collections_answer_questions() {
    assert_eq!(now(Expr::Size(Expr::Const(seq(&[7, 8])).into())), "2");
    assert_eq!(now(Expr::Keys(Expr::Const(map(&[(1, 2)])).into())), "(1)");
    assert_eq!(now(Expr::Values(Expr::Const(map(&[(1, 2)])).into())), "(2)");
    let contains =
        |item, of: Value| Expr::Contains { item: int(item).into(), of: Expr::Const(of).into() };
    assert_eq!(now(contains(7, seq(&[7, 8]))), "True");
    assert_eq!(now(contains(2, map(&[(1, 2)]))), "False");
}

/// What a register of this type holds after some code.
fn held(ty: Type, code: Vec<Instr>) -> String {
    after(Dialect::Current, code, &[ty], reg(0))
}

fn entry(key: i64) -> Place {
    let path = vec![Projection::Index(int(key), Span::default())];
    Place { path, ..at_reg(0) }
}

#[test]
fn sequences_grow_and_shrink_within_their_range() {
    let ty = || Type::Seq(Arc::new(Type::Int));
    let insert = |key, value| Instr::Insert { place: at_reg(0), key: int(key), value: int(value) };
    let remove = |key| Instr::Remove { place: at_reg(0), key: int(key) };
    let assign = |key, value| Instr::Assign { place: entry(key), value: int(value) };
    assert_eq!(held(ty(), vec![insert(0, 1), insert(0, 2), insert(2, 3)]), "(2, 1, 3)");
    assert_eq!(held(ty(), vec![insert(0, 1), insert(1, 2), remove(0)]), "(2)");
    assert_eq!(held(ty(), vec![insert(0, 1), assign(0, 5)]), "(5)");
    let text = "QP1012: index 1 is out of range: the sequence has 0 elements";
    assert_eq!(held(ty(), vec![insert(1, 1)]), text);
    let text = "QP1012: index 0 is out of range: the sequence has 0 elements";
    assert_eq!(held(ty(), vec![remove(0)]), text);
    assert_eq!(held(ty(), vec![assign(0, 1)]), text);
}

#[test]
fn maps_and_sets_stay_sorted() {
    let ty = || Type::Map(Arc::new((Type::Int, Type::Int)));
    let insert = |key, value| Instr::Insert { place: at_reg(0), key: int(key), value: int(value) };
    let assign = |key, value| Instr::Assign { place: entry(key), value: int(value) };
    let remove = |key| Instr::Remove { place: at_reg(0), key: int(key) };
    assert_eq!(held(ty(), vec![insert(2, 1), assign(1, 5), assign(2, 6)]), "(<1->5>, <2->6>)");
    assert_eq!(held(ty(), vec![insert(2, 1), remove(2), remove(3)]), "()");
    assert_eq!(held(ty(), vec![insert(2, 1), insert(2, 1)]), "QP1021: key 2 is already in the map");
    let add = |value| Instr::Add { place: at_reg(0), value: int(value) };
    let set = || Type::Set(Arc::new(Type::Int));
    assert_eq!(held(set(), vec![add(3), add(1), add(3), remove(9)]), "(<1>, <3>)");
}

#[test]
fn a_way_through_a_missing_key_fails() {
    let inner = Type::Map(Arc::new((Type::Int, Type::Int)));
    let ty = Type::Map(Arc::new((Type::Int, inner)));
    let step = |key| Projection::Index(int(key), Span::default());
    let place = Place { root: Root::Register(0.into()), path: vec![step(1), step(2)] };
    let code = vec![Instr::Assign { place, value: int(3) }];
    assert_eq!(held(ty, code), "QP1013: key 1 is not in the map");
}

#[test]
fn parts_of_records_are_assigned_alone() {
    let ty = Type::Tuple(Arc::from([Type::Int, Type::Int]));
    let place = Place { path: vec![Projection::Part(1)], ..at_reg(0) };
    assert_eq!(held(ty, vec![Instr::Assign { place, value: int(3) }]), "<0,3,>");
}

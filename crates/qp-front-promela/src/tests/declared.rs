//! Declarations: types, sizes, first values and numbers.

use crate::spec::{Init, Ty, Visibility};

use super::{good, refuses};

#[test]
fn types() {
    let spec = good(
        "bit a; bool b; byte c; pid d; short e; int f; unsigned g : 5; chan h; mtype i; mtype:s j;
         typedef R { int k }; R l; init { skip }",
    );
    let types: Vec<Ty> = spec.globals.iter().map(|it| it.ty).collect();
    let sets: Vec<Option<&str>> = spec.mtypes.iter().map(|it| it.name.as_deref()).collect();
    assert_eq!(sets, [None, Some("s")]);
    let expect = "[Bit, Bool, Byte, Pid, Short, Int, Unsigned(5), Chan, Mtype(mtype0), Mtype(mtype1), \
                  Record(record0)]";
    assert_eq!(format!("{types:?}"), expect);
}

#[test]
fn values_are_cut_to_the_type() {
    let cut = |ty: Ty, value: i32| ty.cut(value);
    assert_eq!(cut(Ty::Byte, 256), 0);
    assert_eq!(cut(Ty::Byte, -1), 255);
    assert_eq!(cut(Ty::Short, 32768), -32768);
    assert_eq!(cut(Ty::Unsigned(3), 9), 1);
    assert_eq!(cut(Ty::Bit, 3), 1);
    assert_eq!(Ty::Bit.cut_in_array(3), 3);
}

#[test]
fn symbolic_names_count_as_in_spin() {
    let spec = good("mtype = { a, b, c }; mtype = { d e }; mtype:s { f, g } init { skip }");
    let plain = &spec.mtypes.as_slice()[0];
    assert_eq!(plain.names, ["c", "b", "a", "e", "d"]);
    assert_eq!(plain.name_of(3), Some("a"));
    assert_eq!(plain.name_of(5), Some("d"));
    assert_eq!(plain.name_of(0), None);
    assert_eq!(spec.mtypes.as_slice()[1].names, ["g", "f"]);
}

#[test]
fn first_values() {
    let spec = good(
        "byte a[3] = 4, b[2] = { 1, 2 }, c; int d = 2 + 3; chan e[2] = [7] of { bit } init { skip }",
    );
    let kind = |init: &Init| match init {
        Init::Zero => "zero".to_owned(),
        Init::Value(value) => spec.show(None, value),
        Init::List(values) => format!("{values:?}"),
        Init::Channel(shape) => format!("channel {}", spec.shapes[*shape].capacity),
    };
    let inits: Vec<String> = spec.globals.iter().map(|it| kind(&it.init)).collect();
    assert_eq!(inits, ["4", "[1, 2]", "zero", "(2+3)", "channel 7"]);
    let lens: Vec<Option<u32>> = spec.globals.iter().map(|it| it.len).collect();
    assert_eq!(lens, [Some(3), Some(2), None, None, Some(2)]);
}

#[test]
fn sizes_can_be_computed() {
    let spec =
        good("#define N 3\nbyte n = 4; byte a[N * 2 - 1], b[n]; active [N] proctype p() { skip }");
    assert_eq!(spec.globals.as_slice()[1].len, Some(5));
    assert_eq!(spec.globals.as_slice()[2].len, Some(4));
    assert_eq!(spec.procs.as_slice()[0].active, 3);
}

#[test]
fn records_have_cells() {
    let spec = good(
        "typedef A { byte x; int y[3] }; typedef B { A a[2]; bit z }; B b[2]; init { b[1].a[0].y[2] = 1 }",
    );
    let variable = &spec.globals.as_slice()[0];
    assert_eq!(spec.variable_cells(variable), 18);
    assert_eq!(spec.cells(variable).len(), 18);
    let Ty::Record(b) = variable.ty else { panic!("it is a record") };
    assert_eq!(spec.field_offset(b, 1), 8);
    assert!(spec.records[b].holds_array);
}

#[test]
fn visibilities() {
    let spec = good("hidden byte a; show byte b; local byte c; byte d; init { skip }");
    let all: Vec<Visibility> = spec.globals.iter().map(|it| it.visibility).collect();
    let expect = [Visibility::Hidden, Visibility::Show, Visibility::Local, Visibility::Plain];
    assert_eq!(all, expect);
}

#[test]
fn processes_in_the_order_of_the_text() {
    let spec = good(
        "byte g; proctype a(byte x, y; chan c) { byte z; skip } active proctype b() priority 4 provided (g == 0) { skip }
         init { run a(1, 2, 0) } active [2] proctype d() { skip }",
    );
    let all: Vec<(&str, u32, usize, Option<i32>, bool)> = spec
        .procs
        .iter()
        .map(|it| (it.name.as_str(), it.active, it.params, it.priority, it.provided.is_some()))
        .collect();
    let expect = [
        ("a", 0, 3, None, false),
        ("b", 1, 0, Some(4), true),
        ("init", 1, 0, None, false),
        ("d", 2, 0, None, false),
    ];
    assert_eq!(all, expect);
}

#[test]
fn locals_know_their_blocks() {
    let spec = good("active proctype p() { byte a; { byte b; { byte c } }; { byte b } }");
    let body = &spec.procs.as_slice()[0].body;
    let all: Vec<String> =
        body.locals.iter().map(|it| format!("{} {:?}", it.name, it.scope)).collect();
    assert_eq!(all, ["a scope0", "b scope1", "c scope2", "b scope3"]);
    let parents: Vec<String> = body.scopes.iter().map(|it| format!("{:?}", it.parent)).collect();
    assert_eq!(parents, ["None", "Some(scope0)", "Some(scope1)", "Some(scope0)"]);
}

#[test]
fn claims_and_traces() {
    let spec = good(
        "chan c = [1] of { byte }; never { do :: np_ od } never other { skip } never { skip }
         trace { c!1 } notrace { c?_ } init { skip }",
    );
    let names: Vec<&str> = spec.claims.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["never_0", "other", "never_2"]);
    let forbidden: Vec<bool> = spec.traces.iter().map(|it| it.forbidden).collect();
    assert_eq!(forbidden, [false, true]);
}

#[test]
fn widths() {
    refuses(
        "unsigned u : 40; init { skip }",
        &["1:14 QP0319 a width cannot be 40 | it must be from 1 to 31"],
    );
    refuses(
        "unsigned u; init { skip }",
        &[
            "1:10 QP0320 `u` has no width | write `unsigned x : 4` for a variable of 4 bits; there are no arrays of them",
        ],
    );
    refuses(
        "byte b : 3; init { skip }",
        &["1:10 QP0320 `b` cannot have a width | only `unsigned` has one"],
    );
    refuses(
        "hidden bit b; init { skip }",
        &["1:12 QP0320 the bit `b` cannot be hidden | use `hidden byte`"],
    );
}

#[test]
fn sizes() {
    refuses(
        "byte x; byte a[x + 1]; init { skip }",
        &["1:16 QP0318 the size of an array must be a constant | \
           use numbers and macros; variables have their values only when the model runs"],
    );
    refuses(
        "byte a[0]; init { skip }",
        &["1:8 QP0319 the size of an array cannot be 0 | it must be from 1 to 2147483647"],
    );
    refuses(
        "byte a[1000000000]; init { skip }",
        &[
            "1:6 QP0319 `a` is too large | 1048576 single values are the most that one thing can have",
        ],
    );
    refuses(
        "active [300] proctype p() { skip }",
        &["1:9 QP0319 the number of active processes cannot be 300 | it must be from 0 to 255"],
    );
}

#[test]
fn symbolic_names_of_another_set() {
    refuses(
        "mtype = { a }; mtype:s = { b }; mtype:s v = a; init { v = b; v = a }",
        &[
            "1:45 QP0339 this symbolic name belongs to plain `mtype`, and the variable to `mtype:s` | \
             use a name of the variable's set",
            "1:66 QP0339 this symbolic name belongs to plain `mtype`, and the variable to `mtype:s` | \
             use a name of the variable's set",
        ],
    );
}

#[test]
fn first_values_of_the_wrong_kind() {
    let cannot = "cannot have this value from the start";
    refuses(
        "byte b = { 1 }; init { skip }",
        &[&format!("1:6 QP0320 `b` {cannot} | a list of values is for an array")],
    );
    refuses(
        "byte b = [1] of { byte }; init { skip }",
        &[&format!("1:6 QP0320 `b` {cannot} | a channel is for a variable of type `chan`")],
    );
    refuses(
        "typedef T { byte a }; init { skip; T t = 0 }",
        &[&format!("1:38 QP0320 `t` {cannot} | a record gets its values field by field")],
    );
}

#[test]
fn a_model_can_go_to_other_threads() {
    fn goes<T: Send + Sync>() {}
    goes::<crate::Spec>();
}

#[test]
fn a_record_has_no_value() {
    let records = "typedef T { byte a }; T t = 0; T u[2] = 0; init { T v = 0; v.a = 1 }";
    assert!(good(records).globals.iter().all(|it| matches!(it.init, Init::Zero)));
    refuses(
        "typedef T { byte a }; T t = 3; init { t.a = 1 }",
        &["1:29 warning QP0343 the record `t` does not get this value | \
           all its fields are 0 at the start, as in SPIN; assign them one by one"],
    );
}

#[test]
fn a_channel_in_a_block_is_no_step() {
    let reading = super::reading("init { skip; { chan c = [1] of { byte }; c!1 } }");
    assert_eq!(reading.diagnostics.len(), 1, "{:?}", reading.diagnostics);
    let spec = reading.spec.expect("that is a warning");
    let local = spec.procs.as_slice()[0].body.locals.iter().next().expect("there is one");
    assert!(!local.late && matches!(local.init, Init::Channel(_)));
}

#[test]
fn a_channel_inside_of_a_value_is_not_for_spin() {
    let help = "compare channels in a condition: `if :: a == b -> x = 1 :: else -> x = 0 fi`";
    let message = "SPIN does not take a channel inside of a value that is assigned";
    refuses(
        "chan c = [1] of { byte }; init { byte x; x = (c == 1); x == c }",
        &[&format!("1:47 warning QP0345 {message} | {help}")],
    );
}

#[test]
fn what_a_process_is_provided_with_may_be_about_its_parameters() {
    good("bool w[3]; proctype P(byte i) provided (w[i]) { skip } init { run P(1) }");
}

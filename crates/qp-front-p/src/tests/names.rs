//! Names: declared, and declared once.

use super::{entry_refuses, refuses};

#[test]
fn a_variable_must_be_declared() {
    entry_refuses(
        "
var count: int;
coutn = 1;
count = cuont;
",
        &[
            "2:1 QP0210 there is no variable `coutn` | did you mean `count`?",
            "3:9 QP0210 there is no variable, event or enum element `cuont` | did you mean `count`?",
        ],
    );
}

#[test]
fn a_name_is_complained_about_once() {
    entry_refuses(
        "
x = 1;
x = x + 2;
",
        &["1:1 QP0210 there is no variable `x` | declare it: `var ...`"],
    );
}

#[test]
fn a_function_must_be_declared() {
    entry_refuses(
        "
hepl();
",
        &["1:1 QP0210 there is no function `hepl` | did you mean `help`?"],
    );
}

#[test]
fn a_machine_must_be_declared_to_be_created() {
    entry_refuses(
        "
new Mian();
new Watch();
",
        &[
            "1:5 QP0210 there is no machine or interface `Mian` | did you mean `Main`?",
            "2:5 QP0210 the spec `Watch` cannot be created | a test attaches it: `assert Spec in ...`",
        ],
    );
}

#[test]
fn a_state_must_be_declared_to_be_gone_to() {
    entry_refuses(
        "
goto T;
",
        &["1:6 QP0210 `Main` has no state `T` | declare it: `state T { ... }`"],
    );
}

#[test]
fn an_event_must_be_declared() {
    entry_refuses(
        "
raise eNone;
receive { case eNoen: { } }
",
        &[
            "1:7 QP0210 there is no variable, event or enum element `eNone` | declare it first",
            "2:16 QP0210 there is no event `eNoen` | declare it: `event eNoen;`",
        ],
    );
}

#[test]
fn names_in_states_must_be_declared() {
    refuses(
        "
machine Main { start state S { entry begin; on E do f; on P goto T; defer Q; } }
event E; event P;
",
        &[
            "1:38 QP0210 there is no function `begin` | declare it in the machine: `fun ...`",
            "1:53 QP0210 there is no function `f` | declare it in the machine: `fun ...`",
            "1:66 QP0210 `Main` has no state `T` | declare it: `state T { ... }`",
            "1:75 QP0210 there is no event `Q` | declare it: `event Q;`",
        ],
    );
}

#[test]
fn types_must_be_declared() {
    refuses(
        "
type T = Foo;
event E: itn;
machine Main { var x: Watch; start state S { } }
spec Watch observes E { start state S { } }
",
        &[
            "1:10 QP0210 there is no type `Foo` | declare it: `type Foo = ...;`",
            "2:10 QP0210 there is no type `itn` | did you mean `int`?",
            "3:23 QP0210 the spec `Watch` is not a type | there is one of each spec, and nothing can refer to it",
        ],
    );
}

#[test]
fn events_of_lists_must_be_declared() {
    refuses(
        "
eventset A = { E };
interface I() receives E;
machine Main receives E; sends F; { start state S { } }
spec Watch observes E { start state S { } }
",
        &[
            "1:16 QP0210 there is no event `E` | declare it: `event E;`",
            "2:24 QP0210 there is no event `E` | declare it: `event E;`",
            "3:23 QP0210 there is no event `E` | declare it: `event E;`",
            "3:32 QP0210 there is no event `F` | declare it: `event F;`",
            "4:21 QP0210 there is no event `E` | declare it: `event E;`",
        ],
    );
}

#[test]
fn global_names_are_declared_once() {
    refuses(
        "
type T = int;
enum T { A }
event A;
machine M { start state S { } }
spec M observes B { start state S { } }
fun f() { }
fun f() { }
eventset X = { B };
eventset X = { B };
param n: int;
param n: int;
event B;
",
        &[
            "2:6 QP0211 `T` is declared twice | give one of the two another name",
            "3:7 QP0211 `A` is declared twice | give one of the two another name",
            "5:6 QP0211 `M` is declared twice | give one of the two another name",
            "7:5 QP0211 `f` is declared twice | give one of the two another name",
            "9:10 QP0211 `X` is declared twice | give one of the two another name",
            "11:7 QP0211 `n` is declared twice | give one of the two another name",
        ],
    );
}

#[test]
fn names_of_a_machine_are_declared_once() {
    refuses(
        "
machine M { var x: int; var x: int; fun f() { } fun f() { } start state S { } state S { } }
",
        &[
            "1:29 QP0211 `x` is declared twice | give one of the two another name",
            "1:53 QP0211 `f` is declared twice | give one of the two another name",
            "1:85 QP0211 `S` is declared twice | give one of the two another name",
        ],
    );
}

#[test]
fn local_names_are_declared_once() {
    refuses(
        "
fun f(x: int, x: int) { var y: int; var y: int; var x: int; }
",
        &[
            "1:15 QP0211 `x` is declared twice | give one of the two another name",
            "1:41 QP0211 `y` is declared twice | give one of the two another name",
            "1:53 QP0211 `x` is declared twice | give one of the two another name",
        ],
    );
}

#[test]
fn fields_have_different_names() {
    refuses(
        "
type T = (a: int, a: bool);
fun f() { var t: (a: int, b: int); t = (a = 1, a = 2); }
",
        &[
            "1:19 QP0211 two fields have the name `a` | give one of the two another name",
            "2:40 QP0212 expected `(a: int, b: int)`, found `(a: int)`",
            "2:48 QP0211 two fields have the name `a` | give one of the two another name",
        ],
    );
}

#[test]
fn elements_of_an_enum_have_different_numbers() {
    refuses(
        "
enum E { A = 1, B = 2, C = 1 }
",
        &["1:24 QP0239 `A` and `C` are both 1 | give each element a number of its own"],
    );
}

#[test]
fn a_param_is_not_hidden() {
    refuses(
        "
param n: int;
machine M { var n: int; start state S { entry (n: int) { } } }
fun f() { var n: int; }
",
        &[
            "2:17 QP0237 `n` is a `param` of the program | give the variable another name",
            "2:48 QP0237 `n` is a `param` of the program | give the variable another name",
            "3:15 QP0237 `n` is a `param` of the program | give the variable another name",
        ],
    );
}

#[test]
fn a_param_is_not_changed() {
    refuses(
        "
param n: int;
fun f() { n = 1; }
",
        &["2:11 QP0237 the `param` `n` cannot be changed | the test case says what it is"],
    );
}

#[test]
fn types_are_not_recursive() {
    refuses(
        "
type A = seq[B];
type B = (A, int);
type C = C;
",
        &[
            "2:11 QP0219 the type `A` contains itself | types cannot be recursive; hold such values in a map, and refer to them by key",
            "3:10 QP0219 the type `C` contains itself | types cannot be recursive; hold such values in a map, and refer to them by key",
        ],
    );
}

#[test]
fn types_are_not_too_large() {
    refuses(
        "
type A = (int, int, int, int, int, int, int, int, int, int);
type B = (A, A, A, A, A, A, A, A, A, A);
type C = (B, B, B, B, B, B, B, B, B, B);
type D = (C, C, C, C, C, C, C, C, C, C);
",
        &[
            "4:10 QP0260 values of this type have more than 10000 parts | hold the parts in a sequence or map",
        ],
    );
}

#[test]
fn types_are_not_too_deep() {
    let help = "nobody can read such a type; use fewer levels";
    let said = format!("1:10 QP0260 types are nested more than 100 levels deep | {help}");
    let types = |n: u32, of: &dyn Fn(u32) -> u32, wrap: &dyn Fn(u32) -> String| -> String {
        let line = |i: u32| format!("type T{} = {};\n", of(i), wrap(of(i)));
        (1..n).map(line).collect()
    };
    let main = "machine Main { start state S { } } ";
    let seqs = |below: u32| format!("seq[T{}]", below - 1);
    let text = format!("{main}type T0 = int;\n{}", types(100, &|i| i, &seqs));
    refuses(&text, &[]);
    let text = format!("{main}type T0 = int;\n{}", types(101, &|i| i, &seqs));
    refuses(&text, &[&said.replacen("1:10", "101:13", 1)]);
    let aliases = |below: u32| format!("T{}", below - 1);
    let text = format!("{main}type T0 = int;\n{}", types(5000, &|i| i, &aliases));
    refuses(&text, &[]);
    let text = format!("{}type T0 = int;", types(5000, &|i| 5000 - i, &aliases));
    assert_eq!(super::reading(&text, |_| {}).diagnostics.len(), 21);
}

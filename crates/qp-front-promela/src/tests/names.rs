//! Names: which ones are known, and where.

use super::{good, refuses, statements_refuse};

const TAKEN: &str = "an inner block cannot have a name of its own that an outer one has too";

#[test]
fn unknown_names_are_reported_once() {
    statements_refuse(
        "cuont = 1; cuont = 2; int count",
        &["1:1 QP0312 the name `cuont` is not declared | declare it before it is used"],
    );
    statements_refuse(
        "int count; cuont = 1",
        &["1:12 QP0312 the name `cuont` is not declared | did you mean `count`?"],
    );
}

#[test]
fn unknown_processes() {
    statements_refuse(
        "run pp(1)",
        &["1:5 QP0312 there is no process `pp` | declare it with `proctype`"],
    );
}

#[test]
fn names_are_not_hidden() {
    refuses(
        "byte x; active proctype p() { byte x; skip }",
        &[&format!("1:36 QP0313 the name `x` is taken already | {TAKEN}")],
    );
    refuses(
        "active proctype p() { byte x; { byte x; skip } }",
        &[&format!("1:38 QP0313 the name `x` is taken already | {TAKEN}")],
    );
    refuses(
        "mtype = { x }; byte x; init { skip }",
        &[&format!("1:21 QP0313 the name `x` is taken already | {TAKEN}")],
    );
    refuses(
        "init { skip } init { skip }",
        &[&format!("1:15 QP0313 the name `init` is taken already | {TAKEN}")],
    );
}

#[test]
fn options_are_no_blocks() {
    refuses(
        "active proctype p() { if :: skip -> byte y; y = 1 fi; byte y; y = 2 }",
        &[&format!("1:60 QP0313 the name `y` is taken already | {TAKEN}")],
    );
}

#[test]
fn arrays_and_fields() {
    statements_refuse(
        "a = 1",
        &["1:1 warning QP0342 the array `a` has no index here: it means `a[0]` | \
           SPIN complains and takes the first element; write down which one is meant"],
    );
    statements_refuse("x[1] = 1", &["1:3 QP0315 `x` is not an array | remove the index"]);
    statements_refuse("t.h = 1", &["1:3 QP0316 `T` has no field `h` | its fields are f, g"]);
    statements_refuse(
        "x.h = 1",
        &["1:3 QP0316 there is no field `h`: this is a single value | only a `typedef` has fields"],
    );
    statements_refuse(
        "t = t",
        &[
            "1:1 QP0317 a record is not a single value | \
             use its fields one by one; only messages and arguments of `run` can be whole records",
            "1:5 QP0317 a record is not a single value | \
             use its fields one by one; only messages and arguments of `run` can be whole records",
        ],
    );
}

#[test]
fn names_of_the_wrong_kind() {
    statements_refuse(
        "red = 1",
        &["1:1 QP0314 `red` is not a variable | it is a symbolic name, which cannot change"],
    );
    statements_refuse(
        "x = p",
        &["1:5 QP0314 the process `p` is not a value | \
           write `p[pid]@label` or `p[pid]:variable`, or `run p()` to start one"],
    );
}

#[test]
fn predefined_names() {
    statements_refuse(
        "_pid = 1",
        &[
            "1:1 QP0326 `_pid` cannot be changed here | it can only be read; to compare a part of a message with it, write `eval(_pid)`",
        ],
    );
    statements_refuse(
        "x = _",
        &["1:5 QP0326 `_` has no value | what is assigned to `_` is forgotten"],
    );
    statements_refuse(
        "np_",
        &["1:1 QP0334 `np_` is not for processes | it is for `never` claims and formulas"],
    );
}

#[test]
fn other_processes_must_have_what_is_asked_for() {
    statements_refuse(
        "p@kk",
        &[
            "1:3 QP0329 the process `p` has no label `kk` | write it before a statement of the process",
        ],
    );
    statements_refuse(
        "p:nn == 1",
        &["1:3 QP0312 the process `p` has no variable `nn` | only its local variables can be seen"],
    );
}

#[test]
fn arguments_of_run() {
    statements_refuse(
        "run p(1)",
        &["1:1 QP0324 the process `p` takes 2 arguments, but there are 1"],
    );
    let help = "use it alone, or as in `x = run p()`";
    let expect = |column: u32| format!("1:{column} QP0325 `run` cannot stand here | {help}");
    statements_refuse("byte z = run p(1, q)", &[&expect(10)]);
    statements_refuse("q!run p(1, q)", &[&expect(3)]);
    statements_refuse("x && run p(1, q)", &[&expect(6)]);
    statements_refuse("x = run p(1, q) + run p(1, q)", &[&expect(19)]);
}

#[test]
fn a_process_may_come_later() {
    good("init { run p(1) } proctype p(byte x) { skip }");
}

#[test]
fn something_must_run() {
    refuses(
        "proctype p() { skip }",
        &[
            "1:10 QP0336 no process runs | begin with `init { run …; }`, or write `active` before a `proctype`",
        ],
    );
}

//! Control flow.

use super::{entry_refuses, refuses};

#[test]
fn exit_functions_do_not_change_the_state() {
    refuses(
        "
event E;
machine M {
 fun leave() { if ($) goto S; }
 fun late() { leave(); }
 start state S { exit { raise E; } }
 state T { exit leave; }
 state U { exit late; }
}
",
        &[
            "3:23 QP0227 an exit function cannot change the state | the next state is decided already; decide in a handler instead",
            "4:15 QP0227 an exit function cannot change the state | the next state is decided already; decide in a handler instead",
            "5:25 QP0227 an exit function cannot raise an event | the next state is decided already; decide in a handler instead",
        ],
    );
}

#[test]
fn transition_functions_do_not_change_the_state() {
    refuses(
        "
event E;
machine M {
 fun f() { raise E; }
 start state S { on E goto S with { goto S; } }
 state T { on E goto S with f; }
 state U { on E goto S with { pop; } }
}
",
        &[
            "3:12 QP0227 the function of a transition cannot raise an event | the next state is decided already; decide in a handler instead",
            "4:37 QP0227 the function of a transition cannot change the state | the next state is decided already; decide in a handler instead",
            "6:31 QP0227 the function of a transition cannot change the state | the next state is decided already; decide in a handler instead",
        ],
    );
}

#[test]
fn functions_with_a_value_are_not_abandoned() {
    refuses(
        "
event E;
machine M {
 fun f(): int { goto S; return 1; }
 fun g(): int { raise E; }
 fun h(): int { receive { case E: { pop; } } return 1; }
 start state S { }
}
",
        &[
            "3:17 QP0228 `goto` is not allowed in `f`, which returns a value | return first, and `goto` where it was called from",
            "4:17 QP0228 `raise` is not allowed in `g`, which returns a value | return first, and `raise` where it was called from",
            "5:37 QP0228 `pop` is not allowed in `h`, which returns a value | return first, and `pop` where it was called from",
        ],
    );
}

#[test]
fn functions_with_a_value_return_it() {
    refuses(
        "
fun f(): int { }
fun g(b: bool): int { if (b) return 1; }
fun h(b: bool): int { if (b) { return 1; } else return 2; }
fun i(b: bool): int { while (b) { return 1; } }
fun j(): int { assert false; }
fun k(): int { return; }
fun l(): int { return true; }
",
        &[
            "1:5 QP0229 `f` does not always return a value | end it with `return ...;`, or with `assert false;` where it cannot get to",
            "2:5 QP0229 `g` does not always return a value | end it with `return ...;`, or with `assert false;` where it cannot get to",
            "4:5 QP0229 `i` does not always return a value | end it with `return ...;`, or with `assert false;` where it cannot get to",
            "6:16 QP0229 `k` must return `int` | say what to return: `return ...;`",
            "7:23 QP0212 expected `int`, found `bool`",
        ],
    );
}

#[test]
fn functions_without_a_value_return_none() {
    refuses(
        "
event E;
fun f() { return 1; }
fun g() { return null; }
machine M { start state S { entry { return 1; } } fun h(): int { receive { case E: { return 1; } } return 2; } }
",
        &[
            "2:18 QP0212 there is nothing to return here | write `return;`, or give the function a type",
            "4:44 QP0212 there is nothing to return here | a handler returns no value: write `return;`",
            "4:93 QP0212 there is nothing to return here | keep the value in a variable, and return it after the `receive`",
        ],
    );
}

#[test]
fn loops_are_left_from_inside() {
    entry_refuses(
        "
break;
while (true) { break; continue; }
continue;
while (true) { receive { case E: { break; } } }
",
        &[
            "1:1 QP0230 `break` outside of a loop | it can only be inside of `while` or `foreach`",
            "3:1 QP0230 `continue` outside of a loop | it can only be inside of `while` or `foreach`",
        ],
    );
}

#[test]
fn states_are_of_machines() {
    refuses(
        "
fun f() { goto S; }
",
        &[
            "1:16 QP0210 there is no state `S` outside of a machine | declare the function in the machine",
        ],
    );
}

//! Machines, states, events and specs.

use super::{entry_refuses, refuses};

#[test]
fn a_machine_has_one_start_state() {
    refuses(
        "
machine A { state S { } }
machine B { start state S { } start state T { } }
",
        &[
            "1:9 QP0220 `A` has no start state | mark the state that it begins in: `start state ...`",
            "2:43 QP0220 `B` has two start states | remove one `start`",
        ],
    );
}

#[test]
fn an_event_has_one_handler_in_a_state() {
    refuses(
        "
event E; event F; event G;
machine M { start state S { on E do { } defer E; ignore F; on F goto S; on G, G do { } } }
",
        &[
            "2:47 QP0221 the state `S` has a handler for `E` already | remove one of the two",
            "2:63 QP0221 the state `S` has a handler for `F` already | remove one of the two",
            "2:79 QP0221 the state `S` has a handler for `G` already | remove one of the two",
        ],
    );
}

#[test]
fn a_state_has_one_entry_and_one_exit() {
    refuses(
        "
machine M { start state S { entry { } exit { } entry { } exit { } } }
",
        &[
            "1:48 QP0221 the state `S` has an entry function already | remove one of the two",
            "1:58 QP0221 the state `S` has an exit function already | remove one of the two",
        ],
    );
}

#[test]
fn handlers_take_at_most_one_parameter() {
    refuses(
        "
event E;
machine M {
 fun two(a: int, b: int) { }
 fun one(a: int) { }
 start state S { entry two; exit one; on E do two; }
 state T { on E goto S with two; }
}
",
        &[
            "5:18 QP0222 a handler takes at most one parameter, `two` takes 2 | take the payload as one tuple",
            "5:29 QP0222 an exit function takes no parameter, `one` takes 1 | there is nothing to hand over when a state is left",
            "5:42 QP0222 a handler takes at most one parameter, `two` takes 2 | take the payload as one tuple",
            "6:15 QP0222 a handler takes at most one parameter, `two` takes 2 | take the payload as one tuple",
        ],
    );
}

#[test]
fn handlers_belong_to_the_machine() {
    refuses(
        "
fun f() { }
event E;
machine M {
 fun g();
 start state S { entry f; exit g; on E do f; } }
",
        &[
            "5:24 QP0223 the global function `f` cannot be a handler | declare it in the machine, or call it from `{ ... }`",
            "5:32 QP0223 the foreign function `g` cannot be a handler | declare it in the machine, or call it from `{ ... }`",
            "5:43 QP0223 the global function `f` cannot be a handler | declare it in the machine, or call it from `{ ... }`",
        ],
    );
}

#[test]
fn handlers_take_what_events_carry() {
    refuses(
        "
event E: int; event F;
machine M {
 fun f(x: bool) { }
 start state S { on E do f; on F goto T; on halt do (x: int) { } }
 state T { entry (x: int) { } on E goto S with f; on F push T; }
}
",
        &[
            "4:21 QP0224 `E` carries `int`, but its handler takes `bool` | change the type of the parameter, or of the event",
            "4:32 QP0224 `F` carries nothing, but the entry of `T` takes `int` | change the type of the parameter, or of the event",
            "4:45 QP0224 `halt` carries nothing, but its handler takes `int` | change the type of the parameter, or of the event",
            "5:34 QP0224 `E` carries `int`, but the `with` function takes `bool` | change the type of the parameter, or of the event",
            "5:54 QP0224 `F` carries nothing, but the entry of `T` takes `int` | change the type of the parameter, or of the event",
        ],
    );
}

#[test]
fn handlers_may_take_less() {
    refuses(
        "
event E: int; event F: (int, bool); event G;
machine Main {
 fun f(x: any) { }
 start state S { entry { goto R, 1; } }
 state R { entry f; on E do f; on F do f; on G goto R; }
 state T { entry (x: (any, bool)) { } on F goto T; on E do { } }
}
",
        &[],
    );
}

#[test]
fn a_tuple_of_one_is_not_its_field() {
    refuses(
        "
event E: (int);
machine M { start state S { on E do (x: int) { } } }
",
        &[
            "2:32 QP0224 `E` carries `(int)`, but its handler takes `int` | the event carries a tuple with one field: take the tuple and use its `.0`",
        ],
    );
}

#[test]
fn null_is_never_sent() {
    entry_refuses(
        "
send this, null;
raise null;
announce null;
",
        &[
            "1:12 QP0225 `null` cannot be sent or raised | name an event",
            "2:7 QP0225 `null` cannot be sent or raised | name an event",
            "3:10 QP0225 `null` cannot be sent or raised | name an event",
        ],
    );
}

#[test]
fn events_carry_their_payload() {
    entry_refuses(
        "
send this, E, 1;
send this, P;
send this, P, true;
raise P, 1, 2;
announce Q, 1;
send this, Q, 1, true;
send this, Q, (1, true);
send this, Q, 1, 1;
send this, Q, 1, true, 2;
",
        &[
            "1:15 QP0224 `E` carries nothing, found `int`",
            "2:1 QP0224 `P` carries `int`, found nothing",
            "3:15 QP0224 `P` carries `int`, found `bool`",
            "4:1 QP0213 `P` takes 1 argument, 2 are given",
            "5:13 QP0224 `Q` carries `(int, bool)`, found `int`",
            "8:18 QP0212 expected `bool`, found `int`",
            "9:1 QP0213 `Q` takes 2 arguments, 3 are given",
        ],
    );
}

#[test]
fn what_goes_with_an_event_value_is_not_known() {
    entry_refuses(
        "
var e: event;
send this, e;
send this, e, 1, true;
",
        &[],
    );
}

#[test]
fn targets_are_machines_and_events_are_events() {
    entry_refuses(
        "
send 1, E;
send this, 1;
raise this;
",
        &[
            "1:6 QP0212 expected `machine`, found `int`",
            "2:12 QP0212 expected `event`, found `int`",
            "3:7 QP0212 expected `event`, found `Main`",
        ],
    );
}

#[test]
fn creators_hand_over_what_is_taken() {
    entry_refuses(
        "
new Node();
new Node(true);
new Node(1);
new Main(1);
new Node(1, 2);
",
        &[
            "1:1 QP0224 `Node` takes `int`, found nothing",
            "2:10 QP0224 `Node` takes `int`, found `bool`",
            "4:10 QP0224 `Main` takes nothing, found `int`",
            "5:1 QP0213 `Node` takes 1 argument, 2 are given",
        ],
    );
}

#[test]
fn a_goto_hands_over_what_is_taken() {
    entry_refuses(
        "
if (true) goto Next;
if (true) goto Next, true;
if (true) goto S, 1;
goto Next, 1;
",
        &[
            "1:11 QP0213 the entry of `Next` takes 1 argument, 0 are given",
            "2:22 QP0224 the entry of `Next` takes `int`, found `bool`",
            "3:11 QP0213 the entry of `S` takes no argument, 1 is given",
        ],
    );
}

#[test]
fn a_received_event_is_taken_as_it_is() {
    entry_refuses(
        "
receive { case E: (x: int) { } case P: (x: int) { } case Q, E: { } case halt: { } }
",
        &[
            "1:16 QP0224 `E` carries nothing, but the case takes `int`",
            "1:58 QP0224 `Q` carries `(int, bool)`, but the case takes nothing | take it: `case Q: (x: (int, bool)) { ... }`",
            "1:61 QP0221 `E` is received twice | remove one of the two",
        ],
    );
}

#[test]
fn a_spec_only_watches() {
    refuses(
        "
event E;
fun f(m: machine) { send m, E; }
fun g(): bool { return $; }
fun h(): bool { return g(); }
spec Watch observes E {
 var m: machine; var b: bool;
 start state S { defer E; on null do { } entry {
 send m, E; announce E; m = new Main(); b = $; b = $$; b = choose(); m = this; receive { case E: { } }
 f(m); b = h(); pop; } on halt push S; }
}
machine Main { start state S { } }
",
        &[
            "7:24 QP0226 the spec `Watch` cannot defer `E` | a spec has no queue: handle the event or ignore it",
            "7:30 QP0226 the spec `Watch` cannot handle `null` | a spec only moves when it sees an event",
            "8:2 QP0226 `send` is not allowed in the spec `Watch` | a spec only watches: what it sees decides what it does",
            "8:13 QP0226 `announce` is not allowed in the spec `Watch` | a spec only watches: what it sees decides what it does",
            "8:29 QP0226 `new` is not allowed in the spec `Watch` | a spec only watches: what it sees decides what it does",
            "8:45 QP0226 `$` is not allowed in the spec `Watch` | a spec only watches: what it sees decides what it does",
            "8:52 QP0226 `$$` is not allowed in the spec `Watch` | a spec only watches: what it sees decides what it does",
            "8:60 QP0226 `choose` is not allowed in the spec `Watch` | a spec only watches: what it sees decides what it does",
            "8:74 QP0226 `this` is not allowed in the spec `Watch` | a spec only watches: what it sees decides what it does",
            "8:80 QP0226 `receive` is not allowed in the spec `Watch` | a spec only watches: what it sees decides what it does",
            "9:2 QP0226 `f` sends, so the spec `Watch` cannot call it | a spec only watches: what it sees decides what it does",
            "9:12 QP0226 `h` chooses freely, so the spec `Watch` cannot call it | a spec only watches: what it sees decides what it does",
            "9:17 QP0226 `pop` is not allowed in the spec `Watch` | a spec only watches: what it sees decides what it does",
            "9:27 warning QP0236 `Watch` does not observe `halt` | add it: `spec Watch observes ..., halt`",
            "9:37 QP0226 the spec `Watch` cannot push a state | use `goto` instead",
        ],
    );
}

#[test]
fn a_spec_handles_what_it_observes() {
    refuses(
        "
event E; event F;
spec Watch observes E { start state S { on F goto S; } }
machine Main { start state S { } } test tc [main = Main]: assert Watch in { Main };
",
        &[
            "2:44 warning QP0236 `Watch` does not observe `F` | add it: `spec Watch observes ..., F`",
        ],
    );
}

#[test]
fn this_is_a_machine() {
    refuses(
        "
fun f(): machine { return this; }
",
        &[
            "1:27 QP0231 `this` means nothing outside of a machine | hand the machine over as a parameter",
        ],
    );
}

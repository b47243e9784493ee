use super::{check_says, read_cfsm};

#[track_caller]
fn check(text: &str, expect: &[&str]) {
    check_says(read_cfsm, text, expect);
}

#[test]
fn several_syntax_errors_are_found() {
    check(
        "machine A { init S: sned A m -> T
 T: recv m -> U | send B n -> S | recv -> S
 W: internal -> S }
ltl x: ;
machin B { }",
        &[
            "QP0102 1:21 expected an action, found `sned`",
            "QP0102 2:40 expected a message, found `->`",
            "QP0102 4:8 expected a formula, found `;`",
            "QP0102 5:1 expected a declaration, found `machin`",
        ],
    );
    check(
        "machine machine { init S: internal } machine { init S: blah } machine B init S: }
machine C { init S: recv m(); T: send A } machine D { init S: internal -> S -> T }",
        &[
            "QP0111 1:9 `machine` is a keyword, but this is the place of the name of a machine",
            "QP0102 1:46 expected the name of a machine, found `{`",
            "QP0102 1:56 expected an action, found `blah`",
            "QP0102 1:73 expected `{`, found `init`",
            "QP0102 2:28 expected a value, found `)`",
            "QP0102 2:41 expected a message, found `}`",
            "QP0102 2:77 expected `|` or the next state, found `->`",
        ],
    );
    check(
        "machine A { init S: send end m -> fail \"x\" -> T | fail \"unclosed\n T: } /* open",
        &[
            "QP0111 1:26 `end` is a keyword, but this is the place of a machine or channel",
            "QP0101 1:56 this string does not end on its line",
            "QP0102 2:2 expected a text in quotes, found `T`",
            "QP0101 2:7 this comment does not end",
        ],
    );
    check(
        "machine A { init S: internal -> S",
        &["QP0102 1:34 expected `}`, found the end of the text"],
    );
    check(
        "machine A { init S: internal -> fail \"x\" -> S }",
        &["QP0109 1:33 nothing comes after `fail`"],
    );
}

#[test]
fn names_must_exist() {
    check(
        "machine Client { init S: send Sever m -> Tee | recv m -> S
 Tea: }
machine Server { init S: recv m }
bad p: Server in Q, Klient in S, queue Server matches mm (m | zzz)*;
ltl p: G F n && Server@Z;",
        &[
            "QP0104 1:31 there is no machine `Sever`",
            "QP0104 1:42 machine `Client` has no state `Tee`",
            "QP0104 4:18 machine `Server` has no state `Q`",
            "QP0104 4:21 there is no machine `Klient`",
            "QP0104 4:55 there is no message `mm`",
            "QP0104 4:63 there is no message `zzz`",
            "QP0104 5:12 there is no message `n`",
            "QP0104 5:24 machine `Server` has no state `Z`",
        ],
    );
    check(
        "queues channels; channel link; machine A { init S: send lnk m | recv link m }",
        &["QP0104 1:57 there is no channel `lnk`"],
    );
    check(
        "machine A { init S: send A m | recv m } ltl a: GF m;",
        &["QP0102 1:48 `GF` is one word, not several operators"],
    );
}

#[test]
fn names_are_suggested() {
    let (_, diagnostics) = read_cfsm("machine Server { init S: send Sever m -> s }");
    let help: Vec<&str> = diagnostics.iter().filter_map(|d| d.help.as_deref()).collect();
    assert_eq!(help, ["did you mean `Server`?", "did you mean `S`?"]);
}

#[test]
fn names_are_declared_once() {
    check(
        "machine A { init S: internal S: } machine A { init S: internal }
bad b: A in S; bad b: A in S; ltl b: true; ltl b: true;
queues mailbox; queues channels; capacity 1; capacity 2; queue A 1; queue A 2;",
        &[
            "QP0105 1:30 state `S` is declared twice",
            "QP0105 1:43 machine `A` is declared twice",
            "QP0105 2:20 bad situation `b` is declared twice",
            "QP0105 2:48 formula `b` is declared twice",
            "QP0105 3:17 `queues` is declared twice",
            "QP0105 3:55 `capacity` is declared twice",
            "QP0105 3:77 this queue has been given a size already",
        ],
    );
    check(
        "queues channels; channel a, a; machine A { init S: internal }",
        &["QP0105 1:29 channel `a` is declared twice"],
    );
}

#[test]
fn every_machine_has_one_initial_state() {
    check(
        "machine A { S: internal } machine B { } machine C { init S: init T: internal -> S}",
        &[
            "QP0106 1:9 machine `A` has no initial state",
            "QP0106 1:35 machine `B` has no initial state",
            "QP0106 1:66 machine `C` has two initial states",
        ],
    );
}

#[test]
fn queues_are_named_as_the_discipline_wants() {
    let machine = "machine A { init S: send A m | recv A m | recv m }";
    check(
        &format!("{machine} queue A from A 1; channel c; bad b: queue A from A matches m;"),
        &[
            "QP0107 1:37 this receive names the sender `A`, but a mailbox does not keep it",
            "QP0107 1:58 a mailbox is for all senders",
            "QP0107 1:78 channels are declared, but the queues are not channels",
            "QP0107 1:94 a mailbox is for all senders",
        ],
    );
    check(
        &format!("queues peer-to-peer; {machine} queue A 1;"),
        &[
            "QP0107 1:64 this receive does not name the sender",
            "QP0107 1:79 there is one queue per sender here",
        ],
    );
    check(
        "queues channels; channel A; machine A { init S: send A m | recv A m | recv m }
queue A 2; bad b: queue A from A matches m;",
        &[
            "QP0107 1:71 this receive does not name the channel",
            "QP0107 2:7 `queue` gives no size to a channel",
            "QP0107 2:32 a channel is for all senders",
        ],
    );
}

#[test]
fn sizes_make_sense() {
    check(
        "capacity 0; capacity 99999999999; capacity x; capacity rendezvous lossy; capacity unbounded drop;",
        &[
            "QP0108 1:10 a queue of size 0 holds no message",
            "QP0108 1:22 the size `99999999999` is too large",
            "QP0102 1:44 expected a size, found `x`",
            "QP0108 1:56 a rendezvous cannot lose a message",
            "QP0108 1:83 an unbounded queue is never full, so it drops nothing",
        ],
    );
}

#[test]
fn nesting_and_size_are_limited() {
    let machine = "machine A { init S: recv m | send A m }\n";
    let (open, close) = ("(".repeat(101), ")".repeat(101));
    check(
        &format!(
            "{machine}bad b: queue A matches {open}m{close};\nltl a: {}m;\nltl b: {open}m{close};\nltl c: {}m;",
            "!".repeat(300),
            "m U ".repeat(300)
        ),
        &[
            "QP0103 2:125 this is nested more than 100 levels deep",
            "QP0103 3:109 this is nested more than 100 levels deep",
            "QP0103 4:109 this is nested more than 100 levels deep",
            "QP0103 5:412 this is nested more than 100 levels deep",
        ],
    );
    check(
        &format!(
            "{machine}bad b: queue A matches {}m{};\nltl a: {}m{};\nltl b: {}m;",
            "(".repeat(50),
            ")+".repeat(50),
            "(".repeat(50),
            " <-> m)".repeat(50),
            "m && ".repeat(10_000),
        ),
        &[
            "QP0103 2:24 this pattern is too large when it is written out",
            "QP0103 3:8 this formula is too large when it is written out",
            "QP0103 4:8 this formula is too large when it is written out",
        ],
    );
    let machines: Vec<String> = (0..5000).map(|i| format!("machine A{i} {{ init S: }}")).collect();
    check(&machines.join(" "), &["QP0103 1:9 there are 5000 machines; 4096 can be read"]);
}

#[test]
fn only_the_first_twenty_are_shown() {
    let states: Vec<String> = (0..40).map(|i| format!("S{i}: oops")).collect();
    let text = format!("machine A {{ {} }}", states.join(" "));
    let (automata, diagnostics) = read_cfsm(&text);
    assert!(automata.is_none());
    let lines = super::lines(&text, &diagnostics);
    assert_eq!(lines.len(), 21);
    assert!(lines[20].ends_with("there are more; the first 20 are shown"), "{}", lines[20]);
}

#[test]
fn warnings() {
    check(
        "machine A { init S: send B m -> T  T: recv n -> U  U: V: internal -> recv m W: }
machine B { init S: recv m(1) } machine C { init S: internal }",
        &[
            "QP0121 1:21 `m` is sent to queue `B`, but never received from it",
            "QP0121 1:39 `n` is received from queue `A`, but never sent to it",
            "QP0120 1:55 machine `A` never reaches states `V`, `W`",
            "QP0121 1:70 `m` is received from queue `A`, but never sent to it",
            "QP0121 2:21 `m(1)` is received from queue `B`, but never sent to it",
            "QP0122 2:41 machine `C` never sends or receives",
        ],
    );
    check(super::cfsm::CANCEL, &[]);
}

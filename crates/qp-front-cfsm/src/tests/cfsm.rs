use super::{check_means, read_cfsm};

#[track_caller]
fn check(text: &str, expect: &[&str]) {
    check_means(read_cfsm, text, expect);
}

/// The example on the first page of the manual.
pub(super) const CANCEL: &str = "
machine Client {
    init Idle: send Server Req     -> Waiting
    Waiting:   send Server Cancel  -> Done
             | recv Grant          -> Using
    Using:     send Server Release -> Done
    Done:
}
machine Server {
    init Free: recv Req            -> Asked
    Asked:     send Client Grant   -> Granted
             | recv Cancel         -> Free
    Granted:   recv Release        -> Free
}
";

#[test]
fn the_example_of_the_manual() {
    check(
        CANCEL,
        &[
            "queue Client Unbounded Never",
            "queue Server Unbounded Never",
            "machine Client from Idle",
            "  Idle",
            "    Server!Req -> Waiting",
            "  Waiting",
            "    Server!Cancel -> Done",
            "    Client?Grant -> Using",
            "  Using",
            "    Server!Release -> Done",
            "  Done",
            "machine Server from Free",
            "  Free",
            "    Server?Req -> Asked",
            "  Asked",
            "    Client!Grant -> Granted",
            "    Server?Cancel -> Free",
            "  Granted",
            "    Server?Release -> Free",
        ],
    );
}

#[test]
fn names_may_be_numbers_and_messages_have_values() {
    check(
        "machine 0 { init 2nd: send 0 tok( 0 , a ) -> 1 1: recv tok(0,a) -> 2nd | recv tok (-1,true) }",
        &[
            "queue 0 Unbounded Never",
            "machine 0 from 2nd",
            "  2nd",
            "    0!tok(0,a) -> 1",
            "  1",
            "    0?tok(0,a) -> 2nd",
            "    0?tok(-1,true) -> 1",
        ],
    );
}

#[test]
fn a_receive_before_the_next_state_names_no_sender() {
    check(
        "machine A { init S: recv m T: recv n }",
        &[
            "queue A Unbounded Never",
            "machine A from S",
            "  S",
            "    A?m -> S",
            "  T",
            "    A?n -> T",
        ],
    );
}

#[test]
fn chains_pass_through_unnamed_states() {
    check(
        "machine A { init S: internal -> send A m -> T | recv m -> send A n | internal -> fail \"no\" T: fail \"x\" }",
        &[
            "queue A Unbounded Never",
            "machine A from S",
            "  S",
            "    internal -> S/1",
            "    A?m -> S/2",
            "    internal -> S/3",
            "  T",
            "    fail \"x\" -> T",
            "  S/1",
            "    A!m -> T",
            "  S/2",
            "    A!n -> S",
            "  S/3",
            "    fail \"no\" -> S/3",
        ],
    );
}

#[test]
fn labels_and_deferred_messages() {
    check(
        "machine A { init end S: defer m, tok(1) | recv n -> T progress end bad T: bad U: internal -> S }",
        &[
            "queue A Unbounded Never",
            "machine A from S",
            "  S end defer m defer tok(1)",
            "    A?n -> T",
            "  T end progress",
            "  U",
            "    internal -> S",
            "bad A.T: A in T",
            "bad A.U: A in U",
        ],
    );
}

#[test]
fn sizes_of_mailboxes() {
    check(
        "capacity 3 drop; queue B unbounded lossy; queue C rendezvous;
         machine A { init S: send B m | send C m } machine B { init S: recv m }
         machine C { init S: recv m }",
        &[
            "queue A Messages(3) WhenFull",
            "queue B Unbounded Always",
            "queue C Rendezvous Never",
            "machine A from S",
            "  S",
            "    B!m -> S",
            "    C!m -> S",
            "machine B from S",
            "  S",
            "    B?m -> S",
            "machine C from S",
            "  S",
            "    C?m -> S",
        ],
    );
}

#[test]
fn peer_to_peer_queues_appear_when_they_are_used() {
    check(
        "machine A { init S: send B m | recv B n | send A self_ }
         machine B { init S: recv A m | send A n }
         queue B from A 2; queues peer-to-peer; bad full: queue B from A matches m m;",
        &[
            "queue A->B Messages(2) Never",
            "queue B->A Unbounded Never",
            "queue A->A Unbounded Never",
            "machine A from S",
            "  S",
            "    A->B!m -> S",
            "    B->A?n -> S",
            "    A->A!self_ -> S",
            "machine B from S",
            "  S",
            "    A->B?m -> S",
            "    B->A!n -> S",
            "bad full: A->B matches Sequence([One([e0]), One([e0])])",
        ],
    );
}

#[test]
fn channels_are_for_everybody() {
    check(
        "queues channels; channel a, 0 1; channel c; capacity 7 lossy;
         machine A { init S: send a m | recv 0 m | recv a m | send 0 m | send c m | recv c m}",
        &[
            "queue a Messages(1) Never",
            "queue 0 Messages(1) Never",
            "queue c Messages(7) Always",
            "machine A from S",
            "  S",
            "    a!m -> S",
            "    0?m -> S",
            "    a?m -> S",
            "    0!m -> S",
            "    c!m -> S",
            "    c?m -> S",
        ],
    );
}

#[track_caller]
fn check_property(text: &str, expect: &str) {
    let machine = "machine A { init S: send A m | recv m | send A tok(1) | recv tok(1) | send A X -> T T: recv X -> S}";
    let (automata, diagnostics) = read_cfsm(&format!("{machine} {text}"));
    let automata = automata.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let found = super::dump(&automata).pop().unwrap();
    assert_eq!(found, expect);
}

#[test]
fn patterns() {
    let check = |pattern: &str, expect: &str| {
        check_property(
            &format!("bad b: A in S|T, queue A matches {pattern};"),
            &format!("bad b: A in S|T and A matches {expect}"),
        );
    };
    check("empty", "Empty");
    check("", "Empty");
    check("m", "One([e0])");
    check("tok(1)", "One([e1])");
    check("m (m)", "Sequence([One([e0]), One([e0])])");
    check("m | . | X", "Choice([One([e0]), Any, One([e2])])");
    check("m* .", "Sequence([Star(One([e0])), Any])");
    check("m+", "Sequence([One([e0]), Star(One([e0]))])");
    check("m?", "Choice([One([e0]), Empty])");
    check("(m | m X)*", "Star(Choice([One([e0]), Sequence([One([e0]), One([e2])])]))");
}

#[test]
fn formulas() {
    let check = |formula: &str, expect: &str| {
        check_property(&format!("ltl f: {formula};"), &format!("ltl f: {expect}"));
    };
    check("true", "true");
    check("send m", "send m");
    check("send tok(1)", "send tok(1)");
    check("m", "send m");
    check("send X", "send X");
    check("X send X", "X (send X)");
    check("A@S", "m0@S");
    check("! A@S && A@T", "(!(m0@S) && m0@T)");
    check("G (A@S -> F A@T)", "G ((!(m0@S) || F (m0@T)))");
    check("[]<> A@S", "G (F (m0@S))");
    check("A@S || A@T && true", "(m0@S || (m0@T && true))");
    check("A@S U A@T U false", "(m0@S U (m0@T U false))");
    check("A@S U A@T && true", "((m0@S U m0@T) && true)");
    check("A@S R A@T", "(m0@S R m0@T)");
    check("A@S W A@T", "(m0@T R (m0@S || m0@T))");
    check("A@S -> A@T -> true", "(!(m0@S) || (!(m0@T) || true))");
    check("A@S <-> A@T", "((!(m0@S) || m0@T) && (!(m0@T) || m0@S))");
    check("true && true && true && true", "((true && true) && (true && true))");
}

#[test]
fn comments_and_line_ends_are_spaces() {
    check(
        "// one\r\nmachine/* a */A{init S:\r\ninternal}/***/ // end",
        &["queue A Unbounded Never", "machine A from S", "  S", "    internal -> S"],
    );
}

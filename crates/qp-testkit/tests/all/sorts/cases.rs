//! A small program for each condition: with it the answer is right, without it the engine would be wrong, and the referee
//! would notice.

use qp_machines::{Property, Use, ValueFlow};

use super::{answers, judged, model, word};

/// A condition, a program whose assertion fails, and what the tables lack without the condition.
struct Case {
    why: &'static str,
    text: &'static str,
    lacks: fn(&str, Use) -> bool,
    /// Whether collections that are copied count as one.
    copies: bool,
}

fn literal(_: &str, it: Use) -> bool {
    matches!(it, Use::Literal(_))
}

fn reset(_: &str, it: Use) -> bool {
    it == Use::Reset
}

const CASES: &[Case] = &[
    Case {
        why: "a machine that is created reads its default, which is a literal",
        text: "event e: int;
            machine W { var y: int; start state S { on e do (a: int) { assert y == a; } } }
            machine Main { start state S { entry { var x: int; var m: machine;
                x = choose(3); m = new W(); send m, e, x; } } }
            test t [main=Main]: { Main, W };",
        lacks: literal,
        copies: true,
    },
    Case {
        why: "a generator that is set back makes old numbers again",
        text: "event e0; event e1;
            machine Main { var g: int; var x: int; start state S {
                entry { g = g + 2; g = g + 2; x = g; g = g + 2; send this, e0; }
                on e0 do { g = 0; send this, e1; }
                on e1 do { g = g + 2; assert g != x; send this, e1; } } }
            test t [main=Main]: { Main };",
        lacks: reset,
        copies: true,
    },
    Case {
        why: "a second generator begins where the first one began",
        text: "event e: int;
            machine W { var g: int; start state S { entry (m: machine) {
                g = g + 2; g = g + 2; send m, e, g; } } }
            machine Main { var x: int;
                start state S { entry { new W(this); } on e do (a: int) { x = a; goto T; } }
                state T { entry { new W(this); } on e do (a: int) { assert x != a; } } }
            test t [main=Main]: { Main, W };",
        lacks: reset,
        copies: true,
    },
    Case {
        why: "the least of several generators counts",
        text: "event e: int; event eGo; event eMore;
            machine A { var g: int; start state S {
                entry (m: machine) { g = g + 2; g = g + 2; send m, e, g; g = g + 2; }
                on eMore do { g = g + 2; } } }
            machine B { var g: int; var m: machine; start state S {
                entry (it: machine) { m = it; }
                on eGo do { g = g + 2; g = g + 2; send m, e, g; } } }
            machine Main { var x: int; var b: machine;
                start state S { entry { b = new B(this); new A(this); }
                    on e do (a: int) { x = a; send b, eGo; goto T; } }
                state T { on e do (a: int) { assert x != a; } } }
            test t [main=Main]: { Main, A, B };",
        lacks: |slot, it| it == Use::Step && slot.ends_with("of B"),
        copies: true,
    },
    Case {
        why: "a key that is a literal can be asked for although nobody holds it",
        text: "event e;
            machine Main { var g: int; var y: int; var m: map[int, bool]; start state S {
                entry { m[g] = true; g = g + 1; send this, e; }
                on e do { y = 0; assert !(y in m); if (g in m) { g = g + 1; } } } }
            test t [main=Main]: { Main };",
        lacks: literal,
        copies: true,
    },
    Case {
        why: "a key that another generator has not passed yet will be asked for",
        text: "event e0: int; event e1: int; event eGo; event eMore;
            machine A { var g: int; start state S {
                entry (s: machine) { g = g + 2; send s, e0, g; g = g + 2; }
                on eMore do { g = g + 2; } } }
            machine B { var g: int; var s: machine; start state S {
                entry (it: machine) { s = it; }
                on eGo do { g = g + 2; send s, e1, g; g = g + 2; } } }
            machine Main { var m: map[int, bool]; var b: machine; start state S {
                entry { b = new B(this); new A(this); }
                on e0 do (a: int) { m[a] = true; send b, eGo; }
                on e1 do (a: int) { assert !(a in m); } } }
            test t [main=Main]: { Main, A, B };",
        lacks: |slot, it| it == Use::Step && slot.ends_with("of B"),
        copies: true,
    },
    Case {
        why: "a map that is copied is measured where its copy is",
        text: "event e;
            machine Main { var g: int; var m: map[int, bool]; var n: map[int, bool]; start state S {
                entry { m[g] = true; g = g + 1; send this, e; }
                on e do { n = m; assert sizeof(n) != 1; if (g in m) { g = g + 1; } } } }
            test t [main=Main]: { Main };",
        lacks: |_, _| false,
        copies: false,
    },
    Case {
        why: "where numbers begin matters as long as a literal is assigned",
        text: "event e: int;
            machine B { var x: int; var y: int; start state S {
                on e do (a: int) { x = 0; y = x + 2; assert y != a; } } }
            machine Main { var g: int; start state S { entry { var b: machine;
                b = new B(); g = g + 1; g = g + 1; send b, e, g; } } }
            test t [main=Main]: { Main, B };",
        lacks: literal,
        copies: true,
    },
    Case {
        why: "names lie above literals",
        text: "event e;
            machine Main { var g: int; var x: int; start state S {
                entry { g = g + 6; x = g; g = g + 6; send this, e; }
                on e do { assert x != 6; if (x != g) { g = g + 1; } } } }
            test t [main=Main]: { Main };",
        lacks: literal,
        copies: true,
    },
    Case {
        why: "numbers that are compared with each other are not one",
        text: "event e0; event e1;
            machine Main { var x: int; var y: int; start state S {
                entry { x = choose(3); send this, e0; }
                on e0 do { y = choose(3); send this, e1; }
                on e1 do { assert x == y; } } }
            test t [main=Main]: { Main };",
        lacks: |_, it| it == Use::Equal,
        copies: true,
    },
    Case {
        why: "each range of choices is mapped onto itself",
        text: "event e0; event e1; event e2;
            machine Main { var x: int; var y: int; var z: int; start state S {
                entry { x = choose(4); send this, e0; }
                on e0 do { y = choose(2); send this, e1; }
                on e1 do { z = choose(2); send this, e2; }
                on e2 do { assert y == z || x == y || x == z; } } }
            test t [main=Main]: { Main };",
        lacks: |_, it| it == Use::Choose(2),
        copies: true,
    },
    Case {
        why: "going through a set depends on which numbers are in it",
        text: "event e;
            machine Main { var g: int; var a: int; var b: int; var c: int; var s: set[int];
                start state S {
                entry { g = g + 1; b = g; g = g + 1; c = g; g = g + 1; a = g; g = g + 1;
                    s += (a); s += (b); s += (c); send this, e; }
                on e do { assert s[0] != b && a != g && c != g; g = g + 1; } } }
            test t [main=Main]: { Main };",
        lacks: |_, it| it == Use::Walk,
        copies: true,
    },
    Case {
        why: "a number that goes down meets old ones",
        text: "event e;
            machine Main { var g: int; var y: int; var z: int; start state S {
                entry { g = 5; y = 3; z = choose(3); send this, e; }
                on e do { g = g - 2; assert g != y; } } }
            test t [main=Main]: { Main };",
        lacks: |_, it| matches!(it, Use::Back | Use::Literal(_)),
        copies: true,
    },
];

#[test]
fn each_condition_is_needed_and_checked() {
    for Case { why, text, lacks, copies } in CASES {
        let model = model(text);
        let asked = [Property::Assert];
        let right = answers(&model, &asked, &|_| {}).claims.remove(0).claim;
        assert_eq!(judged(&model, Property::Assert, &right), Ok("violated"), "{why}: {right:?}");
        let edit = |flow: &mut ValueFlow| {
            for node in &mut flow.nodes {
                let lacks = |it: &(qp_machines::SlotId, Use)| lacks(&flow.slots[it.0].name, it.1);
                node.uses.retain(|it| !lacks(it));
            }
            if !copies {
                flow.alike.clear();
            }
        };
        let misled = answers(&model, &asked, &edit).claims.remove(0).claim;
        assert_eq!(word(&misled), "holds", "{why}: nobody needs it");
        assert!(judged(&model, Property::Assert, &misled).is_err(), "{why}: nobody checks it");
    }
}

/// Programs with infinitely many configurations, or very many, and how many rows they have.
const FINITE: &[(&str, &str, u64)] = &[
    (
        "a table of requests that is never cleaned",
        "event eReq: (from: machine, id: int); event eResp: int;
        machine Client { var server: machine; var next: int; var last: int;
            start state Init { entry (s: machine) { server = s; goto Ask; } }
            state Ask {
                entry { last = next; send server, eReq, (from = this, id = next); next = next + 1; }
                on eResp do (id: int) { assert id == last; goto Ask; } } }
        machine Server { var seen: map[int, bool]; start state S {
            on eReq do (r: (from: machine, id: int)) {
                assert !(r.id in seen); seen[r.id] = true; send r.from, eResp, r.id; } } }
        machine Main { start state S { entry { new Client(new Server()); } } }
        test t [main=Main]: { Main, Client, Server };",
        10,
    ),
    (
        "numbers of which each is the next one",
        "event e: int; event eAck;
        machine R { var last: int; var s: machine; start state S {
            entry (it: machine) { s = it; last = 7; }
            on e do (n: int) { assert n == last + 1; last = n; send s, eAck; } } }
        machine Main { var r: machine; var n: int; start state S {
            entry { n = 8; r = new R(this); send r, e, n; }
            on eAck do { n = n + 1; send r, e, n; } } }
        test t [main=Main]: { Main, R };",
        12,
    ),
    (
        "the newest number wins",
        "event e: int; event eAck: int;
        machine R { var newest: int; var s: machine; start state S {
            entry (it: machine) { s = it; }
            on e do (n: int) { if (newest < n) { newest = n; } send s, eAck, newest; } } }
        machine Main { var r: machine; var n: int; start state S {
            entry { r = new R(this); n = n + 1; send r, e, n; }
            on eAck do (it: int) { assert it <= n; n = n + 1; if ($) { n = n + 2; } send r, e, n; } } }
        test t [main=Main]: { Main, R };",
        20,
    ),
    (
        "a number drawn from a large range that is only compared with others of its kind",
        "event e: int; event eAck: int;
        machine R { var s: machine; start state S {
            entry (it: machine) { s = it; }
            on e do (n: int) { send s, eAck, n; } } }
        machine Main { var r: machine; var n: int; start state S {
            entry { r = new R(this); n = choose(50); send r, e, n; }
            on eAck do (it: int) { assert it == n; n = choose(50); send r, e, n; } } }
        test t [main=Main]: { Main, R };",
        12,
    ),
];

#[test]
fn specs_of_infinite_programs_do_not_stay_hot() {
    let text = "event eReq: (from: machine, id: int); event eResp: int;
        spec Answered observes eReq, eResp { var open: set[int];
            start cold state None { on eReq goto Some with (r: (from: machine, id: int)) {
                open += (r.id); } }
            hot state Some { on eResp do (id: int) {
                assert id in open; open -= (id); if (sizeof(open) == 0) { goto None; } } } }
        machine Client { var server: machine; var next: int;
            start state Init { entry (s: machine) { server = s; goto Ask; } }
            state Ask {
                entry { send server, eReq, (from = this, id = next); next = next + 1; }
                on eResp goto Ask; } }
        machine Server { start state S {
            on eReq do (r: (from: machine, id: int)) { ANSWER send r.from, eResp, r.id; } } }
        machine Main { start state S { entry { new Client(new Server()); } } }
        test t [main=Main]: assert Answered in { Main, Client, Server };";
    let live = Property::Ltl(0);
    for (answer, expected) in [("", "holds"), ("if ($) { goto S; }", "unknown")] {
        let model = model(&text.replace("ANSWER", answer));
        let claim = answers(&model, &[live], &|_| {}).claims.remove(0).claim;
        assert_eq!(judged(&model, live, &claim), Ok(expected), "{answer}");
        // Lengths of queues are no ranks.
        let bounded = answers(&model, &[Property::Bounded], &|_| {}).claims.remove(0).claim;
        assert!(judged(&model, live, &bounded).is_err());
    }
}

#[test]
fn infinite_programs_become_finite() {
    for (what, text, most) in FINITE {
        let model = model(text);
        for answer in answers(&model, &super::FAILURES, &|_| {}).claims {
            let judged = judged(&model, answer.property, &answer.claim);
            assert_eq!(judged, Ok("holds"), "{what}: {:?}", answer.property);
            assert!(answer.figures.states <= *most, "{what}: {:?}", answer.figures);
        }
    }
}

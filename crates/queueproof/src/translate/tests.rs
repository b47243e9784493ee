use super::*;
use crate::load;

/// The translation of a model, without the comment at its beginning.
fn translated(text: &str, bound: u32) -> String {
    let loaded = load("a.cfsm", text.as_bytes()).expect("it is a model");
    let translation = to_promela(&loaded, bound).expect("it can be translated");
    let (_, body) = translation.text.split_once("*/\n\n").expect("there is a comment");
    body.to_owned()
}

#[test]
fn a_transition_is_a_statement() {
    let text = "machine A { init S: send B m -> T | internal  T: }
                machine B { end init S: recv m | fail \"no\" }";
    let expected = "\
mtype = { m };

chan to_A = [3] of { mtype };
chan to_B = [3] of { mtype };

active proctype A()
{
at_S:
	if
	:: to_B!m -> goto at_T
	:: 1 < 2 -> goto at_S
	fi;
at_T: end_at_T:
	false
}

active proctype B()
{
at_S: end_at_S:
	if
	:: to_B?m -> goto at_S
	:: assert(false) /* no */ -> goto at_S
	fi
}
";
    assert_eq!(translated(text, 3), expected);
}

#[test]
fn losses_are_statements_of_their_own() {
    let text = "queues channels; channel a 2 lossy; channel b 1 drop; channel c rendezvous;
                machine A { init S: send a m | send b m | send c m }
                machine B { init S: recv a m | recv b m | recv c m }";
    let body = translated(text, 4);
    for line in ["a!m", "1 < 2 /* lost */", "b!m", "full(b)", "c!m"] {
        assert!(body.contains(&format!("\t:: {line} -> goto at_S\n")), "{line}:\n{body}");
    }
    assert!(body.contains("chan c = [0] of { mtype };"), "{body}");
}

#[test]
fn deferred_messages_are_looked_behind() {
    let text = "machine A { init S: send B m -> send B n -> T  T: }
                machine B { init S: recv n -> T | defer m  T: recv m }";
    let body = translated(text, 2);
    let taken = "d_step { to_B_n > 1 && (to_B[0] == m) && to_B[1] == n -> \
                 to_B[1] = 0; to_B_n = to_B_n - 1 } -> goto at_T";
    assert!(body.contains(taken), "{body}");
    assert!(body.contains("d_step { to_B_n < 2 -> to_B[to_B_n] = m; to_B_n = to_B_n + 1 }"));
}

#[test]
fn bad_situations_and_formulas_are_formulas() {
    let text = "machine A { init S: send B m -> T  T: }  machine B { init S: recv m -> T  bad T: }
                bad both: A in T, queue B matches m;
                ltl comes: F (B@T);
                ltl sent: F (send m);
                ltl soon: X (A@T);";
    let loaded = load("a.cfsm", text.as_bytes()).expect("it is a model");
    let translation = to_promela(&loaded, 2).expect("it can be translated");
    for line in [
        "ltl reach_B_T { [] !(((B@at_T))) }",
        "ltl reach_both { [] !(((A@at_T) && ((to_B_n > 0 && (to_B_n == 1))))) }",
        "ltl comes { <> ((B@at_T)) }",
    ] {
        assert!(translation.text.contains(line), "{line}:\n{}", translation.text);
    }
    let expected = [
        "ltl:sent is left out: it is about sends and receives, which formulas of SPIN do not see.",
        "ltl:soon is left out: it is about the next step, which SPIN does not allow.",
    ];
    assert_eq!(translation.notes, expected);
}

#[test]
fn names_do_not_clash() {
    let text = "machine do { init if: send while do -> end_  end_: }
                machine while { init if: recv do }";
    let body = translated(text, 1);
    assert!(body.contains("active proctype do_2()"), "{body}");
    assert!(body.contains("mtype = { do_3 };"), "{body}");
    assert!(body.contains("goto at_end"), "{body}");
}

#[test]
fn what_cannot_be_translated_is_named() {
    let refused = |name: &str, text: &str| {
        let loaded = load(name, text.as_bytes()).expect("it is a model");
        to_promela(&loaded, 1).expect_err("it cannot be translated").to_string()
    };
    let p = "event e; machine Main { start state S { entry { send this, e; } on e do { raise halt; } } }";
    assert_eq!(refused("a.p", p), "machines that end cannot be translated yet (in Main)");
    let wide = "queues channels; channel c 300; machine A { init S: send c m | recv c m }";
    assert_eq!(refused("a.cfsm", wide), "`c` has room for 300 messages, and SPIN allows 255");
}

#[test]
fn machines_are_created_where_the_program_creates_them() {
    let p = "event e; machine Main { start state S { entry { send new Other(), e; } } }
             machine Other { start state S { on e do { } } }";
    let loaded = load("a.p", p.as_bytes()).expect("it is a program");
    let text = to_promela(&loaded, 1).expect("it can be translated").text;
    assert!(text.contains("active proctype Main()"), "{text}");
    assert!(text.contains("\nproctype Other"), "{text}");
    assert!(text.contains(":: run Other"), "{text}");
}

//! Conversations and queue lengths, from the command line to the files.

use crate::place::Place;

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_length_that_is_enough_is_told_and_certified() {
    let (place, model) = (Place::new("sends_enough"), "corpus/cfsm/parity.cfsm");
    place.copy(model);
    let out =
        place.expect(0, &["check", model, "--property", "sendlang", "--engine", "sendlang"]).out;
    let told = "with queues of length 1 every conversation is possible that is possible with unlimited queues";
    assert!(words(&out).contains(told), "{out}");
    let certificate = ".queueproof/corpus/cfsm/parity.cfsm/certificate.json";
    assert!(place.read(certificate).contains("\"evidence\":{\"sends\""));
    let out = place.expect(0, &["cert", "verify", certificate]).out;
    assert!(out.contains("pairs for queues of length 1 proves"), "{out}");
}

#[test]
fn a_family_of_conversations_is_drawn_and_kept() {
    let (place, model) = (Place::new("sends_family"), "corpus/cfsm/rsc_no_k.cfsm");
    place.copy(model);
    let out =
        place.expect(1, &["check", model, "--property", "sendlang", "--engine", "sendlang"]).out;
    let out = words(&out);
    for told in [
        "violated[QP1037] sendlang: no finite queue is enough",
        "the part that repeats begins, here 3 times: steps 1 to 3",
        "behind the part that repeats: from step 4 on",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
    let trace = ".queueproof/corpus/cfsm/rsc_no_k.cfsm/traces/sendlang.json";
    assert!(place.read(trace).contains("\"shape\":\"family\""));
    place.expect(1, &["replay", trace]);
}

/// A formula that finitely many sends refute is violated; one that no run has enough sends for is not proved.
#[test]
fn a_formula_over_sends_is_not_proved_for_want_of_sends() {
    let (place, model) = (Place::new("sends_finite"), "corpus/cfsm/cancel_fixed.cfsm");
    place.copy(model);
    for formula in ["false", "G !Req"] {
        place.expect(1, &["check", model, "--ltl", formula, "--property", "ltl:given"]);
    }
    place.expect(1, &["replay", ".queueproof/corpus/cfsm/cancel_fixed.cfsm/traces/ltl-given.json"]);
    let words = ["check", model, "--ltl", "G (Req -> F Grant)", "--property", "ltl:given"];
    let out = place.expect(0, &words).out;
    assert!(out.contains("none      ltl:given  no run has infinitely many sends"), "{out}");
    assert!(out.contains("1 with nothing to check") && !out.contains("1 proved"), "{out}");
}

#[test]
fn a_proof_over_sends_says_of_which_runs() {
    let (place, model) = (Place::new("sends_reading"), "corpus/cfsm/sends_refuted.cfsm");
    place.copy(model);
    let out = words(&place.expect(0, &["check", model, "--property", "ltl:answered"]).out);
    let told = "many sends; no finite run refutes it";
    assert!(out.contains(told), "{out}");
    let certificate = ".queueproof/corpus/cfsm/sends_refuted.cfsm/certificate.json";
    let out = place.expect(0, &["cert", "verify", certificate]).out;
    assert!(out.contains("about runs with infinitely many sends"), "{out}");
}

#[test]
fn the_case_studies_stand_in_a_table() {
    let place = Place::new("sends_table");
    for model in ["stock_broker", "tcp_contract", "parity"] {
        place.copy(&format!("corpus/cfsm/{model}.cfsm"));
    }
    let out = place
        .expect(0, &["bench", "corpus/cfsm", "--table", "interactions", "--format", "csv"])
        .out;
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    assert!(lines[0].starts_with("model,machines,"), "{out}");
    assert!(lines[1].contains("tcp_contract") && lines[1].contains(",0,some k,"), "{out}");
    let sizes = "(4, 5) (5, 6) (4, 5)";
    assert!(lines[2].contains(sizes) && lines[2].contains(",none,none,"), "{out}");
}

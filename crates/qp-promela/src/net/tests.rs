use qp_front_promela::{NoFiles, read};
use qp_machines::{Arc, Counts, DetailId, Model, Net, QueueId};

use crate::{Options, model};

/// The net that follows everything but shared variables.
fn net(text: &str) -> Net {
    let model = made(text);
    let coarse = model.system().program_mut().net(&[]).expect("the model has a net");
    let all = coarse.details.iter_enumerated().filter(|(_, it)| !it.shared);
    let all: Vec<DetailId> = all.map(|(id, _)| id).collect();
    model.system().program_mut().net(&all).expect("the model has a net")
}

/// The net that follows the variables with these names.
fn following(text: &str, names: &[&str]) -> Net {
    let model = made(text);
    let coarse = model.system().program_mut().net(&[]).expect("the model has a net");
    let named = |name: &&str| {
        let mut all = coarse.details.iter_enumerated();
        all.find(|(_, it)| it.name == **name).unwrap_or_else(|| panic!("there is a {name}")).0
    };
    let followed: Vec<DetailId> = names.iter().map(named).collect();
    model.system().program_mut().net(&followed).expect("the model has a net")
}

fn made(text: &str) -> Model {
    let reading = read("model.pml", text, &NoFiles, &qp_front_promela::Options::default());
    let spec = reading.spec.expect("the model is right");
    let (model, said) = model(spec, Options::default());
    model.unwrap_or_else(|| panic!("{said:?}"))
}

/// What steps do to counters, in order: names with what is added.
fn effects(net: &Net) -> Vec<String> {
    let show = |arc: &Arc| {
        let all = arc.effects.iter();
        let all = all.map(|&(id, by)| format!("{} {by:+}", net.counters[id].name));
        all.collect::<Vec<_>>().join(" & ")
    };
    let mut found: Vec<String> = net.arcs.iter().map(show).filter(|it| !it.is_empty()).collect();
    found.sort();
    found
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(effects(&net(text)), expected, "{text}");
}

#[test]
fn a_loop_that_counts_to_a_constant_is_a_path() {
    let text = "chan q = [9] of { byte };
        active proctype P() { byte i; do :: i < 3 -> q!7; i++ :: else -> break od }";
    check(text, &["q: _ +1", "q: _ +1", "q: _ +1"]);
}

#[test]
fn numbers_wrap_as_they_do_when_the_model_runs() {
    let text = "chan q = [9] of { byte };
        active proctype P() { byte n = 254; n++; n++; if :: n == 0 -> q!1 :: else fi; q!2 }";
    check(text, &["q: _ +1", "q: _ +1"]);
    assert_eq!(net(text).spots.len(), 6, "the other option is never taken");
}

#[test]
fn constants_in_patterns_make_kinds_of_messages() {
    let text = "mtype = { a, b }; chan q = [9] of { mtype, byte }; byte g;
        active proctype P() { q!a(1); q!b(g) }
        active proctype R() { do :: q?a(_) :: q?b(g); g++ od }";
    check(text, &["q: a,_ +1", "q: a,_ -1", "q: b,_ +1", "q: b,_ -1"]);
}

#[test]
fn a_part_that_is_not_known_may_be_any_constant() {
    let text = "chan q = [9] of { byte }; byte g;
        active proctype P() { g++; q!g; q!1 }
        active proctype R() { q?1; q?2 }";
    check(text, &["q: 1 +1", "q: 1 -1", "q: _ +1", "q: _ -1", "q: _ -1"]);
}

#[test]
fn what_was_received_decides_what_comes_next() {
    let text = "mtype = { a, b }; chan q = [9] of { mtype }; chan r = [9] of { mtype };
        active proctype P() { if :: q!a :: q!b fi }
        active proctype R() { mtype m; q?m; r!m }";
    check(text, &["q: a +1", "q: a -1", "q: b +1", "q: b -1", "r: a +1", "r: b +1"]);
}

#[test]
fn a_copy_takes_nothing() {
    let text = "chan q = [9] of { byte }; byte g;
        active proctype P() { q!1; q?<g>; q?[1]; q??g }";
    check(text, &["q: _ +1", "q: _ -1"]);
}

#[test]
fn an_index_that_is_not_known_means_every_element() {
    let text = "chan q[2] = [9] of { byte }; byte g;
        active [2] proctype P() { q[_pid]!1; g++; q[g]?_ }";
    check(
        text,
        &["q[0]: _ +1", "q[0]: _ -1", "q[0]: _ -1", "q[1]: _ +1", "q[1]: _ -1", "q[1]: _ -1"],
    );
}

#[test]
fn a_rendezvous_is_counted_as_handed_over() {
    let net = net("chan q = [0] of { byte }; active proctype P() { q!1 }
        active proctype R() { q?1 }");
    assert_eq!(effects(&net), ["q: 1 +1", "q: 1 -1"]);
    assert_eq!(net.counters.as_slice()[0].counts, Counts::Handshakes(QueueId::new(0)));
}

#[test]
fn processes_with_the_same_arguments_share_places() {
    let text = "chan q[3] = [9] of { byte };
        proctype P(byte me) { q[me]!1 }
        init { byte i; for (i : 0 .. 1) { run P(i) }; run P(1) }";
    let net = net(text);
    let expected = ["P +1", "P +1", "P +1", "P -1", "P -1", "q[0]: _ +1", "q[1]: _ +1"];
    assert_eq!(effects(&net), expected);
    let begins: Vec<&Arc> = net.arcs.iter().filter(|arc| arc.from.is_none()).collect();
    assert_eq!(begins.len(), 2);
    assert!(begins.iter().all(|arc| arc.text == "P begins"));
}

#[test]
fn a_process_that_ends_goes_nowhere() {
    let net = net("active proctype P() { skip }");
    let ends: Vec<&str> =
        net.arcs.iter().filter(|arc| arc.to.is_none()).map(|arc| arc.text.as_str()).collect();
    assert_eq!(ends, ["-end-"]);
}

#[test]
fn steps_to_a_progress_label_are_progress() {
    let net = net("byte g; active proctype P() { do :: g = 1; progress: g = 2; g = 3 od }");
    let mut found: Vec<(&str, bool)> =
        net.arcs.iter().map(|arc| (arc.text.as_str(), arc.progress)).collect();
    found.sort_unstable();
    assert_eq!(found, [("g = 1", true), ("g = 2", false), ("g = 3", false)]);
}

/// Nobody sees a process there.
#[test]
fn labels_inside_of_atomic_sequences_are_no_progress() {
    for text in [
        "byte g; active proctype P() { do :: atomic { g = 1; progress: g = 2 } od }",
        "byte g; active proctype P() { do :: d_step { g = 1; progress: g = 2 } od }",
        "byte g; active proctype P() { do :: atomic { g = 1; goto progress }; progress: g = 3 od }",
    ] {
        let net = net(text);
        let counted = net.arcs.iter().find(|arc| arc.progress);
        assert_eq!(counted, None, "{text}");
    }
}

#[test]
fn variables_with_too_many_values_are_not_followed() {
    let net = net("active proctype P() { int n; do :: n < 100000 -> n++ :: else -> break od }");
    assert_eq!(net.spots.len(), 3);
}

#[test]
fn first_values_of_created_processes_depend_on_their_arguments() {
    let text = "chan q[3] = [9] of { byte };
        proctype P(byte n) { byte me = n + 1; q[me]!1 }
        init { run P(0); run P(1) }";
    check(text, &["P +1", "P +1", "P -1", "P -1", "q[1]: _ +1", "q[2]: _ +1"]);
}

#[test]
fn too_many_arguments_are_not_told_apart() {
    let text = "chan q = [9] of { byte };
        proctype P(short n) { short me = n; if :: me == 1 -> q!1 :: else -> run P(n + 1) fi }
        init { run P(2) }";
    assert_eq!(net(text).arcs.iter().filter(|arc| arc.from.is_none()).count(), 1);
}

#[test]
fn processes_with_too_many_variables_are_refused() {
    let text = "active proctype P() { byte a[3000]; a[0] = 1 }";
    let reading = read("model.pml", text, &NoFiles, &qp_front_promela::Options::default());
    let (model, _) = model(reading.spec.expect("the model is right"), Options::default());
    let net = model.expect("the model runs").system().program_mut().net(&[]);
    let why = "`P` has more than 2000 local variables, elements of arrays included";
    assert_eq!(net, Err(why.to_owned()));
}

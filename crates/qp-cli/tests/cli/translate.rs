//! `translate`: what comes out means the same.

use crate::compare::compiler;
use crate::place::{Place, corpus_models};

/// Larger models say nothing new, and SPIN is run on each.
const STATES_MAX: &str = "3000";

/// Configurations of a model, all in one search; `None` where a limit cut it.
fn count(place: &Place, model: &str, bound: &str, options: &[&str]) -> Option<u64> {
    let words = ["explore", model, "--from", bound, "--bound", bound, "--count", "--no-files"];
    let words = [&words[..], &["--steps", STATES_MAX, "--format", "json"], options].concat();
    let ended = place.run(&words);
    if ended.code == Some(2) {
        return None;
    }
    assert_eq!(ended.code, Some(0), "{words:?}\n{}", ended.err);
    let json: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    json["engines"][0]["bounds"][0]["states"].as_u64()
}

#[test]
fn a_translation_has_as_many_states_as_the_model_here_and_in_spin() {
    let place = Place::with_corpus("translate_corpus");
    let (mut compared, mut wrong) = (0, Vec::new());
    for model in corpus_models() {
        let Some(states) = count(&place, &model, "2", &[]) else { continue };
        let words = ["translate", &model, "--to", "promela", "--bound", "2", "-o", "t.pml"];
        place.expect(0, &words);
        // Declared capacities stay, and may be greater than the bound.
        let declared = count(&place, &model, "255", &[]) == Some(states);
        let found = count(&place, "t.pml", "255", &["--granularity", "statement"]);
        if found != Some(states) && (declared || found.is_none()) {
            wrong.push(format!("{model}: {states}, its translation: {found:?}"));
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 60, "only {compared} models were compared");
}

#[test]
fn spin_agrees_about_translations() {
    let Some(compiler) = compiler() else { return };
    let place = Place::with_corpus("translate_spin");
    for (number, model) in corpus_models().iter().enumerate() {
        if number % 4 != 0 || count(&place, model, "2", &[]).is_none() {
            continue;
        }
        place.expect(0, &["translate", model, "--to", "promela", "--bound", "2", "-o", "t.pml"]);
        let ended = place.run(&["compare", "spin", "t.pml", "--compiler", compiler]);
        let same = !ended.out.contains("different:") && !ended.out.contains("SPIN refuses");
        assert!(same && ended.code != Some(3), "{model}:\n{}\n{}", ended.out, ended.err);
    }
}

/// Programs that create machines, with data in machines and events.
#[test]
fn a_p_program_has_as_many_states_as_its_translation() {
    let place = Place::new("translate_p");
    for (name, bound) in
        [("cancel_race", "2"), ("cancel_fixed", "3"), ("ping_pong", "2"), ("elevator_fixed", "1")]
    {
        let model = format!("corpus/p/{name}.p");
        place.copy(&model);
        place.expect(0, &["translate", &model, "--to", "promela", "--bound", bound, "-o", "t.pml"]);
        let states = count(&place, &model, bound, &[]);
        assert!(states.is_some_and(|states| states > 4), "{model}");
        assert_eq!(
            count(&place, "t.pml", "255", &["--granularity", "statement"]),
            states,
            "{model}"
        );
        if let Some(compiler) = compiler() {
            place.expect(0, &["compare", "spin", "t.pml", "--compiler", compiler]);
        }
    }
}

#[test]
fn standard_output_is_the_default() {
    let place = Place::new("translate_output");
    place.copy("corpus/cfsm/cross.cfsm");
    let out = place.expect(0, &["translate", "corpus/cfsm/cross.cfsm", "--to", "promela"]).out;
    assert!(out.starts_with("/* Written by Queueproof from corpus/cfsm/cross.cfsm."), "{out}");
    assert!(out.contains("hold at most 4 messages here"), "{out}");
    let words = ["translate", "corpus/cfsm/cross.cfsm", "--to", "promela", "--bound", "9"];
    assert!(place.expect(0, &words).out.contains("hold at most 9 messages here"));
}

#[test]
fn what_cannot_be_translated_is_refused() {
    let place = Place::new("translate_refused");
    place.copy("corpus/p/german_1.p");
    let ended = place.expect(3, &["translate", "corpus/p/german_1.p", "--to", "promela"]);
    assert!(ended.err.contains("spec machines cannot be translated yet"), "{}", ended.err);
    place.file("a.pml", "init { skip }");
    place.expect(64, &["translate", "a.pml"]);
    place.expect(64, &["translate", "a.pml", "--to", "promela", "--bound", "0"]);
    let ended = place.expect(3, &["translate", "a.pml", "--to", "promela"]);
    assert!(ended.err.contains("written in Promela already"), "{}", ended.err);
}

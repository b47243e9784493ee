//! Traces and certificates of P programs: the switches travel with them.

use serde_json::{Value, json};

use crate::p::{OLD, PROJECT, bank};
use crate::place::Place;

const TRACE: &str = "kept/bank/Bank.pproj-tcTwo/traces/assert.json";
const CERTIFICATE: &str = "kept/bank/Bank.pproj-tcOne/certificate.json";

fn kept(name: &str) -> Place {
    let place = bank(name);
    place.expect(1, &["check", PROJECT, "--all-tests", "--out", "kept"]);
    place
}

fn details<'a>(entries: &'a [Value], kind: &str) -> Vec<&'a Value> {
    entries.iter().filter(|entry| entry["type"] == kind).map(|entry| &entry["details"]).collect()
}

#[test]
fn a_trace_is_replayed_on_its_test_case() {
    let place = kept("p_replay");
    let file: Value = serde_json::from_str(&place.read(TRACE)).unwrap();
    assert_eq!(file["switches"], json!([["test", "tcTwo"], ["dialect", "current"]]));
    let ended = place.expect(1, &["replay", TRACE]);
    let message = "violated  assert: Account(1) is in Open and fails: nothing is left";
    assert!(ended.out.contains(message), "{}", ended.out);
    assert_eq!(ended.err, "");
    for to in ["text", "svg", "mermaid"] {
        place.expect(0, &["trace", TRACE, "--to", to]);
    }
}

#[test]
fn a_trace_remembers_how_assume_was_read() {
    let place = Place::new("p_replay_assume");
    place.file("old.p", OLD);
    place.expect(1, &["check", "old.p", "--assume", "strip"]);
    let trace = ".queueproof/old.p/traces/assert.json";
    let ended = place.expect(1, &["replay", trace]);
    assert!(ended.out.contains("the second one came"), "{}", ended.out);
    let honoured = place.read(trace).replace("strip", "honour");
    place.file("honoured.json", honoured);
    place.expect(70, &["replay", "honoured.json"]);
}

#[test]
fn switches_that_nobody_knows_are_refused() {
    let place = kept("p_replay_unknown");
    place.file("changed.json", place.read(TRACE).replace("dialect", "weather"));
    let ended = place.expect(3, &["replay", "changed.json"]);
    assert!(ended.err.contains("weather"), "{}", ended.err);
    place.file("changed.json", place.read(TRACE).replace("tcTwo", "tcThree"));
    let ended = place.expect(3, &["replay", "changed.json"]);
    assert!(ended.err.contains("QP0261"), "{}", ended.err);
}

/// Without files, the report shows a command that reads the same test case again.
#[test]
fn the_shown_replay_command_works() {
    let place = bank("p_replay_choices");
    let words =
        ["check", PROJECT, "--test", "tcTwo", "--assume", "strip", "--no-files", "--width", "200"];
    let text = place.expect(1, &words).out;
    let line = text.lines().find(|line| line.contains("queueproof replay")).unwrap();
    let command: Vec<&str> = line.split_whitespace().skip(2).collect();
    assert_eq!(&command[..6], ["replay", PROJECT, "--test", "tcTwo", "--assume", "strip"]);
    assert!(place.expect(0, &command).out.contains("eTick"));
}

#[test]
fn a_trace_is_drawn_for_the_viewers_of_p() {
    let place = kept("p_viewer");
    let ended = place.expect(0, &["trace", TRACE, "--to", "p"]);
    let entries: Vec<Value> = serde_json::from_str(&ended.out).unwrap();
    for entry in &entries {
        let keys: Vec<&String> = entry.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["details", "type"]);
    }
    let created = details(&entries, "CreateStateMachine");
    let names: Vec<&Value> = created.iter().map(|created| &created["id"]).collect();
    assert_eq!(names, ["TwoPayments", "Account(1)", "Timer(2)"]);
    assert_eq!(created[1]["creatorName"], "TwoPayments");
    let payload = json!({"from": "TwoPayments(0)", "sum": 4});
    let send = details(&entries, "SendEvent")
        .into_iter()
        .find(|send| send["payload"] == payload)
        .expect("the second payment is sent");
    assert_eq!(send["event"], "eTake");
    assert_eq!(send["sender"], "TwoPayments");
    assert_eq!(send["target"], "Account(1)");
    let taken = details(&entries, "DequeueEvent");
    let last = taken.last().unwrap();
    assert_eq!((&last["event"], &last["payload"]), (&json!("eTake"), &payload));
    assert_eq!(last["id"], "Account(1)");
    for (name, time) in send["clock"].as_object().unwrap() {
        let later = last["clock"][name].as_u64().unwrap();
        assert!(later >= time.as_u64().unwrap(), "{name}");
    }
    let failure = entries.last().unwrap();
    assert_eq!(failure["type"], "AssertionFailure");
    assert_eq!(failure["details"]["error"], "Account(1) is in Open and fails: nothing is left");
}

#[test]
fn a_certificate_is_about_one_test_case() {
    let place = kept("p_certificate");
    let ended = place.expect(0, &["cert", "verify", CERTIFICATE]);
    assert!(ended.out.contains("assert, unhandled, deadlock, divergence"), "{}", ended.out);
    place.file("other.json", place.read(CERTIFICATE).replace("\"tcOne\"", "\"tcTwo\""));
    let ended = place.expect(70, &["cert", "verify", "other.json"]);
    assert!(ended.err.contains("refused"), "{}", ended.err);
}

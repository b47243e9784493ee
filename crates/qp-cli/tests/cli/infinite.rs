//! Formulas and progress: runs that repeat for ever, and certificates with ranks.

use serde_json::{Value, json};

use crate::json::report;
use crate::place::Place;

const MODEL: &str = "service.cfsm";
/// The server may say that it is busy for ever, and may stop for good.
const TEXT: &str = "machine Client {
    init Idle: send Server Req -> Waiting
    Waiting:   recv Grant -> Served
             | recv Busy  -> Idle
    progress Served: internal -> Idle
}
machine Server {
    init Free: recv Req -> Asked
             | internal -> Closed
    Asked:     send Client Grant -> Free
             | send Client Busy  -> Free
    end Closed: defer Req
}
ltl answered: G ((send Req) -> F ((send Grant) || (send Busy)));
ltl asked: (!(send Grant)) W (send Req);
";

fn place(name: &str) -> Place {
    let place = Place::new(name);
    place.file(MODEL, TEXT);
    place
}

fn changed(place: &Place, from: &str, change: impl FnOnce(&mut Value)) -> &'static str {
    let mut value: Value = serde_json::from_str(&place.read(from)).unwrap();
    change(&mut value);
    place.file("changed.json", value.to_string());
    "changed.json"
}

#[test]
fn a_run_that_repeats_is_drawn_with_its_loop() {
    let place = place("infinite_loop");
    let words = ["check", MODEL, "--property", "livelock", "--out", "kept"];
    let out = place.expect(1, &words).out;
    let said = "the run repeats steps 1 to 4 for ever and never makes progress";
    assert!(out.contains(&format!("violated[QP1032] livelock: {said}")), "{out}");
    assert!(out.contains("repeats for ever"), "{out}");
    let trace = "kept/service.cfsm/traces/livelock.json";
    let replayed = place.expect(1, &["replay", trace]).out;
    assert!(replayed.contains(said), "{replayed}");
    let mermaid = place.expect(0, &["trace", trace, "--to", "mermaid"]).out;
    assert!(mermaid.contains("loop repeats for ever"), "{mermaid}");
    place.expect(70, &["replay", changed(&place, trace, |t| t["cycle_from"] = json!(1))]);
    place.expect(70, &["replay", changed(&place, trace, |t| t["property"] = json!("accept"))]);
}

#[test]
fn a_run_that_ends_has_no_loop() {
    let place = place("infinite_end");
    let words = ["check", MODEL, "--property", "ltl:answered", "--out", "kept"];
    let value = report(&place.expect(1, &[&words[..], &["--format", "json"]].concat()).out);
    let property = &value["properties"][0];
    assert_eq!(property["code"], "QP1031");
    assert_eq!(property["fair"], false);
    assert_eq!(property["trace"]["cycle_from"], Value::Null);
    let message = property["message"].as_str().unwrap();
    assert!(message.starts_with("the run ends after step "), "{message}");
    assert!(message.ends_with(" and violates answered"), "{message}");
    place.expect(1, &["replay", "kept/service.cfsm/traces/ltl-answered.json"]);
}

#[test]
fn a_proof_has_ranks_that_are_checked() {
    let place = place("infinite_ranks");
    place.expect(0, &["check", MODEL, "--property", "ltl:asked", "--out", "kept"]);
    let certificate = "kept/service.cfsm/certificate.json";
    place.expect(0, &["cert", "verify", certificate]);
    let value: Value = serde_json::from_str(&place.read(certificate)).unwrap();
    assert!(value["evidence"]["ranked"].is_object(), "{value}");
    let bad = changed(&place, certificate, |c| {
        c["evidence"]["ranked"]["ranks"][0][0] = json!(-1);
    });
    assert_ne!(place.run(&["cert", "verify", bad]).code, Some(0));
    let bad = changed(&place, certificate, |c| c["properties"] = json!(["livelock"]));
    assert_ne!(place.run(&["cert", "verify", bad]).code, Some(0));
}

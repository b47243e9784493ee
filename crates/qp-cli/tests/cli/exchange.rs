//! Rounds of exchanges: the table.

use serde_json::Value;

use crate::place::Place;

#[test]
fn the_table_of_rounds_has_the_models_of_the_paper_in_its_order() {
    let place = Place::new("bench_ksync");
    for model in ["cfsm/rr_alarm.cfsm", "cfsm/commit_protocol.cfsm", "p/rounds/two_phase_commit.p"]
    {
        place.copy(&format!("corpus/{model}"));
    }
    let table = ["bench", "corpus/p/rounds", "corpus/cfsm", "--table", "ksync"];
    let out = place.expect(0, &table).out;
    let heads: Vec<&str> = out.lines().next().unwrap_or_default().split("  ").collect();
    let heads: Vec<&str> = heads.into_iter().map(str::trim).filter(|it| !it.is_empty()).collect();
    assert_eq!(
        heads[..6],
        ["benchmark", "model", "processes", "verdict", "k", "k (paper)"],
        "{out}"
    );
    let value: Value =
        serde_json::from_str(&place.expect(0, &[&table[..], &["--format", "json"]].concat()).out)
            .unwrap();
    assert_eq!(value["schema"], "queueproof.ksync/1");
    let rows = value["rows"].as_array().unwrap();
    let told: Vec<(&str, u64, Option<u64>)> = rows
        .iter()
        .map(|row| {
            let name = row["benchmark"].as_str().unwrap_or_default();
            (name, row["processes"].as_u64().unwrap_or(0), row["paper_k"].as_u64())
        })
        .collect();
    assert_eq!(told[0], ("two-phase commit", 4, Some(1)));
    assert_eq!(told[1], ("two-phase commit, with votes", 3, None), "created ones count");
    assert_eq!(told[2], ("counterexample rr_alarm", 4, None));
}

#[test]
fn the_table_of_rounds_picks_its_engine_and_wants_models() {
    let place = Place::new("bench_ksync_usage");
    place.copy("corpus/cfsm/rr_alarm.cfsm");
    place.expect(64, &["bench", "corpus/cfsm", "--table", "ksync", "--engine", "flow"]);
    place.file("empty/m.cfsm", "machine A { init S: }\n");
    place.expect(64, &["bench", "empty", "--table", "ksync"]);
}

/// Every model of the table, with the least number of messages per round, and the two with none.
const LEAST: [(&str, Option<u64>); 13] = [
    ("cfsm/commit_protocol.cfsm", Some(1)),
    ("cfsm/two_phase_commit.cfsm", Some(1)),
    ("p/rounds/two_phase_commit.p", Some(1)),
    ("p/rounds/replicated_storage.p", Some(1)),
    ("cfsm/elevator_sync1.cfsm", Some(1)),
    ("cfsm/elevator_sync2.cfsm", Some(2)),
    ("cfsm/german_pending.cfsm", Some(2)),
    ("p/rounds/german_pending.p", Some(2)),
    ("cfsm/german_both.cfsm", None),
    ("cfsm/osr_driver_flags.cfsm", Some(1)),
    ("cfsm/figure_eight.cfsm", Some(5)),
    ("cfsm/rr_alarm.cfsm", Some(1)),
    ("cfsm/weakly1_not_rsc.cfsm", Some(1)),
];

#[test]
fn the_table_of_rounds_tells_the_least_number_of_messages() {
    let place = Place::new("bench_ksync_exact");
    for (model, _) in LEAST {
        place.copy(&format!("corpus/{model}"));
    }
    let table = ["bench", "corpus/cfsm", "corpus/p/rounds", "--table", "ksync", "--format", "json"];
    let value: Value = serde_json::from_str(&place.expect(0, &table).out).unwrap();
    let told: Vec<(String, Option<u64>, String)> = value["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            (text("model"), row["least_k"].as_u64(), text("verdict"))
        })
        .collect();
    let expected: Vec<(String, Option<u64>, String)> = LEAST
        .iter()
        .map(|(model, least)| {
            let verdict = if least.is_some() { "proved" } else { "violated" };
            (format!("corpus/{model}"), *least, verdict.to_owned())
        })
        .collect();
    assert_eq!(told, expected);
}

#[test]
fn a_proof_says_how_many_messages_rounds_have() {
    let place = Place::new("rounds_of_two");
    place.copy("corpus/cfsm/elevator_sync2.cfsm");
    let model = "corpus/cfsm/elevator_sync2.cfsm";
    let out = place.expect(0, &["check", model, "--property", "sync"]).out;
    assert!(out.contains("proved    sync  weakly, in rounds of at most 2 messages"), "{out}");
}

#[test]
fn a_run_that_allows_no_rounds_is_drawn_with_them() {
    let place = Place::new("no_rounds");
    place.copy("corpus/cfsm/german_both.cfsm");
    let model = "corpus/cfsm/german_both.cfsm";
    let out = place.expect(1, &["check", model, "--property", "sync", "--engine", "exchange"]).out;
    for piece in ["QP1036", "round 1", "no round", "* messages that wait for each other"] {
        assert!(out.contains(piece), "{piece} is missing in\n{out}");
    }
    let trace = ".queueproof/corpus/cfsm/german_both.cfsm/traces/sync.json";
    let picture = place.expect(0, &["trace", trace, "--to", "svg"]).out;
    assert!(picture.contains("class=\"arrow marked\""), "{picture}");
    let diagram = place.expect(0, &["trace", trace, "--to", "mermaid"]).out;
    assert!(diagram.contains("no round") && diagram.contains("inv *"), "{diagram}");
}

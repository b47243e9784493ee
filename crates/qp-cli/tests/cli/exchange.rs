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
    assert_eq!(told[1].0, "two-phase commit, with votes");
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

use queueproof::{Chart, ChartEvent};
use serde_json::{Value, json};

use crate::samples::{crossing_chart, mailboxes, rich_chart, row, sends, takes};

use super::p_trace;

fn entries(chart: &Chart) -> Vec<Value> {
    serde_json::from_str(&p_trace(chart)).expect("it is JSON")
}

/// The entries of one type.
fn of_type<'a>(entries: &'a [Value], kind: &str) -> Vec<&'a Value> {
    entries.iter().filter(|entry| entry["type"] == kind).map(|entry| &entry["details"]).collect()
}

fn chart(machines: &[&str], rows: Vec<queueproof::ChartRow>) -> Chart {
    Chart {
        machines: machines.iter().map(|&name| name.into()).collect(),
        controls: machines.iter().map(|_| "S".into()).collect(),
        queues: mailboxes(machines),
        rows,
        cycle_from: None,
        ending: String::new(),
        ending_machine: None,
        rounds: Vec::new(),
    }
}

#[test]
fn machines_that_are_there_at_the_beginning_are_created_by_the_test() {
    let all = entries(&crossing_chart());
    let created = of_type(&all, "CreateStateMachine");
    assert_eq!(created.len(), 2);
    assert_eq!(created[0]["log"], "Client was created by the test.");
    assert_eq!(created[0].get("creatorName"), None);
    assert_eq!(all[1]["details"]["log"], "Client enters state 'Idle'.");
}

#[test]
fn a_send_names_event_payload_sender_and_target() {
    let send = row(0, sends(1, "eReq(id = 4)", None), ("S", "S"), None);
    let all = entries(&chart(&["Client(1)", "Server(2)"], vec![send]));
    let send = of_type(&all, "SendEvent")[0];
    assert_eq!(send["event"], "eReq");
    assert_eq!(send["payload"], json!({"id": 4}));
    assert_eq!(send["sender"], "Client(1)");
    assert_eq!(send["target"], "Server(2)");
    assert_eq!(send["isTargetHalted"], false);
    let log = "'Client(1)' in state 'S' sent event 'eReq with payload (id = 4)' to 'Server(2)'.";
    assert_eq!(send["log"], log);
}

#[test]
fn a_send_to_a_halted_machine_says_so() {
    let lost = ChartEvent::Loses { queue: 1, message: "ePing".into() };
    let rows = vec![
        row(0, sends(1, "ePing", None), ("S", "S"), Some((1, &["ePing"]))),
        row(1, ChartEvent::Closes { queue: 1 }, ("S", "S"), None),
        row(0, lost, ("S", "S"), None),
    ];
    let all = entries(&chart(&["A", "B"], rows));
    assert_eq!(of_type(&all, "Halt")[0]["haltInboxSize"], 1);
    assert_eq!(of_type(&all, "Halt")[0]["log"], "B halted with 1 events in its inbox.");
    let sends = of_type(&all, "SendEvent");
    assert_eq!(sends[0]["isTargetHalted"], false);
    assert_eq!(sends[1]["isTargetHalted"], true);
}

#[test]
fn vector_clocks_grow_along_messages() {
    let rows = vec![
        row(0, sends(1, "ePing", Some(2)), ("S", "S"), None),
        row(0, sends(2, "eOther", None), ("S", "S"), None),
        row(1, takes(1, "ePing", 0), ("S", "S"), None),
        row(1, sends(2, "ePong", None), ("S", "S"), None),
    ];
    let all = entries(&chart(&["A", "B", "C"], rows));
    let sends = of_type(&all, "SendEvent");
    // Being created and entering a state are the first two entries of each machine.
    assert_eq!(sends[0]["clock"], json!({"A": 3}));
    assert_eq!(sends[1]["clock"], json!({"A": 4}));
    // The receiver learns what the sender knew when it sent, not what it knows now.
    assert_eq!(of_type(&all, "DequeueEvent")[0]["clock"], json!({"A": 3, "B": 3}));
    assert_eq!(sends[2]["clock"], json!({"A": 3, "B": 4}));
}

#[test]
fn a_created_machine_knows_what_its_creator_knew() {
    let mut chart = chart(
        &["A", "B"],
        vec![
            row(0, ChartEvent::Creates { machine: 1 }, ("S", "S"), None),
            row(1, sends(0, "eHi", None), ("T", "T"), None),
        ],
    );
    chart.controls[1] = String::new();
    let all = entries(&chart);
    let created = of_type(&all, "CreateStateMachine")[1];
    assert_eq!(created["log"], "B was created by A.");
    assert_eq!((&created["creatorName"], &created["creatorType"]), (&json!("A"), &json!("A")));
    assert_eq!(created["clock"], json!({"A": 2, "B": 1}));
    assert_eq!(of_type(&all, "StateTransition")[1]["state"], "T");
}

#[test]
fn a_change_of_state_is_left_and_entered() {
    let step = row(0, ChartEvent::Internal, ("S", "T"), None);
    let all = entries(&chart(&["A"], vec![step]));
    let kinds: Vec<&str> = all.iter().map(|entry| entry["type"].as_str().unwrap_or("")).collect();
    let expected = [
        "CreateStateMachine",
        "StateTransition",
        "GotoState",
        "StateTransition",
        "StateTransition",
    ];
    assert_eq!(kinds, expected);
    let goes = of_type(&all, "GotoState")[0];
    assert_eq!((&goes["startState"], &goes["endState"]), (&json!("S"), &json!("T")));
    let passes = of_type(&all, "StateTransition");
    assert_eq!((&passes[1]["state"], &passes[1]["isEntry"]), (&json!("S"), &json!(false)));
    assert_eq!((&passes[2]["state"], &passes[2]["isEntry"]), (&json!("T"), &json!(true)));
}

#[test]
fn the_failure_comes_last_and_has_no_clock() {
    let all = entries(&rich_chart());
    let last = all.last().expect("there are entries");
    assert_eq!(last["type"], "AssertionFailure");
    assert_eq!(last["details"]["error"], "the assertion count < 3 does not hold");
    assert_eq!(last["details"].get("clock"), None);
}

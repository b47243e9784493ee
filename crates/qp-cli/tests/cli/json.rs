//! The JSON report is a contract with other people's scripts.

use serde_json::Value;

use crate::place::{GROWING, PROVED, Place, VIOLATED, with_samples};

/// One report, with the fields that every report has.
pub(crate) fn report(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(value["schema"], "queueproof.report/1");
    value
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn assert_keys(value: &Value, expected: &[&str]) {
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    let mut found = keys(value);
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn every_documented_field_is_there() {
    let place = with_samples("fields");
    let ended = place.expect(1, &["check", VIOLATED, "--format", "json"]);
    let value = report(&ended.out);
    let top = [
        "schema",
        "tool",
        "model",
        "limits",
        "properties",
        "queues",
        "changes",
        "invariants",
        "engines",
        "caveats",
        "next",
    ];
    assert_keys(&value, &top);
    assert_keys(&value["tool"], &["name", "version"]);
    let model = ["path", "language", "discipline", "machines", "queues", "messages"];
    assert_keys(&value["model"], &model);
    assert_keys(&value["limits"], &["time_s", "memory_bytes", "states", "max_bound", "hit"]);
    let property = [
        "id",
        "verdict",
        "up_to_failure_of",
        "engine",
        "code",
        "message",
        "location",
        "explored",
        "certificate",
        "trace",
        "reason",
        "fair",
        "in_the_way",
        "time_s",
    ];
    for one in value["properties"].as_array().unwrap() {
        assert_keys(one, &property);
    }
    let unhandled = &value["properties"][1];
    assert_eq!(unhandled["verdict"], "violated");
    let location = ["file", "line", "column", "end_line", "end_column"];
    assert_keys(&unhandled["location"], &location);
    assert_keys(&unhandled["explored"], &["bound", "states", "transitions"]);
    assert_keys(&unhandled["trace"], &["steps", "cycle_from", "file", "choices"]);
    let queue = [
        "name",
        "status",
        "bound",
        "declared",
        "longest_seen",
        "engine",
        "trace",
        "certificate",
        "reason",
        "never_blocks",
        "no_deadlock",
    ];
    assert_keys(&value["queues"][0], &queue);
    let engine = ["name", "outcome", "reason", "time_s", "detail", "bounds"];
    assert_keys(&value["engines"][0], &engine);
}

#[test]
fn the_manual_names_every_field() {
    let place = with_samples("named_fields");
    let page = std::fs::read_to_string(crate::place::repository().join("docs/manual/json.md"));
    let page = page.unwrap();
    place.copy("corpus/p/ping_flood.p");
    let text = place.read("corpus/p/ping_flood.p");
    place.file("stated.p", format!("//@ invariant Receiver: at most 4 ePrime\n{text}"));
    let coarse = ["stated.p", "--prefix", "0", "--counted", "0", "--no-suggest"];
    let models = [&["check", VIOLATED, PROVED][..], &coarse, &["--property", "unhandled"]].concat();
    let ended = place.expect(1, &[&models[..], &["--format", "json"]].concat());
    let value: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(value["schema"], "queueproof.reports/1");
    let mut todo = vec![&value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    assert!(page.contains(&format!("`{name}`")), "docs/manual/json.md: {name}");
                    todo.push(value);
                }
            }
            Value::Array(values) => todo.extend(values),
            _ => {}
        }
    }
}

#[test]
fn one_model_is_an_object_and_several_are_a_list() {
    let place = with_samples("several");
    let one = place.expect(0, &["check", PROVED, "--format", "json"]);
    assert_eq!(report(&one.out)["properties"][1]["certificate"].as_str(), {
        Some(".queueproof/cancel_fixed/certificate.json")
    });
    let many = place.expect(1, &["check", PROVED, GROWING, VIOLATED, "--format", "json"]);
    let value: Value = serde_json::from_str(&many.out).unwrap();
    assert_eq!(value["schema"], "queueproof.reports/1");
    assert_eq!(value["reports"].as_array().unwrap().len(), 3);
    let bounds = place.expect(1, &["bounds", GROWING, "--format", "json"]);
    assert_eq!(report(&bounds.out)["queues"][0]["status"], "unbounded");
    let explore = place.expect(1, &["explore", VIOLATED, "--format", "json"]);
    report(&explore.out);
}

/// The same run gives the same bytes, whatever the number of threads.
#[test]
fn two_runs_and_two_numbers_of_threads_give_the_same_bytes() {
    let place = Place::with_corpus("same_bytes");
    let run = |jobs: &str| {
        let limits = ["--max-bound", "4", "--steps", "20000", "--time", "none", "--jobs", jobs];
        let words = [&["check", "corpus", "--format", "json"][..], &limits].concat();
        let ended = place.run(&words);
        assert_eq!(ended.code, Some(1), "{}", ended.err);
        let lines = ended.out.lines().filter(|line| !line.contains("\"time_s\":"));
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    let (first, again, two) = (run("1"), run("1"), run("2"));
    assert!(first.len() > 10_000, "all models were checked");
    same("two runs", &first, &again);
    same("one and two threads", &first, &two);
}

fn same(what: &str, a: &[String], b: &[String]) {
    let differs = a.iter().zip(b).position(|(a, b)| a != b);
    if let Some(at) = differs {
        let near = |lines: &[String]| lines[at.saturating_sub(12)..=at].join("\n");
        panic!("{what} differ at line {at}:\n{}\n---\n{}", near(a), near(b));
    }
    assert_eq!(a.len(), b.len(), "{what} differ in length");
}

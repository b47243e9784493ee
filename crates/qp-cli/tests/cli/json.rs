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
        "together",
        "changes",
        "invariants",
        "unreached",
        "why",
        "coverage",
        "engines",
        "caveats",
        "not_asked",
        "next",
    ];
    assert_keys(&value, &top);
    assert_keys(&value["tool"], &["name", "version"]);
    let model = ["path", "language", "discipline", "machines", "queues", "messages"];
    assert_keys(&value["model"], &[&model[..], &["machines_met", "queues_met"]].concat());
    assert_keys(&value["limits"], &["time_s", "memory_bytes", "states", "max_bound", "hit"]);
    let property = [
        "id",
        "verdict",
        "assurance",
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
    let trace = ["steps", "cycle_from", "file", "choices", "start", "run"];
    assert_keys(&unhandled["trace"], &trace);
    let step =
        ["number", "machine", "action", "message", "queue", "partner", "failure", "from", "to"];
    let more = ["place", "statements", "values", "queues", "also", "note", "text"];
    assert_keys(&unhandled["trace"]["run"][0], &[&step[..], &more].concat());
    let queue = [
        "name",
        "status",
        "bound",
        "assurance",
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
    place.copy(BAKERY);
    let text = place.read("corpus/p/ping_flood.p");
    place.file("stated.p", format!("//@ invariant Receiver: at most 4 ePrime\n{text}"));
    let coarse = ["stated.p", "--prefix", "0", "--counted", "0", "--no-suggest"];
    let models = [&["check", VIOLATED, PROVED, BAKERY, "gone.cfsm"][..], &coarse].concat();
    let asked = ["--property", "unhandled", "--property", "assert", "--format", "json"];
    let ended = place.expect(3, &[&models[..], &asked].concat());
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
        Some(".queueproof/corpus/cfsm/cancel_fixed.cfsm/certificate.json")
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

const BAKERY: &str = "corpus/promela/bakery_bug.pml";

/// Whatever goes wrong, there is one object on standard output.
#[test]
fn errors_are_objects() {
    let place = with_samples("errors");
    place.file("wrong.cfsm", "machine");
    place.file("empty/read.me", "");
    let error = |code: i32, words: &[&str]| {
        let ended = place.expect(code, &[words, &["--format", "json"]].concat());
        let value: Value = serde_json::from_str(&ended.out)
            .unwrap_or_else(|error| panic!("{words:?}: {error}: {}", ended.out));
        assert_eq!(value["error"]["exit"], code, "{words:?}");
        assert!(!value["error"]["message"].as_str().unwrap().is_empty(), "{words:?}");
        assert!(!ended.err.is_empty(), "people are told, too: {words:?}");
        value
    };
    let gone = error(3, &["check", "gone.cfsm"]);
    assert_eq!(gone["schema"], "queueproof.report/1");
    assert_eq!(
        (&gone["model"]["path"], &gone["error"]["kind"]),
        (&"gone.cfsm".into(), &"unreadable".into())
    );
    assert_eq!(error(64, &["check", PROVED, "--property", "colour"])["error"]["kind"], "usage");
    let wrong = error(3, &["check", "wrong.cfsm"]);
    assert_eq!(wrong["error"]["kind"], "refused");
    assert!(!wrong["refused"].as_array().unwrap().is_empty());
    for command in ["bounds", "explore", "reach"] {
        assert_eq!(error(3, &[command, "gone.cfsm"])["error"]["kind"], "unreadable", "{command}");
        assert!(error(3, &[command, "wrong.cfsm"])["refused"].is_array(), "{command}");
    }
    for words in [&["check", "empty"][..], &["check"], &["check", PROVED, "--colour", "always"]] {
        assert_eq!(error(64, words)["schema"], "queueproof.error/1", "{words:?}");
    }
    let several = place.expect(3, &["check", PROVED, "gone.cfsm", "--format", "json"]);
    let several: Value = serde_json::from_str(&several.out).unwrap();
    assert_eq!(several["reports"][0]["properties"][1]["verdict"], "proved");
    assert_eq!(several["reports"][1]["error"]["kind"], "unreadable");
}

/// A script can show a run without knowing the language.
#[test]
fn runs_are_told_in_words() {
    let place = with_samples("told");
    let value = report(&place.expect(1, &["check", VIOLATED, "--format", "json"]).out);
    let trace = &value["properties"][1]["trace"];
    assert_eq!(trace["start"][0]["machine"], "Client");
    let run = trace["run"].as_array().unwrap();
    assert_eq!(run.len(), trace["steps"].as_u64().unwrap() as usize);
    let first = &run[0];
    assert_eq!((&first["machine"], &first["action"]), (&"Client".into(), &"sends".into()));
    assert_eq!((&first["message"], &first["partner"]), (&"Req".into(), &"Server".into()));
    assert_eq!(first["queues"][0]["name"], "Server");
    assert_eq!(first["queues"][0]["content"][0], "Req");
    assert_eq!(first["text"], "Client sends Req to Server");
    place.file(
        "m.pml",
        "byte x; active proctype A() { byte y;\n  y = 3;\n  x = y + 1;\n  assert(x < 4) }",
    );
    let words = ["check", "m.pml", "--granularity", "statement", "--format", "json"];
    let value = report(&place.expect(1, &words).out);
    let run = value["properties"][0]["trace"]["run"].as_array().unwrap();
    let step = run.iter().find(|step| step["values"][0]["name"] == "x").unwrap();
    assert_eq!(step["values"][0]["value"], "4");
    assert_eq!(step["values"][0]["machine"], Value::Null);
    assert_eq!(step["statements"][0]["text"], "x=(y+1)");
    assert_eq!(step["statements"][0]["place"]["line"], 3);
    assert_eq!(run.last().unwrap()["action"], "fails");
    assert_eq!(run.last().unwrap()["place"]["line"], 4);
}

/// How many machines there are at the beginning says little about a P program.
#[test]
fn what_was_met_is_counted() {
    let place = Place::new("met");
    place.copy("corpus/p/cancel_race.p");
    let value =
        report(&place.expect(1, &["check", "corpus/p/cancel_race.p", "--format", "json"]).out);
    assert_eq!(value["model"]["machines"], 1);
    assert!(value["model"]["machines_met"].as_u64().unwrap() > 1, "{}", value["model"]);
    assert!(value["model"]["queues_met"].as_u64().unwrap() > 1, "{}", value["model"]);
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

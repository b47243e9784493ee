//! Traces and certificates: written, read back, refused when somebody changed them.

use serde_json::{Value, json};

use crate::json::report;
use crate::place::{GROWING, PROVED, Place, VIOLATED, with_samples};

const CERTIFICATE: &str = "kept/corpus/cfsm/cancel_fixed.cfsm/certificate.json";
const TRACE: &str = "kept/corpus/cfsm/cancel_race.cfsm/traces/unhandled.json";
const PUMP: &str = "kept/corpus/cfsm/flood.cfsm/traces/bounded.json";

fn kept(name: &str) -> Place {
    let place = with_samples(name);
    place.expect(0, &["check", PROVED, "--out", "kept"]);
    place.expect(1, &["check", VIOLATED, "--out", "kept"]);
    place.expect(1, &["check", GROWING, "--property", "bounded", "--out", "kept"]);
    place
}

/// Writes a changed copy of a JSON file.
fn changed(place: &Place, from: &str, change: impl FnOnce(&mut Value)) -> &'static str {
    let mut value: Value = serde_json::from_str(&place.read(from)).unwrap();
    change(&mut value);
    place.file("changed.json", value.to_string());
    "changed.json"
}

#[test]
fn every_saved_run_is_replayed_and_drawn() {
    let place = with_samples("replayed");
    for (model, n_traces) in [(VIOLATED, 4), (GROWING, 3)] {
        let ended = place.run(&["check", model, "--out", "kept", "--format", "json"]);
        let value = report(&ended.out);
        let lists = [&value["properties"], &value["queues"]];
        let all = lists.iter().flat_map(|list| list.as_array().unwrap());
        let files: Vec<&str> = all.filter_map(|one| one["trace"]["file"].as_str()).collect();
        assert_eq!(files.len(), n_traces, "{files:?}");
        for file in files {
            let replayed = place.expect(1, &["replay", file]);
            assert!(replayed.out.contains("\nviolated  "), "{file}: {}", replayed.out);
            assert_eq!(replayed.err, "");
            let text = place.expect(0, &["trace", file]);
            assert!(replayed.out.starts_with(&text.out), "{file}");
            let svg = place.expect(0, &["trace", file, "--to", "svg"]);
            assert!(svg.out.starts_with("<svg"), "{file}");
            let mermaid = place.expect(0, &["trace", file, "--to", "mermaid"]);
            assert!(mermaid.out.starts_with("sequenceDiagram"), "{file}");
            place.expect(0, &["trace", file, "--to", "svg", "-o", "drawn/run.svg"]);
            assert_eq!(place.read("drawn/run.svg"), svg.out);
        }
    }
}

#[test]
fn choices_are_replayed_on_a_model() {
    let place = with_samples("choices");
    let ended = place.expect(1, &["check", VIOLATED, "--format", "json"]);
    let value = report(&ended.out);
    let choices = value["properties"][1]["trace"]["choices"].as_array().unwrap();
    let mut words = vec!["replay", VIOLATED, "--trace"];
    words.extend(choices.iter().map(|choice| choice.as_str().unwrap()));
    assert!(place.expect(0, &words).out.contains("Grant"));
    let ended = place.expect(64, &["replay", VIOLATED, "--trace", "1.0"]);
    assert!(ended.err.contains("step 1 (1.0) is not possible"), "{}", ended.err);
    place.expect(64, &["replay", VIOLATED, "--trace", "7.0"]);
    place.expect(64, &["replay", VIOLATED, "--trace", "first"]);
}

#[test]
fn a_changed_trace_is_refused() {
    let place = kept("changed_trace");
    let refused = |file: &str| {
        let ended = place.expect(70, &["replay", file]);
        assert!(ended.err.contains("refused"), "{}", ended.err);
        assert_eq!(ended.out, "");
        place.expect(70, &["trace", file]);
    };
    refused(changed(&place, TRACE, |t| t["steps"][0] = json!([1, 0])));
    refused(changed(&place, TRACE, |t| t["steps"][0] = json!([0, 1])));
    refused(changed(&place, TRACE, |t| drop(t["steps"].as_array_mut().unwrap().pop())));
    refused(changed(&place, TRACE, |t| t["property"] = json!("assert")));
    refused(changed(&place, TRACE, |t| t["property"] = json!("reach:nothing")));
    refused(changed(&place, TRACE, |t| t["property"] = json!("bounded")));
    refused(changed(&place, PUMP, |t| drop(t["steps"].as_array_mut().unwrap().pop())));
    refused(changed(&place, PUMP, |t| t["grows"] = json!("Producer2")));
    refused(changed(&place, PUMP, |t| t["cycle_from"] = json!(2)));
    refused(changed(&place, PUMP, |t| t["property"] = json!("deadlock")));
}

#[test]
fn a_file_that_is_no_trace_is_not_read() {
    let place = kept("no_trace");
    let unreadable = |file: &str| {
        place.expect(3, &["replay", file]);
        place.expect(3, &["trace", file]);
    };
    place.file("changed.json", "{");
    unreadable("changed.json");
    place.file("changed.json", [0xff, 0xfe]);
    unreadable("changed.json");
    unreadable(changed(&place, TRACE, |t| t["format"] = json!("queueproof.trace/9")));
    unreadable(changed(&place, TRACE, |t| t["shape"] = json!("spiral")));
    unreadable(changed(&place, TRACE, |t| t["steps"] = json!([[0]])));
    unreadable(changed(&place, PUMP, |t| t["cycle_from"] = json!(4)));
    unreadable(changed(&place, PUMP, |t| t["grows"] = json!("Nobody")));
    unreadable(CERTIFICATE);
    place.expect(3, &["cert", "verify", TRACE]);
}

#[test]
fn the_checker_accepts_what_was_written() {
    let place = kept("accepted");
    let ended = place.expect(0, &["cert", "verify", CERTIFICATE]);
    assert!(ended.out.starts_with("accepted  "), "{}", ended.out);
    for id in ["unhandled", "deadlock", "stuck", "orphan", "length:Client<=2", "length:Server<=2"] {
        assert!(ended.out.contains(id), "{id}: {}", ended.out);
    }
    // A larger claim than the set supports is not accepted; a smaller one is.
    let file = changed(&place, CERTIFICATE, |c| c["properties"] = json!(["bounded"]));
    place.expect(0, &["cert", "verify", file]);
}

/// The rows of a certificate and what belongs to them.
fn set(certificate: &mut Value) -> &mut Value {
    &mut certificate["evidence"]["closed"]
}

#[test]
fn a_changed_certificate_is_refused() {
    let place = kept("changed_certificate");
    let rows = serde_json::from_str::<Value>(&place.read(CERTIFICATE)).unwrap();
    let n_rows = rows["evidence"]["closed"]["rows"].as_array().unwrap().len();
    let refused = |file: &str| {
        let ended = place.expect(70, &["cert", "verify", file]);
        assert!(ended.err.contains("refused"), "{}", ended.err);
        assert_eq!(ended.out, "");
    };
    for row in 0..n_rows {
        refused(changed(&place, CERTIFICATE, |c| {
            drop(set(c)["rows"].as_array_mut().unwrap().remove(row));
        }));
    }
    for (row, cell) in [(0, 0), (3, 1), (5, 2), (7, 3), (9, 4), (2, 5)] {
        refused(changed(&place, CERTIFICATE, |c| set(c)["rows"][row][cell] = json!(77)));
    }
    refused(changed(&place, CERTIFICATE, |c| set(c)["rows"] = json!([])));
    refused(changed(&place, CERTIFICATE, |c| set(c)["rows"][0][0] = json!(-1)));
    refused(changed(&place, CERTIFICATE, |c| set(c)["locals"][0][0] = json!("Nowhere")));
    refused(changed(&place, CERTIFICATE, |c| set(c)["locals"][0][0] = json!("Done")));
    refused(changed(&place, CERTIFICATE, |c| set(c)["messages"][0] = json!("Nothing")));
    refused(changed(&place, CERTIFICATE, |c| set(c)["contents"][1]["messages"] = json!([])));
    refused(changed(&place, CERTIFICATE, |c| set(c)["contents"][1]["kind"] = json!(9)));
    refused(changed(&place, CERTIFICATE, |c| c["properties"] = json!([])));
    refused(changed(&place, CERTIFICATE, |c| c["properties"] = json!(["reach:nothing"])));
    refused(changed(&place, CERTIFICATE, |c| c["properties"] = json!(["length:Client<=1"])));
    refused(changed(&place, CERTIFICATE, |c| c["properties"] = json!(["livelock"])));
    let wide = changed(&place, CERTIFICATE, |c| set(c)["rows"][0] = json!([0]));
    place.expect(3, &["cert", "verify", wide]);
    // On another model it proves nothing.
    let ended = place.expect(2, &["cert", "verify", CERTIFICATE, "--model", VIOLATED]);
    assert!(ended.err.contains("the model has changed since"), "{}", ended.err);
}

#[test]
fn a_model_that_moved_or_changed() {
    let place = kept("moved");
    let text = place.read(VIOLATED);
    place.file("elsewhere.cfsm", &text);
    let file = changed(&place, TRACE, |t| t["model"] = json!("gone.cfsm"));
    let ended = place.expect(64, &["replay", file]);
    assert!(ended.err.contains("--model"), "{}", ended.err);
    place.expect(1, &["replay", file, "--model", "elsewhere.cfsm"]);
    place.file("elsewhere.cfsm", format!("{text}\n// a remark\n"));
    let ended = place.expect(1, &["replay", file, "--model", "elsewhere.cfsm"]);
    assert!(ended.err.contains("has changed"), "{}", ended.err);
    assert!(
        ended.out.contains("violated  unhandled: the run still violates it: "),
        "{}",
        ended.out
    );
}

#[test]
fn a_run_of_a_repaired_model_says_what_became_of_it() {
    let place = with_samples("repaired");
    let model = "m/a.cfsm";
    let text = |more: &str| {
        format!("machine A {{ init S: send B x -> T  T: }}  machine B {{ init S: {more}  T: }}")
    };
    place.file(model, text("recv y -> T"));
    place.expect(1, &["check", model, "--property", "unhandled"]);
    let trace = ".queueproof/m/a.cfsm/traces/unhandled.json";
    place.expect(1, &["replay", trace]);
    place.file(model, text("recv x -> T"));
    let ended = place.expect(0, &["replay", trace]);
    let told = "\nchanged   unhandled: the run can be taken and no longer violates unhandled \
                (the model has changed)\nnext      queueproof check m/a.cfsm\n";
    assert!(ended.out.contains(told), "{}", ended.out);
    assert!(ended.err.contains("the model has changed"), "{}", ended.err);
    place.file(model, "machine A { init S: }  machine B { init S: recv x -> T  T: }");
    let ended = place.expect(0, &["replay", trace]);
    let told = "changed   unhandled: the run can no longer be taken: step 1 of A is not possible";
    assert!(ended.out.contains(told), "{}", ended.out);
    let drawn = place.expect(0, &["trace", trace]);
    assert!(drawn.err.contains(told), "{}", drawn.err);
}

#[test]
fn the_model_is_found_from_any_folder() {
    let place = with_samples("found");
    place.file("m/a.cfsm", place.read(VIOLATED));
    place.expect(1, &["check", "m/a.cfsm"]);
    place.expect(1, &["check", "m/a.cfsm", "--out", "far/away"]);
    place.file("elsewhere/empty.txt", "");
    for out in ["../.queueproof", "../far/away"] {
        let trace = format!("{out}/m/a.cfsm/traces/unhandled.json");
        let mut command = place.command(&["replay", &trace]);
        let ended = command.current_dir(place.path().join("elsewhere")).output().unwrap();
        let err = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{trace}: {err}");
    }
    let mut command = place.command(&["replay", "traces/unhandled.json"]);
    let ended = command.current_dir(place.path().join(".queueproof/m/a.cfsm")).output().unwrap();
    assert_eq!(ended.status.code(), Some(1));
}

#[test]
fn models_of_one_name_keep_their_files_apart() {
    let place = Place::new("apart");
    let model = "machine A { init S: recv m -> T  T: }  machine B { init S: }";
    place.file("m.cfsm", model);
    place.file("n/m.cfsm", model);
    place.file("m.pml", "chan q = [1] of { byte }; active proctype A() { q?0 }");
    let models = ["m.cfsm", "n/m.cfsm", "m.pml"];
    for model in models {
        place.expect(1, &["check", model, "--property", "deadlock"]);
    }
    for model in models {
        place.expect(1, &["replay", &format!(".queueproof/{model}/traces/deadlock.json")]);
    }
}

#[test]
fn files_are_written_only_where_asked() {
    let place = with_samples("written");
    place.expect(1, &["check", VIOLATED, "--no-files"]);
    assert!(!place.has(".queueproof"));
    place.expect(1, &["check", VIOLATED]);
    assert!(place.has(".queueproof/corpus/cfsm/cancel_race.cfsm/traces/unhandled.json"));
    // What an earlier run left would look like this one's.
    place.expect(1, &["check", VIOLATED, "--property", "deadlock"]);
    assert!(!place.has(".queueproof/corpus/cfsm/cancel_race.cfsm/traces/unhandled.json"));
    assert!(place.has(".queueproof/corpus/cfsm/cancel_race.cfsm/traces/deadlock.json"));
}

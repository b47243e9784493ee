//! The program as users run it, on a certificate written by hand.

use std::path::PathBuf;
use std::process::{Command, Output};

const MODEL: &str =
    "machine A { init S: send B m -> T  T: }  machine B { init S: recv m -> T  T: }";

/// The three configurations of the model: before, under way, after.
const ROWS: &str = "[0,0,0,0,0,-1],[1,0,0,1,0,-1],[1,1,0,0,0,-1]";

fn certificate(properties: &str, queues: u64, rows: &str) -> String {
    format!(
        r#"{{"format": "queueproof.cert/2", "model": "handover.cfsm", "model_hash": "0",
            "properties": [{properties}], "evidence": {{"closed": {{"locals": [["S","T"],["S","T"]],
            "messages": ["m"], "contents": [{{"kind":0,"messages":[]}},{{"kind":0,"messages":[0]}}],
            "stores": [""], "queues": {queues}, "rows": [{rows}]}}}}}}"#
    )
}

/// Runs the program on the model and this certificate.
fn run(name: &str, certificate: &str) -> Output {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (model, file) = (folder.join(format!("{name}.cfsm")), folder.join(format!("{name}.json")));
    std::fs::write(&model, MODEL).expect("the folder can be written to");
    std::fs::write(&file, certificate).expect("the folder can be written to");
    let mut program = Command::new(env!("CARGO_BIN_EXE_queueproof-cert"));
    program.arg(model).arg(file).output().expect("the program starts")
}

fn check(name: &str, certificate: &str, code: i32, says: &str) {
    let output = run(name, certificate);
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{name}: {text}");
    assert!(text.contains(says), "{name}: {text}");
}

#[test]
fn accepts_what_is_true() {
    let properties = r#""deadlock","stuck","orphan","unhandled","bounded","length:B<=1""#;
    check(
        "right",
        &certificate(properties, 2, ROWS),
        0,
        "accepted  a closed set of 3 configurations",
    );
}

/// The claim that there are so many configurations.
fn search(properties: &str, configurations: &str) -> String {
    format!(
        r#"{{"format": "queueproof.cert/2", "model": "handover.cfsm", "model_hash": "0",
            "properties": [{properties}], "evidence": {{"search": {{"configurations": {configurations}}}}}}}"#
    )
}

#[test]
fn searches_again() {
    let properties = r#""deadlock","stuck","orphan","unhandled","bounded","length:B<=1""#;
    let accepted = "accepted  a complete search of 3 configurations";
    check("search", &search(properties, "3"), 0, accepted);
    check("search_fewer", &search(properties, "2"), 1, "more configurations than the 2");
    check("search_more", &search(properties, "4"), 1, "fewer configurations than the 4");
    check("search_many", &search(properties, "18446744073709551615"), 1, "fewer");
    check("search_none", &search(properties, "0"), 1, "more");
    check("search_short", &search(r#""length:B<=0""#, "3"), 1, "fault");
    check("search_other", &search(r#""livelock""#, "3"), 1, "does not prove");
    check("search_negative", &search(properties, "-1"), 3, "");
    check("search_empty", &search(properties, "null"), 3, "");
}

#[test]
fn refuses_what_is_not() {
    let deadlock = r#""deadlock""#;
    let last_missing = "[0,0,0,0,0,-1],[1,0,0,1,0,-1]";
    check("open", &certificate(deadlock, 2, last_missing), 1, "not closed");
    check("begins_late", &certificate(deadlock, 2, "[1,1,0,0,0,-1]"), 1, "the beginning");
    check("too_short", &certificate(r#""length:B<=0""#, 2, ROWS), 1, "fault");
    check("no_property", &certificate("", 2, ROWS), 1, "names no property");
    check("other_property", &certificate(r#""ltl:x""#, 2, ROWS), 1, "no property");
}

/// Files that nobody wrote with good intentions: a message, not a crash.
#[test]
fn survives_nonsense() {
    let deadlock = r#""deadlock""#;
    check("not_json", "nonsense", 3, "not JSON");
    check("empty", &certificate(deadlock, 2, ""), 1, "the beginning");
    check("huge", &certificate(deadlock, u64::MAX, ""), 3, "cells");
    check("large", &certificate(deadlock, 1 << 60, ""), 3, "cells");
    check("wide", &certificate(deadlock, u64::MAX, ROWS), 3, "cells");
    check("ragged", &certificate(deadlock, 2, "[0,0,0]"), 3, "3 cells");
    check("negative", &certificate(deadlock, 2, "[0,0,0,0,0,-2]"), 3, "no cell -2");
}

/// The same rows as a set of lists.
fn lists(properties: &str, prefix: u64, counted: u64, invariants: &str) -> String {
    let numbers = format!(r#""prefix":{prefix},"counted":{counted},"invariants":[{invariants}]"#);
    let set = format!(r#"{{"lists": {{{numbers}, "set": {{"#);
    certificate(properties, 2, ROWS).replace(r#"{"closed": {"#, &set) + "}"
}

#[test]
fn accepts_and_refuses_sets_of_lists() {
    let properties = r#""deadlock","unhandled","bounded","length:B<=1""#;
    check("lists", &lists(properties, 1, 0, ""), 0, "accepted  a closed set of 3 configurations");
    check("counted", &lists(properties, 0, 1, r##"[1,"#m <= 1"]"##), 0, "accepted");
    check("none_told_apart", &lists(properties, 0, 0, ""), 1, "not closed");
    check("with_one", &lists(r#""unhandled""#, 0, 0, r##"[1,"#m <= 1"]"##), 0, "accepted");
    check("stuck", &lists(r#""stuck""#, 1, 0, ""), 1, "does not prove this property");
}

/// Small files that ask for much.
#[test]
fn survives_nonsense_about_lists() {
    let (deadlock, largest) = (r#""deadlock""#, u64::from(u32::MAX));
    check("far", &lists(deadlock, largest, largest, ""), 0, "accepted");
    check("too_far", &lists(deadlock, largest + 1, 0, ""), 3, "4294967296");
    check("no_formula", &lists(deadlock, 1, 0, r#"[1,"G"]"#), 3, "the formula");
    check("no_queue", &lists(deadlock, 1, 0, r#"[4000000000,"F m"]"#), 1, "empty queue");
    let long = r##"[1,"#m <= 4000000000"]"##;
    check("long", &lists(deadlock, 0, 0, long), 1, "the invariants are too large");
    let broad = r#"[1,"G #m <= 4000000000"]"#;
    check("broad", &lists(deadlock, 0, 0, broad), 1, "the invariants are too large");
}

#[test]
fn says_how_it_is_used() {
    let output = Command::new(env!("CARGO_BIN_EXE_queueproof-cert")).output().unwrap();
    assert_eq!(output.status.code(), Some(64));
}

const PROJECT: &str = "<Project><ProjectName>Two</ProjectName>
    <InputFiles><PFile>two.p</PFile></InputFiles></Project>";

const TWO_TESTS: &str = "event eGo;
    machine Right { start state S { entry { send this, eGo; } ignore eGo; } }
    machine Wrong { start state S { entry { send this, eGo; } on eGo do { assert false; } } }
    test tcRight [main = Right]: { Right };
    test tcWrong [main = Wrong]: { Wrong };";

/// A certificate about a test case of a P project is checked on that test case and on no other.
#[test]
fn the_test_case_is_part_of_the_certificate() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("two");
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).unwrap();
        folder.join(name)
    };
    let project = file("Two.pproj", PROJECT);
    file("two.p", TWO_TESTS);
    let certificate = certificate_of_right();
    let right = file("right.json", &certificate);
    let wrong = file("wrong.json", &certificate.replace("tcRight", "tcWrong"));
    let code = |certificate: &PathBuf| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_queueproof-cert"));
        program.arg(&project).arg(certificate).output().unwrap().status.code()
    };
    assert_eq!(code(&right), Some(0));
    assert_eq!(code(&wrong), Some(1));
}

fn certificate_of_right() -> String {
    let test = Some("tcRight".to_owned());
    let switches = queueproof::Switches { test, ..queueproof::Switches::default() };
    let file = queueproof::File { name: "two.p".into(), bytes: TWO_TESTS.as_bytes().to_vec() };
    let loaded = queueproof::load_files("Two.pproj", &[file], &switches);
    let loaded = loaded.expect("the program is right");
    let options = queueproof::Options::default();
    let checked = queueproof::check(&loaded, &options, &options.budget());
    let mut artifacts = checked.artifacts.into_iter();
    let found = artifacts.find(|it| it.name == "certificate.json");
    found.expect("there is a proof").text
}

//! Ctrl-C prints what is known, and so does the polite way to end a process. What is violated is printed before.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::place::{Ended, GROWING, Place, with_samples};

#[test]
fn an_interrupted_run_prints_partial_results() {
    partial_results("interrupt", "-INT");
}

#[test]
fn a_terminated_run_prints_partial_results() {
    partial_results("terminate", "-TERM");
}

fn partial_results(name: &str, signal: &str) {
    let place = with_samples(name);
    let endless = ["--time", "none", "--max-bound", "60", "--steps", "1000000000000"];
    let search = ["check", GROWING, "--engine", "explore", "--progress", "lines"];
    let words = [&search[..], &endless].concat();
    let mut command = place.command(&words);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A line of progress says that the run is under way, whatever else the machine does.
    let mut line = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("configurations"), "{line}");
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let ended: Ended = child.wait_with_output().unwrap().into();
    assert_eq!(ended.code, Some(130), "{}\n{}", ended.out, ended.err);
    assert!(ended.out.contains("interrupted"), "{}", ended.out);
    assert!(ended.out.contains("unbounded[QP2001]"), "{}", ended.out);
}

/// Two processes: one fails at once, the other takes longer than anybody waits.
const SLOW: &str = "byte a, b, c, d;
active proctype Counter() { do :: a++ :: b++ :: c++ :: d++ od }
active proctype Failing() { assert(false) }
";

#[test]
fn a_violation_is_printed_while_the_rest_is_open() {
    let place = Place::new("early");
    place.file("m.pml", SLOW);
    let words = ["check", "m.pml", "--time", "none", "--progress", "none"];
    let mut command = place.command(&words);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    // Without it the test would wait for ever.
    let mut before: Vec<String> = Vec::new();
    while !before.last().is_some_and(|line| line.contains("replay")) {
        before.push(lines.next().expect("the run goes on"));
    }
    assert!(before.iter().any(|line| line.starts_with("violated[QP1002] assert")), "{before:?}");
    assert_eq!(child.try_wait().unwrap(), None, "the other properties are open");
    let trace = place.path().join(".queueproof/m.pml/traces/assert.json");
    assert!(trace.exists(), "the run that is printed can be replayed");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let after: Vec<String> = lines.collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{after:?}");
    assert!(after.iter().all(|line| !line.starts_with("violated[")), "told twice: {after:?}");
    assert!(after.iter().any(|line| line.contains("violated  assert")), "{after:?}");
}

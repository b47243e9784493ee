//! A limit that is met gives an ordinary *unknown* with everything learnt so far.

use crate::json::report;
use crate::place::{Ended, GROWING, Place, with_samples};

/// Asserts a run that was cut by one limit and has partial results.
fn cut(place: &Place, hit: &str, words: &[&str]) {
    let all: Vec<&str> = words.iter().copied().chain(["--format", "json"]).collect();
    let value = report(&place.expect(2, &all).out);
    assert_eq!(value["limits"]["hit"][0], hit, "{value}");
    let unhandled = &value["properties"][1];
    assert_eq!(unhandled["verdict"], "unknown");
    assert_eq!(unhandled["code"], "QP3002");
    assert!(!unhandled["reason"].as_str().unwrap().is_empty());
    // What was found before the end still counts.
    assert_eq!(value["queues"][2]["status"], "unbounded");
    let Ended { out, .. } = place.expect(2, words);
    assert!(out.contains(&format!("met: {hit}")), "{out}");
}

#[test]
fn time() {
    let place = with_samples("time");
    let words = ["check", GROWING, "--time", "1s", "--max-bound", "60", "--steps", "1000000000000"];
    cut(&place, "time", &words);
}

#[test]
fn steps() {
    cut(&with_samples("steps"), "states", &["check", GROWING, "--steps", "1000"]);
}

#[test]
fn memory() {
    let words = ["check", GROWING, "--memory", "1MiB", "--max-bound", "60"];
    cut(&with_samples("memory"), "memory", &words);
}

#[test]
fn bound() {
    let place = with_samples("bound");
    let ended = place.expect(2, &["check", GROWING, "--max-bound", "2", "--format", "json"]);
    let value = report(&ended.out);
    assert_eq!(value["limits"]["hit"][0], "bound");
    assert_eq!(value["properties"][1]["code"], "QP3001");
    assert_eq!(value["properties"][1]["explored"]["bound"], 2);
}

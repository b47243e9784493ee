//! A limit that is met gives an ordinary *unknown* with everything learnt so far.

use crate::json::report;
use crate::place::{Ended, GROWING, Place, with_samples};

/// A search without end: the engine that needs none is not asked.
const SEARCH: [&str; 4] = ["check", GROWING, "--engine", "explore"];

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
    let endless = ["--max-bound", "60", "--steps", "1000000000000"];
    let words = [&SEARCH[..], &["--time", "1s"], &endless].concat();
    cut(&place, "time", &words);
}

#[test]
fn steps() {
    cut(&with_samples("steps"), "states", &[&SEARCH[..], &["--steps", "1000"]].concat());
}

#[test]
fn memory() {
    let words = [&SEARCH[..], &["--memory", "1MiB", "--max-bound", "60"]].concat();
    cut(&with_samples("memory"), "memory", &words);
}

#[test]
fn bound() {
    let place = with_samples("bound");
    let words = [&SEARCH[..], &["--max-bound", "2", "--format", "json"]].concat();
    let ended = place.expect(2, &words);
    let value = report(&ended.out);
    assert_eq!(value["limits"]["hit"][0], "bound");
    assert_eq!(value["properties"][1]["code"], "QP3001");
    assert_eq!(value["properties"][1]["explored"]["bound"], 2);
}

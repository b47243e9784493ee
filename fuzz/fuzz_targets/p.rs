//! Any bytes give a P program or diagnostics at places inside the text, and a program takes steps.
#![no_main]

use std::collections::{BTreeSet, VecDeque};

use libfuzzer_sys::fuzz_target;
use qp_load::{File, Switches, load_files};
use qp_machines::Model;

/// So many configurations of a program are visited.
const CONFIGURATIONS_MAX: usize = 40;

fuzz_target!(|bytes: &[u8]| {
    let file = File { name: "fuzz.p".to_owned(), bytes: bytes.to_vec() };
    let reading = load_files("fuzz.p", &[file], &Switches::default());
    let length = reading.source.text.len();
    for diagnostic in &reading.diagnostics {
        assert!(diagnostic.primary.span.start as usize <= length);
    }
    match reading.model {
        Some(model) => run(&model),
        None => assert!(!reading.diagnostics.is_empty()),
    }
});

fn run(model: &Model) {
    let mut system = model.system();
    let first = system.initial();
    let mut seen = BTreeSet::from([first.clone()]);
    let mut todo = VecDeque::from([first]);
    while let Some(config) = todo.pop_front() {
        for outcome in system.successors(&config) {
            if seen.len() < CONFIGURATIONS_MAX && seen.insert(outcome.config.clone()) {
                todo.push_back(outcome.config);
            }
        }
    }
}

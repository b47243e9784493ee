//! Any bytes give a Promela model or diagnostics at places inside the text, and a model takes steps.
#![no_main]

use std::collections::{BTreeSet, VecDeque};

use libfuzzer_sys::fuzz_target;
use qp_front_promela::{NoFiles, Options, read};
use qp_machines::Model;

/// So many configurations of a model are visited.
const CONFIGURATIONS_MAX: usize = 40;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let reading = read("fuzz.pml", &text, &NoFiles, &Options::default());
    let length = reading.source.text.len();
    for diagnostic in &reading.diagnostics {
        assert!(diagnostic.primary.span.end as usize <= length);
    }
    let Some(spec) = reading.spec else {
        assert!(!reading.diagnostics.is_empty());
        return;
    };
    let (model, said) = qp_promela::model(spec, qp_promela::Options::default());
    match model {
        Some(model) => run(&model),
        None => assert!(!said.is_empty()),
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

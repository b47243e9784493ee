//! Times whole searches of the engine `regular`, with sizes: `cargo run --release -p qp-testkit --example searches`.
//!
//! For each model of the corpus: what its queues can hold, exactly and with blurred automata; how many rows that takes,
//! how many states the largest automaton has, and how many all have together. A row of 0 stands for a search that did
//! not come to an end.
#![allow(clippy::print_stdout, reason = "printing a table is all that it does")]

use std::time::Instant;

use qp_base::Budget;
use qp_engines::{ContentLimits, contents};
use qp_machines::Model;
use qp_testkit::corpus;

fn main() {
    println!(
        "{:45} {:8} {:>6} {:>8} {:>8} {:>8}",
        "model", "search", "rows", "largest", "all", "ms"
    );
    for case in corpus::cases().into_iter().flatten() {
        let model = &case.loaded.model;
        if model.system().program_mut().as_moves().is_some() {
            row(&case.name, "exact", model, ContentLimits::default());
            let blurred = ContentLimits { blurred: Some(1), ..ContentLimits::default() };
            row(&case.name, "blurred", model, blurred);
        }
    }
}

fn row(name: &str, search: &str, model: &Model, limits: ContentLimits) {
    let start = Instant::now();
    let found = contents(model, limits, &Budget::states(100_000));
    let (mut rows, mut largest, mut all) = (0, 0, 0);
    if let Ok(found) = found {
        let sizes = || found.set.languages.iter().map(|language| language.accepting.len());
        rows = found.set.set.rows().count();
        largest = sizes().max().unwrap_or(0);
        all = sizes().sum();
    }
    let time = start.elapsed().as_millis();
    println!("{name:45} {search:8} {rows:6} {largest:8} {all:8} {time:8}");
}

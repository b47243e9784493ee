//! How many random schedules each strategy draws until it meets a planted mistake: the mean over many seeds.
//!
//! `cargo run --release -p qp-testkit --example schedules -- SEEDS SCHEDULES` prints the table of the manual.
#![allow(clippy::print_stdout, reason = "an example prints")]

use qp_testkit::schedules::{planted, schedules_until_found};
use queueproof::Strategy;

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = |or: u64| args.next().and_then(|it| it.parse().ok()).unwrap_or(or);
    let (n_seeds, schedules_max) = (number(20), number(2_000));
    let names = Strategy::ALL.map(Strategy::name).join(" | ");
    println!("| mistake | {names} |\n| --- | --- | --- | --- |");
    for (name, loaded, property) in planted() {
        let name = name.rsplit('/').next().unwrap_or(&name);
        let cells = Strategy::ALL.map(|strategy| {
            let about = (&loaded, property.as_str());
            let found = (1..=n_seeds)
                .map(|seed| schedules_until_found(about, strategy, seed, schedules_max));
            cell(&found.collect::<Vec<_>>(), schedules_max)
        });
        println!("| `{name}` | {} |", cells.join(" | "));
    }
}

/// The mean; where not every seed has found it, at least so many.
fn cell(found: &[Option<u64>], schedules_max: u64) -> String {
    let sum: u64 = found.iter().map(|it| it.unwrap_or(schedules_max)).sum();
    let mean = sum as f64 / found.len() as f64;
    let missed = found.iter().filter(|it| it.is_none()).count();
    match missed {
        0 => format!("{mean:.1}"),
        n if n == found.len() => format!("more than {schedules_max}"),
        n => format!("at least {mean:.0} ({n} of {} seeds without)", found.len()),
    }
}

//! How many configurations there are at each queue length, and how many of them look different:
//! `cargo run --release -p qp-testkit --example looks -- [--sets explicit] [--view P,C] [--closed] MODEL K [MODEL K ...]`.
//!
//! For each model: all configurations with queues of up to 1, 2, ..., K messages as a decision diagram, and how many of
//! them look different with P and C (0 and 0 unless given). With `--closed` also how many the view itself has, where
//! taking a message may come to anything that it could come to: if nothing is missing at some queue length, the views
//! have converged there. There may be far more of them. Times are wall-clock seconds. Models come from
//! `cargo xtask gen FAMILY`, or from anywhere else.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printing a table is all that it does"
)]

use std::process::ExitCode;
use std::time::Instant;

use qp_base::Budget;
use qp_engines::{Reachable, Sets};
use qp_machines::Model;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let closed = words.contains(&"--closed");
    words.retain(|&word| word != "--closed");
    let (mut sets, mut view) = (Sets::Symbolic, (0, 0));
    loop {
        match words[..] {
            ["--sets", "explicit", ..] => sets = Sets::Explicit,
            ["--view", given, ..] => {
                let parsed = given
                    .split_once(',')
                    .and_then(|(p, c)| Some((p.parse().ok()?, c.parse().ok()?)));
                let Some(parsed) = parsed else { return usage() };
                view = parsed;
            }
            _ => break,
        }
        words.drain(..2);
    }
    let pairs = words.chunks_exact(2).map(|pair| Some((pair[0], pair[1].parse().ok()?)));
    let pairs: Option<Vec<(&str, u32)>> = pairs.collect();
    match pairs.filter(|pairs| !pairs.is_empty() && words.len().is_multiple_of(2)) {
        Some(pairs) => {
            for (path, bound_max) in pairs {
                table(path, bound_max, sets, view, closed);
            }
            ExitCode::SUCCESS
        }
        None => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("looks [--sets explicit] [--view P,C] [--closed] MODEL K [MODEL K ...]");
    ExitCode::from(64)
}

fn table(path: &str, bound_max: u32, sets: Sets, (prefix, counted): (u32, u32), closed: bool) {
    let loaded = std::fs::read(path).ok().and_then(|bytes| queueproof::load(path, &bytes).ok());
    let Some(loaded) = loaded else {
        println!("{path}: is not a model");
        return;
    };
    let (model, start) = (&loaded.model, Instant::now());
    let budget = Budget::states(1_000_000_000);
    let mut reachable = Reachable::new(model);
    println!("{path}");
    for bound in 1..=bound_max {
        let began = Instant::now();
        let Ok(set) = reachable.within(bound, sets, &budget) else {
            println!("  k={bound}: too much");
            break;
        };
        let reached_s = began.elapsed().as_secs_f64();
        let Ok(looks) = reachable.looks(&set, prefix, counted) else {
            println!("  k={bound}: looking takes too much");
            break;
        };
        let nodes = set.n_nodes().map_or(String::new(), |n| format!(", {n} nodes"));
        let looked_s = began.elapsed().as_secs_f64() - reached_s;
        println!(
            "  k={bound} {}/{}{nodes}, {reached_s:.3} s + {looked_s:.3} s",
            set.count(),
            looks.count()
        );
    }
    println!("  {:.3} s in all", start.elapsed().as_secs_f64());
    if closed {
        println!("  {}", in_view(model, sets, (prefix, counted)));
    }
}

/// How many configurations the view has.
fn in_view(model: &Model, sets: Sets, (prefix, counted): (u32, u32)) -> String {
    let start = Instant::now();
    let mut view = Reachable::blurred(model, prefix, counted);
    match view.within(u32::MAX, sets, &Budget::states(1_000_000_000)) {
        Ok(all) => {
            format!("the view has {} in {:.3} s", all.count(), start.elapsed().as_secs_f64())
        }
        Err(_) => "the view has too many".to_owned(),
    }
}

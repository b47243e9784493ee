//! `qp-fuzz --seed N --minutes M`: random systems until the time is up or one is answered wrongly.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool prints")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use qp_testkit::compare::Compared;
use qp_testkit::fuzz;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let (Some(first), Some(minutes)) = (number("--seed"), number("--minutes")) else {
        eprintln!("usage: qp-fuzz --seed N --minutes M");
        return ExitCode::from(64);
    };
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let (mut seed, mut n_large) = (first, 0_u64);
    while Instant::now() < end {
        match fuzz::try_seed(seed) {
            Ok(Compared::Agrees(_)) => {}
            Ok(Compared::TooLarge) => n_large += 1,
            Err(problem) => {
                eprintln!("{problem}");
                return ExitCode::FAILURE;
            }
        }
        seed += 1;
        if seed.is_multiple_of(1_000) {
            println!("seeds {first} to {seed}: no problem, {n_large} too large to compare");
        }
    }
    println!("seeds {first} to {seed}: no problem, {n_large} too large to compare");
    ExitCode::SUCCESS
}

//! How many configurations searches have with and without orders of steps that do not matter, model by model.
//!
//! `cargo run -p qp-testkit --example orders -- BOUND STATES FILE..`
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_engines::{Answers, Engine, Explore, Task, TaskLimits};
use qp_machines::{Model, Property};

const ASKED: [Property; 4] =
    [Property::Assert, Property::Unhandled, Property::Divergence, Property::Deadlock];

fn search(model: &Model, (bound, states): (u32, u64), reduce: bool) -> (Answers, f64) {
    let limits = TaskLimits {
        bound_max: bound,
        exhaustive: true,
        small_max: 100_000,
        evidence_max: 1_000_000,
        reduce,
        ..TaskLimits::default()
    };
    let asked = ASKED.iter().copied().filter(|it| !it.is_void(model.outline()));
    let properties = asked.collect();
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    let start = Instant::now();
    let answers = Explore.run(task, &Budget::states(states));
    (answers, start.elapsed().as_secs_f64())
}

fn figure(answers: &Answers, name: &str) -> u64 {
    answers.detail.iter().find(|detail| detail.0 == name).map_or(0, |detail| detail.1)
}

/// The verdicts, each as a letter.
fn verdicts(model: &Model, answers: &Answers) -> String {
    let mut referee = Referee::new(model, 1_000_000);
    let mut letter = |answer: &qp_engines::Answer| {
        let verdict = referee.check(answer.property, &answer.claim);
        match verdict.unwrap_or_else(|why| panic!("{:?}: {why}", answer.property)).ruling() {
            Ruling::Proved(_) => 'p',
            Ruling::Violated { .. } => 'v',
            Ruling::Searched { .. } | Ruling::Unknown(_) => '?',
        }
    };
    answers.claims.iter().map(&mut letter).collect()
}

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = |or: u64| args.next().and_then(|it| it.parse().ok()).unwrap_or(or);
    let limits = (number(3) as u32, number(2_000_000));
    for path in args {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let (Some(model), _) = qp_load::load(&path, &text) else {
            println!("{path}: not read");
            continue;
        };
        let ((full, full_s), (less, less_s)) =
            (search(&model, limits, false), search(&model, limits, true));
        let (before, after) = (verdicts(&model, &full), verdicts(&model, &less));
        let end = |answers: &Answers| if answers.spent.is_some() { "+" } else { "" };
        let alike = before.chars().zip(after.chars()).all(|(a, b)| a == b || a == '?' || b == '?');
        println!(
            "{path} | {}{} | {full_s:.2} | {before} | {}{} | {} | {less_s:.2} | {after} | {:.1}{}",
            figure(&full, "states"),
            end(&full),
            figure(&less, "states"),
            end(&less),
            figure(&less, "reduced"),
            figure(&full, "states") as f64 / figure(&less, "states").max(1) as f64,
            if alike { "" } else { " DIFFERENT" },
        );
    }
}

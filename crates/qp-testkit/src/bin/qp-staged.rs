//! `qp-staged MODEL.cfsm BOUND`: how fast the search is when the machines of a model are created at run
//! time, watched, or asked about their queues, beside the model as it is.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the table is for people")]

use std::process::ExitCode;
use std::time::Instant;

use qp_base::Budget;
use qp_engines::{Engine, Explore, Task, TaskLimits};
use qp_machines::Model;
use qp_testkit::staged::{Staged, Staging};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, bound, rest @ ..] = &arguments[..] else {
        eprintln!("qp-staged MODEL.cfsm BOUND [JOBS [NAME]]");
        return ExitCode::from(2);
    };
    let jobs = rest.first().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    let (Ok(bytes), Ok(bound)) = (std::fs::read(path), bound.parse::<u32>()) else {
        eprintln!("no such file, or no such bound");
        return ExitCode::from(2);
    };
    let (Some(model), _) = qp_load::load_bytes(path, &bytes) else {
        eprintln!("{path} is not a model");
        return ExitCode::from(2);
    };
    let local = Staging { local: true, ..Staging::default() };
    let stagings = [
        ("created", local),
        ("created, watched", Staging { watched: true, ..local }),
        ("created, asked", Staging { assumed: Some(bound), ..local }),
        ("created, idle", Staging { idles: true, ..local }),
        ("created, step by step", Staging { local: false, ..local }),
    ];
    let wanted = |name: &str| rest.get(1).is_none_or(|only| only == name);
    if wanted("as it is") {
        measure("as it is", &model, bound, jobs);
    }
    for (name, staging) in stagings.into_iter().filter(|(name, _)| wanted(name)) {
        measure(name, &Staged::new(&model, staging).model(), bound, jobs);
    }
    ExitCode::SUCCESS
}

fn measure(name: &str, model: &Model, bound: u32, jobs: usize) {
    let limits = TaskLimits {
        bound_first: bound,
        bound_max: bound,
        jobs,
        exhaustive: true,
        small_max: 0,
        evidence_max: 0,
        ..TaskLimits::default()
    };
    let best = (0..3).map(|_| {
        let task =
            Task { model: model.clone(), properties: Vec::new(), invariants: Vec::new(), limits };
        let start = Instant::now();
        let answers = Explore.run(task, &Budget::states(20_000_000));
        let figure = |name| answers.detail.iter().find(|d| d.0 == name).map_or(0, |d| d.1);
        (start.elapsed(), figure("states"), figure("transitions"), figure("bytes"))
    });
    let (time, states, transitions, bytes) = best.min().expect("it ran");
    let seconds = time.as_secs_f64();
    println!(
        "{name:24} {states:>10} states {transitions:>11} steps {seconds:>7.2} s {:>7.2} M states/s {:>4} bytes/state",
        states as f64 / seconds / 1e6,
        bytes / states.max(1),
    );
}

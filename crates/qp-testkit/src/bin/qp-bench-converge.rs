//! `qp-bench-converge [--rounds N] [MODEL ...]`: what proofs for every queue length cost beside plain exploration to
//! the same queue length.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the table is for people")]
#![allow(clippy::cast_precision_loss, reason = "figures for people have three digits")]

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use qp_base::Budget;
use qp_claim::Claim;
use qp_engines::{
    Answers, Converge, Engine, Explore, InvariantAnswer, Lists, Standing, Stated, Task, TaskLimits,
};
use qp_machines::{Model, Property};

const MODELS: [&str; 8] = [
    "corpus/p/ping_flood.p",
    "corpus/p/german_1.p",
    "corpus/p/german_2.p",
    "corpus/p/token_ring_fixed.p",
    "corpus/p/failure_detector.p",
    "corpus/p/openwsn.p",
    "corpus/p/elevator_fixed.p",
    "corpus/p/osr_driver.p",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (rounds, named) = match arguments.as_slice() {
        [flag, rounds, named @ ..] if flag == "--rounds" => (rounds.parse().ok(), named),
        named => (Some(3), named),
    };
    let Some(rounds) = rounds.filter(|&rounds: &u32| rounds > 0) else {
        eprintln!("qp-bench-converge [--rounds N] [MODEL ...]");
        return ExitCode::from(64);
    };
    let default: Vec<String> = MODELS.map(str::to_owned).to_vec();
    let head = ["model", "p", "c", "k", "states", "explore s", "M st/s", "1 to k s", "proof s"];
    println!("| {} | beside k | with figures s | M st/s | beside k |", head.join(" | "));
    println!("| ----- {}|", "| ----: ".repeat(12));
    for path in if named.is_empty() { &default } else { named } {
        match row(path, rounds) {
            Ok(row) => println!("{row}"),
            Err(problem) => println!("| {path} | {problem} |"),
        }
    }
    println!("one thread, wall-clock seconds, best of {rounds}");
    println!("explore: plain exploration at bound k; 1 to k: bound after bound, as converge does;");
    println!("proof: converge as `check` runs it, with the invariants given;");
    println!(
        "with figures: it also searches up to k and counts what looks different at each bound;"
    );
    println!("beside k: how much longer that takes than plain exploration from 1 to k");
    ExitCode::SUCCESS
}

fn row(path: &str, rounds: u32) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bytes = std::fs::read(root.join(path)).map_err(|error| error.to_string())?;
    let loaded = queueproof::load(path, &bytes).map_err(|_| "is not a model".to_owned())?;
    let model = loaded.model;
    let (lists, invariants, k) = proving(&model)?;
    let [mut plain, mut rising, mut proof, mut blurred] = [f64::INFINITY; 4];
    let (mut states, mut seen) = (0, 0);
    for _ in 0..rounds {
        let (time_s, answers) = explore(&model, k, k);
        plain = plain.min(time_s);
        states = answers.bounds.last().map_or(0, |figures| figures.states);
        rising = rising.min(explore(&model, 1, k).0);
        proof = proof.min(converge(&model, &invariants, Lists { figures: false, ..lists }, k).0);
        let (time_s, answers) = converge(&model, &invariants, lists, k);
        blurred = blurred.min(time_s);
        seen = figure(&answers, "concrete_states").unwrap_or(0);
    }
    if states != seen {
        return Err(format!("plain exploration has {states} states, converge {seen}"));
    }
    let rate = |time_s: f64| states as f64 / time_s / 1e6;
    let more = |time_s: f64| (time_s / rising - 1.0) * 100.0;
    let (p, c) = (lists.prefix.unwrap_or(0), lists.counted.unwrap_or(0));
    Ok(format!(
        "| {path} | {p} | {c} | {k} | {states} | {plain:.3} | {:.2} | {rising:.3} | {proof:.3} \
         | {:+.0} % | {blurred:.3} | {:.2} | {:+.0} % |",
        rate(plain),
        more(proof),
        rate(blurred),
        more(blurred)
    ))
}

/// The view and the invariants that prove everything, and the bound at which everything was seen. Finding
/// the invariants is not timed: the paper has them from people.
fn proving(model: &Model) -> Result<(Lists, Vec<Stated>, u32), String> {
    const BOUND_MAX: u32 = 8;
    let automatic = Lists { figures: true, ..Lists::default() };
    let (_, answers) = converge(model, &[], automatic, BOUND_MAX);
    if !answers.claims.iter().all(|answer| matches!(answer.claim, Claim::Holds(_))) {
        return Err("is not proved".to_owned());
    }
    let view = |name| figure(&answers, name).map(|figure| figure as u32);
    let lists = Lists { prefix: view("p"), counted: view("c"), suggest: false, figures: true };
    let k = view("k_max").ok_or("is proved, and no bound shows everything")?;
    let proved = answers.invariants.iter().filter(|it| it.standing == Standing::Proved);
    let stated =
        |it: &InvariantAnswer| Stated { about: it.about.clone(), formula: it.formula.clone() };
    let invariants: Vec<Stated> = proved.map(stated).collect();
    let (_, answers) = converge(model, &invariants, lists, k);
    let enough = answers.claims.iter().all(|answer| matches!(answer.claim, Claim::Holds(_)))
        && figure(&answers, "k_max") == Some(u64::from(k));
    if enough { Ok((lists, invariants, k)) } else { Err("needs more than was found".to_owned()) }
}

fn explore(model: &Model, bound_first: u32, k: u32) -> (f64, Answers) {
    let limits = TaskLimits { exhaustive: true, bound_first, ..limits(k) };
    run(&Explore, model, (Vec::new(), Vec::new()), limits)
}

fn converge(model: &Model, invariants: &[Stated], lists: Lists, bound_max: u32) -> (f64, Answers) {
    let mut properties = vec![Property::Assert, Property::Unhandled, Property::Deadlock];
    properties.push(Property::Divergence);
    properties.extend((0..model.outline().bad.len()).map(Property::Reach));
    let limits = TaskLimits { lists, bound_first: 1, ..limits(bound_max) };
    run(&Converge, model, (properties, invariants.to_vec()), limits)
}

fn limits(bound: u32) -> TaskLimits {
    TaskLimits {
        bound_first: bound,
        bound_max: bound,
        jobs: 1,
        exhaustive: false,
        queues: false,
        small_max: 50_000,
        evidence_max: 1_000_000,
        walks: qp_engines::Walks::NONE,
        bound_far: 0,
        lists: Lists::default(),
        sets: qp_engines::Sets::Explicit,
        order: qp_engines::Order::default(),
        reduce: false,
    }
}

fn run(
    engine: &dyn Engine,
    model: &Model,
    (properties, invariants): (Vec<Property>, Vec<Stated>),
    limits: TaskLimits,
) -> (f64, Answers) {
    let task = Task { model: model.clone(), properties, invariants, limits };
    let budget = Budget::states(20_000_000);
    let start = Instant::now();
    let answers = engine.run(task, &budget);
    (start.elapsed().as_secs_f64(), answers)
}

fn figure(answers: &Answers, name: &str) -> Option<u64> {
    answers.detail.iter().find(|detail| detail.0 == name).map(|detail| detail.1)
}

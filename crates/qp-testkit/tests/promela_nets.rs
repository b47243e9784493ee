//! Nets of models: every run of a model is a run of its net.
//!
//! `QP_PROMELA_SEEDS=from..to` asks for other random models than the usual ones.

use std::path::{Path, PathBuf};

use qp_promela::{Channels, Granularity};
use qp_testkit::promela::make::{Wanted, model};
use qp_testkit::promela::nets::{follow, most};
use qp_testkit::promela::ours::model_with;

const READINGS: [Channels; 2] = [Channels::Declared, Channels::Unbounded];

fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let mut found = Vec::new();
    for folder in [root.clone(), root.join("features")] {
        for entry in std::fs::read_dir(folder).expect("the corpus is there") {
            let path = entry.expect("the corpus is there").path();
            if path.extension().is_some_and(|it| it == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn runs_of_the_corpus_are_runs_of_nets() {
    let (mut problems, mut total) = (Vec::new(), 0);
    for path in corpus() {
        let text = std::fs::read_to_string(&path).expect("the corpus is there");
        for channels in READINGS {
            let Ok(model) = model_with(&text, Granularity::Statement, channels) else { continue };
            match follow(&model, 10, 60, 1) {
                Ok(steps) => total += steps,
                Err(problem) => {
                    problems.push(format!("{} {channels:?}: {problem}", path.display()))
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(total > 10_000, "{total} steps were followed");
}

#[test]
fn runs_of_random_models_are_runs_of_nets() {
    let seeds = std::env::var("QP_PROMELA_SEEDS").ok();
    let seeds = seeds.as_deref().map_or(Some((0, 150)), |it| {
        let (from, to) = it.split_once("..")?;
        Some((from.parse().ok()?, to.parse().ok()?))
    });
    let (from, to) = seeds.expect("QP_PROMELA_SEEDS is like 0..1000");
    let (mut problems, mut total) = (Vec::new(), 0);
    for seed in from..to {
        let text = model(seed, Wanted::Safety);
        for channels in READINGS {
            let Ok(model) = model_with(&text, Granularity::Statement, channels) else { continue };
            match follow(&model, 10, 50, seed) {
                Ok(steps) => total += steps,
                Err(problem) => problems.push(format!("{seed} {channels:?}: {problem}\n{text}")),
            }
        }
    }
    let n = problems.len();
    assert!(problems.is_empty(), "{n} problems:\n{}", problems.swap_remove(0));
    assert!(total > 5_000, "{total} steps were followed");
}

#[test]
fn sizes_of_nets() {
    for path in corpus() {
        let text = std::fs::read_to_string(&path).expect("the corpus is there");
        let name = path.file_name().expect("models have names").to_string_lossy().into_owned();
        let Ok(model) = model_with(&text, Granularity::Statement, Channels::Unbounded) else {
            continue;
        };
        let start = std::time::Instant::now();
        match model.system().program_mut().net() {
            Ok(net) => {
                let built = start.elapsed();
                let most = most(&net, &model, "");
                eprintln!(
                    "{name}: {} spots {} arcs {} counters {built:?} most {most:?} {:?}",
                    net.spots.len(),
                    net.arcs.len(),
                    net.counters.len(),
                    start.elapsed()
                )
            }
            Err(why) => eprintln!("{name}: {why}"),
        }
    }
}

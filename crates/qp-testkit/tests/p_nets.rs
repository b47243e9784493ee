//! Nets of P programs: every run of a program is a run of its net, whatever is followed.

use std::path::{Path, PathBuf};

use qp_load::{Switches, load_files};
use qp_machines::{DetailId, Model};
use qp_testkit::p_nets::follow;
use qp_testkit::rng::Rng;

fn programs() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/p");
    let mut found = Vec::new();
    for folder in [corpus.clone(), corpus.join("features")] {
        let entries = std::fs::read_dir(folder).expect("the corpus is there");
        found.extend(entries.map(|entry| entry.expect("the corpus can be listed").path()));
    }
    found.retain(|path| path.extension().is_some_and(|it| it == "p"));
    found.sort();
    found
}

fn read(path: &Path, switches: &Switches) -> Option<Model> {
    let bytes = std::fs::read(path).expect("the corpus is there");
    let name = path.file_name().and_then(|it| it.to_str()).unwrap_or("program.p");
    load_files(name, &[qp_load::File { name: name.to_owned(), bytes }], switches).model
}

/// Nothing, everything, and some of what can be followed.
fn ways(model: &Model, rng: &mut Rng) -> Result<Vec<Vec<DetailId>>, String> {
    let all: Vec<DetailId> = model.system().program_mut().net(&[])?.details.ids().collect();
    let mut ways = vec![Vec::new()];
    if !all.is_empty() {
        ways.push(all.clone());
        for _ in 0..2 {
            ways.push(all.iter().copied().filter(|_| rng.percent(50)).collect());
        }
    }
    Ok(ways)
}

#[test]
fn runs_of_the_corpus_are_runs_of_nets() {
    let (mut problems, mut total, mut rng) = (Vec::new(), 0, Rng::new(5));
    for path in programs() {
        let Some(model) = read(&path, &Switches::default()) else { continue };
        let ways = match ways(&model, &mut rng) {
            Ok(ways) => ways,
            Err(why) => {
                problems.push(format!("{}: there is no net: {why}", path.display()));
                continue;
            }
        };
        for followed in ways {
            match follow(&model, &followed, (6, 120), 1) {
                Ok(steps) => total += steps,
                Err(problem) => {
                    problems.push(format!("{} {followed:?}: {problem}", path.display()));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    assert!(total > 10_000, "{total} steps were followed");
}

//! Capacities that are given to queues are like those that are declared.

use std::path::{Path, PathBuf};

use qp_load::{Channels, File, Switches};
use queueproof::{Loaded, Options, check, load_files};

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let mut found = Vec::new();
    for folder in [folder.clone(), folder.join("features")] {
        let entries = std::fs::read_dir(folder).expect("the corpus is there");
        let paths = entries.map(|entry| entry.expect("it can be listed").path());
        found.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "pml")));
    }
    found.sort();
    found
}

fn load(path: &Path, switches: &Switches) -> Option<Loaded> {
    let name = path.to_string_lossy().into_owned();
    let file = File { name: name.clone(), bytes: std::fs::read(path).expect("it can be read") };
    load_files(&name, &[file], switches).ok()
}

/// Verdicts, configurations and transitions; `None` if there are too many.
fn explored(loaded: &Loaded) -> Option<(Vec<String>, u64, u64)> {
    let options = Options {
        properties: vec!["assert".to_owned(), "deadlock".to_owned()],
        engines: vec!["explore".to_owned()],
        states_max: 20_000,
        bound_max: 64,
        exhaustive: true,
        jobs: 1,
        ..Options::default()
    };
    let report = check(loaded, &options, &options.budget()).report;
    let limits = ["states", "time", "memory"];
    if report.limits.hit.iter().any(|hit| limits.contains(&hit.as_str())) {
        return None;
    }
    let verdicts = report.properties.iter().map(|it| it.verdict.to_string()).collect();
    let detail = |wanted: &str| {
        let mut detail = report.engines[0].detail.iter();
        detail.find(|(name, _)| name == wanted).map_or(0, |(_, figure)| *figure)
    };
    // Channels that are created later keep their reading.
    let created = report.queues.len() > loaded.model.outline().queues.len();
    (!created).then(|| (verdicts, detail("states"), detail("transitions")))
}

#[test]
fn channels_that_are_given_what_they_declare_behave_as_declared() {
    let mut n_compared = 0;
    for path in models() {
        let unbounded = Switches { channels: Some(Channels::Unbounded), ..Switches::default() };
        let (Some(declared), Some(free)) =
            (load(&path, &Switches::default()), load(&path, &unbounded))
        else {
            continue;
        };
        let outline = free.model.outline();
        let room = |(queue, room): (&qp_machines::QueueId, &Option<u32>)| {
            Some((outline.queues[*queue].name.clone(), (*room)?))
        };
        let capacities: Vec<(String, u32)> = outline.declared.iter().filter_map(room).collect();
        let mut names: Vec<&str> = capacities.iter().map(|(name, _)| name.as_str()).collect();
        names.dedup();
        if capacities.is_empty() || names.len() < capacities.len() {
            continue;
        }
        let given = load(&path, &Switches { capacities, ..unbounded }).expect("they can have it");
        let (Some(expected), Some(found)) = (explored(&declared), explored(&given)) else {
            continue;
        };
        assert_eq!(found, expected, "{}", path.display());
        n_compared += 1;
    }
    assert!(n_compared > 60, "only {n_compared} models were compared");
}

//! Counts of states and verdicts, compared with SPIN's where it is installed.
//!
//! SPIN stores no states inside of atomic sequences, so those are left out of the count here as well.
//! `QP_PROMELA_MODELS` names a folder of models to compare as well. Those of the corpus are compared in
//! `qp-testkit`.

mod texts;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use qp_front_promela::NoFiles;
use qp_machines::{Config, Event, Model};
use qp_promela::{Granularity, Options};
use texts::TEXTS;

/// What a complete search finds.
#[derive(PartialEq, Eq, Debug)]
struct Found {
    stored: usize,
    /// Whether an assertion fails, or nothing can move where somebody should.
    errors: bool,
}

const STATEMENT: Options = Options {
    channels: qp_promela::Channels::Declared,
    granularity: Granularity::Statement,
    fair: false,
};

const VISIBLE: Options = Options { granularity: Granularity::Visible, ..STATEMENT };

fn model(path: &Path, options: Options) -> Model {
    let text = std::fs::read_to_string(path).expect("the model can be read");
    text_model(&path.to_string_lossy(), &text, options)
}

fn text_model(name: &str, text: &str, options: Options) -> Model {
    let reading =
        qp_front_promela::read(name, text, &NoFiles, &qp_front_promela::Options::default());
    let spec = reading.spec.unwrap_or_else(|| panic!("{name}: {:?}", reading.diagnostics));
    let (model, said) = qp_promela::model(spec, options);
    model.unwrap_or_else(|| panic!("{name}: {said:?}"))
}

fn explored(model: &Model) -> Found {
    let mut system = model.system();
    let first = system.initial();
    let mut seen = BTreeSet::from([first.clone()]);
    let mut todo = vec![first];
    let (mut stored, mut errors) = (BTreeSet::new(), false);
    while let Some(config) = todo.pop() {
        let inside =
            config.holder.is_some_and(|it| !system.outcomes(&config, it, false).is_empty());
        if !inside {
            stored.insert(Config { holder: None, ..config.clone() });
        }
        let outcomes = system.successors(&config);
        let rests = |config: &Config| {
            config.machines().all(|it| system.program().may_rest(it, config.local(it)))
        };
        errors |= outcomes.is_empty() && !rests(&config);
        for outcome in outcomes {
            if matches!(outcome.event, Event::Failed { .. }) {
                errors = true;
            } else if seen.insert(outcome.config.clone()) {
                todo.push(outcome.config);
            }
        }
    }
    Found { stored: stored.len(), errors }
}

#[test]
fn texts_give_the_counts_that_spin_gave() {
    for &(name, text, stored, errors) in TEXTS {
        let found = explored(&text_model(name, text, STATEMENT));
        assert_eq!(found, Found { stored, errors }, "{name}");
    }
}

/// Taking steps together that nobody notices leaves fewer states, and the same verdicts.
#[test]
fn visible_steps_find_the_same_errors() {
    let texts = TEXTS.iter().map(|&(name, text, ..)| {
        (name, text_model(name, text, STATEMENT), text_model(name, text, VISIBLE))
    });
    let mut n_fewer = 0;
    for (name, statement, visible) in texts {
        let (all, seen) = (explored(&statement), explored(&visible));
        assert_eq!(all.errors, seen.errors, "{name}");
        assert!(seen.stored <= all.stored, "{name}");
        n_fewer += usize::from(seen.stored < all.stored);
    }
    assert!(n_fewer > 10, "hardly anything was taken together: {n_fewer}");
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
        || Command::new(program).arg("-V").output().is_ok()
}

fn run(folder: &Path, program: &str, args: &[&str]) -> String {
    let output =
        Command::new(program).args(args).current_dir(folder).output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text + &String::from_utf8_lossy(&output.stderr)
}

fn spin(path: &Path, compiler: &str) -> Found {
    let name = path.file_stem().expect("models have names").to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).expect("the model can be read");
    spin_text(&name, &text, compiler)
}

fn spin_text(name: &str, text: &str, compiler: &str) -> Found {
    let name = name.replace(' ', "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("spin-{name}"));
    std::fs::create_dir_all(&folder).expect("there is room for files");
    std::fs::write(folder.join("model.pml"), text).expect("there is room for files");
    run(&folder, "spin", &["-o1", "-o2", "-o3", "-a", "model.pml"]);
    let flags = ["-w", "-DSAFETY", "-DNOCLAIM", "-DNOREDUCE", "-DNOFAIR", "-o", "pan", "pan.c"];
    let said = run(&folder, compiler, &flags);
    assert!(folder.join("pan").exists(), "{name}: {said}");
    let said = run(&folder, "./pan", &["-n", "-c0", "-m1000000"]);
    std::fs::remove_dir_all(&folder).expect("there is room for files");
    let count = said.lines().find_map(|line| line.trim().strip_suffix(" states, stored"));
    let stored = count.and_then(|count| count.trim().parse().ok());
    let stored = stored.unwrap_or_else(|| panic!("{name}: {said}"));
    assert!(said.contains("errors: "), "{name}: {said}");
    Found { stored, errors: !said.contains("errors: 0") }
}

#[test]
fn counts_equal_those_of_spin() {
    let Some(compiler) = ["tcc", "gcc", "cc"].into_iter().find(|it| has(it)) else { return };
    if !has("spin") {
        return;
    }
    let mut wrong = Vec::new();
    for &(name, text, stored, errors) in TEXTS {
        let (ours, theirs) = (Found { stored, errors }, spin_text(name, text, compiler));
        if ours != theirs {
            wrong.push(format!("{name}: {ours:?}, SPIN: {theirs:?}"));
        }
    }
    let folder = std::env::var_os("QP_PROMELA_MODELS").map(PathBuf::from);
    let entries = folder.into_iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|it| it == "pml")) {
        let (ours, theirs) = (explored(&model(path, STATEMENT)), spin(path, compiler));
        println!("{}: {ours:?}", path.display());
        if ours != theirs {
            wrong.push(format!("{}: {ours:?}, SPIN: {theirs:?}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

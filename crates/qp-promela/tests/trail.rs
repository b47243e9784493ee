//! Runs that SPIN replays on the unchanged model, where it is installed.
//!
//! `spin -t -p -k run.trail model.pml` must find every step possible, and end where the run ends: with as many
//! processes, the same values of global variables, and the same error. `QP_PROMELA_MODELS` names another folder
//! of models.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use qp_front_promela::{Included, Includes, Spec};
use qp_machines::{Act, Config, Event, MachineId, Outcome, System};
use qp_promela::{Follower, Granularity, Options, trail};

/// Files beside the model.
struct Beside;

impl Includes for Beside {
    fn open(&self, from: &str, name: &str) -> Option<Included> {
        let path = Path::new(from).parent()?.join(name);
        let text = String::from_utf8_lossy(&std::fs::read(&path).ok()?).into_owned();
        Some(Included { name: path.to_string_lossy().into_owned(), text })
    }
}

fn spec(path: &Path) -> Option<Spec> {
    let bytes = std::fs::read(path).expect("the model can be read");
    let text = String::from_utf8_lossy(&bytes);
    let read = qp_front_promela::Options::default();
    qp_front_promela::read(&path.to_string_lossy(), &text, &Beside, &read).spec
}

fn system(path: &Path, granularity: Granularity) -> Option<System> {
    let options = Options { granularity, ..Options::default() };
    Some(qp_promela::model(spec(path)?, options).0?.system())
}

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// A statement fails.
    Fails,
    /// Nothing can happen any more.
    Stuck,
    /// It was long enough.
    Open,
}

struct Run {
    outcomes: Vec<Outcome>,
    last: Config,
    end: End,
}

/// A run that chooses its steps with simple arithmetic from a seed.
fn wander(system: &mut System, mut seed: u64, steps: usize) -> Run {
    let mut last = system.initial();
    let mut outcomes = Vec::new();
    for _ in 0..steps {
        let mut possible = system.successors(&last);
        possible.retain(|it| !matches!(it.event, Event::GaveUp { .. }));
        if possible.is_empty() {
            return Run { outcomes, last, end: End::Stuck };
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let taken = possible.swap_remove((seed >> 33) as usize % possible.len());
        let fails = matches!(taken.event, Event::Failed { .. });
        last = taken.config.clone();
        outcomes.push(taken);
        if fails {
            return Run { outcomes, last, end: End::Fails };
        }
    }
    Run { outcomes, last, end: End::Open }
}

fn written(run: &Run) -> Option<String> {
    let turns: Vec<&[Act]> = run.outcomes.iter().map(|it| &*it.acts).collect();
    trail(&turns, None, None)
}

fn is_installed() -> bool {
    Command::new("spin").arg("-V").output().is_ok()
}

/// What SPIN says when it replays a trail.
fn replayed(path: &Path, trail: &str, name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("trail-{name}"));
    std::fs::create_dir_all(&folder).expect("there is room for files");
    std::fs::write(folder.join("run.trail"), trail).expect("there is room for files");
    let output = Command::new("spin")
        .args(["-t", "-p", "-k", "run.trail"])
        .arg(path.canonicalize().expect("the model is there"))
        .current_dir(&folder)
        .output()
        .expect("the program runs");
    std::fs::remove_dir_all(&folder).expect("there is room for files");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The global variables that have single numbers as values, as SPIN shows them.
fn values(said: &str) -> BTreeMap<&str, i64> {
    let end = said.find("#processes").unwrap_or(said.len());
    let lines = said[end..].lines().filter_map(|line| line.trim().split_once(" = "));
    lines.filter_map(|(name, value)| Some((name, value.parse().ok()?))).collect()
}

/// What is wrong with a replay.
fn fault(system: &System, run: &Run, said: &str) -> Option<String> {
    let bad = ["transition failed", "no matching", "invalid statement", "stop error", "(?)"];
    // A statement that fails without being an assertion is one that the simulator cannot execute; so it is
    // with the trails that SPIN's verifier writes.
    let is_last = said
        .trim_end()
        .rsplit("transition failed")
        .next()
        .is_some_and(|rest| rest.trim_start().starts_with("spin: trail ends after"));
    let fails_there = |it: &str| it == bad[0] && run.end == End::Fails && is_last;
    if let Some(bad) = bad.iter().find(|it| said.contains(**it) && !fails_there(it)) {
        return Some((*bad).to_owned());
    }
    // The simulator cuts bits in arrays, its verifier and the run here do not.
    if run.end == End::Fails || said.contains("truncated in assignment") {
        return None;
    }
    if said.contains("assertion violated") {
        return Some("an assertion fails".to_owned());
    }
    let count = said.lines().find_map(|line| line.strip_prefix("#processes: "));
    let count: usize = count.and_then(|it| it.trim().parse().ok()).unwrap_or(0);
    if count != run.last.locals.len() {
        return Some(format!("{count} processes, not {}", run.last.locals.len()));
    }
    let (values, store) = (values(said), system.store_text(run.last.store));
    let ours = store.split(' ').filter_map(|it| it.split_once('='));
    let differs = ours.filter_map(|(name, value)| {
        let theirs = *values.get(name)?;
        let ours: i64 = value.parse().ok()?;
        (ours != theirs).then(|| format!("{name} is {theirs}, not {ours}"))
    });
    differs.into_iter().next()
}

/// Whether the error is the one that SPIN reports.
fn has_error(run: &Run, said: &str) -> bool {
    run.end != End::Fails || said.contains("assertion violated")
}

/// Replays some runs of a model; what is wrong, and how many were replayed.
fn compare(path: &Path, granularity: Granularity) -> (Vec<String>, usize) {
    let Some(mut system) = system(path, granularity) else { return (Vec::new(), 0) };
    let (mut wrong, mut count) = (Vec::new(), 0);
    for seed in 0..4 {
        let run = wander(&mut system, seed, 40);
        let Some(text) = written(&run) else { continue };
        let name = path.file_stem().expect("models have names").to_string_lossy().into_owned();
        let said = replayed(path, &text, &format!("{name}-{granularity:?}-{seed}"));
        // SPIN is often built without the operator `X` of formulas.
        if said.contains("saw 'X'") {
            continue;
        }
        count += 1;
        if let Some(fault) = fault(&system, &run, &said) {
            wrong.push(format!("{} run {seed}, {:?}: {fault}\n{text}", path.display(), run.end));
        }
    }
    (wrong, count)
}

/// All models in a folder and in those inside of it.
fn models(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("there is such a folder") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            models(&path, paths);
        } else if path.extension().is_some_and(|it| it == "pml") {
            paths.push(path);
        }
    }
}

/// Models in which SPIN's simulator computes something otherwise than its verifier: `enabled`, `nfull` of a
/// rendezvous channel, `timeout` inside of a condition.
const SIMULATED_OTHERWISE: [&str; 3] =
    ["enabled_in_process", "rendezvous_lengths", "timeout_condition"];

fn is_simulated_otherwise(path: &Path) -> bool {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
    name.is_some_and(|name| SIMULATED_OTHERWISE.contains(&name.as_str()))
}

#[test]
fn runs_are_replayed_by_spin() {
    if !is_installed() {
        return;
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let folder = std::env::var_os("QP_PROMELA_MODELS").map_or(corpus, PathBuf::from);
    let (mut paths, mut all) = (Vec::new(), Vec::new());
    models(&folder, &mut paths);
    paths.retain(|path| !is_simulated_otherwise(path));
    paths.sort();
    for path in &paths {
        for granularity in [Granularity::Statement, Granularity::Visible] {
            let (wrong, count) = compare(path, granularity);
            println!("{}: {count} runs, {} wrong", path.display(), wrong.len());
            all.extend(wrong.into_iter().take(1));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// A small model in a file, for as long as `inside` takes.
fn with_model(name: &str, text: &str, inside: impl FnOnce(&Path)) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.pml"));
    std::fs::write(&path, text).expect("there is room for files");
    inside(&path);
    std::fs::remove_file(&path).expect("there is room for files");
}

/// Replays the first run of a small model that ends as expected.
fn check(name: &str, text: &str, end: End) {
    with_model(name, text, |path| {
        let mut system = system(path, Granularity::Visible).expect("the model can be run");
        let mut runs = (0..100).map(|seed| wander(&mut system, seed, 100));
        let run = runs.find(|run| run.end == end).expect("there is such a run");
        let trail = written(&run).expect("all statements have numbers");
        if is_installed() {
            let said = replayed(path, &trail, name);
            assert_eq!(fault(&system, &run, &said), None, "{trail}{said}");
            assert!(has_error(&run, &said), "{trail}{said}");
            let steps = trail.lines().count();
            assert!(said.contains(&format!("trail ends after {steps} steps")), "{trail}{said}");
        }
    });
}

#[test]
fn failing_assertions_fail_in_the_replay() {
    let text =
        "byte x; active [2] proctype p() { byte y; y = x; x = y + 1; assert(x == 2 || y == 0) }
        init { (_nr_pr == 3); x == 1; assert(false) }";
    check("fails", text, End::Fails);
}

/// The statement that fails is not one of the process that began.
#[test]
fn who_is_answered_may_fail_in_the_replay() {
    let text = "chan q = [0] of { byte }; byte x;
        active proctype p() { atomic { q!1; skip } }
        active proctype r() { atomic { x = 1; q?_; x = 2; assert(x == 1) } }";
    check("answered", text, End::Fails);
}

#[test]
fn deadlocks_are_reached_in_the_replay() {
    let text = "chan a = [0] of { byte }; chan b = [1] of { byte };
        proctype p() { byte y; a?y; b!y; b!y } init { atomic { run p(); run p() }; a!1; a!2 }";
    check("stuck", text, End::Stuck);
}

/// Formulas need no claim: SPIN runs the processes alone.
#[test]
fn lassos_come_back_in_the_replay() {
    let text = "byte x; active proctype p() { x = 5; do :: d_step { x = 1; x = 2 } od } ltl { <> (x == 7) }";
    with_model("lasso", text, |path| {
        let mut system = system(path, Granularity::Visible).expect("the model can be run");
        let run = wander(&mut system, 0, 3);
        assert_eq!(run.outcomes[1].config, run.last);
        let turns: Vec<&[Act]> = run.outcomes.iter().map(|it| &*it.acts).collect();
        let trail = trail(&turns, Some(2), None).expect("all statements have numbers");
        assert_eq!(trail, "1:0:0\n2:0:3\n-1:-1:-1\n3:0:3\n");
        if is_installed() {
            let said = replayed(path, &trail, "lasso");
            assert_eq!(fault(&system, &run, &said), None, "{said}");
            assert!(said.contains("START OF CYCLE"), "{said}");
        }
    });
}

#[test]
fn claims_go_along_in_the_replay() {
    let text = "byte x; active proctype p() { do :: x = 1 - x od }
        never { do :: x == 1 -> break :: else od; accept: do :: true od }";
    with_model("claim", text, |path| {
        let spec = spec(path).expect("the model is right");
        let claim = Follower { number: spec.claims[0].number, moves: vec![7, 5, 11] };
        let texts = spec.numbered(&spec.claims[0].body);
        assert_eq!([&*texts[&7], &texts[&5], &texts[&11]], ["else", "(x==1)", "1"]);
        let act = Act { machine: MachineId::new(0), event: Event::Internal, statement: Some(0) };
        let trail = trail(&[&[act], &[act], &[act]], None, Some(&claim));
        if is_installed() {
            let said = replayed(path, &trail.expect("all statements have numbers"), "claim");
            assert!(said.contains("starting claim 1"), "{said}");
            assert!(said.contains("trail ends after 6 steps") && said.contains("x = 1"), "{said}");
            assert!(!said.contains("failed") && !said.contains("error"), "{said}");
        }
    });
}

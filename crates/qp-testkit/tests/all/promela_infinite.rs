//! Formulas, progress and acceptance of Promela models, with and without fairness: random models, compared with SPIN
//! where it is installed.
//!
//! SPIN's search for fair runs does not count in three cases, which were looked at by hand: it does not end on some
//! models whatever the depth, it overlooks some runs that end, and it reports acceptance where a run has ended
//! after a process that was in an accepting state.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::Shape;
use qp_engines::{Engine, Explore, Task, TaskLimits};
use qp_front_promela::NoFiles;
use qp_machines::{Model, Property};
use qp_promela::{Channels, Granularity, Options};
use qp_testkit::judge::through_text;
use qp_testkit::rng::Rng;

/// What is asked of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Formula,
    Progress,
    Acceptance,
}

/// A random model: two or three processes that share two variables and a channel.
fn text(seed: u64, kind: Kind) -> String {
    let mut rng = Rng::new(seed);
    let mut text = "byte x, y;\nchan c = [1] of { byte };\n".to_owned();
    let label = match kind {
        Kind::Formula => "",
        Kind::Progress => "progress",
        Kind::Acceptance => "accept",
    };
    for process in 0..2 + rng.below(5) / 4 {
        let _ = writeln!(text, "active proctype P{process}() {{");
        if rng.percent(30) {
            let _ = writeln!(text, "  {};", statement(&mut rng));
        }
        text.push_str(if rng.percent(20) { "  if\n" } else { "  do\n" });
        let ends = if text.ends_with("if\n") { "fi" } else { "od" };
        for option in 0..=rng.below(3) {
            let mark = !label.is_empty() && rng.percent(25);
            let mark = if mark { format!("{label}{option}: ") } else { String::new() };
            let (guard, effect) = (guard(&mut rng), statement(&mut rng));
            let effect = match rng.below(8) {
                0 => format!("atomic {{ {effect}; {} }}", statement(&mut rng)),
                1 => format!("{effect}; {}", statement(&mut rng)),
                _ => effect.to_owned(),
            };
            let _ = writeln!(text, "  :: {guard} -> {mark}{effect}");
        }
        let _ = writeln!(text, "  {ends}\n}}");
    }
    if kind == Kind::Formula {
        let (a, b) = (condition(&mut rng), condition(&mut rng));
        let formula = match rng.below(8) {
            0 => format!("[] <> ({a})"),
            1 => format!("<> [] ({a})"),
            2 => format!("[] (({a}) -> <> ({b}))"),
            3 => format!("({a}) U ({b})"),
            4 => format!("<> ({a})"),
            5 => format!("[] ({a})"),
            6 => format!("([] <> ({a})) -> ([] <> ({b}))"),
            _ => format!("[] (({a}) -> (({a}) U ({b})))"),
        };
        let _ = writeln!(text, "ltl f {{ {formula} }}");
    }
    text
}

fn statement(rng: &mut Rng) -> &'static str {
    let all = ["x = (x + 1) % 3", "y = 1 - y", "x = 0", "skip", "c!x", "c?x", "y = x % 2", "c!1"];
    all[rng.below(all.len())]
}

fn guard(rng: &mut Rng) -> &'static str {
    let all = [
        "x == 0",
        "x == 1",
        "x != 2",
        "y == 0",
        "y == 1",
        "true",
        "nempty(c)",
        "empty(c)",
        "timeout",
    ];
    all[rng.below(all.len())]
}

fn condition(rng: &mut Rng) -> &'static str {
    let all = ["x == 0", "x == 1", "x == 2", "y == 0", "y == 1", "len(c) == 0", "x == y"];
    all[rng.below(all.len())]
}

fn model(text: &str, fair: bool) -> Model {
    let reading =
        qp_front_promela::read("m.pml", text, &NoFiles, &qp_front_promela::Options::default());
    let spec = reading.spec.unwrap_or_else(|| panic!("{text}\n{:?}", reading.diagnostics));
    let channels = Channels::Declared;
    let options = Options { channels, granularity: Granularity::Visible, fair };
    let (model, said) = qp_promela::model(spec, options);
    model.unwrap_or_else(|| panic!("{text}\n{said:?}"))
}

/// Whether the property is violated, and by a run that ends, as the referee says; `None` if it is not known.
fn is_violated(model: &Model, property: Property) -> Option<(bool, bool)> {
    let limits = TaskLimits {
        bound_first: 4,
        bound_max: 4,
        small_max: 10_000,
        evidence_max: 10_000,
        ..TaskLimits::default()
    };
    let (model, properties) = (model.clone(), vec![property]);
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    let answers = Explore.run(task, &Budget::states(20_000));
    let claim = through_text(&answers.claims[0].claim).expect("it can be written");
    let verdict = Referee::new(&model, 10_000).check(property, &claim).expect("it stands up");
    match verdict.ruling() {
        Ruling::Proved(_) => Some((false, false)),
        Ruling::Violated { trace, .. } => {
            let steps = trace.steps.len();
            Some((true, trace.shape == Shape::Lasso { from: steps }))
        }
        Ruling::Searched { .. } | Ruling::Unknown(_) => None,
    }
}

/// Whether SPIN finds a violation; `None` if its answer does not count.
fn spin(text: &str, kind: Kind, fair: bool, folder: &Path) -> Option<bool> {
    std::fs::write(folder.join("m.pml"), text).expect("there is room");
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(folder).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    run("spin", &["-a", "m.pml"]);
    let np = if kind == Kind::Progress { "-DNP" } else { "-DNOTHING" };
    // The small compiler is much quicker, where there is one.
    let compiler = if Command::new("tcc").arg("-v").output().is_ok() { "tcc" } else { "gcc" };
    run(compiler, &["-w", "-DNOREDUCE", np, "-o", "pan", "pan.c"]);
    let cycles = if kind == Kind::Progress { "-l" } else { "-a" };
    let arguments = ["-n", cycles, "-f"];
    let said = run("./pan", if fair { &arguments } else { &arguments[..2] });
    let errors = said.split("errors: ").nth(1).unwrap_or_else(|| panic!("{text}\n{said}"));
    let errors = errors.split_whitespace().next().expect("a number follows");
    let counts =
        !(said.contains("max search depth too small") || fair && said.contains("accept stutter"));
    counts.then_some(errors != "0")
}

/// How many random models of each kind: `QP_PROMELA_INFINITE` asks for more.
fn n_models() -> u64 {
    std::env::var("QP_PROMELA_INFINITE").ok().and_then(|n| n.parse().ok()).unwrap_or(12)
}

#[test]
fn random_models_get_the_answers_of_spin() {
    if Command::new("spin").arg("-V").output().is_err() {
        println!("SPIN is not installed: nothing was compared");
        return;
    }
    let folder: PathBuf = std::env::temp_dir().join(format!("qp-infinite-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room");
    let (mut yes, mut no, mut differ) = (0, 0, Vec::new());
    for kind in [Kind::Formula, Kind::Progress, Kind::Acceptance] {
        for (seed, fair) in (0..n_models()).flat_map(|seed| [(seed, false), (seed, true)]) {
            let text = text(seed, kind);
            let model = model(&text, fair);
            let property = match kind {
                Kind::Formula => Property::Ltl(0),
                Kind::Progress => Property::Livelock,
                Kind::Acceptance => Property::Accept,
            };
            if property.is_void(model.outline()) {
                continue;
            }
            let ours = is_violated(&model, property);
            let Some(theirs) = spin(&text, kind, fair, &folder) else { continue };
            if fair && ours == Some((true, true)) {
                continue;
            }
            let ours = ours.map(|(violated, _)| violated);
            *if theirs { &mut yes } else { &mut no } += 1;
            if ours != Some(theirs) {
                differ
                    .push(format!("{kind:?} {seed} fair {fair}: {ours:?}, SPIN {theirs}\n{text}"));
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{yes} violated, {no} not");
    assert!(differ.is_empty(), "{} of {}:\n{}", differ.len(), yes + no, differ.join("\n"));
    assert!(yes > 10 && no > 10, "{yes} {no}");
}

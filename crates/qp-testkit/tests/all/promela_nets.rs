//! Nets of models: every run of a model is a run of its net.
//!
//! `QP_PROMELA_SEEDS=from..to` asks for other random models than the usual ones.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{Case, Claim, Proof};
use qp_engines::{Engine, Flow, Task, TaskLimits};
use qp_machines::{DetailId, Net, Property};
use qp_promela::{Channels, Granularity};
use qp_testkit::promela::make::{Wanted, model};
use qp_testkit::promela::nets::{Loops, follow, follow_loops, most};
use qp_testkit::promela::ours::model_with;
use qp_testkit::rng::Rng;

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
                    problems.push(format!("{} {channels:?}: {problem}", path.display()));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(total > 10_000, "{total} steps were followed");
}

fn seeds() -> std::ops::Range<u64> {
    let seeds = std::env::var("QP_PROMELA_SEEDS").ok();
    let seeds = seeds.as_deref().map_or(Some(0..100), |it| {
        let (from, to) = it.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    seeds.expect("QP_PROMELA_SEEDS is like 0..1000")
}

#[test]
fn runs_of_random_models_are_runs_of_nets() {
    let (mut problems, mut total) = (Vec::new(), 0);
    for seed in seeds() {
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

fn named(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    std::fs::read_to_string(root.join(name)).expect("the corpus is there")
}

/// The net of a model whose channels are never full, and how many messages it allows at once.
fn measured(text: &str) -> (Net, Option<i64>) {
    let model = model_with(text, Granularity::Visible, Channels::Unbounded);
    let model = model.expect("the model is right");
    let coarse = model.system().program_mut().net(&[]).expect("the model has a net");
    let all: Vec<DetailId> = coarse.details.ids().collect();
    let net = model.system().program_mut().net(&all).expect("the model has a net");
    let most = most(&net, &model, "");
    (net, most)
}

#[test]
fn a_ring_has_a_net_that_grows_with_it() {
    let text = named("leader_5.pml");
    let sizes = [10, 20, 30, 40, 50].map(|n: usize| {
        let (net, most) = measured(&text.replace("#define N 5", &format!("#define N {n}")));
        assert_eq!(most, i64::try_from(n).ok());
        assert_eq!(net.counters.len(), 3 * n);
        net.spots.len()
    });
    assert!(sizes.windows(2).all(|it| it[1] - it[0] == sizes[1] - sizes[0]), "{sizes:?}");
}

#[test]
fn messages_of_a_cache_are_limited() {
    let (net, most) = measured(&named("snoopy_cache.pml"));
    assert_eq!((net.spots.len(), net.arcs.len(), net.counters.len()), (295, 386, 30));
    assert_eq!(most, Some(2));
}

#[test]
fn cards_are_read_without_limit() {
    let (net, most) = measured(&named("conway.pml"));
    assert_eq!((net.spots.len(), net.arcs.len(), net.counters.len()), (67, 90, 14));
    assert_eq!(most, None);
}

/// Without its shared variables nothing is known about who asks whom.
#[test]
fn a_token_is_asked_for_by_few_at_once() {
    let text = named("neilsen_mizuno.pml");
    assert_eq!(measured(&text).1, Some(4));
    let model = model_with(&text, Granularity::Visible, Channels::Unbounded).expect("it is right");
    let coarse = model.system().program_mut().net(&[]).expect("the model has a net");
    assert_eq!(most(&coarse, &model, ""), None);
}

/// Facts about numbers hold at every moment, however often they wrap.
#[test]
fn numbers_keep_within_their_limits() {
    for text in [
        "byte s = 2; active [3] proctype P() { do :: atomic { s > 0 -> s-- }; s++ od }",
        "byte s; active [2] proctype P() { do :: s++ :: atomic { s > 0 -> s-- } od }",
        "short n; active [2] proctype P() { do :: d_step { n < 90 -> n = n + 4 } :: n = 3 od }",
        "byte n = 7; active proctype P() { do :: n < 200 -> n = n + 50 :: n > 20 -> n = n - 3 od }",
        "active proctype P() { byte i, k; do :: i < 150 -> i++ :: i > 9 -> i = k; k = 1 - k od }",
        "active proctype P() { byte i; do :: i < 255 -> i++ :: i == 255 -> i = i + 2 od }",
        "byte n; active [2] proctype P() { do :: atomic { n < 250 -> n++; n < 251 -> n++ } od }",
        "byte n; active [3] proctype P() { do :: n < 100 -> n = n + 100 od }",
        "byte n; chan q = [1] of { bit };
         active [3] proctype P() { do :: atomic { n < 100 -> q?0; n = n + 100 } od }
         active proctype S() { do :: q!0 od }",
        "byte n; chan q = [0] of { bit }; active proctype R() { do :: q?0; n = 0 od }
         active proctype P() { do :: atomic { n < 100 -> q!0; n = n + 100 } od }",
    ] {
        for channels in READINGS {
            let model = model_with(text, Granularity::Statement, channels).expect("it is right");
            let steps = follow(&model, 9, 500, 3).unwrap_or_else(|it| panic!("{it}: {text}"));
            assert!(steps > 20, "{steps} steps of {text}");
        }
    }
}

/// Who holds the channel of a process that has ended may hold that of a new one.
#[test]
fn a_new_channel_may_have_the_number_of_an_old_one() {
    let text = "chan back = [4] of { chan }; chan done = [0] of { bit };
        proctype Old() { chan c = [2] of { byte }; back!c; done!0 }
        proctype New() { chan d = [2] of { byte }; done!0; d?7 }
        init { chan x; run Old(); done?0; back?x; run New(); done?0; x!7 }";
    for channels in READINGS {
        let model = model_with(text, Granularity::Statement, channels).expect("it is right");
        assert!(follow(&model, 200, 30, 5).expect("the net has all runs") > 1_000);
    }
}

#[test]
fn arguments_that_are_forgotten_do_not_decide() {
    let text = "chan q = [4] of { byte }; byte g;
        proctype P(byte n) { byte me = n; if :: me == 1 -> q!1 :: else -> skip fi }
        init { byte i; do :: i < 200 -> run P(i % 3); i++; _nr_pr < 4 od }";
    let model = model_with(text, Granularity::Statement, Channels::Declared).expect("it is right");
    assert!(follow(&model, 50, 100, 5).expect("the net has all runs") > 1_000);
}

fn add(total: &mut Loops, loops: Loops) {
    total.found += loops.found;
    total.telling += loops.telling;
}

#[test]
fn dependencies_hold_on_loops_of_the_corpus() {
    let mut total = Loops::default();
    for path in corpus() {
        let text = std::fs::read_to_string(&path).expect("the corpus is there");
        let model = model_with(&text, Granularity::Statement, Channels::Declared);
        let Ok(model) = model else { continue };
        let loops = follow_loops(&model, 4, 120, 1);
        add(&mut total, loops.unwrap_or_else(|it| panic!("{}: {it}", path.display())));
    }
    assert!(total.telling > 20, "{total:?}");
}

/// Two processes that wait for what the other one leaves in variables and in a channel.
fn waiting(seed: u64) -> String {
    const GUARDS: [&str; 12] = [
        "x == 0",
        "x > 1 && y < 2",
        "!a[0]",
        "a[1 - _pid] == 2",
        "y != 1",
        "empty(c)",
        "len(c) == 0 && x < 2",
        "n == 0",
        "n < 2 || x == 1",
        "a[n % 2] == 0",
        "c?[_]",
        "true",
    ];
    const STATEMENTS: [&str; 16] = [
        "x = 0",
        "x = 1",
        "x = 258",
        "x++",
        "x = y",
        "y = 1 - y",
        "y = 0",
        "a[_pid] = 2",
        "a[n % 2] = 0",
        "c!1",
        "c!y",
        "c?x",
        "c?a[y]",
        "n = 0",
        "n = 1",
        "int k = 1; k == 1; k = 0",
    ];
    let mut rng = Rng::new(seed);
    let mut text = "byte x, y; byte a[3]; chan c = [2] of { byte };\n".to_owned();
    for process in 0..2 {
        let _ = writeln!(text, "active proctype P{process}() {{ byte n; do");
        for _ in 0..2 + rng.below(3) {
            let (guard, one) = (GUARDS[rng.below(12)], STATEMENTS[rng.below(16)]);
            let other = STATEMENTS[rng.below(16)];
            let option = match rng.below(3) {
                0 => format!("{guard}; {one}; {other}"),
                1 => format!("atomic {{ {guard}; {one}; {other} }}"),
                _ => format!("{one}; {guard}; {other}"),
            };
            let _ = writeln!(text, "  :: {option}");
        }
        text += "od }\n";
    }
    text
}

#[test]
fn dependencies_hold_on_loops_of_random_models() {
    let mut total = Loops::default();
    for seed in seeds() {
        for text in [model(seed, Wanted::Progress), waiting(seed)] {
            let model = model_with(&text, Granularity::Statement, Channels::Declared);
            let Ok(model) = model else { continue };
            let loops = follow_loops(&model, 3, 150, seed);
            add(&mut total, loops.unwrap_or_else(|it| panic!("{seed}: {it}\n{text}")));
        }
    }
    assert!(total.telling > 200, "{total:?}");
}

/// What is waited for has too many values to be followed, and must come again and again.
#[test]
fn a_dependency_proves_that_there_is_no_livelock() {
    let text = "int g;
        active proctype P() { do :: g == 0; g = 1 od }
        active proctype R() { int n; do :: g != 0; progress: g = n; n++ od }";
    let cases = livelock(text).expect("it is proved");
    assert!(cases.iter().any(|it| matches!(it, Case::Depends { .. })), "{cases:?}");
    assert_eq!(livelock(&text.replace("g == 0;", "g != 7;")), None);
}

/// The reasons why a model has no livelock, if counting tells and the referee agrees.
fn livelock(text: &str) -> Option<Vec<Case>> {
    let model = model_with(text, Granularity::Visible, Channels::Declared).expect("it is right");
    let limits = TaskLimits {
        bound_max: 4,
        queues: true,
        small_max: 10_000,
        evidence_max: 10_000,
        ..TaskLimits::default()
    };
    let properties = vec![Property::Livelock];
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    let answers = Flow.run(task, &Budget::states(10_000));
    let claim = &answers.claims.first()?.claim;
    let Claim::Holds(Proof::Flow(flow)) = claim else { return None };
    let verdict =
        Referee::new(&model, 10_000).check(Property::Livelock, claim).expect("it is right");
    assert!(matches!(verdict.ruling(), Ruling::Proved(_)));
    Some(flow.cases.clone())
}

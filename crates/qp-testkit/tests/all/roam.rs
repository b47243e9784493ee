//! Random runs: what they find, what they leave to others, and what they never say.

use std::fmt::Write;

use qp_base::Budget;
use qp_claim::{Claim, Reason};
use qp_engines::{Engine, Lists, Roam, Task, TaskLimits, Walks};
use qp_machines::Property;
use qp_testkit::corpus::timeless_json;
use qp_testkit::schedules::{planted, schedules_until_found};
use queueproof::{Checked, Loaded, Options, Strategy, VerdictWord, check, load};

/// A sends `n` messages, and B fails at the last one, beside machines that go round in circles.
fn deep(n: usize, n_idlers: usize) -> String {
    let mut text = "machine A { init S0:".to_owned();
    for i in 1..=n {
        let _ = write!(text, " send B tick -> S{i} S{i}:");
    }
    text.push_str(" }\nmachine B { init S0:");
    for i in 1..n {
        let _ = write!(text, " recv tick -> S{i} S{i}:");
    }
    text.push_str(" recv tick -> fail \"too many\" }\n");
    for idler in 0..n_idlers {
        let _ = writeln!(
            text,
            "machine Idler{idler} {{ init S0: internal -> S1 S1: internal -> S2 \
             S2: internal -> S3 S3: internal -> S0 }}"
        );
    }
    text
}

fn model(text: &str) -> Loaded {
    load("m.cfsm", text.as_bytes()).expect("it is a model")
}

fn options(engines: &[&str]) -> Options {
    Options {
        properties: ["assert", "deadlock"].map(str::to_owned).to_vec(),
        engines: engines.iter().map(|&name| name.to_owned()).collect(),
        time: None,
        states_max: 20_000,
        walks: Walks { steps_max: 20_000, ..Walks::NONE },
        lists: Lists::default(),
        jobs: 2,
        ..Options::default()
    }
}

fn run(text: &str, engines: &[&str]) -> Checked {
    let options = options(engines);
    let checked = check(&model(text), &options, &options.budget());
    assert!(checked.errors.is_empty(), "{:?}", checked.errors);
    checked
}

/// Verdict, engine and length of the run of a property.
fn answer(checked: &Checked, id: &str) -> (VerdictWord, Option<String>, Option<usize>) {
    let found = checked.report.properties.iter().find(|property| property.id == id);
    let property = found.expect("it was asked");
    let length = property.trace.as_ref().map(|trace| trace.choices.len());
    (property.verdict, property.engine.clone(), length)
}

fn engines(checked: &Checked) -> Vec<&str> {
    checked.report.engines.iter().map(|engine| engine.name.as_str()).collect()
}

#[test]
fn finds_what_lies_too_deep_for_the_search_and_leaves_out_what_is_not_needed() {
    let text = deep(40, 8);
    let explore = run(&text, &["explore"]);
    assert_eq!(answer(&explore, "assert").0, VerdictWord::Unknown);
    let both = run(&text, &[]);
    let all = ["explore", "flow", "converge", "regular", "progress", "exchange", "sorts", "roam"];
    assert_eq!(engines(&both), all);
    // While a deadlock is looked for, too, there is time for a short run.
    let both = run(&text, &["explore", "roam"]);
    // Forty sends, forty receives and the failure, and nothing of the idlers.
    let roam = Some("roam".to_owned());
    assert_eq!(answer(&both, "assert"), (VerdictWord::Violated, roam, Some(81)));
}

#[test]
fn where_nothing_is_found_the_reason_is_that_of_the_search() {
    let text = deep(40, 8);
    let (explore, both) = (run(&text, &["explore"]), run(&text, &["explore", "roam"]));
    let deadlock = |checked: &Checked| {
        let found = checked.report.properties.iter().find(|property| property.id == "deadlock");
        let property = found.expect("it was asked").clone();
        (property.verdict, property.engine, property.reason, property.code, property.explored)
    };
    assert_eq!(deadlock(&both), deadlock(&explore));
    assert_eq!(both.report.limits.hit, explore.report.limits.hit);
}

#[test]
fn each_strategy_finds_the_planted_mistakes() {
    let planted = planted();
    assert_eq!(planted.len(), 10);
    for (name, loaded, property) in &planted {
        let found = Strategy::ALL.map(|strategy| {
            schedules_until_found((loaded, property.as_str()), strategy, 1, 400).is_some()
        });
        assert!(found.contains(&true), "{name}");
        let hard = ["starved", "token"].iter().any(|hard| name.contains(hard));
        assert!(hard || found == [true; 3], "{name}: {found:?}");
    }
}

#[test]
fn a_seed_a_strategy_and_a_number_of_schedules_are_kept_to() {
    let model = model(&deep(40, 8));
    let figures = |seed, strategy, schedules_max| {
        let walks = Walks { steps_max: u64::MAX, schedules_max, seed, strategy };
        let options = Options {
            properties: vec!["deadlock".to_owned()],
            engines: vec!["roam".to_owned()],
            walks,
            ..options(&[])
        };
        let report = check(&model, &options, &options.budget()).report;
        let coverage = report.coverage.clone().expect("it is unknown");
        let figure = |name| report.figures(name).next();
        assert_eq!(figure("runs"), Some(coverage.schedules));
        (coverage.schedules, coverage.steps, coverage.seed, coverage.strategies)
    };
    for strategy in Strategy::ALL {
        let (schedules, _, seed, names) = figures(7, Some(strategy), Some(20));
        assert_eq!((schedules, seed, names), (20, 7, vec![strategy.name().to_owned()]));
    }
    assert_eq!(figures(3, None, Some(30)), figures(3, None, Some(30)));
    assert_eq!(figures(3, None, Some(0)).0, 0);
}

#[test]
fn what_was_not_come_to_is_listed() {
    // B waits for more than is ever sent, beside machines that make the search long.
    let text = deep(40, 8).replace("recv tick -> fail", "recv tock -> fail");
    let report = run(&text, &["explore", "roam"]).report;
    let coverage = report.coverage.expect("something is unknown");
    assert!(coverage.configurations > 10_000 && coverage.schedules > 0);
    let unseen = coverage.unexercised.iter().map(|it| (it.machine.as_str(), it.kind.as_str()));
    assert_eq!(unseen.collect::<Vec<_>>(), [("B", "state")], "what lies behind `recv tock`");
    assert!(run(&deep(5, 1), &[]).report.coverage.is_none(), "where nothing is unknown");
}

#[test]
fn draws_the_same_runs_every_time_and_with_any_number_of_threads() {
    let model = model(&deep(40, 8));
    let report = |jobs| {
        let options = Options { jobs, ..options(&[]) };
        timeless_json(&check(&model, &options, &options.budget()).report)
    };
    let first = report(1);
    assert_eq!(report(1), first);
    assert_eq!(report(2), first);
}

#[test]
fn does_not_begin_where_the_search_gets_through() {
    let small = run(&deep(5, 1), &[]);
    assert_eq!(engines(&small), ["explore"]);
    let explore = Some("explore".to_owned());
    assert_eq!(answer(&small, "assert"), (VerdictWord::Violated, explore, Some(11)));
    // The queue grows without end, so the search meets its bound, but soon.
    let growing = run("machine A { init S: send B m -> S } machine B { init S: }", &[]);
    assert_eq!(engines(&growing), ["explore", "flow", "converge"]);
}

#[test]
fn alone_it_does_not_wait() {
    let roam = Some("roam".to_owned());
    let alone = run(&deep(5, 1), &["roam"]);
    assert_eq!(engines(&alone), ["roam"]);
    assert_eq!(answer(&alone, "assert"), (VerdictWord::Violated, roam, Some(11)));
}

#[test]
fn says_nothing_about_what_no_run_can_show() {
    let limits = TaskLimits {
        bound_max: 1,
        queues: true,
        small_max: 0,
        evidence_max: 1_000,
        walks: Walks { steps_max: 1_000, ..Walks::NONE },
        ..TaskLimits::default()
    };
    let properties = [Property::Stuck, Property::Orphan, Property::Bounded, Property::Deadlock];
    let model = model("machine A { init S: send B m -> S } machine B { init S: }").model;
    let task = Task { model, properties: properties.to_vec(), invariants: Vec::new(), limits };
    let answers = Roam.run(task, &Budget::states(u64::MAX));
    let reasons = answers.claims.iter().map(|answer| match &answer.claim {
        Claim::GaveUp(reason) => matches!(reason, Reason::NotThisProperty),
        claim => panic!("{claim:?}"),
    });
    assert_eq!(reasons.collect::<Vec<bool>>(), [true, true, true, false]);
    assert!(answers.queues.is_empty());
    assert_eq!(answers.spent, None);
}

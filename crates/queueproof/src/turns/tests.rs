use std::sync::{Arc, Mutex};

use qp_base::Exhausted;
use qp_claim::{ClosedSet, Proof, Trace};
use qp_engines::{Answer, Answers, Figures, Lists, QueueAnswer, Task};
use qp_machines::QueueId;

use super::slices::{both, ended_early};
use super::*;
use crate::load;
use crate::options::LOOK_STATES_MAX;

/// Says what it is told to say, and remembers what it was asked.
struct Fake {
    name: &'static str,
    turn: Turn,
    /// The claim about a property, given how many configurations may be visited.
    says: fn(Property, u64) -> Claim,
    calls: Mutex<Vec<(Vec<Property>, u64)>>,
}

impl Fake {
    fn new(name: &'static str, turn: Turn, says: fn(Property, u64) -> Claim) -> Self {
        Self { name, turn, says, calls: Mutex::new(Vec::new()) }
    }

    fn calls(&self) -> Vec<(Vec<Property>, u64)> {
        self.calls.lock().unwrap().clone()
    }
}

impl Engine for Fake {
    fn name(&self) -> &'static str {
        self.name
    }
    fn summary(&self) -> &'static str {
        "says what it is told to say"
    }
    fn turn(&self) -> Turn {
        self.turn
    }
    fn run(&self, task: Task, budget: &Budget) -> Answers {
        let states_max = budget.limits().states_max;
        self.calls.lock().unwrap().push((task.properties.clone(), states_max));
        let says = |property| (self.says)(property, states_max);
        let claims = task.properties.iter().map(|&property| Answer {
            property,
            claim: says(property),
            figures: Figures::default(),
        });
        let claims: Vec<Answer> = claims.collect();
        let cut = |a: &Answer| matches!(a.claim, Claim::GaveUp(Reason::Budget { .. }));
        let spent = claims.iter().any(cut).then_some(Exhausted::States);
        let queue = QueueAnswer {
            queue: QueueId::new(0),
            longest: 1,
            bound: 1,
            met: Vec::new(),
            claim: claims.first().map_or_else(holds, |answer| answer.claim.clone()),
        };
        Answers { claims, queues: vec![queue], spent, ..Answers::default() }
    }
}

fn holds() -> Claim {
    Claim::Holds(Proof::Closed(Arc::new(ClosedSet::default())))
}

fn out_of_states() -> Claim {
    Claim::GaveUp(Reason::Budget { exhausted: Exhausted::States, bound: 3, suspect: None })
}

fn bound_reached() -> Claim {
    Claim::GaveUp(Reason::BoundReached { bound: 8, queues: Vec::new() })
}

fn in_the_way() -> Claim {
    let situation = Arc::new(ClosedSet::default());
    Claim::GaveUp(Reason::InTheWay { prefix: 0, counted: 0, situation })
}

const A: Property = Property::Unhandled;
const B: Property = Property::Deadlock;
/// How many configurations a first glance may visit, and in the end everybody.
const GLANCE: u64 = 50_000;
const FULL: u64 = 20_000_000;

const TEXT: &str = "machine A { init S: recv m -> T  T: }  machine B { init S: send A m -> T  T: }";

/// The names of the engines that count, in order, and the limits that were met.
fn run(engines: &[&dyn Engine], options: &Options) -> Vec<(&'static str, Option<Exhausted>)> {
    let loaded = load("m.cfsm", TEXT.as_bytes()).expect("it is a model");
    let (facts, budget) = (Facts::default(), options.budget());
    let Ran { runs, errors } =
        run_engines(engines, &loaded, options, &budget, &[A, B], &facts, &mut |_| {});
    assert!(errors.is_empty());
    runs.iter().map(|run| (run.name, run.answers.as_ref().and_then(|it| it.spent))).collect()
}

#[test]
fn a_first_look_that_answers_everything_is_all() {
    let explore = Fake::new("explore", Turn::First, |_, _| holds());
    let converge = Fake::new("converge", Turn::Second, |_, _| holds());
    let roam = Fake::new("roam", Turn::Last, |_, _| bound_reached());
    let ran = run(&[&explore, &converge, &roam], &Options::default());
    assert_eq!(ran, [("explore", None)]);
    assert_eq!(explore.calls(), [(vec![A, B], GLANCE)]);
    assert!(converge.calls().is_empty() && roam.calls().is_empty());
}

#[test]
fn proofs_are_tried_for_what_is_open_and_then_the_first_look_was_enough() {
    let explore = Fake::new("explore", Turn::First, |property, _| match property {
        A => Claim::Violated(Trace::finite(Vec::new())),
        _ => out_of_states(),
    });
    let converge = Fake::new("converge", Turn::Second, |_, _| holds());
    let roam = Fake::new("roam", Turn::Last, |_, _| bound_reached());
    let ran = run(&[&explore, &converge, &roam], &Options::default());
    let all = [("explore", None), ("converge", None), ("roam", None)];
    assert_eq!(ran, all, "no limit of the user was met");
    assert_eq!(explore.calls(), [(vec![A, B], GLANCE), (vec![A, B], LOOK_STATES_MAX)]);
    assert_eq!(converge.calls(), [(vec![B], FULL)]);
    assert_eq!(roam.calls(), [(vec![B], FULL)], "it says that there is nothing left to find");
}

#[test]
fn what_is_open_after_both_is_searched_with_all_limits() {
    let explore = Fake::new("explore", Turn::First, |_, _| out_of_states());
    let converge = Fake::new("converge", Turn::Second, |property, _| match property {
        A => in_the_way(),
        _ => holds(),
    });
    let roam = Fake::new("roam", Turn::Last, |_, _| bound_reached());
    let ran = run(&[&explore, &converge, &roam], &Options::default());
    let states = Some(Exhausted::States);
    assert_eq!(ran, [("explore", states), ("converge", None), ("roam", None)]);
    let calls = explore.calls();
    assert_eq!(calls[..2], [(vec![A, B], GLANCE), (vec![A, B], LOOK_STATES_MAX)]);
    assert_eq!(calls[2], (vec![A], 2 * LOOK_STATES_MAX), "each slice is as large as all before");
    assert_eq!(*calls.last().expect("it was asked"), (vec![A], FULL));
    assert_eq!(roam.calls(), [(vec![A, B], FULL)], "it says that there is nothing left to find");
}

#[test]
fn random_runs_go_on_slice_by_slice_while_something_is_open() {
    let explore = Fake::new("explore", Turn::First, |_, _| out_of_states());
    let converge = Fake::new("converge", Turn::Second, |_, _| in_the_way());
    let roam = Fake::new("roam", Turn::Last, |_, _| out_of_states());
    run(&[&explore, &converge, &roam], &Options::default());
    // One before the search goes on, one beside each of its slices, and one in the end.
    assert_eq!(roam.calls().len(), explore.calls().len() + 1);
    let none = Options { walks: crate::Walks::NONE, ..Options::default() };
    run(&[&explore, &converge, &roam], &none);
    assert_eq!(roam.calls().len(), explore.calls().len() / 2 + 1, "no steps, no runs");
}

#[test]
fn what_random_runs_find_is_told_at_once_and_asked_of_nobody_else() {
    let explore = Fake::new("explore", Turn::First, |_, _| out_of_states());
    let converge = Fake::new("converge", Turn::Second, |_, _| in_the_way());
    let roam = Fake::new("roam", Turn::Last, |property, _| match property {
        A => Claim::Violated(Trace::finite(Vec::new())),
        _ => bound_reached(),
    });
    let mut told = Vec::new();
    let loaded = load("m.cfsm", TEXT.as_bytes()).expect("it is a model");
    let (options, facts) = (Options::default(), Facts::default());
    let engines: [&dyn Engine; 3] = [&explore, &converge, &roam];
    let mut known = |runs: &[EngineRun]| {
        let found = runs.iter().filter(|run| run.answers(A)).map(|run| run.name);
        told.extend(found.map(|name| (name, explore.calls().len())));
    };
    let budget = options.budget();
    let Ran { runs, .. } =
        run_engines(&engines, &loaded, &options, &budget, &[A, B], &facts, &mut known);
    assert_eq!(told[0], ("roam", 1), "before the search goes on");
    assert!(explore.calls()[1..].iter().all(|(asked, _)| *asked == [B]));
    assert_eq!(converge.calls(), [(vec![B], FULL)]);
    assert!(runs.iter().any(|run| run.name == "roam" && run.answers(A)), "it stays in the end");
}

#[test]
fn a_first_look_that_met_no_limit_is_not_repeated() {
    let explore = Fake::new("explore", Turn::First, |_, _| bound_reached());
    let converge = Fake::new("converge", Turn::Second, |_, _| in_the_way());
    let roam = Fake::new("roam", Turn::Last, |_, _| bound_reached());
    let ran = run(&[&explore, &converge, &roam], &Options::default());
    assert_eq!(ran, [("explore", None), ("converge", None)], "nothing is left to random runs");
    assert_eq!(explore.calls().len(), 1);
}

#[test]
fn a_second_look_that_is_stopped_early_does_not_hide_the_first() {
    let run = |bound, exhausted| {
        let claim = Claim::GaveUp(Reason::Budget { exhausted, bound, suspect: None });
        let figures = Figures { bound, states: 7, transitions: 7 };
        let claims = vec![Answer { property: A, claim, figures }];
        let spent = Some(exhausted);
        let answers = Answers { claims, bounds: vec![figures], spent, ..Answers::default() };
        EngineRun { name: "explore", answers: Some(answers), time_s: 1.0 }
    };
    let told = |run: &EngineRun| match run.claims(A).next().map(|answer| &answer.claim) {
        Some(Claim::GaveUp(Reason::Budget { exhausted, bound, .. })) => (*exhausted, *bound),
        other => panic!("{other:?}"),
    };
    let stopped = both(run(3, Exhausted::States), run(1, Exhausted::Cancelled));
    assert_eq!(told(&stopped), (Exhausted::Cancelled, 3));
    assert_eq!(stopped.answers.and_then(|answers| answers.spent), Some(Exhausted::Cancelled));
    let longer = both(run(3, Exhausted::States), run(5, Exhausted::Time));
    assert_eq!(told(&longer), (Exhausted::Time, 5));
}

#[test]
fn a_lower_limit_of_the_user_counts_from_the_beginning() {
    let explore = Fake::new("explore", Turn::First, |_, _| out_of_states());
    let converge = Fake::new("converge", Turn::Second, |_, _| holds());
    let options = Options { states_max: 1000, ..Options::default() };
    let ran = run(&[&explore, &converge], &options);
    assert_eq!(ran, [("explore", Some(Exhausted::States)), ("converge", None)]);
    assert_eq!(explore.calls(), [(vec![A, B], 1000)]);
}

#[test]
fn an_engine_that_is_selected_alone_has_all_limits() {
    let explore = Fake::new("explore", Turn::First, |_, _| out_of_states());
    let converge = Fake::new("converge", Turn::Second, |_, _| in_the_way());
    let roam = Fake::new("roam", Turn::Last, |_, _| bound_reached());
    let all: [&dyn Engine; 3] = [&explore, &converge, &roam];
    for (name, fake) in [("explore", &explore), ("converge", &converge), ("roam", &roam)] {
        let options = Options { engines: vec![name.to_owned()], ..Options::default() };
        assert_eq!(run(&all, &options).len(), 1);
        assert_eq!(fake.calls(), [(vec![A, B], FULL)]);
    }
}

#[test]
fn nothing_is_asked_for_what_the_interpreter_does_not_know() {
    let gap = |_, _| Claim::GaveUp(Reason::Program { text: "too long".to_owned(), span: None });
    let explore = Fake::new("explore", Turn::First, gap);
    let converge = Fake::new("converge", Turn::Second, |_, _| in_the_way());
    assert_eq!(run(&[&explore, &converge], &Options::default()), [("explore", None)]);
    assert!(converge.calls().is_empty());
}

#[test]
fn for_figures_proofs_are_tried_for_what_is_proved() {
    let explore = Fake::new("explore", Turn::First, |_, _| holds());
    let converge = Fake::new("converge", Turn::Second, |_, _| holds());
    let lists = Lists { figures: true, ..Lists::default() };
    run(&[&explore, &converge], &Options { lists, ..Options::default() });
    assert_eq!(converge.calls(), [(vec![A, B], FULL)]);
    assert_eq!(explore.calls().len(), 1);
}

#[test]
fn a_first_look_that_was_enough_says_that_longer_queues_are_possible() {
    let mut answers = Fake::new("explore", Turn::First, |_, _| out_of_states()).run(
        Task {
            model: load("m.cfsm", b"machine A { init S: }").expect("it is a model").model,
            properties: vec![A],
            invariants: Vec::new(),
            limits: Options::default().task_limits(),
        },
        &Budget::states(1),
    );
    ended_early(&mut answers);
    let Claim::GaveUp(reason) = &answers.queues[0].claim else { panic!("{answers:?}") };
    assert_eq!(*reason, Reason::BoundReached { bound: 3, queues: Vec::new() });
}

/// A queue that holds up to a hundred messages: more than are looked at where nothing is known.
#[test]
fn a_bound_that_was_shown_is_searched_completely() {
    let verdict = |n: usize, engines: &[&str], bound_rises: bool| {
        let sends: Vec<String> = (0..n).map(|i| format!("S{i}: send B m -> S{}", i + 1)).collect();
        let sends = sends.join(" ");
        let text = format!(
            "machine A {{ init I: internal -> S0 {sends} S{n}: send B stop -> E E: }}
             machine B {{ init R: recv m -> R | recv stop -> E E: }}"
        );
        let loaded = load("m.cfsm", text.as_bytes()).expect("it is a model");
        let options = Options {
            properties: vec!["deadlock".to_owned()],
            engines: engines.iter().map(|&name| name.to_owned()).collect(),
            bound_rises,
            ..Options::default()
        };
        crate::check(&loaded, &options, &options.budget()).report.properties[0].verdict
    };
    assert_eq!(verdict(100, &["explore"], true), crate::VerdictWord::Unknown);
    assert_eq!(verdict(100, &["explore", "flow"], false), crate::VerdictWord::Unknown);
    assert_eq!(verdict(100, &["explore", "flow"], true), crate::VerdictWord::Proved);
    // Thirty are cheap, unless somebody says how far to go.
    assert_eq!(verdict(30, &["explore"], true), crate::VerdictWord::Proved);
    assert_eq!(verdict(30, &["explore"], false), crate::VerdictWord::Unknown);
}

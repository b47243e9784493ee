//! Loops that make queues grow, on random models of every kind: whatever the referee accepts can be turned again and again.
//!
//! `QP_PUMP_SEEDS=from..to` asks for other models than the usual ones.

use std::ops::Range;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{Claim, Shape, Trace};
use qp_engines::{Engine, Explore, Lists, Task, TaskLimits};
use qp_machines::{Config, Model, Property};
use qp_promela::{Channels, Granularity};
use qp_testkit::compare::loaded;
use qp_testkit::crowd::Crowd;
use qp_testkit::lazy::Lazy;
use qp_testkit::pageant::Pageant;
use qp_testkit::promela::make::{self, Wanted};
use qp_testkit::promela::ours::model_with;
use qp_testkit::rng::Rng;
use qp_testkit::{mutate, pump};

const TURNS: usize = 25;

fn seeds(usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("QP_PUMP_SEEDS") else { return usual };
    let numbers =
        text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    numbers.expect("QP_PUMP_SEEDS is like 0..1000")
}

fn is_accepted(model: &Model, trace: &Trace) -> bool {
    let claim = Claim::Violated(trace.clone());
    let verdict = Referee::new(model, 1_000).check(Property::Bounded, &claim);
    verdict.is_ok_and(|verdict| matches!(verdict.ruling(), Ruling::Violated { .. }))
}

/// What was tried on models of one kind.
#[derive(Default, Debug)]
struct Tally {
    /// Loops on random runs that leave a queue longer, and those that were accepted.
    loops: usize,
    accepted: usize,
    /// Loops that stop although they were turned once.
    stopping: usize,
    /// Queues that the search could not bound, and those of which it says that they grow.
    open: usize,
    growing: usize,
    /// Broken runs, and those that were accepted because they are right all the same.
    mutants: usize,
    right: usize,
}

impl Tally {
    fn of(models: impl Iterator<Item = (u64, Model)>) -> Self {
        let mut tally = Self::default();
        for (seed, model) in models {
            tally.walk(seed, &model);
            tally.search(seed, &model);
        }
        println!("{tally:?}");
        tally
    }

    /// Every loop on a few random runs.
    fn walk(&mut self, seed: u64, model: &Model) {
        let mut rng = Rng::new(seed);
        for _ in 0..3 {
            let mut system = model.system();
            let (mut configs, mut steps) = (vec![system.initial()], Vec::new());
            while steps.len() < 24 {
                let mut outcomes = system.successors(&configs[steps.len()]);
                outcomes.retain(|outcome| !outcome.is_end());
                if outcomes.is_empty() {
                    break;
                }
                let outcome = outcomes.swap_remove(rng.below(outcomes.len()));
                steps.push(outcome.step);
                configs.push(outcome.config);
            }
            let len = |config: &Config, queue| system.words().len(config.word(queue));
            for (to, end) in configs.iter().enumerate() {
                for (from, start) in configs.iter().enumerate().take(to) {
                    let same = (&start.locals, start.store) == (&end.locals, end.store);
                    let longer = |&queue: &_| same && len(end, queue) > len(start, queue);
                    let Some(queue) = start.queues().find(longer) else { continue };
                    let shape = Shape::Pump { from, queue };
                    self.loops += 1;
                    let trace = Trace { steps: steps[..to].to_vec(), shape };
                    let (accepted, goes_on) =
                        (is_accepted(model, &trace), pump::turns(model, &trace, TURNS));
                    self.accepted += usize::from(accepted);
                    self.stopping += usize::from(goes_on.is_err());
                    assert!(!accepted || goes_on.is_ok(), "seed {seed}: {goes_on:?} {trace:?}");
                }
            }
        }
    }

    /// Every loop that the search finds, and what becomes of it when it is broken.
    fn search(&mut self, seed: u64, model: &Model) {
        let limits = TaskLimits {
            bound_first: 1,
            bound_max: 4,
            jobs: 1,
            reduce: false,
            exhaustive: false,
            queues: true,
            small_max: 3_000,
            evidence_max: 10_000,
            walk_steps_max: 0,
            lists: Lists::default(),
        };
        let properties = vec![Property::Bounded];
        let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
        let answers = Explore.run(task, &Budget::states(4_000));
        let mut rng = Rng::new(seed);
        for answer in answers.queues {
            match answer.claim {
                Claim::Holds(_) => {}
                Claim::GaveUp(_) => self.open += 1,
                Claim::Violated(trace) => {
                    self.growing += 1;
                    assert!(is_accepted(model, &trace), "seed {seed}: {trace:?}");
                    let goes_on = pump::turns(model, &trace, TURNS);
                    assert_eq!(goes_on, Ok(()), "seed {seed}: {trace:?}");
                    self.breaks(seed, model, &trace, &mut rng);
                }
            }
        }
    }

    fn breaks(&mut self, seed: u64, model: &Model, trace: &Trace, rng: &mut Rng) {
        for mutant in mutate::traces(trace, model.outline().queues.len(), rng) {
            if !matches!(mutant.it.shape, Shape::Pump { .. }) {
                continue;
            }
            self.mutants += 1;
            if is_accepted(model, &mutant.it) {
                self.right += 1;
                let goes_on = pump::turns(model, &mutant.it, TURNS);
                assert_eq!(goes_on, Ok(()), "seed {seed}: accepted although {}", mutant.what);
            }
        }
    }
}

#[test]
fn loops_of_automata() {
    let nets = seeds(0..300).map(|seed| (seed, qp_testkit::make::net(seed)));
    let tally =
        Tally::of(nets.filter_map(|(seed, net)| Some((seed, loaded(&net).ok()?.model.clone()))));
    assert!(tally.growing > 50 && tally.stopping > 100, "{tally:?}");
}

#[test]
fn loops_of_machines_that_let_messages_wait() {
    let tally = Tally::of(seeds(0..300).map(|seed| (seed, Lazy::new(seed).model())));
    assert!(tally.growing > 50 && tally.stopping > 100, "{tally:?}");
}

#[test]
fn loops_of_machines_that_create_each_other() {
    let crowds = seeds(0..300).flat_map(|seed| [true, false].map(|local| (seed, local)));
    let tally = Tally::of(crowds.map(|(seed, local)| (seed, Crowd::new(seed, local).model())));
    assert!(tally.growing > 10 && tally.stopping > 10, "{tally:?}");
}

#[test]
fn loops_of_turns() {
    let each = |seed| {
        [Pageant::new(seed, false), Pageant::discreet(seed, false)].map(|it| (seed, it.model()))
    };
    let tally = Tally::of(seeds(0..300).flat_map(each));
    assert!(tally.growing > 10 && tally.stopping > 10, "{tally:?}");
}

/// Models in Promela whose channels are never full, with steps of one kind.
fn promela(whole: bool) -> impl Iterator<Item = (u64, Model)> {
    let sizes = [Granularity::Visible, Granularity::Statement];
    let all = seeds(0..400).flat_map(move |seed| sizes.map(|size| (seed, size)));
    all.filter_map(move |(seed, size)| {
        let text = make::model(seed, Wanted::Safety);
        let model = model_with(&text, size, Channels::Unbounded).ok()?;
        (model.outline().whole == whole).then_some((seed, model))
    })
}

#[test]
fn loops_of_processes_with_moves() {
    let tally = Tally::of(promela(false));
    assert!(tally.growing > 10, "{tally:?}");
}

#[test]
fn loops_of_processes_with_turns() {
    let tally = Tally::of(promela(true));
    assert!(tally.growing > 10, "{tally:?}");
}

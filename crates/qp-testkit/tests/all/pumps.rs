//! Loops that make queues grow, on random models of every kind: whatever the referee accepts can be turned again and again.
//!
//! `QP_PUMP_SEEDS=from..to` asks for other models than the usual ones.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use qp_base::Budget;
use qp_check::Referee;
use qp_claim::{Claim, Shape, Trace};
use qp_engines::{Engine, Explore, QueueAnswer, Task, TaskLimits};
use qp_machines::{Config, Model, Property, QueueId, Step, System};
use qp_promela::{Channels, Granularity};
use qp_testkit::compare::loaded;
use qp_testkit::crowd::Crowd;
use qp_testkit::lazy::Lazy;
use qp_testkit::mutate::{self, Mutant};
use qp_testkit::pageant::Pageant;
use qp_testkit::promela::make::{self, Wanted};
use qp_testkit::promela::ours::model_with;
use qp_testkit::pump;
use qp_testkit::rng::Rng;

const TURNS: usize = 25;

fn seeds(usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("QP_PUMP_SEEDS") else { return usual };
    let numbers =
        text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    numbers.expect("QP_PUMP_SEEDS is like 0..1000")
}

fn judged(referee: &mut Referee, trace: &Trace) -> Result<(), String> {
    let verdict = referee.check(Property::Bounded, &Claim::Violated(trace.clone()));
    verdict.map(|_| ()).map_err(|rejected| rejected.0)
}

/// What a short search says about queues.
fn explored(model: &Model) -> Vec<QueueAnswer> {
    let limits = TaskLimits {
        bound_max: 4,
        queues: true,
        small_max: 3_000,
        evidence_max: 10_000,
        ..TaskLimits::default()
    };
    let properties = vec![Property::Bounded];
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    Explore.run(task, &Budget::states(4_000)).queues
}

/// What was tried on models of one kind.
#[derive(Default, Debug)]
struct Tally {
    /// Loops on random runs that leave a queue longer, and those that were accepted.
    loops: usize,
    accepted: usize,
    /// Loops that stop although they were turned once.
    stopping: usize,
    /// Why others were refused, which may be for want of a better argument.
    refused: BTreeMap<String, usize>,
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
            let mut referee = Referee::new(&model, 1_000);
            tally.walk(seed, &mut model.system(), &mut referee);
            tally.search(seed, &model, &mut referee);
        }
        tally
    }

    /// Every loop on a few random runs.
    fn walk(&mut self, seed: u64, system: &mut System, referee: &mut Referee) {
        let mut rng = Rng::new(seed);
        for _ in 0..2 {
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
            for trace in loops(system, &configs, &steps).into_iter().take(20) {
                self.loops += 1;
                match (judged(referee, &trace), pump::turns(system, &trace, TURNS)) {
                    (Ok(()), Ok(())) => self.accepted += 1,
                    (Err(_), Err(_)) => self.stopping += 1,
                    (Err(why), Ok(())) => *self.refused.entry(why).or_default() += 1,
                    (Ok(()), Err(stops)) => panic!("seed {seed}: {stops}, {trace:?}"),
                }
            }
        }
    }

    /// Every loop that the search finds, and what becomes of it when it is broken.
    fn search(&mut self, seed: u64, model: &Model, referee: &mut Referee) {
        let answers = explored(model);
        let (mut rng, mut system) = (Rng::new(seed), model.system());
        for answer in answers {
            match answer.claim {
                Claim::Holds(_) => {}
                Claim::GaveUp(_) => self.open += 1,
                Claim::Violated(trace) => {
                    self.growing += 1;
                    assert_eq!(judged(referee, &trace), Ok(()), "seed {seed}: {trace:?}");
                    let goes_on = pump::turns(&mut system, &trace, TURNS);
                    assert_eq!(goes_on, Ok(()), "seed {seed}: {trace:?}");
                    let n_queues = model.outline().queues.len();
                    let mutants = mutate::traces(&trace, n_queues, &mut rng);
                    self.breaks(seed, &mut system, referee, mutants);
                }
            }
        }
    }

    fn breaks(
        &mut self,
        seed: u64,
        system: &mut System,
        referee: &mut Referee,
        mutants: Vec<Mutant<Trace>>,
    ) {
        for mutant in mutants {
            if !matches!(mutant.it.shape, Shape::Pump { .. }) {
                continue;
            }
            self.mutants += 1;
            if judged(referee, &mutant.it).is_ok() {
                self.right += 1;
                let goes_on = pump::turns(system, &mutant.it, TURNS);
                assert_eq!(goes_on, Ok(()), "seed {seed}: accepted although {}", mutant.what);
            }
        }
    }
}

/// Everything on a run that might be a pump: all but contents is the same again, and a queue is longer.
fn loops(system: &System, configs: &[Config], steps: &[Step]) -> Vec<Trace> {
    let len = |config: &Config, queue| system.words().len(config.word(queue));
    let mut found = Vec::new();
    for (to, end) in configs.iter().enumerate() {
        for (from, start) in configs.iter().enumerate().take(to) {
            let same = (&start.locals, start.store) == (&end.locals, end.store);
            let longer = |&queue: &_| same && len(end, queue) > len(start, queue);
            let shape = |queue| Shape::Pump { from, queue };
            let trace = |queue| Trace { steps: steps[..to].to_vec(), shape: shape(queue) };
            found.extend(start.queues().find(longer).map(trace));
        }
    }
    found
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

/// Models in Promela whose channels are never full.
fn promela() -> impl Iterator<Item = (u64, Model)> {
    let sizes = [Granularity::Visible, Granularity::Statement];
    let all = seeds(0..100).flat_map(move |seed| sizes.map(|size| (seed, size)));
    all.filter_map(move |(seed, size)| {
        // An atomic sequence that goes round for ever takes long to work out.
        let text = Some(make::model(seed, Wanted::Safety));
        let text = text.filter(|text| !text.contains("atomic { do"))?;
        Some((seed, model_with(&text, size, Channels::Unbounded).ok()?))
    })
}

#[test]
fn loops_of_processes() {
    let tally = Tally::of(promela());
    assert!(tally.accepted > 80 && tally.growing > 0, "{tally:?}");
}

/// Whoever may move only while nobody of higher priority can looks at the queue that it sends to with their eyes.
#[test]
fn who_waits_for_others_does_not_pump() {
    let high = "active proctype High() priority 2 { do :: q?1 od }";
    let low = "active proctype Low() priority 1 { do :: q!1 od }";
    let text = format!("chan q = [1] of {{ byte }}; {low} {high}");
    let model = model_with(&text, Granularity::Statement, Channels::Unbounded).expect("it is one");
    let (mut system, queue) = (model.system(), QueueId::new(0));
    let first = system.initial();
    let step = system.successors(&first)[0].step;
    let trace = Trace { steps: vec![step], shape: Shape::Pump { from: 0, queue } };
    assert_eq!(pump::turns(&mut system, &trace, 2), Err("the loop stops in turn 2".to_owned()));
    let refused = "a step of the loop depends on how long a queue is";
    assert_eq!(judged(&mut Referee::new(&model, 10), &trace), Err(refused.to_owned()));
}

/// A queue that holds the same in every turn may be used in any way, by several statements at once too.
#[test]
fn what_comes_back_may_be_looked_at() {
    let text = "chan r = [4] of { byte }; chan g = [1] of { byte };
        active proctype P() { do :: atomic { r!1; r!2 }; g!7; atomic { r?_; r?_ } od }
        active proctype Q() { (_nr_pr == 1) }";
    let model = model_with(text, Granularity::Statement, Channels::Unbounded).expect("it is one");
    let (mut system, queue) = (model.system(), QueueId::new(1));
    let (mut config, mut steps) = (system.initial(), Vec::new());
    for _ in 0..3 {
        let outcome = system.successors(&config).swap_remove(0);
        steps.push(outcome.step);
        config = outcome.config;
    }
    let trace = Trace { steps, shape: Shape::Pump { from: 0, queue } };
    assert_eq!(pump::turns(&mut system, &trace, TURNS), Ok(()));
    assert_eq!(judged(&mut Referee::new(&model, 10), &trace), Ok(()));
}

/// Models of the corpus whose channels would grow if they were not full at some length.
#[test]
fn channels_of_the_corpus_that_grow() {
    for (name, growing) in [("elevator_bug.pml", "calls"), ("timeouts.pml", "q")] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
        let text = std::fs::read_to_string(root.join(name)).expect("the corpus is there");
        let model =
            model_with(&text, Granularity::Visible, Channels::Unbounded).expect("it is one");
        let answers = explored(&model).into_iter();
        let grows = |answer: QueueAnswer| match answer.claim {
            Claim::Violated(trace) => {
                assert_eq!(judged(&mut Referee::new(&model, 10), &trace), Ok(()), "{name}");
                Some(model.outline().queue_text(answer.queue))
            }
            Claim::Holds(_) | Claim::GaveUp(_) => None,
        };
        assert_eq!(answers.filter_map(grows).collect::<Vec<_>>().join(" "), growing, "{name}");
    }
}

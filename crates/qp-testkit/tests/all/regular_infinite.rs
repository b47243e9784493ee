//! Infinite runs of systems with queues of any length: the engine `regular` and the referee against slow code of its own
//! and against `explore`, and broken evidence against the referee.

use std::collections::BTreeMap;
use std::sync::Arc;

use qp_automata::{Formula, Lasso};
use qp_base::{Budget, Span};
use qp_check::Referee;
use qp_claim::{ABSENT, Claim, Proof, RankedRegular, Shape, Stays, Trace};
use qp_engines::{Engine, Explore, Regular, Task, TaskLimits};
use qp_machines::{Config, Event, Ltl, MachineId, Model, Property, QueueId, Runs, Says, System};
use qp_testkit::asked::Asked;
use qp_testkit::compare::loaded;
use qp_testkit::infinite::{World, formula, letters, never};
use qp_testkit::judge::through_text;
use qp_testkit::lazy::Lazy;
use qp_testkit::make;
use qp_testkit::net::Size;
use qp_testkit::rng::Rng;
use queueproof::load;

const PROPERTIES: [Property; 5] =
    [Property::Ltl(0), Property::Ltl(1), Property::Livelock, Property::Accept, Property::Bounded];
const CONFIGURATIONS_MAX: usize = 150;

/// A random system, of which random things are asked; in most of them queues have no capacity.
fn asked(seed: u64) -> Option<Model> {
    let mut rng = Rng::new(seed ^ 0xfee1);
    let plain = if seed % 4 == 3 {
        Lazy::new(seed).model()
    } else {
        let mut net = make::net(seed);
        for queue in &mut net.queues {
            if queue.size == Size::Unbounded && rng.percent(20) {
                queue.size = Size::Messages(1 + rng.below(2));
            }
        }
        loaded(&net).ok()?.model.clone()
    };
    let marked = Asked::model(&plain, seed, |_| {});
    let letters = letters(&marked, &mut rng);
    let size = 2 + rng.below(6);
    let formula = formula(&mut rng, &letters, size);
    let formula = if rng.percent(30) { Formula::Globally(Box::new(formula)) } else { formula };
    let says = [Says::Formula(formula), Says::Never(never(&mut rng, &letters))];
    let named = |(number, says)| Ltl {
        name: format!("f{number}"),
        span: Span::default(),
        says,
        runs: Runs::All,
    };
    let ltl: Vec<Ltl> = says.into_iter().enumerate().map(named).collect();
    let fair = rng.percent(40);
    Some(Asked::model(&plain, seed, |outline| {
        outline.ltl = ltl;
        outline.fair = fair;
    }))
}

fn claims(engine: &dyn Engine, model: &Model) -> Vec<(Property, Claim)> {
    let limits = TaskLimits {
        bound_max: 3,
        small_max: 10_000,
        evidence_max: 10_000,
        ..TaskLimits::default()
    };
    let (model, properties) = (model.clone(), PROPERTIES.to_vec());
    let task = Task { model, properties, invariants: Vec::new(), limits };
    // The search with languages is slow where it does not come to an end.
    let budget = Budget::states(if engine.name() == "regular" { 1_500 } else { 20_000 });
    let answers = engine.run(task, &budget);
    answers.claims.into_iter().map(|answer| (answer.property, answer.claim)).collect()
}

fn word(claim: &Claim) -> &'static str {
    match claim {
        Claim::Holds(_) => "proved",
        Claim::Violated(_) => "violated",
        Claim::GaveUp(_) => "unknown",
    }
}

/// Whether a loop that is said to repeat for ever does so thirty times, with the same events and local states.
fn repeats(model: &Model, trace: &Trace) -> bool {
    let Shape::Pump { from, .. } = trace.shape else { return true };
    let mut system = model.system();
    let mut config = system.initial();
    let mut cycle: Vec<(MachineId, Event, Config)> = Vec::new();
    for (number, step) in trace.steps.iter().enumerate() {
        let Some(outcome) = system.fire(&config, *step) else { return false };
        config = outcome.config.clone();
        if number >= from {
            cycle.push((step.machine, outcome.event, outcome.config));
        }
    }
    (0..30).all(|_| cycle.iter().all(|expected| follow(&mut system, &mut config, expected)))
}

fn follow(
    system: &mut System,
    config: &mut Config,
    (machine, event, like): &(MachineId, Event, Config),
) -> bool {
    let outcomes = system.successors(config);
    let next = outcomes.into_iter().find(|outcome| {
        outcome.step.machine == *machine
            && outcome.event == *event
            && outcome.config.locals == like.locals
            && outcome.config.store == like.store
    });
    let found = next.is_some();
    *config = next.map_or_else(|| config.clone(), |outcome| outcome.config);
    found
}

#[test]
fn agrees_with_slow_code_and_with_explore() {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let (mut n_small, mut n_alone, mut n_pumps) = (0, BTreeMap::new(), 0);
    for seed in 0..200 {
        let Some(model) = asked(seed) else { continue };
        let mut world = World::new(&model, CONFIGURATIONS_MAX);
        n_small += usize::from(world.is_some());
        let explored = claims(&Explore, &model);
        for ((property, claim), (_, other)) in claims(&Regular, &model).into_iter().zip(explored) {
            let id = property.id(model.outline());
            let about = format!("seed {seed}, {id}, fair {}", model.outline().fair);
            let claim = through_text(&claim).expect(&about);
            let checked = Referee::new(&model, 10_000).check(property, &claim);
            assert!(checked.is_ok(), "{about}: {checked:?}");
            let kind = ["ltl", "livelock", "accept", "bounded"];
            let kind = kind.into_iter().find(|kind| id.starts_with(kind)).unwrap();
            let (said, explored) = (word(&claim), word(&other));
            *counts.entry((kind, said)).or_default() += 1;
            if let Claim::Violated(trace) = &claim {
                assert!(repeats(&model, trace), "{about}");
                n_pumps += usize::from(matches!(trace.shape, Shape::Pump { .. }));
            }
            assert!(
                said == explored || said == "unknown" || explored == "unknown",
                "{about}: {said}, but explore says {explored}"
            );
            if explored == "unknown" && said != "unknown" {
                *n_alone.entry((kind, said)).or_insert(0) += 1;
            }
            if let Some(world) = &mut world
                && property != Property::Bounded
                && said != "unknown"
            {
                let expected = if world.is_violated(property) { "violated" } else { "proved" };
                assert_eq!(said, expected, "{about}");
            }
        }
    }
    println!("{n_small} small systems, {n_pumps} runs that grow: {counts:?}");
    println!("where explore has no answer: {n_alone:?}");
    let n_alone: usize = n_alone.values().sum();
    assert!(n_small > 50 && n_pumps > 100 && n_alone > 150, "{n_small} {n_pumps} {n_alone}");
}

fn ranked_claims(seed: u64) -> Vec<(Model, Property, Arc<RankedRegular>)> {
    let Some(model) = asked(seed) else { return Vec::new() };
    let mut found = Vec::new();
    for (property, claim) in claims(&Regular, &model) {
        if let Claim::Holds(Proof::RankedRegular(ranked)) = claim {
            found.push((model.clone(), property, ranked));
        }
    }
    found
}

#[test]
fn broken_ranks_are_refused() {
    let (mut n_mutants, mut n_weighed) = (0, 0);
    for seed in 0..100 {
        for (model, property, ranked) in ranked_claims(seed) {
            let mut mutants: Vec<(&str, RankedRegular)> = Vec::new();
            let mut add = |what: &'static str, change: &dyn Fn(&mut RankedRegular)| {
                let mut it = (*ranked).clone();
                change(&mut it);
                if it != *ranked {
                    mutants.push((what, it));
                }
            };
            let mut rng = Rng::new(seed);
            let (n_states, n_rows) = (ranked.ranks.len(), ranked.set.set.len());
            for _ in 0..10 {
                if n_states == 0 || n_rows == 0 {
                    continue;
                }
                let (state, row) = (rng.below(n_states), rng.below(n_rows));
                let rank = ranked.ranks[state][row];
                add("a rank is missing", &|set| set.ranks[state][row] = ABSENT);
                if rank != ABSENT {
                    add("a rank has no reason", &|set| set.reasons.truncate(rank as usize));
                    add("a rank has no block", &|set| set.blocks.truncate(rank as usize));
                }
            }
            add("a state is missing", &|set| set.ranks.truncate(set.ranks.len().saturating_sub(1)));
            add("numbers are missing", &|set| {
                set.potentials.truncate(set.potentials.len().saturating_sub(1));
            });
            add("a row is missing", &|set| {
                set.ranks.iter_mut().for_each(|ranks| ranks.truncate(ranks.len() - 1));
            });
            add("there are no weights", &|set| set.weights.clear());
            if ranked.weights.iter().any(|weights| !weights.0.is_empty()) {
                n_weighed += 1;
                add("nothing weighs anything", &|set| {
                    set.weights.iter_mut().for_each(|weights| weights.0.clear());
                });
                add("another queue is weighed", &|set| {
                    for weight in set.weights.iter_mut().flat_map(|weights| &mut weights.0) {
                        weight.0 = QueueId::new(9);
                    }
                });
            }
            let waits = |reason: &Stays| matches!(reason, Stays::Waits(_));
            if ranked.reasons.iter().any(waits) {
                add("nobody waits", &|set| {
                    for reason in set.reasons.iter_mut().filter(|reason| waits(reason)) {
                        *reason = Stays::NoneAccepts;
                    }
                });
                add("somebody waits who does not exist", &|set| {
                    for reason in set.reasons.iter_mut().filter(|reason| waits(reason)) {
                        *reason = Stays::Waits(MachineId::new(9));
                    }
                });
            }
            for (what, it) in mutants {
                let claim = Claim::Holds(Proof::RankedRegular(Arc::new(it)));
                let checked = Referee::new(&model, 10_000).check(property, &claim);
                assert!(checked.is_err(), "seed {seed}, {property:?}: accepted although {what}");
                n_mutants += 1;
            }
        }
    }
    println!("{n_mutants} mutants, {n_weighed} proofs with weights");
    assert!(n_mutants > 1_000, "{n_mutants}");
}

/// What the engine claims about the first formula of a model, checked.
fn claimed(text: &str) -> (Model, Claim) {
    let model = load("m.cfsm", text.as_bytes()).expect("it is a model").model;
    let claim = claims(&Regular, &model).remove(0).1;
    let checked = Referee::new(&model, 10_000).check(Property::Ltl(0), &claim);
    assert!(checked.is_ok(), "{checked:?}");
    (model, claim)
}

const DRAINED: &str = "queues channels;\nchannel q;\n\
    machine A { init S: send q a -> S | send q stop -> T  T: }\n\
    machine B { init R: recv q a -> R | recv q stop -> D  D: }\n";

/// However many messages there are, they come to an end, and then the last one is received.
#[test]
fn a_queue_that_is_only_drained_comes_to_an_end() {
    let (_, claim) = claimed(&format!("{DRAINED}ltl calm: G (A@T -> F B@D);\n"));
    let Claim::Holds(Proof::RankedRegular(ranked)) = claim else { panic!("{claim:?}") };
    assert!(ranked.weights.iter().any(|weights| !weights.0.is_empty()), "{ranked:?}");
}

/// Nobody has to send the last message.
#[test]
fn a_run_that_makes_a_queue_grow_violates_a_formula() {
    let (model, claim) = claimed(&format!("{DRAINED}ltl calm: F A@T;\n"));
    let Claim::Violated(trace) = &claim else { panic!("{claim:?}") };
    assert!(repeats(&model, trace));
    let Shape::Pump { from, queue } = trace.shape else {
        // Sending and receiving in turn comes back to where it began.
        return assert!(matches!(trace.shape, Shape::Lasso { .. }));
    };
    assert_eq!((from, queue), (0, QueueId::new(0)));
}

/// Nothing is ever received on the run, and the queue gets longer with each step.
#[test]
fn a_run_that_never_comes_back_violates_a_formula() {
    let (model, claim) = claimed(&format!("{DRAINED}ltl some: F (recv a);\n"));
    let Claim::Violated(trace) = claim else { panic!("{claim:?}") };
    assert_eq!(trace.shape, Shape::Pump { from: 0, queue: QueueId::new(0) });
    assert_eq!(trace.steps.len(), 1);
    // Another formula is true of that run, and the run does not count for what a single configuration shows.
    let mut referee = Referee::new(&model, 10_000);
    assert!(referee.check(Property::Bounded, &Claim::Violated(trace.clone())).is_ok());
    assert!(referee.check(Property::Accept, &Claim::Violated(trace.clone())).is_err());
    assert!(referee.check(Property::Deadlock, &Claim::Violated(trace.clone())).is_err());
    let fair = Asked::model(&model, 0, |outline| outline.fair = true);
    let refused = Referee::new(&fair, 10_000).check(Property::Ltl(0), &Claim::Violated(trace));
    let why = refused.expect_err("B could move from the first message on").0;
    assert_eq!(why, "with longer queues more machines may be able to move");
}

/// A loop that takes one and puts two, where the front fits only once.
#[test]
fn a_loop_that_does_not_go_on_is_no_violation() {
    let text = "queues channels;\nchannel q;\n\
        machine A { init S: send q a -> T  T: recv q a -> send q b -> send q b -> T }\n\
        ltl more: F G (A@S);\n";
    let (model, claim) = claimed(text);
    // The run ends behind the first turn, and is wrong because it stays there.
    let Claim::Violated(trace) = claim else { panic!("{claim:?}") };
    assert_eq!(trace.shape, Shape::Lasso { from: 4 });
    let forged = Trace { shape: Shape::Pump { from: 1, queue: QueueId::new(0) }, ..trace };
    assert!(
        Referee::new(&model, 10_000).check(Property::Ltl(0), &Claim::Violated(forged)).is_err()
    );
}

/// Forged loops that are said to make a queue grow: the referee accepts no run that does not go on and on, or of which
/// the formula is true.
#[test]
fn forged_loops_are_refused() {
    let (mut n_forged, mut n_accepted) = (0, 0);
    for seed in 0..150 {
        let Some(model) = asked(seed) else { continue };
        let mut rng = Rng::new(seed);
        for _ in 0..30 {
            let mut system = model.system();
            let (mut config, mut steps) = (system.initial(), Vec::new());
            for _ in 0..=rng.below(8) {
                let outcomes = system.successors(&config);
                if outcomes.is_empty() {
                    break;
                }
                let outcome = &outcomes[rng.below(outcomes.len())];
                steps.push(outcome.step);
                config = outcome.config.clone();
            }
            let n_queues = model.outline().queues.len();
            if steps.is_empty() || n_queues == 0 {
                continue;
            }
            let (from, queue) = (rng.below(steps.len()), QueueId::new(rng.below(n_queues)));
            let trace = Trace { steps, shape: Shape::Pump { from, queue } };
            for property in [Property::Ltl(0), Property::Ltl(1), Property::Accept] {
                n_forged += 1;
                let claim = Claim::Violated(trace.clone());
                if Referee::new(&model, 1_000).check(property, &claim).is_ok() {
                    n_accepted += 1;
                    assert!(repeats(&model, &trace), "seed {seed}: {trace:?}");
                    assert!(is_wrong_for_long(&model, property, &trace), "seed {seed}: {trace:?}");
                }
            }
        }
    }
    println!("{n_forged} forged loops, {n_accepted} of them are violations");
    assert!(n_forged > 3_000 && n_accepted > 10, "{n_forged} {n_accepted}");
}

/// Whether the formula is false, or the automaton accepts, of the run with three turns written out.
fn is_wrong_for_long(model: &Model, property: Property, trace: &Trace) -> bool {
    let Shape::Pump { from, .. } = trace.shape else { return false };
    let (mut system, outline) = (model.system(), model.outline());
    let mut configs = vec![system.initial()];
    let mut events: Vec<Event> = Vec::new();
    for step in &trace.steps {
        let outcome = system.fire(&configs[configs.len() - 1], *step).expect("it is a run");
        events.push(outcome.event);
        configs.push(outcome.config);
    }
    let n = trace.steps.len();
    for _ in 0..2 {
        for number in from..n {
            let (machine, like) = (trace.steps[number].machine, configs[number + 1].clone());
            let mut config = configs[configs.len() - 1].clone();
            assert!(follow(&mut system, &mut config, &(machine, events[number], like)));
            events.push(events[number]);
            configs.push(config);
        }
    }
    // The first turn is written out, and the next two are the loop.
    let word = Lasso::new(events.len(), n).expect("there is a loop");
    let mut truth = |at: usize, letter: &qp_machines::Letter| {
        system.reads(letter, &configs[at], Some(events[at]))
    };
    let says = match property {
        Property::Ltl(number) => outline.ltl[number].says.clone(),
        _ => Says::Never(outline.wrong_runs(property).expect("it is about infinite runs")),
    };
    match says {
        Says::Formula(formula) => !formula.holds_on(word, &mut truth),
        Says::Never(automaton) => automaton.accepts(word, &mut truth),
    }
}

//! Formulas, never claims, progress and acceptance on random systems, with and without fairness: the engine and the
//! referee against slow code of its own, and forged evidence against the referee.

use std::collections::BTreeMap;
use std::sync::Arc;

use qp_automata::Formula;
use qp_base::{Budget, Span};
use qp_check::Referee;
use qp_claim::{ABSENT, Claim, Proof, RankedSet, Shape, Stays, Trace};
use qp_engines::{Engine, Explore, Task, TaskLimits};
use qp_machines::{Ltl, MachineId, Model, Property, Runs, Says};
use qp_testkit::asked::Asked;
use qp_testkit::compare::loaded;
use qp_testkit::crowd::Crowd;
use qp_testkit::infinite::{World, formula, is_wrong, letters, never};
use qp_testkit::judge::through_text;
use qp_testkit::lazy::Lazy;
use qp_testkit::make;
use qp_testkit::net::{Act, Edge, Net, Sharing, Size, State};
use qp_testkit::rng::Rng;

const PROPERTIES: [Property; 4] =
    [Property::Ltl(0), Property::Ltl(1), Property::Livelock, Property::Accept];
const CONFIGURATIONS_MAX: usize = 150;

/// A random system of one of four kinds, of which random things are asked.
fn asked(seed: u64) -> Option<Model> {
    let mut rng = Rng::new(seed ^ 0x5eed);
    let plain = match seed % 5 {
        0 | 1 => {
            let mut net = make::net(seed);
            for queue in &mut net.queues {
                if queue.size == Size::Unbounded && rng.percent(80) {
                    queue.size = Size::Messages(1 + rng.below(2));
                }
            }
            loaded(&net).ok()?.model.clone()
        }
        2 => Lazy::new(seed).model(),
        3 => Crowd::new(seed, seed.is_multiple_of(2)).model(),
        _ => loaded(&strangers(seed)).ok()?.model.clone(),
    };
    // The marks are part of what letters are about.
    let marked = Asked::model(&plain, seed, |_| {});
    let letters = letters(&marked, &mut rng);
    let size = 2 + rng.below(7);
    let formula = match seed % 5 {
        4 => Formula::Finally(Box::new(formula(&mut rng, &letters, 1))),
        _ => formula(&mut rng, &letters, size),
    };
    let formula = if rng.percent(20) { Formula::Globally(Box::new(formula)) } else { formula };
    let says = [Says::Formula(formula), Says::Never(never(&mut rng, &letters))];
    let named = |(number, says)| Ltl {
        name: format!("f{number}"),
        span: Span::default(),
        says,
        runs: Runs::All,
    };
    let ltl: Vec<Ltl> = says.into_iter().enumerate().map(named).collect();
    let fair = rng.percent(50);
    Some(Asked::model(&plain, seed, |outline| {
        outline.ltl = ltl;
        outline.fair = fair;
    }))
}

/// Machines that have nothing to do with each other: without fairness one may run alone for ever.
fn strangers(seed: u64) -> Net {
    let (mut net, mut rng) = (make::net(seed), Rng::new(seed));
    (net.sharing, net.queues, net.bad) = (Sharing::Channels, Vec::new(), Vec::new());
    for machine in &mut net.machines {
        let n = machine.states.len();
        for (number, state) in machine.states.iter_mut().enumerate() {
            let mut edges = vec![Edge { act: Act::Internal, to: (number + 1) % n }];
            if rng.percent(20) {
                edges.push(Edge { act: Act::Internal, to: rng.below(n) });
            }
            *state = State { name: state.name.clone(), edges, ..State::default() };
        }
    }
    net
}

fn claims(model: &Model) -> Vec<(Property, Claim)> {
    let limits = TaskLimits {
        bound_max: 3,
        small_max: 10_000,
        evidence_max: 10_000,
        ..TaskLimits::default()
    };
    let (model, properties) = (model.clone(), PROPERTIES.to_vec());
    let task = Task { model, properties, invariants: Vec::new(), limits };
    let answers = Explore.run(task, &Budget::states(20_000));
    answers.claims.into_iter().map(|answer| (answer.property, answer.claim)).collect()
}

#[test]
fn agrees_with_slow_code_on_random_systems() {
    let mut counts: BTreeMap<(&str, bool, &str), usize> = BTreeMap::new();
    let (mut n_systems, mut n_circles) = (0, 0);
    for seed in 0..900 {
        let Some(model) = asked(seed) else { continue };
        let mut world = World::new(&model, CONFIGURATIONS_MAX);
        n_systems += usize::from(world.is_some());
        let fair = model.outline().fair;
        for (property, claim) in claims(&model) {
            let id = property.id(model.outline());
            let about = format!("seed {seed}, {id}, fair {fair}");
            let claim = through_text(&claim).expect(&about);
            let mut referee = Referee::new(&model, 10_000);
            let checked = referee.check(property, &claim);
            assert!(checked.is_ok(), "{about}: {checked:?}");
            let word = match claim {
                Claim::Holds(_) => "proved",
                Claim::Violated(_) => "violated",
                Claim::GaveUp(_) => "unknown",
            };
            let kind = id.split(':').next().unwrap();
            let kind = if id == "ltl:f1" { "never" } else { kind };
            let kind = ["ltl", "never", "livelock", "accept"].into_iter().find(|k| *k == kind);
            *counts.entry((kind.unwrap(), fair, word)).or_default() += 1;
            let Some(world) = &mut world else { continue };
            let expected = if world.is_violated(property) { "violated" } else { "proved" };
            assert_eq!(word, expected, "{about}");
            let mut rng = Rng::new(seed);
            for _ in 0..20 {
                let Some((steps, from)) = world.circle(&mut rng, 8) else { continue };
                n_circles += 1;
                let wrong = is_wrong(&model, property, &steps, from);
                assert!(!wrong || word == "violated", "{about}: {steps:?} from {from}");
                // The referee says of every circle what evaluation says.
                let trace = Trace { steps, shape: Shape::Lasso { from } };
                let accepted = referee.check(property, &Claim::Violated(trace.clone())).is_ok();
                assert_eq!(accepted, wrong, "{about}: {trace:?}");
            }
        }
    }
    println!("{n_systems} small systems, {n_circles} circles: {counts:?}");
    assert!(n_systems > 400 && n_circles > 10_000, "{n_systems} {n_circles}");
    for kind in ["ltl", "never", "livelock", "accept"] {
        for fair in [false, true] {
            for word in ["proved", "violated"] {
                let count = counts.get(&(kind, fair, word)).copied().unwrap_or(0);
                assert!(count > 20, "{kind}, fair {fair}, is {word} {count} times: {counts:?}");
            }
        }
    }
}

/// Where a property is violated, there are no ranks that show that it is not.
#[test]
fn no_ranks_prove_what_is_violated() {
    let mut n_forged = 0;
    for seed in 0..400 {
        let Some(model) = asked(seed) else { continue };
        if World::new(&model, 40).is_none() {
            continue;
        }
        let claims = claims(&model);
        let set = claims.iter().find_map(|(_, claim)| match claim {
            Claim::Holds(Proof::Ranked(ranked)) => Some(ranked.set.clone()),
            _ => None,
        });
        let Some(set) = set else { continue };
        let mut rng = Rng::new(seed);
        for (property, claim) in claims {
            let Claim::Violated(_) = claim else { continue };
            let wrong = model.outline().wrong_runs(property).unwrap();
            let n_machines = model.outline().machines.len();
            let mut referee = Referee::new(&model, 10_000);
            for round in 0..60 {
                // Steps of the configurations are mostly from early to late ones, so ranks that fall are tried.
                let n_ranks = 1 + rng.below(if round % 2 == 0 { 2 } else { set.len() });
                let mut rank = |row: usize, state: usize| match rng.below(12) {
                    0 => rng.below(n_ranks) as u32,
                    _ => ((set.len() - row - 1) * 2 + state) as u32 % n_ranks as u32,
                };
                let ranks = (0..wrong.states.len())
                    .map(|state| (0..set.len()).map(|row| rank(row, state)).collect())
                    .collect();
                let mut reason = || match rng.below(3) {
                    0 => Stays::NoneAccepts,
                    1 => Stays::NoStep,
                    _ => Stays::Waits(MachineId::new(rng.below(n_machines))),
                };
                let reasons = (0..n_ranks).map(|_| reason()).collect();
                let automaton = model.outline().translated(property);
                let forged = RankedSet { set: set.clone(), automaton, ranks, reasons };
                let claim = Claim::Holds(Proof::Ranked(Arc::new(forged.clone())));
                assert!(referee.check(property, &claim).is_err(), "seed {seed}: {forged:?}");
                n_forged += 1;
            }
        }
    }
    println!("{n_forged} forged");
    assert!(n_forged > 2_000, "{n_forged}");
}

/// The engine ranks the pairs that are met and no others, so none can be left out.
#[test]
fn broken_ranks_are_refused() {
    let (mut n_mutants, mut n_fair) = (0, 0);
    for seed in 0..300 {
        let Some(model) = asked(seed) else { continue };
        for (property, claim) in claims(&model) {
            let Claim::Holds(Proof::Ranked(ranked)) = claim else { continue };
            let mut mutants = Vec::new();
            let mut add = |what: &'static str, change: &dyn Fn(&mut RankedSet)| {
                let mut it = (*ranked).clone();
                change(&mut it);
                if it != *ranked {
                    mutants.push((what, it));
                }
            };
            let mut rng = Rng::new(seed);
            for _ in 0..10 {
                let (n_states, n_rows) = (ranked.ranks.len(), ranked.set.len());
                if n_states == 0 {
                    continue;
                }
                let (state, row) = (rng.below(n_states), rng.below(n_rows));
                add("a rank is missing", &|set| set.ranks[state][row] = ABSENT);
                let rank = ranked.ranks[state][row];
                if rank != ABSENT {
                    add("a rank has no reason", &|set| set.reasons.truncate(rank as usize));
                }
            }
            if ranked.automaton.is_some() {
                add("the automaton is missing", &|set| set.automaton = None);
            }
            add("a state is missing", &|set| set.ranks.truncate(set.ranks.len().saturating_sub(1)));
            add("a row is missing", &|set| {
                set.ranks.iter_mut().for_each(|r| r.truncate(r.len() - 1));
            });
            let waits = |reason: &Stays| matches!(reason, Stays::Waits(_));
            if ranked.reasons.iter().any(waits) {
                n_fair += 1;
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
                let claim = Claim::Holds(Proof::Ranked(Arc::new(it)));
                let checked = Referee::new(&model, 10_000).check(property, &claim);
                assert!(checked.is_err(), "seed {seed}, {property:?}: accepted although {what}");
                n_mutants += 1;
            }
        }
    }
    println!("{n_mutants} mutants, {n_fair} proofs by fairness");
    assert!(n_mutants > 2_000 && n_fair > 20, "{n_mutants} {n_fair}");
}

/// Ranks are about one property; those of another, or of an unfair reading, do not count.
#[test]
fn ranks_of_a_fair_reading_do_not_count_without_fairness() {
    let mut n_tried = 0;
    for seed in 0..300 {
        let Some(model) = asked(seed).filter(|model| model.outline().fair) else { continue };
        let plain = Asked::model(&model, seed, |outline| outline.fair = false);
        for (property, claim) in claims(&model) {
            let Claim::Holds(Proof::Ranked(ranked)) = &claim else { continue };
            if ranked.reasons.iter().any(|reason| matches!(reason, Stays::Waits(_))) {
                assert!(Referee::new(&plain, 10_000).check(property, &claim).is_err());
                n_tried += 1;
            }
            assert!(Referee::new(&model, 10_000).check(Property::Deadlock, &claim).is_err());
        }
    }
    assert!(n_tried > 20, "{n_tried}");
}

/// A run that repeats is found in what was visited until a limit was met: nobody has to wait for a complete set.
#[test]
fn a_cycle_near_the_beginning_is_found_although_there_is_far_more() {
    let counts = |name: &str| format!("active proctype P{name}() {{ do :: {name}++ od }}\n");
    let counters: String = ["a", "b", "c", "d"].map(counts).concat();
    let text = format!(
        "byte a, b, c, d; bool done;\nltl answered {{ <> done }}\n{counters}active proctype Q() {{ b == 250; done = true }}
         bool e; active proctype R() {{ do :: e = !e od }}"
    );
    let loaded = queueproof::load("m.pml", text.as_bytes()).expect("it is a model");
    let options = queueproof::Options {
        properties: vec!["ltl:answered".to_owned()],
        engines: vec!["explore".to_owned(), "converge".to_owned(), "roam".to_owned()],
        time: None,
        states_max: 60_000,
        ..queueproof::Options::default()
    };
    let checked = queueproof::check(&loaded, &options, &options.budget());
    assert!(checked.errors.is_empty(), "{:?}", checked.errors);
    let property = &checked.report.properties[0];
    assert_eq!(property.verdict, queueproof::VerdictWord::Violated, "{}", property.message);
}

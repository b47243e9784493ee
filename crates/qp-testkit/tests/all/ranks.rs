//! Strategies on lag rows, on random systems: the engine and the referee against plain searches, and evidence that was
//! changed, or is about another system, against the referee.

#![allow(clippy::print_stdout, reason = "long runs say what they compared")]

use std::sync::Arc;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{Claim, LagSet, Proof, Rank};
use qp_engines::{Engine, Progress, Task, TaskLimits};
use qp_machines::{Happens, Model, Possible, Property};
use qp_testkit::growing::{Found, Kind, far, model, neighbour, random_text, search};
use qp_testkit::judge::through_text;
use qp_testkit::rng::Rng;

const PROPERTIES: [Property; 4] =
    [Property::Stuck, Property::Orphan, Property::Deadlock, Property::Unhandled];

fn task(model: &Model, properties: Vec<Property>) -> Task {
    let limits =
        TaskLimits { bound_max: 4, small_max: 100, evidence_max: 100_000, ..TaskLimits::default() };
    Task { model: model.clone(), properties, invariants: Vec::new(), limits }
}

fn claims(model: &Model) -> Vec<(Property, Claim)> {
    let task = task(model, PROPERTIES.to_vec());
    let answers = Progress::by_rows(task, &Budget::states(4_000));
    let holds = answers.claims.into_iter().filter(|it| matches!(it.claim, Claim::Holds(_)));
    holds.map(|answer| (answer.property, answer.claim)).collect()
}

fn ranks(claims: &[(Property, Claim)]) -> Vec<Arc<Rank>> {
    let rank = |it: &(Property, Claim)| match &it.1 {
        Claim::Holds(Proof::Rank(rank)) => Some(rank.clone()),
        _ => None,
    };
    claims.iter().filter_map(rank).collect()
}

fn is_accepted(model: &Model, property: Property, claim: &Claim) -> bool {
    let verdict = Referee::new(model, 1_000).check(property, claim);
    verdict.is_ok_and(|verdict| matches!(verdict.ruling(), Ruling::Proved(_)))
}

/// How many systems are tried of each kind: more if somebody asks for it.
fn n_seeds(usual: u64) -> u64 {
    std::env::var("QP_PROGRESS_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

fn compare(kind: Kind, usual: u64, least: usize) {
    let (mut n_proved, mut n_growing, mut n_systems, mut n_lag) = (0, 0, 0, 0);
    for seed in 0..n_seeds(usual) {
        let text = random_text(&mut Rng::new(seed), kind);
        let Some(model) = model(&text) else { continue };
        n_systems += 1;
        let proved = claims(&model);
        if proved.is_empty() {
            continue;
        }
        let mut system = model.system();
        let Some((searched, bound)) = far(&mut system, 4_000) else { continue };
        let grows = searched.cut.contains(&true);
        for (property, claim) in &proved {
            let found = searched.judge(&mut system, *property, bound.saturating_sub(4));
            assert_eq!(found, Found::Nothing, "seed {seed}, {property:?}, bound {bound}\n{text}");
            let claim = through_text(claim).expect("it can be written and read");
            let verdict = Referee::new(&model, 1_000).check(*property, &claim);
            let verdict = verdict.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            assert!(matches!(verdict.ruling(), Ruling::Proved(_)), "seed {seed}\n{text}");
            n_proved += 1;
            n_growing += usize::from(grows);
        }
        // The rows by themselves are a cover.
        for rank in ranks(&proved) {
            for property in [Property::Deadlock, Property::Unhandled] {
                let claim = Claim::Holds(Proof::Lag(rank.set.clone()));
                if is_accepted(&model, property, &claim) {
                    let found = searched.judge(&mut system, property, 0);
                    assert_eq!(found, Found::Nothing, "seed {seed}, {property:?}\n{text}");
                    n_lag += 1;
                }
            }
        }
    }
    println!(
        "{n_systems} systems, {n_proved} proved, {n_growing} of growing systems, {n_lag} by rows alone"
    );
    assert!(n_growing >= least, "{n_proved} proved, {n_growing} of growing systems");
}

#[test]
fn pairs_agree_with_plain_searches() {
    compare(Kind { pairs: true, defers: false, capacities: false }, 150, 15);
}

#[test]
fn mailboxes_agree_with_plain_searches() {
    compare(Kind { pairs: false, defers: false, capacities: false }, 150, 15);
}

#[test]
fn deferred_messages_agree_with_plain_searches() {
    compare(Kind { pairs: false, defers: true, capacities: false }, 150, 15);
}

#[test]
fn capacities_agree_with_plain_searches() {
    compare(Kind { pairs: true, defers: false, capacities: true }, 80, 5);
    compare(Kind { pairs: false, defers: true, capacities: true }, 80, 5);
}

/// What is to remain possible, by cores, by rows, and by runs behind which it never happens, against plain searches.
#[test]
fn possibilities_agree_with_plain_searches() {
    let (mut n_proved, mut n_violated) = (0, 0);
    for seed in 0..n_seeds(100) {
        let rng = &mut Rng::new(seed);
        let kind = Kind { pairs: seed % 2 == 0, defers: seed % 3 == 0, capacities: seed % 5 == 0 };
        let text = random_text(rng, kind);
        let Some(mut model) = model(&text) else { continue };
        for number in 0..3 {
            let what = match number {
                0 => Happens::Received(vec![format!("m{}", rng.below(2))]),
                _ => Happens::Control(format!("P{}", rng.below(2)), format!("S{}", rng.below(2))),
            };
            model.want(Possible { name: format!("w{number}"), what });
        }
        let properties: Vec<Property> = (0..3).map(Property::Possible).collect();
        let all = Progress.run(task(&model, properties.clone()), &Budget::states(4_000));
        let by_rows = Progress::by_rows(task(&model, properties), &Budget::states(4_000));
        let mut system = model.system();
        let Some((searched, bound)) = far(&mut system, 3_000) else { continue };
        for answer in all.claims.into_iter().chain(by_rows.claims) {
            let (property, claim) = (answer.property, through_text(&answer.claim));
            let claim = claim.expect("it can be written and read");
            let verdict = Referee::new(&model, 10_000).check(property, &claim);
            let verdict = verdict.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            let near = if matches!(claim, Claim::Holds(_)) { bound.saturating_sub(4) } else { 0 };
            let found = searched.judge(&mut system, property, near);
            match verdict.ruling() {
                Ruling::Proved(_) => {
                    assert_eq!(found, Found::Nothing, "seed {seed}, {property:?}\n{text}");
                    n_proved += 1;
                }
                Ruling::Violated { trace, .. } => {
                    let run = qp_check::replay(&mut system, &trace.steps);
                    let last = run.expect("it was just replayed").last().clone();
                    n_violated += 1;
                    let near = [6, 5, 4, 3].into_iter();
                    let mut searches =
                        near.filter_map(|it| search(&mut system, last.clone(), it, 3_000));
                    let Some(after) = searches.next() else { continue };
                    let again = after.happens_here(&system, property);
                    assert!(!again, "seed {seed}, {property:?}\n{text}");
                }
                _ => {}
            }
        }
    }
    println!("{n_proved} proved, {n_violated} violated");
    assert!(n_proved >= 50 && n_violated >= 50, "{n_proved} proved, {n_violated} violated");
}

/// One place of the rows changed.
fn mutate_rows(set: &mut LagSet, rng: &mut Rng) {
    if set.rows.is_empty() {
        return;
    }
    let n_contents = set.contents.len();
    match rng.below(8) {
        0 => {
            set.rows.remove(rng.below(set.rows.len()));
        }
        1 => {
            let row = rng.below(set.rows.len());
            let cell = rng.below(set.rows[row].len());
            set.rows[row][cell] = rng.below(4) as u32;
        }
        2 => set.contents[rng.below(n_contents)].behind.clear(),
        3 => set.contents[rng.below(n_contents)].front.clear(),
        4 => {
            let behind = &mut set.contents[rng.below(n_contents)].behind;
            if let Some(first) = behind.first_mut() {
                first.1 = rng.below(3) as u32;
            }
        }
        5 => {
            let front = &mut set.contents[rng.below(n_contents)].front;
            if let Some(first) = front.first_mut() {
                *first = rng.below(3) as u32;
            }
        }
        6 => {
            let at = rng.below(set.prefixes.len());
            set.prefixes[at] = rng.below(3) as u32;
        }
        _ => {
            let machine = rng.below(set.machines.len());
            let transitions = &mut set.machines[machine].transitions;
            if !transitions.is_empty() {
                transitions.remove(rng.below(transitions.len()));
            }
        }
    }
}

/// One place of a strategy changed.
fn mutate_goals(rank: &mut Rank, rng: &mut Rng) {
    if rank.goals.is_empty() {
        return;
    }
    let goal = rng.below(rank.goals.len());
    if rng.percent(10) {
        rank.goals.remove(goal);
        return;
    }
    let stages = &mut rank.goals[goal].stages;
    if stages.is_empty() {
        return;
    }
    let at = rng.below(stages.len());
    let n_rows = rank.set.rows.len();
    match rng.below(7) {
        0 => {
            stages.remove(at);
        }
        1 => stages.swap(0, at),
        2 if !stages[at].weights.is_empty() => {
            let number = rng.below(stages[at].weights.len());
            stages[at].weights[number].2 = rng.below(3) as u32;
        }
        kind if !stages[at].steps.is_empty() => {
            let number = rng.below(stages[at].steps.len());
            let step = &mut stages[at].steps[number];
            match kind {
                3 => step.potential = rng.below(4) as u32,
                4 => step.machine = rng.below(4) as u32,
                5 => step.transition = rng.below(4) as u32,
                6 => step.row = rng.below(n_rows + 1) as u32,
                _ => {
                    stages[at].steps.remove(number);
                }
            }
        }
        _ => {}
    }
}

/// Evidence that was changed, about the system itself and about one that differs a little, is accepted only where a
/// plain search finds nothing wrong.
#[test]
fn changed_strategies_prove_nothing_false() {
    let (mut n_tried, mut n_accepted, mut n_false) = (0, 0, 0);
    for seed in 0..n_seeds(100) {
        let rng = &mut Rng::new(seed);
        let kind = Kind { pairs: seed % 2 == 0, defers: seed % 3 == 0, capacities: seed % 5 == 0 };
        let text = random_text(rng, kind);
        let Some(own) = model(&text) else { continue };
        let ranks = ranks(&claims(&own));
        let Some(rank) = ranks.iter().max_by_key(|it| it.goals.len()) else { continue };
        if rank.set.rows.len() > 400 {
            continue;
        }
        for turn in 0..4 {
            let other = if turn == 0 { text.clone() } else { neighbour(&text, rng) };
            let Some(other) = model(&other) else { continue };
            let mut system = other.system();
            let Some((searched, _)) = far(&mut system, 1_500) else { continue };
            let found = PROPERTIES.map(|it| searched.judge(&mut system, it, 0));
            for _ in 0..6 {
                let mut changed = (**rank).clone();
                for _ in 0..rng.below(3) {
                    if rng.percent(40) {
                        mutate_rows(Arc::make_mut(&mut changed.set), rng);
                    } else {
                        mutate_goals(&mut changed, rng);
                    }
                }
                let lag = Claim::Holds(Proof::Lag(changed.set.clone()));
                let rank = Claim::Holds(Proof::Rank(Arc::new(changed)));
                for (property, found) in PROPERTIES.into_iter().zip(found) {
                    for claim in [&rank, &lag] {
                        n_tried += 1;
                        n_false += usize::from(found == Found::Refuted);
                        if is_accepted(&other, property, claim) {
                            n_accepted += 1;
                            assert_ne!(found, Found::Refuted, "seed {seed}, {property:?}\n{text}");
                        }
                    }
                }
            }
        }
    }
    println!("{n_tried} tried, {n_false} false, {n_accepted} accepted");
    assert!(n_tried > 2_000 && n_false > 500, "{n_tried} tried, {n_false} false");
    assert!(n_accepted > 10, "{n_accepted} accepted: nothing was tested");
}

/// The sum of what is underway grows with each round of A and never falls: there is no finite set that can be reached from
/// everywhere, and still everybody can always move.
#[test]
fn a_system_without_a_core() {
    let text = "queues peer-to-peer;
machine A { init S0: send B a -> S1  S1: send B a -> S2  S2: recv B b -> S0 }
machine B { init S0: send A b -> S1  S1: recv A a -> S0 }";
    let model = model(text).expect("it is a model");
    let proved: Vec<Property> = claims(&model).into_iter().map(|it| it.0).collect();
    assert!(PROPERTIES.iter().all(|it| proved.contains(it)), "{proved:?}");
}

//! Searches of random P programs that leave some orders of steps out: mailboxes, creation, deferred events, `on null`,
//! halting and specs.

use std::collections::BTreeMap;
use std::sync::Arc;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{Claim, ClosedSet, Proof, ReducedSet};
use qp_engines::{Answers, Engine, Explore, Task, TaskLimits};
use qp_machines::{MachineId, Model, Property};
use qp_testkit::p_make;

const ASKED: [Property; 4] =
    [Property::Assert, Property::Unhandled, Property::Divergence, Property::Deadlock];

fn search(model: &Model, reduce: bool) -> Answers {
    let limits = TaskLimits {
        bound_max: 2,
        exhaustive: true,
        small_max: 100_000,
        evidence_max: 100_000,
        reduce,
        ..TaskLimits::default()
    };
    let properties = ASKED.to_vec();
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    Explore.run(task, &Budget::states(3_000))
}

fn words(model: &Model, answers: &Answers, text: &str) -> Vec<&'static str> {
    let mut referee = Referee::new(model, 1_000_000);
    let mut word = |answer: &qp_engines::Answer| {
        let verdict = referee.check(answer.property, &answer.claim);
        match verdict.unwrap_or_else(|why| panic!("{why}\n{text}")).ruling() {
            Ruling::Proved(_) => "proved",
            Ruling::Violated { .. } => "violated",
            Ruling::Searched { .. } | Ruling::Unknown(_) => "unknown",
        }
    };
    answers.claims.iter().map(&mut word).collect()
}

fn figure(answers: &Answers, name: &str) -> u64 {
    answers.detail.iter().find(|detail| detail.0 == name).map_or(0, |detail| detail.1)
}

fn model(text: &str) -> Model {
    let (model, said) = qp_load::load("m.p", text);
    model.unwrap_or_else(|| panic!("{said:?}\n{text}"))
}

/// `QP_SEEDS` says how many programs are compared.
#[test]
fn nothing_that_survives_is_missed_in_random_p_programs() {
    let n = std::env::var("QP_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(400);
    let (mut met, mut n_full, mut n_less, mut n_compared) = (BTreeMap::new(), 0, 0, 0);
    for seed in 0..n {
        let text = p_make::program(seed);
        let model = model(&text);
        let (full, less) = (search(&model, false), search(&model, true));
        let found = words(&model, &less, &text);
        if full.spent.is_some() {
            continue;
        }
        n_compared += 1;
        n_full += figure(&full, "states");
        n_less += figure(&less, "states");
        for (property, (expected, found)) in
            ASKED.iter().zip(words(&model, &full, &text).into_iter().zip(found))
        {
            // Queues that grow without end need not grow where orders are left out.
            let fits = expected == found || (expected == "unknown" && found == "proved");
            assert!(fits, "seed {seed} {property:?}: {expected}, {found}\n{text}");
            if figure(&less, "reduced") > 0 {
                *met.entry(format!("{property:?} {found}")).or_insert(0) += 1;
            }
        }
    }
    println!("{n_compared} compared, {n_full} to {n_less} configurations; {met:?}");
    assert!(n_compared > n / 4 && n_less * 3 < n_full * 2, "{n_compared}, {n_full}, {n_less}");
    for what in ["Assert violated", "Assert proved", "Unhandled violated", "Deadlock proved"] {
        assert!(met.get(what).is_some_and(|&n| n > 10), "{what}: {met:?}");
    }
}

/// A set with its model in which several machines go first somewhere.
fn sample() -> (Model, ReducedSet) {
    for seed in 0.. {
        let model = model(&p_make::program(seed));
        let answers = search(&model, true);
        let set = answers.claims.iter().find_map(|answer| match &answer.claim {
            Claim::Holds(Proof::Reduced(set)) => Some(set.clone()),
            _ => None,
        });
        let Some(set) = set else { continue };
        let several = |it: &Option<Vec<MachineId>>| it.as_ref().is_some_and(|it| it.len() > 1);
        if set.machines.iter().filter(|it| several(it)).count() > 3 && set.machines.len() > 40 {
            return (model, (*set).clone());
        }
    }
    unreachable!("some program has such a set")
}

/// The claim is about divergence, which has no faults here: what is refused is the set.
fn is_refused(model: &Model, set: ReducedSet) -> bool {
    let claim = Claim::Holds(Proof::Reduced(Arc::new(set)));
    Referee::new(model, 1_000_000).check(Property::Divergence, &claim).is_err()
}

#[test]
fn a_machine_may_not_be_dropped_from_those_who_go_first() {
    let (model, set) = sample();
    assert!(!is_refused(&model, set.clone()));
    let (mut n, mut n_refused) = (0, 0);
    for row in 0..set.machines.len() {
        let Some(first) = set.machines[row].clone().filter(|it| it.len() > 1) else { continue };
        for number in 0..first.len() {
            let mut fewer = set.clone();
            let mut left = first.clone();
            left.remove(number);
            fewer.machines[row] = Some(left);
            n += 1;
            n_refused += usize::from(is_refused(&model, fewer));
        }
    }
    // A set to which one was added so that nobody waits for ever may do without another.
    assert!(n > 6 && n_refused * 10 >= n * 9, "{n_refused} of {n}");
}

#[test]
fn other_sets_of_machines_and_missing_rows_are_refused() {
    let (model, set) = sample();
    let mut nobody = set.clone();
    let reduced = set.machines.iter().position(Option::is_some).expect("it is reduced");
    nobody.machines[reduced] = Some(Vec::new());
    assert!(is_refused(&model, nobody));
    let (width, n) = (set.set.width(), set.machines.len());
    let mut n_refused = 0;
    for row in 1..n {
        let mut less = set.clone();
        let mut rows: ClosedSet = (*set.set).clone();
        rows.cells.drain(row * width..(row + 1) * width);
        less.set = Arc::new(rows);
        less.machines.remove(row);
        n_refused += usize::from(is_refused(&model, less));
    }
    assert_eq!(n_refused, n - 1);
}

//! Proofs for every queue length with what was reached kept one by one and as decision diagrams: the same claims, and the
//! same figures at each queue length.

use qp_base::Budget;
use qp_check::Referee;
use qp_claim::{Claim, ListSet, Proof};
use qp_engines::{Answers, Converge, Engine, Lists, Sets, Task, TaskLimits};
use qp_machines::{Model, Property};
use qp_testkit::compare::loaded;
use qp_testkit::corpus::cases;
use qp_testkit::crowd::Crowd;
use qp_testkit::make;

fn converge(model: &Model, sets: Sets, figures: bool) -> Answers {
    let limits = TaskLimits {
        bound_max: 3,
        queues: true,
        small_max: 500,
        evidence_max: 1_000,
        lists: Lists { figures, ..Lists::default() },
        sets,
        ..TaskLimits::default()
    };
    let mut properties =
        vec![Property::Assert, Property::Unhandled, Property::Deadlock, Property::Divergence];
    properties.extend((0..model.outline().bad.len()).map(Property::Reach));
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    Converge.run(task, &Budget::states(20_000))
}

/// Everything that does not depend on how sets are kept.
fn told(model: &Model, answers: &Answers) -> Vec<String> {
    let mut referee = Referee::new(model, 10_000);
    let mut told = Vec::new();
    for answer in &answers.claims {
        let word = match &answer.claim {
            Claim::Holds(Proof::Lists(set)) => {
                // Invariants are tried in the order in which messages were met.
                let mut set = ListSet::clone(set);
                set.invariants.sort_by_key(|invariant| format!("{invariant:?}"));
                format!("holds {set:?}")
            }
            Claim::Holds(proof) => format!("holds {proof:?}"),
            Claim::Violated(trace) => {
                let verdict = referee.check(answer.property, &answer.claim);
                assert!(verdict.is_ok(), "{:?}: {verdict:?}", answer.property);
                format!("violated in {}", trace.steps.len())
            }
            Claim::GaveUp(reason) => format!("unknown {reason:?}"),
        };
        told.push(format!("{:?} {word} {:?}", answer.property, answer.figures));
    }
    told.push(format!("{:?} {:?}", answers.bounds, answers.blurred));
    let mut invariants: Vec<String> =
        answers.invariants.iter().map(|invariant| format!("{invariant:?}")).collect();
    invariants.sort();
    told.push(format!("{invariants:?}"));
    let detail = answers.detail.iter().filter(|detail| detail.0 != "bytes");
    told.push(format!("{:?}", detail.collect::<Vec<_>>()));
    told
}

/// Compares the ways to keep sets; says at how many bounds what looks different was counted.
fn compare(name: &str, model: &Model, kinds: &[Sets]) -> usize {
    let plain = converge(model, Sets::Explicit, false);
    // Diagrams go further than a search that stops because there are many.
    if plain.spent.is_some() || plain.bounds.last().is_none_or(|last| last.states > 1_500) {
        return 0;
    }
    let complete = plain.bounds.last().is_some_and(|last| last.bound == 3);
    let expected = told(model, &plain);
    for &sets in kinds {
        let answers = converge(model, sets, false);
        if complete || answers.bounds.len() == plain.bounds.len() {
            for (told, expected) in told(model, &answers).iter().zip(&expected) {
                assert_eq!(told, expected, "{name} with {sets:?}");
            }
        } else {
            assert!(answers.bounds.starts_with(&plain.bounds), "{name} with {sets:?}");
            assert!(answers.blurred.starts_with(&plain.blurred), "{name} with {sets:?}");
        }
    }
    plain.blurred.len()
}

const BOTH: [Sets; 2] = [Sets::Symbolic, Sets::Forgetful];
/// Goes over in the middle, or tries to.
const OVER: [Sets; 2] = [
    Sets::Auto { from: 20, fewer_from: usize::MAX },
    Sets::Auto { from: 100, fewer_from: usize::MAX },
];

#[test]
fn random_systems() {
    let mut n_bounds = 0;
    for seed in 0..600 {
        let net = make::net(seed);
        let model = loaded(&net).expect("random systems are well-formed").model;
        let name = format!("seed {seed}\n{}", net.text());
        let kinds = if seed % 5 == 0 { &BOTH[..] } else { &BOTH[..1] };
        n_bounds += compare(&name, &model, kinds);
        compare(&name, &model, &OVER);
    }
    assert!(n_bounds > 500, "{n_bounds}");
}

#[test]
fn machines_that_create_each_other() {
    let mut n_bounds = 0;
    for seed in 0..120 {
        let model = Crowd::new(seed, true).model();
        let name = format!("crowd {seed}");
        n_bounds += compare(&name, &model, &BOTH[..1]);
        compare(&name, &model, &OVER);
    }
    assert!(n_bounds > 50, "{n_bounds}");
}

#[test]
fn the_corpus() {
    let mut n_bounds = 0;
    for case in cases() {
        let case = case.expect("the corpus is well-formed");
        let model = &case.loaded.model;
        n_bounds += compare(
            &case.name,
            model,
            &[Sets::Symbolic, Sets::Auto { from: 100, fewer_from: usize::MAX }],
        );
    }
    assert!(n_bounds > 50, "{n_bounds}");
}

/// Figures are wanted, and there is no limit but the budget: both ways get through all bounds.
#[test]
fn figures_of_the_corpus() {
    let mut n_compared = 0;
    for case in cases() {
        let case = case.expect("the corpus is well-formed");
        let model = &case.loaded.model;
        let plain = converge(model, Sets::Explicit, true);
        if plain.spent.is_some() || plain.blurred.is_empty() {
            continue;
        }
        for sets in [Sets::Symbolic, Sets::Auto { from: 200, fewer_from: usize::MAX }] {
            let answers = converge(model, sets, true);
            let bounds = &answers.bounds[..answers.bounds.len().min(plain.bounds.len())];
            assert!(plain.bounds.starts_with(bounds), "{}", case.name);
            assert_eq!(answers.blurred, plain.blurred, "{} with {sets:?}", case.name);
        }
        n_compared += 1;
    }
    assert!(n_compared > 20, "{n_compared}");
}

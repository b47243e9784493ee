//! Searches that leave some orders of steps out: what they find, and what the referee makes of their evidence.

use std::collections::BTreeMap;
use std::sync::Arc;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{
    CertificateFile, Claim, ClosedSet, Proof, ReducedSet, read_certificate, write_certificate,
};
use qp_engines::{Answers, Engine, Explore, Lists, Task, TaskLimits};
use qp_machines::{MachineId, Model, Property};
use qp_testkit::pageant::Pageant;

const PROPERTIES: [Property; 3] = [Property::Assert, Property::Divergence, Property::Deadlock];
const STATES_MAX: u64 = 20_000;

fn search(model: &Model, properties: &[Property], reduce: bool, jobs: usize) -> Answers {
    let limits = TaskLimits {
        bound_first: 1,
        bound_max: 3,
        jobs,
        exhaustive: true,
        queues: false,
        small_max: 100_000,
        evidence_max: 100_000,
        walk_steps_max: 0,
        lists: Lists::default(),
        reduce,
    };
    let properties = properties.to_vec();
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    Explore.run(task, &Budget::states(STATES_MAX))
}

fn figure(answers: &Answers, name: &str) -> u64 {
    answers.detail.iter().find(|detail| detail.0 == name).map_or(0, |detail| detail.1)
}

/// The verdicts of the referee, each as a word. Evidence that is refused fails the test.
fn words(model: &Model, answers: &Answers, seed: &str) -> Vec<&'static str> {
    let mut referee = Referee::new(model, 1_000_000);
    let mut word = |property, claim: &Claim| {
        let verdict = referee.check(property, claim);
        let verdict = verdict.unwrap_or_else(|rejected| panic!("{seed} {property:?}: {rejected}"));
        match verdict.ruling() {
            Ruling::Proved(_) => "proved",
            Ruling::Violated { .. } => "violated",
            Ruling::Unknown(_) => "unknown",
        }
    };
    answers.claims.iter().map(|answer| word(answer.property, &answer.claim)).collect()
}

/// The reduced set behind a claim, if there is one.
fn reduced(answers: &Answers) -> Option<Arc<ReducedSet>> {
    answers.claims.iter().find_map(|answer| match &answer.claim {
        Claim::Holds(Proof::Reduced(set)) => Some(set.clone()),
        _ => None,
    })
}

#[test]
fn nothing_that_survives_is_missed_in_random_programs() {
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    let (mut n_compared, mut n_smaller) = (0, 0);
    for seed in 0..4000 {
        let model = Pageant::discreet(seed, seed % 4 > 0).model();
        let (full, less) =
            (search(&model, &PROPERTIES, false, 1), search(&model, &PROPERTIES, true, 1));
        let name = format!("seed {seed}");
        let found = words(&model, &less, &name);
        if full.spent.is_some() {
            continue;
        }
        n_compared += 1;
        assert_eq!(found, words(&model, &full, &name), "{name}");
        assert_eq!(figure(&less, "complete"), figure(&full, "complete"), "{name}");
        let (n_full, n_less) = (figure(&full, "states"), figure(&less, "states"));
        assert!(n_less <= n_full, "{name}");
        n_smaller += usize::from(n_less * 2 < n_full && n_full > 20);
        if figure(&less, "reduced") > 0 {
            for (property, word) in PROPERTIES.iter().zip(found) {
                *met.entry(format!("{property:?} {word}")).or_default() += 1;
            }
        }
    }
    println!("{n_compared} compared, {n_smaller} less than half as large; {met:?}");
    assert!(n_compared > 1000 && n_smaller > 100, "the test is not vacuous");
    for property in PROPERTIES {
        for word in ["proved", "violated"] {
            let n = met.get(&format!("{property:?} {word}")).copied().unwrap_or(0);
            assert!(n > 20, "{property:?} is {word} {n} times in what was reduced");
        }
    }
}

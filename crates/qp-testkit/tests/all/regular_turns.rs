//! The engine `regular` on programs whose steps are turns: what it says against the plain step function.

use std::collections::BTreeMap;

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::{Claim, Proof};
use qp_engines::{Engine, Regular, Task, TaskLimits};
use qp_machines::{Model, Property};
use qp_promela::Granularity;
use qp_testkit::brute::{reach, violates};
use qp_testkit::judge::through_text;
use qp_testkit::languages::Members;
use qp_testkit::pageant::Pageant;
use qp_testkit::promela::{make, ours};

const PROPERTIES: [Property; 5] = [
    Property::Assert,
    Property::Divergence,
    Property::Deadlock,
    Property::Bounded,
    Property::Reach(0),
];

fn claims(model: &Model) -> Vec<(Property, Claim)> {
    let limits = TaskLimits {
        bound_max: 3,
        small_max: 10_000,
        evidence_max: 10_000,
        ..TaskLimits::default()
    };
    let mut properties = PROPERTIES.to_vec();
    properties
        .retain(|property| *property != Property::Reach(0) || !model.outline().bad.is_empty());
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    let answers = Regular.run(task, &Budget::states(2_000));
    answers.claims.into_iter().map(|answer| (answer.property, answer.claim)).collect()
}

/// How often something was said.
type Said = BTreeMap<String, usize>;

/// The referee accepts what the engine says, and nothing that can be reached contradicts it.
fn check(name: &str, model: &Model, said: &mut Said) {
    let (mut system, mut referee) = (model.system(), Referee::new(model, 10_000));
    let mut reached = None;
    for (property, claim) in claims(model) {
        let claim = through_text(&claim).expect("it can be written");
        let verdict = referee.check(property, &claim);
        let verdict = verdict.unwrap_or_else(|why| panic!("{name}: {property:?}: {why}"));
        let word = match verdict.ruling() {
            Ruling::Proved(_) => "proved",
            Ruling::Violated { .. } => "violated",
            Ruling::Searched { .. } | Ruling::Unknown(_) => "unknown",
        };
        *said.entry(format!("{word} {property:?}")).or_default() += 1;
        let Claim::Holds(Proof::Regular(set)) = &claim else { continue };
        let reached =
            reached.get_or_insert_with(|| reach(&mut system, &[], 4, 400).configs.clone());
        let members = Members::new(set);
        for config in reached.iter() {
            assert!(members.contains(&system, config), "{name}: {property:?}: {config:?}");
            let outcomes = system.successors(config);
            let wrong = violates(&mut system, property, config, &outcomes);
            assert!(!wrong, "{name}: {property:?} is violated in {config:?}");
        }
    }
}

fn count(said: &Said, word: &str) -> usize {
    said.iter().filter(|(key, _)| key.starts_with(word)).map(|(_, n)| n).sum()
}

#[test]
fn what_is_said_about_pageants_is_true() {
    let mut said = Said::new();
    for seed in 0..800 {
        let pageant = if seed % 2 == 0 { Pageant::new } else { Pageant::discreet };
        check(&format!("seed {seed}"), &pageant(seed, seed % 3 == 0).model(), &mut said);
    }
    assert!(count(&said, "proved") > 200 && count(&said, "violated") > 100, "{said:?}");
}

#[test]
fn what_is_said_about_promela_models_is_true() {
    let (mut said, mut n) = (Said::new(), 0);
    for seed in 0..100 {
        let text = make::model(seed, make::Wanted::Safety);
        let Ok(model) = ours::model(&text, Granularity::Statement) else { continue };
        n += usize::from(model.system().program_mut().as_moves().is_none());
        check(&format!("seed {seed}"), &model, &mut said);
    }
    assert!(n > 50, "{n}");
    assert!(count(&said, "proved") > 30 && count(&said, "violated") > 5, "{said:?}");
}

//! The two wrong ways to prove something for every queue length, on the models of the corpus that show them.

use qp_base::Budget;
use qp_claim::Claim;
use qp_engines::{Answers, Converge, Engine, Lists, Standing, Stated, Task, TaskLimits};
use qp_machines::{Model, Property, Qutl};
use qp_testkit::corpus::{Case, cases};

fn case(name: &str) -> Case {
    let mut all = cases().into_iter().flatten();
    all.find(|case| case.name == name).expect("the corpus has it")
}

fn converge(model: &Model, properties: &[Property], lists: Lists, stated: &[Stated]) -> Answers {
    let limits = TaskLimits {
        bound_max: 9,
        small_max: 20_000,
        evidence_max: 20_000,
        lists,
        ..TaskLimits::default()
    };
    let (model, properties) = (model.clone(), properties.to_vec());
    let task = Task { model, properties, invariants: stated.to_vec(), limits };
    Converge.run(task, &Budget::states(100_000))
}

const COARSEST: Lists = Lists { prefix: Some(0), counted: Some(0), suggest: false, figures: true };

/// The least closed set has two more, which cannot be reached: so there is a proof, and no bound at which
/// everything was seen.
fn no_convergence(answers: &Answers) {
    assert!(answers.detail.contains(&("abstract_states", 13)), "{:?}", answers.detail);
    assert!(answers.detail.iter().all(|it| it.0 != "k_max"), "{:?}", answers.detail);
}

/// Without the bound 0, at which there is only the beginning.
#[test]
fn nobody_stops_at_a_plateau() {
    let model = case("cfsm/plateau.cfsm").loaded.model;
    let answers = converge(&model, &[Property::Deadlock], COARSEST, &[]);
    assert!(matches!(answers.claims[0].claim, Claim::Holds(_)), "{answers:?}");
    assert_eq!(answers.blurred, [2, 3, 8, 8, 11, 11, 11, 11, 11]);
    no_convergence(&answers);
}

/// The published negation of "next" discards what follows the plateau.
#[test]
fn not_next_discards_nothing_that_is_reachable() {
    let model = case("cfsm/plateau_idle.cfsm").loaded.model;
    let formula = Qutl::parse("!X a", 0).expect("it is a formula");
    let stated = [Stated { about: "Idle".to_owned(), formula }];
    let answers = converge(&model, &[Property::Deadlock], COARSEST, &stated);
    assert!(matches!(answers.claims[0].claim, Claim::Holds(_)), "{answers:?}");
    assert_eq!(answers.blurred, [2, 3, 8, 8, 11, 11, 11, 11, 11]);
    no_convergence(&answers);
    assert_eq!(answers.invariants[0].standing, Standing::Proved);
}

/// In every view it is found what two sends in a row lead to.
#[test]
fn two_sends_in_a_row_are_not_missed() {
    let bad = [("cfsm/double_send.cfsm", Property::Reach(0))];
    let program = [("p/features/double_send.p", Property::Assert)];
    for (name, property) in bad.into_iter().chain(program) {
        let model = case(name).loaded.model;
        for (prefix, counted) in [(None, None), (Some(0), Some(0)), (Some(2), Some(0))] {
            let lists = Lists { prefix, counted, suggest: true, figures: true };
            let answers = converge(&model, &[property, Property::Deadlock], lists, &[]);
            assert!(matches!(answers.claims[0].claim, Claim::Violated(_)), "{name}: {answers:?}");
            assert!(matches!(answers.claims[1].claim, Claim::Holds(_)), "{name}: {answers:?}");
        }
    }
}

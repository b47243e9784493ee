//! Sets of lists from the corpus, broken: the referee must refuse what is not true any more.

use std::sync::Arc;

use qp_base::Budget;
use qp_check::Referee;
use qp_claim::{Claim, ListSet, Proof};
use qp_engines::{Converge, Engine, Lists, Task, TaskLimits};
use qp_machines::{Config, Model, Property, System};
use qp_testkit::brute::{Sight, reach, said};
use qp_testkit::corpus::{Case, cases};
use qp_testkit::mutate;
use qp_testkit::rng::Rng;

const MODELS: [&str; 14] = [
    "p/ping_flood.p",
    "p/german_1.p",
    "p/elevator_fixed.p",
    "p/token_ring_fixed.p",
    "cfsm/ping_flood.cfsm",
    "cfsm/bb_fig2_flood.cfsm",
    "cfsm/plateau.cfsm",
    "cfsm/plateau_idle.cfsm",
    "cfsm/producer_consumer.cfsm",
    "cfsm/defer_reorder.cfsm",
    "cfsm/lossy_abp.cfsm",
    "cfsm/elevator_timer.cfsm",
    "cfsm/failover.cfsm",
    "cfsm/capacity_drop.cfsm",
];
/// Of larger sets only some mutants are checked.
const ROWS_MAX: usize = 400;

/// A set with the property that it was made for.
struct Original {
    property: Property,
    set: Arc<ListSet>,
}

/// Sets of several views, with and without invariants, each once.
fn originals(model: &Model) -> Vec<Original> {
    let views = [(None, None), (Some(0), Some(0)), (Some(1), Some(0)), (Some(2), Some(1))];
    let mut all: Vec<Original> = Vec::new();
    for (prefix, counted) in views {
        for suggest in [true, false] {
            let lists = Lists { prefix, counted, suggest, figures: false };
            for found in sets(model, lists) {
                if !all.iter().any(|known| known.set == found.set) {
                    all.push(found);
                }
            }
        }
    }
    all
}

fn sets(model: &Model, lists: Lists) -> Vec<Original> {
    let limits = TaskLimits {
        bound_max: 4,
        small_max: 2_000,
        evidence_max: 10_000,
        lists,
        ..TaskLimits::default()
    };
    let mut properties = vec![Property::Assert, Property::Unhandled, Property::Deadlock];
    properties.extend((0..model.outline().bad.len()).map(Property::Reach));
    let (model, invariants) = (model.clone(), Vec::new());
    let task = Task { model, properties, invariants, limits };
    let answers = Converge.run(task, &Budget::states(200_000));
    let original = |answer: qp_engines::Answer| match answer.claim {
        Claim::Holds(Proof::Lists(set)) => Some(Original { property: answer.property, set }),
        _ => None,
    };
    answers.claims.into_iter().filter_map(original).collect()
}

fn accepts(model: &Model, property: Property, set: ListSet) -> bool {
    let claim = Claim::Holds(Proof::Lists(Arc::new(set)));
    Referee::new(model, usize::MAX).check(property, &claim).is_ok()
}

/// What makes a set true, told without the referee.
struct Truth {
    system: System,
    /// What is reached with short queues.
    reached: Vec<Config>,
}

impl Truth {
    fn new(case: &Case) -> Self {
        let mut system = case.loaded.model.system();
        let reached = reach(&mut system, &[], 5, 3_000).configs;
        Self { system, reached }
    }

    /// Everything reached looks like a row and satisfies the invariants.
    fn problem(&self, set: &ListSet) -> Option<String> {
        let mut sight = Sight::new(set);
        self.reached.iter().find_map(|config| {
            if sight.row(&self.system, config).is_none() {
                return Some(format!("{config:?} is missing"));
            }
            sight.broken(&self.system, config)
        })
    }
}

#[test]
fn no_broken_set_of_lists_is_accepted() {
    let mut rng = Rng::new(41);
    let (mut n_sets, mut n_mutants, mut n_true) = (0, 0, 0);
    let wanted = |case: &Case| MODELS.contains(&case.name.as_str());
    for case in cases().into_iter().flatten().filter(wanted) {
        let (model, truth) = (&case.loaded.model, Truth::new(&case));
        let before = n_mutants;
        for Original { property, set } in originals(model) {
            assert!(accepts(model, property, (*set).clone()), "{}: {property:?}", case.name);
            n_sets += 1;
            let (whole, most) = (said(&set), if set.set.len() > 60 { 6 } else { 25 });
            let large = set.set.len() > ROWS_MAX;
            for mutant in mutate::lists(&set, &mut rng, most) {
                if large && !rng.percent(10) {
                    continue;
                }
                n_mutants += 1;
                if !accepts(model, property, mutant.it.clone()) {
                    continue;
                }
                n_true += 1;
                let about =
                    format!("{} {property:?}: accepted although {}", case.name, mutant.what);
                assert_eq!(truth.problem(&mutant.it), None, "{about}");
                // The set of the engine is the least one of its kind.
                let kind = |set: &ListSet| (set.prefix, set.counted, set.invariants.clone());
                let same = kind(&mutant.it) == kind(&set);
                assert!(!same || said(&mutant.it).is_superset(&whole), "{about}");
            }
        }
        println!("{}: {} mutants", case.name, n_mutants - before);
        assert!(n_mutants > before, "{}: there is no set to break", case.name);
    }
    println!("{n_sets} sets, {n_mutants} mutants, {n_true} still true");
    assert!(n_sets > 40 && n_mutants > 5_000, "{n_sets} sets, {n_mutants} mutants");
    assert!(n_true * 4 < n_mutants, "{n_true} of {n_mutants} are still true");
}

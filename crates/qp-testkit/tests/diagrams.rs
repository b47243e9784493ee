//! Closed sets as decision diagrams: they prove what their rows prove, and broken ones prove nothing else.

use std::sync::Arc;

use qp_base::Budget;
use qp_check::Referee;
use qp_claim::{Claim, ClosedSet, DiagramSet, Proof};
use qp_engines::{Engine, Explore, Lists, Sets, Task, TaskLimits};
use qp_machines::{Model, Property, QueueId};
use qp_testkit::compare::loaded;
use qp_testkit::corpus::cases;
use qp_testkit::diagrams::{broken, levels, of_closed, rows};
use qp_testkit::judge::through_text;
use qp_testkit::lazy::Lazy;
use qp_testkit::make;
use qp_testkit::mutate::said;
use qp_testkit::rng::Rng;

fn claim(set: DiagramSet) -> Claim {
    Claim::Holds(Proof::Diagram(Arc::new(set)))
}

fn properties(model: &Model) -> Vec<Property> {
    let mut all = vec![Property::Assert, Property::Unhandled, Property::Deadlock];
    all.extend((0..model.outline().bad.len()).map(Property::Reach));
    let queues = (0..model.outline().queues.len()).map(QueueId::new);
    all.extend(queues.flat_map(|queue| [1, 2].map(|bound| Property::Length(queue, bound))));
    all.push(Property::Bounded);
    all
}

fn limits(sets: Sets, evidence_max: usize) -> TaskLimits {
    TaskLimits {
        bound_first: 1,
        bound_max: 4,
        jobs: 1,
        reduce: false,
        exhaustive: true,
        queues: true,
        small_max: 2_000,
        evidence_max,
        walk_steps_max: 0,
        lists: Lists::default(),
        sets,
        order: qp_engines::Order::default(),
    }
}

/// The set of everything that is reachable, if queues stay short.
fn everything(model: &Model, most: usize) -> Option<Arc<ClosedSet>> {
    let limits = limits(Sets::Explicit, most);
    let (model, properties) = (model.clone(), vec![Property::Bounded]);
    let task = Task { model, properties, invariants: Vec::new(), limits };
    let mut answers = Explore.run(task, &Budget::states(20_000));
    match answers.claims.remove(0).claim {
        Claim::Holds(Proof::Closed(set)) => Some(set),
        _ => None,
    }
}

/// What is refused for what it is, and not because of what it says.
fn outside(why: &str) -> bool {
    const FRAGMENT: [&str; 9] = [
        "a turn may look",
        "looks at a queue of another level",
        "takes from a queue of another level",
        "waits until nothing else",
        "lost, handed over or sorted in",
        "machines come and go",
        "depends on room",
        "changes more than its level",
        "nobody knows",
    ];
    FRAGMENT.iter().any(|known| why.contains(known))
}

/// What became of comparing one set.
#[derive(Default, Debug)]
struct Tally {
    compared: usize,
    outside: usize,
    weaker: usize,
    broken: usize,
    still_true: usize,
}

impl Tally {
    /// A diagram proves what its rows prove, and nothing else; where sends wait for room it may prove less.
    fn compare(&mut self, name: &str, model: &Model, set: &Arc<ClosedSet>, rng: &mut Rng) {
        let Some(diagram) = of_closed(set, &levels(model.outline(), set, rng)) else { return };
        assert_eq!(said(&rows(&diagram)), said(set), "{name}: the diagram is another set");
        let closed = Claim::Holds(Proof::Closed(set.clone()));
        let written = through_text(&claim(diagram.clone())).expect("it can be written");
        let (mut plain, mut drawn) = (Referee::new(model, 10_000), Referee::new(model, 10_000));
        for property in properties(model) {
            let expected = plain.check(property, &closed).is_ok();
            match drawn.check(property, &written) {
                Ok(_) => assert!(expected, "{name}: {property:?} is proved"),
                Err(rejected) if outside(&rejected.0) => {
                    self.outside += 1;
                    return;
                }
                Err(rejected) if expected => {
                    assert_eq!(property, Property::Deadlock, "{name}: {rejected}");
                    self.weaker += 1;
                }
                Err(_) => {}
            }
        }
        for property in [Property::Stuck, Property::Orphan, Property::Livelock, Property::Sync] {
            assert!(drawn.check(property, &written).is_err(), "{name}: {property:?}");
        }
        self.compared += 1;
        self.break_it(name, model, &diagram, rng);
    }

    /// The set is exactly what is reachable: what lacks one of its configurations proves nothing.
    fn break_it(&mut self, name: &str, model: &Model, diagram: &DiagramSet, rng: &mut Rng) {
        let original = said(&rows(diagram));
        for mutant in broken(diagram, rng, 30) {
            self.broken += 1;
            let whole = said(&rows(&mutant.it)).is_superset(&original);
            let mut referee = Referee::new(model, 10_000);
            if referee.check(Property::Bounded, &claim(mutant.it)).is_ok() {
                assert!(whole, "{name}: accepted although {}", mutant.what);
                self.still_true += 1;
            }
        }
    }
}

#[test]
fn random_systems_as_diagrams() {
    let (mut tally, mut rng) = (Tally::default(), Rng::new(11));
    for seed in 0..800 {
        let Ok(loaded) = loaded(&make::net(seed)) else { continue };
        let Some(set) = everything(&loaded.model, 300) else { continue };
        tally.compare(&format!("seed {seed}"), &loaded.model, &set, &mut rng);
    }
    println!("{tally:?}");
    assert!(tally.compared > 180 && tally.broken > 3_000, "{tally:?}");
}

#[test]
fn lazy_machines_as_diagrams() {
    let (mut tally, mut rng) = (Tally::default(), Rng::new(12));
    for seed in 0..1_500 {
        let model = Lazy::new(seed).model();
        let Some(set) = everything(&model, 300) else { continue };
        tally.compare(&format!("seed {seed}"), &model, &set, &mut rng);
    }
    println!("{tally:?}");
    assert!(tally.compared > 30, "{tally:?}");
}

#[test]
fn models_of_the_corpus_as_diagrams() {
    let (mut tally, mut rng) = (Tally::default(), Rng::new(13));
    for case in cases().into_iter().map(|case| case.expect("the corpus is readable")) {
        let Some(set) = everything(&case.loaded.model, 2_000) else { continue };
        tally.compare(&case.name, &case.loaded.model, &set, &mut rng);
    }
    println!("{tally:?}");
    assert!(tally.compared > 200, "{tally:?}");
}

/// What the search hands over if it may list nothing: how many proofs, all of them accepted.
fn drawn(name: &str, model: &Model) -> usize {
    // Everything can be drawn; only what is small is drawn quickly.
    if everything(model, 300).is_none() {
        return 0;
    }
    let limits = limits(Sets::Symbolic, 0);
    let (asked, properties) = (model.clone(), properties(model));
    let task = Task { model: asked, properties, invariants: Vec::new(), limits };
    let answers = Explore.run(task, &Budget::states(20_000));
    let (mut referee, mut n_proofs) = (Referee::new(model, 10_000), 0);
    let claims = answers.claims.iter().map(|answer| (answer.property, &answer.claim));
    let lengths = answers
        .queues
        .iter()
        .map(|answer| (Property::Length(answer.queue, answer.bound), &answer.claim));
    for (property, claim) in claims.chain(lengths) {
        if let Claim::Holds(proof) = claim {
            assert!(matches!(proof, Proof::Diagram(_)), "{name}: {property:?}: a set was listed");
            let claim = through_text(claim).expect("it can be written");
            let verdict = referee.check(property, &claim);
            assert!(verdict.is_ok(), "{name}: {property:?}: {verdict:?}");
            n_proofs += 1;
        }
    }
    n_proofs
}

#[test]
fn diagrams_of_the_search_are_accepted() {
    let mut n_proofs = 0;
    for seed in 0..300 {
        let Ok(loaded) = loaded(&make::net(seed)) else { continue };
        n_proofs += drawn(&format!("seed {seed}"), &loaded.model);
        n_proofs += drawn(&format!("lazy {seed}"), &Lazy::new(seed).model());
    }
    for case in cases().into_iter().map(|case| case.expect("the corpus is readable")) {
        n_proofs += drawn(&case.name, &case.loaded.model);
    }
    println!("{n_proofs} proofs");
    assert!(n_proofs > 1_000, "{n_proofs}");
}

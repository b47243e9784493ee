//! Closed sets as decision diagrams: they prove what their rows prove, and broken ones prove nothing else.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_base::Budget;
use qp_check::{Referee, Rejected, Ruling};
use qp_claim::{ABSENT, Claim, ClosedSet, DiagramSet, Proof};
use qp_engines::{Answers, Engine, Explore, Lists, Sets, Task, TaskLimits};
use qp_machines::{Capacity, Model, Property, QueueId};
use qp_promela::{Channels, Granularity};
use qp_testkit::compare::loaded;
use qp_testkit::corpus::cases;
use qp_testkit::crowd::Crowd;
use qp_testkit::diagrams::{broken, levels, of_closed, rows, spelled};
use qp_testkit::judge::through_text;
use qp_testkit::lazy::Lazy;
use qp_testkit::make;
use qp_testkit::mutate::said;
use qp_testkit::pageant::Pageant;
use qp_testkit::promela::make::{Wanted, model as promela_text};
use qp_testkit::promela::ours::model_with;
use qp_testkit::rng::Rng;

fn claim(set: DiagramSet) -> Claim {
    Claim::Holds(Proof::Diagram(Arc::new(set)))
}

fn properties(model: &Model) -> Vec<Property> {
    let mut all = vec![
        Property::Assert,
        Property::Unhandled,
        Property::Divergence,
        Property::Deadlock,
        Property::Stuck,
        Property::Orphan,
    ];
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
        walks: qp_engines::Walks::NONE,
        bound_far: 0,
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

fn is_proved(referee: &mut Referee, property: Property, claim: &Claim) -> Result<bool, Rejected> {
    let verdict = referee.check(property, claim)?;
    Ok(matches!(verdict.ruling(), Ruling::Proved(_)))
}

/// What became of comparing sets.
#[derive(Default, Debug)]
struct Tally {
    compared: usize,
    /// Sets with machines that are created.
    created: usize,
    /// Proofs of some properties; of deadlock only where sends may wait.
    deadlock: usize,
    stuck: usize,
    orphan: usize,
    broken: usize,
    still_true: usize,
}

impl Tally {
    /// A diagram proves what its rows prove, and nothing else.
    fn compare(&mut self, name: &str, model: &Model, set: &Arc<ClosedSet>, rng: &mut Rng) {
        let diagram = of_closed(model, set, &levels(model, set, rng));
        let all = said(&spelled(model, set));
        assert_eq!(said(&rows(&diagram)), all, "{name}: the diagram is another set");
        let closed = Claim::Holds(Proof::Closed(set.clone()));
        let written = through_text(&claim(diagram.clone())).expect("it can be written");
        let (mut plain, mut drawn) = (Referee::new(model, 10_000), Referee::new(model, 10_000));
        let mut truth = Vec::new();
        for property in properties(model) {
            let expected = plain.check(property, &closed).is_ok();
            truth.push((property, expected));
            match is_proved(&mut drawn, property, &written) {
                Ok(proved) => {
                    assert!(proved && expected, "{name}: {property:?} is proved");
                    self.count(model, property);
                }
                Err(rejected) => assert!(!expected, "{name}: {property:?}: {rejected}"),
            }
        }
        for property in [Property::Livelock, Property::Sync] {
            assert!(drawn.check(property, &written).is_err(), "{name}: {property:?}");
        }
        self.compared += 1;
        let cells = diagram.levels.iter().flat_map(|level| &level.values).flatten();
        self.created += usize::from(cells.copied().any(|cell| cell == ABSENT));
        self.break_it(name, model, &diagram, &truth, rng);
    }

    fn count(&mut self, model: &Model, property: Property) {
        let kinds = &model.outline().kinds;
        let waits = || kinds.iter().any(|kind| kind.capacity != Capacity::Unbounded);
        match property {
            Property::Deadlock => self.deadlock += usize::from(waits()),
            Property::Stuck => self.stuck += 1,
            Property::Orphan => self.orphan += 1,
            _ => {}
        }
    }

    /// The set is exactly what is reachable: what lacks one of its configurations proves nothing, and what has more
    /// proves nothing that is not true.
    fn break_it(
        &mut self,
        name: &str,
        model: &Model,
        diagram: &DiagramSet,
        truth: &[(Property, bool)],
        rng: &mut Rng,
    ) {
        let original = said(&rows(diagram));
        for mutant in broken(diagram, rng, 40) {
            self.broken += 1;
            let whole = said(&rows(&mutant.it)).is_superset(&original);
            let (mut referee, claim) = (Referee::new(model, 10_000), claim(mutant.it));
            if referee.check(Property::Bounded, &claim).is_err() {
                continue;
            }
            assert!(whole, "{name}: accepted although {}", mutant.what);
            self.still_true += 1;
            for &(property, is_true) in truth {
                let proved = is_proved(&mut referee, property, &claim) == Ok(true);
                assert!(is_true || !proved, "{name}: {property:?} although {}", mutant.what);
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
    assert!(tally.deadlock > 5 && tally.stuck > 20 && tally.orphan > 20, "{tally:?}");
}

#[test]
fn machines_that_create_each_other_as_diagrams() {
    let (mut tally, mut rng) = (Tally::default(), Rng::new(14));
    for seed in 0..1_000 {
        let model = Crowd::new(seed, true).model();
        let Some(set) = everything(&model, 300) else { continue };
        tally.compare(&format!("seed {seed}"), &model, &set, &mut rng);
    }
    println!("{tally:?}");
    assert!(tally.compared > 100 && tally.created > 50, "{tally:?}");
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
fn machines_whose_steps_are_turns_as_diagrams() {
    let (mut tally, mut rng) = (Tally::default(), Rng::new(15));
    for seed in 0..1_200 {
        let pageant = if seed % 4 == 3 { Pageant::discreet } else { Pageant::new };
        let model = pageant(seed, seed % 3 == 0).model();
        let Some(set) = everything(&model, 300) else { continue };
        tally.compare(&format!("pageant {seed}"), &model, &set, &mut rng);
    }
    println!("{tally:?}");
    assert!(tally.compared > 300 && tally.broken > 6_000, "{tally:?}");
    assert!(tally.deadlock > 20 && tally.stuck > 20 && tally.orphan > 20, "{tally:?}");
}

/// A random Promela model, with channels of any length or as declared.
fn promela(seed: u64) -> Option<Model> {
    let channels = if seed.is_multiple_of(3) { Channels::Unbounded } else { Channels::Declared };
    let granularity =
        if seed.is_multiple_of(2) { Granularity::Statement } else { Granularity::Visible };
    model_with(&promela_text(seed, Wanted::Safety), granularity, channels).ok()
}

#[test]
fn promela_models_as_diagrams() {
    let (mut tally, mut rng) = (Tally::default(), Rng::new(16));
    for seed in 0..600 {
        let Some(model) = promela(seed) else { continue };
        let Some(set) = everything(&model, 300) else { continue };
        tally.compare(&format!("model {seed}"), &model, &set, &mut rng);
    }
    println!("{tally:?}");
    assert!(tally.compared > 100 && tally.broken > 2_000, "{tally:?}");
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

fn explore(model: &Model, sets: Sets, evidence_max: usize) -> Answers {
    let (model, limits) = (model.clone(), limits(sets, evidence_max));
    let properties = properties(&model);
    let task = Task { model, properties, invariants: Vec::new(), limits };
    Explore.run(task, &Budget::states(20_000))
}

/// What the search proves, and what the referee says to it.
fn proofs(name: &str, model: &Model, answers: &Answers) -> BTreeSet<Property> {
    let (mut referee, mut proved) = (Referee::new(model, 10_000), BTreeSet::new());
    let claims = answers.claims.iter().map(|answer| (answer.property, &answer.claim));
    let lengths = answers
        .queues
        .iter()
        .map(|answer| (Property::Length(answer.queue, answer.bound), &answer.claim));
    for (property, claim) in claims.chain(lengths) {
        if matches!(claim, Claim::Holds(_)) {
            let claim = through_text(claim).expect("it can be written");
            let verdict = is_proved(&mut referee, property, &claim);
            assert_eq!(verdict, Ok(true), "{name}: {property:?}");
            proved.insert(property);
        }
    }
    proved
}

/// What the search hands over if it may list nothing: how many proofs, all of them accepted, and no fewer than of
/// the same set row by row.
fn drawn(name: &str, model: &Model) -> usize {
    // Only what is small is drawn quickly.
    if everything(model, 300).is_none() {
        return 0;
    }
    let answers = explore(model, Sets::Symbolic, 0);
    if !answers.detail.iter().any(|(of, _)| *of == "nodes") {
        return 0;
    }
    let holds = |claim: &Claim| !matches!(claim, Claim::Holds(Proof::Closed(_)));
    assert!(answers.claims.iter().all(|answer| holds(&answer.claim)), "{name}: a set was listed");
    let (drawn, listed) = (
        proofs(name, model, &answers),
        proofs(name, model, &explore(model, Sets::Explicit, 1_000)),
    );
    assert_eq!(drawn, listed, "{name}");
    drawn.len()
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

#[test]
fn diagrams_of_turns_are_accepted() {
    let mut n_proofs = 0;
    for seed in 0..600 {
        let pageant = if seed % 4 == 3 { Pageant::discreet } else { Pageant::new };
        n_proofs += drawn(&format!("pageant {seed}"), &pageant(seed, seed % 3 == 0).model());
        let model = promela(seed).filter(|_| seed < 300);
        n_proofs += model.map_or(0, |model| drawn(&format!("model {seed}"), &model));
    }
    println!("{n_proofs} proofs");
    assert!(n_proofs > 1_000, "{n_proofs}");
}

/// A model with millions of configurations is proved by a diagram, and by none that lacks some of them.
fn is_proved_by_a_diagram(name: &str, text: &str) {
    let model = model_with(text, Granularity::Statement, Channels::Declared).expect("a model");
    let properties = vec![Property::Assert, Property::Deadlock];
    let limits = limits(Sets::Auto { from: 20_000, fewer_from: usize::MAX }, 1_000_000);
    let task = Task { model: model.clone(), properties, invariants: Vec::new(), limits };
    let answers = Explore.run(task, &Budget::states(5_000_000));
    let mut referee = Referee::new(&model, 10_000);
    for answer in &answers.claims {
        let Claim::Holds(Proof::Diagram(set)) = &answer.claim else {
            panic!("{name}: {:?}", answer.claim)
        };
        assert!(set.n_configurations() > 1_000_000, "{name}");
        let claim = through_text(&answer.claim).expect("it can be written");
        assert_eq!(is_proved(&mut referee, answer.property, &claim), Ok(true), "{name}");
        let mut rng = Rng::new(17);
        for _ in 0..40 {
            let mut broken = (**set).clone();
            let level = rng.below(broken.levels.len());
            let nodes = &mut broken.levels[level].nodes;
            let node = rng.below(nodes.len());
            let edge = rng.below(nodes[node].len());
            nodes[node].remove(edge);
            let verdict = referee.check(Property::Bounded, &self::claim(broken));
            assert!(verdict.is_err(), "{name}: accepted without an edge of {node} at {level}");
        }
    }
}

#[test]
fn an_election_of_eight_is_proved() {
    is_proved_by_a_diagram("leader", include_str!("../../../../corpus/promela/leader_8.pml"));
}

#[test]
fn nine_philosophers_are_proved() {
    let text = include_str!("../../../../corpus/promela/philosophers.pml");
    is_proved_by_a_diagram("philosophers", &text.replace("#define N 4", "#define N 9"));
}

#[test]
fn diagrams_with_created_machines_are_accepted() {
    let n_proofs: usize =
        (0..400).map(|seed| drawn(&format!("seed {seed}"), &Crowd::new(seed, true).model())).sum();
    println!("{n_proofs} proofs");
    assert!(n_proofs > 500, "{n_proofs}");
}

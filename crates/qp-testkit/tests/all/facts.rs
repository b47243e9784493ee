//! What engines leave to each other: whoever goes on with a bounded space that somebody else has begun says what it would
//! say if it had begun, and nobody begins twice.

use qp_base::Budget;
use qp_check::Referee;
use qp_claim::Claim;
use qp_engines::{
    Answer, Answers, Converge, Engine, Explore, Facts, Figures, Lists, Regular, Sets, Task,
    TaskLimits,
};
use qp_machines::{Model, Property};
use qp_testkit::compare::loaded;
use qp_testkit::corpus::cases;
use qp_testkit::crowd::Crowd;
use qp_testkit::make;
use queueproof::{Checked, Options, VerdictWord, check};

const ALL: Budgets = Budgets(&[60, 300, 2_000]);
const FULL: u64 = 20_000;
const AUTO_20: Sets = Sets::Auto { from: 20, fewer_from: usize::MAX };
const AUTO_100: Sets = Sets::Auto { from: 100, fewer_from: usize::MAX };

/// After how many configurations the first look is cut.
struct Budgets(&'static [u64]);

fn task(model: &Model, sets: Sets, figures: bool) -> Task {
    let limits = TaskLimits {
        bound_max: 3,
        queues: true,
        // Proofs look at four times as many: fewer than the first look.
        small_max: 10,
        evidence_max: 1_000,
        lists: Lists { figures, ..Lists::default() },
        sets,
        ..TaskLimits::default()
    };
    let outline = model.outline();
    let mut properties =
        vec![Property::Assert, Property::Unhandled, Property::Deadlock, Property::Divergence];
    properties.extend([Property::Bounded, Property::Stuck, Property::Orphan]);
    properties.extend((0..outline.bad.len()).map(Property::Reach));
    Task { model: model.clone(), properties, invariants: Vec::new(), limits }
}

/// What an engine says, with evidence that the referee accepts. Runs may differ: a look that is cut has less to find the
/// shortest one with.
fn told(model: &Model, answers: &Answers) -> Vec<String> {
    let mut referee = Referee::new(model, 10_000);
    let mut word = |property: Property, claim: &Claim| {
        let verdict = referee.check(property, claim);
        assert!(verdict.is_ok(), "{property:?}: {verdict:?}");
        match claim {
            Claim::Holds(_) => "holds".to_owned(),
            Claim::Violated(_) => "violated".to_owned(),
            Claim::GaveUp(reason) => format!("unknown {reason:?}"),
        }
    };
    let mut told = Vec::new();
    for answer in &answers.claims {
        // What is violated was found when fewer had been visited, if the bound is not complete.
        let violated = matches!(answer.claim, Claim::Violated(_));
        let figures = if violated {
            Figures { bound: answer.figures.bound, ..Figures::default() }
        } else {
            answer.figures
        };
        let word = word(answer.property, &answer.claim);
        told.push(format!("{:?} {word} {figures:?}", answer.property));
    }
    for answer in &answers.queues {
        let property = match answer.claim {
            Claim::Holds(_) => Property::Length(answer.queue, answer.bound),
            Claim::Violated(_) | Claim::GaveUp(_) => Property::Bounded,
        };
        let word = word(property, &answer.claim);
        told.push(format!("{:?} {} {word}", answer.queue, answer.longest));
    }
    told.push(format!("{:?} {:?} {:?}", answers.bounds, answers.spent, answers.unreached));
    told
}

/// What answers leave open.
fn open(properties: &[Property], answers: &Answers) -> Vec<Property> {
    let answered = |property: Property| {
        let mut claims = answers.claims.iter().filter(|answer| answer.property == property);
        claims.any(|answer| !matches!(answer.claim, Claim::GaveUp(_)))
    };
    properties.iter().copied().filter(|&property| !answered(property)).collect()
}

/// The first look, proofs, and the search that goes on if something is open, with what each leaves to the next, as the
/// library does it.
fn in_turn(
    (model, sets, figures): (&Model, Sets, bool),
    cut: u64,
    second: &[&dyn Engine],
) -> (Option<Answers>, Option<Answers>) {
    let facts = Facts::default();
    let task = || task(model, sets, figures);
    let look = Explore.run_with(task(), &facts, &Budget::states(cut));
    let mut asked = open(&task().properties, &look);
    let mut rest = task().properties;
    let mut proofs = None;
    for engine in second {
        let treated = asked.iter().copied().filter(|&property| engine.treats(property));
        let properties: Vec<Property> = treated.collect();
        if !properties.is_empty() {
            let budget = Budget::states(FULL / 10);
            let answers = engine.run_with(Task { properties, ..task() }, &facts, &budget);
            asked = open(&asked, &answers);
            rest = open(&rest, &answers);
            proofs.get_or_insert(answers);
        }
    }
    let rest = Task { properties: rest, ..task() };
    let rest = (!asked.is_empty()).then(|| Explore.run_with(rest, &facts, &Budget::states(FULL)));
    assert!(facts.n_begun() <= 1, "begun {} times", facts.n_begun());
    (rest, proofs)
}

/// Compares a search that goes on with one that begins; says how many proofs were compared.
fn compare(name: &str, model: &Model, sets: Sets, cuts: &Budgets) -> usize {
    let mut n_proofs = 0;
    for &cut in cuts.0 {
        let (rest, proofs) = in_turn((model, sets, false), cut, &[&Converge]);
        if let Some(rest) = rest {
            let properties = rest.claims.iter().map(|answer| answer.property).collect();
            let anew = Task { properties, ..task(model, sets, false) };
            let anew = Explore.run(anew, &Budget::states(FULL));
            assert_eq!(told(model, &rest), told(model, &anew), "{name} cut at {cut} with {sets:?}");
        }
        let Some(proofs) = proofs.filter(|_| sets == Sets::Explicit) else { continue };
        let mut asked = task(model, sets, false);
        asked.properties = proofs.claims.iter().map(|answer| answer.property).collect();
        let alone = Converge.run(asked, &Budget::states(FULL / 10));
        assert_eq!(told(model, &proofs), told(model, &alone), "{name} cut at {cut}");
        n_proofs += 1;
    }
    n_proofs
}

#[test]
fn random_systems() {
    let mut n_proofs = 0;
    for seed in 0..150 {
        let net = make::net(seed);
        let model = loaded(&net).expect("random systems are well-formed").model;
        let name = format!("seed {seed}\n{}", net.text());
        n_proofs += compare(&name, &model, Sets::Explicit, &ALL);
    }
    assert!(n_proofs > 100, "{n_proofs}");
}

#[test]
fn machines_that_create_each_other() {
    let n_proofs: usize = (0..40)
        .map(|seed| {
            let model = Crowd::new(seed, true).model();
            compare(&format!("crowd {seed}"), &model, Sets::Explicit, &ALL)
        })
        .sum();
    assert!(n_proofs > 20, "{n_proofs}");
}

#[test]
fn the_corpus() {
    let mut n_proofs = 0;
    for case in cases() {
        let case = case.expect("the corpus is well-formed");
        n_proofs += compare(&case.name, &case.loaded.model, Sets::Explicit, &Budgets(&[60, 1_000]));
    }
    assert!(n_proofs > 50, "{n_proofs}");
}

/// Sets that are gone over with in the midst, by either engine: no claim of the one may contradict one of the other, and
/// every bound has as many configurations as it has.
#[test]
fn diagrams() {
    let mut n_drawn = 0;
    for seed in 0..150 {
        let net = make::net(seed);
        let model = loaded(&net).expect("random systems are well-formed").model;
        let plain = Explore.run(task(&model, Sets::Explicit, false), &Budget::states(FULL));
        for sets in [AUTO_20, AUTO_100, Sets::Symbolic] {
            for (cut, figures) in [(15, false), (60, true), (400, true), (FULL, true)] {
                let (rest, _) = in_turn((&model, sets, figures), cut, &[&Converge, &Regular]);
                let Some(rest) = rest else { continue };
                told(&model, &rest);
                let n = rest.bounds.len().min(plain.bounds.len());
                assert_eq!(rest.bounds[..n], plain.bounds[..n], "seed {seed} {sets:?} {cut}");
                n_drawn += usize::from(rest.detail.iter().any(|(name, _)| *name == "nodes"));
                for one in &rest.claims {
                    let is_it = |other: &&Answer| other.property == one.property;
                    let other = plain.claims.iter().find(is_it).expect("it was asked");
                    let kind = |claim: &Claim| std::mem::discriminant(claim);
                    assert!(
                        kind(&one.claim) == kind(&other.claim) || plain.spent.is_some(),
                        "seed {seed} {sets:?} {cut}: {one:?} {other:?}"
                    );
                }
            }
        }
    }
    assert!(n_drawn > 100, "{n_drawn}");
}

/// A search that leaves orders of steps out beside the exact one from some size on: it says what the exact one says, or
/// more; whoever goes on says what he would say if he had begun, and others go on with all orders. Says whether it has
/// answered, whether the exact one would not have, and whether it was gone on with.
fn compare_fewer(name: &str, model: &Model, cut: u64, fewer_from: usize) -> [bool; 3] {
    let asked = |sets: Sets| {
        let mut task = task(model, sets, false);
        task.properties.retain(|property| property.survives_reduction());
        task
    };
    let fewer = || asked(Sets::Auto { from: usize::MAX, fewer_from });
    let is_reduced = |it: &Answers| it.detail.iter().any(|(name, _)| *name == "reduced");
    let facts = Facts::default();
    let look = Explore.run_with(fewer(), &facts, &Budget::states(cut));
    told(model, &look);
    let properties = open(&fewer().properties, &look);
    if !properties.is_empty() {
        let plain = || Task { properties: properties.clone(), ..asked(Sets::Explicit) };
        let proofs = Converge.run_with(plain(), &facts, &Budget::states(FULL / 10));
        let alone = Converge.run(plain(), &Budget::states(FULL / 10));
        assert_eq!(told(model, &proofs), told(model, &alone), "{name} cut at {cut}");
    }
    let rest = Explore.run_with(fewer(), &facts, &Budget::states(FULL));
    let anew = Explore.run(fewer(), &Budget::states(FULL));
    assert_eq!(told(model, &rest), told(model, &anew), "{name} cut at {cut} from {fewer_from}");
    assert!(facts.n_begun() <= 1, "{name}: begun {} times", facts.n_begun());
    let exact = Explore.run(asked(Sets::Explicit), &Budget::states(FULL));
    let is_open = |claim: &Claim| matches!(claim, Claim::GaveUp(_));
    for (one, other) in exact.claims.iter().zip(&rest.claims) {
        let alike = matches!(one.claim, Claim::Holds(_)) == matches!(other.claim, Claim::Holds(_));
        assert!(
            is_open(&one.claim) || alike && !is_open(&other.claim),
            "{name} from {fewer_from}: {one:?} {other:?}"
        );
    }
    for (one, other) in exact.queues.iter().zip(&rest.queues) {
        assert!(is_reduced(&rest) || one.longest == other.longest, "{name}: {one:?} {other:?}");
    }
    assert!(exact.queues.is_empty() || !rest.queues.is_empty(), "{name}: no queue is told");
    let n_open = |it: &Answers| it.claims.iter().filter(|answer| is_open(&answer.claim)).count();
    let is_gain = n_open(&rest) < n_open(&exact);
    [is_reduced(&rest), is_gain, is_reduced(&rest) && !is_reduced(&look)]
}

#[test]
fn orders_that_are_left_out() {
    let mut models = Vec::new();
    for seed in 0..150 {
        let net = make::net(seed);
        let model = loaded(&net).expect("random systems are well-formed").model;
        models.push((format!("seed {seed}"), model));
    }
    models.extend((0..40).map(|seed| (format!("crowd {seed}"), Crowd::new(seed, true).model())));
    for case in cases() {
        let case = case.expect("the corpus is well-formed");
        models.push((case.name, case.loaded.model));
    }
    let mut n = [0; 3];
    for (name, model) in &models {
        for (cut, fewer_from) in [(60, 20), (300, 100), (60, 200)] {
            let found = compare_fewer(name, model, cut, fewer_from);
            n.iter_mut().zip(found).for_each(|(n, it)| *n += usize::from(it));
        }
    }
    assert!(n.iter().all(|&n| n > 15), "{n:?}");
}

/// The library answers the same with and without, or more: here as it is used, with all engines.
#[test]
fn orders_that_are_left_out_in_the_corpus() {
    let (mut n_reduced, mut n_gained) = (0, 0);
    for case in cases() {
        let case = case.expect("the corpus is well-formed");
        let outline = case.loaded.model.outline();
        let mut options = case.options(&[], 1);
        options
            .properties
            .retain(|id| Property::from_id(id, outline).is_some_and(Property::survives_reduction));
        options.states_max = options.states_max.min(FULL);
        let ask = |sets| {
            let options = Options { sets, ..options.clone() };
            check(&case.loaded, &options, &options.budget())
        };
        let exact = ask(AUTO_100);
        let fewer = ask(Sets::Auto { from: 100, fewer_from: 200 });
        assert!(fewer.errors.is_empty(), "{}: {:?}", case.name, fewer.errors);
        assert!(fewer.n_begun <= 1, "{}: begun {} times", case.name, fewer.n_begun);
        for (one, other) in exact.report.properties.iter().zip(&fewer.report.properties) {
            let is_open = one.verdict == VerdictWord::Unknown;
            assert!(is_open || one.verdict == other.verdict, "{}: {}", case.name, one.id);
            n_gained += usize::from(one.verdict != other.verdict);
        }
        let names = |checked: &Checked| -> Vec<String> {
            checked.report.queues.iter().map(|queue| queue.name.clone()).collect()
        };
        let (all, told) = (names(&exact), names(&fewer));
        assert!(told.starts_with(&all) || all.starts_with(&told), "{all:?} {told:?}");
        let detail = fewer.report.engines.iter().flat_map(|engine| &engine.detail);
        n_reduced += detail.filter(|(name, _)| name == "reduced").count();
    }
    println!("{n_reduced} with fewer orders, {n_gained} answers gained");
    assert!(n_reduced > 10, "{n_reduced} {n_gained}");
}

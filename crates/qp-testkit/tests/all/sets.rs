//! Sets of configurations that are kept one by one and as decision diagrams: the same answers to everything, also with
//! tables that forget nearly everything and collect all the time.

use std::collections::BTreeSet;

use qp_base::Budget;
use qp_engines::{ConfigSet, Reachable, Sets};
use qp_machines::{Capacity, Model};
use qp_testkit::compare::loaded;
use qp_testkit::corpus::cases;
use qp_testkit::crowd::Crowd;
use qp_testkit::make;
use qp_testkit::rng::Rng;

type Plain = BTreeSet<Vec<u32>>;

const KINDS: [Sets; 3] = [Sets::Explicit, Sets::Symbolic, Sets::Forgetful];

fn kept(plain: &Plain, sets: Sets) -> ConfigSet {
    let mut set = ConfigSet::empty(sets);
    for values in plain {
        set.add(values).expect("there are no limits");
    }
    set
}

fn rows(set: &ConfigSet) -> Vec<Vec<u32>> {
    let mut rows = Vec::new();
    set.each(|values| {
        rows.push(values.to_vec());
        true
    });
    rows
}

fn n(set: &ConfigSet) -> u64 {
    set.count().try_into().expect("it is small")
}

fn random(rng: &mut Rng, n_parts: usize) -> Plain {
    let n = rng.below(40);
    (0..n).map(|_| (0..n_parts).map(|_| rng.below(4) as u32).collect()).collect()
}

#[test]
fn random_sets() {
    for seed in 0..1_500 {
        let mut rng = Rng::new(seed);
        let n_parts = 1 + rng.below(5);
        let (a, mut b) = (random(&mut rng, n_parts), random(&mut rng, n_parts));
        if rng.percent(50) {
            b.extend(a.iter().cloned());
        }
        let salt = rng.below(5) as u32;
        let label = |part: usize, value: u32| (value + salt) * (part as u32 + 1) % 3;
        let projected: Plain = a
            .iter()
            .map(|values| values.iter().enumerate().map(|(part, &v)| label(part, v)).collect())
            .collect();
        for sets in KINDS {
            let set = kept(&a, sets);
            assert_eq!(n(&set), a.len() as u64);
            assert_eq!(rows(&set), a.iter().cloned().collect::<Vec<_>>(), "{sets:?}, seed {seed}");
            for values in a.iter().chain(&b) {
                assert_eq!(set.contains(values), a.contains(values), "{sets:?}, seed {seed}");
            }
            let other = set.project(label).expect("there are no limits");
            assert_eq!(rows(&other), projected.iter().cloned().collect::<Vec<_>>());
            for others in KINDS {
                let other = kept(&b, others);
                assert_eq!(set.is_subset(&other), Ok(a.is_subset(&b)), "{sets:?}, {others:?}");
                assert_eq!(other.is_subset(&set), Ok(b.is_subset(&a)), "{sets:?}, {others:?}");
                assert_eq!(set.is_equal(&other), Ok(a == b), "{sets:?}, {others:?}");
            }
        }
    }
}

/// Whoever ends early has 0 in the parts that it does not mention.
#[test]
fn parts_that_are_added_later_are_zero() {
    for sets in KINDS {
        let mut set = ConfigSet::empty(sets);
        set.add(&[1, 2]).unwrap();
        set.add(&[1, 0, 5]).unwrap();
        set.add(&[1, 2, 0]).unwrap();
        assert_eq!(rows(&set), [[1, 0, 5], [1, 2, 0]]);
        assert!(set.contains(&[1, 2]) && set.contains(&[1, 2, 0, 0]) && set.contains(&[1, 0, 5]));
        assert!(!set.contains(&[1]) && !set.contains(&[1, 2, 0, 1]) && !set.contains(&[1, 0]));
        let mut short = ConfigSet::empty(Sets::Symbolic);
        short.add(&[1, 2]).unwrap();
        assert_eq!(short.is_subset(&set), Ok(true));
        assert_eq!(set.is_subset(&short), Ok(false));
    }
}

/// Diagrams list what is in them without sorting all of it.
#[test]
fn large_diagrams_come_in_order() {
    let plain: Plain = (0..30_000_u32).map(|n| vec![n % 7, n / 7 % 90, n / 630]).collect();
    let set = kept(&plain, Sets::Symbolic);
    assert!(set.n_nodes().is_some_and(|n| n < 1_000));
    assert_eq!(rows(&set), plain.into_iter().collect::<Vec<_>>());
    let mut n_seen = 0;
    set.each(|_| {
        n_seen += 1;
        n_seen < 20_000
    });
    assert_eq!(n_seen, 20_000);
}

/// Compares everything that can be said about the sets of a model; says how many configurations there are.
fn compare(name: &str, model: &Model, bound: u32, kinds: &[Sets]) -> usize {
    let budget = Budget::states(3_000);
    let mut reachable = Reachable::new(model);
    let Ok(plain) = reachable.within(bound, Sets::Explicit, &budget) else { return 0 };
    let looks = [(0, 0), (1, 1)];
    let alike = looks.map(|(p, c)| reachable.looks(&plain, p, c).expect("it is small"));
    let budget = Budget::states(100_000);
    let sets: Vec<ConfigSet> = kinds
        .iter()
        .map(|&sets| reachable.within(bound, sets, &budget).expect("it is small"))
        .collect();
    for (set, kind) in sets.iter().zip(kinds) {
        assert_eq!(rows(set), rows(&plain), "{name} with {kind:?}");
        assert_eq!(set.is_equal(&plain), Ok(true), "{name} with {kind:?}");
        for ((p, c), alike) in looks.iter().zip(&alike) {
            let found = reachable.looks(set, *p, *c).expect("it is small");
            assert_eq!(found.count(), alike.count(), "{name} with {kind:?}");
        }
    }
    rows(&plain).len()
}

#[test]
fn random_systems() {
    let mut n_large = 0;
    for seed in 0..1_500 {
        let net = make::net(seed);
        let model = loaded(&net).expect("random systems are well-formed").model;
        let kinds = if seed % 5 == 0 { &KINDS[1..] } else { &KINDS[1..2] };
        let n = compare(&format!("seed {seed}\n{}", net.text()), &model, 2, kinds);
        n_large += usize::from(n > 20);
    }
    assert!(n_large > 300, "{n_large}");
}

#[test]
fn machines_that_create_each_other() {
    let mut n_large = 0;
    for seed in 0..200 {
        let model = Crowd::new(seed, true).model();
        let kinds = if seed % 10 == 0 { &KINDS[1..] } else { &KINDS[1..2] };
        n_large += usize::from(compare(&format!("crowd {seed}"), &model, 1, kinds) > 20);
    }
    assert!(n_large > 50, "{n_large}");
}

#[test]
fn the_corpus() {
    let mut n_large = 0;
    for case in cases() {
        let case = case.expect("the corpus is well-formed");
        let n = compare(&case.name, &case.loaded.model, 1, &KINDS[1..2]);
        n_large += usize::from(n > 20);
    }
    assert!(n_large > 20, "{n_large}");
}

/// What looks different at each bound is part of what is reached in the view, and all of it at some bound.
#[test]
fn views_contain_what_looks_different() {
    let budget = Budget::states(20_000);
    let mut n_converged = 0;
    for seed in 0..300 {
        let model = loaded(&make::net(seed)).expect("random systems are well-formed").model;
        // A declared capacity is only seen where as many messages are told apart.
        if model.outline().kinds.iter().any(|kind| kind.capacity != Capacity::Unbounded) {
            continue;
        }
        let mut view = Reachable::blurred(&model, 0, 0);
        let Ok(all) = view.within(u32::MAX, Sets::Explicit, &budget) else { continue };
        let drawn = view.within(u32::MAX, Sets::Symbolic, &budget).expect("it is small");
        assert_eq!(drawn.is_equal(&all), Ok(true), "seed {seed}");
        let mut reachable = Reachable::new(&model);
        let (mut last, all) = (0, n(&all));
        for bound in 1..=3 {
            let Ok(set) = reachable.within(bound, Sets::Symbolic, &budget) else { break };
            let looks = n(&reachable.looks(&set, 0, 0).expect("it is small"));
            assert!(last <= looks && looks <= all, "seed {seed}, bound {bound}");
            last = looks;
        }
        n_converged += usize::from(last == all);
    }
    assert!(n_converged > 100, "{n_converged}");
}

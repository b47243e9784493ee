//! Operations on sets against plain sets of tuples: all tiny ones, and thousands of random ones, with tables of
//! the usual size and with tiny ones.

mod plain;

use std::collections::BTreeSet;

use num_bigint::BigUint;
use qp_diagrams::{Abort, Diagrams, Limits, Set};

use plain::{NO_LIMITS, Plain, Rng, build, stores, tuples};

fn check_pair(diagrams: &mut Diagrams, a: &Plain, b: &Plain) {
    let (x, y) = (build(diagrams, a), build(diagrams, b));
    let union = diagrams.union(x, y).expect("the limits are wide");
    assert_eq!(tuples(diagrams, union), a | b);
    let both = diagrams.intersection(x, y).expect("the limits are wide");
    assert_eq!(tuples(diagrams, both), a & b);
    let rest = diagrams.difference(x, y).expect("the limits are wide");
    assert_eq!(tuples(diagrams, rest), a - b);
    assert_eq!(diagrams.is_subset(x, y), Ok(a.is_subset(b)));
    assert_eq!(x == y, a == b, "equal sets are equal numbers");
    diagrams.release(x);
    diagrams.release(y);
}

#[test]
fn all_pairs_of_sets_of_three_bits() {
    let of_bits = |bits: u32| -> Plain {
        let present = (0..8_u32).filter(|place| bits >> place & 1 == 1);
        present.map(|place| vec![place & 1, place >> 1 & 1, place >> 2]).collect()
    };
    for mut diagrams in stores() {
        for a in 0..256 {
            for b in (0..256).step_by(3) {
                check_pair(&mut diagrams, &of_bits(a), &of_bits(b));
            }
        }
    }
}

#[test]
fn random_pairs_of_sets() {
    let mut rng = Rng(1);
    for mut diagrams in stores() {
        for _ in 0..2_000 {
            let n_levels = 1 + rng.below(4);
            let (a, b) = (rng.set(n_levels, 3), rng.set(n_levels, 3));
            check_pair(&mut diagrams, &a, &b);
        }
    }
}

#[test]
fn tuples_come_in_the_order_of_their_values_from_the_top() {
    let mut rng = Rng(2);
    for mut diagrams in stores() {
        for _ in 0..500 {
            let n_levels = 1 + rng.below(4);
            let plain = rng.set(n_levels, 4);
            let set = build(&mut diagrams, &plain);
            let mut listed = Vec::new();
            diagrams.each(set, |tuple| {
                listed.push(tuple.to_vec());
                true
            });
            let mut expected: Vec<Vec<u32>> = plain.iter().cloned().collect();
            expected.sort_by_key(|tuple| tuple.iter().rev().copied().collect::<Vec<_>>());
            assert_eq!(listed, expected);
            assert_eq!(diagrams.first(set), expected.first().cloned());
            assert_eq!(diagrams.count(set), BigUint::from(plain.len()));
            diagrams.release(set);
        }
    }
}

#[test]
fn contains_what_was_added() {
    let mut rng = Rng(3);
    let mut diagrams = Diagrams::tiny(NO_LIMITS);
    for _ in 0..300 {
        let plain = rng.set(3, 3);
        let set = build(&mut diagrams, &plain);
        for place in 0..27 {
            let tuple = [place % 3, place / 3 % 3, place / 9];
            assert_eq!(diagrams.contains(set, &tuple), plain.contains(&tuple[..]));
        }
        diagrams.release(set);
    }
}

#[test]
fn relabelling_and_restricting() {
    let mut rng = Rng(4);
    for mut diagrams in stores() {
        for _ in 0..1_000 {
            let plain = rng.set(3, 4);
            let set = build(&mut diagrams, &plain);
            let salt = rng.below(7);
            let label = |level: usize, value: u32| (value + salt) * (level as u32 + 1) % 3;
            let relabelled = diagrams.relabel(set, label).unwrap();
            let expected = plain.iter().map(|tuple| {
                tuple.iter().enumerate().map(|(level, &value)| label(level, value)).collect()
            });
            assert_eq!(tuples(&diagrams, relabelled), expected.collect::<Plain>());
            let wanted = |level: usize, value: u32| label(level, value) != 0;
            let restricted = diagrams.restrict(set, wanted).unwrap();
            let holds = |tuple: &&Vec<u32>| tuple.iter().enumerate().all(|(l, &v)| wanted(l, v));
            let expected: Plain = plain.iter().filter(holds).cloned().collect();
            assert_eq!(tuples(&diagrams, restricted), expected);
            diagrams.release(set);
        }
    }
}

#[test]
fn weights_are_multiplied_and_summed() {
    let mut rng = Rng(5);
    let mut diagrams = Diagrams::new(NO_LIMITS);
    for _ in 0..500 {
        let plain = rng.set(3, 4);
        let set = build(&mut diagrams, &plain);
        let weight = |level: usize, value: u32| (level as u64 + u64::from(value)) % 4;
        let product = |tuple: &Vec<u32>| -> u64 {
            tuple.iter().enumerate().map(|(level, &value)| weight(level, value)).product()
        };
        let expected: u64 = plain.iter().map(product).sum();
        assert_eq!(diagrams.weigh(set, weight), BigUint::from(expected));
        if !set.is_empty() {
            let census = diagrams.census(set);
            for (low, high) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)] {
                let product = |tuple: &Vec<u32>| -> u64 {
                    (low..=high).map(|level| weight(level, tuple[level])).product()
                };
                let expected: u64 = plain.iter().map(product).sum();
                assert_eq!(census.weigh(low..=high, weight), BigUint::from(expected));
            }
        }
        diagrams.release(set);
    }
}

#[test]
fn values_are_those_that_occur() {
    let mut diagrams = Diagrams::new(NO_LIMITS);
    let plain: Plain = [vec![1, 5], vec![7, 5], vec![1, 9]].into();
    let set = build(&mut diagrams, &plain);
    assert_eq!(diagrams.values(set), [vec![1, 7], vec![5, 9]]);
    assert_eq!(diagrams.values(Set::EMPTY), Vec::<Vec<u32>>::new());
    assert_eq!(diagrams.size(set), 3);
}

#[test]
fn a_product_of_forty_levels_is_counted_exactly() {
    let mut diagrams = Diagrams::new(NO_LIMITS);
    let mut set = diagrams.single(&[]).unwrap();
    for level in 0..40 {
        diagrams.hold(set);
        let mut next = Set::EMPTY;
        for value in 0..10 {
            diagrams.hold(next);
            let lifted = diagrams.lift(set, level, value).unwrap();
            let joined = diagrams.union(lifted, next).unwrap();
            diagrams.release(next);
            next = joined;
        }
        diagrams.release(set);
        set = next;
    }
    assert_eq!(diagrams.count(set), BigUint::from(10_u32).pow(40));
    assert_eq!(diagrams.size(set), 40);
    let weighed = diagrams.census(set).weigh(3..=5, |_, value| u64::from(value));
    assert_eq!(weighed, BigUint::from(45_u32).pow(3) * BigUint::from(10_u32).pow(37));
}

#[test]
fn too_many_nodes_are_an_abort_after_which_all_is_well() {
    let limits = Limits { nodes_max: 200, ..NO_LIMITS };
    let mut diagrams = Diagrams::new(limits);
    let plain: Plain = [vec![1, 2, 3]].into();
    let kept = build(&mut diagrams, &plain);
    let mut rng = Rng(6);
    let mut set = diagrams.hold(Set::EMPTY);
    let abort = loop {
        let tuple: Vec<u32> = (0..3).map(|_| rng.below(50)).collect();
        match diagrams.with_tuple(set, &tuple) {
            Err(abort) => break abort,
            Ok(more) => {
                diagrams.release(set);
                set = diagrams.hold(more);
            }
        }
    };
    assert_eq!(abort, Abort::Nodes);
    diagrams.release(set);
    assert_eq!(tuples(&diagrams, kept), plain);
    diagrams.collect();
    assert_eq!(diagrams.n_nodes(), 3);
}

#[test]
fn work_is_limited() {
    let mut diagrams = Diagrams::new(Limits { work_max: 1, ..NO_LIMITS });
    let (a, b): (BTreeSet<_>, BTreeSet<_>) = ([vec![1, 3]].into(), [vec![2, 3]].into());
    let (a, b) = (build(&mut diagrams, &a), build(&mut diagrams, &b));
    assert_eq!(diagrams.union(a, b), Err(Abort::Work));
}

#[test]
fn sets_of_another_store_are_the_same_there() {
    let mut rng = Rng(6);
    for mut diagrams in stores() {
        let mut there = Diagrams::new(NO_LIMITS);
        for _ in 0..1_000 {
            let plain = rng.set(3, 4);
            let set = build(&mut there, &plain);
            let copied = diagrams.adopt(&there, set, |_, value| value).unwrap();
            assert_eq!(tuples(&diagrams, copied), plain);
            let salt = rng.below(7);
            let label = |level: usize, value: u32| (value + salt) * (level as u32 + 1) % 3;
            let relabelled = diagrams.adopt(&there, set, label).unwrap();
            let expected = there.relabel(set, label).unwrap();
            assert_eq!(tuples(&diagrams, relabelled), tuples(&there, expected));
            there.release(set);
        }
    }
}

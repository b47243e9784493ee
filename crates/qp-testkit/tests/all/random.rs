//! Seeded random systems against the reference interpreter and against their twins.

use std::collections::BTreeMap;

use qp_testkit::compare::{Compared, loaded, truth};
use qp_testkit::net::Net;
use qp_testkit::shrink::shrink;
use qp_testkit::{fuzz, make};
use queueproof::VerdictWord;

#[test]
fn agrees_with_the_reference_on_random_systems() {
    let (mut n_compared, mut n_large, mut n_configurations) = (0, 0, 0);
    for seed in 0..500 {
        match fuzz::try_seed(seed) {
            Ok(Compared::Agrees(size)) => {
                n_compared += 1;
                n_configurations += size;
            }
            Ok(Compared::TooLarge) => n_large += 1,
            Err(problem) => panic!("{problem}"),
        }
    }
    println!("{n_compared} systems, {n_configurations} configurations, {n_large} too large");
    assert!(n_compared > 450);
}

/// Random systems that all get the same answer would compare nothing.
#[test]
fn random_systems_get_every_answer() {
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for seed in 0..300 {
        let truth = truth(&make::net(seed), 1..=2, 2_000);
        for line in truth.into_iter().flat_map(|truth| truth.lines) {
            let kind = line.id.split(':').next().unwrap().to_owned();
            *counts.entry((kind, line.verdict.word())).or_default() += 1;
        }
    }
    for kind in ["assert", "unhandled", "deadlock", "stuck", "orphan", "reach"] {
        for word in ["proved", "violated", "unknown"] {
            let count = counts.get(&(kind.to_owned(), word)).copied().unwrap_or(0);
            assert!(count >= 5, "{kind} is {word} {count} times: {counts:?}");
        }
    }
}

/// A problem that is planted: systems with a deadlock. Whatever is left has one, and little else.
#[test]
fn shrinking_keeps_the_problem_and_little_else() {
    let deadlocks = |net: &Net| {
        let truth = truth(net, 1..=1, 2_000);
        truth.is_some_and(|t| t.lines[2].verdict == VerdictWord::Violated) && loaded(net).is_ok()
    };
    let mut n_shrunk = 0;
    for seed in 0..60 {
        let net = make::net(seed);
        if deadlocks(&net) {
            let small = shrink(net, deadlocks);
            assert!(deadlocks(&small));
            let edges = small.machines.iter().flat_map(|m| &m.states).map(|s| s.edges.len());
            assert!(edges.sum::<usize>() <= 2, "{}", small.text());
            n_shrunk += 1;
        }
    }
    assert!(n_shrunk > 10, "{n_shrunk}");
}

//! Random texts with every feature of the CFSM language against the reference interpreter.

use std::collections::BTreeMap;

use qp_testkit::cfsm::compare::try_seed;
use qp_testkit::cfsm::{lower, make, print, same};
use qp_testkit::compare::Compared;
use qp_testkit::net::Act;
use qp_testkit::reference::Reached;
use queueproof::load;

/// The texts that are tried: `QP_CFSM_TEXTS=5000 QP_CFSM_FROM=1000` tries others, and more.
fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let from = number("QP_CFSM_FROM").unwrap_or(0);
    from..from + number("QP_CFSM_TEXTS").unwrap_or(200)
}

#[test]
fn agrees_with_the_reference_on_every_feature() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let (mut n_compared, mut n_configurations, mut n_beyond) = (0, 0, 0);
    let mut problems = Vec::new();
    for seed in seeds() {
        match try_seed(seed) {
            Ok(told) => {
                if let Compared::Agrees(size) = told.compared {
                    (n_compared, n_configurations) = (n_compared + 1, n_configurations + size);
                }
                n_beyond += told.n_beyond;
                for answer in told.answers {
                    *counts.entry(answer).or_default() += 1;
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    println!("{n_compared} texts, {n_configurations} configurations, {n_beyond} answers beyond");
    println!("{counts:#?}");
    assert!(problems.is_empty(), "{} problems, the first: {}", problems.len(), problems[0]);
    assert!(n_compared * 4 > seeds().count() * 3, "only {n_compared} texts are small");
    for kind in ["assert", "unhandled", "deadlock", "stuck", "orphan", "reach", "livelock", "ltl"] {
        for word in ["proved", "violated", "unknown"] {
            let count = counts.get(&format!("{kind} {word}")).copied().unwrap_or(0);
            assert!(count >= 3, "{kind} is {word} {count} times: {counts:?}");
        }
    }
}

/// A comparison that never finds anything would prove nothing: one step less of the first machine, and it shows.
#[test]
fn steps_that_are_missing_are_noticed() {
    let (mut n_tried, mut n_noticed) = (0, 0);
    for seed in 0..300 {
        let sketch = make::sketch(seed);
        let mut net = lower::net(&sketch);
        let edges = &mut net.machines[0].states[0].edges;
        // A receive is rarely possible at the beginning.
        if edges.len() != 1 || !matches!(edges[0].act, Act::Send { .. } | Act::Internal) {
            continue;
        }
        edges.clear();
        let loaded = load("random.cfsm", print::text(&sketch, seed).as_bytes()).unwrap();
        let Some(reached) = Reached::explore(&net, 2, 500) else { continue };
        n_tried += 1;
        n_noticed += usize::from(same::compare(&net, &reached, &loaded.model, 2).is_err());
    }
    assert!(n_tried > 15 && n_noticed > n_tried / 2, "{n_noticed} of {n_tried}");
}

//! Rounds of one message against all charts of small systems.

use std::collections::BTreeSet;

use qp_testkit::rng::Rng;

use super::super::single::Singles;
use super::super::world::World;
use super::synchronous::Tally;
use super::systems::{BOTH, Plan, Queues, charts, is_at_once, lines};

/// What is reached, and a message that is received too late for it.
pub(super) fn explore(plan: &Plan, queues: Queues) -> (World, (Singles, Option<usize>)) {
    let found = plan.with(queues, |world| {
        let mut singles = Singles::reach(world, usize::MAX)?;
        let late = singles.watch(world, usize::MAX)?;
        Ok((singles, late))
    });
    found.expect("there is no limit")
}

fn compare(plan: &Plan, events: usize, states: usize, tally: &mut Tally) {
    for queues in BOTH {
        let Some(charts) = charts(plan, queues, events, states) else { continue };
        let (mut world, (singles, late)) = explore(plan, queues);
        tally.cases += 1;
        if let Some(late) = late {
            tally.late += 1;
            let chart = singles.late_chart(&mut world, late).expect("it is small");
            assert!(chart.replay(&mut world, &[]).is_some(), "{queues:?} {plan:?} {chart:?}");
            assert!(!is_at_once(plan, queues, &lines(plan, &chart)), "{queues:?} {plan:?}");
            continue;
        }
        let vectors = singles.plains.values().iter().map(|(vector, _)| world.vector(*vector));
        let reached: BTreeSet<Vec<usize>> = vectors
            .map(|vector| vector.locals.iter().map(|local| local.index()).collect())
            .collect();
        for (lines, locals) in &charts {
            assert!(is_at_once(plan, queues, lines), "missed {queues:?} {plan:?} {lines:?}");
            assert!(locals.is_subset(&reached), "{queues:?} {plan:?} {lines:?}");
        }
    }
}

#[test]
fn loose_systems_with_charts_of_9_events() {
    let mut rng = Rng::new(5);
    let mut tally = Tally::default();
    for _ in 0..420 {
        let sizes = [[2, 3, 4], [3, 4, 5], [2, 3, 4], [2, 3, 4]];
        let [n, messages, states, moves] = sizes.map(|sizes| sizes[rng.below(3)]);
        let plan = Plan::loose(&mut rng, (n, messages, states, moves));
        compare(&plan, 9, 30_000, &mut tally);
    }
    assert!(tally.cases >= 795 && tally.late >= 10, "{} {}", tally.cases, tally.late);
}

/// Systems with messages that cross each other, with charts of up to 10 events.
fn dense(seed: u64) {
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    while tally.cases < 7_000 {
        compare(&Plan::dense(&mut rng), 10, 20_000, &mut tally);
    }
    assert!(tally.late >= 200, "{}", tally.late);
}

#[test]
fn dense_systems_with_charts_of_10_events() {
    dense(99);
}

#[test]
fn more_dense_systems_with_charts_of_10_events() {
    dense(199);
}

#[test]
fn yet_more_dense_systems_with_charts_of_10_events() {
    dense(299);
}

#[test]
fn still_more_dense_systems_with_charts_of_10_events() {
    dense(399);
}

//! Rounds of up to k messages against all charts of small systems.

use std::collections::BTreeSet;

use qp_testkit::rng::Rng;

use super::super::books::Books;
use super::super::exchanges::Exchanges;
use super::super::watches::Watches;
use super::super::world::World;
use super::systems::{BOTH, Lines, Plan, Queues, charts, is_synchronous, lines};

/// What was met in some cases.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) cases: usize,
    pub(super) late: usize,
}

/// The vectors of local states that rounds lead to.
pub(super) fn vectors(world: &World, books: &Books) -> BTreeSet<Vec<usize>> {
    let vectors = books.rows.values().iter().map(|(vector, _)| world.vector(*vector));
    vectors.map(|vector| vector.locals.iter().map(|local| local.index()).collect()).collect()
}

pub(super) fn explore(plan: &Plan, queues: Queues, k: u32) -> Option<(World, (Books, Watches))> {
    plan.with(queues, |world| {
        let books = Books::reach(world, Exchanges::new(k, 400_000), 200_000)?;
        let watches = Watches::of(world, &books, 300_000)?;
        Ok((books, watches))
    })
}

fn compare(plan: &Plan, events: usize, states: usize, sizes: &[u32], tally: &mut Tally) {
    for queues in BOTH {
        let Some(charts) = charts(plan, queues, events, states) else { continue };
        for &k in sizes {
            let Some((mut world, (mut books, watches))) = explore(plan, queues, k) else {
                continue;
            };
            tally.cases += 1;
            let reached = vectors(&world, &books);
            let made = |lines: &Lines| is_synchronous(plan, lines, k as usize);
            for (lines, locals) in &charts {
                let made = made(lines);
                assert!(!made || locals.is_subset(&reached), "{queues:?} {k} {plan:?} {lines:?}");
                assert!(
                    made || !watches.found.is_empty(),
                    "missed {queues:?} {k} {plan:?} {lines:?}"
                );
            }
            tally.late += usize::from(!watches.found.is_empty());
            for late in watches.found.iter().take(5) {
                let chart = watches.chart(&mut world, &mut books, late.at).expect("it is small");
                assert!(
                    chart.replay(&mut world, &[]).is_some(),
                    "{queues:?} {k} {plan:?} {chart:?}"
                );
                let lines = lines(plan, &chart);
                assert!(!made(&lines), "no violation {queues:?} {k} {plan:?} {lines:?}");
                let largest = if late.never { usize::MAX } else { k as usize };
                assert!(
                    !late.never || !is_synchronous(plan, &lines, largest),
                    "{plan:?} {lines:?}"
                );
            }
        }
    }
}

#[test]
fn loose_systems_with_charts_of_9_events() {
    let mut rng = Rng::new(7);
    let mut tally = Tally::default();
    for _ in 0..200 {
        let sizes = [[2, 3, 3, 4], [3, 4, 5, 4], [2, 3, 4, 3], [2, 3, 4, 3]];
        let [n, messages, states, moves] = sizes.map(|sizes| sizes[rng.below(4)]);
        let plan = Plan::loose(&mut rng, (n, messages, states, moves));
        compare(&plan, 9, 30_000, &[1, 2], &mut tally);
    }
    assert!(tally.cases >= 240 && tally.late >= 5, "{} {}", tally.cases, tally.late);
}

/// Systems with messages that cross each other, with charts of up to 11 events.
fn dense(seed: u64) {
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    while tally.cases < 1_200 {
        let plan = Plan::dense(&mut rng);
        compare(&plan, 11, 40_000, &[1, 2, 3], &mut tally);
    }
    assert!(tally.late >= 20, "{}", tally.late);
}

#[test]
fn dense_systems_with_charts_of_11_events() {
    dense(12_345);
}

#[test]
fn more_dense_systems_with_charts_of_11_events() {
    dense(23_456);
}

#[test]
fn yet_more_dense_systems_with_charts_of_11_events() {
    dense(34_567);
}

#[test]
fn still_more_dense_systems_with_charts_of_11_events() {
    dense(45_678);
}

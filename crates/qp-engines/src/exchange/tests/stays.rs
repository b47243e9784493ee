//! What is kept between rounds allows exactly the rounds that charts allow.

use qp_testkit::rng::Rng;

use super::super::deeds::Chart;
use super::super::exchanges::Exchanges;
use super::super::shape::Forced;
use super::super::world::{Stop, World};
use super::systems::{BOTH, Plan, Queues, is_valid, lines};

/// How many rounds were tried, and how many of them cannot follow.
#[derive(Clone, Copy, Default)]
struct Tally {
    tried: usize,
    refused: usize,
}

/// Walks at random, and tries at each place whether some rounds may follow.
fn walk(plan: &Plan, queues: Queues, k: u32, seed: u64) -> Tally {
    let found = plan.with(queues, |world| {
        // Machines show how they use queues when they are asked; that comes before the walk.
        learn(plan, world)?;
        let mut rng = Rng::new(seed);
        let mut exchanges = Exchanges::new(k, usize::MAX);
        let mut tally = Tally::default();
        for _ in 0..6 {
            steps(plan, queues, world, &mut exchanges, &mut rng, &mut tally)?;
        }
        Ok(tally)
    });
    found.expect("there is no limit").1
}

fn learn(plan: &Plan, world: &mut World) -> Result<(), Stop> {
    let mut end = Ok(());
    for (machine, states) in plan.moves.iter().enumerate() {
        for state in 0..states.len() {
            end = end.and(world.acts(machine.into(), state.into()).map(|_| ()));
        }
    }
    end
}

fn steps(
    plan: &Plan,
    queues: Queues,
    world: &mut World,
    exchanges: &mut Exchanges,
    rng: &mut Rng,
    tally: &mut Tally,
) -> Result<(), Stop> {
    let (mut at, mut stays, mut chart) = (world.first_vectors()[0], Vec::new(), Chart::new(0));
    for _ in 0..6 {
        let all = exchanges.of(world, at)?;
        let mut allowed = Vec::new();
        for _ in 0..all.len().min(12) {
            let exchange = all[rng.below(all.len())];
            let mut longer = chart.clone();
            exchanges.tell(world, at, exchange, &mut longer)?;
            let lines = lines(plan, &longer);
            if lines.iter().map(Vec::len).sum::<usize>() > 31 {
                continue;
            }
            let valid = is_valid(plan, queues, &lines);
            let shape = &exchanges.looks[exchange.shape];
            let after = Forced { shape, stays: &stays, world }.step();
            tally.tried += 1;
            tally.refused += usize::from(!valid);
            assert_eq!(after.is_some(), valid, "{queues:?} {plan:?} {stays:?} {lines:?}");
            allowed.extend(after.map(|after| (exchange.to, after, longer)));
        }
        if allowed.is_empty() {
            return Ok(());
        }
        (at, stays, chart) = allowed.swap_remove(rng.below(allowed.len()));
    }
    Ok(())
}

fn walks(seed: u64) {
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    while tally.tried < 85_000 {
        let n = 3 + rng.below(2);
        let plan = Plan::loose(&mut rng, (n, 6, 2, 5));
        for queues in BOTH {
            for k in [1, 2] {
                let more = walk(&plan, queues, k, rng.draw());
                tally.tried += more.tried;
                tally.refused += more.refused;
            }
        }
    }
    assert!(tally.refused > 10_000, "{}", tally.refused);
}

#[test]
fn rounds_follow_if_charts_allow_it() {
    walks(3);
}

#[test]
fn rounds_follow_if_charts_allow_it_elsewhere() {
    walks(33);
}

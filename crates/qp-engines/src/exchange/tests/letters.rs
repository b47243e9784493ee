//! Rounds of any number of messages, letter by letter, against rounds that are listed.

use std::collections::BTreeSet;

use qp_testkit::rng::Rng;

use super::super::exchanges::Exchanges;
use super::super::letters::Letters;
use super::super::world::{Stop, VectorId, World};
use super::systems::{Plan, Queues};

/// Where rounds end: local states, and the queues in which something stays.
type Ends = BTreeSet<(Vec<usize>, Vec<usize>)>;

fn locals(world: &World, vector: VectorId) -> Vec<usize> {
    world.vector(vector).locals.iter().map(|local| local.index()).collect()
}

fn letter_by_letter(world: &mut World) -> Result<Ends, Stop> {
    let mut letters = Letters::new(world, usize::MAX);
    let mut ends = Ends::new();
    while let Some(boundary) = letters.next(world)? {
        let closed = boundary.heads.iter().map(|(queue, _)| queue.index()).collect();
        ends.insert((locals(world, boundary.vector), closed));
        let chart = letters.chart(boundary.at);
        assert!(chart.replay(world, &[]).is_some(), "{chart:?}");
    }
    Ok(ends)
}

/// All rounds of so many messages, one after the other, without receiving from a queue in which something stays.
fn listed(world: &mut World, k: u32) -> Result<Ends, Stop> {
    let mut exchanges = Exchanges::new(k, usize::MAX);
    let mut seen: BTreeSet<(VectorId, Vec<usize>)> = BTreeSet::new();
    let first = world.first_vectors()[0];
    seen.insert((first, Vec::new()));
    let mut todo = vec![(first, Vec::new())];
    while let Some((vector, closed)) = todo.pop() {
        for exchange in exchanges.of(world, vector)?.iter() {
            let nodes = &exchanges.looks[exchange.shape].nodes;
            if nodes.iter().any(|n| n.message.is_none() && closed.contains(&n.queue.index())) {
                continue;
            }
            let mut after = closed.clone();
            let left = nodes.iter().filter(|node| node.message.is_some());
            after.extend(left.map(|node| node.queue.index()));
            after.sort_unstable();
            after.dedup();
            if seen.insert((exchange.to, after.clone())) {
                todo.push((exchange.to, after));
            }
        }
    }
    Ok(seen.into_iter().map(|(vector, closed)| (locals(world, vector), closed)).collect())
}

#[test]
fn letters_and_lists_lead_to_the_same_places() {
    let mut rng = Rng::new(6);
    let mut ends = 0;
    for _ in 0..120 {
        let plan = Plan::acyclic(&mut rng);
        let k = 3 * plan.n() as u32;
        let (_, one) = plan.with(Queues::Mailboxes, letter_by_letter).expect("it is small");
        let (_, other) =
            plan.with(Queues::Mailboxes, |world| listed(world, k)).expect("it is small");
        assert_eq!(one, other, "{plan:?}");
        ends += one.len();
    }
    assert!(ends >= 559, "{ends}");
}

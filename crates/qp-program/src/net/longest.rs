//! How many machines a copy may come to have.

use qp_base::IndexVec;
use qp_dataflow::{Direction, Graph, components, reach};

use super::flow::{Effect, Flow};
use super::shape::CopyId;

/// A copy with more machines than this is as good as one without limit.
const MACHINES_MAX: u32 = 10_000;

/// For each copy, how many machines are created for it at most, or nothing if there is no limit: as many as
/// there are creations on a way through the control flow of its creator, unless one can be come back to, for each
/// creator.
pub(super) fn numbers(flow: &Flow<'_>) -> IndexVec<CopyId, Option<u32>> {
    let copies = &flow.stepper.points_to.copies;
    let mut found: IndexVec<CopyId, Option<u32>> = IndexVec::new();
    for (id, copy) in copies.iter_enumerated() {
        // A creator has a smaller number than what it creates.
        let number = match copy.creator {
            None => copy.first.then_some(1),
            Some(creator) => found.get(creator).copied().flatten().and_then(|creators| {
                let each = creations(flow, creator, id)?;
                creators.checked_mul(each).filter(|&number| number <= MACHINES_MAX)
            }),
        };
        found.push(number);
    }
    found
}

/// The greatest number of steps on a way of the creator that create such a machine; nothing if one of them can be
/// come back to.
fn creations(flow: &Flow<'_>, creator: CopyId, child: CopyId) -> Option<u32> {
    let mut next = vec![Vec::new(); flow.spots.len()];
    for step in flow.steps.keys() {
        if let Some(to) = step.to.filter(|_| flow.spots.value(step.from).owner == creator) {
            let weight = u32::from(step.effect == Effect::Starts(child));
            next[step.from.index()].push((to.index(), weight));
        }
    }
    let targets = |all: &Vec<(usize, u32)>| all.iter().map(|(to, _)| *to).collect();
    let graph = Graph::new(next.iter().map(targets).collect());
    let (start, of) = (flow.starts[creator.index()].index(), components(&graph));
    let reached = reach(&graph, Direction::Forward, [start]);
    let mut order: Vec<usize> = (0..next.len()).filter(|&node| reached[node]).collect();
    // Whatever a component leads to comes before it.
    order.sort_by_key(|&node| of[node]);
    let mut most = vec![0_u32; next.len()];
    for node in order {
        for &(to, weight) in &next[node] {
            if of[to] != of[node] {
                most[of[node]] = most[of[node]].max(most[of[to]].saturating_add(weight));
            } else if weight > 0 {
                return None;
            }
        }
    }
    Some(most[of[start]])
}

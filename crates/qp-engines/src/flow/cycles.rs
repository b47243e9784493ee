//! Rays taken apart into cycles.

use std::collections::BTreeMap;

use qp_claim::Round;
use qp_lp::BigInt;
use qp_machines::{ArcId, Net, SpotId};

/// Arcs that lead round in a circle, or from the appearance of a machine to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cycle {
    /// The arcs, in order.
    pub(super) arcs: Vec<ArcId>,
    /// How often it is taken, compared with the others.
    pub(super) times: BigInt,
}

/// Takes a flow apart: follow arcs until a spot comes again, take the cycle away as often as its rarest arc was
/// taken, and begin anew. Each cycle uses up an arc, so there are at most as many.
///
/// More machines may be left at a spot than begin there: such ends are followed until nothing leads on.
pub(super) fn cycles(net: &Net, ray: &[(ArcId, BigInt)]) -> Vec<Cycle> {
    let mut left: BTreeMap<ArcId, BigInt> = ray.iter().cloned().collect();
    let mut found = Vec::new();
    while let Some((&first, _)) = left.first_key_value() {
        let arcs = walk(net, &left, first);
        let times = arcs.iter().map(|arc| &left[arc]).min().cloned().unwrap_or_default();
        for arc in &arcs {
            let rest = &left[arc] - &times;
            if rest == BigInt::ZERO {
                left.remove(arc);
            } else {
                left.insert(*arc, rest);
            }
        }
        found.push(Cycle { arcs, times });
    }
    found
}

/// A cycle that can be reached from an arc; if there is none, the way to where nothing leads on.
fn walk(net: &Net, left: &BTreeMap<ArcId, BigInt>, first: ArcId) -> Vec<ArcId> {
    let mut way = vec![first];
    let mut met: BTreeMap<SpotId, usize> = BTreeMap::new();
    if let Some(from) = net.arcs[first].from {
        met.insert(from, 0);
    }
    loop {
        let Some(at) = way.last().and_then(|&arc| net.arcs[arc].to) else { return way };
        if let Some(&begin) = met.get(&at) {
            return way.split_off(begin);
        }
        met.insert(at, way.len());
        let next = left.keys().copied().find(|&arc| net.arcs[arc].from == Some(at));
        let Some(next) = next else { return way };
        way.push(next);
    }
}

/// A cycle in the user's words.
pub(super) fn round(net: &Net, cycle: &Cycle) -> Round {
    let begin = cycle.arcs.first().and_then(|&arc| net.arcs[arc].from);
    let step = |&arc: &ArcId| (net.arcs[arc].text.clone(), net.arcs[arc].span);
    Round {
        from: begin.map_or_else(|| "a new machine".to_owned(), |spot| net.spots[spot].name.clone()),
        times: cycle.times.to_string(),
        steps: cycle.arcs.iter().map(step).collect(),
    }
}

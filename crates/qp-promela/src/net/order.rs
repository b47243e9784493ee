//! What is known of channels beside what is counted: their order, and how much fits.

use qp_machines::{Arc, ArcId, Fact, Net, QueueId};

use super::flow::{Chan, ChanId, Flow};
use crate::run::Code;

/// Notes the channels whose messages are put at the back only, and taken from the front only.
pub(super) fn orders(flow: &Flow<'_>, net: &mut Net) {
    let plain = lasting(flow).filter(|(_, chan)| !chan.shuffled);
    net.in_order = plain.map(|(id, _)| QueueId::new(id.index())).collect();
}

/// A channel never holds more than fits, unless it is never full.
pub(super) fn capacities(flow: &Flow<'_>, code: &Code, net: &mut Net) {
    for (id, chan) in lasting(flow) {
        let Some(n) = code.room(chan.shape) else { continue };
        let queue = QueueId::new(id.index());
        let inside = |arc: &Arc| -> i64 {
            let mine = arc.effects.iter();
            let mine = mine.filter(|(id, _)| net.counters[*id].counts.is_in(queue));
            mine.map(|&(_, by)| by).sum()
        };
        let terms = net.arcs.iter_enumerated().map(|(id, arc)| (id, inside(arc)));
        let terms: Vec<(ArcId, i64)> = terms.filter(|&(_, by)| by != 0).collect();
        let because = format!("`{}` holds at most {n}", chan.name);
        net.facts.push(Fact { terms, at_most: i64::from(n), because });
    }
}

/// The channels with room that exist from the beginning and for ever: each is counted for itself.
pub(super) fn lasting<'a>(flow: &'a Flow<'_>) -> impl Iterator<Item = (ChanId, &'a Chan)> {
    let code = &flow.basis.code;
    let n_first = flow.basis.n_first();
    flow.chans.iter_enumerated().filter(move |(id, chan)| {
        let ends = chan.owner.is_some_and(|proc| code.graphs[proc].ends);
        id.index() < n_first && !ends && code.spec.shapes[chan.shape].capacity > 0
    })
}

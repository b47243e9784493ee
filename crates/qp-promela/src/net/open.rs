//! Conditions that are left open, and what would have to be followed to decide them.

use qp_front_promela::spec::ProcId;

use super::detail::{Reads, subject};
use crate::effects::Guard;
use crate::graph::NodeId;
use crate::run::Code;

/// The variables that decide whether a statement is possible, or which channel it means.
pub(super) fn deciders(code: &Code, proc: ProcId, (node, index): (NodeId, usize)) -> Reads {
    let edges = &code.graphs[proc].nodes[node].edges;
    let effects = edges[index].act.effects();
    let mut reads = Reads::default();
    match effects.guard {
        Guard::Holds(value) => reads.value(proc, value),
        Guard::Otherwise => {
            for other in &edges[..index] {
                if let Guard::Holds(value) = other.act.effects().guard {
                    reads.value(proc, value);
                }
            }
        }
        _ => {}
    }
    if let Some((channel, _)) = effects.channel() {
        reads.indices(proc, channel);
        reads.0.extend(subject(proc, channel.var));
    }
    for (key, value) in effects.wanted() {
        reads.value(proc, value);
        reads.part(code, key);
    }
    reads
}

//! Live variables: which local variables still decide something at a node. What a variable holds that is assigned
//! before it is read again need not be known.

use qp_base::IndexVec;
use qp_dataflow::{Direction, Lattice, fixpoint};
use qp_front_promela::spec::{Expr, ExprKind, LocalId, Place, ProcId, Var};

use super::shared::Shared;
use crate::effects::{Guard, Source, Write};
use crate::graph::{Edge, NodeId};
use crate::run::Code;
use crate::uses;

/// The variables that are read behind each node of a proctype.
pub(super) type Live = IndexVec<NodeId, IndexVec<LocalId, bool>>;

/// The variables of a proctype that are read behind its nodes, other than by what is printed or asserted, or goes
/// into shared variables that are not followed.
pub(super) fn live(code: &Code, proc: ProcId, shared: &Shared<'_>) -> Live {
    let locals = &code.spec.procs[proc].body.locals;
    let nodes = &code.graphs[proc].nodes;
    let mut live: Live = nodes.iter().map(|_| locals.iter().map(|_| false).collect()).collect();
    fixpoint(0..nodes.len(), Direction::Backward, |node, worklist| {
        for edge in &nodes[NodeId::new(node)].edges {
            worklist.read(edge.target.index());
            if let Guard::Opens(entry) = edge.act.effects().guard {
                worklist.read(entry.index());
            }
            for local in before(code, proc, edge, (&live, shared)) {
                if live[NodeId::new(node)][local].join(&true) {
                    worklist.changed(node);
                }
            }
        }
    });
    live
}

/// What is read by a statement, or behind it.
fn before(
    code: &Code,
    proc: ProcId,
    edge: &Edge,
    (live, shared): (&Live, &Shared<'_>),
) -> Vec<LocalId> {
    let behind = |it: NodeId| live[it].iter_enumerated().filter(|(_, it)| **it).map(|(id, _)| id);
    let mut found: Vec<LocalId> = behind(edge.target).collect();
    let is_live = |place: &Place| match place.var {
        Var::Local(id) => live[edge.target][id],
        Var::Global(id) => shared.follows(code, id),
        Var::Scratch => false,
    };
    let effects = edge.act.effects();
    // What gets a new value as a whole is not read behind the statement, unless the old one goes into it.
    for Write { place, source } in &effects.writes {
        let is_first = matches!(source, Source::First(_));
        if let Var::Local(id) = place.var
            && !matches!(source, Source::Sum(_))
            && (place.steps.is_empty() || is_first)
            && code.spec.variable_cells(&code.spec.procs[proc].body.locals[id]) == 1
        {
            found.retain(|it| *it != id);
        }
    }
    for Write { place, source } in &effects.writes {
        uses::place(place, &mut |it| note(it, &mut found));
        match source {
            Source::Value(value) if !is_live(place) => {}
            source => values(source.value(), &mut found),
        }
    }
    if let Guard::Holds(value) = effects.guard {
        values([value], &mut found);
    }
    if let Some((channel, _)) = effects.channel() {
        held(channel, &mut found);
    }
    values(effects.wanted().map(|(_, value)| value), &mut found);
    values(effects.args(), &mut found);
    if let Guard::Opens(entry) = effects.guard {
        found.extend(behind(entry));
    }
    found
}

fn values<'a>(all: impl IntoIterator<Item = &'a Expr>, found: &mut Vec<LocalId>) {
    for value in all {
        uses::expr(value, &mut |it| note(it, found));
    }
}

fn held(place: &Place, found: &mut Vec<LocalId>) {
    if let Var::Local(id) = place.var {
        found.push(id);
    }
    uses::place(place, &mut |it| note(it, found));
}

fn note(value: &Expr, found: &mut Vec<LocalId>) {
    let place = match &value.kind {
        ExprKind::Load(place) | ExprKind::Len(place) | ExprKind::Probe(_, place) => place,
        ExprKind::Poll { channel, .. } => channel,
        _ => return,
    };
    if let Var::Local(id) = place.var {
        found.push(id);
    }
}

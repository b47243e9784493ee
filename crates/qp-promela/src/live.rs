//! Live variables: which local variables are read behind a node. What a variable holds that is assigned
//! before it is read again need not be known.

use qp_base::IndexVec;
use qp_dataflow::{Direction, Lattice, fixpoint};
use qp_front_promela::spec::{Expr, ExprKind, GlobalId, LocalId, Place, ProcId, Spec, Var};

use crate::effects::{Effects, Guard, Source, Write};
use crate::graph::{Edge, Graph, NodeId};
use crate::uses;

/// The variables that are read behind each node of a proctype.
pub(crate) type Live = IndexVec<NodeId, IndexVec<LocalId, bool>>;

/// What counts as reading a variable.
#[derive(Clone, Copy)]
pub(crate) enum Reads<'s> {
    /// Whatever is computed: that may fail, whether or not somebody uses the value.
    All,
    /// What decides about something: not what is printed or asserted, or goes into variables that are dead, or into
    /// shared ones that are not followed.
    Deciding(&'s dyn Fn(GlobalId) -> bool),
}

/// The variables of a proctype that are read behind its nodes.
pub(crate) fn live(spec: &Spec, graph: &Graph, proc: ProcId, reads: Reads<'_>) -> Live {
    let locals = &spec.procs[proc].body.locals;
    let nodes = &graph.nodes;
    let mut live: Live = nodes.iter().map(|_| locals.iter().map(|_| false).collect()).collect();
    fixpoint(0..nodes.len(), Direction::Backward, |node, worklist| {
        for edge in &nodes[NodeId::new(node)].edges {
            worklist.read(edge.target.index());
            if let Guard::Opens(entry) = edge.act.effects().guard {
                worklist.read(entry.index());
            }
            for local in before(spec, proc, edge, (&live, reads)) {
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
    spec: &Spec,
    proc: ProcId,
    edge: &Edge,
    (live, reads): (&Live, Reads<'_>),
) -> Vec<LocalId> {
    let behind = |it: NodeId| live[it].iter_enumerated().filter(|(_, it)| **it).map(|(id, _)| id);
    let mut found: Vec<LocalId> = behind(edge.target).collect();
    let effects = edge.act.effects();
    // What gets a new value as a whole is not read behind the statement, unless the old one goes into it.
    for Write { place, source } in &effects.writes {
        let is_first = matches!(source, Source::First(_));
        if let Var::Local(id) = place.var
            && !matches!(source, Source::Sum(_))
            && (place.steps.is_empty() || is_first)
            && spec.variable_cells(&spec.procs[proc].body.locals[id]) == 1
        {
            found.retain(|it| *it != id);
        }
    }
    match reads {
        Reads::All => effects.each_value(&mut |value| values([value], &mut found)),
        Reads::Deciding(follows) => {
            let is_live = |place: &Place| match place.var {
                Var::Local(id) => live[edge.target][id],
                Var::Global(id) => follows(id),
                Var::Scratch => false,
            };
            deciding(&effects, &is_live, &mut found);
        }
    }
    if let Some((channel, _)) = effects.channel() {
        held(channel, &mut found);
    }
    if let Guard::Opens(entry) = effects.guard {
        found.extend(behind(entry));
    }
    found
}

/// What is read and decides about something.
fn deciding(effects: &Effects<'_>, is_live: &dyn Fn(&Place) -> bool, found: &mut Vec<LocalId>) {
    for Write { place, source } in &effects.writes {
        uses::place(place, &mut |it| note(it, found));
        match source {
            Source::Value(value) if !is_live(place) => {}
            source => values(source.value(), found),
        }
    }
    if let Guard::Holds(value) = effects.guard {
        values([value], found);
    }
    values(effects.wanted().map(|(_, value)| value), found);
    values(effects.args(), found);
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

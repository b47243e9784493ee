//! Which models can be run with moves, which are asked about one process at a time.

pub(crate) use values::{compares, is_channel};

mod values;

use qp_base::IndexVec;
use qp_front_promela::spec::{Expr, ExprKind, Init, ProcId, Spec, Ty, Var};

use crate::effects::{Source, Write};
use crate::graph::{Act, Edge, Graph};
use crate::run::Layout;
use values::Values;

/// Whether moves can express a model. `docs/decisions/001-lazy-machines.md` says what they cannot.
pub(crate) fn fits_moves(spec: &Spec, graphs: &IndexVec<ProcId, Graph>) -> bool {
    let fields = spec.records.iter().flat_map(|record| &record.fields);
    let layout = Layout::new(spec);
    spec.traces.is_empty()
        && spec.globals.iter().all(|global| first_value_fits(&global.init))
        && fields.into_iter().all(|field| first_value_fits(&field.init))
        && spec.procs.iter_enumerated().all(|(id, proc)| {
            let dies = graphs[id].ends && !is_always_first(spec, graphs, id);
            proc.priority.is_none()
                && proc.provided.is_none()
                && proc.body.locals.iter().all(|local| first_value_fits(&local.init))
                && acts_fit(&graphs[id])
                && !(dies
                    && !layout.own_channels(id).is_empty()
                    && hands_over(&graphs[id], proc.params))
        })
}

fn first_value_fits(init: &Init) -> bool {
    let mut values = Values { fit: true, queues: false };
    if let Init::Value(value) = init {
        values.value(value);
    }
    values.fit
}

fn acts_fit(graph: &Graph) -> bool {
    let mut values = Values { fit: true, queues: true };
    for node in &graph.nodes {
        let others = node.edges.iter().rev().skip(1);
        values.fit &= !others.into_iter().any(|edge| matches!(edge.act, Act::Else));
        for edge in &node.edges {
            values.act(&edge.act);
            values.fit &= edge.escape == 0;
        }
    }
    values.fit
}

/// Whether processes that run this are only ever process 0, which ends last.
fn is_always_first(spec: &Spec, graphs: &IndexVec<ProcId, Graph>, id: ProcId) -> bool {
    let first = spec.procs.iter_enumerated().find(|(_, proc)| proc.active > 0);
    let runs = |edge: &Edge| edge.act.effects().starts.is_some_and(|(proc, _)| proc == id);
    first.is_some_and(|(first, proc)| first == id && proc.active == 1)
        && !graphs.iter().flat_map(Graph::edges).any(runs)
}

/// Whether a channel of the process itself may outlive it in the hands of others.
fn hands_over(graph: &Graph, params: usize) -> bool {
    let own = |value: &Expr| match &value.kind {
        ExprKind::Load(place) => {
            place.ty == Ty::Chan && matches!(place.var, Var::Local(id) if id.index() >= params)
        }
        ExprKind::Conditional(..) => true,
        _ => false,
    };
    graph.edges().any(|edge| {
        let effects = edge.act.effects();
        let assigns = |it: &Write<'_>| {
            it.place.ty == Ty::Chan && matches!(it.source, Source::Value(value) if own(value))
        };
        effects.writes.iter().any(assigns) || effects.args().any(own)
    })
}

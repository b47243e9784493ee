//! Who could ever answer a handshake, as far as the text tells. Whoever sends looks only at those.

use qp_base::{IndexVec, Set};
use qp_front_promela::spec::{Expr, ExprKind, GlobalId, Init, ProcId, Spec, Ty, Var};
use qp_machines::{MachineId, QueueId};

use crate::effects::Effects;
use crate::graph::Graph;

/// The channels that each of the first processes may receive from, if no others are ever created.
#[derive(Clone, Debug, Default)]
pub(super) struct Listeners {
    /// `None` for a process that may receive from any channel.
    known: Option<Vec<Option<Set<QueueId>>>>,
}

impl Listeners {
    pub(super) fn new(spec: &Spec, graphs: &IndexVec<ProcId, Graph>) -> Self {
        let mut starts_others = false;
        let mut changed: Set<GlobalId> = Set::default();
        for edge in graphs.iter().flat_map(Graph::edges) {
            let effects = edge.act.effects();
            starts_others |= effects.starts.is_some();
            changed.extend(written(&effects));
        }
        crate::uses::each(spec, &mut |it: &Expr| {
            starts_others |= matches!(it.kind, ExprKind::Run { .. });
        });
        if starts_others {
            return Self::default();
        }
        let known = |(id, proc)| {
            let heard = heard(spec, &graphs[id], &changed);
            std::iter::repeat_n(heard, proc)
        };
        let procs = spec.procs.iter_enumerated().map(|(id, proc)| (id, proc.active as usize));
        Self { known: Some(procs.flat_map(known).collect()) }
    }

    /// Whether a process could receive from a channel.
    pub(super) fn may_hear(&self, machine: MachineId, queue: QueueId) -> bool {
        let Some(known) = &self.known else { return true };
        match known.get(machine.index()) {
            Some(Some(heard)) => heard.contains(&queue),
            Some(None) | None => true,
        }
    }
}

/// The global channel variables that a statement may change.
fn written(effects: &Effects<'_>) -> impl Iterator<Item = GlobalId> {
    effects.writes.iter().filter_map(|write| match write.place.var {
        Var::Global(id) if write.place.ty == Ty::Chan => Some(id),
        _ => None,
    })
}

/// The channels that a body may receive from; `None` if the text does not tell.
fn heard(spec: &Spec, graph: &Graph, changed: &Set<GlobalId>) -> Option<Set<QueueId>> {
    let mut heard = Set::default();
    for (channel, _) in graph.edges().filter_map(|edge| edge.act.effects().receives) {
        let Var::Global(id) = channel.var else { return None };
        if changed.contains(&id) {
            return None;
        }
        heard.extend(channels(spec, id)?);
    }
    Some(heard)
}

/// The channels that a global variable declares; `None` if there are others before it in records.
fn channels(spec: &Spec, wanted: GlobalId) -> Option<impl Iterator<Item = QueueId>> {
    let mut first = 0;
    for (id, variable) in spec.globals.iter_enumerated() {
        if matches!(variable.ty, Ty::Record(_)) {
            return None;
        }
        let own = match variable.init {
            Init::Channel(_) => variable.len.unwrap_or(1) as usize,
            Init::Zero | Init::Value(_) | Init::List(_) => 0,
        };
        if id == wanted {
            return (own > 0).then(|| (first..first + own).map(QueueId::new));
        }
        first += own;
    }
    None
}

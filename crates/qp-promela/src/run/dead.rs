//! Dead variables: where a local variable is not read before it gets a new value, what it holds makes no difference. It
//! is set to 0 there, as SPIN does by its data-flow analysis (its option `-o2` switches that off), so that configurations
//! that differ in nothing else are one.
//!
//! Only single variables that hold no channel are reset, and none that anybody else can read: by a remote reference, in a
//! formula or in a claim, or in what a process is `provided` with, which is read everywhere.

use qp_base::{IndexVec, Set};
use qp_front_promela::Spec;
use qp_front_promela::spec::{ExprKind, LocalId, Place, ProcId, Ty, Var};

use crate::graph::{Graph, NodeId};
use crate::live::{Reads, live};
use crate::uses;

use super::{Frame, Layout};

/// For each node of each proctype: the cells that are dead there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dead {
    cells: IndexVec<ProcId, IndexVec<NodeId, Vec<usize>>>,
}

impl Dead {
    pub(crate) fn of(spec: &Spec, graphs: &IndexVec<ProcId, Graph>, layout: &Layout) -> Self {
        let read = read_by_others(spec);
        let of_proc = |(proc, graph): (ProcId, &Graph)| {
            let locals = &spec.procs[proc].body.locals;
            let may_reset = |id: LocalId| {
                let variable = &locals[id];
                let is_single = spec.variable_cells(variable) == 1 && variable.len.is_none();
                let is_plain = !matches!(variable.ty, Ty::Chan | Ty::Record(_));
                is_single && is_plain && !read.contains(&(proc, id))
            };
            let live = live(spec, graph, proc, Reads::All);
            let dead = |node: &IndexVec<LocalId, bool>| {
                let dead = node.iter_enumerated().filter(|(_, is_live)| !**is_live);
                let dead = dead.map(|(id, _)| id).filter(|&id| may_reset(id));
                dead.map(|id| layout.local(proc, id)).collect()
            };
            live.iter().map(dead).collect()
        };
        Self { cells: graphs.iter_enumerated().map(of_proc).collect() }
    }

    /// Whether nothing is ever reset.
    pub(super) fn is_empty(&self) -> bool {
        self.cells.iter().flatten().all(Vec::is_empty)
    }

    /// Forgets what nobody reads any more where a process is.
    pub(super) fn reset(&self, frame: &mut Frame) {
        self.at(frame.proc, frame.node).iter().for_each(|&cell| frame.cells[cell] = 0);
    }

    /// The cells of a process that are dead at a node.
    pub(super) fn at(&self, proc: ProcId, node: NodeId) -> &[usize] {
        self.cells.get(proc).map_or(&[], |nodes| &nodes[node])
    }
}

/// The local variables that are read by others than the statements of their process.
fn read_by_others(spec: &Spec) -> Set<(ProcId, LocalId)> {
    let mut read = Set::default();
    uses::each(spec, &mut |it| {
        if let ExprKind::RemoteVar { proc, place: Place { var: Var::Local(id), .. }, .. } = &it.kind
        {
            read.insert((*proc, *id));
        }
    });
    for (proc, info) in spec.procs.iter_enumerated() {
        let Some(provided) = &info.provided else { continue };
        uses::expr(provided, &mut |it| {
            if let ExprKind::Load(Place { var: Var::Local(id), .. }) = &it.kind {
                read.insert((proc, *id));
            }
        });
    }
    read
}

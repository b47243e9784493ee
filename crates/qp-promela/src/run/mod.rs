//! Processes as machines: what each can do in each of its states.

mod act;
mod channels;
mod dead;
mod eval;
mod guess;
mod known;
mod layout;
mod listeners;
mod program;
mod quiet;
mod room;
mod start;
mod text;
mod told;
mod turn;
mod value;
mod visited;

#[cfg(test)]
mod tests;

use qp_base::{Budget, IndexVec, Interner, Set};
use qp_front_promela::Spec;
use qp_front_promela::spec::{
    Expr, ExprKind, GlobalId, MtypeId, Place, ProcId, Ty, Var, Visibility,
};
use qp_machines::{CellId, ConditionId, Failure, FailureId, LocalId, MessageId, Outline};
use std::sync::Arc;

use crate::demand::Demands;
use crate::graph::{Act, Graph, NodeId};
use crate::{Channels, Granularity, Options, uses};
pub(crate) use channels::is_channel;
use dead::Dead;
pub(crate) use guess::{Basis, Guess, Range, Seen, Written};
pub(crate) use layout::Layout;
use listeners::Listeners;
use quiet::Quiet;
use turn::{Discretion, Trace};
use visited::Visited;

/// A Promela model that runs.
#[derive(Clone)]
pub struct Processes {
    code: Arc<Code>,
    outline: Outline,
    frames: Interner<LocalId, Frame>,
    messages: Interner<MessageId, Vec<Part>>,
    failures: IndexVec<FailureId, Failure>,
    /// Whom to ask in the midst of a long turn.
    budget: Budget,
    visited: Visited,
}

/// What does not change while a model runs.
#[derive(Clone)]
pub(crate) struct Code {
    pub(crate) spec: Spec,
    pub(crate) graphs: IndexVec<ProcId, Graph>,
    pub(crate) layout: Layout,
    /// So many of what channels carry are never full, whatever they say; later ones are.
    endless: usize,
    /// Whether the value of a channel is its number alone; nets keep what it carries, too.
    numbered: bool,
    /// The cell of `_last`, if the model uses it.
    last: Option<CellId>,
    /// Whether the model uses priorities.
    pub(crate) ranks: bool,
    /// How many cells the shared variables have, with those that nobody declared.
    n_cells: usize,
    trace: Option<Trace>,
    quiet: Quiet,
    /// What is reset where nobody reads it.
    dead: Dead,
    /// The shared cells that never change, with what they hold.
    fixed: Vec<Option<i32>>,
    listeners: Listeners,
    discretion: Discretion,
    /// The shared cells of `hidden` variables that nobody reads: nothing is stored there.
    pub(crate) unread: Vec<bool>,
    /// The names of control states.
    pub(crate) names: IndexVec<ProcId, IndexVec<NodeId, String>>,
    /// What demands on infinite runs are made of.
    conditions: IndexVec<ConditionId, Expr>,
}

/// Where a process is, with its variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Frame {
    proc: ProcId,
    node: NodeId,
    cells: Vec<i32>,
    /// What it runs into next, whatever stands there.
    trouble: Option<FailureId>,
    /// Its priority, if the model uses priorities.
    priority: u8,
}

/// A part of a message, as far as it can be told apart from others when it is written down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Part {
    Number(i32),
    Name(MtypeId, i32),
    Channel(i32),
}

impl Part {
    fn value(self) -> i32 {
        match self {
            Self::Number(value) | Self::Name(_, value) | Self::Channel(value) => value,
        }
    }

    /// For the order of messages: channels count by their numbers.
    fn rank(self) -> i32 {
        match self {
            Self::Channel(value) => value & 0xff,
            Self::Number(value) | Self::Name(_, value) => value,
        }
    }
}

impl Processes {
    /// The processes of a model.
    pub(crate) fn new(
        spec: Spec,
        (graphs, trace): (IndexVec<ProcId, Graph>, Option<Graph>),
        demands: Demands,
        options: Options,
    ) -> Self {
        let layout = Layout::new(&spec);
        let unbounded = options.channels == Channels::Unbounded;
        let endless = if unbounded { spec.shapes.len() } else { 0 };
        let mut uses_last = false;
        let mut ranks = sets_priorities(&spec, &graphs);
        uses::each(&spec, &mut |it| match it.kind {
            ExprKind::Last => uses_last = true,
            ExprKind::GetPriority(_) | ExprKind::Priority => ranks = true,
            ExprKind::Run { priority, .. } => ranks |= priority.is_some(),
            _ => {}
        });
        let last = uses_last.then(|| CellId::new(layout.n_globals()));
        let n_cells = layout.n_globals() + usize::from(uses_last);
        let trace = spec.traces.first().zip(trace).map(|(trace, graph)| Trace {
            graph,
            forbidden: trace.forbidden,
            cell: CellId::new(n_cells),
        });
        let n_cells = n_cells + usize::from(trace.is_some());
        let Demands { ltl, conditions } = demands;
        let quiet = match options.granularity {
            Granularity::Visible => quiet::quiet(&spec, &graphs, ranks),
            Granularity::Statement => {
                graphs.iter().map(|graph| graph.nodes.iter().map(|_| false).collect()).collect()
            }
        };
        let dead = match options.granularity {
            Granularity::Visible => Dead::of(&spec, &graphs, &layout),
            // Counts are those of SPIN without this.
            Granularity::Statement => Dead::default(),
        };
        let listeners = Listeners::new(&spec, &graphs);
        let discretion = Discretion::new(&spec, &graphs, ranks || uses_last);
        let unread = unread(&spec);
        let named = |(id, graph): (ProcId, &Graph)| graph.names(&spec, &spec.procs[id].body);
        let names = graphs.iter_enumerated().map(named).collect();
        let outline = Outline {
            n_cells: Some(n_cells),
            ltl,
            fair: options.fair,
            ..start::outline(&spec, &layout, options)
        };
        let mut processes = Self {
            code: Arc::new(Code {
                spec,
                graphs,
                layout,
                endless,
                numbered: true,
                last,
                ranks,
                n_cells,
                trace,
                quiet,
                dead,
                fixed: Vec::new(),
                listeners,
                discretion,
                unread,
                names,
                conditions,
            }),
            outline,
            frames: Interner::new(),
            messages: Interner::new(),
            failures: IndexVec::new(),
            budget: Budget::states(u64::MAX),
            visited: Visited::default(),
        };
        processes.note_fixed();
        processes
    }

    fn failure_id(&mut self, failure: Failure) -> FailureId {
        let known = self.failures.iter().position(|known| *known == failure);
        known.map_or_else(|| self.failures.push(failure), FailureId::new)
    }
}

/// Which shared cells belong to `hidden` variables that nobody reads. SPIN stores no `hidden` variable at
/// all, so that what it finds may depend on the order of its search; those that are read count here.
fn unread(spec: &Spec) -> Vec<bool> {
    let mut read: Set<GlobalId> = Set::default();
    uses::each(spec, &mut |it| {
        if let ExprKind::Load(Place { var: Var::Global(id), .. }) = &it.kind {
            read.insert(*id);
        }
    });
    let mut cells = Vec::new();
    for (id, variable) in spec.globals.iter_enumerated() {
        let is_unread = variable.visibility == Visibility::Hidden
            && !read.contains(&id)
            && spec.cells(variable).iter().all(|cell| cell.ty != Ty::Chan);
        cells.extend(std::iter::repeat_n(is_unread, spec.variable_cells(variable)));
    }
    cells
}

/// Whether processes are given priorities, at their beginning or later.
fn sets_priorities(spec: &Spec, graphs: &IndexVec<ProcId, Graph>) -> bool {
    let mut edges = graphs.iter().flat_map(|graph| &graph.nodes).flat_map(|node| &node.edges);
    spec.procs.iter().any(|proc| proc.priority.is_some())
        || edges.any(|edge| matches!(edge.act, Act::SetPriority(..)))
}

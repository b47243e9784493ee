//! What a process does with channels where it is, and whether anybody minds when it moves: what has to be known
//! to leave some orders of steps out.

use qp_base::IndexVec;
use qp_dataflow::{Direction, reach};
use qp_front_promela::spec::{Expr, ExprKind, ProcId, Spec};
use qp_machines::{MachineId, QueueId, Uses, World};

use super::stage::Stage;
use crate::effects::Guard;
use crate::graph::{Act, Edge, Graph, Node, NodeId};
use crate::run::act::Done;
use crate::run::{Code, Processes};
use crate::uses;

/// What the text of a model says about looks that others may mind.
#[derive(Clone, Debug, Default)]
pub(in crate::run) struct Discretion {
    /// Whether nobody looks at where others are, but to hand over a message.
    discreet: bool,
    /// Whether no process waits for channels before it may move at all, or looks at them with the eyes of others.
    sealed: bool,
    /// The nodes behind which nothing is done with channels as long as the process goes on alone.
    calm: IndexVec<ProcId, IndexVec<NodeId, bool>>,
}

impl Discretion {
    /// `looks` says that priorities or `_last` are used: whoever moves is seen.
    pub(in crate::run) fn new(spec: &Spec, graphs: &IndexVec<ProcId, Graph>, looks: bool) -> Self {
        let mut provided = spec.procs.iter().filter_map(|proc| proc.provided.as_ref());
        let mut sealed = provided.all(asks_nothing) && !looks;
        let mut looks = looks || !spec.traces.is_empty();
        uses::each_of_processes(spec, &mut |it| {
            sealed &= !matches!(it.kind, ExprKind::Enabled(_));
            looks |= matches!(
                it.kind,
                ExprKind::Enabled(_)
                    | ExprKind::PcValue(_)
                    | ExprKind::GetPriority(_)
                    | ExprKind::NonProgress
                    | ExprKind::Last
                    | ExprKind::Priority
                    | ExprKind::RemoteLabel { .. }
                    | ExprKind::RemoteVar { .. }
            );
        });
        let meets = spec.shapes.iter().any(|shape| shape.capacity == 0);
        looks |= graphs.iter().any(|graph| minds(graph, meets));
        Self { discreet: !looks, sealed, calm: graphs.iter().map(calm).collect() }
    }
}

/// Whether somebody can do less when somebody else becomes ready to be handed a message: leave an `unless`, take
/// an `else` next to a send, or pause before a send inside of an atomic sequence.
fn minds(graph: &Graph, meets: bool) -> bool {
    let has = |node: NodeId, is: fn(&Act) -> bool| {
        graph.nodes[node].edges.iter().any(|edge| is(&edge.act))
    };
    let (waits, sends) =
        (|act: &Act| matches!(act, Act::Else), |act: &Act| matches!(act, Act::Send { .. }));
    graph.nodes.iter_enumerated().any(|(id, node)| {
        let pauses = node.edges.iter().any(|edge| edge.holds && has(edge.target, sends));
        let escapes = node.edges.iter().any(|edge| edge.escape > 0);
        escapes || meets && (pauses || has(id, waits) && has(id, sends))
    })
}

/// All nodes but those from which a use of channels is reached without a pause.
fn calm(graph: &Graph) -> IndexVec<NodeId, bool> {
    let holding = |node: &Node| {
        let all = node.edges.iter().filter(|edge| edge.holds);
        all.map(|edge| edge.target.index()).collect()
    };
    let unpaused = qp_dataflow::Graph::new(graph.nodes.iter().map(holding).collect());
    let uses = |node: &Node| !node.edges.iter().all(|edge| is_calm(&edge.act));
    let using = graph.nodes.iter().enumerate().filter(|(_, node)| uses(node));
    let reached = reach(&unpaused, Direction::Backward, using.map(|(id, _)| id));
    reached.into_iter().map(|it| !it).collect()
}

/// Whether a statement leaves channels alone.
fn is_calm(act: &Act) -> bool {
    let effects = act.effects();
    let decides = matches!(effects.guard, Guard::Free | Guard::Otherwise | Guard::Holds(_));
    let mut calm = decides && !matches!(act, Act::Declare(..));
    effects.each_value(&mut |value| calm &= asks_nothing(value));
    calm
}

/// Whether a value does not depend on what channels hold.
fn asks_nothing(value: &Expr) -> bool {
    let mut asks = false;
    uses::expr(value, &mut |it| {
        asks |= matches!(
            it.kind,
            ExprKind::Len(_) | ExprKind::Probe(..) | ExprKind::Poll { .. } | ExprKind::Run { .. }
        );
    });
    !asks
}

impl Processes {
    /// How a process uses channels where it is now.
    pub(in crate::run) fn uses_of(
        &mut self,
        machine: MachineId,
        world: &mut dyn World,
    ) -> Option<Uses> {
        let code = self.code.clone();
        let mut stage = self.stage(&code, Some(false), world);
        if !code.discretion.sealed || stage.frame(machine).trouble.is_some() {
            return None;
        }
        let alone = code.discretion.discreet;
        let mut uses = Uses { alone, single: true, ..Uses::default() };
        let edges = &stage.node(machine).edges;
        for timeout in [false, true] {
            stage.timeout = Some(timeout);
            for edge in edges {
                stage.add_uses(machine, edge, &mut uses)?;
            }
        }
        for queues in [&mut uses.front, &mut uses.back] {
            queues.sort_unstable();
            queues.dedup();
        }
        let waits = edges.iter().any(|edge| matches!(edge.act, Act::Else) || edge.escape > 0);
        let (front, back) = (&uses.front, &uses.back);
        let lasts = front.iter().chain(back).all(|&queue| code.lasts(queue));
        (lasts && (!waits || front.is_empty() && back.is_empty())).then_some(uses)
    }
}

impl Stage<'_> {
    /// Adds what an edge does with channels; `None` if that cannot be said in these terms.
    fn add_uses(&mut self, machine: MachineId, edge: &Edge, uses: &mut Uses) -> Option<()> {
        let code = self.code;
        let proc = self.frame(machine).proc;
        let goes_on = edge.holds && !code.discretion.calm[proc][edge.target];
        if goes_on || matches!(edge.act, Act::DStep(_)) {
            return None;
        }
        let before = self.now.clone();
        let done = self.moment(machine).perform(edge);
        self.now = before;
        if !self.seen.words.is_empty() {
            return None;
        }
        match done {
            Ok(Done::Sends { queue, shape, sorted, .. }) => {
                // Whoever answers may go on and do more.
                if sorted || code.spec.shapes[shape].capacity == 0 {
                    return None;
                }
                uses.back.push(queue);
            }
            Ok(Done::Listens { queue, shape, wanted }) => {
                if code.spec.shapes[shape].capacity == 0 {
                    uses.alone = false;
                    return Some(());
                }
                if wanted.random || !binds_plainly(&edge.act) {
                    return None;
                }
                uses.front.push(queue);
            }
            Ok(_) | Err(_) => {}
        }
        Some(())
    }
}

/// Whether where the parts of a message go does not depend on what channels hold.
fn binds_plainly(act: &Act) -> bool {
    let writes = act.effects().writes;
    writes.iter().flat_map(|write| uses::indices(write.place)).all(asks_nothing)
}

impl Code {
    /// Whether a channel is there as long as anybody is: it belongs to nobody, or to the process that ends
    /// last.
    fn lasts(&self, queue: QueueId) -> bool {
        let first = self.spec.procs.iter_enumerated().find(|(_, proc)| proc.active > 0);
        let own = first.map_or(0, |(id, _)| self.layout.own_channels(id).len());
        queue.index() < self.layout.global_channels().len() + own
    }
}

//! Steps that nobody can notice, taken together with the step before them.
//!
//! Such a step is always possible, the only one of its process at this place, uses nothing but variables of
//! the process itself, and no label is passed that anybody looks at. It commutes with every step of the
//! others and changes nothing that a property without "next" can tell apart, so nothing is lost if it comes
//! at once. It never leads back to where the process has just been: a loop of such steps stays a loop.

use qp_base::{IndexVec, Set};
use qp_front_promela::spec::{
    BinaryOp, Expr, ExprKind, FormulaKind, LabelId, LocalId, Place, Proc, ProcId, Spec, Step, Ty,
    Var,
};

use super::act::Done;
use super::value::number;
use super::{Code, Frame};
use crate::effects::{Guard, Write};
use crate::graph::{Edge, Graph, NodeId};
use crate::uses;

/// The nodes at which a process takes its next step at once.
pub(super) type Quiet = IndexVec<ProcId, IndexVec<NodeId, bool>>;

/// Where steps are taken at once: nowhere, if the model could notice.
pub(super) fn quiet(spec: &Spec, graphs: &IndexVec<ProcId, Graph>, ranks: bool) -> Quiet {
    let mut seen: Set<(ProcId, LocalId)> = Set::default();
    let mut notices = ranks || spec.formulas.iter().any(|it| looks_ahead(&it.formula));
    uses::each(spec, &mut |it| match &it.kind {
        ExprKind::Last | ExprKind::Enabled(_) | ExprKind::PcValue(_) | ExprKind::NonProgress => {
            notices = true;
        }
        ExprKind::RemoteVar { proc, place, .. } => {
            if let Var::Local(local) = place.var {
                seen.insert((*proc, local));
            }
        }
        _ => {}
    });
    let nodes = |(id, graph): (ProcId, &Graph)| {
        let look = Look { spec, proc: &spec.procs[id], graph, id, seen: &seen };
        graph.nodes.ids().map(|node| !notices && look.is_quiet(node)).collect()
    };
    graphs.iter_enumerated().map(nodes).collect()
}

fn looks_ahead(formula: &FormulaKind) -> bool {
    match formula {
        FormulaKind::Next(_) => true,
        FormulaKind::Now(_) => false,
        FormulaKind::Not(inner) | FormulaKind::Always(inner) | FormulaKind::Eventually(inner) => {
            looks_ahead(inner)
        }
        FormulaKind::And(left, right)
        | FormulaKind::Or(left, right)
        | FormulaKind::Implies(left, right)
        | FormulaKind::Iff(left, right)
        | FormulaKind::Temporal(_, left, right) => looks_ahead(left) || looks_ahead(right),
    }
}

struct Look<'a> {
    spec: &'a Spec,
    proc: &'a Proc,
    graph: &'a Graph,
    id: ProcId,
    /// The variables that others look at.
    seen: &'a Set<(ProcId, LocalId)>,
}

impl Look<'_> {
    fn is_quiet(&self, node: NodeId) -> bool {
        let node = &self.graph.nodes[node];
        let [edge] = &node.edges[..] else { return false };
        let target = &self.graph.nodes[edge.target];
        let is_plain = |label: &LabelId| {
            let name = &self.proc.body.labels[*label];
            let has_meaning = name.is_end() || name.is_progress() || name.is_accept();
            !has_meaning && !self.graph.watched.contains(label)
        };
        self.proc.provided.is_none()
            && edge.escape == 0
            && node.inside.is_none()
            && !node.held
            && !target.held
            && node.labels.iter().chain(&target.labels).all(is_plain)
            && self.is_own(edge)
    }

    /// Whether an edge is always possible, cannot fail, and uses only what belongs to the process.
    fn is_own(&self, edge: &Edge) -> bool {
        let effects = edge.act.effects();
        let is_possible = match effects.guard {
            Guard::Free => true,
            Guard::Holds(value) => matches!(value.kind, ExprKind::Number(number) if number != 0),
            _ => false,
        };
        is_possible
            && effects.asserts.is_none()
            && effects.computes.iter().all(|value| self.is_certain(value))
            && effects.writes.iter().all(|Write { place, source }| {
                self.is_hidden(place) && source.value().is_none_or(|value| self.is_certain(value))
            })
    }

    fn is_hidden(&self, place: &Place) -> bool {
        let nobody_looks = match place.var {
            Var::Local(local) => !self.seen.contains(&(self.id, local)),
            Var::Global(_) => false,
            Var::Scratch => true,
        };
        nobody_looks && self.is_there(place) && !matches!(place.ty, Ty::Record(_))
    }

    /// Whether a place is one of the process itself, whatever its variables hold.
    fn is_there(&self, place: &Place) -> bool {
        let mut len = match place.var {
            Var::Local(local) => self.proc.body.locals[local].len,
            Var::Scratch => return true,
            Var::Global(_) => return false,
        };
        let mut ty = match place.var {
            Var::Local(local) => self.proc.body.locals[local].ty,
            Var::Scratch | Var::Global(_) => return false,
        };
        place.steps.iter().all(|step| match step {
            Step::Index(index) => {
                let ExprKind::Number(index) = index.kind else { return false };
                u32::try_from(index).is_ok_and(|index| index < len.take().unwrap_or(1))
            }
            Step::Field(field) => {
                let Ty::Record(record) = ty else { return false };
                let field = &self.spec.records[record].fields[*field];
                (ty, len) = (field.ty, field.len);
                true
            }
        })
    }

    /// Whether a value always exists and depends on the process alone.
    fn is_certain(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Number(_) | ExprKind::Mtype(..) | ExprKind::Pid => true,
            ExprKind::Load(place) => self.is_there(place),
            ExprKind::Unary(_, inner) => self.is_certain(inner),
            ExprKind::Binary(op, left, right) => {
                let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
                let is_zero = |it: &Expr| !matches!(it.kind, ExprKind::Number(1..));
                self.is_certain(left) && self.is_certain(right) && !(divides && is_zero(right))
            }
            ExprKind::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().all(|it| self.is_certain(it))
            }
            ExprKind::Run { .. }
            | ExprKind::Len(_)
            | ExprKind::Probe(..)
            | ExprKind::Poll { .. }
            | ExprKind::Enabled(_)
            | ExprKind::PcValue(_)
            | ExprKind::GetPriority(_)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::ProcessCount
            | ExprKind::Last
            | ExprKind::Priority
            | ExprKind::RemoteLabel { .. }
            | ExprKind::RemoteVar { .. } => false,
        }
    }
}

impl Code {
    /// Takes the steps of a process that nobody notices. Their numbers, in order, with where each leads.
    pub(super) fn settle(&self, frame: &mut Frame, pid: usize) -> Vec<(Option<u32>, NodeId)> {
        let mut numbers = Vec::new();
        let mut been = vec![frame.node];
        while self.quiet[frame.proc][frame.node] {
            let edge = &self.graphs[frame.proc].nodes[frame.node].edges[0];
            if been.contains(&edge.target) {
                break;
            }
            let cells = std::mem::take(&mut frame.cells);
            let mut moment = self.lone_moment(frame.proc, number(pid), (cells, Vec::new()));
            let done = moment.perform(edge);
            assert!(matches!(done, Ok(Done::Moves)), "bug in Queueproof: a quiet step is noticed");
            frame.cells = moment.scene.locals;
            frame.node = edge.target;
            self.dead.reset(frame);
            been.push(edge.target);
            numbers.push((edge.number, edge.target));
        }
        numbers
    }
}

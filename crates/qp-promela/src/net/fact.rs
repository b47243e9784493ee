//! Numbers with too many values to tell apart: how often they can be changed.
//!
//! Every statement that changes a number adds something between two bounds to it. If the number never passes an
//! upper limit, and no addition carries it past the greatest number of its type, then all additions together,
//! each with its lower bound, are at most what lies between its first value and the limit. A number that wraps at
//! its lower end becomes greater than the sum says, which does not matter for that. The same holds the other way
//! round for a lower limit.

use qp_base::Map;
use qp_front_promela::spec::{BinaryOp, Expr, ExprKind, ProcId, Variable};

use super::Plan;
use super::detail::{Subject, changes, subject};
use super::flow::{CopyId, Flow};
use super::interval::{Interval, Ranges};
use super::range::{Found, behind, first, is_single, ranges};
use crate::effects::{Source, Write};
use crate::graph::{Act, NodeId, act_text};
use crate::run::Code;

/// What is known of a number.
pub(super) struct Limits {
    pub(super) sums: Vec<Sum>,
    /// How it is followed, in the user's words.
    pub(super) how: String,
}

/// How often steps are made, each with a factor, is at most so much altogether.
pub(super) struct Sum {
    /// Steps with factors.
    pub(super) terms: Vec<(usize, i64)>,
    /// The greatest sum.
    pub(super) at_most: i64,
    /// Why, in the user's words.
    pub(super) because: String,
}

/// What is known of numbers that were asked for and whose values are not told apart everywhere. Those of which nothing is
/// known are there with the reason.
pub(super) fn limits(
    flow: &Flow<'_>,
    plan: &Plan,
    never_full: bool,
) -> Map<Subject, Result<Limits, &'static str>> {
    let code = &flow.basis.code;
    let variable = |subject: Subject| match subject {
        Subject::Global(id) => &code.spec.globals[id],
        Subject::Local(proc, id) => &code.spec.procs[proc].body.locals[id],
    };
    let refused = plan.refused.keys().copied();
    let lost = flow.lost.iter().map(|&(proc, id)| Subject::Local(proc, id));
    let wanted = refused.chain(lost).filter(|it| plan.asked.contains(it));
    let mut wanted: Vec<Subject> = wanted.filter(|&it| is_single(variable(it))).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut limits = Map::default();
    if wanted.is_empty() {
        return limits;
    }
    let found = ranges(flow.basis, never_full);
    for subject in wanted {
        let look = Look { flow, code, found: &found, subject, variable: variable(subject) };
        if let Some(result) = look.limits() {
            limits.insert(subject, result);
        }
    }
    limits
}

struct Look<'a> {
    flow: &'a Flow<'a>,
    code: &'a Code,
    found: &'a Found,
    subject: Subject,
    variable: &'a Variable,
}

/// What a statement does to a number.
struct Change {
    at: (ProcId, NodeId, usize),
    /// How much it adds.
    by: Interval,
    /// What the number is then.
    after: Interval,
    /// Whether it may be carried past its greatest value, or its least.
    wraps: (bool, bool),
}

impl Look<'_> {
    /// Facts, or why there are none; nothing if the number belongs to processes that are not told apart.
    fn limits(&self) -> Option<Result<Limits, &'static str>> {
        let copies: Vec<Option<CopyId>> = match self.subject {
            Subject::Global(_) => vec![None],
            Subject::Local(proc, _) => {
                let copies = &self.flow.copies;
                if copies.iter().any(|it| it.proc == proc && it.machine.is_none()) {
                    return None;
                }
                copies.ids().filter(|&id| copies[id].proc == proc).map(Some).collect()
            }
        };
        let changes = self.changes();
        let initial = self.initial();
        let all = changes.iter().fold(initial, |all, it| all.join(it.after));
        let mut sums = Vec::new();
        for copy in copies {
            for upper in [true, false] {
                sums.extend(self.sum(copy, &changes, (initial, all), upper));
            }
        }
        let wraps = changes.iter().any(|it| it.wraps.0 || it.wraps.1);
        Some(match sums.is_empty() {
            true if wraps => Err("it may wrap around"),
            true => Err("nothing is known about how often it is changed"),
            false => Ok(Limits { sums, how: how(all, &changes) }),
        })
    }

    /// What the number is at first.
    fn initial(&self) -> Interval {
        match self.subject {
            Subject::Global(id) => {
                let value = self.flow.basis.first_shared(self.code.layout.global(id));
                let any = Interval::of(self.variable.ty, false);
                value.map_or(any, |it| Interval::one(i64::from(it)))
            }
            Subject::Local(proc, id) => *first(self.code, proc, &self.found.always).local(id),
        }
    }

    /// All statements that change the number and that are ever possible.
    fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        for (proc, graph) in self.code.graphs.iter_enumerated() {
            for (node, it) in graph.nodes.iter_enumerated() {
                let Some(before) = &self.found.before[proc][node] else { continue };
                for index in 0..it.edges.len() {
                    changes.extend(self.change((proc, node, index), before));
                }
            }
        }
        changes
    }

    fn change(&self, at: (ProcId, NodeId, usize), before: &Ranges) -> Option<Change> {
        let (proc, node, index) = at;
        let edge = &self.code.graphs[proc].nodes[node].edges[index];
        if !changes(proc, &edge.act, self.subject) {
            return None;
        }
        let after = self.held(&behind(self.code, at, before)?);
        let old = self.held(before);
        let bounds = Interval::of(self.variable.ty, false);
        let Some(by) = self.added(proc, &edge.act, before) else {
            return Some(Change { at, by: after.minus(old), after, wraps: (false, false) });
        };
        let sum = old.plus(by);
        Some(Change { at, by, after, wraps: (sum.hi > bounds.hi, sum.lo < bounds.lo) })
    }

    fn held(&self, ranges: &Ranges) -> Interval {
        match self.subject {
            Subject::Global(id) => ranges.globals[id.index()],
            Subject::Local(_, id) => ranges.locals[id.index()],
        }
    }

    /// What a statement adds to the number, if it does that.
    fn added(&self, proc: ProcId, act: &Act, before: &Ranges) -> Option<Interval> {
        let [Write { source, .. }] = act.effects().writes[..] else { return None };
        match source {
            Source::Sum(number) => Some(Interval::one(i64::from(number))),
            Source::Value(value) => {
                let ExprKind::Binary(op, left, right) = &value.kind else { return None };
                let mut before = before.clone();
                let mut of = |it: &Expr| before.value(it);
                match op {
                    BinaryOp::Add if self.is_it(proc, left) => Some(of(right)),
                    BinaryOp::Add if self.is_it(proc, right) => Some(of(left)),
                    BinaryOp::Subtract if self.is_it(proc, left) => {
                        Some(Interval::one(0).minus(of(right)))
                    }
                    _ => None,
                }
            }
            Source::First(_) | Source::Part(_) | Source::Child => None,
        }
    }

    fn is_it(&self, proc: ProcId, value: &Expr) -> bool {
        matches!(&value.kind, ExprKind::Load(place)
            if place.steps.is_empty() && subject(proc, place.var) == Some(self.subject))
    }

    /// What follows from an upper or a lower limit, if it says something.
    fn sum(
        &self,
        copy: Option<CopyId>,
        changes: &[Change],
        (initial, all): (Interval, Interval),
        upper: bool,
    ) -> Option<Sum> {
        if changes.iter().any(|it| if upper { it.wraps.0 } else { it.wraps.1 }) {
            return None;
        }
        let mut terms = Vec::new();
        for (index, step) in self.flow.steps.iter().enumerate() {
            let of = self.flow.spots.value(step.from).copy;
            let at = (self.flow.copies[of].proc, step.edge.0, step.edge.1);
            let Some(change) = changes.iter().find(|it| it.at == at) else { continue };
            let factor = if upper { change.by.lo } else { -change.by.hi };
            if factor != 0 && copy.is_none_or(|copy| copy == of) {
                terms.push((index, factor));
            }
        }
        let at_most = if upper { all.hi - initial.lo } else { initial.hi - all.lo };
        let says = terms.iter().any(|(_, factor)| *factor > 0);
        says.then(|| Sum { terms, at_most, because: self.because(changes, all, upper) })
    }

    fn because(&self, changes: &[Change], all: Interval, upper: bool) -> String {
        let moves = |it: &&Change| if upper { it.by.lo > 0 } else { it.by.hi < 0 };
        let text = |it: &Change| {
            let (proc, node, index) = it.at;
            let edge = &self.code.graphs[proc].nodes[node].edges[index];
            act_text(&self.code.spec, &self.code.spec.procs[proc].body, &edge.act)
        };
        let mut texts: Vec<String> =
            changes.iter().filter(moves).map(|it| format!("`{}`", text(it))).collect();
        texts.sort();
        texts.dedup();
        let place = match self.subject {
            Subject::Global(_) => String::new(),
            Subject::Local(proc, _) => format!(" in {}", self.code.spec.procs[proc].name),
        };
        let (limit, verb) = if upper {
            (format!("at most {}", all.hi), "increases")
        } else {
            (format!("at least {}", all.lo), "decreases")
        };
        let (name, texts) = (&self.variable.name, texts.join(", "));
        format!("`{name}`{place} is {limit}, and {texts} {verb} it")
    }
}

/// How a number is followed that stays between limits, or passes one of them when it wraps.
fn how(all: Interval, changes: &[Change]) -> String {
    let up = changes.iter().any(|it| it.wraps.0);
    let down = changes.iter().any(|it| it.wraps.1);
    match (up, down) {
        (true, _) => format!("it is never below {}", all.lo),
        (_, true) => format!("it is never above {}", all.hi),
        _ => format!("it stays between {} and {}", all.lo, all.hi),
    }
}

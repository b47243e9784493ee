//! Between which numbers single variables stay, node by node.
//!
//! A shared variable may be changed by others between two statements, unless its process goes on alone: there it may
//! be anything that it ever is. Numbers that do not fit into a variable may become any number that does.

use qp_base::{IndexVec, Set};
use qp_front_promela::spec::{Expr, ExprKind, GlobalId, Init, Place, ProcId, Ty, Var, Variable};

use super::detail::{Subject, changes, edges};
use super::interval::{Interval, Ranges, join};
use crate::effects::{Effects, Guard, Source, Write};
use crate::graph::{Edge, NodeId};
use crate::run::{Basis, Code};
use crate::uses;

/// After so many rounds a bound that still moves is given up.
const ROUNDS_MAX: usize = 200;

/// So often it is tried again whether less is possible.
const NARROWED: usize = 2;

/// What a statement puts into shared variables.
type Puts = Vec<(GlobalId, Interval)>;

/// What was found: before every node of every proctype, and always.
pub(super) struct Found {
    pub(super) before: IndexVec<ProcId, IndexVec<NodeId, Option<Ranges>>>,
    /// What shared variables hold at any time.
    pub(super) always: Vec<Interval>,
}

/// Where single variables stay.
pub(super) fn ranges(basis: &Basis, never_full: bool) -> Found {
    let code = &basis.code;
    let always = code.spec.globals.iter_enumerated().map(|(id, global)| {
        let first = basis.first_shared(code.layout.global(id)).filter(|_| is_single(global));
        first.map_or(Interval::of(global.ty, false), |it| Interval::one(i64::from(it)))
    });
    let before = code.graphs.iter().map(|it| it.nodes.iter().map(|_| None).collect());
    let initial: Vec<Interval> = always.collect();
    let found = Found { before: before.collect(), always: initial.clone() };
    let (steps, own) = (thresholds(code), own(code));
    let mut look = Look { code, found, initial, steps, own, never_full, n_rounds: 0 };
    while look.round() {
        look.n_rounds += 1;
    }
    for _ in 0..NARROWED {
        look.found = look.narrowed();
    }
    look.found
}

/// Whether a variable holds one number.
pub(super) fn is_single(variable: &Variable) -> bool {
    variable.len.is_none() && !matches!(variable.ty, Ty::Record(_) | Ty::Chan)
}

struct Look<'a> {
    code: &'a Code,
    found: Found,
    /// What shared variables hold at first.
    initial: Vec<Interval>,
    /// Where bounds that move come to rest for a while.
    steps: Vec<i64>,
    /// The shared variables that only the one process of a proctype changes.
    own: Vec<Option<ProcId>>,
    never_full: bool,
    n_rounds: usize,
}

impl Look<'_> {
    /// Looks at everything once. Says whether something is new.
    fn round(&mut self) -> bool {
        let mut changed = false;
        for proc in self.code.graphs.ids() {
            let graph = &self.code.graphs[proc];
            let start = self.begin(proc);
            changed |= self.arrive(proc, graph.start, &start);
            for node in graph.nodes.ids() {
                for (target, after, puts) in self.leave(proc, node) {
                    changed |= self.share(&puts);
                    changed |= self.arrive(proc, target, &after);
                }
            }
        }
        changed
    }

    /// The same once more, from what was found: what holds always holds behind every statement as well, and that
    /// may be less.
    fn narrowed(&self) -> Found {
        let before = self.code.graphs.iter().map(|it| it.nodes.iter().map(|_| None).collect());
        let mut next = Found { before: before.collect(), always: self.initial.clone() };
        for proc in self.code.graphs.ids() {
            let graph = &self.code.graphs[proc];
            let mut arrive = |node: NodeId, ranges: Ranges| {
                let known = next.before[proc][node].take();
                next.before[proc][node] = join(known, Some(ranges));
            };
            arrive(graph.start, self.begin(proc));
            for node in graph.nodes.ids() {
                for (target, after, puts) in self.leave(proc, node) {
                    arrive(target, after);
                    for (id, value) in puts {
                        let always = &mut next.always[id.index()];
                        *always = always.join(value);
                    }
                }
            }
        }
        next
    }

    /// What variables hold when a process begins.
    fn begin(&self, proc: ProcId) -> Ranges {
        let mut shared = self.found.always.clone();
        for (index, _) in self.own.iter().enumerate().filter(|(_, it)| **it == Some(proc)) {
            shared[index] = self.initial[index];
        }
        first(self.code, proc, &shared)
    }

    /// Where the statements of a node lead, with what variables hold there and what is put into shared ones.
    fn leave(&self, proc: ProcId, node: NodeId) -> Vec<(NodeId, Ranges, Puts)> {
        let Some(before) = &self.found.before[proc][node] else { return Vec::new() };
        let mut found = Vec::new();
        for (index, edge) in self.code.graphs[proc].nodes[node].edges.iter().enumerate() {
            if let Guard::Opens(entry) = edge.act.effects().guard {
                found.push((entry, before.clone(), Vec::new()));
            } else if let Some(after) = behind(self.code, (proc, node, index), before) {
                let puts = self.puts(edge, &after);
                found.push((edge.target, self.disturbed((proc, node), edge, after), puts));
            }
        }
        found
    }

    /// What a statement puts into single shared variables.
    fn puts(&self, edge: &Edge, after: &Ranges) -> Puts {
        let mut found = Vec::new();
        for write in edge.act.effects().writes {
            if let Var::Global(id) = write.place.var
                && is_single(&self.code.spec.globals[id])
            {
                found.push((id, after.globals[id.index()]));
            }
        }
        found
    }

    /// Joins what is put into shared variables to what they hold ever.
    fn share(&mut self, puts: &Puts) -> bool {
        let mut changed = false;
        for &(id, value) in puts {
            let it = self.found.always[id.index()];
            let next = self.wider(it, value, self.code.spec.globals[id].ty);
            changed |= next != it;
            self.found.always[id.index()] = next;
        }
        changed
    }

    fn arrive(&mut self, proc: ProcId, node: NodeId, ranges: &Ranges) -> bool {
        let Some(mut known) = self.found.before[proc][node].clone() else {
            self.found.before[proc][node] = Some(ranges.clone());
            return true;
        };
        let locals = &self.code.spec.procs[proc].body.locals;
        for (index, variable) in locals.iter().enumerate() {
            known.locals[index] =
                self.wider(known.locals[index], ranges.locals[index], variable.ty);
        }
        for (index, variable) in self.code.spec.globals.iter().enumerate() {
            known.globals[index] =
                self.wider(known.globals[index], ranges.globals[index], variable.ty);
        }
        let changed = self.found.before[proc][node].as_ref() != Some(&known);
        self.found.before[proc][node] = Some(known);
        changed
    }

    /// Both intervals, and more where bounds move, so that they come to rest.
    fn wider(&self, it: Interval, other: Interval, ty: Ty) -> Interval {
        if it.contains(other) {
            return it;
        }
        let (all, bounds) = (it.join(other), Interval::of(ty, false));
        if self.n_rounds > ROUNDS_MAX || !bounds.contains(all) {
            return bounds.join(all);
        }
        let down = |to: i64| self.steps.iter().copied().rfind(|step| *step <= to);
        let up = |to: i64| self.steps.iter().copied().find(|step| *step >= to);
        let lo = if all.lo < it.lo { down(all.lo).unwrap_or(bounds.lo) } else { it.lo };
        let hi = if all.hi > it.hi { up(all.hi).unwrap_or(bounds.hi) } else { it.hi };
        Interval { lo: lo.max(bounds.lo), hi: hi.min(bounds.hi) }
    }

    /// What is left behind a statement when others may have moved.
    fn disturbed(&self, (proc, node): (ProcId, NodeId), edge: &Edge, mut after: Ranges) -> Ranges {
        if self.goes_on((proc, node), edge, &after) {
            return after;
        }
        for (index, owner) in self.own.iter().enumerate() {
            if *owner != Some(proc) {
                after.globals[index] = self.found.always[index];
            }
        }
        after
    }

    /// Whether a process surely makes its next step before others do.
    fn goes_on(&self, (proc, node): (ProcId, NodeId), edge: &Edge, after: &Ranges) -> bool {
        let nodes = &self.code.graphs[proc].nodes;
        let inside = nodes[node].inside;
        if inside.is_some() && inside == nodes[edge.target].inside {
            return true;
        }
        let may_pause = self.code.ranks || self.code.spec.procs[proc].provided.is_some();
        let hands_over = self.may_meet(&edge.act.effects());
        edge.holds && !may_pause && !hands_over && self.is_possible(proc, edge.target, after)
    }

    fn is_possible(&self, proc: ProcId, node: NodeId, ranges: &Ranges) -> bool {
        let graph = &self.code.graphs[proc];
        let mut holds = |it: &Effects<'_>| match it.guard {
            Guard::Holds(value) => ranges.where_is(value, false).is_none(),
            _ => self.never_full && !self.may_meet(it),
        };
        graph.nodes[node].edges.iter().any(|edge| graph.is_sure(edge, &mut holds))
    }

    /// Whether some channel that a statement may use has no room at all.
    fn may_meet(&self, effects: &Effects<'_>) -> bool {
        let mut shapes = self.code.spec.shapes.iter();
        let n_parts = effects.channel().map(|(_, n_parts)| n_parts);
        shapes.any(|it| Some(it.fields.len()) == n_parts && it.capacity == 0)
    }
}

/// What variables hold behind a statement; `None` if it is never possible.
pub(super) fn behind(
    code: &Code,
    (proc, node, index): (ProcId, NodeId, usize),
    before: &Ranges,
) -> Option<Ranges> {
    let edges = &code.graphs[proc].nodes[node].edges;
    let edge = &edges[index];
    let effects = edge.act.effects();
    let mut after = before.clone();
    match effects.guard {
        Guard::Holds(value) => after = after.where_is(value, true)?,
        Guard::Otherwise if edge.escape == 0 => {
            for other in &edges[..index] {
                if let Guard::Holds(value) = other.act.effects().guard {
                    after = after.where_is(value, false)?;
                }
            }
        }
        Guard::Never => return None,
        _ => {}
    }
    if let Some(value) = effects.asserts {
        after = after.where_is(value, true)?;
    }
    for Write { place, source } in effects.writes {
        let value = match source {
            Source::Value(value) | Source::First(value) => after.value(value),
            Source::Sum(number) => {
                let sum = after.cell(place).map(|it| it.plus(Interval::one(i64::from(number))));
                sum.unwrap_or(Interval::ANY)
            }
            Source::Part(_) => Interval::ANY,
            Source::Child => Interval { lo: 0, hi: 255 },
        };
        put(&mut after, place, value);
    }
    Some(after)
}

fn put(ranges: &mut Ranges, place: &Place, value: Interval) {
    let bounds = Interval::of(place.ty, false);
    if let Some(cell) = ranges.cell(place) {
        *cell = value.within(bounds);
    }
}

fn initial(ranges: &mut Ranges, init: &Init) -> Interval {
    match init {
        Init::Zero | Init::Channel(_) => Interval::one(0),
        Init::Value(value) => ranges.value(value),
        Init::List(_) => Interval::ANY,
    }
}

/// What variables hold when a process begins.
pub(super) fn first(code: &Code, proc: ProcId, always: &[Interval]) -> Ranges {
    let spec = &code.spec.procs[proc];
    let locals = spec.body.locals.iter().map(|_| Interval::one(0)).collect();
    let mut ranges = Ranges { locals, globals: always.to_vec() };
    let is_run = is_run(code, proc);
    for (id, local) in spec.body.locals.iter_enumerated() {
        let bounds = Interval::of(local.ty, local.len.is_some());
        if id.index() < spec.params {
            if is_run {
                *ranges.local(id) = bounds;
            }
        } else if !is_single(local) {
            *ranges.local(id) = bounds;
        } else if !local.late {
            *ranges.local(id) = initial(&mut ranges, &local.init).within(bounds);
        }
    }
    ranges
}

/// Whether processes of a proctype are created.
fn is_run(code: &Code, proc: ProcId) -> bool {
    let starts = |edge: &Edge| edge.act.effects().starts.is_some_and(|(it, _)| it == proc);
    let mut found = edges(code).any(|(_, edge)| starts(edge));
    uses::each(&code.spec, &mut |it| {
        found |= matches!(it.kind, ExprKind::Run { proc: it, .. } if it == proc);
    });
    found
}

/// Who changes shared variables, where just one process does.
fn own(code: &Code) -> Vec<Option<ProcId>> {
    let owner = |id: GlobalId| {
        let all = edges(code).filter(|(proc, it)| changes(*proc, &it.act, Subject::Global(id)));
        let all: Set<ProcId> = all.map(|(proc, _)| proc).collect();
        let one = all.iter().copied().next().filter(|_| all.len() == 1);
        one.filter(|&proc| code.spec.procs[proc].active == 1 && !is_run(code, proc))
    };
    code.spec.globals.ids().map(owner).collect()
}

/// The numbers in a model, with those beside them.
fn thresholds(code: &Code) -> Vec<i64> {
    let mut found = vec![-1, 0, 1];
    let mut note = |it: &Expr| {
        if let ExprKind::Number(number) | ExprKind::Mtype(_, number) = it.kind {
            let number = i64::from(number);
            found.extend([number - 1, number, number + 1]);
        }
    };
    uses::each(&code.spec, &mut note);
    found.sort_unstable();
    found.dedup();
    found
}

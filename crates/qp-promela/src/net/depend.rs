//! What must happen again and again because something else does.
//!
//! Some steps need that a cell has none of some values, because their conditions are false then. If such steps are
//! made again and again, and so are others that put one of these values there, then in between somebody puts
//! another value there. The same goes for steps that need an empty channel. Nothing of that is counted: how often
//! the others have to move is not known.
//!
//! Only cells are looked at whose writers are all known: shared ones, and those of processes that exist from the
//! beginning. A process that is created again and again has new cells each time.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::IndexVec;
use qp_front_promela::spec::{
    BinaryOp, Expr, ExprKind, Place, Probe, ProcId, Ty, UnaryOp, Var, Variable,
};
use qp_machines::{Arc, ArcId, Dependency};

use super::flow::{Cells, ChanId, CopyId, Effect, Flow, Key, Step};
use super::order::lasting;
use crate::effects::{Guard, Source, Write};
use crate::graph::Edge;
use crate::run::{Guess, Range, Seen};
use crate::uses;

/// Of more values that are put into one cell, conditions are not looked at.
const VALUES_MAX: usize = 32;

/// More dependencies than this are not noted.
const DEPENDENCIES_MAX: usize = 400;

/// More statements than this are not named as those on which others depend.
const TEXTS_MAX: usize = 3;

/// What is known about steps that are made again and again. Their arcs are behind so many others.
pub(super) fn dependencies(
    flow: &Flow<'_>,
    arcs: &IndexVec<ArcId, Arc>,
    first: usize,
) -> Vec<Dependency> {
    let look = Look::new(flow, arcs, first);
    let mut found = look.on_values();
    found.extend(look.on_takers());
    found.truncate(DEPENDENCIES_MAX);
    found
}

/// A cell: a shared one, or that of a process that exists from the beginning.
type Cell = (Option<CopyId>, usize);

/// What steps put into a cell: the value, where that is known.
type Writes = BTreeMap<usize, Vec<Option<i32>>>;

struct Look<'a> {
    flow: &'a Flow<'a>,
    arcs: &'a IndexVec<ArcId, Arc>,
    first: usize,
    /// Everything that is shared is asked for.
    all: Vec<bool>,
    /// The shared cells that hold no channels, and those of each proctype.
    plain: (Vec<bool>, IndexVec<ProcId, Vec<bool>>),
}

impl<'a> Look<'a> {
    fn new(flow: &'a Flow<'a>, arcs: &'a IndexVec<ArcId, Arc>, first: usize) -> Self {
        let code = &flow.basis.code;
        let plain = |all: &mut dyn Iterator<Item = &Variable>| -> Vec<bool> {
            all.flat_map(|it| code.spec.cells(it)).map(|cell| cell.ty != Ty::Chan).collect()
        };
        let locals = code.spec.procs.iter().map(|it| plain(&mut it.body.locals.iter()));
        let plain = (plain(&mut code.spec.globals.iter()), locals.collect());
        Self { flow, arcs, first, all: vec![true; code.layout.n_globals()], plain }
    }

    /// Conditions on what a cell holds.
    fn on_values(&self) -> Vec<Dependency> {
        let mut writes: BTreeMap<Cell, Writes> = BTreeMap::new();
        for (index, step) in self.flow.steps.iter().enumerate() {
            for (cell, value) in self.writes(step) {
                writes.entry(cell).or_default().entry(index).or_default().push(value);
            }
        }
        let mut needs: BTreeMap<(Cell, BTreeSet<i32>), Vec<usize>> = BTreeMap::new();
        for (index, step) in self.flow.steps.iter().enumerate() {
            for (cell, values) in self.excludes(step, &writes) {
                needs.entry((cell, values)).or_default().push(index);
            }
        }
        let all = needs.iter();
        all.map(|((cell, values), needy)| self.on_value(&writes[cell], values, needy))
            .filter(says_something)
            .collect()
    }

    /// Steps that need that a cell has none of these values depend on those that put another one there.
    fn on_value(&self, written: &Writes, values: &BTreeSet<i32>, needy: &[usize]) -> Dependency {
        let spoils = |it: &Option<i32>| it.is_some_and(|it| values.contains(&it));
        let (mut out, mut others) = (Vec::new(), Vec::new());
        for (&index, puts) in written {
            if puts.iter().all(spoils) { &mut out } else { &mut others }.push(index);
        }
        self.dependency((needy, &out), &others)
    }

    /// Conditions that need an empty channel.
    fn on_takers(&self) -> Vec<Dependency> {
        let mut needs: BTreeMap<ChanId, Vec<usize>> = BTreeMap::new();
        for (index, step) in self.flow.steps.iter().enumerate() {
            if let Guard::Holds(value) = self.edge(step).act.effects().guard {
                for chan in self.emptied(step, value) {
                    needs.entry(chan).or_default().push(index);
                }
            }
        }
        let stays: BTreeSet<ChanId> = lasting(self.flow).map(|(id, _)| id).collect();
        needs.retain(|chan, _| stays.contains(chan));
        let all = needs.iter();
        all.map(|(&chan, needy)| {
            let puts = self.steps(|it| matches!(it, Effect::Puts(id, _) if id == chan));
            let takes = self.steps(|it| matches!(it, Effect::Takes(id, _) if id == chan));
            self.dependency((needy, &puts), &takes)
        })
        .filter(says_something)
        .collect()
    }

    fn steps(&self, wanted: impl Fn(Effect) -> bool) -> Vec<usize> {
        let all = self.flow.steps.iter().enumerate();
        all.filter(|(_, step)| wanted(step.effect)).map(|(index, _)| index).collect()
    }

    fn dependency(&self, (needy, out): (&[usize], &[usize]), on: &[usize]) -> Dependency {
        let arcs = |steps: &[usize]| -> Vec<ArcId> {
            steps.iter().map(|&it| ArcId::new(self.first + it)).collect()
        };
        let (must, makers) = (self.texts(needy), self.texts(on));
        let because = match on {
            [] => format!("{must} must hold again, and nothing makes it so"),
            _ => format!("{must} must hold again, and only {makers} can make it so"),
        };
        Dependency { all: vec![arcs(needy), arcs(out)], on: arcs(on), because }
    }

    /// What steps do, in the user's words.
    fn texts(&self, steps: &[usize]) -> String {
        let arcs = self.arcs.as_slice();
        let mut texts: Vec<String> = Vec::new();
        for &index in steps {
            let text = format!("`{}`", arcs[self.first + index].text);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        if texts.len() > TEXTS_MAX {
            let more = texts.len() - TEXTS_MAX;
            texts.truncate(TEXTS_MAX);
            texts.push(format!("{more} more"));
        }
        match texts.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => texts.concat(),
        }
    }

    fn key(&self, step: &Step) -> &Key {
        self.flow.spots.value(step.from)
    }

    fn edge(&self, step: &Step) -> &'a Edge {
        let proc = self.flow.copies[self.key(step).copy].proc;
        let (node, index) = step.edge;
        &self.flow.basis.code.graphs[proc].nodes[node].edges[index]
    }

    /// What is known before a step.
    fn guess(&self, key: &Key, known: &[(usize, i32)]) -> Guess<'_> {
        let guess = self.flow.guess_at(key.copy, &key.cells, &key.known);
        guess.knowing(&self.all, &key.known.0).knowing(&self.all, known)
    }

    /// The cells that a step writes, or may write, with the value.
    fn writes(&self, step: &Step) -> Vec<(Cell, Option<i32>)> {
        let writes = self.edge(step).act.effects().writes;
        if writes.is_empty() {
            return Vec::new();
        }
        let key = self.key(step);
        let mut guess = self.guess(key, &[]);
        let mut found = Vec::new();
        // What is to the left is there before the indices of others are computed.
        for write in writes {
            let Some((range, value)) = self.put(step, &mut guess, write) else { continue };
            let cells = range.cells.filter_map(|it| self.cell(key, range.shared, it));
            found.extend(cells.map(|cell| (cell, value)));
        }
        found
    }

    /// Puts what is assigned where it goes: one of these cells, and the value that is left there.
    fn put(
        &self,
        step: &Step,
        guess: &mut Guess<'_>,
        write: Write<'_>,
    ) -> Option<(Range, Option<i32>)> {
        let (parts, fields) = self.taken(step);
        let seen = self.flow.assigned(guess, &write, (&parts, fields));
        let Write { place, source } = write;
        let mut range = guess.range(place)?;
        guess.store(place, seen.known().flatten());
        if let (Source::First(_), Var::Local(id)) = (source, place.var) {
            let proc = self.flow.copies[self.key(step).copy].proc;
            range.cells = self.flow.basis.cells_of(proc, id);
        }
        let value = guess.held_in(&range);
        Some((range, value))
    }

    /// What is known of the message that a step takes, but for channels, and its types.
    fn taken(&self, step: &Step) -> (Cells, &[Ty]) {
        let Effect::Takes(chan, atom) = step.effect else { return Default::default() };
        let chan = &self.flow.chans[chan];
        let fields = &self.flow.basis.code.spec.shapes[chan.shape].fields;
        let parts = chan.atoms.value(atom).iter().zip(fields);
        (parts.map(|(part, ty)| part.filter(|_| *ty != Ty::Chan)).collect(), fields)
    }

    /// A cell of a process, or one that is shared, if all its writers are known and it holds no channel.
    fn cell(&self, key: &Key, shared: bool, index: usize) -> Option<Cell> {
        if shared {
            return self.plain.0[index].then_some((None, index));
        }
        let copy = &self.flow.copies[key.copy];
        let is_found = copy.machine.is_some() && self.plain.1[copy.proc][index];
        is_found.then_some((Some(key.copy), index))
    }

    /// The cells that a step asks for, with those values with which it is not possible.
    fn excludes(
        &self,
        step: &Step,
        written: &BTreeMap<Cell, Writes>,
    ) -> Vec<(Cell, BTreeSet<i32>)> {
        let Guard::Holds(condition) = self.edge(step).act.effects().guard else {
            return Vec::new();
        };
        let key = self.key(step);
        let mut asked: BTreeSet<Cell> = BTreeSet::new();
        uses::expr(condition, &mut |it| {
            let ExprKind::Load(place) = &it.kind else { return };
            let range = self.guess(key, &[]).range(place);
            let range = range.filter(|it| it.cells.len() == 1);
            asked.extend(range.and_then(|it| self.cell(key, it.shared, it.cells.start)));
        });
        let mut found = Vec::new();
        for cell in asked {
            let Some(written) = written.get(&cell) else { continue };
            let values: BTreeSet<i32> = written.values().flatten().copied().flatten().collect();
            if values.len() > VALUES_MAX {
                continue;
            }
            let is_out = |value: &i32| self.is_false(key, condition, (cell, *value));
            let values: BTreeSet<i32> = values.into_iter().filter(is_out).collect();
            if !values.is_empty() {
                found.push((cell, values));
            }
        }
        found
    }

    /// Whether a condition is false if a cell has a value.
    fn is_false(&self, key: &Key, condition: &Expr, ((copy, cell), value): (Cell, i32)) -> bool {
        let mut guess = if copy.is_none() {
            self.guess(key, &[(cell, value)])
        } else {
            let mut key = key.clone();
            key.cells[cell] = Some(value);
            self.guess(&key, &[])
        };
        guess.holds(condition) == Seen::Known(false)
    }

    /// The channels that must be empty for a condition to hold.
    fn emptied(&self, step: &Step, condition: &Expr) -> Vec<ChanId> {
        let place = match &condition.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let mut found = self.emptied(step, left);
                found.extend(self.emptied(step, right));
                found.sort_unstable();
                found.dedup();
                return found;
            }
            ExprKind::Probe(Probe::Empty, place) => Some(place),
            ExprKind::Unary(UnaryOp::Not, inner) => match &inner.kind {
                ExprKind::Len(place) => Some(place),
                _ => None,
            },
            ExprKind::Binary(op, left, right) => match (&left.kind, op, &right.kind) {
                (
                    ExprKind::Len(place),
                    BinaryOp::Equal | BinaryOp::LessEqual,
                    ExprKind::Number(0),
                )
                | (ExprKind::Len(place), BinaryOp::Less, ExprKind::Number(1))
                | (ExprKind::Number(0), BinaryOp::Equal, ExprKind::Len(place)) => Some(place),
                _ => None,
            },
            _ => None,
        };
        place.and_then(|place| self.chan(step, place)).into_iter().collect()
    }

    /// The channel that a place means, if it is known.
    fn chan(&self, step: &Step, place: &Place) -> Option<ChanId> {
        let [Some(value)] = self.guess(self.key(step), &[]).may_hold(place)[..] else {
            return None;
        };
        let index = usize::try_from(value).ok()?.checked_sub(1)?;
        (index < self.flow.chans.len()).then(|| ChanId::new(index))
    }
}

/// Whether there are steps of every set that depend together.
fn says_something(it: &Dependency) -> bool {
    it.all.iter().all(|arcs| !arcs.is_empty())
}

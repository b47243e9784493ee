//! Shared variables whose values are told apart: which values there are, and what processes know of them.
//!
//! Every value of a cell is a counter, which is 1 while the cell has that value. A process knows the value of a cell
//! behind a statement that reads or changes it for as long as nobody else can have changed it: while it goes on
//! alone inside of an atomic sequence, or if nobody else ever changes that value.

use qp_base::{IndexVec, Map, Set};
use qp_front_promela::spec::{ExprKind, GlobalId, Place, ProcId, Ty, Var};
use qp_machines::SpotId;

use super::flow::{Cells, ChanId, CopyId, Effect, Flow, Forget, Shift, Step};
use super::follow::{Found, Here};
use crate::effects::{Effects, Guard};
use crate::graph::{Act, Edge, NodeId};
use crate::run::{Basis, Code, Guess, Seen, Written};
use crate::uses;

/// A shared variable with more values than this is not followed.
const VALUES_MAX: usize = 16;

/// Nor is one with more elements.
const ELEMENTS_MAX: usize = 32;

/// Values of shared cells, in the order of the cells.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Known(pub(super) Vec<(usize, i32)>);

impl Known {
    fn get(&self, cell: usize) -> Option<i32> {
        self.0.iter().find(|(it, _)| *it == cell).map(|(_, value)| *value)
    }

    /// The same with a value for a cell.
    pub(super) fn with(&self, cell: usize, value: i32) -> Self {
        let mut known: Vec<_> = self.0.iter().copied().filter(|(it, _)| *it != cell).collect();
        known.push((cell, value));
        known.sort_unstable();
        Self(known)
    }
}

/// One way in which shared variables are changed: what is known then, and what happened.
type Way = (Known, Vec<Shift>);

/// What was found about shared variables.
pub(super) struct Shared<'a> {
    /// Which cells are followed; empty if none is.
    pub(super) watched: &'a [bool],
    /// The values that were found, the first one first, and the places where all of them are tried.
    pub(super) cells: Map<usize, (Vec<i32>, Set<SpotId>)>,
    /// The variable that each cell belongs to.
    owners: Vec<GlobalId>,
    /// The types of all cells, and whether they are in arrays.
    types: Vec<(Ty, bool)>,
    /// The variables that a proctype uses.
    mentions: IndexVec<ProcId, Set<GlobalId>>,
    /// Whether sends to channels with room never wait.
    never_full: bool,
}

impl<'a> Shared<'a> {
    /// The cells that are followed are these, with what they hold at first.
    pub(super) fn new(code: &Code, watch: &'a Watch) -> Self {
        let (mut owners, mut types) = (Vec::new(), Vec::new());
        for (id, global) in code.spec.globals.iter_enumerated() {
            for cell in code.spec.cells(global) {
                owners.push(id);
                types.push((cell.ty, cell.in_array));
            }
        }
        let first = watch.first.iter();
        let cells = first.map(|&(cell, value)| (cell, (vec![value], Set::default()))).collect();
        let mentions = code.graphs.ids().map(|it| mentions(code, it)).collect();
        let watched = &watch.watched;
        Self { watched, cells, owners, types, mentions, never_full: watch.never_full }
    }

    /// Whether a variable is followed.
    pub(super) fn follows(&self, code: &Code, id: GlobalId) -> bool {
        let start = code.layout.global(id);
        let n = code.spec.variable_cells(&code.spec.globals[id]);
        (start..start + n).any(|cell| self.watched.get(cell) == Some(&true))
    }
}

/// Which cells of shared variables are followed.
#[derive(Default)]
pub(super) struct Watch {
    watched: Vec<bool>,
    first: Vec<(usize, i32)>,
    /// Whether sends to channels with room never wait.
    never_full: bool,
}

impl Watch {
    /// No cells, in a model with channels that may be full or not.
    pub(super) fn new(code: &Code) -> Self {
        Self { never_full: code.is_never_full(), ..Self::default() }
    }

    /// Adds the cells of a variable, or says why not.
    pub(super) fn add(&mut self, basis: &Basis, id: GlobalId) -> Result<(), &'static str> {
        let code = &basis.code;
        if let Some(why) = Self::refusal(code, id) {
            return Err(why);
        }
        let start = code.layout.global(id);
        let mut found = Vec::new();
        for (cell, it) in (start..).zip(code.spec.cells(&code.spec.globals[id])) {
            if it.ty == Ty::Chan {
                continue;
            }
            let Some(value) = basis.first_shared(cell) else {
                return Err("its first value is not known");
            };
            found.push((cell, value));
        }
        self.watched.resize(code.layout.n_globals(), false);
        for (cell, value) in found {
            self.watched[cell] = true;
            self.first.push((cell, value));
        }
        Ok(())
    }

    /// Why a shared variable cannot be followed by its values, if that is clear from its declaration.
    fn refusal(code: &Code, id: GlobalId) -> Option<&'static str> {
        let n = code.spec.variable_cells(&code.spec.globals[id]);
        if n > ELEMENTS_MAX {
            Some("it has too many elements")
        } else if code.unread.get(code.layout.global(id)) == Some(&true) {
            Some("nobody reads it")
        } else {
            None
        }
    }
}

impl<'a> Flow<'a> {
    /// A moment at a place.
    pub(super) fn guess_at(&self, copy: CopyId, cells: &Cells, known: &Known) -> Guess<'a> {
        let Some((proc, machine)) = self.copies.get(copy).map(|it| (it.proc, it.machine)) else {
            unreachable!("bug in Queueproof: a place of no process")
        };
        let pid = machine.and_then(|it| i32::try_from(it.raw()).ok());
        let guess = self.basis.guess(proc, pid, cells.clone());
        if self.shared.watched.is_empty() {
            return guess;
        }
        guess.knowing(self.shared.watched, &known.0)
    }

    /// From now on a place is looked at again whenever a cell may have a new value.
    pub(super) fn heed(&mut self, cell: usize, spot: SpotId) {
        if let Some((_, places)) = self.shared.cells.get_mut(&cell) {
            places.insert(spot);
        }
    }

    /// The values that a cell may have.
    pub(super) fn values_of(&self, cell: usize) -> Vec<i32> {
        self.shared.cells.get(&cell).map_or_else(Vec::new, |(values, _)| values.clone())
    }

    /// The variable of a cell is not followed any more.
    pub(super) fn forget_cell(&self, cell: usize, why: &'static str) -> Forget {
        Forget::Global(self.shared.owners[cell], why)
    }

    /// The shared variable that a proctype uses and that has most values, if it has several.
    pub(super) fn widest_shared(&self, proc: ProcId) -> Option<(usize, GlobalId)> {
        let used = |cell: usize| self.shared.mentions[proc].contains(&self.shared.owners[cell]);
        let cells = self.shared.cells.iter().filter(|(cell, _)| used(**cell));
        let all = cells.map(|(cell, (values, _))| (values.len(), self.shared.owners[*cell]));
        all.filter(|(n, _)| *n > 1).max()
    }

    /// What a process knows of shared variables when it begins.
    pub(super) fn known_at_first(&mut self, copy: CopyId) -> Known {
        let mut known = Known::default();
        if self.copies[copy].machine.is_none() {
            return known;
        }
        let mut cells: Vec<(usize, i32)> =
            self.shared.cells.iter().map(|(cell, (values, _))| (*cell, values[0])).collect();
        cells.sort_unstable();
        for (cell, value) in cells {
            if self.stays(copy, cell, value) {
                known = known.with(cell, value);
            }
        }
        known
    }

    /// Adds a step, once for every way in which it may change shared variables.
    pub(super) fn commit(&mut self, here: Here<'_>, found: Found) -> Result<(), Forget> {
        let Found { cells, written, effect, open } = found;
        let mut ways = vec![(here.known.clone(), Vec::new())];
        for it in &written {
            ways = self.write(here, it, &ways)?;
        }
        for (known, shifts) in ways {
            let known = self.kept(here, &cells, effect, known);
            let to = Some(self.spot(here.copy, here.edge.target, (cells.clone(), known))?);
            let step = Step { from: here.from, to, effect, shifts: sum(shifts), edge: here.id };
            self.step(step, open)?;
        }
        Ok(())
    }

    /// The step with which a process ends.
    pub(super) fn end(&mut self, here: Here<'_>) -> Result<(), Forget> {
        let (from, effect) = (here.from, Effect::Nothing);
        self.step(Step { from, to: None, effect, shifts: Vec::new(), edge: here.id }, false)
    }

    /// All ways in which a value is written, behind each of those before it.
    fn write(
        &mut self,
        here: Here<'_>,
        written: &Written,
        ways: &[Way],
    ) -> Result<Vec<Way>, Forget> {
        let mut next = Vec::new();
        for cell in written.cells.clone().filter(|&it| self.shared.watched[it]) {
            let news = self.new_values(cell, written.value)?;
            for (known, shifts) in ways {
                let olds = if let Some(value) = known.get(cell) {
                    vec![value]
                } else {
                    self.heed(cell, here.from);
                    self.values_of(cell)
                };
                for old in olds {
                    for &new in &news {
                        let mut shifts = shifts.clone();
                        shifts.extend([(cell, old, -1), (cell, new, 1)]);
                        next.push((known.with(cell, new), shifts));
                    }
                }
            }
        }
        if !written.cells.clone().all(|it| self.shared.watched[it]) {
            next.extend(ways.iter().cloned());
        }
        Ok(next)
    }

    /// The values that a cell may get. They are values that it may have from now on.
    fn new_values(&mut self, cell: usize, value: Option<i32>) -> Result<Vec<i32>, Forget> {
        let values = match (value, self.shared.types[cell]) {
            (Some(value), _) => vec![value],
            (None, (Ty::Bit | Ty::Bool, false)) => vec![0, 1],
            (None, _) => return Err(self.forget_cell(cell, "it may get a value that is not known")),
        };
        for &value in &values {
            let Some((known, places)) = self.shared.cells.get_mut(&cell) else { continue };
            if known.contains(&value) {
                continue;
            }
            known.push(value);
            if known.len() > VALUES_MAX {
                return Err(self.forget_cell(cell, "it has too many values"));
            }
            let mut places: Vec<SpotId> = places.iter().copied().collect();
            places.sort_unstable();
            for place in places {
                self.look_at(place);
            }
        }
        Ok(values)
    }

    /// What is still known behind a step when its process goes on.
    fn kept(&mut self, here: Here<'_>, cells: &Cells, effect: Effect, known: Known) -> Known {
        if known.0.is_empty() {
            return known;
        }
        if self.goes_on_alone(here, effect) && self.is_possible(here, cells, &known) {
            return known;
        }
        let all = known.0.into_iter();
        Known(all.filter(|&(cell, value)| self.stays(here.copy, cell, value)).collect())
    }

    /// Whether nobody else moves between a step and the next one of its process, if there is one at once.
    fn goes_on_alone(&self, here: Here<'_>, effect: Effect) -> bool {
        let code = &self.basis.code;
        let nodes = &code.graphs[here.proc].nodes;
        let inside = nodes[here.id.0].inside;
        let is_one = inside.is_some() && inside == nodes[here.edge.target].inside;
        let hands_over = match effect {
            Effect::Puts(chan, _) | Effect::Takes(chan, _) => {
                code.spec.shapes[self.chans[chan].shape].capacity == 0
            }
            Effect::Nothing | Effect::Starts(_) => false,
        };
        let may_pause = code.ranks || code.spec.procs[here.proc].provided.is_some() || hands_over;
        is_one || here.edge.holds && !may_pause
    }

    /// Whether a process surely finds a statement that is possible behind a step.
    fn is_possible(&mut self, here: Here<'_>, cells: &Cells, known: &Known) -> bool {
        let nodes = &self.basis.code.graphs[here.proc].nodes;
        if nodes[here.edge.target].inside.is_some() && nodes[here.id.0].inside.is_some() {
            return true;
        }
        self.has_possible(Here { cells, known, ..here }, here.edge.target)
    }

    fn has_possible(&mut self, here: Here<'_>, node: NodeId) -> bool {
        let basis = self.basis;
        let graph = &basis.code.graphs[here.proc];
        let mut holds = |it: &Effects<'_>| self.holds(here, it);
        graph.nodes[node].edges.iter().any(|edge| graph.is_sure(edge, &mut holds))
    }

    /// Whether a condition surely holds, or a channel surely has room.
    fn holds(&mut self, here: Here<'_>, effects: &Effects<'_>) -> bool {
        if let Guard::Holds(value) = effects.guard {
            return self.guess(here).holds(value) == Seen::Known(true);
        }
        let Some((channel, n_parts)) = effects.channel() else { return false };
        let Ok((all, _)) = self.channels(here, channel, n_parts) else { return false };
        let shapes = &self.basis.code.spec.shapes;
        let has_room = |&it: &ChanId| shapes[self.chans[it].shape].capacity > 0;
        self.shared.never_full && !all.is_empty() && all.iter().all(has_room)
    }

    /// Whether a process goes on knowing the value of a cell when others move.
    fn stays(&mut self, copy: CopyId, cell: usize, value: i32) -> bool {
        let Some((proc, key)) = self.copies.get(copy).map(|it| (it.proc, &it.key)) else {
            return false;
        };
        let is_used = self.shared.mentions[proc].contains(&self.shared.owners[cell]);
        let stays = is_used && !self.doubts.contains(key, cell, value);
        if stays {
            self.relied.insert((copy, cell, value));
        }
        stays
    }
}

/// How much is added to each value of a cell, where that is not nothing.
fn sum(mut shifts: Vec<Shift>) -> Vec<Shift> {
    shifts.sort_unstable();
    let mut all: Vec<Shift> = Vec::new();
    for (cell, value, by) in shifts {
        match all.last_mut() {
            Some(last) if (last.0, last.1) == (cell, value) => last.2 += by,
            _ => all.push((cell, value, by)),
        }
    }
    all.retain(|(_, _, by)| *by != 0);
    all
}

/// The shared variables that the statements of a proctype read or change.
fn mentions(code: &Code, proc: ProcId) -> Set<GlobalId> {
    let mut found = Set::default();
    let note = |place: &Place, found: &mut Set<GlobalId>| {
        if let Var::Global(id) = place.var {
            found.insert(id);
        }
    };
    let first = |edge: &&Edge| matches!(edge.act, Act::Declare(..));
    for edge in code.graphs[proc].edges().filter(|it| !first(it)) {
        let effects = edge.act.effects();
        effects.writes.iter().for_each(|write| note(write.place, &mut found));
        effects.each_value(&mut |value| {
            uses::expr(value, &mut |it| {
                if let ExprKind::Load(place) = &it.kind {
                    note(place, &mut found);
                }
            });
        });
    }
    found
}

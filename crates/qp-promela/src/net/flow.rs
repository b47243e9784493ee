//! Everything that is found about a model while its statements are followed: copies of proctypes, channels
//! with the kinds of messages that are sent to them, places and steps.

use qp_base::{IndexVec, Interner, Map, Set, define_index};
use qp_front_promela::spec::{GlobalId, LocalId, ProcId, ShapeId, Var};
use qp_machines::{MachineId, SpotId};

use super::escape::Escapes;
use super::follow::Found;
use super::shared::{Known, Shared};
use super::trust::{CopyKey, Doubts};
use super::worth::{Worth, Worths};
use crate::effects::{FieldKey, parameters};
use crate::graph::{Graph, NodeId};
use crate::live::{Live, Reads, live};
use crate::run::{Basis, Code};

define_index!(CopyId, "copy", "A proctype with arguments: all its processes share places.");
define_index!(ChanId, "chan", "A channel, or all that are created at one place.");

/// More places of one proctype than this are not told apart.
const SPOTS_MAX: usize = 3_000;

/// A variable with more values than this in one process is not followed, nor one that is worth little and has
/// more than the second.
const VALUES_MAX: [usize; 2] = [128, 4];

/// The same for parts of messages.
const PARTS_MAX: [usize; 2] = [24, 4];

/// More copies of one proctype than this are not told apart.
const COPIES_MAX: usize = 256;

/// A net with more steps than this is of no use.
const ARCS_MAX: usize = 200_000;

/// What is known of values, cell by cell.
pub(super) type Cells = Vec<Option<i32>>;

/// What has to be forgotten before it is tried again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Forget {
    /// The values of a variable.
    Local(ProcId, LocalId),
    /// The values of a shared variable, for this reason.
    Global(GlobalId, &'static str),
    /// A part of messages.
    Field(FieldKey),
    /// There is nothing left to forget.
    Nothing,
}

/// A proctype with what is known of its arguments.
pub(super) struct Copy {
    pub(super) proc: ProcId,
    /// The process, if there is just one, from the beginning.
    pub(super) machine: Option<MachineId>,
    /// What it is known by, whenever the model is looked at.
    pub(super) key: CopyKey,
    pub(super) start: SpotId,
    /// The channels that are created with it.
    own: std::ops::Range<usize>,
}

/// A channel.
pub(super) struct Chan {
    pub(super) name: String,
    pub(super) shape: ShapeId,
    /// What declares it.
    pub(super) owner: Option<ProcId>,
    pub(super) var: Var,
    /// The kinds of messages that are sent to it.
    pub(super) atoms: Interner<AtomId, Cells>,
    /// Whether messages are put elsewhere than at the back, or taken from elsewhere than the front.
    pub(super) shuffled: bool,
    /// The places at which somebody receives from it.
    listeners: Set<SpotId>,
}

define_index!(AtomId, "atom", "A kind of message in one channel.");

/// A place: where a process is, and what is known of its variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    pub(super) copy: CopyId,
    pub(super) node: NodeId,
    pub(super) cells: Cells,
    /// What it knows of shared variables, for as long as nobody else can have changed them.
    pub(super) known: Known,
}

/// A step from one place to another.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Step {
    pub(super) from: SpotId,
    /// Nowhere if the process ends.
    pub(super) to: Option<SpotId>,
    pub(super) effect: Effect,
    /// What it does to shared variables.
    pub(super) shifts: Vec<Shift>,
    /// The statement: an edge of a node.
    pub(super) edge: (NodeId, usize),
}

/// How much is added to what is counted for a value of a shared cell.
pub(super) type Shift = (usize, i32, i64);

/// What a step does to what is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Effect {
    Nothing,
    Puts(ChanId, AtomId),
    Takes(ChanId, AtomId),
    Starts(CopyId),
}

/// What was found so far.
pub(super) struct Flow<'a> {
    pub(super) basis: &'a Basis,
    pub(super) escapes: &'a Escapes,
    pub(super) worths: &'a Worths,
    live: IndexVec<ProcId, Live>,
    pub(super) copies: IndexVec<CopyId, Copy>,
    started: Map<(ProcId, Cells), CopyId>,
    pub(super) chans: IndexVec<ChanId, Chan>,
    pub(super) spots: Interner<SpotId, Key>,
    pub(super) steps: Vec<Step>,
    /// Which of them depend on conditions that are left open.
    pub(super) open: Vec<bool>,
    steps_known: Map<Step, usize>,
    /// The steps of the statement that is being followed.
    pub(super) found: Vec<Found>,
    /// In how many ways it is followed.
    pub(super) n_ways: usize,
    pub(super) shared: Shared<'a>,
    pub(super) doubts: &'a Doubts,
    /// What copies go on knowing of shared cells because nobody else is seen to change it.
    pub(super) relied: Set<(CopyId, usize, i32)>,
    todo: Vec<SpotId>,
    waiting: Set<SpotId>,
    /// The places where any channel may be meant.
    pub(super) vague: Set<SpotId>,
    /// How many places each proctype has.
    n_spots: IndexVec<ProcId, usize>,
    /// The variables whose values are lost somewhere where they decide something.
    pub(super) lost: Set<(ProcId, LocalId)>,
    /// What was met in each cell.
    values: Map<(CopyId, usize), Set<i32>>,
}

impl<'a> Flow<'a> {
    pub(super) fn new(
        basis: &'a Basis,
        escapes: &'a Escapes,
        worths: &'a Worths,
        (shared, doubts): (Shared<'a>, &'a Doubts),
    ) -> Self {
        Self {
            basis,
            escapes,
            worths,
            live: lives(&basis.code, &shared),
            copies: IndexVec::new(),
            started: Map::default(),
            chans: IndexVec::new(),
            spots: Interner::new(),
            steps: Vec::new(),
            open: Vec::new(),
            steps_known: Map::default(),
            found: Vec::new(),
            n_ways: 0,
            shared,
            doubts,
            relied: Set::default(),
            todo: Vec::new(),
            waiting: Set::default(),
            vague: Set::default(),
            n_spots: basis.code.spec.procs.iter().map(|_| 0).collect(),
            lost: Set::default(),
            values: Map::default(),
        }
    }

    /// A place that has to be looked at, for the first time or again.
    pub(super) fn next(&mut self) -> Option<SpotId> {
        let spot = self.todo.pop()?;
        self.waiting.remove(&spot);
        Some(spot)
    }

    pub(super) fn look_at(&mut self, spot: SpotId) {
        if self.waiting.insert(spot) {
            self.todo.push(spot);
        }
    }

    /// The copy of a proctype for processes with these arguments.
    pub(super) fn start(&mut self, proc: ProcId, args: &Cells) -> Result<CopyId, Forget> {
        let mut guess = self.basis.guess(proc, None, self.blank(proc));
        self.pass(&mut guess, proc, args);
        let mut cells = guess.into_cells();
        self.blur(proc, None, &mut cells);
        cells.truncate(args.len());
        let key = (proc, cells);
        let args = &key.1;
        if let Some(&copy) = self.started.get(&key) {
            return Ok(copy);
        }
        let n = self.started.keys().filter(|(it, _)| *it == proc).count();
        if n >= COPIES_MAX {
            return Err(self.widest_argument(proc));
        }
        let name = self.basis.code.spec.procs[proc].name.clone();
        // Only what the copy is known by may have an influence on it.
        let copy = self.copy(proc, None, (&name, args))?;
        self.started.insert(key, copy);
        let vague: Vec<SpotId> = self.vague.iter().copied().collect();
        for spot in vague {
            self.look_at(spot);
        }
        Ok(copy)
    }

    /// A new copy of a proctype.
    pub(super) fn copy(
        &mut self,
        proc: ProcId,
        machine: Option<MachineId>,
        (name, args): (&str, &Cells),
    ) -> Result<CopyId, Forget> {
        let (basis, first) = (self.basis, self.chans.len());
        let pid = machine.and_then(|it| i32::try_from(it.raw()).ok());
        let mut guess = basis.guess(proc, pid, self.blank(proc));
        self.pass(&mut guess, proc, args);
        let mut names = basis.code.layout.own_channels(proc).iter();
        let spec = &basis.code.spec.procs[proc];
        for (id, _) in spec.body.locals.iter_enumerated().filter(|(_, local)| !local.late) {
            if id.index() < spec.params {
                continue;
            }
            for shape in guess.first_local(id, self.chans.len()) {
                let channel = names.next().map_or("", |(channel, _)| channel);
                let name = format!("{name}.{channel}");
                self.channel(name, shape, (Some(proc), Var::Local(id)));
            }
        }
        let own = first..self.chans.len();
        let start = SpotId::from_raw(0);
        let key = (proc, machine, args.clone());
        let copy = self.copies.push(Copy { proc, machine, key, start, own });
        let node = basis.code.graphs[proc].start;
        let known = self.known_at_first(copy);
        self.copies[copy].start = self.spot(copy, node, (guess.into_cells(), known))?;
        Ok(copy)
    }

    /// Everything is 0 before a process begins.
    fn blank(&self, proc: ProcId) -> Cells {
        vec![Some(0); self.basis.code.layout.n_locals(proc)]
    }

    fn pass(&self, guess: &mut crate::run::Guess<'_>, proc: ProcId, args: &Cells) {
        let cells = parameters(&self.basis.code.spec, proc);
        for ((index, (_, cell)), value) in cells.enumerate().zip(args) {
            guess.pass(index, (cell.ty, cell.in_array), *value);
        }
    }

    pub(super) fn channel(
        &mut self,
        name: String,
        shape: ShapeId,
        (owner, var): (Option<ProcId>, Var),
    ) {
        let (atoms, shuffled, listeners) = (Interner::new(), false, Set::default());
        self.chans.push(Chan { name, shape, owner, var, atoms, shuffled, listeners });
    }

    /// The channels that may be meant where nothing is known.
    pub(super) fn anywhere(&self, copy: CopyId) -> Vec<ChanId> {
        let own = &self.copies[copy].own;
        let may_be = |(id, chan): (ChanId, &Chan)| {
            let found =
                own.contains(&id.index()) || self.escapes.may_be_anywhere(chan.owner, chan.var);
            found.then_some(id)
        };
        self.chans.iter_enumerated().filter_map(may_be).collect()
    }

    /// A place. What is not worth knowing is forgotten.
    pub(super) fn spot(
        &mut self,
        copy: CopyId,
        node: NodeId,
        (mut cells, known): (Cells, Known),
    ) -> Result<SpotId, Forget> {
        let proc = self.copies[copy].proc;
        self.blur(proc, Some(node), &mut cells);
        let before = self.spots.len();
        let spot = self.spots.intern(Key { copy, node, cells, known });
        if self.spots.len() == before {
            return Ok(spot);
        }
        self.look_at(spot);
        self.n_spots[proc] += 1;
        self.note(copy, proc, spot)?;
        if self.n_spots[proc] > SPOTS_MAX {
            let widest = self.widest(proc);
            if widest != Forget::Nothing || self.spots.len() > ARCS_MAX {
                return Err(widest);
            }
        }
        Ok(spot)
    }

    /// Forgets what is not worth knowing: at a node, or before other variables have their first values.
    fn blur(&self, proc: ProcId, node: Option<NodeId>, cells: &mut Cells) {
        for id in self.basis.code.spec.procs[proc].body.locals.ids() {
            let is_dead = node.is_some_and(|node| !self.live[proc][node][id]);
            if is_dead || self.worths.local(proc, id) == Worth::None {
                cells[self.basis.cells_of(proc, id)].fill(None);
            }
        }
    }

    /// Notes the values at a new place.
    fn note(&mut self, copy: CopyId, proc: ProcId, spot: SpotId) -> Result<(), Forget> {
        for id in self.basis.code.spec.procs[proc].body.locals.ids() {
            let worth = self.worths.local(proc, id);
            let is_live = self.live[proc][self.spots.value(spot).node][id];
            for cell in self.basis.cells_of(proc, id) {
                let Some(value) = self.spots.value(spot).cells[cell] else {
                    if is_live && worth > Worth::None {
                        self.lost.insert((proc, id));
                    }
                    continue;
                };
                let met = self.values.entry((copy, cell)).or_default();
                met.insert(value);
                if met.len() > VALUES_MAX[usize::from(worth == Worth::Little)] {
                    return Err(Forget::Local(proc, id));
                }
            }
        }
        Ok(())
    }

    /// How many values of a variable are told apart.
    pub(super) fn n_values(&self, proc: ProcId, id: LocalId) -> usize {
        let cells = self.basis.cells_of(proc, id);
        let mut met: Set<i32> = Set::default();
        for ((copy, cell), values) in &self.values {
            if self.copies[*copy].proc == proc && cells.contains(cell) {
                met.extend(values);
            }
        }
        met.len()
    }

    /// The variable of a proctype that has most values, or a shared one that has as many.
    fn widest(&self, proc: ProcId) -> Forget {
        let copies = self.copies.iter_enumerated().filter(|(_, copy)| copy.proc == proc);
        let copies: Vec<CopyId> = copies.map(|(id, _)| id).collect();
        let n_values = |id: LocalId| {
            let mut met: Set<i32> = Set::default();
            for cell in self.basis.cells_of(proc, id) {
                let of_cell = copies.iter().filter_map(|&copy| self.values.get(&(copy, cell)));
                met.extend(of_cell.flatten());
            }
            met.len()
        };
        let locals = self.basis.code.spec.procs[proc].body.locals.ids();
        let widest = locals.map(|id| (n_values(id), id)).filter(|(n, _)| *n > 1).max();
        let shared = self.widest_shared(proc);
        match (widest, shared) {
            (Some((n, id)), shared) if shared.is_none_or(|(m, _)| m < n) => Forget::Local(proc, id),
            (_, Some((_, id))) => Forget::Global(id, "the net would become too large"),
            (Some((_, id)), None) => Forget::Local(proc, id),
            (None, None) => Forget::Nothing,
        }
    }

    /// The parameter of a proctype that has most values.
    fn widest_argument(&self, proc: ProcId) -> Forget {
        let started = || self.started.keys().filter(|(it, _)| *it == proc);
        let n_values = |id: LocalId| {
            let cells = self.basis.cells_of(proc, id);
            let of_cell = |cell: usize| started().map(move |(_, args)| args[cell]);
            cells.map(|cell| of_cell(cell).collect::<Set<_>>().len()).max().unwrap_or(0)
        };
        let spec = &self.basis.code.spec.procs[proc];
        let params = spec.body.locals.ids().take(spec.params);
        let widest = params.map(|id| (n_values(id), id)).filter(|(n, _)| *n > 1).max();
        widest.map_or(Forget::Nothing, |(_, id)| Forget::Local(proc, id))
    }

    /// The part of messages that has most values.
    fn widest_part(&self) -> Forget {
        let mut widest = None;
        for chan in &self.chans {
            let n_parts = self.basis.code.spec.shapes[chan.shape].fields.len();
            for part in 0..n_parts {
                let values: Set<_> = chan.atoms.values().iter().map(|it| it[part]).collect();
                let found = (values.len(), (n_parts, part));
                widest = widest.max(Some(found).filter(|(n, _)| *n > 1));
            }
        }
        widest.map_or(Forget::Nothing, |(_, key)| Forget::Field(key))
    }

    /// A kind of message that is sent to a channel.
    pub(super) fn atom(&mut self, chan: ChanId, parts: Cells) -> Result<AtomId, Forget> {
        let before = self.chans[chan].atoms.len();
        let n_parts = parts.len();
        let atom = self.chans[chan].atoms.intern(parts);
        if self.chans[chan].atoms.len() == before {
            return Ok(atom);
        }
        for part in 0..n_parts {
            let known = self.chans[chan].atoms.values().iter().filter_map(|it| it[part]);
            let n = known.collect::<Set<i32>>().len();
            let little = self.worths.field((n_parts, part)) == Worth::Little;
            if n > PARTS_MAX[usize::from(little)] {
                return Err(Forget::Field((n_parts, part)));
            }
        }
        let listeners: Vec<SpotId> = self.chans[chan].listeners.iter().copied().collect();
        for spot in listeners {
            self.look_at(spot);
        }
        Ok(atom)
    }

    /// From now on a place is looked at again whenever there are new messages in a channel.
    pub(super) fn listen(&mut self, chan: ChanId, spot: SpotId) {
        self.chans[chan].listeners.insert(spot);
    }

    /// A step, once.
    pub(super) fn step(&mut self, step: Step, open: bool) -> Result<(), Forget> {
        if let Some(&index) = self.steps_known.get(&step) {
            self.open[index] |= open;
        } else {
            self.steps_known.insert(step.clone(), self.steps.len());
            self.steps.push(step);
            self.open.push(open);
        }
        if self.steps.len() <= ARCS_MAX {
            return Ok(());
        }
        let all = self.basis.code.spec.procs.ids();
        let most = all.filter(|&proc| self.widest(proc) != Forget::Nothing);
        let most = most.max_by_key(|&proc| self.n_spots[proc]);
        Err(most.map_or_else(|| self.widest_part(), |proc| self.widest(proc)))
    }
}

/// The variables that decide about something behind each node.
fn lives(code: &Code, shared: &Shared<'_>) -> IndexVec<ProcId, Live> {
    let follows = |id: GlobalId| shared.follows(code, id);
    let reads = Reads::Deciding(&follows);
    let of = |(id, graph): (ProcId, &Graph)| live(&code.spec, graph, id, reads);
    code.graphs.iter_enumerated().map(of).collect()
}

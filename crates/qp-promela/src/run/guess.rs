//! Values where only some variables are known: what is computed from others is not known either.
//!
//! The numbers are those of the interpreter, with one exception: a channel is its place in a list that begins with
//! the channels that exist from the start, counted from 1. Those behind them have no number that a model
//! could compare with others, so they are only known where they are used as channels.

use std::borrow::Cow;

use qp_front_promela::spec::{
    BinaryOp, Expr, ExprKind, Init, LocalId, Place, ProcId, ShapeId, Ty, Var, Variable,
};
use qp_machines::QueueId;

use super::Code;
use super::channels::is_channel;
use super::eval::{Moment, Row, Scene, Spot, Stop};
use super::turn::assigned;
use super::value::number;

/// What is known about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seen<T> {
    Known(T),
    Unknown,
    /// There is none: the run fails.
    Fails,
}

impl<T> Seen<T> {
    /// The value, if it is known.
    pub(crate) fn known(self) -> Option<T> {
        if let Self::Known(value) = self { Some(value) } else { None }
    }
}

/// What is known of a model before anything runs.
pub(crate) struct Basis {
    /// The model without limits of channels, in which channels are more than bytes.
    pub(crate) code: Code,
    /// What shared cells hold at first.
    initial: Vec<Option<i32>>,
    /// What they hold always, where that is known.
    fixed: Vec<Option<i32>>,
    /// The channels that exist from the start and belong to nobody, with the variables that declare them.
    pub(crate) channels: Vec<(Var, ShapeId)>,
    /// What the channels that exist from the start carry.
    shapes: Vec<ShapeId>,
    /// Which cells of each proctype hold channels.
    holds_channel: Vec<Vec<bool>>,
}

impl Basis {
    /// `shapes` are those of the channels that exist from the start.
    pub(crate) fn new(code: &Code, shapes: Vec<ShapeId>) -> Self {
        let code = Code { numbered: false, endless: 0, ..code.clone() };
        let cells = |locals: &mut dyn Iterator<Item = &Variable>| {
            locals.flat_map(|it| code.spec.cells(it)).map(|it| it.ty == Ty::Chan).collect()
        };
        let holds_channel =
            code.spec.procs.iter().map(|it| cells(&mut it.body.locals.iter())).collect();
        let n = code.layout.n_globals();
        let (initial, fixed, channels) = (vec![None; n], vec![None; n], Vec::new());
        let mut basis = Self { code, initial, fixed, channels, shapes, holds_channel };
        basis.begin();
        basis
    }

    /// Fills in what is known of shared variables.
    fn begin(&mut self) {
        let mut guess = self.guess(ProcId::new(0), Some(0), Vec::new());
        let mut channels = Vec::new();
        for (id, global) in self.code.spec.globals.iter_enumerated() {
            let start = self.code.layout.global(id);
            let made = guess.first(Row::Globals, start, global, channels.len());
            let shapes = made.into_iter().map(|it| (Var::Global(id), it));
            channels.extend(shapes);
        }
        self.initial = guess.moment.scene.globals.into_owned();
        self.initial.resize(self.code.layout.n_globals(), None);
        self.channels = channels;
        self.fixed.clone_from(&self.initial);
        for id in assigned(&self.code) {
            let start = self.code.layout.global(id);
            let n = self.code.spec.variable_cells(&self.code.spec.globals[id]);
            self.fixed[start..start + n].fill(None);
        }
    }

    /// A moment of a process with these local variables.
    pub(crate) fn guess(
        &self,
        proc: ProcId,
        pid: Option<i32>,
        cells: Vec<Option<i32>>,
    ) -> Guess<'_> {
        let scene = Partly {
            basis: self,
            proc,
            globals: Cow::Borrowed(&self.fixed),
            cells,
            knows_pid: pid.is_some(),
            watched: &[],
            missed: None,
            settled: false,
        };
        let moment = Moment { code: &self.code, proc, pid: pid.unwrap_or(0), scene };
        Guess { moment, written: Vec::new() }
    }

    /// How many channels exist from the start.
    pub(crate) fn n_first(&self) -> usize {
        self.shapes.len()
    }

    /// What a shared cell holds at first, if that is known.
    pub(crate) fn first_shared(&self, cell: usize) -> Option<i32> {
        self.initial.get(cell).copied().flatten()
    }

    /// Whether a channel has a number that a model can compare with others.
    pub(crate) fn is_numbered(&self, channel: i32) -> bool {
        channel <= number(self.shapes.len())
    }

    /// The cells of a local variable.
    pub(crate) fn cells_of(&self, proc: ProcId, id: LocalId) -> std::ops::Range<usize> {
        let start = self.code.layout.local(proc, id);
        start..start + self.code.spec.variable_cells(&self.code.spec.procs[proc].body.locals[id])
    }
}

/// One moment of a process of which only some is known.
pub(crate) struct Guess<'a> {
    moment: Moment<'a, Partly<'a>>,
    written: Vec<Written>,
}

/// A value that was put into a shared cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Written {
    /// The cells that may be meant: just one of them gets the value.
    pub(crate) cells: std::ops::Range<usize>,
    /// The value, where it is known.
    pub(crate) value: Option<i32>,
}

/// The cells of one process, or those that all share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub(crate) shared: bool,
    pub(crate) cells: std::ops::Range<usize>,
}

impl<'a> Guess<'a> {
    /// The same moment with what is known of shared cells. What is asked of other cells that are watched is noted.
    pub(crate) fn knowing(mut self, watched: &'a [bool], known: &[(usize, i32)]) -> Self {
        self.moment.scene.watched = watched;
        for &(cell, value) in known {
            self.moment.scene.globals.to_mut()[cell] = Some(value);
        }
        self
    }
}

impl Guess<'_> {
    /// The first shared cell that was asked for, is watched and is not known.
    pub(crate) fn missed(&self) -> Option<usize> {
        self.moment.scene.missed
    }

    /// What was put into shared cells that are watched, in order.
    pub(crate) fn take_written(&mut self) -> Vec<Written> {
        std::mem::take(&mut self.written)
    }

    /// The local variables as they are now.
    pub(crate) fn into_cells(self) -> Vec<Option<i32>> {
        self.moment.scene.cells
    }

    /// A value. A channel is known if it is just that of a variable, whichever it is.
    pub(crate) fn value(&mut self, value: &Expr) -> Seen<i32> {
        match &value.kind {
            ExprKind::Load(place) if place.ty == Ty::Chan => match self.spot(place) {
                Seen::Known(spot) => self.held(spot).map_or(Seen::Unknown, Seen::Known),
                Seen::Unknown => Seen::Unknown,
                Seen::Fails => Seen::Fails,
            },
            _ => self.ask(|moment| moment.value(value)),
        }
    }

    /// Whether a condition holds. One side may decide it where nothing is known of the other.
    pub(crate) fn holds(&mut self, value: &Expr) -> Seen<bool> {
        let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) = &value.kind else {
            return match self.value(value) {
                Seen::Known(value) => Seen::Known(value != 0),
                Seen::Unknown => Seen::Unknown,
                Seen::Fails => Seen::Fails,
            };
        };
        let decides = Seen::Known(*op == BinaryOp::Or);
        match self.holds(left) {
            Seen::Fails => Seen::Fails,
            left if left == decides => decides,
            Seen::Known(_) => self.holds(right),
            // Who knows whether the left side fails, or the right side is looked at.
            Seen::Unknown if *op == BinaryOp::And && self.holds(right) == decides => decides,
            Seen::Unknown => Seen::Unknown,
        }
    }

    /// A value that is compared with others: a channel without a number is not known.
    pub(crate) fn compared(&mut self, value: &Expr) -> Seen<i32> {
        self.ask(|moment| moment.value(value))
    }

    /// What arrives of a value in something of a type; `None` if it is not known. What is a channel on one side
    /// only is not known.
    pub(crate) fn arriving(&mut self, value: &Expr, ty: Ty) -> Seen<Option<i32>> {
        let is_alike = is_channel(value) == (ty == Ty::Chan);
        match self.value(value) {
            Seen::Known(number) if is_alike || number == 0 => Seen::Known(Some(number)),
            Seen::Known(_) | Seen::Unknown => Seen::Known(None),
            Seen::Fails => Seen::Fails,
        }
    }

    /// What is left of a part of a message, which may be `alone` in it.
    pub(crate) fn cut(&self, ty: Ty, alone: bool, value: i32) -> i32 {
        self.moment.code.cut(ty, alone, value)
    }

    /// What a place may hold: `None` for what is not known. Nothing if the run fails.
    pub(crate) fn may_hold(&mut self, place: &Place) -> Vec<Option<i32>> {
        match self.spot(place) {
            Seen::Known(spot) => vec![self.held(spot)],
            Seen::Fails => Vec::new(),
            Seen::Unknown => {
                let (row, cells) = self.all_cells(place.var);
                let (code, proc) = (self.moment.code, self.moment.proc);
                let types = match place.var {
                    Var::Global(id) => code.spec.cells(&code.spec.globals[id]),
                    Var::Local(id) => code.spec.cells(&code.spec.procs[proc].body.locals[id]),
                    Var::Scratch => Vec::new(),
                };
                let fitting = cells.zip(types).filter(|(_, it)| it.ty == place.ty);
                fitting.map(|(cell, _)| self.cell(row, cell)).collect()
            }
        }
    }

    /// What a place of the shared variables holds at first, wherever in its variable.
    pub(crate) fn first_held(&self, place: &Place) -> Vec<i32> {
        match place.var {
            Var::Global(_) => {
                let (_, cells) = self.all_cells(place.var);
                self.moment.scene.basis.initial[cells].iter().copied().flatten().collect()
            }
            Var::Local(_) | Var::Scratch => Vec::new(),
        }
    }

    /// Puts a value into a place, as much of it as fits; `false` if the run fails.
    pub(crate) fn store(&mut self, place: &Place, value: Option<i32>) -> bool {
        match self.spot(place) {
            Seen::Fails => return false,
            Seen::Known(Spot { row: Some(Row::Locals), index, .. }) if value.is_none() => {
                self.moment.scene.cells[index] = None;
            }
            Seen::Known(spot @ Spot { row: Some(Row::Locals), .. }) => {
                self.moment.store(spot, value.unwrap_or(0));
            }
            Seen::Known(Spot { row: Some(Row::Globals), index, ty, in_array }) => {
                let value = value.map(|it| self.moment.code.cut(ty, in_array, it));
                self.share(index..index + 1, value);
            }
            Seen::Known(_) => {}
            Seen::Unknown => {
                let (row, cells) = self.all_cells(place.var);
                match row {
                    Row::Locals => self.moment.scene.cells[cells].fill(None),
                    Row::Globals => {
                        let value = value.and_then(|it| self.cut_somewhere(place, it));
                        self.share(cells, value);
                    }
                }
            }
        }
        true
    }

    /// What is left of a value in a part of a shared variable, whichever it is; `None` if they differ in that.
    fn cut_somewhere(&self, place: &Place, value: i32) -> Option<i32> {
        let code = self.moment.code;
        let Var::Global(id) = place.var else { return None };
        match code.spec.globals[id].ty {
            Ty::Record(_) => Some(value).filter(|it| (0..2).contains(it)),
            ty => Some(code.cut(ty, true, value)),
        }
    }

    /// Notes that one of these cells gets a value.
    fn share(&mut self, cells: std::ops::Range<usize>, value: Option<i32>) {
        let scene = &mut self.moment.scene;
        if !cells.clone().any(|it| scene.watched.get(it) == Some(&true)) {
            return;
        }
        // What is read behind it in the same statement is the new value.
        let sure = value.filter(|_| cells.len() == 1);
        scene.globals.to_mut()[cells.clone()].fill(sure);
        if sure.is_none() {
            // Nobody knows the new value, and to try old ones would be of no use.
            scene.settled = true;
        }
        self.written.push(Written { cells, value });
    }

    /// What a place holds and a number, before it is cut.
    pub(crate) fn sum(&mut self, place: &Place, number: i32) -> Option<i32> {
        let Seen::Known(spot) = self.spot(place) else { return None };
        match self.ask(|moment| moment.load(spot)) {
            Seen::Known(value) if place.ty != Ty::Chan => Some(value.wrapping_add(number)),
            Seen::Known(_) | Seen::Unknown | Seen::Fails => None,
        }
    }

    /// The cells that a place may mean: just one if it is known which. Nothing if the run fails, or if nothing is
    /// kept there.
    pub(crate) fn range(&mut self, place: &Place) -> Option<Range> {
        let (row, cells) = match self.spot(place) {
            Seen::Known(spot) => (spot.row?, spot.index..spot.index + 1),
            Seen::Unknown => self.all_cells(place.var),
            Seen::Fails => return None,
        };
        Some(Range { shared: row == Row::Globals, cells })
    }

    /// What all of these cells hold, if they are just one and that is known.
    pub(crate) fn held_in(&self, range: &Range) -> Option<i32> {
        let row = if range.shared { Row::Globals } else { Row::Locals };
        let cell = Some(range.cells.start).filter(|_| range.cells.len() == 1);
        cell.and_then(|cell| self.cell(row, cell))
    }

    /// Puts an argument into a cell of a parameter.
    pub(crate) fn pass(&mut self, index: usize, (ty, in_array): (Ty, bool), value: Option<i32>) {
        let spot = Spot { row: Some(Row::Locals), index, ty, in_array };
        match value {
            Some(value) => self.moment.store(spot, value),
            None => self.moment.scene.cells[index] = None,
        }
    }

    /// Gives a local variable what it holds at first. Its channels are numbered on from `queue`: what they
    /// carry.
    pub(crate) fn first_local(&mut self, id: LocalId, queue: usize) -> Vec<ShapeId> {
        let (code, proc) = (self.moment.code, self.moment.proc);
        let local = &code.spec.procs[proc].body.locals[id];
        self.first(Row::Locals, code.layout.local(proc, id), local, queue)
    }

    fn first(&mut self, row: Row, start: usize, variable: &Variable, queue: usize) -> Vec<ShapeId> {
        let (mut index, mut next) = (start, queue);
        let first = (variable.ty, variable.len, &variable.init);
        let seen = self.ask(|moment| moment.first(row, &mut index, first, &mut next));
        if seen != Seen::Known(()) {
            let cells = start..start + self.moment.code.spec.variable_cells(variable);
            match row {
                Row::Globals => self.moment.scene.globals.to_mut()[cells].fill(None),
                Row::Locals => self.moment.scene.cells[cells].fill(None),
            }
        }
        channels(self.moment.code, (variable.ty, variable.len, &variable.init))
    }

    fn spot(&mut self, place: &Place) -> Seen<Spot> {
        self.ask(|moment| moment.spot(place))
    }

    fn held(&self, spot: Spot) -> Option<i32> {
        spot.row.map_or(Some(0), |row| self.cell(row, spot.index))
    }

    fn cell(&self, row: Row, index: usize) -> Option<i32> {
        match row {
            Row::Globals => self.moment.scene.globals[index],
            Row::Locals => self.moment.scene.cells[index],
        }
    }

    fn all_cells(&self, var: Var) -> (Row, std::ops::Range<usize>) {
        let code = self.moment.code;
        match var {
            Var::Global(id) => {
                let start = code.layout.global(id);
                let n = code.spec.variable_cells(&code.spec.globals[id]);
                (Row::Globals, start..start + n)
            }
            Var::Local(id) => (Row::Locals, self.moment.scene.basis.cells_of(self.moment.proc, id)),
            Var::Scratch => (Row::Globals, 0..0),
        }
    }

    fn ask<T>(
        &mut self,
        question: impl FnOnce(&mut Moment<'_, Partly<'_>>) -> Result<T, Stop>,
    ) -> Seen<T> {
        match question(&mut self.moment) {
            Ok(value) => Seen::Known(value),
            Err(Stop::Unknown) => Seen::Unknown,
            Err(Stop::Fail(_)) => Seen::Fails,
        }
    }
}

/// The channels that come with a variable.
fn channels(code: &Code, (ty, len, init): (Ty, Option<u32>, &Init)) -> Vec<ShapeId> {
    let mut one = match (ty, init) {
        (Ty::Record(record), _) => {
            let fields = code.spec.records[record].fields.iter();
            fields.flat_map(|it| channels(code, (it.ty, it.len, &it.init))).collect()
        }
        (_, Init::Channel(shape)) => vec![*shape],
        (_, Init::Zero | Init::Value(_) | Init::List(_)) => Vec::new(),
    };
    let n = one.len() * len.unwrap_or(1) as usize;
    if !one.is_empty() {
        one = one.into_iter().cycle().take(n).collect();
    }
    one
}

/// Where values come from that are known.
struct Partly<'a> {
    basis: &'a Basis,
    proc: ProcId,
    globals: Cow<'a, [Option<i32>]>,
    cells: Vec<Option<i32>>,
    knows_pid: bool,
    /// The shared cells whose values are told apart.
    watched: &'a [bool],
    /// The first of them that was asked for and is not known.
    missed: Option<usize>,
    /// Whether what is asked from now on may be new, so that nobody need know it.
    settled: bool,
}

impl Scene for Partly<'_> {
    fn load(&mut self, row: Row, index: usize) -> Result<i32, Stop> {
        let value = match row {
            Row::Globals => self.globals.get(index).copied().flatten(),
            Row::Locals => {
                let is_channel = self.basis.holds_channel[self.proc.index()][index];
                self.cells[index].filter(|&it| !is_channel || self.basis.is_numbered(it))
            }
        };
        let is_watched = row == Row::Globals && self.watched.get(index) == Some(&true);
        if value.is_none() && is_watched && !self.settled {
            self.missed = self.missed.or(Some(index));
        }
        value.ok_or(Stop::Unknown)
    }

    fn store(&mut self, row: Row, index: usize, value: i32) {
        match row {
            Row::Globals => self.globals.to_mut()[index] = Some(value),
            Row::Locals => self.cells[index] = Some(value),
        }
    }

    fn channel(&mut self, value: i32) -> Option<(QueueId, ShapeId)> {
        let queue = usize::try_from(value).ok()?.checked_sub(1)?;
        Some((QueueId::new(queue), *self.basis.shapes.get(queue)?))
    }

    fn named(&self, queue: QueueId, _: ShapeId) -> i32 {
        number(queue.index() + 1)
    }

    fn me(&mut self, pid: i32) -> Result<i32, Stop> {
        if self.knows_pid { Ok(pid) } else { Err(Stop::Unknown) }
    }
}

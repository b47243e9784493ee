//! What statements do where only some values are known.
//!
//! Where a statement depends on shared variables whose values are told apart and not known, it is followed once for
//! each of their values.

use qp_front_promela::spec::{Expr, Match, Place, ProcId, Ty};
use qp_machines::SpotId;

use super::flow::{Cells, ChanId, CopyId, Effect, Flow, Forget};
use super::shared::Known;
use super::worth::Worth;
use crate::effects::{Effects, Guard, Source, Write, parameters};
use crate::graph::{Act, Edge, NodeId};
use crate::run::{Guess, Seen};

/// More ways to follow one statement than this are not told apart.
const WAYS_MAX: usize = 256;

/// What is known of the parts of a message that is received, and their types; nothing where none is.
type Message<'a> = (&'a [Option<i32>], &'a [Ty]);

/// A statement that is being followed from a place.
#[derive(Clone, Copy)]
pub(super) struct Here<'a> {
    pub(super) from: SpotId,
    pub(super) copy: CopyId,
    pub(super) proc: ProcId,
    pub(super) cells: &'a Cells,
    /// What is known of shared variables, or tried.
    pub(super) known: &'a Known,
    pub(super) edge: &'a Edge,
    pub(super) id: (NodeId, usize),
}

/// A step that is found, before it is known whether all values are known that it needs.
pub(super) struct Found {
    pub(super) cells: Cells,
    pub(super) written: Vec<crate::run::Written>,
    pub(super) effect: Effect,
    /// Whether a condition was left open.
    pub(super) open: bool,
}

/// Why a statement is not followed to its end.
pub(super) enum Stop {
    Forget(Forget),
    /// A shared cell must be known first.
    Missing(usize),
}

impl From<Forget> for Stop {
    fn from(forget: Forget) -> Self {
        Self::Forget(forget)
    }
}

impl<'a> Flow<'a> {
    /// All steps from a place.
    pub(super) fn follow(&mut self, from: SpotId) -> Result<(), Forget> {
        let node = self.spots.value(from).node;
        self.options(from, node, false).map(|_| ())
    }

    /// The steps from a place with the statements of a node: its own, or those at which a `d_step` there begins.
    /// Says whether one of them is always possible.
    fn options(&mut self, from: SpotId, node: NodeId, begins: bool) -> Result<bool, Forget> {
        let (copy, cells, known) = {
            let key = self.spots.value(from);
            (key.copy, key.cells.clone(), key.known.clone())
        };
        let (basis, proc) = (self.basis, self.copies[copy].proc);
        let options = &basis.code.graphs[proc].nodes[node];
        let tested = begins && basis.code.graphs[proc].openings(node).is_some();
        let mut certain = false;
        for (index, edge) in options.edges.iter().enumerate() {
            if certain && edge.waits {
                continue;
            }
            // Inside of a `d_step` the first option is taken, unless somebody else is answered with its beginning.
            if certain && options.inside.is_some() && !begins {
                break;
            }
            let id = (node, index);
            let here = Here { from, copy, proc, cells: &cells, known: &known, edge, id };
            self.n_ways = 0;
            let is_certain = self.ways(here)?;
            certain |= is_certain && (edge.opens || !tested);
        }
        Ok(certain)
    }

    /// The steps with one statement, for every value of what it needs to know. Says whether it is always
    /// possible.
    fn ways(&mut self, here: Here<'_>) -> Result<bool, Forget> {
        self.found.clear();
        let missing = match self.statement(here) {
            Ok(certain) => {
                for found in std::mem::take(&mut self.found) {
                    self.commit(here, found)?;
                }
                return Ok(certain);
            }
            Err(Stop::Forget(forget)) => return Err(forget),
            Err(Stop::Missing(cell)) => cell,
        };
        self.heed(missing, here.from);
        let mut certain = true;
        for value in self.values_of(missing) {
            self.n_ways += 1;
            if self.n_ways > WAYS_MAX {
                return Err(self.forget_cell(missing, "it would take too many steps to follow it"));
            }
            let known = here.known.with(missing, value);
            certain &= self.ways(Here { known: &known, ..here })?;
        }
        Ok(certain)
    }

    /// The steps with one statement, if all is known that it needs. Says whether it is always possible.
    fn statement(&mut self, here: Here<'_>) -> Result<bool, Stop> {
        let mut guess = self.guess(here);
        match &here.edge.act {
            Act::Jump | Act::Print(_) | Act::SetPriority(..) => self.go(guess, Effect::Nothing)?,
            Act::Block => {}
            Act::Else => {
                let Some(open) = self.otherwise(here)? else { return Ok(true) };
                self.go_if(guess, Effect::Nothing, open)?;
            }
            Act::Condition(value) => {
                let seen = guess.holds(value);
                missed(&guess)?;
                if !matches!(seen, Seen::Known(false) | Seen::Fails) {
                    self.go_if(guess, Effect::Nothing, seen == Seen::Unknown)?;
                }
                return Ok(!matches!(seen, Seen::Known(false) | Seen::Unknown));
            }
            Act::Assert(value) => {
                let seen = guess.holds(value);
                missed(&guess)?;
                if !matches!(seen, Seen::Known(false) | Seen::Fails) {
                    self.go(guess, Effect::Nothing)?;
                }
            }
            Act::Assign(..) | Act::Declare(..) | Act::Add(..) => {
                if self.assign(&mut guess, &here.edge.act.effects(), (&[], &[])) {
                    self.go(guess, Effect::Nothing)?;
                }
            }
            Act::Send { channel, sorted, args } => {
                self.send(here, channel, *sorted, args)?;
                return Ok(false);
            }
            Act::Receive { channel, random, keep, args } => {
                self.receive(here, channel, (*random, *keep), args)?;
                return Ok(false);
            }
            Act::Run { proc, args, .. } => {
                self.run(here, *proc, args)?;
                return Ok(false);
            }
            &Act::DStep(entry) => return Ok(self.options(here.from, entry, true)?),
            Act::End => {
                self.end(here)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether no other option of a choice is possible: `None` if one is, else whether that is open.
    fn otherwise(&mut self, here: Here<'_>) -> Result<Option<bool>, Stop> {
        let basis = self.basis;
        let (node, index) = here.id;
        let others = &basis.code.graphs[here.proc].nodes[node].edges[..index];
        let mut open = false;
        for other in others {
            let Guard::Holds(value) = other.act.effects().guard else {
                open = true;
                continue;
            };
            let mut guess = self.guess(here);
            let seen = guess.holds(value);
            missed(&guess)?;
            match seen {
                Seen::Known(false) => {}
                Seen::Known(true) | Seen::Fails if here.edge.escape == 0 => return Ok(None),
                Seen::Known(true) | Seen::Unknown | Seen::Fails => open = true,
            }
        }
        Ok(Some(open))
    }

    pub(super) fn guess(&self, here: Here<'_>) -> Guess<'a> {
        self.guess_at(here.copy, here.cells, here.known)
    }

    fn go(&mut self, guess: Guess<'_>, effect: Effect) -> Result<(), Stop> {
        self.go_if(guess, effect, false)
    }

    /// Notes a step, unless something must be known first.
    fn go_if(&mut self, mut guess: Guess<'_>, effect: Effect, open: bool) -> Result<(), Stop> {
        missed(&guess)?;
        let written = guess.take_written();
        self.found.push(Found { cells: guess.into_cells(), written, effect, open });
        Ok(())
    }

    /// A value that is handed on. A channel whose process may end is not known to others.
    fn arriving(&self, guess: &mut Guess<'_>, value: &Expr, ty: Ty) -> Seen<Option<i32>> {
        let seen = guess.arriving(value, ty);
        match seen {
            Seen::Known(Some(number)) if ty == Ty::Chan && self.escapes.mortal => {
                let chan = self.chan(number);
                let stays = chan.is_none_or(|chan| self.chans[chan].owner.is_none());
                Seen::Known(Some(number).filter(|_| stays))
            }
            _ => seen,
        }
    }

    /// Carries out the assignments of a statement, from left to right; `false` if the run fails.
    fn assign(&self, guess: &mut Guess<'_>, effects: &Effects<'_>, message: Message<'_>) -> bool {
        effects.writes.iter().all(|write| match self.assigned(guess, write, message) {
            Seen::Known(value) => guess.store(write.place, value),
            Seen::Unknown | Seen::Fails => false,
        })
    }

    /// What is assigned; `None` if it is not known.
    pub(super) fn assigned(
        &self,
        guess: &mut Guess<'_>,
        &Write { place, source }: &Write<'_>,
        (parts, fields): Message<'_>,
    ) -> Seen<Option<i32>> {
        match source {
            Source::Value(value) => self.arriving(guess, value, place.ty),
            Source::First(value) => match guess.value(value) {
                Seen::Fails => Seen::Fails,
                seen => Seen::Known(seen.known()),
            },
            Source::Sum(number) => Seen::Known(guess.sum(place, number)),
            Source::Part((_, part)) => {
                let is_alike = (place.ty == Ty::Chan) == (fields.get(part) == Some(&Ty::Chan));
                let value = parts.get(part).copied().flatten();
                Seen::Known(value.filter(|&it| is_alike || it == 0))
            }
            Source::Child => Seen::Known(None),
        }
    }

    fn chan(&self, value: i32) -> Option<ChanId> {
        let index = usize::try_from(value).ok()?.checked_sub(1)?;
        (index < self.chans.len()).then(|| ChanId::new(index))
    }

    /// The channels that a place may mean, of those that carry so many parts, and whether that is open. With
    /// others the run fails.
    pub(super) fn channels(
        &mut self,
        here: Here<'_>,
        place: &Place,
        n_parts: usize,
    ) -> Result<(Vec<ChanId>, bool), Stop> {
        let mut guess = self.guess(here);
        let mut found = Vec::new();
        let held = guess.may_hold(place);
        missed(&guess)?;
        let open = held.len() > 1 || held.contains(&None);
        if held.contains(&None) {
            self.vague.insert(here.from);
            found.extend(self.anywhere(here.copy));
            found.extend(guess.first_held(place).into_iter().filter_map(|it| self.chan(it)));
        }
        found.extend(held.into_iter().flatten().filter_map(|it| self.chan(it)));
        found.sort_unstable();
        found.dedup();
        let shapes = &self.basis.code.spec.shapes;
        found.retain(|&it| shapes[self.chans[it].shape].fields.len() == n_parts);
        Ok((found, open))
    }

    fn send(
        &mut self,
        here: Here<'_>,
        channel: &Place,
        sorted: bool,
        args: &[Expr],
    ) -> Result<(), Stop> {
        let (channels, open) = self.channels(here, channel, args.len())?;
        for chan in channels {
            let fields = &self.basis.code.spec.shapes[self.chans[chan].shape].fields;
            let mut guess = self.guess(here);
            let mut message = Vec::with_capacity(args.len());
            for (part, (value, &ty)) in args.iter().zip(fields).enumerate() {
                let Seen::Known(value) = self.arriving(&mut guess, value, ty) else {
                    missed(&guess)?;
                    return Ok(());
                };
                let worth = self.worths.field((args.len(), part));
                let value = value.filter(|_| worth > Worth::None);
                message.push(value.map(|it| guess.cut(ty, args.len() == 1, it)));
            }
            missed(&guess)?;
            self.chans[chan].shuffled |= sorted;
            let atom = self.atom(chan, message)?;
            self.go_if(guess, Effect::Puts(chan, atom), open)?;
        }
        Ok(())
    }

    fn receive(
        &mut self,
        here: Here<'_>,
        channel: &Place,
        (random, keep): (bool, bool),
        args: &[Match],
    ) -> Result<(), Stop> {
        let Some(wanted) = self.wanted(here, args)? else { return Ok(()) };
        let (channels, vague) = self.channels(here, channel, args.len())?;
        for chan in channels {
            let shape = &self.basis.code.spec.shapes[self.chans[chan].shape];
            // Without a buffer there is no copy: whoever is answered hands the message over.
            let stays = keep && shape.capacity > 0;
            self.chans[chan].shuffled |= random && !stays;
            self.listen(chan, here.from);
            for atom in 0..self.chans[chan].atoms.len() {
                let parts = self.chans[chan].atoms.values()[atom].clone();
                let Some(open) = self.agree(&wanted, args, (&parts, &shape.fields)) else {
                    continue;
                };
                let mut guess = self.guess(here);
                if self.assign(&mut guess, &here.edge.act.effects(), (&parts, &shape.fields)) {
                    let takes = Effect::Takes(chan, super::flow::AtomId::new(atom));
                    let effect = if stays { Effect::Nothing } else { takes };
                    self.go_if(guess, effect, open || vague)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a message may be what is wanted, and then whether that is open.
    fn agree(
        &self,
        wanted: &Cells,
        args: &[Match],
        (parts, fields): (&Cells, &[Ty]),
    ) -> Option<bool> {
        let numbered = |value: &i32, ty: Ty| ty != Ty::Chan || self.basis.is_numbered(*value);
        let mut open = false;
        for (((wanted, part), &ty), arg) in wanted.iter().zip(parts).zip(fields).zip(args) {
            match (wanted, part) {
                (Some(wanted), Some(part)) if numbered(part, ty) => {
                    if wanted != part {
                        return None;
                    }
                }
                _ => open |= matches!(arg, Match::Constant(_) | Match::Eval(_)),
            }
        }
        Some(open)
    }

    /// What the parts of a message must be, where that is known; nothing if the run fails.
    fn wanted(&self, here: Here<'_>, args: &[Match]) -> Result<Option<Cells>, Stop> {
        let mut guess = self.guess(here);
        let mut wanted = Vec::with_capacity(args.len());
        for part in args {
            wanted.push(match part {
                Match::Constant(value) | Match::Eval(value) => match guess.compared(value) {
                    Seen::Known(value) => Some(value),
                    Seen::Unknown => None,
                    Seen::Fails => return Ok(None),
                },
                Match::Bind(_) | Match::Any => None,
            });
        }
        missed(&guess)?;
        Ok(Some(wanted))
    }

    fn run(&mut self, here: Here<'_>, proc: ProcId, args: &[Expr]) -> Result<(), Stop> {
        let mut guess = self.guess(here);
        let mut values = Vec::with_capacity(args.len());
        for (value, (_, cell)) in args.iter().zip(parameters(&self.basis.code.spec, proc)) {
            let Seen::Known(value) = self.arriving(&mut guess, value, cell.ty) else {
                return missed(&guess);
            };
            values.push(value);
        }
        if !self.assign(&mut guess, &here.edge.act.effects(), (&[], &[])) {
            return missed(&guess);
        }
        missed(&guess)?;
        let copy = self.start(proc, &values)?;
        self.go(guess, Effect::Starts(copy))
    }
}

/// Stops if a statement needs to know more.
fn missed(guess: &Guess<'_>) -> Result<(), Stop> {
    guess.missed().map_or(Ok(()), |cell| Err(Stop::Missing(cell)))
}

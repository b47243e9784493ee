//! What statements do where only some values are known.

use qp_front_promela::spec::{Expr, Match, Place, ProcId, Ty};
use qp_machines::SpotId;

use super::flow::{Cells, ChanId, CopyId, Effect, Flow, Forget, Step};
use super::worth::Worth;
use crate::graph::{Act, Edge, NodeId};
use crate::run::{Guess, Seen};

/// A statement that is being followed from a place.
#[derive(Clone, Copy)]
struct Here<'a> {
    from: SpotId,
    copy: CopyId,
    proc: ProcId,
    cells: &'a Cells,
    edge: &'a Edge,
    id: (NodeId, usize),
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
        let (copy, cells) = {
            let key = self.spots.value(from);
            (key.copy, key.cells.clone())
        };
        let (basis, proc) = (self.basis, self.copies[copy].proc);
        let options = &basis.code.graphs[proc].nodes[node];
        let mut certain = false;
        for (index, edge) in options.edges.iter().enumerate() {
            if certain && matches!(edge.act, Act::Else) && edge.escape == 0 {
                continue;
            }
            // Inside of a `d_step` the first option is taken, unless somebody else is answered with its beginning.
            if certain && options.inside.is_some() && !begins {
                break;
            }
            let here = Here { from, copy, proc, cells: &cells, edge, id: (node, index) };
            certain |= self.statement(here)?;
        }
        Ok(certain)
    }

    /// The steps with one statement. Says whether it is always possible.
    fn statement(&mut self, here: Here<'_>) -> Result<bool, Forget> {
        let mut guess = self.guess(here);
        match &here.edge.act {
            Act::Jump | Act::Else | Act::Print(_) | Act::SetPriority(..) => {
                self.go(here, here.cells.clone(), Effect::Nothing)?;
            }
            Act::Condition(value) => {
                let seen = guess.holds(value);
                if !matches!(seen, Seen::Known(false) | Seen::Fails) {
                    self.go(here, here.cells.clone(), Effect::Nothing)?;
                }
                return Ok(!matches!(seen, Seen::Known(false) | Seen::Unknown));
            }
            Act::Assert(value) => {
                if !matches!(guess.holds(value), Seen::Known(false) | Seen::Fails) {
                    self.go(here, here.cells.clone(), Effect::Nothing)?;
                }
            }
            Act::Assign(place, value) => {
                if let Seen::Known(value) = self.arriving(&mut guess, value, place.ty)
                    && guess.store(place, value)
                {
                    self.go(here, guess.into_cells(), Effect::Nothing)?;
                }
            }
            Act::Add(place, number) => {
                if guess.add(place, *number) {
                    self.go(here, guess.into_cells(), Effect::Nothing)?;
                }
            }
            Act::Declare(local) => {
                if guess.declare(*local) {
                    self.go(here, guess.into_cells(), Effect::Nothing)?;
                }
            }
            Act::Send { channel, args, .. } => {
                self.send(here, channel, args)?;
                return Ok(false);
            }
            Act::Receive { channel, keep, args, .. } => {
                self.receive(here, channel, *keep, args)?;
                return Ok(false);
            }
            Act::Run { into, proc, args, .. } => {
                self.run(here, into.as_ref(), *proc, args)?;
                return Ok(false);
            }
            &Act::DStep(entry) => return self.options(here.from, entry, true),
            Act::End => {
                let (from, edge) = (here.from, here.id);
                self.step(Step { from, to: None, effect: Effect::Nothing, edge })?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn guess(&self, here: Here<'_>) -> Guess<'a> {
        let machine = self.copies[here.copy].machine;
        let pid = machine.and_then(|it| i32::try_from(it.raw()).ok());
        self.basis.guess(here.proc, pid, here.cells.clone())
    }

    fn go(&mut self, here: Here<'_>, cells: Cells, effect: Effect) -> Result<(), Forget> {
        let to = Some(self.spot(here.copy, here.edge.target, cells)?);
        self.step(Step { from: here.from, to, effect, edge: here.id })
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

    fn chan(&self, value: i32) -> Option<ChanId> {
        let index = usize::try_from(value).ok()?.checked_sub(1)?;
        (index < self.chans.len()).then(|| ChanId::new(index))
    }

    /// The channels that a place may mean, of those that carry so many parts. With others the run fails.
    fn channels(&mut self, here: Here<'_>, place: &Place, n_parts: usize) -> Vec<ChanId> {
        let mut guess = self.guess(here);
        let mut found = Vec::new();
        let held = guess.may_hold(place);
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
        found
    }

    fn send(&mut self, here: Here<'_>, channel: &Place, args: &[Expr]) -> Result<(), Forget> {
        for chan in self.channels(here, channel, args.len()) {
            let fields = &self.basis.code.spec.shapes[self.chans[chan].shape].fields;
            let mut guess = self.guess(here);
            let mut message = Vec::with_capacity(args.len());
            for (part, (value, &ty)) in args.iter().zip(fields).enumerate() {
                let Seen::Known(value) = self.arriving(&mut guess, value, ty) else {
                    return Ok(());
                };
                let worth = self.worths.field((args.len(), part));
                let value = value.filter(|_| worth > Worth::None);
                message.push(value.map(|it| guess.cut(ty, args.len() == 1, it)));
            }
            let atom = self.atom(chan, message)?;
            self.go(here, here.cells.clone(), Effect::Puts(chan, atom))?;
        }
        Ok(())
    }

    fn receive(
        &mut self,
        here: Here<'_>,
        channel: &Place,
        keep: bool,
        args: &[Match],
    ) -> Result<(), Forget> {
        let Some(wanted) = self.wanted(here, args) else { return Ok(()) };
        for chan in self.channels(here, channel, args.len()) {
            let shape = &self.basis.code.spec.shapes[self.chans[chan].shape];
            // Without a buffer there is no copy: whoever is answered hands the message over.
            let stays = keep && shape.capacity > 0;
            self.listen(chan, here.from);
            for atom in 0..self.chans[chan].atoms.len() {
                let parts = self.chans[chan].atoms.values()[atom].clone();
                if !self.agree(&wanted, &parts, &shape.fields) {
                    continue;
                }
                let mut guess = self.guess(here);
                if bind(&mut guess, args, &parts, &shape.fields) {
                    let takes = Effect::Takes(chan, super::flow::AtomId::new(atom));
                    let effect = if stays { Effect::Nothing } else { takes };
                    self.go(here, guess.into_cells(), effect)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a message may be what is wanted.
    fn agree(&self, wanted: &Cells, parts: &Cells, fields: &[Ty]) -> bool {
        let numbered = |value: &i32, ty: Ty| ty != Ty::Chan || self.basis.is_numbered(*value);
        let mut all = wanted.iter().zip(parts).zip(fields);
        all.all(|((wanted, part), &ty)| match (wanted, part) {
            (Some(wanted), Some(part)) if numbered(part, ty) => wanted == part,
            _ => true,
        })
    }

    /// What the parts of a message must be, where that is known; nothing if the run fails.
    fn wanted(&self, here: Here<'_>, args: &[Match]) -> Option<Cells> {
        let mut guess = self.guess(here);
        let mut wanted = Vec::with_capacity(args.len());
        for part in args {
            wanted.push(match part {
                Match::Constant(value) | Match::Eval(value) => match guess.compared(value) {
                    Seen::Known(value) => Some(value),
                    Seen::Unknown => None,
                    Seen::Fails => return None,
                },
                Match::Bind(_) | Match::Any => None,
            });
        }
        Some(wanted)
    }

    fn run(
        &mut self,
        here: Here<'_>,
        into: Option<&Place>,
        proc: ProcId,
        args: &[Expr],
    ) -> Result<(), Forget> {
        let spec = &self.basis.code.spec;
        let params = spec.procs[proc].body.locals.iter().take(spec.procs[proc].params);
        let cells = params.flat_map(|it| spec.cells(it));
        let mut guess = self.guess(here);
        let mut values = Vec::with_capacity(args.len());
        for (value, cell) in args.iter().zip(cells) {
            let Seen::Known(value) = self.arriving(&mut guess, value, cell.ty) else {
                return Ok(());
            };
            values.push(value);
        }
        if into.is_some_and(|place| !guess.store(place, None)) {
            return Ok(());
        }
        let copy = self.start(proc, &values)?;
        self.go(here, guess.into_cells(), Effect::Starts(copy))
    }
}

/// Puts the parts of a message where they go, from left to right; `false` if the run fails.
fn bind(guess: &mut Guess<'_>, args: &[Match], parts: &Cells, fields: &[Ty]) -> bool {
    args.iter().zip(parts).zip(fields).all(|((arg, value), field)| match arg {
        Match::Bind(place) => {
            let is_alike = (place.ty == Ty::Chan) == (*field == Ty::Chan);
            guess.store(place, value.filter(|&it| is_alike || it == 0))
        }
        Match::Constant(_) | Match::Eval(_) | Match::Any => true,
    })
}

//! Values of parts in terms that mean the same in every process.

use qp_machines::{CellId, KindId, LocalId, MachineId, WordId};

use super::super::stepper::{LEAP_MAX, Piece};
use super::Turns;
use super::slots::{ABSENT, Slot, Slots};

impl Turns {
    /// What a value of a part says.
    pub(crate) fn pieces(&self, part: usize, value: u32) -> Vec<Piece> {
        let raw @ (first, second) = self.slots.raw(part, value);
        let is_there = raw != ABSENT;
        match self.slots.slot(part) {
            Slot::Holder => {
                vec![Piece::Holder(is_there.then(|| MachineId::from_raw(first)))]
            }
            Slot::Cell(_) if self.has_store() => vec![Piece::Store(first.cast_signed())],
            Slot::Cell(cell) => vec![Piece::Cell(cell, first.cast_signed())],
            Slot::Machine(machine) if !is_there => vec![Piece::NoMachine(machine)],
            Slot::Queue(queue) if !is_there => vec![Piece::NoQueue(queue)],
            Slot::Machine(machine) => vec![Piece::Machine(machine, LocalId::from_raw(first))],
            Slot::Queue(queue) => {
                vec![Piece::Queue(queue, KindId::from_raw(second), WordId::from_raw(first))]
            }
        }
    }

    /// The part and the value that say this, if there can be any.
    pub(crate) fn value_of(&mut self, pieces: &[Piece]) -> Option<(usize, u32)> {
        let &[piece] = pieces else { return None };
        let (part, raw) = match piece {
            Piece::Holder(holder) => {
                (Slots::holder(), holder.map_or(ABSENT, |machine| (machine.raw(), 0)))
            }
            Piece::Cell(cell, value) if !self.has_store() => {
                let part = (cell.index() < self.system.n_cells()).then(|| Slots::cell(cell))?;
                (part, (value.cast_unsigned(), 0))
            }
            Piece::Store(number) if self.has_store() => {
                (Slots::cell(CellId::from_raw(0)), (number.cast_unsigned(), 0))
            }
            Piece::Machine(machine, local) => {
                self.meet(machine.index() + 1, 0)?;
                (self.slots.machine(machine.index()), (local.raw(), 0))
            }
            Piece::Queue(queue, kind, word) => {
                self.meet(0, queue.index() + 1)?;
                (self.slots.queue(queue.index()), (word.raw(), kind.raw()))
            }
            Piece::NoMachine(machine) => {
                self.meet(machine.index() + 1, 0)?;
                (self.slots.machine(machine.index()), ABSENT)
            }
            Piece::NoQueue(queue) => {
                self.meet(0, queue.index() + 1)?;
                (self.slots.queue(queue.index()), ABSENT)
            }
            Piece::Store(_) | Piece::Cell(..) => return None,
        };
        Some((part, self.slots.intern(&mut self.system, part, raw)))
    }

    /// Whether what is shared is one number, which means something in this process only.
    fn has_store(&self) -> bool {
        self.system.program().outline().n_cells.is_none()
    }

    /// Makes parts for machines and queues that were created elsewhere.
    fn meet(&mut self, n_machines: usize, n_queues: usize) -> Option<()> {
        let (machines, queues) = self.slots.n_machines_queues();
        if n_machines > machines + LEAP_MAX || n_queues > queues + LEAP_MAX {
            return None;
        }
        if n_machines > machines || n_queues > queues {
            self.slots.make_room(&mut self.system, n_machines, n_queues);
        }
        Some(())
    }
}

//! Values of parts in terms that mean the same in every process.

use qp_base::Interner;
use qp_machines::{KindId, LocalId, MachineId, StoreId, WordId};

use super::super::stepper::{LEAP_MAX, Piece};
use super::{ABSENT, General, Slot};

impl General {
    /// What a value of a part says.
    pub(crate) fn pieces(&self, part: usize, value: u32) -> Vec<Piece> {
        let raw @ (first, second) = *self.values[part].value(value as usize);
        let is_there = raw != ABSENT;
        match self.slots[part] {
            Slot::Store => vec![Piece::Store(StoreId::from_raw(first))],
            Slot::Holder => {
                vec![Piece::Holder(is_there.then(|| MachineId::from_raw(first)))]
            }
            Slot::Machine(machine) if !is_there => vec![Piece::NoMachine(machine.into())],
            Slot::Queue(queue) if !is_there => vec![Piece::NoQueue(queue.into())],
            Slot::Machine(machine) => {
                vec![Piece::Machine(machine.into(), LocalId::from_raw(first))]
            }
            Slot::Queue(queue) => {
                vec![Piece::Queue(queue.into(), KindId::from_raw(second), WordId::from_raw(first))]
            }
        }
    }

    /// The part and the value that say this, if there can be any.
    pub(crate) fn value_of(&mut self, pieces: &[Piece]) -> Option<(usize, u32)> {
        let &[piece] = pieces else { return None };
        let (slot, raw) = match piece {
            Piece::Store(store) => (Slot::Store, (store.raw(), 0)),
            Piece::Holder(holder) => {
                (Slot::Holder, holder.map_or(ABSENT, |machine| (machine.raw(), 0)))
            }
            Piece::Machine(machine, local) => (Slot::Machine(machine.index()), (local.raw(), 0)),
            Piece::Queue(queue, kind, word) => {
                (Slot::Queue(queue.index()), (word.raw(), kind.raw()))
            }
            Piece::NoMachine(machine) => (Slot::Machine(machine.index()), ABSENT),
            Piece::NoQueue(queue) => (Slot::Queue(queue.index()), ABSENT),
            Piece::Cell(..) => return None,
        };
        self.meet(slot)?;
        let part = self.slots.iter().position(|&it| it == slot)?;
        Some((part, self.values[part].intern(raw) as u32))
    }

    /// Makes parts for machines and queues that were created elsewhere.
    fn meet(&mut self, slot: Slot) -> Option<()> {
        let (n_machines, n_queues) = self.n_machines_queues();
        let (met, number) = match slot {
            Slot::Machine(number) => (n_machines, number),
            Slot::Queue(number) => (n_queues, number),
            Slot::Store | Slot::Holder => return Some(()),
        };
        if number >= met + LEAP_MAX {
            return None;
        }
        for number in met..=number {
            let is_machine = matches!(slot, Slot::Machine(_));
            self.slots.push(if is_machine { Slot::Machine(number) } else { Slot::Queue(number) });
            let mut values = Interner::new();
            values.intern(ABSENT);
            self.values.push(values);
        }
        Some(())
    }
}

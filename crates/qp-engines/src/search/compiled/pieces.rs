//! Values of parts in terms that mean the same in every process.

use qp_machines::{Capacity, Config, LocalId, MachineId, QueueId, WordId};

use super::super::parts::Value;
use super::super::stepper::Piece;
use super::Compiled;

impl Compiled {
    /// What a value of a part says.
    pub(crate) fn pieces(&self, part: usize, value: u32) -> Vec<Piece> {
        let home = &self.tables.parts[part];
        match home.values.value(value as usize) {
            Value::Absent => home.machine.map(Piece::NoMachine).into_iter().collect(),
            Value::Store(store) => {
                self.system.cells(*store).into_iter().map(Piece::Store).collect()
            }
            Value::Present { local, words } => {
                let machine = home.machine.map(|machine| Piece::Machine(machine, *local));
                let queues = home.queues.iter().zip(words);
                let queues = queues.map(|(&queue, &word)| {
                    Piece::Queue(queue, self.base.kinds[queue.index()], word)
                });
                machine.into_iter().chain(queues).collect()
            }
        }
    }

    /// The part and the value that say this, if there can be any.
    pub(crate) fn value_of(&mut self, pieces: &[Piece]) -> Option<(usize, u32)> {
        let (machine, local, queues) = match *pieces.first()? {
            Piece::Store(number) if pieces.len() == 1 => {
                let part = self.tables.watchers.as_ref()?.part as usize;
                let store = self.system.store_of(&[number]);
                return Some((part, self.intern_value(part, Value::Store(store))));
            }
            Piece::Machine(machine, local) => (Some(machine), local, &pieces[1..]),
            Piece::Queue(..) => (None, LocalId::from_raw(0), pieces),
            Piece::Store(_)
            | Piece::Holder(_)
            | Piece::Cell(..)
            | Piece::NoMachine(_)
            | Piece::NoQueue(_) => return None,
        };
        if let Some(machine) = machine.filter(|it| it.index() == self.base.locals.len()) {
            self.welcome(machine, local, queues)?;
        }
        let part = match (machine, queues.first()) {
            (Some(machine), _) => *self.tables.part_of.get(machine.index())?,
            (None, Some(Piece::Queue(queue, ..))) => self.tables.queues.get(queue.index())?.part,
            (None, _) => return None,
        } as usize;
        let home = &self.tables.parts[part];
        if home.machine != machine || home.queues.len() != queues.len() {
            return None;
        }
        let content = |(&queue, piece): (&QueueId, &Piece)| match *piece {
            Piece::Queue(other, kind, word) => {
                let same = other == queue && kind == self.base.kinds[queue.index()];
                same.then_some(word)
            }
            _ => None,
        };
        let words: Option<Box<[WordId]>> = home.queues.iter().zip(queues).map(content).collect();
        let value = Value::Present { local, words: words? };
        Some((part, self.intern_value(part, value)))
    }

    /// Makes a part for a machine that was created elsewhere.
    fn welcome(&mut self, machine: MachineId, local: LocalId, queues: &[Piece]) -> Option<()> {
        let mut config: Config = self.base.clone();
        config.locals.push(local);
        for piece in queues {
            let Piece::Queue(queue, kind, word) = *piece else { return None };
            let kinds = &self.system.program().outline().kinds;
            let fits = kind.index() < kinds.len() && queue.index() == config.words.len();
            if !fits || kinds[kind].capacity == Capacity::Rendezvous {
                return None;
            }
            config.words.push(word);
            config.kinds.push(kind);
        }
        self.add_part(machine, &config);
        Some(())
    }
}

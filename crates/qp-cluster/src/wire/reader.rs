//! Reads packets. What comes from another process is not trusted.

use qp_base::Map;
use qp_engines::{Piece, Stepper};
use qp_machines::{CellId, KindId, MachineId, MessageId, QueueId, System, WordId};

use super::{
    CLOSED, HELD, IN_CELL, IN_MACHINE, IN_QUEUE, IN_STORE, LOCAL, MESSAGE, NO_MACHINE, NO_QUEUE,
    Origin, STATE, STORE, Thing, VALUE, WORD,
};
use crate::bytes::{Bytes, Garbled};
use crate::rows::trimmed;

/// Reads the packets of one peer, in the order in which they were written.
#[derive(Default)]
pub(crate) struct Reader {
    /// What each number of the peer stands for here.
    meanings: Map<u32, Thing>,
    parts: Vec<Translation>,
    n_packets: u64,
}

/// What a part of a peer is here.
#[derive(Clone, Default)]
struct Translation {
    part: Option<usize>,
    /// For each number of a value but 0: the value here.
    values: Vec<u32>,
}

/// The configurations of a packet.
#[derive(Default)]
pub(crate) struct Arrived {
    cells: Vec<u32>,
    /// Where each row ends, and how it was met.
    ends: Vec<(usize, Origin)>,
}

impl Arrived {
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&[u32], Origin)> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|&(end, _)| end));
        starts.zip(&self.ends).map(|(start, &(end, origin))| (&self.cells[start..end], origin))
    }
}

/// How many parts a peer may skip: those that are as in the beginning.
const SKIP_MAX: usize = 1 << 16;

impl Reader {
    /// The configurations of a packet, and how they were met.
    pub(crate) fn read(
        &mut self,
        stepper: &mut Stepper,
        worker: u32,
        packet: &[u8],
    ) -> Result<Arrived, Garbled> {
        let mut bytes = Bytes(packet);
        if bytes.number()? != self.n_packets {
            return Err(Garbled);
        }
        self.n_packets += 1;
        let (mut arrived, mut row) = (Arrived::default(), Vec::new());
        while !bytes.is_empty() {
            match bytes.byte()? {
                STATE => {
                    let origin = self.state(worker, &mut bytes, &mut row)?;
                    arrived.cells.extend_from_slice(trimmed(&row));
                    arrived.ends.push((arrived.cells.len(), origin));
                }
                VALUE => self.learn_value(stepper, &mut bytes)?,
                tag => self.learn(stepper.system(), tag, &mut bytes)?,
            }
        }
        Ok(arrived)
    }

    fn learn(
        &mut self,
        system: &mut System,
        tag: u8,
        bytes: &mut Bytes<'_>,
    ) -> Result<(), Garbled> {
        let number = bytes.small()?;
        let program = system.program_mut();
        let meaning = match tag {
            LOCAL => {
                let machine = MachineId::from_raw(bytes.small()?);
                let local = program.local_from_text(machine, bytes.text()?).ok_or(Garbled)?;
                Thing::Local(machine, local)
            }
            MESSAGE => Thing::Message(program.message_from_text(bytes.text()?).ok_or(Garbled)?),
            STORE => match program.store_from_text(bytes.text()?).as_deref() {
                Some(&[number]) => Thing::Store(number),
                _ => return Err(Garbled),
            },
            CLOSED => Thing::Word(WordId::CLOSED),
            WORD => {
                let messages = (0..bytes.count()?).map(|_| self.message(bytes.small()?));
                let messages = messages.collect::<Result<Vec<MessageId>, Garbled>>()?;
                Thing::Word(system.words_mut().intern(&messages))
            }
            _ => return Err(Garbled),
        };
        self.meanings.insert(number, meaning);
        Ok(())
    }

    fn learn_value(&mut self, stepper: &mut Stepper, bytes: &mut Bytes<'_>) -> Result<(), Garbled> {
        let number = bytes.small()? as usize;
        let n_kinds = stepper.system().program().outline().kinds.len();
        let pieces = (0..bytes.count()?).map(|_| self.piece(n_kinds, bytes));
        let pieces = pieces.collect::<Result<Vec<Piece>, Garbled>>()?;
        let (part, value) = stepper.value_of(&pieces).ok_or(Garbled)?;
        if number >= self.parts.len() {
            if number > self.parts.len() + SKIP_MAX {
                return Err(Garbled);
            }
            self.parts.resize(number + 1, Translation::default());
        }
        let translation = &mut self.parts[number];
        if *translation.part.get_or_insert(part) != part {
            return Err(Garbled);
        }
        translation.values.push(value);
        Ok(())
    }

    fn piece(&self, n_kinds: usize, bytes: &mut Bytes<'_>) -> Result<Piece, Garbled> {
        let tag = bytes.byte()?;
        let number = bytes.small()?;
        match tag {
            IN_STORE => match self.meanings.get(&number) {
                Some(&Thing::Store(store)) => Ok(Piece::Store(store)),
                _ => Err(Garbled),
            },
            HELD => Ok(Piece::Holder(number.checked_sub(1).map(MachineId::from_raw))),
            IN_CELL => Ok(Piece::Cell(CellId::from_raw(number), bytes.small()?.cast_signed())),
            IN_MACHINE => match self.meanings.get(&bytes.small()?) {
                Some(&Thing::Local(machine, local)) if machine.raw() == number => {
                    Ok(Piece::Machine(machine, local))
                }
                _ => Err(Garbled),
            },
            IN_QUEUE => {
                let kind = KindId::from_raw(bytes.small()?);
                match self.meanings.get(&bytes.small()?) {
                    Some(&Thing::Word(word)) if kind.index() < n_kinds => {
                        Ok(Piece::Queue(QueueId::from_raw(number), kind, word))
                    }
                    _ => Err(Garbled),
                }
            }
            NO_MACHINE => Ok(Piece::NoMachine(MachineId::from_raw(number))),
            NO_QUEUE => Ok(Piece::NoQueue(QueueId::from_raw(number))),
            _ => Err(Garbled),
        }
    }

    fn state(
        &self,
        worker: u32,
        bytes: &mut Bytes<'_>,
        row: &mut Vec<u32>,
    ) -> Result<Origin, Garbled> {
        let (place, print) = (bytes.small()?, bytes.small()?);
        row.clear();
        for number in 0..bytes.count()? {
            let Some(before) = bytes.small()?.checked_sub(1) else { continue };
            let translation = self.parts.get(number).ok_or(Garbled)?;
            let part = translation.part.ok_or(Garbled)?;
            let &value = translation.values.get(before as usize).ok_or(Garbled)?;
            if row.len() <= part {
                row.resize(part + 1, 0);
            }
            row[part] = value;
        }
        Ok(Origin { print, worker, place })
    }

    fn message(&self, number: u32) -> Result<MessageId, Garbled> {
        match self.meanings.get(&number) {
            Some(&Thing::Message(message)) => Ok(message),
            _ => Err(Garbled),
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let values: usize = self.parts.iter().map(|part| part.values.len() * 4).sum();
        (self.meanings.len() * 24 + values) as u64
    }
}

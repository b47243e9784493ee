//! How configurations travel: by content, never by the numbers of the process that has met them.
//!
//! A part of a configuration (a local state, a store, the content of a queue, the kinds of queues) is told
//! to a peer once, as text, with a number; after that the number stands for it.
//! So a packet can be read only by who has read all earlier packets of the same sender to the same peer.

use qp_base::{Interner, Map};
use qp_machines::{KindId, LocalId, MachineId, MessageId, Step, StoreId, System, WordId};

use crate::bytes::{Bytes, Garbled, put, put_text};
use crate::rows::Shapes;

/// How a configuration was met.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Origin {
    /// A part of the fingerprint of the configuration before: the least one counts, so that runs do not
    /// depend on who was faster.
    pub(crate) print: u32,
    /// The step from there.
    pub(crate) step: Step,
    /// Who owns the configuration before.
    pub(crate) worker: u32,
    /// Where it is there.
    pub(crate) place: u32,
}

const LOCAL: u8 = 0;
const MESSAGE: u8 = 1;
const WORD: u8 = 2;
const CLOSED: u8 = 3;
const STORE: u8 = 4;
const SHAPE: u8 = 5;
const STATE: u8 = 6;

/// A part of a configuration, by the numbers of this process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Part {
    Local(u32, u32),
    Message(MessageId),
    Word(u32),
    Store(u32),
    Shape(u32),
}

/// Writes packets for all peers.
pub(crate) struct Writer {
    parts: Interner<usize, Part>,
    peers: Vec<Peer>,
}

#[derive(Clone, Default)]
struct Peer {
    /// For each part: whether this peer knows it.
    told: Vec<bool>,
    packet: Vec<u8>,
    n_packets: u64,
}

impl Writer {
    pub(crate) fn new(n_peers: usize) -> Self {
        let mut writer = Self { parts: Interner::new(), peers: vec![Peer::default(); n_peers] };
        writer.peers.iter_mut().for_each(Peer::begin);
        writer
    }

    /// Adds a configuration to the packet for a peer, and says how long that is now.
    pub(crate) fn state(
        &mut self,
        (system, shapes): (&System, &Shapes),
        to: usize,
        row: &[u32],
        origin: Origin,
    ) -> usize {
        let cells = shapes.cells(row);
        let known = (system, shapes);
        let mut numbers = Vec::with_capacity(row.len() + 1);
        numbers.push(self.tell(known, to, Part::Shape(cells.shape)));
        numbers.push(self.tell(known, to, Part::Store(cells.store)));
        numbers.push(u64::from(cells.holder));
        numbers.push(cells.locals.len() as u64);
        for (machine, &local) in cells.locals.iter().enumerate() {
            numbers.push(self.tell(known, to, Part::Local(machine as u32, local)));
        }
        for &word in cells.words {
            numbers.push(self.tell(known, to, Part::Word(word)));
        }
        let packet = &mut self.peers[to].packet;
        packet.push(STATE);
        put(packet, u64::from(origin.place));
        put(packet, u64::from(origin.print));
        put(packet, u64::from(origin.step.machine.raw()));
        put(packet, u64::from(origin.step.choice));
        for number in numbers {
            put(packet, number);
        }
        packet.len()
    }

    /// The packet for a peer, if there is anything in it.
    pub(crate) fn take(&mut self, to: usize) -> Option<Vec<u8>> {
        let peer = &mut self.peers[to];
        if peer.is_blank() {
            return None;
        }
        peer.n_packets += 1;
        let packet = std::mem::take(&mut peer.packet);
        peer.begin();
        Some(packet)
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let told: usize = self.peers.iter().map(|peer| peer.told.len()).sum();
        (self.parts.len() * 24 + told) as u64
    }

    /// The number of a part, which the peer knows from now on.
    fn tell(&mut self, known: (&System, &Shapes), to: usize, part: Part) -> u64 {
        let number = self.parts.intern(part);
        let told = &mut self.peers[to].told;
        if told.len() <= number {
            told.resize(number + 1, false);
        }
        if !std::mem::replace(&mut told[number], true) {
            self.explain(known, to, part, number as u64);
        }
        number as u64
    }

    fn explain(
        &mut self,
        (system, shapes): (&System, &Shapes),
        to: usize,
        part: Part,
        number: u64,
    ) {
        let program = system.program();
        let mut entry = Vec::new();
        let start = |entry: &mut Vec<u8>, tag| {
            entry.push(tag);
            put(entry, number);
        };
        match part {
            Part::Local(machine, local) => {
                let id = MachineId::from_raw(machine);
                start(&mut entry, LOCAL);
                put(&mut entry, u64::from(machine));
                put_text(&mut entry, &program.local_text(id, LocalId::from_raw(local)));
            }
            Part::Message(message) => {
                start(&mut entry, MESSAGE);
                put_text(&mut entry, &program.message_text(message));
            }
            Part::Store(store) => {
                start(&mut entry, STORE);
                put_text(&mut entry, &program.store_text(StoreId::from_raw(store)));
            }
            Part::Shape(shape) => {
                let kinds = shapes.kinds(shape);
                start(&mut entry, SHAPE);
                put(&mut entry, kinds.len() as u64);
                for kind in kinds {
                    put(&mut entry, u64::from(kind.raw()));
                }
            }
            Part::Word(word) if word == WordId::CLOSED.raw() => start(&mut entry, CLOSED),
            Part::Word(word) => {
                let messages = system.words().messages(WordId::from_raw(word));
                let numbers: Vec<u64> = messages
                    .into_iter()
                    .map(|message| self.tell((system, shapes), to, Part::Message(message)))
                    .collect();
                start(&mut entry, WORD);
                put(&mut entry, numbers.len() as u64);
                for message in numbers {
                    put(&mut entry, message);
                }
            }
        }
        self.peers[to].packet.append(&mut entry);
    }
}

impl Peer {
    fn begin(&mut self) {
        put(&mut self.packet, self.n_packets);
    }

    fn is_blank(&self) -> bool {
        let mut number = Vec::new();
        put(&mut number, self.n_packets);
        self.packet.len() == number.len()
    }
}

/// What a number of a peer stands for, by the numbers of this process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Local(u32, LocalId),
    Message(MessageId),
    Word(WordId),
    Store(StoreId),
    Shape(u32),
}

/// Reads the packets of one peer, in the order in which they were written.
#[derive(Default)]
pub(crate) struct Reader {
    meanings: Map<u32, Meaning>,
    n_packets: u64,
}

impl Reader {
    /// Calls `found` with each configuration in a packet, as a row, and how it was met.
    pub(crate) fn read(
        &mut self,
        (system, shapes): (&mut System, &mut Shapes),
        worker: u32,
        packet: &[u8],
        mut found: impl FnMut(&mut System, &mut Shapes, &[u32], Origin),
    ) -> Result<(), Garbled> {
        let mut bytes = Bytes(packet);
        if bytes.number()? != self.n_packets {
            return Err(Garbled);
        }
        self.n_packets += 1;
        let mut row = Vec::new();
        while !bytes.is_empty() {
            match bytes.byte()? {
                STATE => {
                    let origin = self.state(shapes, worker, &mut bytes, &mut row)?;
                    found(system, shapes, &row, origin);
                }
                tag => self.learn(system, shapes, tag, &mut bytes)?,
            }
        }
        Ok(())
    }

    fn learn(
        &mut self,
        system: &mut System,
        shapes: &mut Shapes,
        tag: u8,
        bytes: &mut Bytes<'_>,
    ) -> Result<(), Garbled> {
        let number = bytes.small()?;
        let program = system.program_mut();
        let meaning = match tag {
            LOCAL => {
                let machine = bytes.small()?;
                let id = MachineId::from_raw(machine);
                let local = program.local_from_text(id, bytes.text()?).ok_or(Garbled)?;
                Meaning::Local(machine, local)
            }
            MESSAGE => Meaning::Message(program.message_from_text(bytes.text()?).ok_or(Garbled)?),
            STORE => Meaning::Store(program.store_from_text(bytes.text()?).ok_or(Garbled)?),
            CLOSED => Meaning::Word(WordId::CLOSED),
            WORD => {
                let messages = (0..bytes.count()?).map(|_| self.message(bytes.small()?));
                let messages = messages.collect::<Result<Vec<MessageId>, Garbled>>()?;
                Meaning::Word(system.words_mut().intern(&messages))
            }
            SHAPE => {
                let n_kinds = program.outline().kinds.len();
                let kinds = (0..bytes.count()?).map(|_| {
                    let kind = KindId::from_raw(bytes.small()?);
                    if kind.index() < n_kinds { Ok(kind) } else { Err(Garbled) }
                });
                Meaning::Shape(shapes.number(&kinds.collect::<Result<Vec<KindId>, Garbled>>()?))
            }
            _ => return Err(Garbled),
        };
        self.meanings.insert(number, meaning);
        Ok(())
    }

    fn state(
        &self,
        shapes: &Shapes,
        worker: u32,
        bytes: &mut Bytes<'_>,
        row: &mut Vec<u32>,
    ) -> Result<Origin, Garbled> {
        let (place, print) = (bytes.small()?, bytes.small()?);
        let step = Step { machine: MachineId::from_raw(bytes.small()?), choice: bytes.small()? };
        let Some(&Meaning::Shape(shape)) = self.meanings.get(&bytes.small()?) else {
            return Err(Garbled);
        };
        let Some(&Meaning::Store(store)) = self.meanings.get(&bytes.small()?) else {
            return Err(Garbled);
        };
        let holder = bytes.small()?;
        let n_locals = bytes.count()?;
        if holder as usize > n_locals {
            return Err(Garbled);
        }
        row.clear();
        row.extend([shape, store.raw(), holder]);
        for machine in 0..n_locals as u32 {
            match self.meanings.get(&bytes.small()?) {
                Some(Meaning::Local(of, local)) if *of == machine => row.push(local.raw()),
                _ => return Err(Garbled),
            }
        }
        for _ in shapes.kinds(shape) {
            match self.meanings.get(&bytes.small()?) {
                Some(Meaning::Word(word)) => row.push(word.raw()),
                _ => return Err(Garbled),
            }
        }
        Ok(Origin { print, step, worker, place })
    }

    fn message(&self, number: u32) -> Result<MessageId, Garbled> {
        match self.meanings.get(&number) {
            Some(&Meaning::Message(message)) => Ok(message),
            _ => Err(Garbled),
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.meanings.len() as u64 * 24
    }
}

#[cfg(test)]
mod tests;

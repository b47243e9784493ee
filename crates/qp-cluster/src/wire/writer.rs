//! Writes packets.

use qp_base::Interner;
use qp_engines::{Piece, Stepper};
use qp_machines::{System, WordId};

use super::{
    CLOSED, HELD, IN_CELL, IN_MACHINE, IN_QUEUE, IN_STORE, LOCAL, MESSAGE, NO_MACHINE, NO_QUEUE,
    Origin, STATE, STORE, Thing, VALUE, WORD,
};
use crate::bytes::{put, put_text};

/// Writes packets for all peers.
pub(crate) struct Writer {
    things: Interner<usize, Thing>,
    peers: Vec<Peer>,
}

#[derive(Clone, Default)]
struct Peer {
    /// For each thing: whether this peer knows it.
    told: Vec<bool>,
    /// For each part and value: the number that stands for it, 0 if the peer does not know it.
    values: Vec<Vec<u32>>,
    /// For each part: how many values the peer knows.
    n_values: Vec<u32>,
    packet: Vec<u8>,
    n_packets: u64,
}

impl Writer {
    pub(crate) fn new(n_peers: usize) -> Self {
        let mut writer = Self { things: Interner::new(), peers: vec![Peer::default(); n_peers] };
        writer.peers.iter_mut().for_each(Peer::begin);
        writer
    }

    /// Adds a configuration to the packet for a peer, and says how long that is now.
    pub(crate) fn state(
        &mut self,
        stepper: &mut Stepper,
        to: usize,
        row: &[u32],
        origin: Origin,
    ) -> usize {
        for (part, &value) in row.iter().enumerate() {
            if value != 0 && self.peers[to].number(part, value) == 0 {
                self.explain_value(stepper, to, part, value);
            }
        }
        let peer = &mut self.peers[to];
        peer.packet.push(STATE);
        put(&mut peer.packet, u64::from(origin.place));
        put(&mut peer.packet, u64::from(origin.print));
        put(&mut peer.packet, row.len() as u64);
        for (part, &value) in row.iter().enumerate() {
            let number = if value == 0 { 0 } else { peer.values[part][value as usize] };
            put(&mut peer.packet, u64::from(number));
        }
        peer.packet.len()
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
        let values = |peer: &Peer| peer.values.iter().map(|values| values.len() * 4).sum::<usize>();
        let told: usize = self.peers.iter().map(|peer| peer.told.len() + values(peer)).sum();
        (self.things.len() * 24 + told) as u64
    }

    /// Tells a peer what a value of a part says. The first value of a part is known to everybody.
    fn explain_value(&mut self, stepper: &mut Stepper, to: usize, part: usize, value: u32) {
        let pieces = stepper.pieces(part, value);
        let system = stepper.system();
        let mut entry = vec![VALUE];
        put(&mut entry, part as u64);
        put(&mut entry, pieces.len() as u64);
        for piece in pieces {
            self.explain_piece(system, to, piece, &mut entry);
        }
        let peer = &mut self.peers[to];
        peer.packet.append(&mut entry);
        peer.n_values[part] += 1;
        peer.values[part][value as usize] = peer.n_values[part];
    }

    fn explain_piece(&mut self, system: &System, to: usize, piece: Piece, entry: &mut Vec<u8>) {
        let (tag, numbers) = match piece {
            Piece::Store(store) => (IN_STORE, vec![self.tell(system, to, Thing::Store(store))]),
            Piece::Holder(holder) => {
                (HELD, vec![holder.map_or(0, |machine| u64::from(machine.raw()) + 1)])
            }
            Piece::Cell(cell, value) => {
                (IN_CELL, vec![u64::from(cell.raw()), u64::from(value.cast_unsigned())])
            }
            Piece::Machine(machine, local) => {
                let local = self.tell(system, to, Thing::Local(machine, local));
                (IN_MACHINE, vec![u64::from(machine.raw()), local])
            }
            Piece::Queue(queue, kind, word) => {
                let word = self.tell(system, to, Thing::Word(word));
                (IN_QUEUE, vec![u64::from(queue.raw()), u64::from(kind.raw()), word])
            }
            Piece::NoMachine(machine) => (NO_MACHINE, vec![u64::from(machine.raw())]),
            Piece::NoQueue(queue) => (NO_QUEUE, vec![u64::from(queue.raw())]),
        };
        entry.push(tag);
        for number in numbers {
            put(entry, number);
        }
    }

    /// The number of a thing, which the peer knows from now on.
    fn tell(&mut self, system: &System, to: usize, thing: Thing) -> u64 {
        let number = self.things.intern(thing);
        let told = &mut self.peers[to].told;
        if told.len() <= number {
            told.resize(number + 1, false);
        }
        if !std::mem::replace(&mut told[number], true) {
            self.explain(system, to, thing, number as u64);
        }
        number as u64
    }

    fn explain(&mut self, system: &System, to: usize, thing: Thing, number: u64) {
        let program = system.program();
        let mut entry = Vec::new();
        let start = |entry: &mut Vec<u8>, tag| {
            entry.push(tag);
            put(entry, number);
        };
        match thing {
            Thing::Local(machine, local) => {
                start(&mut entry, LOCAL);
                put(&mut entry, u64::from(machine.raw()));
                put_text(&mut entry, &program.local_text(machine, local));
            }
            Thing::Message(message) => {
                start(&mut entry, MESSAGE);
                put_text(&mut entry, &program.message_text(message));
            }
            Thing::Store(store) => {
                start(&mut entry, STORE);
                put_text(&mut entry, &program.store_text(&[store]));
            }
            Thing::Word(WordId::CLOSED) => start(&mut entry, CLOSED),
            Thing::Word(word) => {
                let messages = system.words().messages(word);
                let numbers: Vec<u64> = messages
                    .into_iter()
                    .map(|message| self.tell(system, to, Thing::Message(message)))
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

    /// The number that stands for a value of a part.
    fn number(&mut self, part: usize, value: u32) -> u32 {
        if self.values.len() <= part {
            self.values.resize(part + 1, Vec::new());
            self.n_values.resize(part + 1, 0);
        }
        let numbers = &mut self.values[part];
        if numbers.len() <= value as usize {
            numbers.resize(value as usize + 1, 0);
        }
        numbers[value as usize]
    }
}

//! How configurations travel: by content, never by the numbers of the process that has met them.
//!
//! The value of a part of a configuration is told to a peer once, in pieces whose local states, messages and
//! stores are texts, with a number; after that the number stands for it.
//! So a packet can be read only by who has read all earlier packets of the same sender to the same peer.

mod reader;
mod writer;

use qp_machines::{LocalId, MachineId, MessageId, WordId};

pub(crate) use self::reader::Reader;
pub(crate) use self::writer::Writer;

/// How a configuration was met.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Origin {
    /// A part of the fingerprint of the configuration before: the least one counts, so that runs do not
    /// depend on who was faster.
    pub(crate) print: u32,
    /// Who owns the configuration before.
    pub(crate) worker: u32,
    /// Where it is there.
    pub(crate) place: u32,
}

/// A thing that pieces are made of, by the numbers of this process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Thing {
    Local(MachineId, LocalId),
    Message(MessageId),
    Word(WordId),
    Store(i32),
}

/// What an entry of a packet is.
const LOCAL: u8 = 0;
const MESSAGE: u8 = 1;
const WORD: u8 = 2;
const CLOSED: u8 = 3;
const STORE: u8 = 4;
const VALUE: u8 = 5;
const STATE: u8 = 6;

/// What a piece is.
const IN_STORE: u8 = 0;
const HELD: u8 = 1;
const IN_CELL: u8 = 2;
const IN_MACHINE: u8 = 3;
const IN_QUEUE: u8 = 4;
const NO_MACHINE: u8 = 5;
const NO_QUEUE: u8 = 6;

#[cfg(test)]
mod tests;

//! Steps for searches that keep their sets elsewhere.
//!
//! A configuration is a row of small numbers, one for each part, as in the searches here. The numbers are
//! those of one [`Stepper`]; what they stand for can be taken apart into [`Piece`]s, which mean the same
//! wherever the same model is searched.

use qp_machines::{
    CellId, Config, KindId, LocalId, MachineId, Model, Property, QueueId, System, WordId,
};

use super::Halt;
use super::marks::Watch;
use super::packing::{Key, Packing};
use super::space::{Keys, Output, Space, Window};

/// Takes the steps of configurations, from the tables that the searches use.
pub struct Stepper {
    space: Space,
    packing: Packing,
    watched: Vec<Property>,
    /// The rows that are being expanded, each as long as there are parts.
    rows: Vec<u32>,
}

/// One of the things that a part of a configuration says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Piece {
    /// All that is shared: a number that means something to one copy of the program alone.
    Store(i32),
    /// Who goes on alone.
    Holder(Option<MachineId>),
    /// The value of one shared variable.
    Cell(CellId, i32),
    /// A machine, and where it is.
    Machine(MachineId, LocalId),
    /// A queue, its kind, and what is in it.
    Queue(QueueId, KindId, WordId),
    /// A machine that is not there: not yet, or not any more.
    NoMachine(MachineId),
    /// A queue that is not there.
    NoQueue(QueueId),
}

/// How far ahead of what is known here the machines and queues may be that others have met.
pub(crate) const LEAP_MAX: usize = 1 << 12;

/// What the expansion of some rows came to. Rows are told by their numbers among those.
#[derive(Debug, Default)]
pub struct Steps {
    /// How long each row of `rows` is.
    pub width: usize,
    /// The configurations after the steps, one row after the other, in order.
    pub rows: Vec<u32>,
    /// For each step: where it begins.
    pub from: Vec<u32>,
    /// Where sends were cut by the bound.
    pub cut: Vec<u32>,
    /// The queues to which sends were cut.
    pub stalled: Vec<QueueId>,
    /// Where the interpreter gave up.
    pub gave_up: Vec<u32>,
    /// Where watched properties are violated, with the bits of which.
    pub violating: Vec<(u32, u64)>,
}

/// A configuration has more parts, with more values, than any key can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooWide;

impl Stepper {
    /// A stepper that watches those of the properties that it can; see [`Stepper::watched`].
    pub fn new(model: &Model, properties: &[Property]) -> Self {
        let (watch, _) = Watch::new(properties, model.outline());
        let watched = watch.properties().to_vec();
        let mut space = Space::new(model.system(), watch);
        let initial = space.system().initial();
        let values = space.values(&initial);
        debug_assert!(
            values.iter().all(|&value| value == 0),
            "the first values are the initial ones"
        );
        let packing = Packing::for_counts(&space.counts());
        Self { space, packing, watched, rows: Vec::new() }
    }

    /// The properties that are watched, in the order of their bits.
    pub fn watched(&self) -> &[Property] {
        &self.watched
    }

    /// The system whose steps are taken. Its numbers of local states and so on are those of pieces.
    pub fn system(&mut self) -> &mut System {
        self.space.system()
    }

    /// How many values each part has so far. Parts are added as machines and queues are created.
    ///
    /// The first value of a part is that of the initial configuration, or that it is not there. So zeros
    /// at the end of a row say nothing, and the empty row is the initial configuration.
    pub fn counts(&self) -> Vec<usize> {
        self.space.counts()
    }

    /// The configuration that a row stands for.
    pub fn config(&mut self, row: &[u32]) -> Config {
        let mut values = row.to_vec();
        values.resize(self.space.counts().len().max(row.len()), 0);
        self.space.config(&values)
    }

    /// What a value of a part says.
    pub fn pieces(&self, part: usize, value: u32) -> Vec<Piece> {
        self.space.pieces(part, value)
    }

    /// The part and the value that say this; nothing if no part can.
    pub fn value_of(&mut self, pieces: &[Piece]) -> Option<(usize, u32)> {
        match &mut self.space {
            Space::Compiled(compiled) => compiled.value_of(pieces),
            Space::Turns(turns) => turns.value_of(pieces),
        }
    }

    /// About how many bytes its tables take.
    pub fn bytes(&self) -> u64 {
        self.space.bytes()
    }

    /// Takes all steps of these rows. Sends to queues that hold `bound` messages are cut; if `from` is not 0,
    /// only sends to queues that hold at least so many are taken, and nothing is said about violations.
    pub fn expand<'r>(
        &mut self,
        rows: impl Iterator<Item = &'r [u32]>,
        (bound, from): (u32, u32),
        steps: &mut Steps,
    ) -> Result<(), TooWide> {
        let window = Window { bound, from };
        let mut n_parts = self.space.counts().len();
        self.rows.clear();
        let mut n_rows = 0;
        for row in rows {
            n_rows += 1;
            self.rows.extend_from_slice(row);
            self.rows.resize(n_rows * n_parts, 0);
        }
        loop {
            let counts = self.space.counts();
            if !self.packing.fits(&counts) {
                self.packing = Packing::for_counts(&counts);
                self.rows = widened(&self.rows, n_parts, counts.len());
                n_parts = counts.len();
            }
            let done = match self.packing.n_words() {
                ..=1 => self.expand_as::<1>(n_rows, window, steps),
                2 => self.expand_as::<2>(n_rows, window, steps),
                3..=4 => self.expand_as::<4>(n_rows, window, steps),
                5..=8 => self.expand_as::<8>(n_rows, window, steps),
                9..=32 => self.expand_as::<32>(n_rows, window, steps),
                33..=128 => self.expand_as::<128>(n_rows, window, steps),
                _ => return Err(TooWide),
            };
            match done {
                Ok(()) => return Ok(()),
                Err(Halt::TooNarrow) => {}
                Err(_) => unreachable!("bug in Queueproof: nobody limits single steps"),
            }
        }
    }

    fn expand_as<const W: usize>(
        &mut self,
        n_rows: usize,
        window: Window,
        steps: &mut Steps,
    ) -> Result<(), Halt> {
        let width = self.rows.len().checked_div(n_rows).unwrap_or(0);
        let rows = self.rows.chunks_exact(width.max(1));
        let all: Vec<Key<W>> = rows.map(|row| self.packing.pack(row)).collect();
        let places: Vec<u32> = (0..n_rows as u32).collect();
        let keys = Keys { all: &all, packing: &self.packing, firsts: None };
        let mut output: Output<W> = Output::new(1);
        self.space.expand(&keys, &places, window, 1, &mut output)?;
        steps.width = width;
        steps.rows.clear();
        steps.from.clear();
        for (from, key) in output.candidates.all() {
            self.packing.append(key, &mut steps.rows);
            steps.from.push(from);
        }
        let stalled = output.stalls.iter().enumerate().filter(|(_, places)| !places.is_empty());
        steps.stalled = stalled.map(|(queue, _)| QueueId::new(queue)).collect();
        steps.cut = output.blocked;
        steps.gave_up = output.gave_up;
        steps.violating = output.hits;
        Ok(())
    }
}

/// The same rows with more places, in which zeros stand.
fn widened(rows: &[u32], old: usize, new: usize) -> Vec<u32> {
    let mut wide = Vec::new();
    for (number, row) in rows.chunks_exact(old.max(1)).enumerate() {
        wide.extend_from_slice(row);
        wide.resize((number + 1) * new, 0);
    }
    wide
}

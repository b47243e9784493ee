//! A configuration as a step reads it.
//!
//! What a step depends on is its *footprint*: the parts of the configuration that are read while it is worked out.
//! Nobody declares it. Whoever wants to know it hands over a configuration that records what is read; as long as
//! those parts are the same, so are the steps.

use crate::{CellId, Config, KindId, LocalId, MachineId, QueueId, StoreId, WordId, Words};

/// A configuration, read part by part. Every read may be recorded.
pub trait Reads {
    /// How many machines exist.
    fn n_machines(&mut self) -> usize;
    /// How many queues exist.
    fn n_queues(&mut self) -> usize;
    /// The local state of a machine that exists.
    fn local(&mut self, machine: MachineId) -> LocalId;
    /// The value of a shared variable.
    fn cell(&mut self, cell: CellId) -> i32;
    /// The content of a queue. One that does not exist is closed.
    fn word(&mut self, queue: QueueId) -> WordId;
    /// The kind of a queue that exists.
    fn kind(&mut self, queue: QueueId) -> KindId;
    /// What `answer` makes of the local state of a machine that exists: a smaller read than that of the whole of
    /// it. `question` names `answer`: the same number is always the same function, which depends on the local
    /// state alone.
    fn about(
        &mut self,
        machine: MachineId,
        question: u64,
        answer: &mut dyn FnMut(LocalId) -> u32,
    ) -> u32 {
        let _ = question;
        answer(self.local(machine))
    }
}

/// A configuration with all contents of queues, as a program sees it whose steps are turns.
pub trait World: Reads {
    /// All contents met so far, to read a content and to make new ones. This reads nothing of the configuration.
    fn words(&mut self) -> &mut Words;
}

/// Where programs whose steps are moves keep all that they share: one variable, with the number of the store.
pub(crate) const STORE: CellId = CellId::from_raw(0);

/// A configuration as it is: nothing is recorded.
#[derive(Clone, Copy)]
pub(crate) struct Plain<'a> {
    pub(crate) config: &'a Config,
    /// The shared variables, of a program whose steps are turns.
    pub(crate) cells: &'a [i32],
}

impl<'a> Plain<'a> {
    /// For a program whose steps are moves.
    pub(crate) fn of(config: &'a Config) -> Self {
        Self { config, cells: &[] }
    }
}

impl Reads for Plain<'_> {
    fn n_machines(&mut self) -> usize {
        self.config.locals.len()
    }

    fn n_queues(&mut self) -> usize {
        self.config.words.len()
    }

    fn local(&mut self, machine: MachineId) -> LocalId {
        self.config.local(machine)
    }

    fn cell(&mut self, cell: CellId) -> i32 {
        let store = self.config.store.raw().cast_signed();
        self.cells.get(cell.index()).copied().unwrap_or(store)
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        self.config.word(queue)
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        self.config.kinds[queue.index()]
    }
}

/// What a program whose steps are turns is handed: somebody else's reads, and all contents.
pub(crate) struct Within<'a, R: ?Sized> {
    pub(crate) reads: &'a mut R,
    pub(crate) words: &'a mut Words,
}

impl<R: Reads + ?Sized> Reads for Within<'_, R> {
    fn n_machines(&mut self) -> usize {
        self.reads.n_machines()
    }

    fn n_queues(&mut self) -> usize {
        self.reads.n_queues()
    }

    fn local(&mut self, machine: MachineId) -> LocalId {
        self.reads.local(machine)
    }

    fn cell(&mut self, cell: CellId) -> i32 {
        self.reads.cell(cell)
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        self.reads.word(queue)
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        self.reads.kind(queue)
    }

    fn about(
        &mut self,
        machine: MachineId,
        question: u64,
        answer: &mut dyn FnMut(LocalId) -> u32,
    ) -> u32 {
        self.reads.about(machine, question, answer)
    }
}

impl<R: Reads + ?Sized> World for Within<'_, R> {
    fn words(&mut self) -> &mut Words {
        self.words
    }
}

/// The store of a program whose steps are moves.
pub(crate) fn store(reads: &mut (impl Reads + ?Sized)) -> StoreId {
    StoreId::from_raw(reads.cell(STORE).cast_unsigned())
}

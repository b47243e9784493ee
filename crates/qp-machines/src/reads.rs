//! A configuration as a step reads it.
//!
//! What a step depends on is its *footprint*: the parts of the configuration that are read while it is worked out.
//! Nobody declares it. Whoever wants to know it hands over a configuration that records what is read; as long as
//! those parts are the same, so are the steps.

use crate::{
    CellId, Config, Heed, KindId, LocalId, MachineId, MessageId, QueueDomain, QueueId, Scan, Texts,
    WordId, Words,
};

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

/// A configuration with what can be asked of contents and done to them, as a program sees it that works out steps. A
/// content that is asked about is one that was read, or one that was made of it.
pub trait World: Reads {
    /// Looks through a content from the front: the first message that is not skipped decides.
    fn scan(
        &mut self,
        queue: QueueId,
        word: WordId,
        heed: &mut dyn FnMut(MessageId) -> Heed,
    ) -> Scan;
    /// Whether a content has fewer than `limit` messages of those that count.
    fn fewer(
        &mut self,
        queue: QueueId,
        word: WordId,
        limit: u32,
        counts: &mut dyn FnMut(MessageId) -> bool,
    ) -> bool;
    /// Whether a content has fewer than `limit` messages.
    fn shorter(&mut self, queue: QueueId, word: WordId, limit: u32) -> bool;
    /// A content with one more message at the back.
    fn push(
        &mut self,
        queue: QueueId,
        word: WordId,
        message: MessageId,
        texts: Texts<'_>,
    ) -> WordId;
    /// A content with one more message in front of the first of those that belong behind it.
    fn insert(
        &mut self,
        queue: QueueId,
        word: WordId,
        message: MessageId,
        behind: &dyn Fn(MessageId) -> bool,
        texts: Texts<'_>,
    ) -> WordId;
    /// What may be left of a content once the message at `position` was taken; never nothing, and more than one only
    /// where not all contents are told apart.
    fn remove(
        &mut self,
        queue: QueueId,
        word: WordId,
        position: u32,
        texts: Texts<'_>,
    ) -> Vec<WordId>;
}

/// Where programs that say commands keep all that they share: one variable, with their own number for it.
pub(crate) const STORE: CellId = CellId::from_raw(0);

/// A configuration as it is: nothing is recorded.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// The shared variables.
    pub cells: &'a [i32],
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
        self.cells[cell.index()]
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        self.config.word(queue)
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        // Rows of a file may have fewer queues than steps ask for.
        self.config.kinds.get(queue.index()).copied().unwrap_or(KindId::from_raw(0))
    }
}

/// Somebody's reads with the contents of a domain.
pub(crate) struct Within<'a, R: ?Sized> {
    reads: &'a mut R,
    words: &'a mut Words,
    domain: &'a mut dyn QueueDomain,
}

impl<'a, R: Reads + ?Sized> Within<'a, R> {
    pub(crate) fn new(
        reads: &'a mut R,
        words: &'a mut Words,
        domain: &'a mut dyn QueueDomain,
    ) -> Self {
        Self { reads, words, domain }
    }
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
    fn scan(
        &mut self,
        queue: QueueId,
        word: WordId,
        heed: &mut dyn FnMut(MessageId) -> Heed,
    ) -> Scan {
        self.domain.scan(self.words, (queue, word), heed)
    }

    fn fewer(
        &mut self,
        queue: QueueId,
        word: WordId,
        limit: u32,
        counts: &mut dyn FnMut(MessageId) -> bool,
    ) -> bool {
        self.domain.fewer(self.words, (queue, word), limit, counts)
    }

    fn shorter(&mut self, queue: QueueId, word: WordId, limit: u32) -> bool {
        self.domain.shorter(self.words, (queue, word), limit)
    }

    fn push(
        &mut self,
        queue: QueueId,
        word: WordId,
        message: MessageId,
        texts: Texts<'_>,
    ) -> WordId {
        self.domain.push(self.words, (queue, word), message, texts)
    }

    fn insert(
        &mut self,
        queue: QueueId,
        word: WordId,
        message: MessageId,
        behind: &dyn Fn(MessageId) -> bool,
        texts: Texts<'_>,
    ) -> WordId {
        self.domain.insert(self.words, (queue, word), message, behind, texts)
    }

    fn remove(
        &mut self,
        queue: QueueId,
        word: WordId,
        position: u32,
        texts: Texts<'_>,
    ) -> Vec<WordId> {
        self.domain.remove(self.words, (queue, word), position, texts)
    }
}

//! What is reached in rounds, as evidence.

use qp_base::{Interner, Map};
use qp_claim::{ABSENT, Book, ClosedSet, Content, ExchangeSet, Rounds, Single, Waiting, Watch};
use qp_machines::{KindId, LocalId, MachineId, MessageId};

use super::books::Books;
use super::single::Singles;
use super::watches::Watches;
use super::world::{VectorId, World};

/// Rounds of one message.
pub(super) fn of_singles(world: &World, singles: &Singles) -> ExchangeSet {
    let mut writer = Writer::new(world);
    let plain = |writer: &mut Writer<'_>, at, watched| {
        let (vector, heads) = *singles.plains.value(at);
        let locals = writer.row(vector);
        let heads = singles.heads(heads).iter();
        let heads = heads.map(|head| head.map_or(ABSENT, |message| writer.message(message)));
        Single { locals, heads: heads.collect(), watched }
    };
    let mut rows: Vec<Single> = Vec::new();
    for at in 0..singles.plains.len() {
        rows.push(plain(&mut writer, at.into(), None));
    }
    for &(at, watched) in singles.watched.values() {
        rows.push(plain(&mut writer, at, Some(watched)));
    }
    writer.finish(Rounds::Single(rows))
}

/// Rounds of some messages.
pub(super) fn of_books(world: &World, books: &Books, watches: &Watches) -> ExchangeSet {
    let mut writer = Writer::new(world);
    let mut listed: Vec<Book> = Vec::new();
    for &(vector, stays) in books.rows.values() {
        let locals = writer.row(vector);
        let waiting = books.stays(stays).iter().map(|stay| {
            let heads = stay.heads.iter().map(|&message| writer.message(message));
            let mut heads: Vec<u32> = heads.collect();
            heads.sort_unstable();
            Waiting {
                queue: stay.queue.raw(),
                senders: stay.senders,
                receivers: stay.receivers,
                heads,
            }
        });
        listed.push(Book { locals, waiting: waiting.collect() });
    }
    let watch = |&(book, mark): &(super::books::BookId, super::watches::Mark)| Watch {
        book: book.raw(),
        queue: mark.queue.raw(),
        message: writer.message(mark.message),
        sent: mark.sent,
        received: mark.received,
        crossed: mark.crossed,
        toward: mark.toward,
        count: mark.count,
        senders: mark.senders,
        receivers: mark.receivers,
    };
    let watches = watches.rows.values().iter().map(watch).collect();
    writer.finish(Rounds::UpTo { sends: books.exchanges.sends, books: listed, watches })
}

struct Writer<'a> {
    world: &'a World,
    locals: Vec<Interner<usize, LocalId>>,
    kinds: Interner<usize, KindId>,
    messages: Interner<usize, MessageId>,
    rows: Map<VectorId, u32>,
    set: ClosedSet,
}

impl<'a> Writer<'a> {
    fn new(world: &'a World) -> Self {
        let counts = world.beginnings.iter().map(|it| it.config.locals.len());
        let n_machines = counts.max().unwrap_or(0);
        Self {
            world,
            locals: vec![Interner::new(); n_machines],
            kinds: Interner::new(),
            messages: Interner::new(),
            rows: Map::default(),
            set: ClosedSet { n_queues: world.n_queues(), ..ClosedSet::default() },
        }
    }

    fn message(&mut self, message: MessageId) -> u32 {
        self.messages.intern(message) as u32
    }

    /// The row of a vector.
    fn row(&mut self, id: VectorId) -> u32 {
        if let Some(&row) = self.rows.get(&id) {
            return row;
        }
        let row = self.rows.len() as u32;
        self.rows.insert(id, row);
        let vector = self.world.vector(id);
        for (machine, locals) in self.locals.iter_mut().enumerate() {
            let local = vector.locals.get(machine);
            let cell = local.map_or(ABSENT, |&local| locals.intern(local) as u32);
            self.set.cells.push(cell);
        }
        let kinds = &self.world.shapes[vector.shape as usize];
        for queue in 0..self.set.n_queues {
            let kind = kinds.get(queue);
            let cell = kind.map_or(ABSENT, |&kind| self.kinds.intern(kind) as u32);
            self.set.cells.push(cell);
        }
        self.set.cells.extend([0, ABSENT]);
        row
    }

    fn finish(mut self, rounds: Rounds) -> ExchangeSet {
        let program = self.world.system.program();
        let machines = self.locals.iter().enumerate();
        let text =
            |machine: usize, local: &LocalId| program.local_text(MachineId::new(machine), *local);
        self.set.locals = machines
            .map(|(machine, locals)| locals.values().iter().map(|l| text(machine, l)).collect())
            .collect();
        let content = |kind: &KindId| Content { kind: kind.raw(), messages: Some(Vec::new()) };
        self.set.contents = self.kinds.values().iter().map(content).collect();
        self.set.messages =
            self.messages.values().iter().map(|&m| program.message_text(m)).collect();
        self.set.stores = vec![self.world.system.store_text(self.world.store)];
        ExchangeSet { set: self.set, rounds }
    }
}

//! What is reached in rounds, as evidence.

use qp_base::Interner;
use qp_claim::{ABSENT, Book, ExchangeSet, Rounds, Single, Waiting, Watch};
use qp_machines::{Config, MessageId, WordId};

use crate::search::evidence::listed;

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
    messages: Interner<usize, MessageId>,
    rows: Interner<usize, VectorId>,
}

impl<'a> Writer<'a> {
    fn new(world: &'a World) -> Self {
        Self { world, messages: Interner::new(), rows: Interner::new() }
    }

    fn message(&mut self, message: MessageId) -> u32 {
        self.messages.intern(message) as u32
    }

    /// The row of a vector.
    fn row(&mut self, id: VectorId) -> u32 {
        self.rows.intern(id) as u32
    }

    /// Queues are empty in all rows: what stays in them is said apart.
    fn finish(self, rounds: Rounds) -> ExchangeSet {
        let config = |&id: &VectorId| {
            let vector = self.world.vector(id);
            let kinds = self.world.shapes.value(vector.shape as usize).clone();
            let (locals, words) = (vector.locals.to_vec(), vec![WordId::EMPTY; kinds.len()]);
            Config { locals, words, kinds, store: self.world.store, holder: None }
        };
        let configs: Vec<Config> = self.rows.values().iter().map(config).collect();
        let system = &self.world.system;
        let mut set = listed(system, &configs.iter().collect::<Vec<_>>());
        let text = |&message: &MessageId| system.program().message_text(message);
        set.messages = self.messages.values().iter().map(text).collect();
        ExchangeSet { set, rounds }
    }
}

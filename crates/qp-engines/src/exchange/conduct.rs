//! One run of the engine: one message a round, then more, then any number.

use std::sync::Arc;

use qp_base::{Budget, Map};
use qp_claim::{Claim, ExchangeSet, Proof, Reason, Trace};
use qp_machines::{LocalId, MessageId, Property, QueueId};

use crate::settled::Settled;
use crate::stop::outside;
use crate::{Answers, Figures, Task};

use super::books::{BookId, Books};
use super::deeds::Chart;
use super::evidence::{of_books, of_singles};
use super::exchanges::Exchanges;
use super::letters::Letters;
use super::manners::Manner;
use super::single::{PlainId, Singles};
use super::treats;
use super::watches::Watches;
use super::world::{Stop, VectorId, World};
use super::wrong::Fronts;

/// Rounds of more messages are not tried.
pub(super) const SENDS_MAX: u32 = 5;
/// With more machines there are too many guesses about who leads to a receiver.
const GUESSING_MACHINES_MAX: usize = 16;
/// More queues in which something stays do not fit into a word of bits.
const QUEUES_MAX: usize = 64;
/// Rows with one message a round, plain ones and watched ones.
const SINGLES_MAX: usize = 400_000;
/// Exchanges in the making, for one k.
const DRAFTS_MAX: usize = 2_000_000;
/// Rows between rounds, and rows with a message marked, for one k.
const ROWS_MAX: usize = 400_000;
/// Moments of rounds of any number of messages.
const LETTERS_MAX: usize = 100_000;
/// So many places where something may be wrong are looked at more closely, for each property.
const CANDIDATES_MAX: usize = 20;

/// Answers a task.
pub(super) fn run(task: &Task, budget: &Budget) -> Answers {
    let mut conduct = Conduct {
        task,
        settled: Settled::new(task, treats),
        doubtful: Vec::new(),
        refuted: 0,
        together: String::new(),
    };
    match World::new(&task.model, budget) {
        Err(stop) => conduct.settled.note(&stop),
        Ok(mut world) => {
            let mut end = conduct.work(&mut world);
            // Queues may turn out to be mailboxes when a second sender is met.
            if matches!(end, Err(Stop::Anew)) {
                end = conduct.work(&mut world);
            }
            if let Err(stop) = end {
                conduct.settled.note(&stop);
            }
        }
    }
    conduct.settled.finish(|_| None)
}

struct Conduct<'a> {
    task: &'a Task,
    settled: Settled<'a>,
    /// What may be violated where rounds lead to, without a run that shows it.
    doubtful: Vec<Property>,
    /// Rounds of up to so many messages are not all there is.
    refuted: u32,
    /// Which messages would have to be in one round, in words.
    together: String,
}

impl Conduct<'_> {
    fn work(&mut self, world: &mut World) -> Result<(), Stop> {
        if self.singles(world)? || self.open().is_empty() {
            return Ok(());
        }
        // With a queue for each pair, rounds of one message are what was just tried.
        let first = match world.manner() {
            Manner::Pairs => 2,
            Manner::Mailboxes => 1,
        };
        self.refuted = first - 1;
        if world.manner() == Manner::Mailboxes && world.n_queues() > QUEUES_MAX {
            return Err(Stop::outside("there are more than 64 queues"));
        }
        for sends in first..=SENDS_MAX {
            match self.rounds(world, sends) {
                Ok(Next::More) => self.refuted = sends,
                Ok(Next::Done) => return Ok(()),
                Ok(Next::Never) => {
                    let because = "some runs are not made of rounds of exchanges, however large";
                    self.settled.why = outside(because);
                    return self.letters(world);
                }
                Err(Stop::TooMuch) => break,
                Err(stop) => return Err(stop),
            }
            if self.open().is_empty() {
                return Ok(());
            }
        }
        self.settled.why = outside(match self.refuted {
            0 => "rounds of exchanges are too many to look at".to_owned(),
            k => {
                let together = &self.together;
                format!("no k up to {k} is enough{together}, larger ones were not tried")
            }
        });
        self.letters(world)
    }

    /// Tries rounds of one message.
    fn singles(&mut self, world: &mut World) -> Result<bool, Stop> {
        self.doubtful.clear();
        let mut singles = match Singles::reach(world, SINGLES_MAX) {
            Err(Stop::TooMuch) => return Ok(false),
            reached => reached?,
        };
        let alike = heads_by_reader(world, &singles);
        let (suspects, end) = self.suspects(world, singles.plains.values(), |world, row| {
            fronts(world, &alike, row.0, singles.heads(row.1))
        });
        for (property, at) in suspects {
            self.confirm(world, property, &singles.chart(PlainId::new(at)));
        }
        end?;
        let late = match singles.watch(world, SINGLES_MAX) {
            Err(Stop::TooMuch) => return Ok(false),
            watched => watched?,
        };
        if let Some(late) = late {
            let chart = singles.late_chart(world, late)?;
            self.together = together(world, &chart);
        } else {
            let rows = singles.plains.len() + singles.watched.len();
            let figures = Figures { bound: 1, states: rows as u64, ..Figures::default() };
            self.detail(1, singles.plains.len(), singles.plains.len(), singles.watched.len(), 0);
            self.doubt_situations(world);
            self.conclude(figures, || of_singles(world, &singles));
        }
        Ok(late.is_none())
    }

    /// Tries rounds of up to so many messages.
    fn rounds(&mut self, world: &mut World, sends: u32) -> Result<Next, Stop> {
        self.doubtful.clear();
        let exchanges = Exchanges::new(sends, DRAFTS_MAX);
        let mut books = Books::reach(world, exchanges, ROWS_MAX)?;
        let (suspects, end) = self.suspects(world, books.rows.values(), |_, row| {
            books.stays(row.1).iter().map(|stay| (stay.queue, stay.heads.clone())).collect()
        });
        for (property, at) in suspects {
            if self.settled.is_open(property) {
                let chart = books.chart(world, BookId::new(at))?;
                self.confirm(world, property, &chart);
            }
        }
        end?;
        let vectors = books.rows.values().iter().map(|(vector, _)| *vector);
        let machines = vectors.map(|vector| world.n_machines(vector)).max().unwrap_or(0);
        if machines > GUESSING_MACHINES_MAX {
            return Err(Stop::TooMuch);
        }
        let watches = Watches::of(world, &books, ROWS_MAX)?;
        if watches.found.is_empty() {
            let (rows, marked) = (books.rows.len(), watches.rows.len());
            let states = (rows + marked) as u64;
            let figures = Figures { bound: sends, states, ..Figures::default() };
            let n_vectors = count_vectors(&books);
            self.detail(sends, n_vectors, rows, marked, books.exchanges.count());
            self.doubt_situations(world);
            self.conclude(figures, || of_books(world, &books, &watches));
            return Ok(Next::Done);
        }
        self.too_late(world, &mut books, &watches)
    }

    /// Takes a closer look at messages that are received too late for rounds of so many messages.
    fn too_late(
        &mut self,
        world: &mut World,
        books: &mut Books,
        watches: &Watches,
    ) -> Result<Next, Stop> {
        let nevers = watches.found.iter().filter(|late| late.never).take(CANDIDATES_MAX);
        for late in nevers {
            let chart = watches.chart(world, books, late.at)?;
            if chart.messages(world).conflicts().crossing().is_none() {
                continue;
            }
            if let Some(replayed) = chart.replay(world, &[]) {
                self.violated(Property::Sync, Trace::finite(replayed.steps));
                return Ok(Next::Never);
            }
        }
        if let Some(late) = watches.found.first() {
            let chart = watches.chart(world, books, late.at)?;
            self.together = together(world, &chart);
        }
        Ok(Next::More)
    }

    /// Looks for what is wrong in rounds of any number of messages.
    fn letters(&mut self, world: &mut World) -> Result<(), Stop> {
        if world.manner() == Manner::Pairs {
            return Ok(());
        }
        let mut letters = Letters::new(world, LETTERS_MAX);
        let mut tried: Map<Property, usize> = Map::default();
        loop {
            let open: Vec<Property> =
                self.open().into_iter().filter(|p| *p != Property::Sync).collect();
            if open.is_empty() {
                return Ok(());
            }
            let boundary = match letters.next(world) {
                Ok(Some(boundary)) => boundary,
                Ok(None) | Err(Stop::TooMuch | Stop::Anew) => return Ok(()),
                Err(stop) => return Err(stop),
            };
            let heads = boundary.heads.iter();
            let fronts: Fronts = heads.map(|(queue, head)| (*queue, vec![*head])).collect();
            for property in open {
                if world.may_be_wrong(property, boundary.vector, &fronts)? {
                    let tried = tried.entry(property).or_insert(0);
                    *tried += 1;
                    if *tried <= CANDIDATES_MAX {
                        self.confirm(world, property, &letters.chart(boundary.at));
                    }
                }
            }
        }
    }

    /// The places where something may be wrong, of some rows with what may be first in queues; and whether rounds have
    /// anything to say about all of them.
    fn suspects<T: Copy>(
        &self,
        world: &mut World,
        rows: &[(VectorId, T)],
        fronts: impl Fn(&World, (VectorId, T)) -> Fronts,
    ) -> (Vec<(Property, usize)>, Result<(), Stop>) {
        let (asked, mut all) = (self.open(), Vec::new());
        let mut look = |at: usize, row: (VectorId, T)| {
            let fronts = fronts(world, row);
            for &property in &asked {
                let known = all.iter().filter(|(it, _)| *it == property).count();
                if known < CANDIDATES_MAX && world.may_be_wrong(property, row.0, &fronts)? {
                    all.push((property, at));
                }
            }
            world.nothing_skipped(row.0, &fronts)
        };
        let mut end = Ok(());
        for (at, &row) in rows.iter().enumerate() {
            end = end.and(look(at, row));
        }
        (all, end)
    }

    /// Looks for a real run into what may be wrong.
    fn confirm(&mut self, world: &mut World, property: Property, chart: &Chart) {
        if !self.settled.is_open(property) {
            return;
        }
        match world.confirm(property, chart) {
            Some(trace) => self.violated(property, trace),
            None => self.doubtful.push(property),
        }
    }

    fn violated(&mut self, property: Property, trace: Trace) {
        if self.settled.is_open(property) {
            self.settled.settle(property, Claim::Violated(trace), Figures::default());
        }
    }

    /// While machines are created, others may be anywhere; rounds say nothing about that.
    fn doubt_situations(&mut self, world: &World) {
        let is_situation = |p: &Property| matches!(p, Property::Reach(_));
        let open = self.open().into_iter().filter(|p| world.created && is_situation(p));
        self.doubtful.extend(open.collect::<Vec<_>>());
    }

    /// Everything that can be reached is known, so what is not wrong there holds.
    fn conclude(&mut self, figures: Figures, evidence: impl FnOnce() -> ExchangeSet) {
        let mut evidence = Some(evidence);
        let mut claim: Option<Claim> = None;
        let (max, states) = (self.task.limits.evidence_max, figures.states as usize);
        for property in self.open() {
            let claim = if self.doubtful.contains(&property) {
                let because = "what rounds lead to does not rule it out, and no run shows it";
                Claim::GaveUp(outside(because))
            } else {
                let make = evidence.take();
                claim
                    .get_or_insert_with(|| match make {
                        Some(make) if states <= max => {
                            Claim::Holds(Proof::Exchange(Arc::new(make())))
                        }
                        _ => Claim::GaveUp(Reason::EvidenceTooLarge { configurations: states }),
                    })
                    .clone()
            };
            self.settled.settle(property, claim, figures);
        }
    }

    fn detail(&mut self, k: u32, vectors: usize, books: usize, watches: usize, exchanges: usize) {
        self.settled.answers.detail = vec![
            ("least_k", u64::from(k)),
            ("vectors", vectors as u64),
            ("books", books as u64),
            ("watches", watches as u64),
            ("exchanges", exchanges as u64),
        ];
    }

    fn open(&self) -> Vec<Property> {
        self.settled.open()
    }
}

/// What to do after rounds of some messages.
enum Next {
    /// They are all there is.
    Done,
    /// They are not; larger ones may be.
    More,
    /// They are not, however large.
    Never,
}

/// The messages of a chart that would have to be in one round, in words.
fn together(world: &World, chart: &Chart) -> String {
    let messages = chart.messages(world);
    let conflicts = messages.conflicts();
    let Some(largest) = conflicts.largest() else { return String::new() };
    let program = world.system.program();
    let name = |id: &qp_charts::MessageId| {
        program.message_shown(MessageId::from_raw(messages.messages()[*id].label))
    };
    let names: Vec<String> = conflicts.components()[largest].iter().map(name).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!(" ({} and {last} can only be in one round)", others.join(", "))
        }
        _ => String::new(),
    }
}

/// With mailboxes: the messages that a queue begins with where its reader is in some local state.
type Alike = Map<(QueueId, LocalId), Vec<MessageId>>;

fn heads_by_reader(world: &World, singles: &Singles) -> Alike {
    let mut alike = Alike::default();
    for &(vector, heads) in singles.plains.values() {
        for (queue, head) in singles.heads(heads).iter().enumerate() {
            let queue = QueueId::new(queue);
            let (Some(message), Some(local)) = (*head, reader_at(world, vector, queue)) else {
                continue;
            };
            let known = alike.entry((queue, local)).or_default();
            if let Err(at) = known.binary_search(&message) {
                known.insert(at, message);
            }
        }
    }
    alike
}

fn reader_at(world: &World, vector: VectorId, queue: QueueId) -> Option<LocalId> {
    let reader = world.manners.reader(queue)?;
    world.vector(vector).locals.get(reader.index()).copied()
}

/// What may be first in queues. With mailboxes, a message that is sent and received at once may come between others
/// that are sent earlier in a real run; then others are first that are first elsewhere.
fn fronts(world: &World, alike: &Alike, vector: VectorId, heads: &[Option<MessageId>]) -> Fronts {
    let mut fronts = Fronts::new();
    for (queue, head) in heads.iter().enumerate() {
        let (queue, Some(head)) = (QueueId::new(queue), *head) else { continue };
        let others = match (world.manner(), reader_at(world, vector, queue)) {
            (Manner::Mailboxes, Some(local)) => alike.get(&(queue, local)),
            _ => None,
        };
        fronts.push((queue, others.cloned().unwrap_or_else(|| vec![head])));
    }
    fronts
}

fn count_vectors(books: &Books) -> usize {
    let mut vectors: Vec<VectorId> =
        books.rows.values().iter().map(|(vector, _)| *vector).collect();
    vectors.sort_unstable();
    vectors.dedup();
    vectors.len()
}

//! Exchanges: some messages are sent, then some of them are received.

use std::sync::Arc;

use qp_base::{IndexVec, Interner, Map, define_index};
use qp_machines::{LocalId, MachineId, MessageId, QueueId, Sending};

use crate::trail::Trail;

use super::deeds::{Chart, Deed, Does};
use super::shape::Shape;
use super::world::{Stop, VectorId, World};

define_index!(ShapeId, "x", "an exchange as it looks from outside");
define_index!(DraftId, "d", "an exchange that may still go on");

/// One exchange.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Exchange {
    /// Where machines are afterwards.
    pub(super) to: VectorId,
    pub(super) shape: ShapeId,
}

/// A message of an exchange. Messages are ordered by senders, and then by when they are sent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sent {
    pub(super) by: MachineId,
    pub(super) queue: QueueId,
    /// The message; for shapes only if it is not received.
    pub(super) message: Option<MessageId>,
    /// How many messages of the exchange are in the same queue before it.
    rank: u8,
    /// As which of its messages the receiver takes it, from 1 on; 0 if it does not.
    pub(super) taken: u8,
}

/// All exchanges of up to so many messages, as far as somebody asked.
pub(super) struct Exchanges {
    /// How many messages an exchange has at most.
    pub(super) sends: u32,
    shapes: Interner<ShapeId, Box<[Sent]>>,
    pub(super) looks: IndexVec<ShapeId, Shape>,
    known: Map<VectorId, Arc<[Exchange]>>,
    /// Drafts that were made.
    work: usize,
    work_max: usize,
}

/// An exchange so far. As long as nothing was received, more can be sent.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Draft {
    locals: Box<[LocalId]>,
    sent: Vec<Sent>,
}

/// What led from one draft to another.
#[derive(Clone, Copy, Debug)]
enum Way {
    Moves(MachineId, LocalId),
    Sends(MachineId, Sending),
    /// The message at this place is taken.
    Takes(MachineId, LocalId, usize),
}

/// Drafts from one vector, with how each was made first.
type Drafts = Trail<DraftId, Draft, Way>;

impl Exchanges {
    pub(super) fn new(sends: u32, work_max: usize) -> Self {
        Self {
            sends,
            shapes: Interner::new(),
            looks: IndexVec::new(),
            known: Map::default(),
            work: 0,
            work_max,
        }
    }

    /// How many different ones there are, and between which vectors, as far as is known.
    pub(super) fn count(&self) -> usize {
        self.shapes.len()
    }

    /// All exchanges from a vector.
    pub(super) fn of(
        &mut self,
        world: &mut World,
        from: VectorId,
    ) -> Result<Arc<[Exchange]>, Stop> {
        if let Some(known) = self.known.get(&from) {
            return Ok(Arc::clone(known));
        }
        let drafts = self.draft(world, from)?;
        let mut exchanges = Vec::new();
        for draft in drafts.values().iter().filter(|draft| !draft.sent.is_empty()) {
            exchanges.push(self.exchange(world, from, draft));
        }
        exchanges.sort_unstable();
        exchanges.dedup();
        let exchanges: Arc<[Exchange]> = exchanges.into();
        self.known.insert(from, Arc::clone(&exchanges));
        Ok(exchanges)
    }

    /// Adds to a chart what machines do in an exchange, and says at which places of it messages are sent, in the
    /// order of the shape.
    pub(super) fn tell(
        &mut self,
        world: &mut World,
        from: VectorId,
        exchange: Exchange,
        chart: &mut Chart,
    ) -> Result<Vec<usize>, Stop> {
        let drafts = self.draft(world, from)?;
        let is_it =
            |draft: &Draft| !draft.sent.is_empty() && self.exchange(world, from, draft) == exchange;
        let found = drafts.values().iter().position(is_it);
        let end = found.unwrap_or_else(|| unreachable!("bug in Queueproof: exchanges get lost"));
        Ok(tell(&drafts, DraftId::new(end), chart))
    }

    fn exchange(&mut self, world: &mut World, from: VectorId, draft: &Draft) -> Exchange {
        let look = |sent: &Sent| match sent.taken {
            // In which order messages stay in a queue is left open.
            0 => Sent { rank: 0, ..*sent },
            _ => Sent { rank: 0, message: None, ..*sent },
        };
        let sent: Box<[Sent]> = draft.sent.iter().map(look).collect();
        let shape = self.shapes.intern(sent);
        if shape.index() == self.looks.len() {
            self.looks.push(Shape::new(self.shapes.value(shape), world));
        }
        Exchange { to: world.intern(from, &draft.locals), shape }
    }

    fn draft(&mut self, world: &mut World, from: VectorId) -> Result<Drafts, Stop> {
        let mut drafts = Drafts::new();
        let first = Draft { locals: world.vector(from).locals.clone(), sent: Vec::new() };
        drafts.begin(first, ());
        let mut next = 0;
        while next < drafts.len() {
            if next % 1024 == 0 {
                world.pause()?;
            }
            expand(&mut drafts, world, DraftId::new(next), self.sends)?;
            next += 1;
            if self.work + drafts.len() > self.work_max {
                return Err(Stop::TooMuch);
            }
        }
        self.work += drafts.len();
        Ok(drafts)
    }
}

fn expand(drafts: &mut Drafts, world: &mut World, at: DraftId, sends: u32) -> Result<(), Stop> {
    let draft = drafts.value(at).clone();
    let may_send = draft.sent.len() < sends as usize && draft.sent.iter().all(|s| s.taken == 0);
    for machine in (0..draft.locals.len()).map(MachineId::new) {
        let local = draft.locals[machine.index()];
        let acts = world.acts(machine, local)?;
        // What a machine does by itself before its part of the exchange, it can do before the exchange.
        if draft.is_active(world, machine) {
            for &next in &acts.internals {
                drafts.go(at, Way::Moves(machine, next), draft.moved(machine, next));
            }
        }
        if may_send {
            for &send in &acts.sends {
                let after = draft.with(machine, send.queue, send.message);
                drafts.go(at, Way::Sends(machine, send), after.moved(machine, send.next));
            }
        }
    }
    for place in draft.fronts() {
        let Sent { queue, message, .. } = draft.sent[place];
        let (Some(machine), Some(message)) = (world.manners.reader(queue), message) else {
            continue;
        };
        let Some(&local) = draft.locals.get(machine.index()) else { continue };
        for &next in &world.hears(machine, local, queue, message)?.takes {
            let after = draft.without(world, machine, place).moved(machine, next);
            drafts.go(at, Way::Takes(machine, next, place), after);
        }
    }
    Ok(())
}

/// Adds what was done on the way to a draft, and says where its messages are sent.
fn tell(drafts: &Drafts, end: DraftId, chart: &mut Chart) -> Vec<usize> {
    let sent = &drafts.value(end).sent;
    let mut places: Vec<Option<usize>> = vec![None; sent.len()];
    for way in drafts.steps(end) {
        let number = chart.deeds.len();
        let (machine, next, does) = match way {
            Way::Moves(machine, next) => (machine, next, Does::Moves),
            Way::Sends(machine, Sending { queue, message, next }) => {
                let first = sent.partition_point(|it| it.by < machine);
                let place = (first..sent.len()).find(|&place| places[place].is_none());
                places[place.unwrap_or(first)] = Some(number);
                (machine, next, Does::Sends { queue, message })
            }
            Way::Takes(machine, next, place) => {
                let Sent { queue, message, .. } = sent[place];
                let message = message.unwrap_or(MessageId::from_raw(0));
                let of = places[place].unwrap_or(0);
                (machine, next, Does::Takes { queue, message, of })
            }
        };
        chart.push(Deed { machine, next, does });
    }
    places.into_iter().map(|place| place.unwrap_or(0)).collect()
}

impl Draft {
    /// Whether a machine has done its first part of the exchange.
    fn is_active(&self, world: &World, machine: MachineId) -> bool {
        self.sent.iter().any(|sent| {
            sent.by == machine
                || sent.taken > 0 && world.manners.reader(sent.queue) == Some(machine)
        })
    }

    fn moved(&self, machine: MachineId, next: LocalId) -> Self {
        let mut moved = self.clone();
        moved.locals[machine.index()] = next;
        moved
    }

    fn with(&self, by: MachineId, queue: QueueId, message: MessageId) -> Self {
        let rank = self.sent.iter().filter(|sent| sent.queue == queue).count() as u8;
        let mut with = self.clone();
        let place = with.sent.partition_point(|sent| sent.by <= by);
        with.sent.insert(place, Sent { by, queue, message: Some(message), rank, taken: 0 });
        with
    }

    fn without(&self, world: &World, reader: MachineId, place: usize) -> Self {
        let by_reader =
            |sent: &&Sent| sent.taken > 0 && world.manners.reader(sent.queue) == Some(reader);
        let before = self.sent.iter().filter(by_reader).count() as u8;
        let mut without = self.clone();
        without.sent[place].taken = before + 1;
        without
    }

    /// The places of messages that are first in their queues.
    fn fronts(&self) -> Vec<usize> {
        let is_first = |place: &usize| {
            let one = self.sent[*place];
            let waits = |sent: &Sent| sent.queue == one.queue && sent.taken == 0;
            one.taken == 0 && !self.sent.iter().any(|it| waits(it) && it.rank < one.rank)
        };
        (0..self.sent.len()).filter(is_first).collect()
    }
}

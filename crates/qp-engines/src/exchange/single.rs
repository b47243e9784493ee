//! Rounds of one message: each is received as soon as it is sent, or never.
//!
//! Whether that is all there is, is found out by watching one message that is not received, and everything that
//! happens because of it: if its receiver is among those who act because of it, and could receive it now, then the
//! message cannot have been received at once.

use qp_base::{Interner, define_index};
use qp_claim::Watched;
use qp_machines::{MachineId, MessageId, QueueId, Sending};

use crate::trail::Trail;

use super::deeds::{Chart, Deed, Does, Happens};
use super::manners::Manner;
use super::world::{Stop, VectorId, World, bit};

define_index!(HeadsId, "h", "the first messages that stay in queues");
define_index!(PlainId, "p", "where machines are, with what stays in queues");

/// The first message that stays in each queue.
pub(super) type Heads = Vec<Option<MessageId>>;

/// What is reached, with one message a round.
pub(super) struct Singles {
    /// With where each comes from first.
    pub(super) plains: Trail<PlainId, (VectorId, HeadsId), Happens>,
    heads: Interner<HeadsId, Heads>,
    edges: Vec<Vec<(Happens, PlainId)>>,
    /// With one message watched, and where and how that was sent.
    pub(super) watched: Trail<usize, (PlainId, Watched), Happens, (PlainId, Happens)>,
}

impl Singles {
    /// Everything that is reached.
    pub(super) fn reach(world: &mut World, max: usize) -> Result<Self, Stop> {
        let mut singles = Self {
            plains: Trail::new(),
            heads: Interner::new(),
            edges: Vec::new(),
            watched: Trail::new(),
        };
        let empty = singles.heads.intern(vec![None; world.n_queues()]);
        for vector in world.first_vectors() {
            singles.plains.begin((vector, empty), ());
        }
        while singles.edges.len() < singles.plains.len() {
            let at = PlainId::new(singles.edges.len());
            world.pay(singles.plains.len(), singles.plains.len(), max)?;
            singles.expand(world, at)?;
        }
        Ok(singles)
    }

    pub(super) fn heads(&self, id: HeadsId) -> &Heads {
        self.heads.value(id)
    }

    fn expand(&mut self, world: &mut World, at: PlainId) -> Result<(), Stop> {
        let (vector, heads) = *self.plains.value(at);
        world.ask_all(vector)?;
        let mut found = Vec::new();
        for (machine, local) in world.places(vector) {
            let acts = world.acts(machine, local)?;
            for &next in &acts.internals {
                let to = world.moved(vector, machine, next);
                found.push((Happens::Moves(machine, next), (to, heads)));
            }
            for &send in &acts.sends {
                let after = world.moved(vector, machine, send.next);
                let mut open = self.heads.value(heads).clone();
                let is_open = open[send.queue.index()].is_none();
                open[send.queue.index()].get_or_insert(send.message);
                let closed = self.heads.intern(open);
                found.push((Happens::Stays(machine, send), (after, closed)));
                if is_open {
                    Self::taken(world, (machine, send), (after, heads), &mut found)?;
                }
            }
        }
        let leads = |(happens, plain)| (happens, self.plains.go(at, happens, plain));
        self.edges.push(found.into_iter().map(leads).collect());
        Ok(())
    }

    /// A message that is received as soon as it is sent; `after` is where its sender has moved.
    fn taken(
        world: &mut World,
        (by, send): (MachineId, Sending),
        (after, heads): (VectorId, HeadsId),
        found: &mut Vec<(Happens, (VectorId, HeadsId))>,
    ) -> Result<(), Stop> {
        let Some(reader) = world.manners.reader(send.queue) else { return Ok(()) };
        for &then in &world.reader_hears(after, send.queue, send.message)?.takes {
            let to = world.moved(after, reader, then);
            found.push((Happens::Taken(by, send, (reader, then)), (to, heads)));
        }
        Ok(())
    }

    /// Watches every message that stays, and says at which row one of them could be received too late, if there is
    /// one.
    pub(super) fn watch(&mut self, world: &mut World, max: usize) -> Result<Option<usize>, Stop> {
        for from in 0..self.edges.len() {
            let (_, heads) = *self.plains.value(PlainId::new(from));
            for at in 0..self.edges[from].len() {
                let (edge, to) = self.edges[from][at];
                let Happens::Stays(by, Sending { queue, .. }) = edge else { continue };
                let Some(reader) = world.manners.reader(queue) else { continue };
                if self.heads.value(heads)[queue.index()].is_some() {
                    continue;
                }
                let into = match world.manner() {
                    Manner::Pairs => 0,
                    Manner::Mailboxes => bit(reader),
                };
                let watched = Watched { queue: queue.raw(), acted: bit(by), into };
                self.watched.begin((to, watched), (PlainId::new(from), edge));
            }
        }
        let mut next = 0;
        while next < self.watched.len() {
            let (at, watched) = *self.watched.value(next);
            let n = self.watched.len();
            world.pay(self.plains.len() + n, n, max)?;
            if self.is_taken_late(world, at, watched)? {
                return Ok(Some(next));
            }
            for (edge, to) in self.edges[at.index()].clone() {
                self.watched.go(next, edge, (to, later(world, watched, edge)));
            }
            next += 1;
        }
        Ok(None)
    }

    fn is_taken_late(
        &self,
        world: &mut World,
        at: PlainId,
        watched: Watched,
    ) -> Result<bool, Stop> {
        let (vector, heads) = *self.plains.value(at);
        let queue = QueueId::from_raw(watched.queue);
        let (Some(reader), Some(message)) =
            (world.manners.reader(queue), self.heads.value(heads)[queue.index()])
        else {
            return Ok(false);
        };
        Ok(watched.acted & bit(reader) != 0
            && !world.reader_hears(vector, queue, message)?.takes.is_empty())
    }

    /// What happened on the way to a place.
    pub(super) fn chart(&self, end: PlainId) -> Chart {
        // Beginnings come first, and in order.
        let (((), beginning), edges) = self.plains.way(end);
        let mut chart = Chart::new(beginning.index());
        for (_, edge) in edges {
            tell(edge, &mut chart);
        }
        chart
    }

    /// What happened on the way to a row with a message that is watched, and then its receive.
    pub(super) fn late_chart(&self, world: &mut World, end: usize) -> Result<Chart, Stop> {
        let ((&(first, begins), _), edges) = self.watched.way(end);
        let mut chart = self.chart(first);
        let of = chart.deeds.len();
        tell(begins, &mut chart);
        for (_, edge) in edges {
            tell(edge, &mut chart);
        }
        let (plain, watched) = *self.watched.value(end);
        let ((vector, heads), queue) =
            (*self.plains.value(plain), QueueId::from_raw(watched.queue));
        let message = self.heads(heads)[queue.index()];
        let (Some(machine), Some(message)) = (world.manners.reader(queue), message) else {
            return Ok(chart);
        };
        if let Some(&next) = world.reader_hears(vector, queue, message)?.takes.first() {
            chart.push(Deed { machine, next, does: Does::Takes { queue, message, of } });
        }
        Ok(chart)
    }
}

/// What is watched after one more round.
fn later(world: &World, watched: Watched, edge: Happens) -> Watched {
    let (by, queue, taken) = match edge {
        Happens::Moves(..) => return watched,
        Happens::Stays(by, send) => (by, send.queue, false),
        Happens::Taken(by, send, _) => (by, send.queue, true),
    };
    let reader = world.manners.reader(queue).map_or(0, bit);
    let matched = if taken { reader } else { 0 };
    let because = watched.acted & (bit(by) | matched) != 0 || watched.into & reader != 0;
    if !because {
        return watched;
    }
    let into = match world.manner() {
        Manner::Pairs => 0,
        Manner::Mailboxes => matched,
    };
    Watched { acted: watched.acted | bit(by) | matched, into: watched.into | into, ..watched }
}

/// What is received is received at once.
fn tell(edge: Happens, chart: &mut Chart) {
    let taken = chart.tell(edge);
    chart.deeds.extend(taken);
}

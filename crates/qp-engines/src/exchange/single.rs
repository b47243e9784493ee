//! Rounds of one message: each is received as soon as it is sent, or never.
//!
//! Whether that is all there is, is found out by watching one message that is not received, and everything that
//! happens because of it: if its receiver is among those who act because of it, and could receive it now, then the
//! message cannot have been received at once.

use qp_base::{Interner, define_index};
use qp_claim::Watched;
use qp_machines::{LocalId, MachineId, MessageId, QueueId, Sending};

use super::deeds::{Chart, Deed, Does};
use super::manners::Manner;
use super::world::{Stop, VectorId, World, bit};

define_index!(HeadsId, "h", "the first messages that stay in queues");
define_index!(PlainId, "p", "where machines are, with what stays in queues");

/// The first message that stays in each queue.
pub(super) type Heads = Vec<Option<MessageId>>;

/// What is reached, with one message a round.
pub(super) struct Singles {
    pub(super) plains: Interner<PlainId, (VectorId, HeadsId)>,
    heads: Interner<HeadsId, Heads>,
    /// Where each comes from first; nothing for beginnings.
    ways: Vec<Option<(PlainId, Edge)>>,
    edges: Vec<Vec<(Edge, PlainId)>>,
    /// With one message watched.
    pub(super) watched: Interner<usize, (PlainId, Watched)>,
    watched_ways: Vec<WatchedWay>,
}

/// How a row with a message that is watched was met first.
#[derive(Clone, Copy, Debug)]
enum WatchedWay {
    /// This edge leads to it, and sends the message.
    Begins(PlainId, Edge),
    Goes(usize, Edge),
}

/// A round, or a move of one machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Edge {
    Internal {
        machine: MachineId,
        next: LocalId,
    },
    Sent {
        by: MachineId,
        queue: QueueId,
        message: MessageId,
        next: LocalId,
    },
    Taken {
        by: MachineId,
        queue: QueueId,
        message: MessageId,
        next: LocalId,
        to: (MachineId, LocalId),
    },
}

impl Singles {
    /// Everything that is reached.
    pub(super) fn reach(world: &mut World, max: usize) -> Result<Self, Stop> {
        let mut singles = Self {
            plains: Interner::new(),
            heads: Interner::new(),
            ways: Vec::new(),
            edges: Vec::new(),
            watched: Interner::new(),
            watched_ways: Vec::new(),
        };
        let empty = singles.heads.intern(vec![None; world.n_queues()]);
        for vector in world.first_vectors() {
            singles.plains.intern((vector, empty));
            singles.ways.push(None);
        }
        while singles.edges.len() < singles.plains.len() {
            let at = PlainId::new(singles.edges.len());
            world.spend(singles.plains.len())?;
            if singles.plains.len() > max {
                return Err(Stop::TooMuch);
            }
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
        for machine in (0..world.n_machines(vector)).map(MachineId::new) {
            let local = world.vector(vector).locals[machine.index()];
            let acts = world.acts(machine, local)?;
            for &next in &acts.internals {
                let to = world.moved(vector, machine, next);
                found.push((Edge::Internal { machine, next }, (to, heads)));
            }
            for send in &acts.sends {
                let after = world.moved(vector, machine, send.next);
                let (queue, message, next) = (send.queue, send.message, send.next);
                let mut open = self.heads.value(heads).clone();
                let is_open = open[queue.index()].is_none();
                if is_open {
                    open[queue.index()] = Some(message);
                }
                let closed = self.heads.intern(open);
                found.push((Edge::Sent { by: machine, queue, message, next }, (after, closed)));
                if is_open {
                    Self::taken(world, (machine, *send), (after, heads), &mut found)?;
                }
            }
        }
        let mut edges = Vec::with_capacity(found.len());
        for (edge, plain) in found {
            let to = self.plains.intern(plain);
            if to.index() == self.ways.len() {
                self.ways.push(Some((at, edge)));
            }
            edges.push((edge, to));
        }
        self.edges.push(edges);
        Ok(())
    }

    /// A message that is received as soon as it is sent; `after` is where its sender has moved.
    fn taken(
        world: &mut World,
        (by, send): (MachineId, Sending),
        (after, heads): (VectorId, HeadsId),
        found: &mut Vec<(Edge, (VectorId, HeadsId))>,
    ) -> Result<(), Stop> {
        let Sending { queue, message, next } = send;
        let Some(reader) = world.manners.reader(queue) else { return Ok(()) };
        for &then in &world.reader_hears(after, queue, message)?.takes {
            let to = world.moved(after, reader, then);
            let edge = Edge::Taken { by, queue, message, next, to: (reader, then) };
            found.push((edge, (to, heads)));
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
                let Edge::Sent { by, queue, .. } = edge else { continue };
                let Some(reader) = world.manners.reader(queue) else { continue };
                if self.heads.value(heads)[queue.index()].is_some() {
                    continue;
                }
                let into = match world.manner() {
                    Manner::Pairs => 0,
                    Manner::Mailboxes => bit(reader),
                };
                let watched = Watched { queue: queue.raw(), acted: bit(by), into };
                let way = WatchedWay::Begins(PlainId::new(from), edge);
                self.add_watched((to, watched), way);
            }
        }
        let mut next = 0;
        while next < self.watched.len() {
            let (at, watched) = *self.watched.value(next);
            world.spend(self.plains.len() + self.watched.len())?;
            if self.watched.len() > max {
                return Err(Stop::TooMuch);
            }
            if self.is_taken_late(world, at, watched)? {
                return Ok(Some(next));
            }
            for (edge, to) in self.edges[at.index()].clone() {
                let way = WatchedWay::Goes(next, edge);
                self.add_watched((to, later(world, watched, edge)), way);
            }
            next += 1;
        }
        Ok(None)
    }

    fn add_watched(&mut self, row: (PlainId, Watched), way: WatchedWay) {
        if self.watched.intern(row) == self.watched_ways.len() {
            self.watched_ways.push(way);
        }
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
        let mut edges: Vec<Edge> = Vec::new();
        let mut at = end;
        while let Some((before, edge)) = self.ways[at.index()] {
            edges.push(edge);
            at = before;
        }
        edges.reverse();
        // Beginnings come first, and in order.
        let mut chart = Chart::new(at.index());
        for edge in edges {
            tell(edge, &mut chart);
        }
        chart
    }
}

impl Singles {
    /// What happened on the way to a row with a message that is watched, and then its receive.
    pub(super) fn late_chart(&self, world: &mut World, end: usize) -> Result<Chart, Stop> {
        let mut edges = Vec::new();
        let mut at = end;
        let (first, begins) = loop {
            match self.watched_ways[at] {
                WatchedWay::Begins(plain, edge) => break (plain, edge),
                WatchedWay::Goes(before, edge) => {
                    edges.push(edge);
                    at = before;
                }
            }
        };
        let mut chart = self.chart(first);
        let of = chart.deeds.len();
        tell(begins, &mut chart);
        edges.into_iter().rev().for_each(|edge| tell(edge, &mut chart));
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
fn later(world: &World, watched: Watched, edge: Edge) -> Watched {
    let (by, queue, taken) = match edge {
        Edge::Internal { .. } => return watched,
        Edge::Sent { by, queue, .. } => (by, queue, false),
        Edge::Taken { by, queue, .. } => (by, queue, true),
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

fn tell(edge: Edge, chart: &mut Chart) {
    match edge {
        Edge::Internal { machine, next } => chart.push(Deed { machine, next, does: Does::Moves }),
        Edge::Sent { by, queue, message, next } => {
            chart.push(Deed { machine: by, next, does: Does::Sends { queue, message } });
        }
        Edge::Taken { by, queue, message, next, to } => {
            let of = chart.deeds.len();
            chart.push(Deed { machine: by, next, does: Does::Sends { queue, message } });
            let (machine, next) = to;
            chart.push(Deed { machine, next, does: Does::Takes { queue, message, of } });
        }
    }
}

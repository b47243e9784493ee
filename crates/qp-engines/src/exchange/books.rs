//! What is reached in rounds of a few messages, with what stays in queues between them.

use qp_base::{Interner, Map, define_index};
use qp_machines::{LocalId, MachineId, QueueId};

use crate::trail::Trail;

use super::deeds::{Chart, Deed, Does};
use super::exchanges::{Exchange, Exchanges, ShapeId};
use super::shape::{Forced, Stays};
use super::world::{Stop, VectorId, World};

define_index!(StaysId, "s", "what stays in queues");
define_index!(BookId, "b", "where machines are, with what stays in queues");

/// Everything that is reached.
pub(super) struct Books {
    pub(super) exchanges: Exchanges,
    /// With where each comes from first.
    pub(super) rows: Trail<BookId, (VectorId, StaysId), Leap>,
    stays: Interner<StaysId, Stays>,
    /// What an exchange makes of what stays; nothing if it cannot follow.
    steps: Map<(StaysId, ShapeId), Option<StaysId>>,
    pub(super) leaps: Vec<Vec<(Leap, BookId)>>,
}

/// A round, or a move of one machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leap {
    Internal(MachineId, LocalId),
    Exchange(Exchange),
}

impl Books {
    pub(super) fn reach(world: &mut World, exchanges: Exchanges, max: usize) -> Result<Self, Stop> {
        let mut books = Self {
            exchanges,
            rows: Trail::new(),
            stays: Interner::new(),
            steps: Map::default(),
            leaps: Vec::new(),
        };
        let nothing = books.stays.intern(Vec::new());
        for vector in world.first_vectors() {
            books.rows.begin((vector, nothing), ());
        }
        while books.leaps.len() < books.rows.len() {
            let at = BookId::new(books.leaps.len());
            world.pay(books.rows.len(), books.rows.len(), max)?;
            books.expand(world, at)?;
        }
        Ok(books)
    }

    pub(super) fn stays(&self, id: StaysId) -> &Stays {
        self.stays.value(id)
    }

    fn expand(&mut self, world: &mut World, at: BookId) -> Result<(), Stop> {
        let (vector, stays) = *self.rows.value(at);
        let mut found = Vec::new();
        for (machine, local) in world.places(vector) {
            for &next in &world.acts(machine, local)?.internals {
                let to = world.moved(vector, machine, next);
                found.push((Leap::Internal(machine, next), (to, stays)));
            }
        }
        for &exchange in self.exchanges.of(world, vector)?.iter() {
            if let Some(after) = self.step(world, stays, exchange.shape) {
                found.push((Leap::Exchange(exchange), (exchange.to, after)));
            }
        }
        let leads = |(leap, book)| (leap, self.rows.go(at, leap, book));
        self.leaps.push(found.into_iter().map(leads).collect());
        Ok(())
    }

    fn step(&mut self, world: &World, stays: StaysId, shape: ShapeId) -> Option<StaysId> {
        if let Some(known) = self.steps.get(&(stays, shape)) {
            return *known;
        }
        let after = self.forced(world, stays, shape).step();
        let after = after.map(|after| self.stays.intern(after));
        self.steps.insert((stays, shape), after);
        after
    }

    /// An exchange after what stays.
    pub(super) fn forced<'a>(
        &'a self,
        world: &'a World,
        stays: StaysId,
        shape: ShapeId,
    ) -> Forced<'a> {
        Forced { shape: &self.exchanges.looks[shape], stays: self.stays.value(stays), world }
    }

    /// What happened on the way to a book.
    pub(super) fn chart(&mut self, world: &mut World, end: BookId) -> Result<Chart, Stop> {
        // Beginnings come first, and in order.
        let (((), beginning), leaps) = self.rows.way(end);
        let mut chart = Chart::new(beginning.index());
        for leap in leaps {
            self.tell(world, leap, &mut chart)?;
        }
        Ok(chart)
    }

    /// Adds what happens in a leap, and says where in the chart its messages are sent.
    pub(super) fn tell(
        &mut self,
        world: &mut World,
        (from, leap): (BookId, Leap),
        chart: &mut Chart,
    ) -> Result<Vec<usize>, Stop> {
        match leap {
            Leap::Internal(machine, next) => {
                chart.push(Deed { machine, next, does: Does::Moves });
                Ok(Vec::new())
            }
            Leap::Exchange(exchange) => {
                let (vector, _) = *self.rows.value(from);
                self.exchanges.tell(world, vector, exchange, chart)
            }
        }
    }

    /// Whether something stays in a queue.
    pub(super) fn stays_in(&self, stays: StaysId, queue: QueueId) -> bool {
        self.stays.value(stays).iter().any(|stay| stay.queue == queue)
    }
}

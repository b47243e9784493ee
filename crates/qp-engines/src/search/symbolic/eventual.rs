//! What can still happen: machines that can never move again, messages that are never received.
//!
//! Where something can still happen is found backwards, from where it can happen at once. A configuration in
//! which a send was cut, or in which the interpreter does not know on, may do anything.

use qp_base::Budget;
use qp_diagrams::Set;

use super::super::marks::RESTS;
use super::super::space::Space;
use super::source::{Kind, Look};
use super::{DiagramSet, Obstacle};

/// The configurations from which something never happens again; both are held.
pub(crate) struct Eventual {
    /// Some machine that may not rest can never move again.
    pub(crate) stuck: Set,
    /// Some queued message can never be received.
    pub(crate) orphan: Set,
    /// Whether messages are taken from behind others.
    pub(crate) skips: bool,
}

impl DiagramSet {
    /// Looks at the whole set, for stuck machines and for orphaned messages as far as wanted.
    pub(crate) fn eventual(
        &mut self,
        space: &mut Space,
        budget: &Budget,
        (stuck, orphan): (bool, bool),
    ) -> Result<Eventual, Obstacle> {
        let open = self.somebody(space, Kind::Open)?;
        let open = self.store.hold(open);
        let mut found = Eventual { stuck: Set::EMPTY, orphan: Set::EMPTY, skips: false };
        let n_parts = self.store.levels.len();
        for part in (0..n_parts).filter(|_| stuck) {
            let restless = (part, Look::Unmarked(RESTS));
            let never = self.never(space, budget, (Kind::Acts(Some(part)), open), restless)?;
            self.store.join(&mut found.stuck, never)?;
        }
        for queue in (0..space.n_machines_queues().1).filter(|_| orphan) {
            let part = self.source.part_of(space, queue).filter(|&part| part < n_parts);
            let Some(part) = part else { continue };
            let filled = (part, Look::Longer(queue, 0));
            let never = self.never(space, budget, (Kind::Takes(queue), open), filled)?;
            self.store.join(&mut found.orphan, never)?;
        }
        // Whether a message is taken from behind others where not anything may happen.
        let skips = self.somebody(space, Kind::Skips)?;
        found.skips = !self.store.diagrams.is_subset(skips, open)?;
        self.store.release(open);
        Ok(found)
    }

    /// Where something of a kind, which may happen where everything is open, can never happen again although something
    /// is so about a part.
    fn never(
        &mut self,
        space: &mut Space,
        budget: &Budget,
        (kind, open): (Kind, Set),
        (part, look): (usize, Look),
    ) -> Result<Set, Obstacle> {
        let accused = self.source.table(space, part, look);
        if !accused.contains(&1) {
            return Ok(Set::EMPTY);
        }
        let now = self.somebody(space, kind)?;
        let mut possible = self.store.hold(now);
        self.store.join(&mut possible, open)?;
        let mut left = self.store.hold(self.store.set);
        self.store.subtract(&mut left, possible)?;
        loop {
            // Sets that are not held may get the number of others, so they are not compared.
            let mut more = false;
            for event in self.source.happenings(&self.store.events) {
                let some = self.before(space, budget, event, (possible, left))?;
                if !some.is_empty() {
                    more = true;
                    self.store.hold(some);
                    self.store.join(&mut possible, some)?;
                    self.store.subtract(&mut left, some)?;
                    self.store.release(some);
                }
            }
            if !more {
                break;
            }
        }
        let mut filter = self.store.filter().real();
        filter.and(self.store.levels.level(part as u32), accused);
        let never = self.store.restricted(left, &filter)?;
        self.store.release(possible);
        self.store.release(left);
        Ok(never)
    }
}

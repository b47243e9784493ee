//! What is to be said about a set: steps between its configurations, cut sends, and what violates something.

use num_bigint::BigUint;
use qp_diagrams::Set;
use qp_machines::Property;

use super::super::marks::{Ends, RESTS};
use super::super::space::Space;
use super::source::{Case, Kind, Look};
use super::{DiagramSet, Obstacle};

impl DiagramSet {
    /// How many steps there are between the configurations.
    pub(super) fn transitions(&mut self, space: &mut Space) -> Result<BigUint, Obstacle> {
        let cases = self.source.cases(&mut self.store, space, Kind::Steps);
        let (mut sum, mut known) = (BigUint::ZERO, None);
        for case in cases {
            let census = match known.take() {
                Some((timeout, census)) if timeout == case.timeout => census,
                _ => {
                    let within = self.within(space, &case)?;
                    self.store.diagrams.census(within)
                }
            };
            sum +=
                census.weigh(case.filter.range(), |level, value| case.filter.weight(level, value));
            known = Some((case.timeout, census));
        }
        Ok(sum)
    }

    /// The configurations in which a case is to be looked for.
    fn within(&mut self, space: &mut Space, case: &Case) -> Result<Set, Obstacle> {
        match case.timeout {
            Some(machine) => self.source.may_time_out(&mut self.store, space, machine),
            None => Ok(self.store.set),
        }
    }

    /// The configurations in which somebody does something of a kind.
    pub(super) fn somebody(&mut self, space: &mut Space, kind: Kind) -> Result<Set, Obstacle> {
        let mut found = Set::EMPTY;
        for case in self.source.cases(&mut self.store, space, kind) {
            let some = self.of_case(space, &case)?;
            let some = self.store.originals(some)?;
            self.store.join(&mut found, some)?;
        }
        self.store.release(found);
        Ok(found)
    }

    fn of_case(&mut self, space: &mut Space, case: &Case) -> Result<Set, Obstacle> {
        let within = self.within(space, case)?;
        self.store.restricted(within, &case.filter)
    }

    /// The configurations in which a send to a queue is cut.
    pub(crate) fn cut(&mut self, space: &mut Space, queue: usize) -> Result<Set, Obstacle> {
        self.somebody(space, Kind::Cut(queue))
    }

    /// The queues to which sends are cut.
    pub(crate) fn stalled(&mut self, space: &mut Space) -> Result<Vec<usize>, Obstacle> {
        let mut stalled = Vec::new();
        for queue in 0..space.n_machines_queues().1 {
            for case in self.source.cases(&mut self.store, space, Kind::Cut(queue)) {
                if !self.of_case(space, &case)?.is_empty() {
                    stalled.push(queue);
                    break;
                }
            }
        }
        Ok(stalled)
    }

    /// A configuration in which the interpreter gave up.
    pub(crate) fn gave_up(&mut self, space: &mut Space) -> Result<Option<Vec<u32>>, Obstacle> {
        let set = self.somebody(space, Kind::Ends(Ends::GAVE_UP))?;
        Ok(self.store.first(set))
    }

    /// The configurations that violate the watched property with this bit.
    pub(crate) fn wrong(&mut self, space: &mut Space, bit: usize) -> Result<Set, Obstacle> {
        let property = self.source.watch(space).0.properties()[bit];
        match property {
            Property::Assert | Property::Divergence | Property::Unhandled => {
                self.somebody(space, Kind::Ends(Ends::violating(property)))
            }
            Property::Deadlock => self.deadlocks(space),
            Property::Reach(_) => self.situations(space, bit),
            _ => unreachable!("bug in Queueproof: {property:?} is not watched"),
        }
    }

    /// Nobody can do anything, and somebody may not rest.
    fn deadlocks(&mut self, space: &mut Space) -> Result<Set, Obstacle> {
        let still = self.source.still(&mut self.store, space)?;
        let mut rest = self.store.hold(still);
        let resting = self.all_marked(space, rest, RESTS)?;
        self.store.subtract(&mut rest, resting)?;
        self.store.release(rest);
        Ok(rest)
    }

    fn situations(&mut self, space: &mut Space, bit: usize) -> Result<Set, Obstacle> {
        let (watch, nobody) = self.source.watch(space);
        let cases: Vec<u128> = watch.cases(bit).filter(|case| nobody & case != 0).collect();
        let mut found = Set::EMPTY;
        for case in cases {
            let some = self.all_marked(space, self.store.set, case)?;
            self.store.join(&mut found, some)?;
        }
        self.store.release(found);
        Ok(found)
    }

    /// The configurations of a set all of whose parts have a mark.
    fn all_marked(&mut self, space: &mut Space, within: Set, mark: u128) -> Result<Set, Obstacle> {
        let mut filter = self.store.filter().real();
        for part in 0..self.store.levels.len() {
            let table = self.source.table(space, part, Look::Marked(mark));
            if table.contains(&0) {
                filter.and(self.store.levels.level(part as u32), table);
            }
        }
        self.store.restricted(within, &filter)
    }

    /// The configurations in which a queue holds more than this many messages.
    pub(crate) fn longer(
        &mut self,
        space: &mut Space,
        queue: usize,
        bound: u32,
    ) -> Result<Set, Obstacle> {
        self.with(space, queue, Look::Longer(queue, bound))
    }

    /// The configurations in which a queue exists.
    pub(crate) fn with_queue(&mut self, space: &mut Space, queue: usize) -> Result<Set, Obstacle> {
        self.with(space, queue, Look::Exists)
    }

    fn with(&mut self, space: &mut Space, queue: usize, look: Look) -> Result<Set, Obstacle> {
        let part = self.source.part_of(space, queue);
        let Some(part) = part.filter(|&part| part < self.store.levels.len()) else {
            return Ok(Set::EMPTY);
        };
        let mut filter = self.store.filter().real();
        filter.and(self.store.levels.level(part as u32), self.source.table(space, part, look));
        self.store.restricted(self.store.set, &filter)
    }

    /// The greatest length of each queue in any configuration.
    pub(crate) fn longest(&self, space: &mut Space) -> Vec<u32> {
        let mut longest = vec![0; space.n_machines_queues().1];
        match space {
            Space::Compiled(compiled) => compiled.longest(&mut longest),
            Space::Turns(turns) => {
                turns.longest_of(&self.store.values(self.store.set), &mut longest);
            }
        }
        longest
    }
}

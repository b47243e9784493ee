//! Shortest runs to configurations, by layers backwards from where they lead.

use qp_base::Budget;
use qp_diagrams::Set;

use super::super::super::symbolic::{Obstacle, obstacle};
use super::super::Turns;
use super::{Course, TurnSet};

impl TurnSet {
    /// The values of the parts of the configurations on a shortest way, within the bound, to one of the target,
    /// which is a part of the set and not empty.
    pub(crate) fn way(
        &mut self,
        turns: &Turns,
        budget: &Budget,
        target: Set,
    ) -> Result<Vec<Vec<u32>>, Obstacle> {
        assert!(!target.is_empty(), "there is somewhere to go to");
        let mut layers = vec![self.diagrams.hold(target)];
        let mut seen = self.diagrams.hold(target);
        let mut left = self.diagrams.hold(self.set);
        let result = self.retreat(turns, budget, &mut layers, (&mut seen, &mut left));
        let way = result.map(|()| self.walk(turns, &layers));
        self.diagrams.release(seen);
        self.diagrams.release(left);
        for layer in layers {
            self.diagrams.release(layer);
        }
        way
    }

    /// Adds layers until one has the initial configuration.
    fn retreat(
        &mut self,
        turns: &Turns,
        budget: &Budget,
        layers: &mut Vec<Set>,
        (seen, left): (&mut Set, &mut Set),
    ) -> Result<(), Obstacle> {
        loop {
            let last = layers[layers.len() - 1];
            if self.diagrams.contains(last, &self.initial) {
                return Ok(());
            }
            self.subtract(left, last)?;
            let before = self.before(turns, budget, last, *left)?;
            let mut before = self.diagrams.hold(before);
            // Twins are left when their originals are not.
            self.subtract(&mut before, *seen)?;
            assert!(!before.is_empty(), "what is in the set can be reached");
            self.join(seen, before)?;
            layers.push(before);
        }
    }

    /// The configurations in which a turn leads to a held set, from those of another held set and their twins.
    pub(super) fn before(
        &mut self,
        turns: &Turns,
        budget: &Budget,
        target: Set,
        from: Set,
    ) -> Result<Set, Obstacle> {
        let mut before = self.diagrams.hold(Set::EMPTY);
        let ordinary = self.events.ids().map(|event| (None, event));
        let timeouts = self.timeouts.clone().into_iter();
        let timeouts = timeouts.map(|(machine, event)| (Some(machine), event));
        for (machine, event) in ordinary.chain(timeouts) {
            let within = match machine {
                Some(machine) => {
                    let may = self.may_time_out(turns, machine)?;
                    let within = self.diagrams.intersection(may, from);
                    within.map_err(|abort| obstacle(abort, None))?
                }
                None => from,
            };
            let Self { diagrams, relations, all_events, .. } = self;
            let mut course = Course { turns, relations, budget, exhausted: None };
            let some = diagrams.pre_image(within, target, event, all_events, &mut course);
            let some = some.map_err(|abort| obstacle(abort, course.exhausted))?;
            self.join(&mut before, some)?;
        }
        let originals = self.originals(before)?;
        self.diagrams.release(before);
        Ok(originals)
    }

    /// Goes from the initial configuration through the layers.
    fn walk(&self, turns: &Turns, layers: &[Set]) -> Vec<Vec<u32>> {
        let mut way = vec![self.levels.by_part(&self.initial)];
        for &layer in layers.iter().rev().skip(1) {
            let looks = turns.looks(&way[way.len() - 1]);
            let after = turns.woods.successors(&turns.slots, &looks, self.bound);
            let is_there =
                |values: &Vec<u32>| self.diagrams.contains(layer, &self.levels.by_level(values));
            let next = after.into_iter().find(is_there);
            way.push(next.expect("a layer leads to the next one"));
        }
        way
    }
}

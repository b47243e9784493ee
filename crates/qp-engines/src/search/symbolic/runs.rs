//! Shortest runs to configurations, by layers backwards from where they lead.

use qp_base::Budget;
use qp_diagrams::{EventId, Moves, Set};

use super::super::compiled::Compiled;
use super::{Obstacle, Symbolic, obstacle};

impl Symbolic {
    /// The values of the parts of the configurations on a shortest way, within the bound, to one of the target,
    /// which is a part of the set and not empty.
    pub(crate) fn way(
        &mut self,
        compiled: &mut Compiled,
        budget: &Budget,
        target: Set,
    ) -> Result<Vec<Vec<u32>>, Obstacle> {
        assert!(!target.is_empty(), "there is somewhere to go to");
        let mut layers = vec![self.diagrams.hold(target)];
        let mut left = self.diagrams.hold(self.set);
        let result = self.retreat(compiled, budget, &mut layers, &mut left);
        let way = result.map(|()| self.walk(compiled, budget, &layers));
        self.diagrams.release(left);
        for layer in layers {
            self.diagrams.release(layer);
        }
        way
    }

    /// Adds layers until one has the initial configuration.
    fn retreat(
        &mut self,
        compiled: &mut Compiled,
        budget: &Budget,
        layers: &mut Vec<Set>,
        left: &mut Set,
    ) -> Result<(), Obstacle> {
        loop {
            let last = layers[layers.len() - 1];
            if self.diagrams.contains(last, &self.initial) {
                return Ok(());
            }
            self.subtract(left, last)?;
            let mut before = self.diagrams.hold(Set::EMPTY);
            for event in self.events.ids() {
                let within = *left;
                let (mut course, events, diagrams) = self.course(compiled, budget);
                let some = diagrams.pre_image(within, last, event, events, &mut course);
                let exhausted = course.exhausted;
                let some = some.map_err(|abort| obstacle(abort, exhausted))?;
                self.join(&mut before, some)?;
            }
            assert!(!before.is_empty(), "what is in the set can be reached");
            layers.push(before);
        }
    }

    /// Goes from the initial configuration through the layers.
    fn walk(&mut self, compiled: &mut Compiled, budget: &Budget, layers: &[Set]) -> Vec<Vec<u32>> {
        let mut tuple = self.initial.clone();
        let mut way = vec![self.levels.by_part(&tuple)];
        for &layer in layers.iter().rev().skip(1) {
            let events: Vec<EventId> = self.events.ids().collect();
            let next = events.into_iter().find_map(|event| {
                let after = self.after(compiled, budget, event, &tuple);
                after.into_iter().find(|tuple| self.diagrams.contains(layer, tuple))
            });
            tuple = next.expect("a layer leads to the next one");
            way.push(self.levels.by_part(&tuple));
        }
        way
    }

    /// What an event makes of a tuple.
    fn after(
        &mut self,
        compiled: &mut Compiled,
        budget: &Budget,
        event: EventId,
        tuple: &[u32],
    ) -> Vec<Vec<u32>> {
        let touches = self.events.event(event).touches().to_vec();
        let (mut course, _, _) = self.course(compiled, budget);
        let mut all = vec![tuple.to_vec()];
        let mut values = Vec::new();
        for touch in touches {
            values.clear();
            if course.leads(touch.relation, tuple[touch.level]) {
                course.next(touch.relation, tuple[touch.level], &mut values);
            }
            let change = |old: &Vec<u32>| {
                let with = |&value: &u32| {
                    let mut new = old.clone();
                    new[touch.level] = value;
                    new
                };
                values.iter().map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(change).collect();
        }
        all
    }
}

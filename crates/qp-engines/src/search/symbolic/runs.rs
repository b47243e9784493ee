//! Shortest runs to configurations, by layers backwards from where they lead.

use qp_base::Budget;
use qp_diagrams::{EventId, Set};

use super::super::space::Space;
use super::{DiagramSet, Obstacle};

impl DiagramSet {
    /// The values of the parts of the configurations on a shortest way, within the bound, to one of the target,
    /// which is a part of the set and not empty.
    pub(crate) fn way(
        &mut self,
        space: &mut Space,
        budget: &Budget,
        target: Set,
    ) -> Result<Vec<Vec<u32>>, Obstacle> {
        assert!(!target.is_empty(), "there is somewhere to go to");
        let mut layers = vec![self.store.hold(target)];
        let mut left = self.store.hold(self.store.set);
        let result = self.retreat(space, budget, &mut layers, &mut left);
        let way = result.map(|()| self.walk(space, &layers));
        self.store.release(left);
        for layer in layers {
            self.store.release(layer);
        }
        way
    }

    /// Adds layers until one has the initial configuration.
    fn retreat(
        &mut self,
        space: &mut Space,
        budget: &Budget,
        layers: &mut Vec<Set>,
        left: &mut Set,
    ) -> Result<(), Obstacle> {
        let initial = self.store.tuple(&self.initial);
        loop {
            let last = layers[layers.len() - 1];
            if self.store.diagrams.contains(last, &initial) {
                return Ok(());
            }
            self.store.subtract(left, last)?;
            let mut layer = Set::EMPTY;
            for event in self.source.happenings(&self.store.events) {
                let some = self.before(space, budget, event, (last, *left))?;
                self.store.join(&mut layer, some)?;
            }
            assert!(!layer.is_empty(), "what is in the set can be reached");
            layers.push(layer);
        }
    }

    /// The configurations of a held set, which has the twins of all of them, in which an event leads to another held
    /// set.
    pub(super) fn before(
        &mut self,
        space: &mut Space,
        budget: &Budget,
        (event, timeout): (EventId, Option<usize>),
        (target, from): (Set, Set),
    ) -> Result<Set, Obstacle> {
        let Self { store, source, .. } = self;
        let within = match timeout {
            Some(machine) => {
                let may = source.may_time_out(store, space, machine)?;
                store.diagrams.intersection(may, from)?
            }
            None => from,
        };
        let before = store.fire(&mut **source, space, budget, |diagrams, events, moves| {
            diagrams.pre_image(within, target, event, events, moves)
        })?;
        if !store.twins {
            return Ok(before);
        }
        // Twins are left when their originals are not.
        let originals = store.originals(before)?;
        Ok(store.diagrams.intersection(originals, from)?)
    }

    /// Goes from the initial configuration through the layers.
    fn walk(&mut self, space: &mut Space, layers: &[Set]) -> Vec<Vec<u32>> {
        let mut values = self.initial.clone();
        values.resize(self.store.levels.len(), 0);
        let mut way = vec![values];
        for &layer in layers.iter().rev().skip(1) {
            let after = self.source.successors(&self.store, space, &way[way.len() - 1]);
            let is_there =
                |values: &Vec<u32>| self.store.diagrams.contains(layer, &self.store.tuple(values));
            way.push(after.into_iter().find(is_there).expect("a layer leads to the next one"));
        }
        way
    }
}

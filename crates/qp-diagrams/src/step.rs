//! What one event makes of a set, and where it can have come from.

use crate::cache::Op;
use crate::events::{EventId, Events, Moves};
use crate::saturate::Course;
use crate::store::{Abort, Diagrams, EMPTY, NodeId, Set};

impl Diagrams {
    /// The tuples that an event makes of the tuples of a set.
    pub fn image(
        &mut self,
        set: Set,
        event: EventId,
        events: &mut Events,
        moves: &mut dyn Moves,
    ) -> Result<Set, Abort> {
        let mut course = Course::new(events, moves);
        self.operate(&[set], |it| it.advance(event, 0, set.0, &mut course)).map(Set)
    }

    /// The tuples of `within` of which an event can make a tuple of `target`.
    pub fn pre_image(
        &mut self,
        within: Set,
        target: Set,
        event: EventId,
        events: &mut Events,
        moves: &mut dyn Moves,
    ) -> Result<Set, Abort> {
        let mut course = Course::new(events, moves);
        let operation = |it: &mut Self| it.retreat(event, 0, (within.0, target.0), &mut course);
        self.operate(&[within, target], operation).map(Set)
    }

    fn advance(
        &mut self,
        event: EventId,
        place: usize,
        node: NodeId,
        course: &mut Course<'_>,
    ) -> Result<NodeId, Abort> {
        let Some(touch) = course.events.touch(event, place) else { return Ok(node) };
        if node == EMPTY {
            return Ok(EMPTY);
        }
        if let Some(known) = self.known(Op::Image(event.0), node, EMPTY) {
            return Ok(known);
        }
        self.spend(self.n_arcs(node))?;
        course.ask(self)?;
        let level = self.level(node);
        self.open_frame(level);
        for number in 0..self.n_arcs(node) {
            let (value, child) = self.arc(node, number);
            if level as usize > touch.level {
                let after = self.advance(event, place, child, course)?;
                self.put(value, after)?;
                continue;
            }
            if self.answers.leads(touch.relation, value, course.moves) {
                let after = self.advance(event, place + 1, child, course)?;
                self.put_all(touch, value, after, course)?;
            }
        }
        let result = self.close_frame(level)?;
        self.cache.set(Op::Image(event.0), node, EMPTY, result);
        Ok(result)
    }

    /// Follows both sets at once, so that no relation has to be known backwards.
    fn retreat(
        &mut self,
        event: EventId,
        place: usize,
        (within, target): (NodeId, NodeId),
        course: &mut Course<'_>,
    ) -> Result<NodeId, Abort> {
        if within == EMPTY || target == EMPTY {
            return Ok(EMPTY);
        }
        let Some(touch) = course.events.touch(event, place) else {
            return self.meet(within, target);
        };
        let op = Op::PreImage(event.0);
        if let Some(known) = self.known(op, within, target) {
            return Ok(known);
        }
        self.spend(self.n_arcs(within))?;
        course.ask(self)?;
        let level = self.level(within);
        self.open_frame(level);
        for number in 0..self.n_arcs(within) {
            let (value, child) = self.arc(within, number);
            if level as usize > touch.level {
                let pair = (child, self.child(target, value));
                let before = self.retreat(event, place, pair, course)?;
                self.put(value, before)?;
                continue;
            }
            let base = course.found.len();
            self.answers.next(touch.relation, value, course.moves, &mut course.found);
            for number in base..course.found.len() {
                let pair = (child, self.child(target, course.found[number]));
                let before = self.retreat(event, place + 1, pair, course)?;
                self.put(value, before)?;
            }
            course.found.truncate(base);
        }
        let result = self.close_frame(level)?;
        self.cache.set(op, within, target, result);
        Ok(result)
    }
}

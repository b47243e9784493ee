//! Closing a set under events, level by level.
//!
//! A node is *saturated* if what it stands for is closed under all events that touch no level above it. An
//! event is fired in a node whose level is the highest that it touches; what comes of it below is
//! saturated before it is used. The closure of a union is the union of the closures, because events happen to
//! single tuples; so saturated nodes can be joined.
//!
//! Events may be discovered on the way. A node that is finished has only values that were met before, and a new
//! event is impossible for those, so it stays saturated; nodes under construction look at their events anew
//! whenever something in them has changed.

use crate::cache::Op;
use crate::events::{EventId, Events, Moves, Touch};
use crate::store::{Abort, Diagrams, EMPTY, NodeId, Set, UNIT};

/// What a run of operations about events needs besides the nodes.
pub(crate) struct Course<'a> {
    pub(crate) events: &'a mut Events,
    pub(crate) moves: &'a mut dyn Moves,
    /// Values that relations lead to, for all calls under way.
    pub(crate) found: Vec<u32>,
    n_asked: u32,
}

impl<'a> Course<'a> {
    pub(crate) fn new(events: &'a mut Events, moves: &'a mut dyn Moves) -> Self {
        Self { events, moves, found: Vec::new(), n_asked: 0 }
    }

    /// Asks now and then whether to go on.
    pub(crate) fn ask(&mut self, diagrams: &Diagrams) -> Result<(), Abort> {
        let go_on = !self.n_asked.is_multiple_of(1 << 12)
            || self.moves.may_go_on(diagrams.n_nodes(), diagrams.bytes());
        self.n_asked = self.n_asked.wrapping_add(1);
        if go_on { Ok(()) } else { Err(Abort::Stopped) }
    }
}

impl Diagrams {
    /// The least set that contains `set` and everything that events make of its tuples.
    pub fn saturate(
        &mut self,
        set: Set,
        events: &mut Events,
        moves: &mut dyn Moves,
    ) -> Result<Set, Abort> {
        let mut course = Course::new(events, moves);
        self.operate(&[set], |it| it.close(set.0, &mut course)).map(Set)
    }

    fn close(&mut self, node: NodeId, course: &mut Course<'_>) -> Result<NodeId, Abort> {
        if node <= UNIT {
            return Ok(node);
        }
        if let Some(known) = self.known(Op::Saturate, node, EMPTY) {
            return Ok(known);
        }
        self.spend(self.n_arcs(node))?;
        let level = self.level(node);
        self.open_frame(level);
        for number in 0..self.n_arcs(node) {
            let (value, child) = self.arc(node, number);
            let child = self.close(child, course)?;
            self.put(value, child)?;
        }
        let result = self.exhaust(level, course)?;
        self.cache.set(Op::Saturate, node, EMPTY, result);
        // It is closed already.
        self.cache.set(Op::Saturate, result, EMPTY, result);
        Ok(result)
    }

    /// Finishes the node that was begun last, whose children are saturated, so that it is saturated.
    fn exhaust(&mut self, level: u32, course: &mut Course<'_>) -> Result<NodeId, Abort> {
        while let Some((place, value)) = self.frame().next_changed() {
            course.ask(self)?;
            course.moves.meet(level as usize, value, course.events);
            if course.moves.is_late() {
                return Err(Abort::Stopped);
            }
            self.spend(0)?;
            let mut number = 0;
            while let Some(event) = self.able(level, value, number, course) {
                number += 1;
                self.happen(event, place, value, course)?;
            }
        }
        self.close_frame(level)
    }

    fn able(
        &mut self,
        level: u32,
        value: u32,
        number: usize,
        course: &mut Course<'_>,
    ) -> Option<EventId> {
        self.answers.able(level, value, number, course.events, course.moves)
    }

    /// Lets an event happen where the node that was begun last has this value.
    fn happen(
        &mut self,
        event: EventId,
        place: usize,
        value: u32,
        course: &mut Course<'_>,
    ) -> Result<(), Abort> {
        let touch = course.events.touch(event, 0).expect("an event touches something");
        let child = self.frame().child(place);
        let after = self.fire(event, 1, child, course)?;
        self.put_all(touch, value, after, course)
    }

    /// What an event makes of a node, saturated; `place` is the first of its touches that is not above.
    fn fire(
        &mut self,
        event: EventId,
        place: usize,
        node: NodeId,
        course: &mut Course<'_>,
    ) -> Result<NodeId, Abort> {
        let Some(touch) = course.events.touch(event, place) else { return Ok(node) };
        if let Some(known) = self.known(Op::Fire(event.0), node, EMPTY) {
            return Ok(known);
        }
        self.spend(self.n_arcs(node))?;
        let level = self.level(node);
        self.open_frame(level);
        let mut is_same = true;
        for number in 0..self.n_arcs(node) {
            let (value, child) = self.arc(node, number);
            if level as usize > touch.level {
                let after = self.fire(event, place, child, course)?;
                is_same &= after == child;
                self.put(value, after)?;
                continue;
            }
            is_same &= self.answers.leads(touch.relation, value, course.moves) && {
                let after = self.fire(event, place + 1, child, course)?;
                self.put_all(touch, value, after, course)?;
                after == child && self.answers.keeps(touch.relation, value)
            };
        }
        let result = if is_same {
            // What only asks, and is answered with yes everywhere, leaves what is saturated already.
            self.drop_frame(level);
            node
        } else if self.frame().is_empty() {
            self.close_frame(level)?
        } else {
            self.exhaust(level, course)?
        };
        self.cache.set(Op::Fire(event.0), node, EMPTY, result);
        Ok(result)
    }

    /// Lets a node follow all values that a relation leads to, in the node that was begun last.
    pub(crate) fn put_all(
        &mut self,
        touch: Touch,
        value: u32,
        after: NodeId,
        course: &mut Course<'_>,
    ) -> Result<(), Abort> {
        if after == EMPTY {
            return Ok(());
        }
        let base = course.found.len();
        self.answers.next(touch.relation, value, course.moves, &mut course.found);
        self.pins.push(after);
        for number in base..course.found.len() {
            self.put(course.found[number], after)?;
        }
        self.pins.pop();
        course.found.truncate(base);
        Ok(())
    }
}

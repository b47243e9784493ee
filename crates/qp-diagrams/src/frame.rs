//! A node under construction.

use qp_base::Map;

use crate::store::{Arc, EMPTY, NodeId};

/// Values with what follows them, in the order in which they came, and which of them have changed.
#[derive(Default)]
pub(crate) struct Frame {
    entries: Vec<Entry>,
    /// For each value: where it is, if it is there.
    places: Vec<u32>,
    /// The same for values that are too great for a table.
    far: Map<u32, u32>,
    changed: Vec<u32>,
}

struct Entry {
    value: u32,
    child: NodeId,
    is_changed: bool,
}

/// Values are numbered from zero on, so a table of them is no larger than what they stand for; but those who rename
/// them may do as they like.
pub(crate) const NEAR: u32 = 1 << 20;
const ABSENT: u32 = u32::MAX;

impl Frame {
    /// The place of a value; what follows a new one is empty.
    #[inline]
    pub(crate) fn entry(&mut self, value: u32) -> usize {
        match self.places.get(value as usize) {
            Some(&place) if place != ABSENT => place as usize,
            _ => self.entry_far(value),
        }
    }

    fn entry_far(&mut self, value: u32) -> usize {
        let place = self.entries.len() as u32;
        if value < NEAR {
            if value as usize >= self.places.len() {
                self.places.resize((value as usize + 1).next_power_of_two(), ABSENT);
            }
            self.places[value as usize] = place;
        } else {
            let known = *self.far.entry(value).or_insert(place);
            if known != place {
                return known as usize;
            }
        }
        self.entries.push(Entry { value, child: EMPTY, is_changed: false });
        place as usize
    }

    pub(crate) fn child(&self, place: usize) -> NodeId {
        self.entries[place].child
    }

    pub(crate) fn change(&mut self, place: usize, child: NodeId) {
        let entry = &mut self.entries[place];
        entry.child = child;
        if !entry.is_changed {
            entry.is_changed = true;
            self.changed.push(place as u32);
        }
    }

    /// A place that has changed since it was asked for the last time, with its value.
    pub(crate) fn next_changed(&mut self) -> Option<(usize, u32)> {
        let place = self.changed.pop()? as usize;
        self.entries[place].is_changed = false;
        Some((place, self.entries[place].value))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn children(&self) -> impl Iterator<Item = NodeId> {
        self.entries.iter().map(|entry| entry.child)
    }

    /// Gives the arcs away, in any order, and is empty again.
    pub(crate) fn drain_into(&mut self, arcs: &mut Vec<Arc>) {
        for entry in self.entries.drain(..) {
            if let Some(place) = self.places.get_mut(entry.value as usize) {
                *place = ABSENT;
            }
            arcs.push((entry.value, entry.child));
        }
        self.far.clear();
        self.changed.clear();
    }
}

//! A node under construction.

use qp_base::Map;

use crate::store::{Arc, EMPTY, NodeId};

/// Values with what follows them, in the order in which they came, and which of them have changed.
#[derive(Default)]
pub(crate) struct Frame {
    entries: Vec<Entry>,
    /// Where each value is, once there are many.
    places: Map<u32, u32>,
    changed: Vec<u32>,
}

struct Entry {
    value: u32,
    child: NodeId,
    is_changed: bool,
}

/// So many values are looked through faster than they are looked up.
const FEW: usize = 12;

impl Frame {
    /// The place of a value; what follows a new one is empty.
    pub(crate) fn entry(&mut self, value: u32) -> usize {
        if self.entries.len() <= FEW {
            let known = self.entries.iter().position(|entry| entry.value == value);
            return known.unwrap_or_else(|| self.add(value));
        }
        match self.places.get(&value) {
            Some(&place) => place as usize,
            None => self.add(value),
        }
    }

    fn add(&mut self, value: u32) -> usize {
        self.entries.push(Entry { value, child: EMPTY, is_changed: false });
        let n = self.entries.len();
        if n == FEW + 1 {
            let places = self.entries.iter().zip(0..);
            self.places.extend(places.map(|(entry, place)| (entry.value, place)));
        } else if n > FEW {
            self.places.insert(value, n as u32 - 1);
        }
        n - 1
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
        arcs.extend(self.entries.drain(..).map(|entry| (entry.value, entry.child)));
        self.places.clear();
        self.changed.clear();
    }
}

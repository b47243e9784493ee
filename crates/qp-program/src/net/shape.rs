//! Which machines and events may be inside of a value.

use std::collections::BTreeSet;

use qp_base::define_index;

use crate::{EventId, Value};

define_index!(CopyId, "copy", "A machine, or all machines that are created at one place.");

/// Values that are nested more deeply than this are not told apart any more.
const DEPTH_MAX: usize = 6;

/// Which machines and events may be where in a value. It forgets how many entries collections have.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Shape {
    /// The machines that the value itself may be.
    pub(super) machines: BTreeSet<CopyId>,
    /// The events that the value itself may be.
    pub(super) events: BTreeSet<EventId>,
    /// What the parts of a tuple or record may be, by position.
    parts: Vec<Shape>,
    /// What the keys of a map may be.
    keys: Option<Box<Shape>>,
    /// What the entries of a sequence or set, or the values of a map, may be.
    items: Option<Box<Shape>>,
    /// Whether these machines and events may also be anywhere inside.
    deep: bool,
}

impl Shape {
    /// A machine.
    pub(super) fn machine(copy: CopyId) -> Self {
        Self { machines: BTreeSet::from([copy]), ..Self::default() }
    }

    /// A tuple or record.
    pub(super) fn tuple(parts: Vec<Self>) -> Self {
        Self { parts, ..Self::default() }
    }

    /// A sequence or set with such entries.
    pub(super) fn collection(items: Self) -> Self {
        Self { items: Some(Box::new(items)), ..Self::default() }
    }

    /// A map with such keys.
    pub(super) fn keyed(keys: Self) -> Self {
        Self { keys: Some(Box::new(keys)), ..Self::default() }
    }

    /// The events that the value itself may be; `null` is none.
    pub(super) fn named_events(&self) -> Vec<EventId> {
        self.events.iter().copied().filter(|&it| it != EventId::NULL).collect()
    }

    /// A value of the user's text.
    pub(super) fn of_value(value: &Value) -> Self {
        let all = |values: &[Value]| {
            let mut items = Self::default();
            for value in values {
                items.join(&Self::of_value(value));
            }
            items
        };
        match value {
            Value::Event(event) => Self { events: BTreeSet::from([*event]), ..Self::default() },
            Value::Machine(..) => unreachable!("bug in Queueproof: a program names a machine"),
            Value::Tuple(parts) | Value::Record(_, parts) => {
                Self::tuple(parts.iter().map(Self::of_value).collect())
            }
            Value::Seq(values) | Value::Set(values) => Self::collection(all(values)),
            Value::Map(entries) => {
                let (mut keys, mut items) = (Self::default(), Self::default());
                for (key, value) in entries.iter() {
                    keys.join(&Self::of_value(key));
                    items.join(&Self::of_value(value));
                }
                Self { keys: Some(Box::new(keys)), items: Some(Box::new(items)), ..Self::default() }
            }
            _ => Self::default(),
        }
    }

    /// A part of a tuple or record.
    pub(super) fn part(&self, number: u32) -> Self {
        let part = self.parts.get(number as usize).cloned().unwrap_or_default();
        self.inside(part)
    }

    /// An entry of a sequence or set, or a value of a map.
    pub(super) fn item(&self) -> Self {
        self.inside(self.items.as_deref().cloned().unwrap_or_default())
    }

    /// A key of a map.
    pub(super) fn key(&self) -> Self {
        self.inside(self.keys.as_deref().cloned().unwrap_or_default())
    }

    fn inside(&self, found: Self) -> Self {
        if !self.deep {
            return found;
        }
        let (machines, events) = (self.machines.clone(), self.events.clone());
        Self { machines, events, deep: true, ..Self::default() }
    }

    /// Allows the other as well; whether that is new.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        self.join_at(other, 0)
    }

    /// Allows the other as a part; whether that is new.
    pub(super) fn join_part(&mut self, number: u32, other: &Self) -> bool {
        let mut parts = vec![Self::default(); number as usize];
        parts.push(other.clone());
        self.join(&Self::tuple(parts))
    }

    /// Allows an entry under a key; whether that is new.
    pub(super) fn join_entry(&mut self, key: Option<&Self>, item: &Self) -> bool {
        let keys = key.cloned().map(Box::new);
        self.join(&Self { keys, ..Self::collection(item.clone()) })
    }

    fn join_at(&mut self, other: &Self, depth: usize) -> bool {
        let before = (self.machines.len(), self.events.len(), self.deep);
        self.machines.extend(&other.machines);
        self.events.extend(&other.events);
        let is_nested = |it: &Self| !it.parts.is_empty() || it.keys.is_some() || it.items.is_some();
        if self.deep || other.deep || depth >= DEPTH_MAX && is_nested(other) {
            let (mut own, mut others) = (self.clone(), other.clone());
            own.spill(self);
            others.spill(self);
            (self.parts, self.keys, self.items, self.deep) = (Vec::new(), None, None, true);
            return before != (self.machines.len(), self.events.len(), true);
        }
        let mut changed = before != (self.machines.len(), self.events.len(), false);
        if self.parts.len() < other.parts.len() {
            self.parts.resize(other.parts.len(), Self::default());
            changed = true;
        }
        for (part, other) in self.parts.iter_mut().zip(&other.parts) {
            changed |= part.join_at(other, depth + 1);
        }
        for (mine, other) in [(&mut self.keys, &other.keys), (&mut self.items, &other.items)] {
            let Some(other) = other else { continue };
            changed |= mine.is_none();
            changed |= mine.get_or_insert_default().join_at(other, depth + 1);
        }
        changed
    }

    /// Adds all machines and events that are anywhere inside.
    fn spill(&mut self, into: &mut Self) {
        into.machines.append(&mut self.machines);
        into.events.append(&mut self.events);
        self.parts.iter_mut().for_each(|it| it.spill(into));
        self.keys.iter_mut().for_each(|it| it.spill(into));
        self.items.iter_mut().for_each(|it| it.spill(into));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(number: u32) -> Shape {
        Shape::machine(CopyId::from_raw(number))
    }

    #[test]
    fn parts_are_told_apart() {
        let mut pair = Shape::tuple(vec![machine(1), machine(2)]);
        assert!(!pair.join(&Shape::tuple(vec![machine(1)])));
        assert!(pair.join_part(1, &machine(3)));
        assert_eq!(pair.part(0), machine(1));
        let mut second = machine(2);
        second.join(&machine(3));
        assert_eq!(pair.part(1), second);
        assert_eq!(pair.part(2), Shape::default());
    }

    #[test]
    fn keys_and_items_are_told_apart() {
        let mut map = Shape::default();
        assert!(map.join_entry(Some(&machine(1)), &machine(2)));
        assert_eq!((map.key(), map.item()), (machine(1), machine(2)));
    }

    /// A value that contains itself again and again ends as one that may contain anything in it anywhere.
    #[test]
    fn nesting_has_an_end() {
        let mut value = machine(1);
        let mut rounds = 0;
        while value.join(&Shape::tuple(vec![value.clone(), machine(2)])) {
            rounds += 1;
            assert!(rounds < 20);
        }
        for _ in 0..10 {
            value = value.part(0);
        }
        let both = BTreeSet::from([CopyId::from_raw(1), CopyId::from_raw(2)]);
        assert_eq!((&value.machines, &value.part(7).machines), (&both, &both));
    }
}

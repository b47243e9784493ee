//! What instructions do with numbers: the table of uses.

use std::collections::BTreeSet;

use qp_machines::{ClassId, FlowNode, SlotId, Use};

use crate::{EventId, Value};

use super::shape::Shape;

/// Constants beyond this are not followed, and of those that are added none beyond that: so numbers are far from where
/// they wrap around.
const CONSTANT_MAX: i64 = 1 << 40;
pub(super) const ADDED_MAX: i64 = 1 << 20;

/// What was written down so far.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub(super) same: BTreeSet<(SlotId, SlotId)>,
    pub(super) alike: BTreeSet<(ClassId, ClassId)>,
    pub(super) counted: BTreeSet<ClassId>,
    pub(super) nodes: Vec<FlowNode>,
    /// The node of the instruction that is looked at.
    pub(super) at: usize,
    /// Events that are values, not only what is sent where they stand.
    pub(super) loose: BTreeSet<EventId>,
}

impl Uses {
    /// A number in this slot is used here.
    pub(super) fn note(&mut self, slot: SlotId, it: Use) {
        let uses = &mut self.nodes[self.at].uses;
        if !uses.contains(&(slot, it)) {
            uses.push((slot, it));
        }
    }

    /// Notes a use of every number in a value.
    fn each(&mut self, shape: &Shape, it: Use) {
        if let Shape::Number(slot) = shape {
            self.note(*slot, it);
        }
        for part in shape.inner() {
            self.each(part, it);
        }
    }

    /// Nobody knows what becomes of a value, or where it comes from.
    pub(super) fn other(&mut self, shape: &Shape) {
        self.each(shape, Use::Other);
        self.count_inside(shape);
    }

    fn count_inside(&mut self, shape: &Shape) {
        if let Shape::Set(class, _) | Shape::Map(class, _) = shape {
            self.counted.insert(*class);
        }
        for part in shape.inner() {
            self.count_inside(part);
        }
    }

    /// Values are compared as a whole, or looked for.
    pub(super) fn equal(&mut self, shape: &Shape) {
        self.each(shape, Use::Equal);
        self.count_inside(shape);
        self.size_inside(shape);
    }

    fn size_inside(&mut self, shape: &Shape) {
        if let Shape::Set(_, key) = shape {
            self.each(key, Use::Size);
        } else if let Shape::Map(_, of) = shape {
            self.each(&of.0, Use::Size);
        }
        for part in shape.inner() {
            self.size_inside(part);
        }
    }

    /// The entries of a collection are counted or drawn; gone through in order with [`Use::Walk`].
    pub(super) fn count(&mut self, shape: &Shape, it: Use) {
        match shape {
            Shape::Set(class, of) => {
                self.counted.insert(*class);
                self.each(of, it);
            }
            Shape::Map(class, of) => {
                self.counted.insert(*class);
                self.each(&of.0, it);
            }
            _ => {}
        }
    }

    /// A value is copied, or compared with another one.
    pub(super) fn join(&mut self, one: &Shape, other: &Shape) {
        match (one, other) {
            (Shape::Const(_), Shape::Const(_)) | (Shape::Opaque, Shape::Opaque) => {}
            (Shape::Const(value), shape) | (shape, Shape::Const(value)) => {
                self.literal(shape, value);
            }
            (Shape::Number(a), Shape::Number(b)) => {
                if a != b {
                    self.same.insert((*a.min(b), *a.max(b)));
                }
            }
            (Shape::Tuple(a), Shape::Tuple(b)) if a.len() == b.len() => {
                for (a, b) in a.iter().zip(b) {
                    self.join(a, b);
                }
            }
            (Shape::Seq(a), Shape::Seq(b)) => self.join(a, b),
            (Shape::Set(c, a), Shape::Set(d, b)) => {
                self.alike.insert((*c.min(d), *c.max(d)));
                self.join(a, b);
            }
            (Shape::Map(c, a), Shape::Map(d, b)) => {
                self.alike.insert((*c.min(d), *c.max(d)));
                self.join(&a.0, &b.0);
                self.join(&a.1, &b.1);
            }
            (one, other) => {
                self.other(one);
                self.other(other);
            }
        }
    }

    /// A value is this one, or is compared with it.
    pub(super) fn literal(&mut self, shape: &Shape, value: &Value) {
        match (shape, value) {
            (Shape::Opaque | Shape::Const(_), _) | (_, Value::Null) => {}
            (Shape::Number(slot), Value::Int(number)) => {
                self.constant(*slot, *number, Use::Literal);
            }
            (Shape::Tuple(shapes), Value::Tuple(values) | Value::Record(_, values))
                if shapes.len() == values.len() =>
            {
                for (shape, value) in shapes.iter().zip(&**values) {
                    self.literal(shape, value);
                }
            }
            (Shape::Seq(of), Value::Seq(values)) => {
                for value in &**values {
                    self.literal(of, value);
                }
            }
            (Shape::Set(_, of), Value::Set(values)) => {
                for value in &**values {
                    self.literal(of, value);
                }
                self.equal(of);
            }
            (Shape::Map(_, of), Value::Map(entries)) => {
                for (key, value) in &**entries {
                    self.literal(&of.0, key);
                    self.literal(&of.1, value);
                }
                self.equal(&of.0);
            }
            _ => self.other(shape),
        }
    }

    /// A use of a number with a constant, unless it is too large.
    pub(super) fn constant(&mut self, slot: SlotId, number: i64, it: fn(i64) -> Use) {
        let is_small = (-CONSTANT_MAX..=CONSTANT_MAX).contains(&number);
        self.note(slot, if is_small { it(number) } else { Use::Other });
    }
}

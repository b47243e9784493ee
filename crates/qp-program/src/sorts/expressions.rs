//! What expressions do with numbers, and where their values come from.

use std::collections::BTreeSet;

use qp_machines::{SlotId, Use};

use crate::{EventId, Expr, Op, Projection, Root, Value};

use super::facts::{Facts, Here};
use super::shape::Shape;
use super::uses::ADDED_MAX;

impl Facts<'_> {
    pub(super) fn place(&mut self, here: Here, root: Root, path: &[Projection]) -> Shape {
        let mut shape = match root {
            Root::Register(register) => self.registers[here.1][register.index()].clone(),
            Root::Field(field) => self.fields[here.0][field.index()].clone(),
        };
        for step in path {
            shape = match step {
                Projection::Part(number) => part(shape, *number),
                Projection::Index(index, _) => {
                    let index = self.expr(here, index);
                    self.entry(shape, &index)
                }
            };
        }
        shape
    }

    /// An entry of a collection.
    fn entry(&mut self, of: Shape, index: &Shape) -> Shape {
        match of {
            Shape::Seq(item) => {
                self.position(index);
                *item
            }
            Shape::Set(_, ref item) => {
                self.position(index);
                self.uses.count(&of, Use::Walk);
                (**item).clone()
            }
            Shape::Map(_, both) => {
                self.look_up(&both.0, index);
                both.1
            }
            of => {
                self.uses.other(&of);
                self.position(index);
                Shape::Opaque
            }
        }
    }

    pub(super) fn expr(&mut self, here: Here, expr: &Expr) -> Shape {
        match expr {
            Expr::Const(value) => {
                loose_events(value, &mut self.uses.loose);
                Shape::Const(value.clone())
            }
            Expr::Register(register) => self.registers[here.1][register.index()].clone(),
            Expr::Field(field) => self.fields[here.0][field.index()].clone(),
            Expr::This => Shape::Opaque,
            Expr::Not(e) => {
                self.expr(here, e);
                Shape::Opaque
            }
            Expr::Negate(e) => match self.expr(here, e) {
                Shape::Const(Value::Int(number)) if number.abs_diff(0) < 1 << 62 => {
                    Shape::Const(Value::Int(-number))
                }
                of => {
                    self.uses.other(&of);
                    Shape::Opaque
                }
            },
            Expr::And(a, b) | Expr::Or(a, b) => {
                self.expr(here, a);
                self.expr(here, b);
                Shape::Opaque
            }
            Expr::Binary { op, left, right, .. } => {
                let (left, right) = (self.expr(here, left), self.expr(here, right));
                self.binary(*op, left, right)
            }
            Expr::Tuple(parts) | Expr::Record(_, parts) => {
                Shape::Tuple(parts.iter().map(|it| self.expr(here, it)).collect())
            }
            Expr::Part(of, number) => part(self.expr(here, of), *number),
            Expr::Index { of, index, .. } => {
                let (of, index) = (self.expr(here, of), self.expr(here, index));
                self.entry(of, &index)
            }
            Expr::Keys(of) => self.listed(here, of, |both| both.0),
            Expr::Values(of) => self.listed(here, of, |both| both.1),
            Expr::Size(of) => {
                let of = self.expr(here, of);
                self.uses.count(&of, Use::Size);
                Shape::Opaque
            }
            Expr::Contains { item, of } => {
                let (item, of) = (self.expr(here, item), self.expr(here, of));
                match &of {
                    Shape::Seq(key) | Shape::Set(_, key) => self.look_up(key, &item),
                    Shape::Map(_, both) => self.look_up(&both.0, &item),
                    _ => {
                        self.uses.other(&of);
                        self.uses.other(&item);
                    }
                }
                Shape::Opaque
            }
            Expr::Cast { value, .. } => self.expr(here, value),
            Expr::ToInt(e) | Expr::ToFloat(e) => {
                let of = self.expr(here, e);
                self.uses.other(&of);
                Shape::Opaque
            }
            Expr::Format(_, values) => {
                Shape::Text(values.iter().map(|it| self.expr(here, it)).collect())
            }
        }
    }

    /// The keys or values of a map, in the order of the keys.
    fn listed(&mut self, here: Here, of: &Expr, which: fn((Shape, Shape)) -> Shape) -> Shape {
        let of = self.expr(here, of);
        self.uses.count(&of, Use::Walk);
        match of {
            Shape::Map(_, both) => Shape::Seq(Box::new(which(*both))),
            of => {
                self.uses.other(&of);
                Shape::Opaque
            }
        }
    }

    fn binary(&mut self, op: Op, left: Shape, right: Shape) -> Shape {
        match (op, left, right) {
            (Op::Equal | Op::NotEqual, left, right) => {
                self.uses.join(&left, &right);
                for side in [&left, &right] {
                    // A single number that is compared with a constant is not compared with another one.
                    let plain = matches!(left, Shape::Const(_)) || matches!(right, Shape::Const(_));
                    if !(plain && matches!(side, Shape::Number(_))) {
                        self.uses.equal(side);
                    }
                }
            }
            (Op::Less | Op::GreaterEqual, Shape::Number(it), Shape::Const(Value::Int(than)))
            | (Op::Greater | Op::LessEqual, Shape::Const(Value::Int(than)), Shape::Number(it)) => {
                self.uses.constant(it, than, Use::Cut);
            }
            (Op::LessEqual | Op::Greater, Shape::Number(it), Shape::Const(Value::Int(than)))
            | (Op::GreaterEqual | Op::Less, Shape::Const(Value::Int(than)), Shape::Number(it)) => {
                self.uses.constant(it, than.saturating_add(1), Use::Cut);
            }
            (
                Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual,
                Shape::Number(a),
                Shape::Number(b),
            ) => {
                self.uses.join(&Shape::Number(a), &Shape::Number(b));
                self.uses.note(a, Use::Order);
            }
            (Op::Add, Shape::Number(to), Shape::Const(Value::Int(by)))
            | (Op::Add, Shape::Const(Value::Int(by)), Shape::Number(to)) => {
                return self.shift(to, by);
            }
            (Op::Subtract, Shape::Number(to), Shape::Const(Value::Int(by))) => {
                return self.shift(to, by.saturating_neg());
            }
            (_, left, right) => {
                self.uses.other(&left);
                self.uses.other(&right);
            }
        }
        Shape::Opaque
    }

    fn shift(&mut self, slot: SlotId, by: i64) -> Shape {
        if !self.adds() || !(-ADDED_MAX..=ADDED_MAX).contains(&by) {
            self.uses.note(slot, Use::Other);
            return Shape::Opaque;
        }
        match by {
            0 => {}
            1.. => self.uses.note(slot, Use::Shift),
            _ => self.uses.note(slot, Use::Back),
        }
        Shape::Number(slot)
    }

    /// A value is a position in a sequence.
    pub(super) fn position(&mut self, value: &Shape) {
        if !matches!(value, Shape::Const(_)) {
            self.uses.other(value);
        }
    }

    /// A value is a key or an element.
    pub(super) fn look_up(&mut self, key: &Shape, value: &Shape) {
        self.uses.join(key, value);
        self.uses.equal(key);
    }
}

fn part(of: Shape, number: u32) -> Shape {
    match of {
        Shape::Tuple(mut parts) if (number as usize) < parts.len() => {
            parts.swap_remove(number as usize)
        }
        Shape::Const(Value::Tuple(values) | Value::Record(_, values)) => {
            values.get(number as usize).cloned().map_or(Shape::Opaque, Shape::Const)
        }
        _ => Shape::Opaque,
    }
}

fn loose_events(value: &Value, found: &mut BTreeSet<EventId>) {
    if let Value::Event(event) = value {
        found.insert(*event);
    }
    value.inner().for_each(|value| loose_events(value, found));
}

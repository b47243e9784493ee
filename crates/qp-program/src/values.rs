//! Values. They are compared, hashed and ordered as a whole; nothing is shared by reference.

use std::sync::Arc;

use qp_machines::MachineId;

use crate::{Enum, EventId, RoleId};

/// A value. Sets and maps are kept in the order of [`Value`], which makes equal ones equal and gives
/// every iteration one fixed order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A floating-point number, by its bits in an order-preserving form; see [`Value::float`].
    Float(u64),
    /// A text.
    Text(Arc<str>),
    /// An element of an enumeration, by its number.
    Enum(Arc<Enum>, i64),
    /// An event.
    Event(EventId),
    /// A machine, with the role in which it was created.
    Machine(MachineId, RoleId),
    /// A tuple.
    Tuple(Arc<[Value]>),
    /// A tuple with named fields.
    Record(Arc<[String]>, Arc<[Value]>),
    /// A sequence.
    Seq(Arc<Vec<Value>>),
    /// A set: sorted, without repetition.
    Set(Arc<Vec<Value>>),
    /// A map: sorted by keys, without repetition.
    Map(Arc<Vec<(Value, Value)>>),
}

impl Value {
    /// The values of which it is made.
    pub(crate) fn inner(&self) -> impl Iterator<Item = &Self> {
        let (values, entries): (&[Self], &[(Self, Self)]) = match self {
            Self::Tuple(values) | Self::Record(_, values) => (values, &[]),
            Self::Seq(values) | Self::Set(values) => (values, &[]),
            Self::Map(entries) => (&[], entries),
            _ => (&[], &[]),
        };
        values.iter().chain(entries.iter().flat_map(|(key, value)| [key, value]))
    }

    /// The value of a floating-point number. All NaNs are one value, and so are the two zeros.
    pub fn float(number: f64) -> Self {
        let number = if number.is_nan() { f64::NAN } else { number + 0.0 };
        let bits = number.to_bits();
        Self::Float(if bits >> 63 == 1 { !bits } else { bits | 1 << 63 })
    }

    /// The number of a [`Value::Float`]'s bits.
    pub fn to_float(bits: u64) -> f64 {
        f64::from_bits(if bits >> 63 == 1 { bits & !(1 << 63) } else { !bits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_keep_their_order_and_value() {
        let numbers = [f64::NEG_INFINITY, -2.5, -0.0, 0.0, 1e-300, 7.25, f64::INFINITY];
        for pair in numbers.windows(2) {
            assert_eq!(Value::float(pair[0]) < Value::float(pair[1]), pair[0] < pair[1]);
        }
        for number in numbers {
            let Value::Float(bits) = Value::float(number) else { unreachable!() };
            assert!((Value::to_float(bits) - number).abs() < f64::EPSILON || number.is_infinite());
        }
    }
}

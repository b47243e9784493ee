//! Values of P, and what operators make of them. A value is copied wherever it goes.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::{COLOURS, Op, Type};

/// A value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "these are the values of P")]
pub enum Value {
    Null,
    Int(i64),
    Bool(bool),
    /// The number of a constant of the enumeration.
    Colour(i64),
    /// Machines are numbered in the order in which they are created.
    Machine(usize),
    Event(String),
    Tuple(Vec<Value>),
    Named(Vec<(String, Value)>),
    Seq(Vec<Value>),
    Set(BTreeSet<Value>),
    Map(BTreeMap<Value, Value>),
}

/// What can go wrong at run time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "these are the errors of P")]
pub enum Fault {
    Assert,
    OutOfRange,
    MissingKey,
    KeyThere,
    Cast,
    DivisionByZero,
    /// No event, or no target.
    Null,
    /// `choose` has nothing to choose from.
    Choice,
    Unhandled,
}

impl Value {
    /// What a variable of a type holds at first.
    pub fn default_of(kind: &Type) -> Self {
        match kind {
            Type::Int => Self::Int(0),
            Type::Bool => Self::Bool(false),
            Type::Colour => {
                let lowest = COLOURS.iter().map(|it| it.1).min();
                Self::Colour(lowest.expect("there are constants"))
            }
            Type::Machine | Type::Event | Type::Any => Self::Null,
            Type::Tuple(kinds) => Self::Tuple(kinds.iter().map(Self::default_of).collect()),
            Type::Named(fields) => {
                let field = |(name, kind): &(String, Type)| (name.clone(), Self::default_of(kind));
                Self::Named(fields.iter().map(field).collect())
            }
            Type::Seq(_) => Self::Seq(Vec::new()),
            Type::Set(_) => Self::Set(BTreeSet::new()),
            Type::Map(..) => Self::Map(BTreeMap::new()),
        }
    }

    /// Whether a value is one of a type.
    pub fn is_a(&self, kind: &Type) -> bool {
        match (self, kind) {
            (_, Type::Any)
            | (Self::Null | Self::Machine(_), Type::Machine)
            | (Self::Null | Self::Event(_), Type::Event)
            | (Self::Int(_), Type::Int)
            | (Self::Bool(_), Type::Bool)
            | (Self::Colour(_), Type::Colour) => true,
            (Self::Tuple(values), Type::Tuple(kinds)) => {
                values.len() == kinds.len() && values.iter().zip(kinds).all(|(v, k)| v.is_a(k))
            }
            (Self::Named(values), Type::Named(kinds)) => {
                let same =
                    |(v, k): (&(String, Self), &(String, Type))| v.0 == k.0 && v.1.is_a(&k.1);
                values.len() == kinds.len() && values.iter().zip(kinds).all(same)
            }
            (Self::Seq(values), Type::Seq(kind)) => values.iter().all(|it| it.is_a(kind)),
            (Self::Set(values), Type::Set(kind)) => values.iter().all(|it| it.is_a(kind)),
            (Self::Map(entries), Type::Map(key, kind)) => {
                entries.iter().all(|it| it.0.is_a(key) && it.1.is_a(kind))
            }
            _ => false,
        }
    }

    /// The number; the program is well-typed.
    pub fn int(&self) -> i64 {
        let Self::Int(number) = self else { panic!("{self:?} is no number") };
        *number
    }

    /// The truth value; the program is well-typed.
    pub fn bool(&self) -> bool {
        let Self::Bool(truth) = self else { panic!("{self:?} is no truth value") };
        *truth
    }

    /// The elements of a collection; of a map, its keys.
    pub fn elements(&self) -> Vec<Self> {
        match self {
            Self::Seq(values) => values.clone(),
            Self::Set(values) => values.iter().cloned().collect(),
            Self::Map(entries) => entries.keys().cloned().collect(),
            _ => panic!("{self:?} is no collection"),
        }
    }

    /// `self[key]`.
    pub fn at(&self, key: &Self) -> Result<Self, Fault> {
        match self {
            Self::Seq(values) => position(key, values.len()).map(|at| values[at].clone()),
            Self::Map(entries) => entries.get(key).cloned().ok_or(Fault::MissingKey),
            _ => panic!("{self:?} has no elements"),
        }
    }

    /// The same, to change it.
    pub fn at_mut(&mut self, key: &Self) -> Result<&mut Self, Fault> {
        match self {
            Self::Seq(values) => {
                let at = position(key, values.len())?;
                Ok(&mut values[at])
            }
            Self::Map(entries) => entries.get_mut(key).ok_or(Fault::MissingKey),
            _ => panic!("{self:?} has no elements"),
        }
    }

    /// `self[key] = value`: of a map this makes the entry if it is not there.
    pub fn put(&mut self, key: Self, value: Self) -> Result<(), Fault> {
        if let Self::Map(entries) = self {
            entries.insert(key, value);
        } else {
            *self.at_mut(&key)? = value;
        }
        Ok(())
    }

    /// `self += (key, value)`.
    pub fn insert(&mut self, key: Self, value: Self) -> Result<(), Fault> {
        match self {
            Self::Seq(values) => {
                let at = position(&key, values.len() + 1)?;
                values.insert(at, value);
            }
            Self::Map(entries) if entries.contains_key(&key) => return Err(Fault::KeyThere),
            Self::Map(entries) => {
                entries.insert(key, value);
            }
            _ => panic!("nothing is inserted into {self:?} under a key"),
        }
        Ok(())
    }

    /// `self -= (what)`: a position of a sequence, an element of a set, a key of a map.
    pub fn remove(&mut self, what: &Self) -> Result<(), Fault> {
        match self {
            Self::Seq(values) => {
                let at = position(what, values.len())?;
                values.remove(at);
            }
            Self::Set(values) => {
                values.remove(what);
            }
            Self::Map(entries) => {
                entries.remove(what);
            }
            _ => panic!("nothing is removed from {self:?}"),
        }
        Ok(())
    }
}

fn position(key: &Value, length: usize) -> Result<usize, Fault> {
    let at = usize::try_from(key.int()).map_err(|_| Fault::OutOfRange)?;
    if at < length { Ok(at) } else { Err(Fault::OutOfRange) }
}

/// An operator whose operands are both there: not `&&` and not `||`.
pub fn binary(op: Op, left: &Value, right: &Value) -> Result<Value, Fault> {
    Ok(match op {
        // Numbers have 64 bits and go on from the other end, as in C# unless it is told to check.
        Op::Add => Value::Int(left.int().wrapping_add(right.int())),
        Op::Sub => Value::Int(left.int().wrapping_sub(right.int())),
        Op::Mul => Value::Int(left.int().wrapping_mul(right.int())),
        Op::Div | Op::Rem if right.int() == 0 => return Err(Fault::DivisionByZero),
        // Towards zero, as in C#.
        Op::Div => Value::Int(left.int().wrapping_div(right.int())),
        Op::Rem => Value::Int(left.int().wrapping_rem(right.int())),
        Op::Less => Value::Bool(left.int() < right.int()),
        Op::AtMost => Value::Bool(left.int() <= right.int()),
        Op::Greater => Value::Bool(left.int() > right.int()),
        Op::AtLeast => Value::Bool(left.int() >= right.int()),
        Op::Equal => Value::Bool(left == right),
        Op::Unequal => Value::Bool(left != right),
        Op::In => Value::Bool(right.elements().contains(left)),
        Op::And | Op::Or => panic!("the second operand may not be looked at"),
    })
}

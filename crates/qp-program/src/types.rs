//! Types, as far as they matter while a program runs: defaults, casts, payloads, free choices.

use std::sync::Arc;

use crate::{RoleId, Value};

/// A type. Names of typedefs are resolved; records with the same fields are the same type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Only `null`: what an event without payload carries.
    Null,
    /// `true` and `false`.
    Bool,
    /// Whole numbers.
    Int,
    /// Floating-point numbers.
    Float,
    /// Texts.
    Text,
    /// Events, and `null`.
    Event,
    /// Machines, and `null`; only those in these roles if there is a list.
    Machine(Option<Arc<[RoleId]>>),
    /// Anything.
    Any,
    /// Anything without machines inside.
    Data,
    /// An enumeration.
    Enum(Arc<Enum>),
    /// A tuple.
    Tuple(Arc<[Type]>),
    /// A tuple with named fields.
    Record(Arc<Fields>),
    /// A sequence.
    Seq(Arc<Type>),
    /// A set.
    Set(Arc<Type>),
    /// A map from keys to values.
    Map(Arc<(Type, Type)>),
    /// A type whose values only foreign code can make.
    Foreign(Arc<str>),
}

/// An enumeration: its elements with their numbers, in source order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// Its elements.
    pub elements: Vec<(String, i64)>,
}

/// The fields of a record, in source order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fields {
    /// Their names.
    pub names: Arc<[String]>,
    /// Their types.
    pub types: Vec<Type>,
}

impl Type {
    /// The value of a variable that nothing was assigned to.
    pub fn default_value(&self) -> Value {
        match self {
            Self::Null
            | Self::Event
            | Self::Machine(_)
            | Self::Any
            | Self::Data
            | Self::Foreign(_) => Value::Null,
            Self::Bool => Value::Bool(false),
            Self::Int => Value::Int(0),
            Self::Float => Value::float(0.0),
            Self::Text => Value::Text("".into()),
            Self::Enum(it) => {
                let least = it.elements.iter().map(|element| element.1).min();
                Value::Enum(it.clone(), least.unwrap_or(0))
            }
            Self::Tuple(types) => Value::Tuple(types.iter().map(Self::default_value).collect()),
            Self::Record(fields) => {
                let values = fields.types.iter().map(Self::default_value).collect();
                Value::Record(fields.names.clone(), values)
            }
            Self::Seq(_) => Value::Seq(Arc::default()),
            Self::Set(_) => Value::Set(Arc::default()),
            Self::Map(_) => Value::Map(Arc::default()),
        }
    }
}

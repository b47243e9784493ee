//! Types while a program is checked: what the user called them, what fits into what, and what is left of
//! them when the program runs.

use std::fmt;
use std::sync::Arc;

use qp_program::{Enum, EventId, Fields, Type};

/// A type of the user's program. Names of typedefs are kept for messages and mean nothing else.
#[derive(Clone, Debug)]
pub(crate) enum Ty {
    /// Something is wrong with it, and that was said. Fits everywhere, so that nothing else is said.
    Error,
    /// Only `null`: what functions without a value return and events without payload carry.
    Null,
    Bool,
    Int,
    Float,
    Text,
    Event,
    Machine,
    Any,
    Data,
    Enum(Arc<Enum>),
    Tuple(Arc<[Ty]>),
    Record(Arc<[(String, Ty)]>),
    Seq(Arc<Ty>),
    Set(Arc<Ty>),
    Map(Arc<(Ty, Ty)>),
    Foreign(Arc<str>),
    /// A machine, interface or event set as a type: machines that take these events.
    Permission(Arc<Permission>),
    /// A typedef.
    Alias(Arc<(String, Ty)>),
}

/// What may be sent to a machine, under the name the user gave it.
#[derive(Debug)]
pub(crate) struct Permission {
    /// The name of the machine, interface or event set.
    pub(crate) name: String,
    /// The events; sorted.
    pub(crate) events: Vec<EventId>,
}

impl Ty {
    /// The type without the names of typedefs around it. Those inside stay.
    pub(crate) fn bare(&self) -> &Self {
        let mut ty = self;
        while let Self::Alias(alias) = ty {
            ty = &alias.1;
        }
        ty
    }

    pub(crate) fn is_error(&self) -> bool {
        matches!(self.bare(), Self::Error)
    }

    /// Whether a variable of this type can hold every value of the other. Collections are copied, so their
    /// elements only have to fit one way.
    pub(crate) fn takes(&self, other: &Self) -> bool {
        match (self.bare(), other.bare()) {
            (Self::Error | Self::Any, _)
            | (_, Self::Error)
            | (Self::Null, Self::Null)
            | (Self::Bool, Self::Bool)
            | (Self::Int, Self::Int)
            | (Self::Float, Self::Float)
            | (Self::Text, Self::Text)
            | (Self::Event, Self::Event | Self::Null)
            | (Self::Machine, Self::Machine | Self::Null | Self::Permission(_)) => true,
            (Self::Data, other) => other.holds_no_machine(),
            (Self::Enum(a), Self::Enum(b)) => a == b,
            (Self::Foreign(a), Self::Foreign(b)) => a == b,
            (Self::Permission(a), Self::Permission(b)) => a.events == b.events,
            (Self::Tuple(a), Self::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(&**b).all(|(a, b)| a.takes(b))
            }
            (Self::Record(a), Self::Record(b)) => {
                a.len() == b.len() && a.iter().zip(&**b).all(|(a, b)| a.0 == b.0 && a.1.takes(&b.1))
            }
            (Self::Seq(a), Self::Seq(b)) | (Self::Set(a), Self::Set(b)) => a.takes(b),
            (Self::Map(a), Self::Map(b)) => a.0.takes(&b.0) && a.1.takes(&b.1),
            _ => false,
        }
    }

    /// Whether both hold the same values.
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.takes(other) && other.takes(self)
    }

    /// Whether one of the two fits into the other: then they can be compared and cast.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.takes(other) || other.takes(self)
    }

    /// Whether no value of it has a machine inside that something can be sent to.
    fn holds_no_machine(&self) -> bool {
        match self.bare() {
            Self::Machine | Self::Any | Self::Foreign(_) => false,
            Self::Permission(permission) => permission.events.is_empty(),
            Self::Tuple(types) => types.iter().all(Self::holds_no_machine),
            Self::Record(fields) => fields.iter().all(|field| field.1.holds_no_machine()),
            Self::Seq(ty) | Self::Set(ty) => ty.holds_no_machine(),
            Self::Map(types) => types.0.holds_no_machine() && types.1.holds_no_machine(),
            Self::Error
            | Self::Null
            | Self::Bool
            | Self::Int
            | Self::Float
            | Self::Text
            | Self::Event
            | Self::Data
            | Self::Enum(_)
            | Self::Alias(_) => true,
        }
    }

    /// Whether it has finitely many values, all of which can be enumerated.
    pub(crate) fn is_finite(&self) -> bool {
        match self.bare() {
            Self::Null | Self::Bool | Self::Enum(_) => true,
            Self::Tuple(types) => types.iter().all(Self::is_finite),
            Self::Record(fields) => fields.iter().all(|field| field.1.is_finite()),
            _ => false,
        }
    }

    /// How many parts a value has at least when it is written out; stops growing at the limit.
    pub(crate) fn weight(&self, limit: usize) -> usize {
        let sum = |weights: &mut dyn Iterator<Item = &Self>| {
            weights.fold(1, |sum: usize, ty| if sum > limit { sum } else { sum + ty.weight(limit) })
        };
        match self.bare() {
            Self::Tuple(types) => sum(&mut types.iter()),
            Self::Record(fields) => sum(&mut fields.iter().map(|field| &field.1)),
            Self::Seq(ty) | Self::Set(ty) => sum(&mut std::iter::once(&**ty)),
            Self::Map(types) => sum(&mut [&types.0, &types.1].into_iter()),
            _ => 1,
        }
    }

    /// How many types are inside of each other.
    pub(crate) fn depth(&self) -> usize {
        let inner = match self.bare() {
            Self::Tuple(types) => types.iter().map(Self::depth).max(),
            Self::Record(fields) => fields.iter().map(|field| field.1.depth()).max(),
            Self::Seq(ty) | Self::Set(ty) => Some(ty.depth()),
            Self::Map(types) => Some(types.0.depth().max(types.1.depth())),
            _ => None,
        };
        1 + inner.unwrap_or(0)
    }

    /// What matters while the program runs. A machine's name as a type says what may be sent to it, not
    /// what it is, so a cast to it never fails for a machine.
    pub(crate) fn runtime(&self) -> Type {
        match self.bare() {
            Self::Error | Self::Alias(_) | Self::Null => Type::Null,
            Self::Bool => Type::Bool,
            Self::Int => Type::Int,
            Self::Float => Type::Float,
            Self::Text => Type::Text,
            Self::Event => Type::Event,
            Self::Machine | Self::Permission(_) => Type::Machine(None),
            Self::Any => Type::Any,
            Self::Data => Type::Data,
            Self::Enum(it) => Type::Enum(it.clone()),
            Self::Tuple(types) => Type::Tuple(types.iter().map(Self::runtime).collect()),
            Self::Record(fields) => Type::Record(Arc::new(Fields {
                names: field_names(fields),
                types: fields.iter().map(|field| field.1.runtime()).collect(),
            })),
            Self::Seq(ty) => Type::Seq(Arc::new(ty.runtime())),
            Self::Set(ty) => Type::Set(Arc::new(ty.runtime())),
            Self::Map(types) => Type::Map(Arc::new((types.0.runtime(), types.1.runtime()))),
            Self::Foreign(name) => Type::Foreign(name.clone()),
        }
    }
}

/// The names of a record's fields.
pub(crate) fn field_names(fields: &[(String, Ty)]) -> Arc<[String]> {
    fields.iter().map(|field| field.0.clone()).collect()
}

/// As the user writes it.
impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error => f.write_str("?"),
            Self::Null => f.write_str("null"),
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Float => f.write_str("float"),
            Self::Text => f.write_str("string"),
            Self::Event => f.write_str("event"),
            Self::Machine => f.write_str("machine"),
            Self::Any => f.write_str("any"),
            Self::Data => f.write_str("data"),
            Self::Enum(it) => f.write_str(&it.name),
            Self::Tuple(types) => list(f, types.iter(), |f, ty| write!(f, "{ty}")),
            Self::Record(fields) => {
                list(f, fields.iter(), |f, (name, ty)| write!(f, "{name}: {ty}"))
            }
            Self::Seq(ty) => write!(f, "seq[{ty}]"),
            Self::Set(ty) => write!(f, "set[{ty}]"),
            Self::Map(types) => write!(f, "map[{}, {}]", types.0, types.1),
            Self::Foreign(name) => f.write_str(name),
            Self::Permission(permission) => f.write_str(&permission.name),
            Self::Alias(alias) => f.write_str(&alias.0),
        }
    }
}

fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = T>,
    show: impl Fn(&mut fmt::Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    f.write_str("(")?;
    for (i, item) in items.enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        show(f, item)?;
    }
    f.write_str(")")
}

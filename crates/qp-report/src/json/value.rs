//! JSON values whose objects keep the order in which they were written down.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

/// A JSON value.
#[derive(Clone, Debug)]
pub(crate) enum Json<'a> {
    Null,
    Bool(bool),
    Whole(u64),
    Float(f64),
    Text(Cow<'a, str>),
    List(Vec<Self>),
    Object(Vec<(Cow<'a, str>, Self)>),
    /// What was made elsewhere; also a `null` that is to be seen.
    Made(serde_json::Value),
}

/// An object from keys and what can become a value.
macro_rules! object {
    ($($key:ident: $value:expr),* $(,)?) => {
        $crate::json::Json::Object(vec![
            $((stringify!($key).into(), $crate::json::Json::from($value))),*
        ])
    };
}
pub(crate) use object;

impl<'a> Json<'a> {
    /// A list of what becomes of each.
    pub(crate) fn list<T>(all: &'a [T], each: impl FnMut(&'a T) -> Self) -> Self {
        Self::List(all.iter().map(each).collect())
    }

    /// The keys of this object and behind them those of another one.
    pub(crate) fn and(self, more: Self) -> Self {
        match (self, more) {
            (Self::Object(first), Self::Object(more)) => {
                Self::Object(first.into_iter().chain(more).collect())
            }
            _ => unreachable!("bug in Queueproof: only objects have keys"),
        }
    }

    /// The same object without the keys that have no value.
    pub(crate) fn without_nulls(self) -> Self {
        let Self::Object(mut entries) = self else { return self };
        entries.retain(|(_, value)| !matches!(value, Self::Null));
        Self::Object(entries)
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(it) => serializer.serialize_bool(*it),
            Self::Whole(it) => serializer.serialize_u64(*it),
            Self::Float(it) => serializer.serialize_f64(*it),
            Self::Text(it) => serializer.serialize_str(it),
            Self::List(all) => serializer.collect_seq(all),
            Self::Object(all) => serializer.collect_map(all.iter().map(|(key, it)| (key, it))),
            Self::Made(it) => it.serialize(serializer),
        }
    }
}

macro_rules! becomes {
    ($($from:ty => $variant:ident),+ $(,)?) => {
        $(impl<'a> From<$from> for Json<'a> {
            fn from(it: $from) -> Self {
                Self::$variant(it.into())
            }
        })+
    };
}
becomes! { bool => Bool, u8 => Whole, u32 => Whole, u64 => Whole, f64 => Float }
becomes! { &'a str => Text, &'a String => Text, String => Text, serde_json::Value => Made }

impl From<usize> for Json<'_> {
    fn from(it: usize) -> Self {
        Self::Whole(it as u64)
    }
}

impl<'a, T: Into<Json<'a>>> From<Option<T>> for Json<'a> {
    fn from(it: Option<T>) -> Self {
        it.map_or(Self::Null, Into::into)
    }
}

impl<'a> From<&'a Option<String>> for Json<'a> {
    fn from(it: &'a Option<String>) -> Self {
        it.as_ref().into()
    }
}

macro_rules! becomes_list {
    ($($item:ty),+) => {
        $(impl<'a> From<&'a Vec<$item>> for Json<'a> {
            fn from(all: &'a Vec<$item>) -> Self {
                Self::List(all.iter().map(Self::from).collect())
            }
        })+
    };
}
becomes_list! { String, Option<String>, Vec<String> }

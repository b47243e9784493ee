//! Declared things: types, variables, channels and labels.

use crate::at::At;

use super::{Expr, MtypeId, RecordId, ScopeId, ShapeId};

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// 0 or 1.
    Bit,
    /// The same as `bit`.
    Bool,
    /// 0 to 255.
    Byte,
    /// The same as `byte`: the number of a process.
    Pid,
    /// −32768 to 32767.
    Short,
    /// −2³¹ to 2³¹−1.
    Int,
    /// So many bits, without a sign. From 1 to 31.
    Unsigned(u8),
    /// A symbolic name of the set; a byte.
    Mtype(MtypeId),
    /// The number of a channel; a byte, 0 if there is none.
    Chan,
    /// A `typedef`.
    Record(RecordId),
}

impl Ty {
    /// What is left of a value in a variable of this type. Records have no single value.
    pub fn cut(self, value: i32) -> i32 {
        match self {
            Self::Bit | Self::Bool => value & 1,
            Self::Byte | Self::Pid | Self::Mtype(_) | Self::Chan => value & 0xff,
            Self::Short => i32::from(value as i16),
            Self::Int | Self::Record(_) => value,
            Self::Unsigned(bits) => value & ((1 << bits) - 1),
        }
    }

    /// What is left of a value in an element of an array of this type: SPIN keeps bits there as bytes.
    pub fn cut_in_array(self, value: i32) -> i32 {
        match self {
            Self::Bit | Self::Bool => value & 0xff,
            other => other.cut(value),
        }
    }
}

/// A set of symbolic names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MtypeSet {
    /// Its name; that of plain `mtype` has none.
    pub name: Option<String>,
    /// The names. The first has the value 1, as SPIN counts them: within one declaration from the last
    /// name to the first, and the next declaration goes on where the one before it ended.
    pub names: Vec<String>,
}

impl MtypeSet {
    /// The name of a value, if it is that of one.
    pub fn name_of(&self, value: i32) -> Option<&str> {
        let index = usize::try_from(value).ok()?.checked_sub(1)?;
        self.names.get(index).map(String::as_str)
    }
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub at: At,
    /// Its fields in order.
    pub fields: Vec<Field>,
    /// How many single values it consists of.
    pub cells: usize,
    /// Whether an array is somewhere in it.
    pub holds_array: bool,
}

/// A field of a `typedef`.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type, or that of its elements.
    pub ty: Ty,
    /// How many elements it has, if it is an array.
    pub len: Option<u32>,
    /// What it holds at first.
    pub init: Init,
    /// Where its name stands.
    pub at: At,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type, or that of its elements.
    pub ty: Ty,
    /// How many elements it has, if it is an array.
    pub len: Option<u32>,
    /// What it holds at first.
    pub init: Init,
    /// How the model wants it treated.
    pub visibility: Visibility,
    /// The block that it belongs to. That of a global variable means nothing.
    pub scope: ScopeId,
    /// Whether it is declared behind a statement or in an inner block. Its declaration is then a step that
    /// assigns its first value, each time it is passed; of an array only to the first element, as SPIN
    /// does. Else it has that value from the start.
    pub late: bool,
    /// Where its name stands.
    pub at: At,
}

/// What a variable holds at first.
#[derive(Clone, Debug)]
pub enum Init {
    /// 0 everywhere, and no channel.
    Zero,
    /// This value, in every element.
    Value(Expr),
    /// These values for the first elements, and the last of them for all others.
    List(Vec<i32>),
    /// A new channel, or one for every element. With the number of messages that it can hold.
    Channel(ShapeId),
}

/// How a variable is to be treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Nothing is said.
    Plain,
    /// It is not part of the state.
    Hidden,
    /// It is shown when the model is simulated.
    Show,
    /// Only one process uses it.
    Local,
}

/// What a declared channel carries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many messages it can hold; 0 for a rendezvous.
    pub capacity: u32,
    /// The types of what a message consists of. A `typedef` stands as its fields, arrays as their elements.
    pub fields: Vec<Ty>,
    /// The `typedef` that is the only field as it is declared, if it is.
    pub record: Option<RecordId>,
    /// Where the declaration stands.
    pub at: At,
}

/// A block of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The block around it.
    pub parent: Option<ScopeId>,
}

/// A label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// The block that it belongs to: each call of an inline has labels of its own.
    pub scope: ScopeId,
    /// Where it stands.
    pub at: At,
}

impl Label {
    /// Whether a process may stop here.
    pub fn is_end(&self) -> bool {
        self.name.starts_with("end")
    }

    /// Whether to be here is progress.
    pub fn is_progress(&self) -> bool {
        self.name.starts_with("progress")
    }

    /// Whether to be here infinitely often is accepting.
    pub fn is_accept(&self) -> bool {
        self.name.starts_with("accept")
    }
}

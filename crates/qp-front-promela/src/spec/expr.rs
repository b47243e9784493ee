//! Values and places.

use crate::at::At;

use super::{GlobalId, LabelId, LocalId, MtypeId, ProcId, Ty};

/// A value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub at: At,
}

/// The kinds of values. All of them are computed as 32-bit numbers with a sign.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, a character, or `true`, `false` and `skip`.
    Number(i32),
    /// A symbolic name, with its value.
    Mtype(MtypeId, i32),
    /// What a variable holds.
    Load(Place),
    /// An operator before a value.
    Unary(UnaryOp, Box<Expr>),
    /// An operator between two values.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Starts a process; the value is its number, or 0 if there are too many.
    Run {
        /// What runs.
        proc: ProcId,
        /// Its arguments: one for every cell of its parameters, in order.
        args: Vec<Expr>,
        /// Its priority, if that is said.
        priority: Option<i32>,
    },
    /// How many messages a channel holds.
    Len(Place),
    /// What a channel can take or give.
    Probe(Probe, Place),
    /// Whether a receive would be possible: `c?[…]`, or `c??[…]`.
    Poll {
        /// The channel.
        channel: Place,
        /// Whether any message will do (`??`).
        random: bool,
        /// What the message must match. Nothing is assigned.
        args: Vec<Match>,
    },
    /// Whether a process can move.
    Enabled(Box<Expr>),
    /// The number of the statement at which a process is.
    PcValue(Box<Expr>),
    /// The priority of a process.
    GetPriority(Box<Expr>),
    /// Whether nothing else is possible anywhere.
    Timeout,
    /// `np_`: whether no process is at a progress label.
    NonProgress,
    /// `_pid`: the number of the process itself.
    Pid,
    /// `_nr_pr`: how many processes there are.
    ProcessCount,
    /// `_last`: the number of the process that moved last.
    Last,
    /// `_priority`: the priority of the process itself.
    Priority,
    /// Whether a process is at a label.
    RemoteLabel {
        /// What the process runs.
        proc: ProcId,
        /// Its number; without one it is the first process that runs this.
        pid: Option<Box<Expr>>,
        /// The label, of that body.
        label: LabelId,
    },
    /// A variable of another process.
    RemoteVar {
        /// What the process runs.
        proc: ProcId,
        /// Its number; without one it is the first process that runs this.
        pid: Option<Box<Expr>>,
        /// The variable; [`Var::Local`] is a local of that body. Indices belong to who asks.
        place: Place,
    },
}

/// An operator before a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `!`: 1 for 0, else 0.
    Not,
    /// `~`.
    Complement,
    /// `-`.
    Negate,
}

/// An operator between two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`, towards zero.
    Divide,
    /// `%`, with the sign of the left side.
    Remainder,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// `&`.
    BitAnd,
    /// `^`.
    BitXor,
    /// `|`.
    BitOr,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// `&&`: the right side is not looked at if the left one is 0.
    And,
    /// `||`: the right side is not looked at unless the left one is 0.
    Or,
}

impl BinaryOp {
    /// The comparison that says the same when its sides are exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            other => other,
        }
    }
}

/// What is asked about a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    /// Whether it holds nothing.
    Empty,
    /// Whether it holds something.
    Nempty,
    /// Whether it holds as much as it can.
    Full,
    /// Whether it could hold more.
    Nfull,
}

/// What one part of a message must be, or where it goes.
#[derive(Clone, Debug)]
pub enum Match {
    /// It must be this constant.
    Constant(Expr),
    /// It must be this value: `eval(…)`.
    Eval(Expr),
    /// It goes into this variable. Those to the left are assigned before its indices are computed.
    Bind(Place),
    /// It may be anything: `_`.
    Any,
}

/// A variable, or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub var: Var,
    /// How to get from the variable to the part: an index for every array, a field for every record.
    pub steps: Vec<Step>,
    /// The type of what is there.
    pub ty: Ty,
    /// How many elements it has, if it is a whole array. Only `for (i in array)` has such a thing.
    pub len: Option<u32>,
    /// Where it stands.
    pub at: At,
}

/// Which variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Var {
    /// A global one.
    Global(GlobalId),
    /// A parameter or local one of the body.
    Local(LocalId),
    /// `_`: what is assigned is forgotten.
    Scratch,
}

/// One step from a variable to a part of it.
#[derive(Clone, Debug)]
pub enum Step {
    /// An element of an array.
    Index(Expr),
    /// A field of a record, by its number.
    Field(usize),
}

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

impl UnaryOp {
    /// What it makes of a value.
    #[must_use]
    pub fn of(self, value: i32) -> i32 {
        match self {
            Self::Not => i32::from(value == 0),
            Self::Complement => !value,
            Self::Negate => value.wrapping_neg(),
        }
    }
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
    /// All of them with their signs and how tightly they bind: larger numbers bind more tightly.
    const SIGNS: [(Self, &'static str, u8); 18] = [
        (Self::Or, "||", 2),
        (Self::And, "&&", 3),
        (Self::BitOr, "|", 7),
        (Self::BitXor, "^", 8),
        (Self::BitAnd, "&", 9),
        (Self::Equal, "==", 10),
        (Self::NotEqual, "!=", 10),
        (Self::Less, "<", 11),
        (Self::LessEqual, "<=", 11),
        (Self::Greater, ">", 11),
        (Self::GreaterEqual, ">=", 11),
        (Self::ShiftLeft, "<<", 12),
        (Self::ShiftRight, ">>", 12),
        (Self::Add, "+", 13),
        (Self::Subtract, "-", 13),
        (Self::Multiply, "*", 14),
        (Self::Divide, "/", 14),
        (Self::Remainder, "%", 14),
    ];

    /// The operator with this sign, and how tightly it binds.
    pub(crate) fn with_sign(sign: &str) -> Option<(Self, u8)> {
        let found = Self::SIGNS.iter().find(|(_, it, _)| *it == sign);
        found.map(|&(op, _, strength)| (op, strength))
    }

    /// Its sign.
    pub(crate) fn sign(self) -> &'static str {
        Self::SIGNS.iter().find(|(op, ..)| *op == self).map_or("", |(_, sign, _)| sign)
    }

    /// What it makes of two values where both are looked at; `None` for a division by zero.
    pub fn of(self, a: i32, b: i32) -> Option<i32> {
        Some(match self {
            Self::Add => a.wrapping_add(b),
            Self::Subtract => a.wrapping_sub(b),
            Self::Multiply => a.wrapping_mul(b),
            Self::Divide | Self::Remainder if b == 0 => return None,
            Self::Divide => a.wrapping_div(b),
            Self::Remainder => a.wrapping_rem(b),
            Self::ShiftLeft => a.wrapping_shl(b.cast_unsigned()),
            Self::ShiftRight => a.wrapping_shr(b.cast_unsigned()),
            Self::BitAnd => a & b,
            Self::BitXor => a ^ b,
            Self::BitOr => a | b,
            Self::Equal => i32::from(a == b),
            Self::NotEqual => i32::from(a != b),
            Self::Less => i32::from(a < b),
            Self::LessEqual => i32::from(a <= b),
            Self::Greater => i32::from(a > b),
            Self::GreaterEqual => i32::from(a >= b),
            Self::And => i32::from(a != 0 && b != 0),
            Self::Or => i32::from(a != 0 || b != 0),
        })
    }

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

impl Probe {
    const NAMES: [(Self, &'static str); 4] = [
        (Self::Empty, "empty"),
        (Self::Nempty, "nempty"),
        (Self::Full, "full"),
        (Self::Nfull, "nfull"),
    ];

    /// What a function of this name asks.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, it)| *it == name).map(|(probe, _)| *probe)
    }

    /// The name of its function.
    pub(crate) fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(probe, _)| *probe == self).map_or("", |(_, name)| name)
    }
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

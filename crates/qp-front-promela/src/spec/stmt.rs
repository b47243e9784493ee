//! Statements.

use crate::at::At;

use super::{Expr, LabelId, LocalId, Match, Place};

/// Statements one after the other.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The labels before it.
    pub labels: Vec<LabelId>,
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub at: At,
    /// The number that SPIN gives to it: `[id N]` in its lists of transitions, and the last number of a line
    /// of its trails. Where SPIN makes several parts of a statement they are numbered from here on:
    ///
    /// * `if`, `unless`: the node, the end. `do`: the node, the end of an option, the end.
    /// * `atomic`, `d_step`, blocks: the whole of it. The statements inside have smaller numbers.
    /// * `for`: the assignment, the condition; over messages also the receive and the send. More parts have
    ///   the numbers from [`Stmt::closing`] on.
    /// * `select` as a choice: one assignment for each value. As a loop: the assignment, the condition, the
    ///   increment, the end.
    ///
    /// Declarations that are no steps have none; it is 0.
    pub number: u32,
    /// Of a `for` the number of the increment, which is made when the body is; then come `else` and the jump
    /// out of the loop. Of all other statements the same as `number`.
    pub closing: u32,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A declaration. It is a step only if the variable is `late`.
    Declare(LocalId),
    /// Assigns a value, cut to the type of the place.
    Assign(Place, Expr),
    /// `x++`.
    Increment(Place),
    /// `x--`.
    Decrement(Place),
    /// Waits until the value is not 0. `skip` is the number 1.
    Condition(Expr),
    /// Possible if no other option is.
    Else,
    /// Sends a message.
    Send {
        /// The channel.
        channel: Place,
        /// Whether it goes to where the order of messages wants it (`!!`), not to the end.
        sorted: bool,
        /// The parts of the message. A `typedef` stands as its fields.
        args: Vec<Expr>,
    },
    /// Receives a message.
    Receive {
        /// The channel.
        channel: Place,
        /// Whether the first message that matches will do (`??`), not only the first one.
        random: bool,
        /// Whether the message stays in the channel (`c?<…>`).
        keep: bool,
        /// What its parts must be, or where they go. A `typedef` stands as its fields.
        args: Vec<Match>,
    },
    /// One of the options, then goes on.
    If(Vec<Block>),
    /// One of the options, again and again, until `break`.
    Do(Vec<Block>),
    /// Others wait while this can go on.
    Atomic(Block),
    /// All of it is one step.
    DStep(Block),
    /// Statements in braces, or an inline.
    Block(Block),
    /// The first, until the second is possible.
    Unless(Box<Block>, Box<Block>),
    /// Goes on at a label.
    Goto(LabelId),
    /// Leaves the innermost loop.
    Break,
    /// Fails if the value is 0.
    Assert(Expr),
    /// Prints something.
    Printf {
        /// What is printed, without the quotes, escapes as they are written.
        format: String,
        /// The values in it.
        args: Vec<Expr>,
    },
    /// Prints a symbolic name.
    Printm(Expr),
    /// `index = from; do :: index <= to -> body; index++ :: else -> break od`.
    For {
        /// The variable that counts.
        index: Place,
        /// Its first value.
        from: Expr,
        /// Its last value.
        to: Expr,
        /// What is done for each.
        body: Block,
    },
    /// `for (m in c)`: as often as the channel has messages at each turn, takes the first one into the
    /// variable and sends it again.
    ForMessages {
        /// Where each message goes: the cells of the record, in order.
        message: Vec<Place>,
        /// The channel.
        channel: Place,
        /// What is done for each.
        body: Block,
    },
    /// Assigns any of these values. Outside of inlines SPIN makes of two written numbers that are at most
    /// 32 apart a choice with one assignment for each value, and else a loop that counts and may stop at
    /// any value.
    Select {
        /// What is assigned.
        index: Place,
        /// The smallest value.
        from: Expr,
        /// The largest value.
        to: Expr,
    },
    /// Sets the priority of a process.
    SetPriority(Expr, Expr),
}

impl StmtKind {
    /// The statements inside of it.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Self::If(options) | Self::Do(options) => options.iter().collect(),
            Self::Atomic(body)
            | Self::DStep(body)
            | Self::Block(body)
            | Self::For { body, .. }
            | Self::ForMessages { body, .. } => vec![body],
            Self::Unless(body, escape) => vec![body, escape],
            _ => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub(crate) fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Self::If(options) | Self::Do(options) => options.iter_mut().collect(),
            Self::Atomic(body)
            | Self::DStep(body)
            | Self::Block(body)
            | Self::For { body, .. }
            | Self::ForMessages { body, .. } => vec![body],
            Self::Unless(body, escape) => vec![body, escape],
            _ => Vec::new(),
        }
    }
}

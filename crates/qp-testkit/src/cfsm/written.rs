//! What a text in the CFSM language says, part by part.

use crate::net::{Loss, Sharing, Size};

/// A text.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// Who shares queues with whom.
    pub sharing: Sharing,
    /// Whether that is written down: mailboxes need not be.
    pub says_sharing: bool,
    /// The room of queues that are given none.
    pub capacity: Option<Room>,
    /// Declarations of channels: some names, and the room of each.
    pub channels: Vec<(Vec<String>, Option<Room>)>,
    /// The room of mailboxes, or of pairs: sender, receiver.
    pub rooms: Vec<(Option<usize>, usize, Room)>,
    /// The machines.
    pub machines: Vec<Machine>,
    /// The messages, written without spaces.
    pub messages: Vec<String>,
    /// Bad situations, `B0` and so on.
    pub bad: Vec<Vec<Demand>>,
    /// Formulas, `f0` and so on, and whether they are over sends.
    pub ltl: Vec<(Formula, bool)>,
    /// Invariants that somebody claims, whole lines. They may be false.
    pub claims: Vec<String>,
}

/// How much a queue holds, and what it loses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Room {
    pub size: Size,
    pub loss: Loss,
}

/// A machine.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Machine {
    pub name: String,
    pub states: Vec<Place>,
    pub initial: usize,
}

/// A state that has a name.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Place {
    pub name: String,
    pub end: bool,
    pub progress: bool,
    pub bad: bool,
    /// One list per `defer`.
    pub deferred: Vec<Vec<usize>>,
    pub chains: Vec<Chain>,
}

/// Actions one after the other.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Chain {
    pub deeds: Vec<Deed>,
    /// Back to where it began, if nothing is said.
    pub to: Option<usize>,
}

/// An action. The other end is a machine, or a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say what they are")]
pub enum Deed {
    Internal,
    Send { to: usize, message: usize },
    Receive { from: usize, message: usize },
    Fail,
}

impl Deed {
    /// The message that is sent or received.
    pub fn message(&self) -> Option<usize> {
        match *self {
            Self::Send { message, .. } | Self::Receive { message, .. } => Some(message),
            Self::Internal | Self::Fail => None,
        }
    }
}

/// A condition of a bad situation.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Demand {
    In { machine: usize, states: Vec<usize> },
    Holds { from: Option<usize>, at: usize, shape: Shape },
}

/// A pattern.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say what they are")]
pub enum Shape {
    Empty,
    Any,
    One(usize),
    Then(Vec<Self>),
    Or(Vec<Self>),
    Star(Box<Self>),
    Plus(Box<Self>),
    Maybe(Box<Self>),
}

/// A formula.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say what they are")]
pub enum Formula {
    True,
    False,
    Sends(usize),
    Receives(usize),
    /// A machine and one of its named states.
    At(usize, usize),
    Not(Box<Self>),
    Next(Box<Self>),
    Finally(Box<Self>),
    Globally(Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Implies(Box<Self>, Box<Self>),
    Iff(Box<Self>, Box<Self>),
    Until(Box<Self>, Box<Self>),
    Release(Box<Self>, Box<Self>),
    WeakUntil(Box<Self>, Box<Self>),
}

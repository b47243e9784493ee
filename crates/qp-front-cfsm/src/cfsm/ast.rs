//! What is written, before names mean anything.

use std::borrow::Cow;

use qp_base::Span;
use qp_machines::{Discipline, QueueKind};

pub(crate) use crate::cursor::Word as Name;

/// A message with its values, spaces removed.
#[derive(Clone, Debug)]
pub(crate) struct Message<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) span: Span,
}

/// A whole text, by kind of declaration.
#[derive(Debug, Default)]
pub(crate) struct File<'t> {
    pub(crate) disciplines: Vec<(Discipline, Span)>,
    pub(crate) capacities: Vec<Size>,
    pub(crate) channels: Vec<Channel<'t>>,
    pub(crate) queues: Vec<(QueueName<'t>, Size)>,
    pub(crate) machines: Vec<Machine<'t>>,
    pub(crate) bad: Vec<Bad<'t>>,
    pub(crate) ltl: Vec<Ltl<'t>>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) kind: QueueKind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Channel<'t> {
    pub(crate) name: Name<'t>,
    pub(crate) size: Option<Size>,
}

/// A mailbox or a channel, or the queue from one machine to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueName<'t> {
    pub(crate) name: Name<'t>,
    pub(crate) from: Option<Name<'t>>,
}

#[derive(Debug)]
pub(crate) struct Machine<'t> {
    pub(crate) name: Name<'t>,
    pub(crate) states: Vec<State<'t>>,
}

#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one per label of the grammar")]
pub(crate) struct State<'t> {
    pub(crate) name: Name<'t>,
    pub(crate) init: bool,
    pub(crate) end: bool,
    pub(crate) progress: bool,
    pub(crate) bad: bool,
    pub(crate) deferred: Vec<Message<'t>>,
    pub(crate) options: Vec<Steps<'t>>,
}

/// A chain of actions. It comes back to where it began if it names no target.
#[derive(Debug)]
pub(crate) struct Steps<'t> {
    pub(crate) actions: Vec<(Action<'t>, Span)>,
    pub(crate) target: Option<Name<'t>>,
}

#[derive(Debug)]
pub(crate) enum Action<'t> {
    Send(Name<'t>, Message<'t>),
    Receive(Option<Name<'t>>, Message<'t>),
    Internal,
    Fail(&'t str),
}

#[derive(Debug)]
pub(crate) struct Bad<'t> {
    pub(crate) name: Name<'t>,
    pub(crate) conditions: Vec<Condition<'t>>,
}

#[derive(Debug)]
pub(crate) enum Condition<'t> {
    In(Name<'t>, Vec<Name<'t>>),
    Matches(QueueName<'t>, Pattern<'t>, Span),
}

/// Nested no deeper than the parser allows.
#[derive(Debug)]
pub(crate) enum Pattern<'t> {
    Message(Message<'t>),
    Any,
    Empty,
    Sequence(Vec<Self>),
    Choice(Vec<Self>),
    Star(Box<Self>),
    Plus(Box<Self>),
    Maybe(Box<Self>),
}

#[derive(Debug)]
pub(crate) struct Ltl<'t> {
    pub(crate) name: Name<'t>,
    pub(crate) formula: Formula<'t>,
    /// Whether it is about what is sent, one message after the other, and nothing else.
    pub(crate) over_sends: bool,
    /// The formula's place.
    pub(crate) span: Span,
}

/// Nested no deeper than the parser allows; `And` and `Or` are flat, because people write long ones.
#[derive(Debug)]
pub(crate) enum Formula<'t> {
    True,
    False,
    Sends(Message<'t>),
    Receives(Message<'t>),
    At(Name<'t>, Name<'t>),
    Not(Box<Self>),
    Next(Box<Self>),
    Finally(Box<Self>),
    Globally(Box<Self>),
    And(Vec<Self>),
    Or(Vec<Self>),
    Implies(Box<Self>, Box<Self>),
    Iff(Box<Self>, Box<Self>),
    Until(Box<Self>, Box<Self>),
    Release(Box<Self>, Box<Self>),
    WeakUntil(Box<Self>, Box<Self>),
}

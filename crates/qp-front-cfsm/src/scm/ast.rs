//! What is written, before names mean anything.

use qp_base::Span;

pub(super) use crate::cursor::Word;

#[derive(Debug, Default)]
pub(super) struct File<'t> {
    pub(super) channels: Option<(u32, Span)>,
    pub(super) lossy: Vec<Word<'t>>,
    pub(super) parameters: Vec<Word<'t>>,
    pub(super) automata: Vec<Machine<'t>>,
    pub(super) bad: Vec<Bad<'t>>,
    /// Where bad states are stated.
    pub(super) bad_span: Span,
}

#[derive(Debug)]
pub(super) struct Machine<'t> {
    pub(super) name: Word<'t>,
    pub(super) initial: Vec<Word<'t>>,
    pub(super) states: Vec<State<'t>>,
}

#[derive(Debug)]
pub(super) struct State<'t> {
    pub(super) name: Word<'t>,
    pub(super) edges: Vec<Edge<'t>>,
}

#[derive(Debug)]
pub(super) struct Edge<'t> {
    pub(super) to: Word<'t>,
    pub(super) action: Option<Action<'t>>,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Action<'t> {
    pub(super) channel: Word<'t>,
    pub(super) sends: bool,
    pub(super) message: Word<'t>,
}

/// One parenthesis: all machines at one of their states, and matching contents.
#[derive(Debug)]
pub(super) struct Bad<'t> {
    pub(super) at: Vec<(Word<'t>, Vec<Word<'t>>)>,
    pub(super) contents: Option<(Regexp<'t>, Span)>,
}

/// Nested no deeper than the parser allows.
#[derive(Debug)]
pub(super) enum Regexp<'t> {
    Empty,
    Separator,
    Message(Word<'t>),
    Sequence(Vec<Self>),
    Choice(Vec<Self>),
    Star(Box<Self>, Span),
    Plus(Box<Self>, Span),
}

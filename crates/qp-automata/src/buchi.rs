//! Büchi automata.

use serde::{Deserialize, Serialize};

/// An automaton that accepts the infinite words on which it can pass accepting states again and again.
///
/// It reads a letter with every edge: an edge can be taken if all of its conditions hold of the letter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Buchi<A> {
    /// Where it can begin.
    pub start: Vec<usize>,
    /// Its states.
    pub states: Vec<State<A>>,
}

/// A state of an automaton.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct State<A> {
    /// Whether passing it again and again is what is wanted.
    pub accepting: bool,
    /// What it can read here.
    pub edges: Vec<Edge<A>>,
}

/// An edge of an automaton.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edge<A> {
    /// Atoms, and whether each must be true or false of the letter.
    pub when: Vec<(A, bool)>,
    /// The state afterwards.
    pub to: usize,
}

impl<A> Buchi<A> {
    /// The same automaton over other atoms; `None` if one of them has none.
    pub fn over<B>(&self, atom: impl Fn(&A) -> Option<B>) -> Option<Buchi<B>> {
        let edge = |edge: &Edge<A>| {
            let when = edge.when.iter().map(|(it, value)| Some((atom(it)?, *value)));
            Some(Edge { when: when.collect::<Option<_>>()?, to: edge.to })
        };
        let state = |state: &State<A>| {
            let edges = state.edges.iter().map(edge).collect::<Option<_>>()?;
            Some(State { accepting: state.accepting, edges })
        };
        let states = self.states.iter().map(state).collect::<Option<_>>()?;
        Some(Buchi { start: self.start.clone(), states })
    }
}

//! Büchi automata.

/// An automaton that accepts the infinite words on which it can pass accepting states again and again.
///
/// It reads a letter with every edge: an edge can be taken if all of its conditions hold of the letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buchi<A> {
    /// Where it can begin.
    pub start: Vec<usize>,
    /// Its states.
    pub states: Vec<State<A>>,
}

/// A state of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State<A> {
    /// Whether passing it again and again is what is wanted.
    pub accepting: bool,
    /// What it can read here.
    pub edges: Vec<Edge<A>>,
}

/// An edge of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge<A> {
    /// Atoms, and whether each must be true or false of the letter.
    pub when: Vec<(A, bool)>,
    /// The state afterwards.
    pub to: usize,
}

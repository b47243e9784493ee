//! Formulas.

use std::fmt;

/// A formula of linear temporal logic over infinite words. A letter of a word makes some atoms true.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula<A> {
    /// Always true.
    True,
    /// Always false.
    False,
    /// The letter now makes this true.
    Atom(A),
    /// Negation.
    Not(Box<Self>),
    /// Conjunction.
    And(Box<Self>, Box<Self>),
    /// Disjunction.
    Or(Box<Self>, Box<Self>),
    /// At the next letter.
    Next(Box<Self>),
    /// Some time.
    Finally(Box<Self>),
    /// From now on.
    Globally(Box<Self>),
    /// The first until the second, which comes.
    Until(Box<Self>, Box<Self>),
    /// The second until both, or for ever.
    Release(Box<Self>, Box<Self>),
}

impl<A: fmt::Display> fmt::Display for Formula<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::True => f.write_str("true"),
            Self::False => f.write_str("false"),
            Self::Atom(atom) => write!(f, "{atom}"),
            Self::Not(a) => write!(f, "!({a})"),
            Self::And(a, b) => write!(f, "({a} && {b})"),
            Self::Or(a, b) => write!(f, "({a} || {b})"),
            Self::Next(a) => write!(f, "X ({a})"),
            Self::Finally(a) => write!(f, "F ({a})"),
            Self::Globally(a) => write!(f, "G ({a})"),
            Self::Until(a, b) => write!(f, "({a} U {b})"),
            Self::Release(a, b) => write!(f, "({a} R {b})"),
        }
    }
}

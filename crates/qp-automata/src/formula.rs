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

impl<A: Clone> Formula<A> {
    /// The formula that is true of exactly the other words, with negations at atoms only.
    #[must_use]
    pub fn negated(&self) -> Self {
        self.signed(false)
    }

    /// The same formula with negations at atoms only.
    #[must_use]
    pub fn nnf(&self) -> Self {
        self.signed(true)
    }

    /// The formula, or its negation, with negations at atoms only.
    fn signed(&self, sign: bool) -> Self {
        let one = |a: &Self| Box::new(a.signed(sign));
        match (self, sign) {
            (Self::True, true) | (Self::False, false) => Self::True,
            (Self::False, true) | (Self::True, false) => Self::False,
            (Self::Atom(_), true) => self.clone(),
            (Self::Atom(_), false) => Self::Not(Box::new(self.clone())),
            (Self::Not(a), _) => a.signed(!sign),
            (Self::And(a, b), true) | (Self::Or(a, b), false) => Self::And(one(a), one(b)),
            (Self::Or(a, b), true) | (Self::And(a, b), false) => Self::Or(one(a), one(b)),
            (Self::Next(a), _) => Self::Next(one(a)),
            (Self::Finally(a), true) | (Self::Globally(a), false) => Self::Finally(one(a)),
            (Self::Globally(a), true) | (Self::Finally(a), false) => Self::Globally(one(a)),
            (Self::Until(a, b), true) | (Self::Release(a, b), false) => Self::Until(one(a), one(b)),
            (Self::Release(a, b), true) | (Self::Until(a, b), false) => {
                Self::Release(one(a), one(b))
            }
        }
    }
}

impl<A: PartialEq> Formula<A> {
    /// Its atoms, in the order in which they stand in it.
    pub fn atoms(&self) -> Vec<&A> {
        let (mut found, mut todo) = (Vec::new(), vec![self]);
        while let Some(formula) = todo.pop() {
            match formula {
                Self::True | Self::False => {}
                Self::Atom(atom) if found.contains(&atom) => {}
                Self::Atom(atom) => found.push(atom),
                Self::Not(a) | Self::Next(a) | Self::Finally(a) | Self::Globally(a) => todo.push(a),
                Self::And(a, b) | Self::Or(a, b) | Self::Until(a, b) | Self::Release(a, b) => {
                    todo.extend([&**b, &**a]);
                }
            }
        }
        found
    }
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

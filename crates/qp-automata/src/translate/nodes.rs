//! Formulas as numbers: equal ones have equal numbers, and the obvious is simplified as they are made.

use qp_base::Interner;

use crate::Formula;

/// The number of a formula.
pub(super) type Number = usize;

/// A formula with negations at atoms only, made of numbered formulas. *Some time* is `true until`, and *from now
/// on* is `false release`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node {
    True,
    False,
    /// An atom by its number, and whether it is true.
    Literal(usize, bool),
    And(Number, Number),
    Or(Number, Number),
    Next(Number),
    Until(Number, Number),
    Release(Number, Number),
}

pub(super) const TRUE: Number = 0;
pub(super) const FALSE: Number = 1;

/// All formulas met so far.
pub(super) struct Nodes<A> {
    nodes: Interner<Number, Node>,
    pub(super) atoms: Vec<A>,
}

impl<A: Clone + Ord> Nodes<A> {
    pub(super) fn new() -> Self {
        let mut nodes = Interner::new();
        nodes.intern(Node::True);
        nodes.intern(Node::False);
        Self { nodes, atoms: Vec::new() }
    }

    pub(super) fn node(&self, number: Number) -> Node {
        *self.nodes.value(number)
    }

    /// The number of a formula with negations at atoms only.
    pub(super) fn of(&mut self, formula: &Formula<A>) -> Number {
        match formula {
            Formula::True => TRUE,
            Formula::False => FALSE,
            Formula::Atom(atom) => self.literal(atom, true),
            Formula::Not(a) => match &**a {
                Formula::Atom(atom) => self.literal(atom, false),
                _ => unreachable!("bug in Queueproof: negations stand at atoms"),
            },
            Formula::And(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.and(a, b)
            }
            Formula::Or(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.or(a, b)
            }
            Formula::Next(a) => {
                let a = self.of(a);
                self.next(a)
            }
            Formula::Finally(a) => {
                let a = self.of(a);
                self.until(TRUE, a)
            }
            Formula::Globally(a) => {
                let a = self.of(a);
                self.release(FALSE, a)
            }
            Formula::Until(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.until(a, b)
            }
            Formula::Release(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.release(a, b)
            }
        }
    }

    fn literal(&mut self, atom: &A, sign: bool) -> Number {
        let known = self.atoms.iter().position(|known| known == atom);
        let number = known.unwrap_or_else(|| {
            self.atoms.push(atom.clone());
            self.atoms.len() - 1
        });
        self.nodes.intern(Node::Literal(number, sign))
    }

    fn and(&mut self, a: Number, b: Number) -> Number {
        let (a, b) = (a.min(b), a.max(b));
        match (self.node(a), self.node(b)) {
            (Node::True, _) => b,
            (Node::False, _) => FALSE,
            _ if a == b => a,
            (Node::Literal(one, x), Node::Literal(other, y)) if one == other && x != y => FALSE,
            (Node::Until(TRUE, c), Node::Until(TRUE, d)) if self.is_fg(a) && self.is_fg(b) => {
                let (Node::Release(_, c), Node::Release(_, d)) = (self.node(c), self.node(d))
                else {
                    unreachable!("bug in Queueproof: this was just looked at")
                };
                let both = self.and(c, d);
                let always = self.release(FALSE, both);
                self.until(TRUE, always)
            }
            _ => self.nodes.intern(Node::And(a, b)),
        }
    }

    fn or(&mut self, a: Number, b: Number) -> Number {
        let (a, b) = (a.min(b), a.max(b));
        match (self.node(a), self.node(b)) {
            (Node::True, _) | (_, Node::True) => TRUE,
            (Node::False, _) => b,
            (_, Node::False) => a,
            _ if a == b => a,
            (Node::Literal(one, x), Node::Literal(other, y)) if one == other && x != y => TRUE,
            (Node::Until(TRUE, c), Node::Until(TRUE, d)) => {
                let one = self.or(c, d);
                self.until(TRUE, one)
            }
            (Node::Release(FALSE, c), Node::Release(FALSE, d))
                if self.is_gf(a) && self.is_gf(b) =>
            {
                let one = self.or(c, d);
                self.release(FALSE, one)
            }
            _ => self.nodes.intern(Node::Or(a, b)),
        }
    }

    fn next(&mut self, a: Number) -> Number {
        if a == TRUE || a == FALSE || self.is_gf(a) || self.is_fg(a) {
            return a;
        }
        self.nodes.intern(Node::Next(a))
    }

    fn until(&mut self, a: Number, b: Number) -> Number {
        if a == FALSE || a == b || b == TRUE || b == FALSE || self.is_gf(b) || self.is_fg(b) {
            return b;
        }
        match (self.node(a), self.node(b)) {
            (_, Node::Until(c, _)) if c == a => b,
            (Node::Next(a), Node::Next(b)) => {
                let until = self.until(a, b);
                self.next(until)
            }
            (Node::True, Node::Next(b)) => {
                let until = self.until(TRUE, b);
                self.next(until)
            }
            _ => self.nodes.intern(Node::Until(a, b)),
        }
    }

    fn release(&mut self, a: Number, b: Number) -> Number {
        if a == TRUE || a == b || b == TRUE || b == FALSE || self.is_gf(b) || self.is_fg(b) {
            return b;
        }
        match (self.node(a), self.node(b)) {
            (_, Node::Release(c, _)) if c == a => b,
            (Node::Next(a), Node::Next(b)) => {
                let release = self.release(a, b);
                self.next(release)
            }
            (Node::False, Node::Next(b)) => {
                let release = self.release(FALSE, b);
                self.next(release)
            }
            _ => self.nodes.intern(Node::Release(a, b)),
        }
    }

    /// Whether it says that something is true again and again: the same from every letter on.
    fn is_gf(&self, a: Number) -> bool {
        matches!(self.node(a), Node::Release(FALSE, b) if matches!(self.node(b), Node::Until(TRUE, _)))
    }

    /// Whether it says that something is true from some letter on: the same from every letter on.
    fn is_fg(&self, a: Number) -> bool {
        matches!(self.node(a), Node::Until(TRUE, b) if matches!(self.node(b), Node::Release(FALSE, _)))
    }
}

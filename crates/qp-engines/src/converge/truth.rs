//! Truth of formulas about contents that are read from their back to their front.
//!
//! A suffix is summarised by the values of all subformulas on it: so much, and the next message before it,
//! say what they are on the longer one.

use qp_base::Map;
use qp_machines::{MessageId, Qutl, Relation, Texts};

/// Formulas about one queue, taken apart.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Truth {
    /// Subformulas, inner ones first.
    nodes: Vec<Node>,
    /// The formulas: a subformula and the number that the caller has given to the formula.
    roots: Vec<(usize, usize)>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Node {
    Constant(bool),
    First(String),
    Count(String, Relation, u32),
    Next(usize),
    WeakNext(usize),
    Finally(usize),
    Globally(usize),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
}

/// The values of all subformulas on one content: 0 or 1, or a count that stops above its limit.
pub(super) type Values = Vec<u8>;

/// Counts above this are not told apart: nobody states that large a number of messages.
pub(super) const COUNT_MAX: u32 = 250;

/// Which messages have which names.
#[derive(Default)]
pub(super) struct Naming {
    known: Map<(String, MessageId), bool>,
}

impl Naming {
    /// Whether a message has a name.
    pub(super) fn is(&mut self, texts: Texts<'_>, name: &str, message: MessageId) -> bool {
        let key = (name.to_owned(), message);
        let known = self.known.entry(key);
        *known.or_insert_with(|| Qutl::names(name, &texts(message)))
    }
}

impl Truth {
    /// Adds a formula under a number of the caller's, as it reads where only messages occur of which
    /// `occurs` says that one has the name.
    pub(super) fn add(&mut self, f: &Qutl, number: usize, occurs: &mut dyn FnMut(&str) -> bool) {
        let root = self.node(f, occurs);
        if self.nodes[root] != Node::Constant(true) {
            self.roots.push((root, number));
        }
    }

    /// Whether nothing is said.
    pub(super) fn is_trivial(&self) -> bool {
        self.roots.is_empty()
    }

    /// On the empty content.
    pub(super) fn empty(&self) -> Values {
        self.values(None, &mut |_| false)
    }

    /// On a content with one more message at the front; `is` says which names that has.
    pub(super) fn step(&self, rest: &Values, is: &mut dyn FnMut(&str) -> bool) -> Values {
        self.values(Some(rest), is)
    }

    fn values(&self, rest: Option<&Values>, is: &mut dyn FnMut(&str) -> bool) -> Values {
        let mut values = Values::with_capacity(self.nodes.len());
        for (number, node) in self.nodes.iter().enumerate() {
            let now = |f: &usize| self.value(&values, *f);
            let then = |rest: &Values, f: &usize| self.value(rest, *f);
            let value = match node {
                Node::Count(name, _, limit) => {
                    let count = rest.map_or(0, |rest| rest[number] + u8::from(is(name)));
                    values.push(count.min(*limit as u8 + 1));
                    continue;
                }
                Node::Constant(value) => *value,
                Node::First(name) => rest.is_some() && is(name),
                Node::Next(f) => rest.is_some_and(|rest| then(rest, f)),
                Node::WeakNext(f) => rest.is_none_or(|rest| then(rest, f)),
                Node::Finally(f) => rest.is_some_and(|rest| now(f) || rest[number] == 1),
                Node::Globally(f) => rest.is_none_or(|rest| now(f) && rest[number] == 1),
                Node::Not(f) => !now(f),
                Node::And(f, g) => now(f) && now(g),
                Node::Or(f, g) => now(f) || now(g),
            };
            values.push(u8::from(value));
        }
        values
    }

    /// Whether all formulas hold.
    pub(super) fn all(&self, values: &Values) -> bool {
        self.roots.iter().all(|&(root, _)| self.value(values, root))
    }

    /// Whether some formula is false here and on every longer content: it need not be followed any further.
    pub(super) fn is_doomed(&self, values: &Values) -> bool {
        self.roots.iter().any(|&(root, _)| self.stays_false(values, root))
    }

    fn stays_false(&self, values: &Values, node: usize) -> bool {
        match self.nodes[node] {
            Node::Constant(value) => !value,
            Node::Globally(_) | Node::Count(_, Relation::Less | Relation::AtMost, _) => {
                !self.value(values, node)
            }
            Node::And(f, g) => self.stays_false(values, f) || self.stays_false(values, g),
            _ => false,
        }
    }

    /// The numbers of all formulas.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        self.roots.iter().map(|&(_, number)| number)
    }

    /// The numbers of the formulas that do not hold.
    pub(super) fn failing(&self, values: &Values) -> impl Iterator<Item = usize> {
        let failing = self.roots.iter().filter(|&&(root, _)| !self.value(values, root));
        failing.map(|&(_, number)| number)
    }

    fn value(&self, values: &Values, node: usize) -> bool {
        match self.nodes[node] {
            Node::Count(_, relation, limit) => relation.holds(u32::from(values[node]), limit),
            _ => values[node] == 1,
        }
    }

    fn node(&mut self, f: &Qutl, occurs: &mut dyn FnMut(&str) -> bool) -> usize {
        let node = match f {
            Qutl::True => Node::Constant(true),
            Qutl::First(name) if occurs(name) => Node::First(name.clone()),
            Qutl::False | Qutl::First(_) => Node::Constant(false),
            Qutl::Count(name, relation, limit) if occurs(name) => {
                Node::Count(name.clone(), *relation, (*limit).min(COUNT_MAX))
            }
            Qutl::Count(_, relation, limit) => Node::Constant(relation.holds(0, *limit)),
            Qutl::Next(f) => Node::Next(self.node(f, occurs)),
            Qutl::WeakNext(f) => match self.node(f, occurs) {
                f if self.nodes[f] == Node::Constant(true) => return f,
                f => Node::WeakNext(f),
            },
            Qutl::Finally(f) => match self.node(f, occurs) {
                f if self.nodes[f] == Node::Constant(false) => return f,
                f => Node::Finally(f),
            },
            Qutl::Globally(f) => match self.node(f, occurs) {
                f if self.nodes[f] == Node::Constant(true) => return f,
                f => Node::Globally(f),
            },
            Qutl::Not(f) => {
                let f = self.node(f, occurs);
                self.negated(f)
            }
            Qutl::And(f, g) => {
                let (f, g) = (self.node(f, occurs), self.node(g, occurs));
                match (&self.nodes[f], &self.nodes[g]) {
                    (Node::Constant(true), _) => return g,
                    (_, Node::Constant(true)) | (Node::Constant(false), _) => return f,
                    (_, Node::Constant(false)) => return g,
                    _ => Node::And(f, g),
                }
            }
            Qutl::Or(f, g) => {
                let (f, g) = (self.node(f, occurs), self.node(g, occurs));
                return self.either(f, g);
            }
            Qutl::Implies(f, g) => {
                let f = self.node(f, occurs);
                let not_f = self.negated(f);
                let (not_f, g) = (self.put(not_f), self.node(g, occurs));
                return self.either(not_f, g);
            }
        };
        self.put(node)
    }

    fn negated(&self, f: usize) -> Node {
        match self.nodes[f] {
            Node::Constant(value) => Node::Constant(!value),
            _ => Node::Not(f),
        }
    }

    fn either(&mut self, f: usize, g: usize) -> usize {
        match (&self.nodes[f], &self.nodes[g]) {
            (Node::Constant(false), _) => g,
            (_, Node::Constant(false)) | (Node::Constant(true), _) => f,
            (_, Node::Constant(true)) => g,
            _ => self.put(Node::Or(f, g)),
        }
    }

    fn put(&mut self, node: Node) -> usize {
        let known = self.nodes.iter().position(|known| *known == node);
        known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }
}

//! What a letter must say, and what comes after it, for some formulas to be true.

use std::collections::{BTreeMap, BTreeSet};

use super::nodes::{Node, Nodes, Number};

/// One way to read a letter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Step<T> {
    /// What the letter must say: atoms and whether they are true, in order.
    pub(super) when: Vec<(usize, bool)>,
    /// What must be true from the next letter on.
    pub(super) to: T,
    /// The *untils* that are put off, in order.
    pub(super) promised: Vec<Number>,
}

/// A step of which a part is still to be worked out.
#[derive(Clone, Default)]
struct Draft {
    todo: Vec<Number>,
    done: BTreeSet<Number>,
    when: BTreeMap<usize, bool>,
    to: BTreeSet<Number>,
    promised: BTreeSet<Number>,
}

/// All ways to read a letter so that these formulas are true; `None` if there are more than `max`.
pub(super) fn steps<A: Clone + Ord>(
    nodes: &Nodes<A>,
    formulas: &[Number],
    max: usize,
) -> Option<Vec<Step<Vec<Number>>>> {
    // Comparing all steps of a state with each other must stay cheap.
    const MOST: usize = 2_000;
    let max = max.min(MOST);
    let mut drafts = vec![Draft { todo: formulas.to_vec(), ..Draft::default() }];
    let (mut found, mut n_drafts) = (BTreeSet::new(), 0);
    while let Some(draft) = drafts.pop() {
        n_drafts += 1;
        if found.len() > max || n_drafts > max * 64 {
            return None;
        }
        found.extend(draft.work(nodes, &mut drafts));
    }
    let subset = |a: &Vec<Number>, b: &Vec<Number>| a.iter().all(|n| b.binary_search(n).is_ok());
    Some(undominated(found.into_iter().collect(), subset))
}

impl Draft {
    /// Works the draft out. Alternatives go to `others`; `None` if nothing comes of it.
    fn work<A: Clone + Ord>(
        mut self,
        nodes: &Nodes<A>,
        others: &mut Vec<Self>,
    ) -> Option<Step<Vec<Number>>> {
        while let Some(number) = self.todo.pop() {
            if !self.done.insert(number) {
                continue;
            }
            match nodes.node(number) {
                Node::True => {}
                Node::False => return None,
                Node::Literal(atom, value) => {
                    if *self.when.entry(atom).or_insert(value) != value {
                        return None;
                    }
                }
                Node::And(a, b) => self.todo.extend([a, b]),
                Node::Next(a) => {
                    self.to.insert(a);
                }
                Node::Or(a, b) => {
                    if !self.done.contains(&a) && !self.done.contains(&b) {
                        others.push(self.with(b));
                        self.todo.push(a);
                    }
                }
                Node::Until(a, b) => {
                    if !self.done.contains(&b) {
                        let mut later = self.with(a);
                        later.to.insert(number);
                        later.promised.insert(number);
                        others.push(later);
                        self.todo.push(b);
                    }
                }
                Node::Release(a, b) => {
                    self.todo.push(b);
                    if !self.done.contains(&a) {
                        others.push(self.with(a));
                        self.to.insert(number);
                    }
                }
            }
        }
        Some(Step {
            when: self.when.into_iter().collect(),
            to: self.to.into_iter().collect(),
            promised: self.promised.into_iter().collect(),
        })
    }

    fn with(&self, number: Number) -> Self {
        let mut other = self.clone();
        other.todo.push(number);
        other
    }
}

/// Leaves out the steps for which there is another that asks for less of the letter, leads to where less must be
/// true (as `less` says) and promises less: whatever can be read with them can be read with that one.
pub(super) fn undominated<T: PartialEq>(
    steps: Vec<Step<T>>,
    less: impl Fn(&T, &T) -> bool,
) -> Vec<Step<T>> {
    let dominates = |a: &Step<T>, b: &Step<T>| {
        a.when.iter().all(|literal| b.when.contains(literal))
            && a.promised.iter().all(|promise| b.promised.contains(promise))
            && less(&a.to, &b.to)
    };
    let keep: Vec<bool> =
        steps.iter().map(|b| !steps.iter().any(|a| a != b && dominates(a, b))).collect();
    steps.into_iter().zip(keep).filter_map(|(step, keep)| keep.then_some(step)).collect()
}

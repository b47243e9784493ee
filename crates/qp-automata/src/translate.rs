//! From formulas to automata.
//!
//! A state is a set of formulas that must be true from here on. To read a letter, each of them is taken apart
//! into what the letter must say and what must be true from the next letter on; an *until* that is put
//! off leaves a promise on the step. A word is accepted if no promise is made from some moment on without a
//! break. In the end, promises are turned into accepting states by keeping them one after the other.

mod degeneralise;
mod expand;
mod nodes;

use std::collections::BTreeMap;

use crate::{Buchi, Formula};

use self::expand::Step;
use self::nodes::{Node, Nodes, Number};

/// How many steps all states together may have, for each state that is allowed.
const STEPS_PER_STATE: usize = 40;

impl<A: Clone + Ord> Formula<A> {
    /// An automaton that accepts exactly the words of which the formula is true; `None` if that would take
    /// more than about `states_max` states.
    pub fn automaton(&self, states_max: usize) -> Option<Buchi<A>> {
        let mut nodes = Nodes::new();
        let start = nodes.of(&self.nnf());
        let mut tableau =
            Tableau { sets: BTreeMap::new(), steps: Vec::new(), promises: Vec::new() };
        tableau.build(&nodes, start, states_max)?;
        tableau.merge();
        degeneralise::automaton(&tableau, &nodes.atoms, states_max)
    }
}

/// An automaton whose steps make promises.
struct Tableau {
    /// The number of each set of formulas.
    sets: BTreeMap<Vec<Number>, usize>,
    /// The steps of each state, to states by number. State 0 is the beginning.
    steps: Vec<Vec<Step<usize>>>,
    /// The formulas that are promised somewhere.
    promises: Vec<Number>,
}

impl Tableau {
    fn build<A: Clone + Ord>(
        &mut self,
        nodes: &Nodes<A>,
        start: Number,
        states_max: usize,
    ) -> Option<()> {
        let steps_max = states_max.saturating_mul(STEPS_PER_STATE);
        let mut todo = vec![conjuncts(nodes, start)];
        self.sets.insert(todo[0].clone(), 0);
        let (mut at, mut n_steps) = (0, 0);
        while at < todo.len() {
            let mut steps = Vec::new();
            for Step { when, to, promised } in expand::steps(nodes, &todo[at], steps_max)? {
                let to: Vec<Number> = to.iter().flat_map(|&n| conjuncts(nodes, n)).collect();
                let to = sorted(to);
                let number = *self.sets.entry(to.clone()).or_insert(todo.len());
                if number == todo.len() {
                    todo.push(to);
                }
                self.promises.extend(&promised);
                steps.push(Step { when, to: number, promised });
            }
            n_steps += steps.len();
            if todo.len() > states_max || n_steps > steps_max {
                return None;
            }
            self.steps.push(steps);
            at += 1;
        }
        self.promises = sorted(std::mem::take(&mut self.promises));
        Some(())
    }

    /// Makes one state of those that cannot be told apart.
    fn merge(&mut self) {
        let classes = classes(
            self.steps.len(),
            |_| 0,
            |state, classes| {
                let known = |step: &Step<usize>| Step { to: classes[step.to], ..step.clone() };
                sorted(self.steps[state].iter().map(known).collect())
            },
        );
        let n = classes.iter().max().map_or(0, |last| last + 1);
        let mut steps = vec![None; n];
        for (state, old) in self.steps.drain(..).enumerate() {
            steps[classes[state]].get_or_insert_with(|| {
                let known = |step: Step<usize>| Step { to: classes[step.to], ..step };
                let new = sorted(old.into_iter().map(known).collect());
                expand::undominated(new, |a, b| a == b)
            });
        }
        self.steps = steps.into_iter().flatten().collect();
    }
}

/// The numbers of classes of things that cannot be told apart, by refining: things of different `kind` differ, and
/// so do those whose `look`, given the classes so far, differs. Thing 0 is in class 0.
pub(crate) fn classes<K: Ord, L: Ord>(
    n: usize,
    kind: impl Fn(usize) -> K,
    look: impl Fn(usize, &[usize]) -> L,
) -> Vec<usize> {
    let mut classes = numbered((0..n).map(kind));
    loop {
        let finer = numbered((0..n).map(|thing| (classes[thing], look(thing, &classes))));
        if finer.iter().max() == classes.iter().max() {
            return finer;
        }
        classes = finer;
    }
}

/// Equal things get equal numbers, in order of first occurrence.
fn numbered<T: Ord>(things: impl Iterator<Item = T>) -> Vec<usize> {
    let mut numbers = BTreeMap::new();
    things
        .map(|thing| {
            let next = numbers.len();
            *numbers.entry(thing).or_insert(next)
        })
        .collect()
}

/// The formulas of which this one is the conjunction.
fn conjuncts<A: Clone + Ord>(nodes: &Nodes<A>, number: Number) -> Vec<Number> {
    let (mut found, mut todo) = (Vec::new(), vec![number]);
    while let Some(number) = todo.pop() {
        match nodes.node(number) {
            Node::And(a, b) => todo.extend([a, b]),
            Node::True => {}
            _ => found.push(number),
        }
    }
    sorted(found)
}

pub(crate) fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items.dedup();
    items
}

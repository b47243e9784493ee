//! From promises to accepting states.

use std::collections::BTreeMap;

use crate::{Buchi, Edge, State};

use super::Tableau;

/// The automaton, as small as the simplifications get it.
///
/// A state says in addition how many of the promises were kept since the last time that all were; those with
/// all are accepting. With how many it begins does not matter, so that is tried out.
pub(super) fn automaton<A: Clone + Ord>(
    tableau: &Tableau,
    atoms: &[A],
    states_max: usize,
) -> Option<Buchi<A>> {
    let n_promises = tableau.promises.len();
    let one = counted(tableau, atoms, 0, states_max)?.simplified();
    let other = counted(tableau, atoms, n_promises, states_max)?.simplified();
    Some(if one.states.len() < other.states.len() { one } else { other })
}

fn counted<A: Clone + Ord>(
    tableau: &Tableau,
    atoms: &[A],
    first: usize,
    states_max: usize,
) -> Option<Buchi<A>> {
    let n_promises = tableau.promises.len();
    let mut numbers = BTreeMap::from([((0, first), 0)]);
    let mut todo = vec![(0, first)];
    let mut states = Vec::new();
    while let Some(&(set, kept)) = todo.get(states.len()) {
        let mut edges = Vec::new();
        for step in &tableau.steps[set] {
            let mut now = if kept == n_promises { 0 } else { kept };
            while now < n_promises && !step.promised.contains(&tableau.promises[now]) {
                now += 1;
            }
            let to = *numbers.entry((step.to, now)).or_insert(todo.len());
            if to == todo.len() {
                todo.push((step.to, now));
            }
            let when = step.when.iter().map(|&(atom, value)| (atoms[atom].clone(), value));
            edges.push(Edge { when: when.collect(), to });
        }
        states.push(State { accepting: kept == n_promises, edges });
        if todo.len() > states_max {
            return None;
        }
    }
    Some(Buchi { start: vec![0], states })
}

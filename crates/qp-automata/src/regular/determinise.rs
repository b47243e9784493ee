//! The subset construction.

use qp_base::{Budget, Exhausted, Interner, Spent};

use super::pieces::cut;
use super::{Dfa, Edge, Letters, Nfa, State, StateId};

impl Nfa {
    /// A deterministic automaton for the same words, in which every state is reached.
    ///
    /// Up to 2^n states for n states, which is why it takes a budget: its `states` limit the states of the
    /// result, its `bytes` what is held for sets of states.
    pub fn determinise(&self, budget: &Budget) -> Result<Dfa, Exhausted> {
        let mut sets: Interner<StateId, Box<[StateId]>> = Interner::new();
        sets.intern(self.starts().into());
        let mut states: Vec<State> = Vec::new();
        let mut bytes = 0;
        while states.len() < sets.len() {
            budget.check(Spent { states: sets.len() as u64, bytes })?;
            let set = sets.value(StateId::new(states.len())).clone();
            bytes += (size_of_val(&*set) + size_of::<State>()) as u64;
            let accepting = set.iter().any(|&state| self.states()[state].accepting);
            let edges = cut(&self.leaving(&set))
                .into_iter()
                .map(|(letters, to)| Edge { letters, to: sets.intern(to.into()) });
            states.push(State { accepting, edges: edges.collect() });
        }
        Ok(Dfa::of(states))
    }

    /// The edges that leave a set of states.
    pub(super) fn leaving(&self, set: &[StateId]) -> Vec<(&Letters, StateId)> {
        let edges = set.iter().flat_map(|&state| &self.states()[state].edges);
        edges.map(|edge| (&edge.letters, edge.to)).collect()
    }
}

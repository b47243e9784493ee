//! How long the words of a deterministic automaton are.

use super::{Dfa, StateId, Word};

/// How long the words of a language get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Longest {
    /// There is no word.
    NoWord,
    /// Some word has this many letters, and none has more.
    Letters(usize),
    /// There are words of any length, or at least longer ones than any given.
    Endless,
}

impl Dfa {
    /// A shortest word that it accepts.
    pub fn shortest_word(&self) -> Option<Word> {
        self.to_nfa().shortest_word()
    }

    /// How long its words get.
    pub fn longest(&self) -> Longest {
        let automaton = self.to_nfa().trim();
        if automaton.states().is_empty() {
            return Longest::NoWord;
        }
        let mut waiting = vec![0_usize; automaton.states().len()];
        for edge in automaton.states().iter().flat_map(|state| &state.edges) {
            waiting[edge.to.index()] += 1;
        }
        // States in an order in which edges lead forward; those on a circle and behind it never get their turn.
        let mut length = vec![0_usize; waiting.len()];
        let mut order: Vec<StateId> =
            automaton.states().ids().filter(|id| waiting[id.index()] == 0).collect();
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for edge in &automaton.states()[state].edges {
                let to = edge.to.index();
                length[to] = length[to].max(length[state.index()] + 1);
                waiting[to] -= 1;
                if waiting[to] == 0 {
                    order.push(edge.to);
                }
            }
        }
        let longest = length.iter().copied().max().unwrap_or(0);
        if order.len() < length.len() { Longest::Endless } else { Longest::Letters(longest) }
    }
}

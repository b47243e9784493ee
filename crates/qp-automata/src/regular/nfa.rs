//! Nondeterministic automata.

use qp_base::IndexVec;

use super::{Builder, Letter, Letters, Word};

qp_base::define_index!(StateId, "s", "A state of an automaton.");

/// A state of an automaton on finite words.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// Whether a word may end here.
    pub accepting: bool,
    /// What can be read here. No set of letters is empty, and no two edges lead to the same state.
    pub edges: Vec<Edge>,
}

/// An edge of an automaton on finite words.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    /// The letters, each of which it can read.
    pub letters: Letters,
    /// The state afterwards.
    pub to: StateId,
}

/// A nondeterministic automaton on finite words. It has no edges that read nothing: [`Builder`] removes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Nfa {
    /// Where it can begin, in ascending order.
    starts: Vec<StateId>,
    states: IndexVec<StateId, State>,
}

impl Nfa {
    /// Accepts no word.
    pub fn none() -> Self {
        Self::default()
    }

    /// Accepts one word.
    pub fn word(word: &[Letter]) -> Self {
        Self::words([word])
    }

    /// Accepts finitely many words.
    pub fn words<'a>(words: impl IntoIterator<Item = &'a [Letter]>) -> Self {
        let mut builder = Builder::new();
        let start = builder.start();
        for word in words {
            let end = builder.path(start, word);
            builder.accept(end);
        }
        builder.build()
    }

    /// Accepts the words of one letter.
    pub fn letters(letters: &Letters) -> Self {
        let mut builder = Builder::new();
        let (start, end) = (builder.start(), builder.state());
        builder.edge(start, letters.clone(), end);
        builder.accept(end);
        builder.build()
    }

    /// Accepts every word of some letters.
    pub fn all(letters: &Letters) -> Self {
        let mut builder = Builder::new();
        let start = builder.start();
        builder.edge(start, letters.clone(), start);
        builder.accept(start);
        builder.build()
    }

    pub(super) fn of(mut starts: Vec<StateId>, states: IndexVec<StateId, State>) -> Self {
        starts.sort_unstable();
        starts.dedup();
        Self { starts, states }
    }

    /// Where it can begin, in ascending order.
    pub fn starts(&self) -> &[StateId] {
        &self.starts
    }

    /// Its states.
    pub fn states(&self) -> &IndexVec<StateId, State> {
        &self.states
    }

    /// Whether it accepts a word. Time linear in the word and in the edges, for each letter.
    pub fn accepts(&self, word: &[Letter]) -> bool {
        self.after(word).iter().any(|&state| self.states[state].accepting)
    }

    /// Where it can be after a word, in ascending order.
    pub fn after(&self, word: &[Letter]) -> Vec<StateId> {
        word.iter().fold(self.starts.clone(), |now, &letter| {
            let edges = now.iter().flat_map(|&state| &self.states[state].edges);
            let mut next: Vec<StateId> =
                edges.filter(|edge| edge.letters.contains(letter)).map(|edge| edge.to).collect();
            next.sort_unstable();
            next.dedup();
            next
        })
    }

    /// Whether it accepts no word.
    pub fn is_empty(&self) -> bool {
        !self
            .states
            .ids()
            .zip(self.reached())
            .any(|(id, reached)| reached && self.states[id].accepting)
    }

    /// A shortest word that it accepts.
    pub fn shortest_word(&self) -> Option<Word> {
        let mut from: Vec<Option<(StateId, Letter)>> = vec![None; self.states.len()];
        let mut met = vec![false; self.states.len()];
        let mut queue = self.starts.clone();
        for start in &queue {
            met[start.index()] = true;
        }
        let mut next = 0;
        while let Some(&state) = queue.get(next) {
            next += 1;
            if self.states[state].accepting {
                return Some(word_to(&from, state));
            }
            for edge in &self.states[state].edges {
                if !met[edge.to.index()] {
                    met[edge.to.index()] = true;
                    let letter = edge.letters.least().expect("labels are not empty");
                    from[edge.to.index()] = Some((state, letter));
                    queue.push(edge.to);
                }
            }
        }
        None
    }

    /// The same automaton without the states that no accepted word passes.
    #[must_use]
    pub fn trim(&self) -> Self {
        let (reached, live) = (self.reached(), self.live());
        let keep = |state: StateId| reached[state.index()] && live[state.index()];
        let mut number = vec![None; self.states.len()];
        for (new, id) in self.states.ids().filter(|&id| keep(id)).enumerate() {
            number[id.index()] = Some(StateId::new(new));
        }
        let renamed = |edge: &Edge| {
            number[edge.to.index()].map(|to| Edge { letters: edge.letters.clone(), to })
        };
        let kept = self.states.iter_enumerated().filter(|(id, _)| keep(*id));
        let states = kept.map(|(_, state)| State {
            accepting: state.accepting,
            edges: state.edges.iter().filter_map(renamed).collect(),
        });
        let states = states.collect();
        let starts = self.starts.iter().filter_map(|start| number[start.index()]).collect();
        Self::of(starts, states)
    }

    /// Which states can be reached.
    fn reached(&self) -> Vec<bool> {
        let next = |state: StateId| self.states[state].edges.iter().map(|edge| edge.to);
        closure(self.states.len(), self.starts.clone(), next)
    }

    /// From which states a word can be accepted.
    pub(super) fn live(&self) -> Vec<bool> {
        let mut back: Vec<Vec<StateId>> = vec![Vec::new(); self.states.len()];
        for (id, state) in self.states.iter_enumerated() {
            state.edges.iter().for_each(|edge| back[edge.to.index()].push(id));
        }
        let ends = self.states.iter_enumerated().filter(|(_, state)| state.accepting);
        let ends = ends.map(|(id, _)| id).collect();
        closure(self.states.len(), ends, |state| back[state.index()].iter().copied())
    }
}

/// What can be reached from some states, which count as reached.
pub(super) fn closure<I: Iterator<Item = StateId>>(
    n_states: usize,
    from: Vec<StateId>,
    next: impl Fn(StateId) -> I,
) -> Vec<bool> {
    let (mut reached, mut todo) = (vec![false; n_states], from);
    while let Some(state) = todo.pop() {
        if !reached[state.index()] {
            reached[state.index()] = true;
            todo.extend(next(state));
        }
    }
    reached
}

/// Reads a word backwards from its last state.
fn word_to(from: &[Option<(StateId, Letter)>], mut state: StateId) -> Word {
    let mut word = Vec::new();
    while let Some((before, letter)) = from[state.index()] {
        word.push(letter);
        state = before;
    }
    word.reverse();
    word
}

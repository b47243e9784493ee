//! How many words a deterministic automaton accepts, how long they are, and which.

use super::{Dfa, Letter, StateId, Word};

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
    /// Whether it accepts no word.
    pub fn is_empty(&self) -> bool {
        self.to_nfa().is_empty()
    }

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

    /// Whether it accepts finitely many words.
    pub fn is_finite(&self) -> bool {
        let labels = |nfa: &super::Nfa| {
            nfa.states().iter().flat_map(|state| &state.edges).all(|edge| edge.letters.is_finite())
        };
        self.longest() != Longest::Endless && labels(&self.to_nfa().trim())
    }

    /// How many words of each length from 0 to `length` it accepts; `None` for more than can be counted. With m
    /// edges, time O(m) for each length.
    pub fn counts(&self, length: usize) -> Vec<Option<u128>> {
        let live = self.to_nfa().live();
        let mut ways: Vec<Option<u128>> = vec![Some(0); live.len()];
        ways[Self::START.index()] = Some(1);
        let mut counts = Vec::new();
        for step in 0..=length {
            if step > 0 {
                ways = self.one_letter_more(&ways, &live);
            }
            let mut ends = self.states().iter_enumerated().filter(|(_, state)| state.accepting);
            counts.push(ends.try_fold(0, |sum: u128, (id, _)| sum.checked_add(ways[id.index()]?)));
        }
        counts
    }

    /// In how many ways each state is reached, one letter later.
    fn one_letter_more(&self, ways: &[Option<u128>], live: &[bool]) -> Vec<Option<u128>> {
        let mut next = vec![Some(0); ways.len()];
        for (id, state) in self.states().iter_enumerated() {
            for edge in state.edges.iter().filter(|edge| live[edge.to.index()]) {
                let letters = edge.letters.listed().len() as u128;
                let more = match ways[id.index()] {
                    Some(0) => Some(0),
                    Some(ways) if edge.letters.is_finite() => ways.checked_mul(letters),
                    _ => None,
                };
                next[edge.to.index()] = add(next[edge.to.index()], more);
            }
        }
        next
    }

    /// All words with at most `length` letters, shorter ones first, then in the order of letters; `None` if there
    /// are more than `words_max`. Up to l^length words for l letters.
    pub fn words_up_to(&self, length: usize, words_max: usize) -> Option<Vec<Word>> {
        let live = self.to_nfa().live();
        let mut found = Vec::new();
        let mut now: Vec<(Word, StateId)> = vec![(Vec::new(), Self::START)];
        for step in 0..=length {
            let ends = now.iter().filter(|(_, state)| self.states()[*state].accepting);
            found.extend(ends.map(|(word, _)| word.clone()));
            if found.len() > words_max {
                return None;
            }
            if step < length {
                now = self.longer(&now, &live, length - step, words_max)?;
            }
        }
        Some(found)
    }

    /// The beginnings of words with one more letter, of those that can end within `room` letters.
    fn longer(
        &self,
        now: &[(Word, StateId)],
        live: &[bool],
        room: usize,
        words_max: usize,
    ) -> Option<Vec<(Word, StateId)>> {
        let distance = self.distances();
        let mut longer = Vec::new();
        for (word, state) in now {
            let mut letters: Vec<(Letter, StateId)> = Vec::new();
            for edge in &self.states()[*state].edges {
                if !live[edge.to.index()] || distance[edge.to.index()] >= room {
                    continue;
                }
                if !edge.letters.is_finite() {
                    return None;
                }
                letters.extend(edge.letters.listed().iter().map(|&letter| (letter, edge.to)));
            }
            letters.sort_unstable();
            let extended = |letter: Letter| word.iter().copied().chain([letter]).collect();
            longer.extend(letters.into_iter().map(|(letter, to)| (extended(letter), to)));
            // Each beginning ends as a word of its own.
            if longer.len() > words_max {
                return None;
            }
        }
        Some(longer)
    }

    /// How many letters are missing at least, from each state, to a word.
    fn distances(&self) -> Vec<usize> {
        let reversed = self.states().iter_enumerated();
        let mut back: Vec<Vec<StateId>> = vec![Vec::new(); self.states().len()];
        let (mut order, mut distance) = (Vec::new(), vec![usize::MAX; back.len()]);
        for (id, state) in reversed {
            state.edges.iter().for_each(|edge| back[edge.to.index()].push(id));
            if state.accepting {
                distance[id.index()] = 0;
                order.push(id);
            }
        }
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for &before in &back[state.index()] {
                if distance[before.index()] == usize::MAX {
                    distance[before.index()] = distance[state.index()] + 1;
                    order.push(before);
                }
            }
        }
        distance
    }
}

/// The sum, if both can be counted.
fn add(a: Option<u128>, b: Option<u128>) -> Option<u128> {
    a?.checked_add(b?)
}

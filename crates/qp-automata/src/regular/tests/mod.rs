//! Every operation against brute force over all short words.

mod algebra;
mod exponents;
mod letters;
mod measure;
mod reading;

use qp_base::Budget;

use super::{Builder, Language, Letter, Letters, Nfa, StateId, Word};

/// Small random numbers.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % sides
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())]
    }

    /// Some of the letters 0 to 2, or all but some.
    pub(crate) fn letters(&mut self) -> Letters {
        let bits = self.roll(8);
        let listed = (0..3).filter(|i| bits >> i & 1 == 1).map(Letter::new);
        if self.roll(4) == 0 { Letters::except(listed) } else { Letters::only(listed) }
    }

    pub(crate) fn word(&mut self, length_max: usize, n_letters: usize) -> Word {
        let length = self.roll(length_max + 1);
        (0..length).map(|_| Letter::new(self.roll(n_letters))).collect()
    }

    /// An automaton with up to `states_max` states, made by hand so that unreachable and dead states occur.
    pub(crate) fn nfa(&mut self, states_max: usize) -> Nfa {
        let n_states = 1 + self.roll(states_max);
        let mut builder = Builder::new();
        let states: Vec<StateId> = (0..n_states).map(|_| builder.state()).collect();
        builder.start_at(states[0]);
        if self.roll(8) > 0 {
            builder.accept(states[self.roll(n_states)]);
        }
        for &state in &states {
            if self.roll(4) == 0 {
                builder.accept(state);
            }
            if self.roll(8) == 0 {
                builder.start_at(state);
            }
            for _ in 0..=self.roll(3) {
                builder.edge(state, self.letters(), states[self.roll(n_states)]);
            }
            if self.roll(6) == 0 {
                builder.jump(state, states[self.roll(n_states)]);
            }
        }
        builder.build()
    }
}

pub(crate) fn budget() -> Budget {
    Budget::states(100_000)
}

pub(crate) fn word(text: &str) -> Word {
    text.bytes().map(|byte| Letter::new(usize::from(byte - b'a'))).collect()
}

/// All words of up to `length` of the given letters, shorter ones first.
pub(crate) fn words(length: usize, letters: &[usize]) -> Vec<Word> {
    let mut all: Vec<Word> = vec![Vec::new()];
    let mut last = 0;
    for _ in 0..length {
        let end = all.len();
        for i in last..end {
            for &letter in letters {
                let longer = all[i].iter().copied().chain([Letter::new(letter)]).collect();
                all.push(longer);
            }
        }
        last = end;
    }
    all
}

/// Words of letters that random automata mention, and of one that they do not.
pub(crate) fn short_words() -> Vec<Word> {
    words(4, &[0, 1, 2, 7])
}

fn language(nfa: &Nfa) -> Language {
    Language::from_nfa(nfa, &budget()).expect("it is small")
}

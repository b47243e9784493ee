//! Cycles that only put into one queue, or only take from one, taken in any order.
//!
//! One cycle after the other makes `a*`, then `a* b*`, then `a* b* a*`, and so on. Together the cycles that put a or
//! b make `(a | b)*`. They do not hinder each other, whatever else there is, so that this is exact.

use qp_automata::loops::{Effect, Product};
use qp_automata::regular::{Dfa, Language, StateId, Word};
use qp_base::{Budget, Exhausted, Set};

/// What cycles through one control do to queues.
#[derive(Clone, Default)]
pub(super) struct Cycles {
    /// For each queue, what is put by cycles that do nothing else.
    puts: Vec<Vec<Word>>,
    /// For each queue into which no such cycle puts, what is taken by cycles that do nothing else.
    takes: Vec<Vec<Word>>,
    /// The other cycles, one effect for each queue.
    pub(super) others: Vec<Vec<Effect>>,
}

impl Cycles {
    pub(super) fn of(all: &[Vec<Effect>], n_queues: usize) -> Self {
        let mut cycles = Self {
            puts: vec![Vec::new(); n_queues],
            takes: vec![Vec::new(); n_queues],
            others: Vec::new(),
        };
        let mut takes = Vec::new();
        for effects in all {
            let touched = |place: &usize| effects[*place] != Effect::default();
            let places: Vec<usize> = (0..effects.len()).filter(touched).collect();
            match places[..] {
                [place] if effects[place].taken().is_empty() => {
                    cycles.puts[place].push(effects[place].put().to_vec());
                }
                [place] if effects[place].put().is_empty() => takes.push((place, effects)),
                _ => cycles.others.push(effects.clone()),
            }
        }
        for (place, effects) in takes {
            if cycles.puts[place].is_empty() {
                cycles.takes[place].push(effects[place].taken().to_vec());
            } else {
                cycles.others.push(effects.clone());
            }
        }
        cycles
    }

    /// What becomes of a product when these cycles are taken any number of times in any order.
    pub(super) fn joint(&self, product: &Product, automata: &Budget) -> Result<Product, Exhausted> {
        let mut wider = product.clone();
        for (place, language) in wider.0.iter_mut().enumerate() {
            if !self.puts[place].is_empty() {
                let words = Language::words(self.puts[place].iter().map(|word| &word[..]));
                *language = language.concat(&words.star(automata)?, automata)?;
            } else if !self.takes[place].is_empty() {
                *language = without(language, &self.takes[place], automata)?;
            }
        }
        Ok(wider)
    }
}

/// What is left of words when others are taken from their fronts, any number of times.
fn without(language: &Language, taken: &[Word], automata: &Budget) -> Result<Language, Exhausted> {
    let dfa = language.dfa();
    let (mut seen, mut order): (Set<StateId>, _) = (Set::default(), vec![Dfa::START]);
    seen.insert(Dfa::START);
    let mut left = language.clone();
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        for word in taken {
            if let Some(after) = dfa.after(state, word)
                && seen.insert(after)
            {
                order.push(after);
                left = left.union(&Language::from_dfa(dfa.starting_at(after)), automata)?;
            }
        }
    }
    Ok(left)
}

//! Cycles that only put into one queue, or only take from one, taken in any order.
//!
//! One cycle after the other makes `a*`, then `a* b*`, then `a* b* a*`, and so on. Together the cycles that put a or
//! b make `(a | b)*`. They do not hinder each other, whatever else there is, so that this is exact.

use qp_automata::loops::{Effect, Product};
use qp_automata::regular::{Dfa, Language, StateId, Word};
use qp_base::{Budget, Exhausted, Set};

use super::memo::Memo;

/// So many cycles are taken one after the other.
const PAIRED_MAX: usize = 6;

/// What cycles through one control do to queues.
#[derive(Clone, Default)]
pub(super) struct Cycles {
    /// For each queue, what is put by cycles that do nothing else.
    puts: Vec<Vec<Word>>,
    /// For each queue into which no such cycle puts, what is taken by cycles that do nothing else.
    takes: Vec<Vec<Word>>,
    /// The other cycles, one effect for each queue.
    pub(super) others: Vec<Vec<Effect>>,
    /// All of them.
    pub(super) all: Vec<Vec<Effect>>,
    /// Pairs of them, one after the other.
    pub(super) pairs: Vec<Vec<Effect>>,
}

impl Cycles {
    pub(super) fn of(all: &[Vec<Effect>], n_queues: usize) -> Self {
        let mut cycles = Self {
            puts: vec![Vec::new(); n_queues],
            takes: vec![Vec::new(); n_queues],
            others: Vec::new(),
            all: all.to_vec(),
            pairs: one_after_the_other(all),
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
            *language = widened(language, &self.puts[place], &self.takes[place], automata)?;
        }
        Ok(wider)
    }
}

/// What becomes of a product when cycles are taken any number of times in any order that change one queue only, and
/// there only put or only take; nothing if that changes nothing.
///
/// Other queues may be touched if what they can hold, as a set, is the same afterwards: then it stays the same however
/// often.
pub(super) fn beside<'a>(
    cycles: impl Iterator<Item = &'a Vec<Effect>>,
    product: &Product,
    memo: &mut Memo,
    automata: &Budget,
) -> Result<Option<Product>, Exhausted> {
    let n_queues = product.0.len();
    let (mut puts, mut takes) = (vec![Vec::new(); n_queues], vec![Vec::new(); n_queues]);
    for effects in cycles {
        let Some(place) = only_changed(effects, product, memo, automata)? else { continue };
        let effect = &effects[place];
        if effect.taken().is_empty() {
            puts[place].push(effect.put().to_vec());
        } else if effect.put().is_empty() {
            takes[place].push(effect.taken().to_vec());
        }
    }
    for place in 0..n_queues {
        let language = &product.0[place];
        let wider = widened(language, &puts[place], &takes[place], automata)?;
        if wider != *language {
            let mut product = product.clone();
            product.0[place] = wider;
            return Ok(Some(product));
        }
    }
    Ok(None)
}

/// What becomes of words when others are put behind them, or else taken from their fronts, any number of times.
fn widened(
    language: &Language,
    puts: &[Word],
    takes: &[Word],
    automata: &Budget,
) -> Result<Language, Exhausted> {
    if puts.is_empty() {
        return without(language, takes, automata);
    }
    let words = Language::words(puts.iter().map(|word| &word[..]));
    language.concat(&words.star(automata)?, automata)
}

/// Two cycles are one, which no simple cycle is: the first may leave something that the second takes away again. Of
/// many cycles, only the first are tried.
fn one_after_the_other(cycles: &[Vec<Effect>]) -> Vec<Vec<Effect>> {
    let first = &cycles[..cycles.len().min(PAIRED_MAX)];
    let (mut seen, mut pairs) = (cycles.iter().cloned().collect::<Set<_>>(), Vec::new());
    for (i, a) in first.iter().enumerate() {
        for b in first.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, b)| b) {
            let pair: Vec<Effect> = a.iter().zip(b).map(|(a, b)| a.then(b)).collect();
            if seen.insert(pair.clone()) {
                pairs.push(pair);
            }
        }
    }
    pairs
}

/// The one queue whose contents, as a set, a cycle changes, if there is one and the cycle can be taken.
fn only_changed(
    effects: &[Effect],
    product: &Product,
    memo: &mut Memo,
    automata: &Budget,
) -> Result<Option<usize>, Exhausted> {
    let possible = |(effect, language): (&Effect, &Language)| {
        language.has_prefix(&effect.taken()[..effect.demand()])
    };
    if !effects.iter().zip(&product.0).all(possible) {
        return Ok(None);
    }
    let mut changed = None;
    for (place, (effect, language)) in effects.iter().zip(&product.0).enumerate() {
        let is_touched = *effect != Effect::default();
        if is_touched
            && memo.image(effect, language, automata)? != *language
            && changed.replace(place).is_some()
        {
            return Ok(None);
        }
    }
    Ok(changed)
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

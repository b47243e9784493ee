//! Cycles that only put into one queue, or only take from one, taken in any order.
//!
//! One cycle after the other makes `a*`, then `a* b*`, then `a* b* a*`, and so on. Together the cycles that put a or
//! b make `(a | b)*`. They do not hinder each other, whatever else there is, so that this is exact.

use qp_automata::loops::{Effect, Op, Product};
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

    /// All cycles, one effect for each queue.
    pub(super) fn all(&self) -> Vec<Vec<Effect>> {
        let n_queues = self.puts.len();
        let alone = |place: usize, effect: Effect| {
            let mut effects = vec![Effect::default(); n_queues];
            effects[place] = effect;
            effects
        };
        let mut all = self.others.clone();
        for place in 0..n_queues {
            let put =
                |word: &Word| Effect::of(&word.iter().map(|&a| Op::Put(a)).collect::<Vec<_>>());
            let take =
                |word: &Word| Effect::of(&word.iter().map(|&a| Op::Take(a)).collect::<Vec<_>>());
            all.extend(self.puts[place].iter().map(|word| alone(place, put(word))));
            all.extend(self.takes[place].iter().map(|word| alone(place, take(word))));
        }
        all
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

/// What becomes of a product when cycles are taken any number of times in any order that change one queue only, and
/// there only put or only take; nothing if that changes nothing.
///
/// Other queues may be touched if what they can hold, as a set, is the same afterwards: then it stays the same however
/// often.
pub(super) fn beside(
    cycles: &[Vec<Effect>],
    product: &Product,
    automata: &Budget,
) -> Result<Option<Product>, Exhausted> {
    let n_queues = product.0.len();
    let (mut puts, mut takes) = (vec![Vec::new(); n_queues], vec![Vec::new(); n_queues]);
    for effects in cycles {
        let Some(place) = only_changed(effects, product, automata)? else { continue };
        let effect = &effects[place];
        if effect.taken().is_empty() {
            puts[place].push(effect.put().to_vec());
        } else if effect.put().is_empty() {
            takes[place].push(effect.taken().to_vec());
        }
    }
    for place in 0..n_queues {
        let language = &product.0[place];
        let wider = if puts[place].len() > 1 {
            let words = Language::words(puts[place].iter().map(|word: &Word| &word[..]));
            language.concat(&words.star(automata)?, automata)?
        } else if takes[place].len() > 1 {
            without(language, &takes[place], automata)?
        } else {
            continue;
        };
        if wider != *language {
            let mut product = product.clone();
            product.0[place] = wider;
            return Ok(Some(product));
        }
    }
    Ok(None)
}

/// The one queue whose contents, as a set, a cycle changes, if there is one and the cycle can be taken.
fn only_changed(
    effects: &[Effect],
    product: &Product,
    automata: &Budget,
) -> Result<Option<usize>, Exhausted> {
    let mut changed = None;
    for (place, (effect, language)) in effects.iter().zip(&product.0).enumerate() {
        if *effect == Effect::default() {
            continue;
        }
        if !language.has_prefix(&effect.taken()[..effect.demand()]) {
            return Ok(None);
        }
        if effect.image(language, automata)? != *language && changed.replace(place).is_some() {
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

//! Sets with languages, broken in one place.

use qp_claim::{Language, RegularSet};

use super::{Mutant, sample, sets};
use crate::rng::Rng;

/// Sets with languages that differ from this one in one place; of each kind at most `most`.
pub fn regular(original: &RegularSet, rng: &mut Rng, most: usize) -> Vec<Mutant<RegularSet>> {
    let mut all: Vec<Mutant<RegularSet>> = sets(&original.set, rng, most)
        .into_iter()
        .map(|Mutant { what, it }| Mutant { what, it: RegularSet { set: it, ..original.clone() } })
        .collect();
    for place in sample(rng, original.languages.len(), most) {
        let other = rng.below(original.languages.len());
        for (what, language) in broken(&original.languages[place], rng) {
            let mut it = original.clone();
            it.languages[place] = language;
            all.push(Mutant { what: format!("language {place}: {what}"), it });
        }
        let mut it = original.clone();
        it.languages.swap(place, other);
        all.push(Mutant { what: format!("languages {place} and {other} swapped"), it });
    }
    let mut it = original.clone();
    it.languages.pop();
    all.push(Mutant { what: "a language is missing".to_owned(), it });
    all.retain(|mutant| mutant.it != *original);
    all
}

fn broken(language: &Language, rng: &mut Rng) -> Vec<(&'static str, Language)> {
    let mut all = Vec::new();
    let mut add = |what, change: &mut dyn FnMut(&mut Language)| {
        let mut it = language.clone();
        change(&mut it);
        it.steps.sort_unstable();
        all.push((what, it));
    };
    let (n_states, n_steps) = (language.accepting.len(), language.steps.len());
    if n_states > 0 {
        let (state, other) = (rng.below(n_states), rng.below(n_states));
        add("another end", &mut |it| it.accepting[state] ^= true);
        add("no end", &mut |it| it.accepting.fill(false));
        add("one more step", &mut |it| it.steps.push((state as u32, 0, other as u32)));
        add("a step to nowhere", &mut |it| it.steps.push((state as u32, 0, u32::MAX)));
        add("a state less", &mut |it| it.accepting.truncate(n_states - 1));
    }
    if n_steps > 0 {
        let (step, to) = (rng.below(n_steps), rng.below(n_states) as u32);
        add("a step less", &mut |it| {
            it.steps.remove(step);
        });
        add("a step elsewhere", &mut |it| it.steps[step].2 = to);
        add("another message", &mut |it| it.steps[step].1 ^= 1);
        add("an unknown message", &mut |it| it.steps[step].1 = u32::MAX);
    }
    add("closed", &mut |it| *it = Language::default());
    add("a new state", &mut |it| it.accepting.push(true));
    all
}

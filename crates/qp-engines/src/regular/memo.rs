//! What cycles make of languages, remembered: the same few languages meet the same few cycles again and again.

use std::hash::Hash;

use qp_automata::loops::{Closure, Effect, Product};
use qp_automata::regular::Language;
use qp_base::{Budget, Exhausted, Map};

/// Rounds after which a language that is not repeated is taken to count them.
const ROUNDS_MAX: usize = 8;
/// So many results are remembered; then all are forgotten.
const ENTRIES_MAX: usize = 20_000;

/// Results of earlier questions.
pub(super) struct Memory<K, V>(Map<K, Result<V, Exhausted>>);

impl<K, V> Default for Memory<K, V> {
    fn default() -> Self {
        Self(Map::default())
    }
}

impl<K: Eq + Hash, V: Clone> Memory<K, V> {
    /// What was found, or is now. What took too many states is remembered, too: asking again would lead to the same.
    pub(super) fn get(
        &mut self,
        question: K,
        find: impl FnOnce(&K) -> Result<V, Exhausted>,
    ) -> Result<V, Exhausted> {
        if let Some(known) = self.0.get(&question) {
            return known.clone();
        }
        if self.0.len() > ENTRIES_MAX {
            self.0.clear();
        }
        let found = find(&question);
        if matches!(found, Ok(_) | Err(Exhausted::States)) {
            self.0.insert(question, found.clone());
        }
        found
    }
}

/// What cycles made of languages.
#[derive(Default)]
pub(super) struct Memo {
    closures: Memory<(Product, Vec<Effect>), Closure>,
    images: Memory<(Language, Effect), Language>,
}

impl Memo {
    /// What becomes of a product when effects are done any number of times.
    pub(super) fn closure(
        &mut self,
        product: Product,
        effects: Vec<Effect>,
        automata: &Budget,
    ) -> Result<Closure, Exhausted> {
        let Self { closures, images } = self;
        closures.get((product, effects), |(product, effects)| {
            let mut image = |effect: &Effect, language: &Language| {
                images.get((language.clone(), effect.clone()), |_| effect.image(language, automata))
            };
            product.closure_with(effects, ROUNDS_MAX, &mut image, automata)
        })
    }

    /// What becomes of a language when something is done once.
    pub(super) fn image(
        &mut self,
        effect: &Effect,
        language: &Language,
        automata: &Budget,
    ) -> Result<Language, Exhausted> {
        let question = (language.clone(), effect.clone());
        self.images.get(question, |_| effect.image(language, automata))
    }
}

//! What cycles make of languages, remembered: the same few languages meet the same few cycles again and again.

use qp_automata::loops::{Closure, Effect, Product};
use qp_automata::regular::Language;
use qp_base::{Budget, Exhausted, Map};

/// Rounds after which a language that is not repeated is taken to count them.
const ROUNDS_MAX: usize = 8;
/// So many results are remembered; then all are forgotten.
const ENTRIES_MAX: usize = 20_000;

/// Results of earlier questions. Those that took too many states are among them.
#[derive(Default)]
pub(super) struct Memo {
    closures: Map<(Product, Vec<Effect>), Result<Closure, Exhausted>>,
    images: Map<(Language, Effect), Result<Language, Exhausted>>,
}

impl Memo {
    /// What becomes of a product when effects are done any number of times.
    pub(super) fn closure(
        &mut self,
        product: Product,
        effects: Vec<Effect>,
        automata: &Budget,
    ) -> Result<Closure, Exhausted> {
        if self.closures.len() > ENTRIES_MAX {
            self.closures.clear();
        }
        let question = (product, effects);
        if let Some(known) = self.closures.get(&question) {
            return known.clone();
        }
        let mut image =
            |effect: &Effect, language: &Language| self.image(effect, language, automata);
        let found = question.0.closure_with(&question.1, ROUNDS_MAX, &mut image, automata);
        if is_final(&found) {
            self.closures.insert(question, found.clone());
        }
        found
    }

    /// What becomes of a language when something is done once.
    pub(super) fn image(
        &mut self,
        effect: &Effect,
        language: &Language,
        automata: &Budget,
    ) -> Result<Language, Exhausted> {
        if self.images.len() > ENTRIES_MAX {
            self.images.clear();
        }
        let question = (language.clone(), effect.clone());
        if let Some(known) = self.images.get(&question) {
            return known.clone();
        }
        let found = effect.image(language, automata);
        if is_final(&found) {
            self.images.insert(question, found.clone());
        }
        found
    }
}

/// Whether asking again would lead to the same.
fn is_final<T>(found: &Result<T, Exhausted>) -> bool {
    matches!(found, Ok(_) | Err(Exhausted::States))
}

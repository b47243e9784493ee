//! Several words at once.

use qp_base::{Budget, Exhausted, Map, Spent};

use super::Effect;
use crate::regular::{Language, least_common_multiple};

/// A tuple of languages: the tuples of words of which each is in its language.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Product(pub Vec<Language>);

/// What becomes of a language when an effect is done once: [`Effect::image`], possibly remembered.
pub type ImageOf<'a> = dyn FnMut(&Effect, &Language) -> Result<Language, Exhausted> + 'a;

/// What becomes of a product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Closure {
    /// The union of these products, and nothing else. None of them is empty.
    Exact(Vec<Product>),
    /// There is no such union, or it was not found: two languages, with these numbers, count how often it was done,
    /// and are not independent of each other.
    Counting(usize, usize),
}

/// The languages after 0, 1, 2, ... times, as long as they are new, and the number of times after which the one next
/// to the last was seen first.
struct Orbit {
    languages: Vec<Language>,
    back: Option<usize>,
}

impl Product {
    /// Whether no tuple is in it.
    pub fn is_empty(&self) -> bool {
        self.0.iter().any(Language::is_empty)
    }

    /// Whether all of its tuples are in another product of as many languages.
    pub fn is_included_in(&self, other: &Self) -> bool {
        let mut parts = self.0.iter().zip(&other.0);
        self.is_empty() || parts.all(|(less, more)| less.is_included_in(more))
    }

    /// The tuples that are in both of two products of as many languages.
    pub fn intersection(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        let parts = self.0.iter().zip(&other.0);
        parts.map(|(a, b)| a.intersection(b, budget)).collect::<Result<_, _>>().map(Self)
    }

    /// Its tuples that are in none of the others, as products that have no tuple in common: none, if the others
    /// cover it. With n languages and k others, up to n^k products; the `states` of the budget limit them, too.
    pub fn without(&self, others: &[Self], budget: &Budget) -> Result<Vec<Self>, Exhausted> {
        let mut rest = vec![self.clone()];
        rest.retain(|product| !product.is_empty());
        for other in others {
            let mut smaller = Vec::new();
            for product in rest {
                product.without_one(other, &mut smaller, budget)?;
                budget.check(Spent { states: smaller.len() as u64, bytes: 0 })?;
            }
            rest = smaller;
        }
        Ok(rest)
    }

    /// For each place, the tuples whose words are in the other product before that place, and are not there.
    fn without_one(
        mut self,
        other: &Self,
        rest: &mut Vec<Self>,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        if self.intersection(other, budget)?.is_empty() {
            rest.push(self);
            return Ok(());
        }
        for (place, more) in other.0.iter().enumerate() {
            let outside = self.0[place].difference(more, budget)?;
            if !outside.is_empty() {
                let mut part = self.clone();
                part.0[place] = outside;
                rest.push(part);
            }
            self.0[place] = self.0[place].intersection(more, budget)?;
        }
        Ok(())
    }

    /// Its languages, each with its effect.
    fn with<'a>(
        &'a self,
        effects: &'a [Effect],
    ) -> impl Iterator<Item = (&'a Language, &'a Effect)> {
        assert_eq!(self.0.len(), effects.len(), "there is one effect for each language");
        self.0.iter().zip(effects)
    }

    /// What becomes of it when effects, one for each language, are all done the same number of times. Images of
    /// languages come from somebody who may know them already.
    ///
    /// It looks at the first `rounds_max` rounds. A language that is repeated there cannot be used to count rounds;
    /// if all but one are of that kind, the result is exact. The number of products is the number of rounds until
    /// they are repeated together, which is at most the first round from which each repeats itself plus the least
    /// common multiple of their periods.
    pub fn closure_with(
        &self,
        effects: &[Effect],
        rounds_max: usize,
        image: &mut ImageOf<'_>,
        budget: &Budget,
    ) -> Result<Closure, Exhausted> {
        let parts = self.with(effects);
        let mut orbits: Vec<Orbit> = parts
            .map(|(language, effect)| Orbit::of(language, effect, rounds_max, image))
            .collect::<Result<_, _>>()?;
        let mut counting = (0..orbits.len()).filter(|&i| orbits[i].back.is_none());
        let (first, second) = (counting.next(), counting.next());
        if let (Some(first), Some(second)) = (first, second) {
            return Ok(Closure::Counting(first, second));
        }
        let begin = orbits.iter().filter_map(|orbit| orbit.back).max().unwrap_or(0);
        let period = orbits.iter().filter_map(Orbit::period).fold(1, least_common_multiple);
        let mut products = Vec::new();
        for round in 0..begin + period {
            let mut product = Vec::with_capacity(orbits.len());
            for (orbit, effect) in orbits.iter_mut().zip(effects) {
                let language = orbit.at(round, effect, image)?;
                let counts = orbit.back.is_none() && round >= begin;
                let all = |language| effect.repeated(period).closure(language, budget);
                product.push(if counts { all(&language)? } else { language });
            }
            products.push(Self(product));
        }
        products.retain(|product| !product.is_empty());
        products.dedup();
        Ok(Closure::Exact(products))
    }

    /// At least what becomes of it when effects are done any number of times: as if the languages did not have to
    /// agree about how often.
    pub fn closure_of_each(&self, effects: &[Effect], budget: &Budget) -> Result<Self, Exhausted> {
        let parts = self.with(effects);
        parts
            .map(|(language, effect)| effect.closure(language, budget))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl Orbit {
    fn of(
        language: &Language,
        effect: &Effect,
        rounds_max: usize,
        image: &mut ImageOf<'_>,
    ) -> Result<Self, Exhausted> {
        let mut seen: Map<Language, usize> = Map::default();
        seen.insert(language.clone(), 0);
        let mut orbit = Self { languages: vec![language.clone()], back: None };
        for round in 1..=rounds_max {
            let next = image(effect, &orbit.languages[round - 1])?;
            if let Some(&back) = seen.get(&next) {
                orbit.back = Some(back);
                break;
            }
            seen.insert(next.clone(), round);
            orbit.languages.push(next);
        }
        Ok(orbit)
    }

    fn period(&self) -> Option<usize> {
        self.back.map(|back| self.languages.len() - back)
    }

    /// The language after a number of rounds.
    fn at(
        &mut self,
        round: usize,
        effect: &Effect,
        image: &mut ImageOf<'_>,
    ) -> Result<Language, Exhausted> {
        if let Some((back, period)) = self.back.zip(self.period()) {
            let place = if round < back { round } else { back + (round - back) % period };
            return Ok(self.languages[place].clone());
        }
        while self.languages.len() <= round {
            let next = image(effect, &self.languages[self.languages.len() - 1])?;
            self.languages.push(next);
        }
        Ok(self.languages[round].clone())
    }
}

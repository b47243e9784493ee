//! What happens to a word when letters are taken from its front and put at its back, again and again.
//!
//! A sequence of such operations ([`Op`]) has an [`Effect`]: a normal form that says all there is to say about it.
//! Effects are applied to words and to regular languages, once ([`Effect::image`]), any number of times
//! ([`Effect::closure`]) or for ever ([`Effect::iterable`]). A [`Product`] is a tuple of languages, changed by a tuple
//! of effects at the same time: [`Product::closure`].
//!
//! ```
//! use qp_automata::loops::{Effect, Op};
//! use qp_automata::regular::{Language, Letter};
//! use qp_base::Budget;
//!
//! let [a, b] = [Letter::new(0), Letter::new(1)];
//! let budget = Budget::states(1_000);
//! // Put a and then b, any number of times, at the back of b.
//! let effect = Effect::of(&[Op::Put(a), Op::Put(b)]);
//! let words = effect.closure(&Language::word(&[b]), &budget)?;
//! assert!(words.contains(&[b, a, b, a, b]) && !words.contains(&[b, a]));
//! // Take b, put b: this can go on for ever if the word has nothing but b, and has one.
//! let round = Effect::of(&[Op::Take(b), Op::Put(b)]);
//! assert_eq!(round.apply(&[b, a]), Some(vec![a, b]));
//! assert!(!round.can_repeat_for_ever(&[b, a]) && round.can_repeat_for_ever(&[b, b]));
//! # Ok::<(), qp_base::Exhausted>(())
//! ```
//!
//! The results are those of *The Power of QDDs* (1997), theorems 3, 4, 6, 7 and 10.

mod effect;
mod closure;
mod for_ever;
mod product;

pub use effect::{Effect, Op};
pub use product::{Closure, ImageOf, Product};

#[cfg(test)]
mod tests;

//! Languages of finite and infinite words.
//!
//! * [`regular`]: finite words. Automata, regular languages as values, sets of exponents, regular expressions.
//! * [`loops`]: what becomes of regular languages when letters are taken from the front of words and put at
//!   their back, any number of times.
//! * Here: infinite words. Linear temporal logic and Büchi automata, over any alphabet.
//!
//! # Finite words
//!
//! ```
//! use qp_automata::loops::{Effect, Op};
//! use qp_automata::regular::{Language, Letter, Letters};
//! use qp_base::Budget;
//!
//! let [a, b] = [Letter::new(0), Letter::new(1)];
//! let budget = Budget::states(1_000);
//! // All words of a and b in which an a comes first, in different ways.
//! let any = Language::all(&Letters::only([a, b]));
//! let first = Language::word(&[a]).concat(&any, &budget)?;
//! let other = any.difference(&Language::word(&[b]).concat(&any, &budget)?, &budget)?;
//! assert_eq!(first, other.difference(&Language::word(&[]), &budget)?);
//! // Take a, put b, any number of times: what was a a a becomes b b b.
//! let words = Effect::of(&[Op::Take(a), Op::Put(b)]).closure(&Language::word(&[a, a, a]), &budget)?;
//! assert!(words.contains(&[b, b, b]) && !words.contains(&[b, b]));
//! # Ok::<(), qp_base::Exhausted>(())
//! ```
//!
//! # Infinite words
//!
//! A word is infinite, and each of its letters makes some atoms true. A [`Formula`] says something of words, and
//! [`Formula::automaton`] makes a [`Buchi`] automaton that accepts exactly the words of which it is true.
//! Words that go round in a circle ([`Lasso`]) can be asked about directly, without a translation:
//! [`Formula::holds_on`] and [`Buchi::accepts`].
//!
//! ```
//! use qp_automata::{Formula, Lasso};
//!
//! let p = Formula::Atom("p");
//! let again_and_again = Formula::Globally(Box::new(Formula::Finally(Box::new(p))));
//! let automaton = again_and_again.automaton(100).expect("it is small");
//! assert_eq!(automaton.states.len(), 2);
//!
//! // p is true of every second letter.
//! let word = Lasso::new(2, 0).expect("letter 0 exists");
//! let mut truth = |letter: usize, _: &&str| letter == 1;
//! assert!(again_and_again.holds_on(word, &mut truth));
//! assert!(automaton.accepts(word, &mut truth));
//! ```
//!
//! Absent on purpose: queues, machines, and anything else that words may be made of; a budget of its own, a clock
//! and output.

mod buchi;
mod formula;
mod lasso;
mod marks;
mod simplify;
mod translate;

pub mod regular;
pub mod loops;

pub use buchi::{Buchi, Edge, State};
pub use formula::Formula;
pub use lasso::Lasso;

#[cfg(test)]
mod tests;

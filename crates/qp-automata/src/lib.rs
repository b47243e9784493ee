//! Linear temporal logic and Büchi automata over any alphabet.
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
//! Absent on purpose: queues, machines, and anything else that words may be made of.

mod buchi;
mod formula;
mod lasso;
mod simplify;
mod translate;
pub mod regular;
pub mod loops;

pub use buchi::{Buchi, Edge, State};
pub use formula::Formula;
pub use lasso::Lasso;

#[cfg(test)]
mod tests;

//! Regular languages of finite words.
//!
//! Letters are numbers, and there is no end of them: an alphabet of ten thousand letters costs nothing until its
//! letters are used. Edges of automata read *sets* of letters, given by the letters in them or by those that are
//! not ([`Letters`]).
//!
//! * [`Builder`] makes automata by hand.
//! * [`Nfa`] is nondeterministic: to make of others by union, concatenation, reversal, quotients; inclusion by
//!   antichains.
//! * [`Dfa`] is deterministic: boolean operations, minimisation, counting and listing words.
//! * [`Language`] is a minimal [`Dfa`], as a value: equal languages are equal.
//! * [`Exponents`] are sets of numbers that repeat themselves: how often a word can be repeated.
//! * [`Expression`] is a language for people to read.
//!
//! What can take exponentially long takes a [`Budget`](qp_base::Budget), and says
//! [`Exhausted`](qp_base::Exhausted) when that is spent.
//!
//! ```
//! use qp_automata::regular::{Language, Letter, Letters, Nfa};
//! use qp_base::Budget;
//!
//! let [a, b, c] = [0, 1, 2].map(Letter::new);
//! let budget = Budget::states(1_000);
//! // a, any number of b, then c or a.
//! let nfa = Nfa::word(&[a]).concat(&Nfa::word(&[b]).star()).concat(&Nfa::letters(&Letters::only([a, c])));
//! assert_eq!(nfa.shortest_word(), Some(vec![a, a]));
//! let language = Language::from_nfa(&nfa, &budget)?;
//! let expression = language.dfa().expression(100).expect("it is short");
//! let name = |letter: Letter| ["a", "b", "c"][letter.index()].to_owned();
//! assert_eq!(expression.display(&name).to_string(), "a b* (a | c)");
//! // What is there in it that does not begin with a b?
//! let rest = language.difference(&Language::word(&[a, b]).concat(&Language::all(&Letters::all()), &budget)?, &budget)?;
//! assert_eq!(rest, Language::words([&[a, a][..], &[a, c]]));
//! # Ok::<(), qp_base::Exhausted>(())
//! ```

mod letters;
mod pieces;
mod nfa;
mod builder;
mod compose;
mod dfa;
mod determinise;
mod minimise;
mod inclusion;
mod measure;
mod language;
mod blur;
mod exponents;
mod expression;
mod elimination;

pub(crate) use builder::least_common_multiple;

pub use builder::Builder;
pub use dfa::Dfa;
pub use exponents::Exponents;
pub use expression::Expression;
pub use language::Language;
pub use letters::{Letter, Letters, Word};
pub use measure::Longest;
pub use nfa::{Edge, Nfa, State, StateId};

#[cfg(test)]
pub(crate) mod tests;

//! What the tests of the whole share: the corpus with its expectations, a slow interpreter of its own,
//! random systems, and ways to break evidence.
//!
//! Nothing depends on this crate. The interpreter in [`reference`] uses no code of the product on
//! purpose, so that a slip in one is not repeated by the other. A misreading of the manual that both
//! share would not show.

pub mod asked;
pub mod brute;
pub mod cfsm;
pub mod compare;
pub mod corpus;
pub mod crowd;
pub mod diagrams;
pub mod expect;
pub mod fuzz;
pub mod growing;
pub mod infinite;
pub mod judge;
pub mod languages;
pub mod lazy;
pub mod make;
pub mod mutate;
pub mod net;
pub mod p_make;
pub mod p_nets;
pub mod p_tree;
pub mod pageant;
pub mod promela;
pub mod pump;
pub mod reference;
pub mod rng;
pub mod rounds;
pub mod schedules;
pub mod script;
pub mod shrink;
pub mod staged;
pub mod tiny;
pub mod twins;

//! Linear temporal logic and Büchi automata over any alphabet.
//!
//! Absent on purpose: queues, machines, and anything else that words may be made of.

mod buchi;
mod formula;

pub use buchi::{Buchi, Edge, State};
pub use formula::Formula;

//! A second opinion on the meaning of P: a slow interpreter of its own, and random programs for it.
//!
//! It was written from a description of the language, without a look at the interpreter of the product and with
//! none of its code, so that a slip in one is not repeated by the other.

pub mod compare;
pub mod events;
pub mod explore;
pub mod expressions;
pub mod make;
pub mod print;
pub mod process;
pub mod shrink;
pub mod statements;
pub mod tree;
pub mod value;
pub mod world;

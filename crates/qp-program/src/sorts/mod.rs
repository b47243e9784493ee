//! What a program does with whole numbers, for those who ask which number matters
//! (`docs/decisions/015-sorts.md`).
//!
//! [`Shape`] says where in values numbers are; [`Facts`] walks over all instructions once and writes down what each does
//! with them; [`apart`] takes local states, messages and specs apart.

mod apart;
mod expressions;
mod facts;
mod shape;
mod uses;

pub(crate) use apart::Parts;

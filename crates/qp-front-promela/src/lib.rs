//! Reader of Promela models.
//!
//! Four steps: a preprocessor whose tokens remember where the user wrote them; a recursive-descent parser
//! that expands inlines and goes on after errors; resolution of names and types; and the typed result, a
//! [`Spec`], in which every name is a number.
//!
//! Absent on purpose: files (whoever calls lends [`Includes`]), drawing of diagnostics, and running.

mod token;
mod at;
mod lexer;
mod pre;
mod ast;
mod parser;
pub mod spec;
mod resolve;
mod read;
mod report;
mod names;
mod codes;

#[cfg(test)]
mod tests;

pub use at::{At, Expansion, ExpansionId, ExpansionKind};
pub use codes::CODES;
pub use read::{Included, Includes, NoFiles, Options, Reading, read};
pub use spec::Spec;
pub use token::KEYWORDS;

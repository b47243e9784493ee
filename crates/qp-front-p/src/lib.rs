//! Reader of P programs: today's language and that of 2018 (`docs/manual/p.md`).
//!
//! Three steps: a lexer and a recursive-descent parser that goes on after errors; resolution of names,
//! types and modules; and lowering of one test case to a [`qp_program::Blueprint`].
//!
//! Absent on purpose: files (see `qp-load`), drawing of diagnostics (see `qp-report`), and running (see
//! `qp-program`).

#[allow(dead_code, reason = "places are part of the tree, whether or not a message shows them")]
mod ast;
mod lexer;
mod parser;
mod types;
mod world;
mod modules;
mod dialect;
mod lower;
mod rules;
mod read;
mod options;
mod project;
mod names;
mod codes;

#[cfg(test)]
mod tests;

pub use codes::CODES;
pub use options::{Assume, Foreign, Options, Range, Reading};
pub use project::{Project, project};
pub use read::{declared, read};

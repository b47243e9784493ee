//! Reader of P programs: today's language and that of 2018 (`docs/manual/p.md`).
//!
//! Three steps: a lexer and a recursive-descent parser that goes on after errors; resolution of names,
//! types and modules; and lowering of one test case to a [`qp_program::Blueprint`].
//!
//! Absent on purpose: files (see `qp-load`), drawing of diagnostics (see `qp-report`), and running (see
//! `qp-program`).

#![allow(
    dead_code,
    unused_imports,
    reason = "the lowering that uses the tree is written at the same time"
)]

mod ast;
mod codes;
mod complaints;
mod lexer;
mod modules;
mod names;
mod parser;
mod project;

pub use codes::{MODULE_CODES, SYNTAX_CODES};
pub use project::{Project, project};

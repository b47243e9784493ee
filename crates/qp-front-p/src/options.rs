//! What the user can ask for.

use qp_base::Diagnostic;
use qp_program::{Blueprint, Dialect};

/// How to read a program.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The test case, if there are several.
    pub test: Option<String>,
    /// The dialect, if it is not to be recognised.
    pub dialect: Option<Dialect>,
    /// What to do about `assume` on events and machines.
    pub assume: Assume,
    /// What to do about foreign functions.
    pub foreign: Foreign,
}

/// What to do about `assume` on events and machines (2018).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Assume {
    /// Runs that break it are left out.
    #[default]
    Honour,
    /// As if it were not there.
    Strip,
}

/// What to do about functions whose body is not in the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Foreign {
    /// The program is refused.
    #[default]
    Refuse,
    /// They may return any value of their type.
    Havoc,
}

/// What was read.
#[derive(Debug)]
pub struct Reading {
    /// The program of the test case; `None` after an error.
    pub blueprint: Option<Blueprint>,
    /// What is wrong with the text, in its order.
    pub diagnostics: Vec<Diagnostic>,
    /// The names of all test cases.
    pub tests: Vec<String>,
    /// The test case that was read.
    pub test: Option<String>,
    /// The dialect by whose rules it was read.
    pub dialect: Dialect,
    /// Whether the user said so.
    pub dialect_forced: bool,
    /// What to know about the answer, in whole sentences without a full stop.
    pub caveats: Vec<String>,
}

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
    /// What single foreign functions return, whatever is to be done about the others.
    pub ranges: Vec<Range>,
    /// Whether every spec watches everybody, whatever the test case attaches.
    pub all_specs: bool,
}

/// The numbers that a foreign function may return.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The function.
    pub function: String,
    /// The least number.
    pub first: i64,
    /// The greatest one.
    pub last: i64,
}

impl Range {
    /// More numbers than this are not tried one by one.
    const NUMBERS_MAX: i64 = 1_000;

    /// Reads `f=0..3`, where both ends count.
    pub fn read(text: &str) -> Option<Self> {
        let (function, ends) = text.split_once('=')?;
        let (first, last) = ends.split_once("..")?;
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse::<i64>().ok()?);
        let is_few = last.checked_sub(first).is_some_and(|n| (0..Self::NUMBERS_MAX).contains(&n));
        let is_named = !function.trim().is_empty();
        (is_few && is_named).then(|| Self { function: function.trim().to_owned(), first, last })
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}..{}", self.function, self.first, self.last)
    }
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

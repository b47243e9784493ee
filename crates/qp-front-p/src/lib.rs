//! Reader of P programs: today's language and that of 2018 (`docs/manual/p.md`).
//!
//! Three steps: a lexer and a recursive-descent parser that goes on after errors; resolution of names,
//! types and modules; and lowering of one test case to a [`qp_program::Blueprint`].
//!
//! Absent on purpose: files (see `qp-load`), drawing of diagnostics (see `qp-report`), and running (see
//! `qp-program`).

mod ast;
pub use qp_program::Dialect;
/// stub
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// stub
    pub test: Option<String>,
    /// stub
    pub dialect: Option<Dialect>,
    /// stub
    pub assume: Assume,
    /// stub
    pub foreign: Foreign,
}
/// stub
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Assume {
    /// stub
    #[default]
    Honour,
    /// stub
    Strip,
}
/// stub
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Foreign {
    /// stub
    #[default]
    Refuse,
    /// stub
    Havoc,
}
/// stub
pub struct Reading {
    /// stub
    pub blueprint: Option<qp_program::Blueprint>,
    /// stub
    pub diagnostics: Vec<qp_base::Diagnostic>,
    /// stub
    pub tests: Vec<String>,
    /// stub
    pub test: Option<String>,
    /// stub
    pub dialect: Dialect,
    /// stub
    pub dialect_forced: bool,
    /// stub
    pub caveats: Vec<String>,
}
/// stub
pub fn read(_text: &str, _starts: &[u32], _options: &Options) -> Reading {
    Reading {
        blueprint: None,
        diagnostics: Vec::new(),
        tests: Vec::new(),
        test: None,
        dialect: Dialect::Current,
        dialect_forced: false,
        caveats: Vec::new(),
    }
}
/// stub
pub fn tests(_text: &str) -> Vec<String> {
    Vec::new()
}
/// stub
pub struct Project {
    /// stub
    pub name: String,
    /// stub
    pub inputs: Vec<String>,
    /// stub
    pub includes: Vec<String>,
}
/// stub
pub fn project(_text: &str) -> Result<Project, qp_base::Diagnostic> {
    Ok(Project { name: String::new(), inputs: Vec::new(), includes: Vec::new() })
}

//! Writes what a run found: text for a terminal, JSON for scripts, charts, diagnostics and the
//! long texts of `explain`.
//!
//! Every function here takes data and returns a `String`. Nothing prints, opens a file, asks for
//! the size of the terminal or knows an engine.

pub mod chart;
pub mod ciclo;
pub mod ksync;
pub mod comparison;
pub mod contents;
pub mod diagnostics;
pub mod emit;
pub mod explain;
mod fit;
pub mod formats;
pub mod json;
pub mod mermaid;
pub mod p_trace;
pub mod pat;
mod reading;
mod style;
pub mod svg;
pub mod table;
pub mod text;

#[cfg(test)]
mod samples;

pub use style::Style;

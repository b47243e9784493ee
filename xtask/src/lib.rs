//! Automation of the project: what `cargo xtask` does.
//!
//! What is absent: this crate depends on none of our own, so that it builds when they do not. It reads
//! the repository as text and runs the `queueproof` binary as a user would.

pub mod bench;
pub mod dist;
pub mod docs;
pub mod lines;
pub mod tidy;
pub mod trusted;
pub mod verdicts;

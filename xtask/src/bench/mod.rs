//! The benchmark.

pub mod emit;
pub mod families;
pub mod network;

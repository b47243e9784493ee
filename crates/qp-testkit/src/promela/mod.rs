//! Promela models out of nothing and out of other models, and what SPIN and we say about them.

mod declare;
mod express;
mod flow;
mod talk;

pub mod broken;
pub mod compare;
pub mod make;
pub mod nets;
pub mod options;
pub mod ours;
pub mod shrink;
pub mod spin;

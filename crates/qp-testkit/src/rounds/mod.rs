//! Rounds of exchanges by the definitions: charts of all short runs, and evidence that is worked out naively.
//!
//! Nothing here uses code of the engine or of the referee: sets of machines are sets, graphs are lists of edges.

pub mod chart;
pub mod evidence;
pub mod make;

pub use chart::{Chart, Unfit, charts};
pub use evidence::{Made, made};

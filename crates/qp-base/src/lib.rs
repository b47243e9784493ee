//! What every other crate stands on: typed indices, interners, budgets, places in a source text
//! and diagnostics as data.
//!
//! Nothing here knows what a machine or a queue is, and nothing here prints.

mod budget;
mod complaints;
mod decisions;
mod diagnostic;
mod index;
mod interner;
pub mod names;
mod span;
mod tokens;

pub use budget::{Budget, Exhausted, Limits, Phase, Progress, Resident, Spent};
pub use complaints::Complaints;
pub use decisions::{Decisions, Root};
pub use diagnostic::{Code, Diagnostic, Label, Severity};
pub use index::IndexVec;
pub use interner::Interner;
pub use span::{Place, Source, SourceFile, Span};

/// A hash map with the project's default hasher. Never iterated: its order means nothing.
pub type Map<K, V> = hashbrown::HashMap<K, V, foldhash::fast::FixedState>;
/// A hash set with the project's default hasher. Never iterated: its order means nothing.
pub type Set<K> = hashbrown::HashSet<K, foldhash::fast::FixedState>;

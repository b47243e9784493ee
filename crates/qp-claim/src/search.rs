//! Complete searches.

use serde::{Deserialize, Serialize};

/// The claim that there are so many configurations, and no others. Whoever checks it searches again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CompleteSearch {
    /// How many configurations there are, at any queue length, with those behind no failure.
    pub configurations: u64,
}

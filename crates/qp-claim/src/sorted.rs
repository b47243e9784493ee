//! Sets of configurations up to which numbers they hold.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::file::columns;
use crate::{ClosedSet, Stays};

/// A set of configurations, each for all that differ from it only in which numbers they hold where that does not matter
/// (`docs/decisions/015-sorts.md`), with why it does not.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SortedSet {
    /// For each slot of the program: its sort.
    pub sorts: Vec<u32>,
    /// For each class of collections: the number of all that are alike.
    pub classes: Vec<u32>,
    /// Sets of uses: what can still be done. Uses have the numbers in which they are first met in the program.
    pub uses: Vec<Vec<u32>>,
    /// For each node of the program: the set of uses from there on.
    pub future: Vec<u32>,
    /// The row of the beginning.
    pub first: Led,
    /// For each row and each of its steps, in order: where it leads.
    pub steps: Vec<Vec<Led>>,
    /// The rows.
    pub set: Arc<ClosedSet>,
}

/// Such a set with ranks: why no run through it is wrong ([`crate::RankedSet`]).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RankedSorted {
    /// For each level: the rank of each row, [`crate::ABSENT`] where it has none.
    #[serde(with = "columns")]
    pub ranks: Vec<Vec<u32>>,
    /// For each rank: why no wrong run stays with it.
    pub reasons: Vec<Stays>,
    /// The rows.
    pub set: Arc<SortedSet>,
}

/// The row that stands for a configuration, and which numbers are others there: for each of them its sort, the number
/// in the configuration and that in the row.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Led(pub u32, pub Vec<(u32, i64, i64)>);

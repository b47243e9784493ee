//! Closed sets that are too large to be written row by row.

use serde::{Deserialize, Serialize};

use crate::ClosedSet;
use crate::file::columns;

/// A finite set of configurations as a decision diagram: a way from the first level through one node of each level to
/// the end is a configuration.
///
/// The columns of a row ([`ClosedSet`]) are shared out among the levels. Where steps are turns, there is one more column
/// for each shared variable behind them, in place of the store. The store, shared variables and the holder may be left
/// out if they never change.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DiagramSet {
    /// The tables that cells refer to. It has no rows.
    pub set: ClosedSet,
    /// The values that cells of shared variables refer to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<i32>,
    /// The levels, from the first to the last. The first one has one node.
    pub levels: Vec<Level>,
}

/// One level of a diagram.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Level {
    /// The columns of a row that stand here.
    pub columns: Vec<u32>,
    /// What can stand here: for each value one cell for each column.
    #[serde(with = "columns")]
    pub values: Vec<Vec<u32>>,
    /// For each node: which values are possible, in order, and to which node of the next level each leads. Behind the
    /// last level there is one node, the end.
    pub nodes: Vec<Vec<(u32, u32)>>,
}

impl DiagramSet {
    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.levels.iter().map(|level| level.nodes.len()).sum()
    }

    /// How many configurations there are; the greatest number if there are more.
    pub fn n_configurations(&self) -> usize {
        let mut behind = vec![1];
        for level in self.levels.iter().rev() {
            let of = |arc: &(u32, u32)| behind.get(arc.1 as usize).copied().unwrap_or(0);
            let sum = |node: &Vec<(u32, u32)>| node.iter().map(of).fold(0, usize::saturating_add);
            behind = level.nodes.iter().map(sum).collect();
        }
        behind.first().copied().unwrap_or(0)
    }
}

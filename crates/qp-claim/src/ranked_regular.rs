//! Sets with languages on which no infinite run is wrong.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use qp_automata::Buchi;
use qp_machines::QueueId;

use crate::file::columns;
use crate::{RegularSet, Stays};

/// A set with languages, and a rank for every pair of a row and a state of the automaton of wrong runs that can be met
/// together.
///
/// Ranks are in blocks. Blocks never rise along a step, so every infinite run stays in one block in the end. No step
/// inside a block makes the sum of its weights greater: the weight of a queue for each of its messages, and a number
/// for each pair. So in the end the sum stays the same. Ranks never rise along steps that keep it, so the run stays with
/// one rank in the end, and for each rank there is a reason why a run that stays with it is not wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RankedRegular {
    /// The automaton of wrong runs that a formula was translated to, over the numbers of its atoms; nothing if the model
    /// says the automaton itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automaton: Option<Buchi<u32>>,
    /// For each state of the automaton: the rank of each row with it, [`crate::ABSENT`] where they do not meet.
    #[serde(with = "columns")]
    pub ranks: Vec<Vec<u32>>,
    /// For each rank: why no wrong run stays with it.
    pub reasons: Vec<Stays>,
    /// In the order of ranks, what each pair adds to the sum of its block.
    pub potentials: Vec<Vec<u32>>,
    /// For each rank: its block.
    pub blocks: Vec<u32>,
    /// For each block.
    pub weights: Vec<Weights>,
    /// The rows.
    pub set: Arc<RegularSet>,
}

/// What a message in a queue weighs; nothing in queues that are not named.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(into = "Vec<(u32, u32)>", from = "Vec<(u32, u32)>")]
pub struct Weights(pub Vec<(QueueId, u32)>);

impl From<Weights> for Vec<(u32, u32)> {
    fn from(weights: Weights) -> Self {
        weights.0.into_iter().map(|(queue, weight)| (queue.raw(), weight)).collect()
    }
}

impl From<Vec<(u32, u32)>> for Weights {
    fn from(raw: Vec<(u32, u32)>) -> Self {
        Self(raw.into_iter().map(|(queue, weight)| (QueueId::from_raw(queue), weight)).collect())
    }
}

//! Sets of configurations on which no infinite run is wrong.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use qp_automata::Buchi;
use qp_machines::MachineId;

use crate::ClosedSet;
use crate::file::{columns, number};

/// A closed set with a rank for every pair of a row and a state of the automaton of wrong runs that can be met
/// together. Ranks never rise along a step, so every infinite run stays with one rank in the end, and for
/// each rank there is a reason why a run that stays with it is not wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RankedSet {
    /// The automaton of wrong runs that a formula was translated to, over the numbers of its atoms; nothing if the model
    /// says the automaton itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automaton: Option<Buchi<u32>>,
    /// For each state of the automaton: the rank of each row with it, [`crate::ABSENT`] where they do not
    /// meet.
    #[serde(with = "columns")]
    pub ranks: Vec<Vec<u32>>,
    /// For each rank: why no wrong run stays with it.
    pub reasons: Vec<Stays>,
    /// The rows.
    pub set: Arc<ClosedSet>,
}

/// Why a run that stays with one rank is not wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stays {
    /// No pair of this rank accepts.
    NoneAccepts,
    /// No step leads from one pair of this rank to another, so no run stays.
    NoStep,
    /// In every pair of this rank the machine can move, and none of the steps among them is its own: only an
    /// unfair run stays.
    Waits(#[serde(with = "number")] MachineId),
}

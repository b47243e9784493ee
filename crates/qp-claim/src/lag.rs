//! Rows in which the end of a queue is what its senders sent since some local state, and strategies on them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::CoreMachine;
use crate::file::listed;

/// A closed set of rows (`docs/decisions/016-ranks.md`).
///
/// A row has a local state for each machine and a content for each queue. A content is some messages in front and, for each
/// machine that sent something behind them, a local state: what it sent is what it sends to this queue on some way of
/// its control flow from there to where it is now. What several machines sent is mixed in any way.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LagSet {
    /// What each machine can do, whatever queues hold.
    pub machines: Vec<CoreMachine>,
    /// The texts of messages (`Names::message_text`).
    pub messages: Vec<String>,
    /// For each queue: how many messages are told apart in front, if there are so many; at least one.
    pub prefixes: Vec<u32>,
    /// What queues may hold.
    pub contents: Vec<LagContent>,
    /// Local states of all machines, then contents of all queues, by number.
    pub rows: Vec<Vec<u32>>,
}

/// What a queue may hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Deserialize)]
pub struct LagContent {
    /// The messages in front.
    pub front: Vec<u32>,
    /// Machines that sent something behind them, each with the local state from which on it did.
    pub behind: Vec<(u32, u32)>,
}

/// A closed set of rows, and for each thing that must always still be possible a strategy that leads to it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Rank {
    /// The strategies.
    pub goals: Vec<RankedGoal>,
    /// The rows.
    pub set: Arc<LagSet>,
}

/// A strategy for one goal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RankedGoal {
    /// What must still be possible.
    pub goal: RankGoal,
    /// One after the other, from the goal backwards.
    pub stages: Vec<RankStage>,
}

/// What must always still be possible.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankGoal {
    /// A machine moves, unless it may rest.
    Moves(u32),
    /// Something is taken from a queue, unless it is empty.
    Takes(u32),
    /// A message is taken from a queue, unless it is not there: queue and message.
    Finds(u32, u32),
    /// What the model has as the possibility with this number happens.
    Happens(u32),
}

/// A strategy that leads to where one of the earlier stages goes on, or the goal is reached.
///
/// What queues hold, weighed, and the number of the row become less with each step.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RankStage {
    /// What a message weighs in a queue: queue, message, weight. Others weigh nothing.
    pub weights: Vec<(u32, u32, u32)>,
    /// What to do in each row.
    pub steps: Vec<RankStep>,
}

/// What to do in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct RankStep {
    /// Which row.
    pub row: u32,
    /// The number of the row.
    pub potential: u32,
    /// Who moves.
    pub machine: u32,
    /// Which of its transitions.
    pub transition: u32,
}

listed!(LagContent: front, behind);
listed!(RankStep: row, potential, machine, transition);

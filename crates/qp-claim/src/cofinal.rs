//! Cofinal cores: a finite graph of real steps into which every run can be extended.

use serde::{Deserialize, Serialize};

use crate::file::listed;

/// Evidence that from every reachable configuration, with queues of any length, one of finitely many can be reached
/// (`docs/decisions/012-progress.md`).
///
/// It has the machines as automata, a graph of steps from the beginning, and positions from which the graph catches
/// up with what it leaves out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Core {
    /// What each machine can do, whatever queues hold.
    pub machines: Vec<CoreMachine>,
    /// The texts of messages (`Names::message_text`).
    pub messages: Vec<String>,
    /// The steps of the graph: nodes are numbered from 0, the beginning, in the order in which edges first lead to them.
    pub edges: Vec<CoreEdge>,
    /// The positions that are won.
    pub won: Vec<Won>,
}

/// A machine as an automaton.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CoreMachine {
    /// The texts of its local states (`Names::local_text`); the first is that of the beginning.
    pub locals: Vec<String>,
    /// All transitions between them.
    pub transitions: Vec<CoreTransition>,
    /// In which local state which message is passed over in which queue.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skips: Vec<(u32, u32, u32)>,
}

/// What a machine can do in a local state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct CoreTransition {
    /// The local state before.
    pub from: u32,
    /// What it does.
    pub deed: CoreDeed,
    /// The local state afterwards.
    pub to: u32,
}

/// What a transition does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CoreDeed {
    /// Nothing that others see.
    Internal,
    /// Sends a message: queue and message.
    Send(u32, u32),
    /// Takes a message: queue and message.
    Take(u32, u32),
}

/// A step of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct CoreEdge {
    /// The node before.
    pub from: u32,
    /// Who moves.
    pub machine: u32,
    /// Which of its transitions.
    pub transition: u32,
    /// The node afterwards.
    pub to: u32,
}

/// Positions that are won on the same terms.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Won {
    /// Machines with the transitions that they wait with.
    pub bound: Vec<(u32, u32)>,
    /// Queues with the machines whose message must be the next one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owed: Vec<(u32, u32)>,
    /// The nodes, each with a rank and the number of the edge that is followed (among all edges); none if the position is
    /// won at once.
    pub nodes: Vec<(u32, u32, Option<u32>)>,
}

impl Core {
    /// How many nodes the graph has.
    pub fn n_nodes(&self) -> usize {
        self.edges.iter().map(|edge| edge.to as usize + 1).max().unwrap_or(1)
    }
}

listed!(CoreTransition: from, deed, to);
listed!(CoreEdge: from, machine, transition, to);

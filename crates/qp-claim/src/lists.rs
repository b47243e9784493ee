//! Sets of configurations whose queues are told apart by their beginnings only.

use serde::{Deserialize, Serialize};

use qp_machines::{QueueId, Qutl};

use crate::ClosedSet;

/// A set of configurations in which contents of queues that look alike are one.
///
/// Two contents look alike if they agree on the first [`ListSet::prefix`] messages, on the order in which
/// messages first occur behind those, and on how often each occurs there, counted up to
/// [`ListSet::counted`] (more is more). In the rows stands one content for all that look like it.
///
/// The set stands for all configurations that look like one of its rows and satisfy the invariants.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ListSet {
    /// How many messages at the front are told apart.
    pub prefix: u32,
    /// Up to how many messages of one kind are counted behind them; 0 for whether there is one.
    pub counted: u32,
    /// What is true of the queues, always; part of what the set claims, so proved together with it.
    pub invariants: Vec<QueueInvariant>,
    /// The rows.
    pub set: ClosedSet,
}

/// Something that is true of the content of a queue whenever it exists and is open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "(u32, String)", try_from = "(u32, String)")]
pub struct QueueInvariant {
    /// Which queue.
    pub queue: QueueId,
    /// What.
    pub formula: Qutl,
}

/// In files, the number of the queue and the formula as it is written.
impl From<QueueInvariant> for (u32, String) {
    fn from(it: QueueInvariant) -> Self {
        (it.queue.raw(), it.formula.to_string())
    }
}

impl TryFrom<(u32, String)> for QueueInvariant {
    type Error = String;

    fn try_from((queue, text): (u32, String)) -> Result<Self, String> {
        let wrong = |at: Box<qp_base::Diagnostic>| format!("the formula {text:?}: {}", at.message);
        let formula = Qutl::parse(&text, 0).map_err(wrong)?;
        Ok(Self { queue: QueueId::from_raw(queue), formula })
    }
}

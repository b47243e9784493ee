//! Sets of configurations that leave some orders of steps out.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use qp_machines::MachineId;

use crate::ClosedSet;
use crate::file::only;

/// A set of configurations in which some are left only by steps of some machines, because the others can wait:
/// enough to find every failure and every deadlock (`docs/decisions/006-reduction.md`).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ReducedSet {
    /// For each row: the machines whose steps alone lead to rows, or `None` if all steps do.
    #[serde(with = "only", rename = "only")]
    pub machines: Vec<Option<Vec<MachineId>>>,
    /// The rows. It is not closed under every step.
    pub set: Arc<ClosedSet>,
}

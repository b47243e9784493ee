//! Sets of configurations that leave some orders of steps out.

use std::sync::Arc;

use qp_machines::MachineId;

use crate::ClosedSet;

/// A set of configurations in which some are left only by steps of some machines, because the others can wait:
/// enough to find every failure and every deadlock (`docs/decisions/006-reduction.md`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReducedSet {
    /// The rows. It is not closed under every step.
    pub set: Arc<ClosedSet>,
    /// For each row: the machines whose steps alone lead to rows, or `None` if all steps do.
    pub machines: Vec<Option<Vec<MachineId>>>,
}

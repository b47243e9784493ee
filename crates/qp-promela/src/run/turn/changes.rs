//! What is different from the configuration in which a turn began.

use std::collections::BTreeMap;

use qp_base::Interner;
use qp_machines::{After, CellId, KindId, LocalId, MachineId, QueueId, WordId};

use crate::run::Frame;

/// Differences. What is not mentioned is as it was.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Changes {
    pub(super) n_machines: Option<usize>,
    pub(super) n_queues: Option<usize>,
    pub(super) frames: BTreeMap<MachineId, Frame>,
    pub(super) kinds: BTreeMap<QueueId, KindId>,
    pub(super) words: BTreeMap<QueueId, WordId>,
    pub(super) cells: BTreeMap<CellId, i32>,
}

impl Changes {
    /// The same for those outside.
    pub(super) fn after(
        self,
        frames: &mut Interner<LocalId, Frame>,
        holder: Option<MachineId>,
    ) -> After {
        let locals = self.frames.into_iter();
        After {
            n_machines: self.n_machines,
            n_queues: self.n_queues,
            locals: locals.map(|(machine, frame)| (machine, frames.intern(frame))).collect(),
            kinds: self.kinds.into_iter().collect(),
            words: self.words.into_iter().collect(),
            cells: self.cells.into_iter().collect(),
            holder,
        }
    }
}

//! Who may be waiting for a message that is handed over: a smaller look than at everything a process knows.
//!
//! Whoever sends without a buffer would have to look at everybody. Most processes are not even near a
//! statement that receives from this channel, and where they are instead does not matter.

use std::sync::Arc;

use qp_base::Set;
use qp_front_promela::spec::{GlobalId, ShapeId, Var};
use qp_machines::{MachineId, QueueId};

use super::stage::Stage;
use crate::graph::{Act, Graph, NodeId};
use crate::run::eval::{Moment, Row, Scene, Stop};
use crate::run::value::number;
use crate::run::{Code, Frame, Processes};

impl Processes {
    /// Notes which shared variables never change.
    pub(in crate::run) fn note_fixed(&mut self) {
        let mut other = self.clone();
        let mut fixed: Vec<Option<i32>> = other.begin().cells.into_iter().map(Some).collect();
        for id in assigned(&self.code) {
            let start = self.code.layout.global(id);
            let n = self.code.spec.variable_cells(&self.code.spec.globals[id]);
            fixed[start..start + n].fill(None);
        }
        // Cells that nobody declared change.
        fixed.truncate(self.code.layout.n_globals());
        drop(other);
        if let Some(code) = Arc::get_mut(&mut self.code) {
            code.fixed = fixed;
        }
    }
}

/// The shared variables that some statement assigns to.
pub(in crate::run) fn assigned(code: &Code) -> Set<GlobalId> {
    let graphs = code.graphs.iter().chain(code.trace.iter().map(|trace| &trace.graph));
    let writes = graphs.flat_map(Graph::edges).flat_map(|edge| edge.act.effects().writes);
    writes
        .filter_map(|write| match write.place.var {
            Var::Global(id) => Some(id),
            Var::Local(_) | Var::Scratch => None,
        })
        .collect()
}

impl Stage<'_> {
    /// Whether a process may have a statement before it that receives from this channel.
    pub(super) fn may_listen(&mut self, machine: MachineId, queue: QueueId) -> bool {
        let code = self.code;
        let known = self.now.frames.get(&machine).or_else(|| self.seen.frames.get(&machine));
        if let Some(frame) = known {
            return listens(code, frame, machine, queue);
        }
        let frames = self.frames;
        let mut answer = |local| u32::from(listens(code, frames.value(local), machine, queue));
        let question = u64::from(queue.raw()) << 32 | u64::from(machine.raw());
        self.world.about(machine, question, &mut answer) == 1
    }
}

fn listens(code: &Code, frame: &Frame, machine: MachineId, queue: QueueId) -> bool {
    listens_at(code, frame, machine, queue, frame.node)
}

fn listens_at(
    code: &Code,
    frame: &Frame,
    machine: MachineId,
    queue: QueueId,
    node: NodeId,
) -> bool {
    code.graphs[frame.proc].nodes[node].edges.iter().any(|edge| match &edge.act {
        Act::Receive { channel, .. } => {
            let scene = Alone { code, frame };
            let mut moment = Moment { code, proc: frame.proc, pid: number(machine.index()), scene };
            moment.channel(channel).map_or(true, |(found, _)| found == queue)
        }
        &Act::DStep(entry) => listens_at(code, frame, machine, queue, entry),
        _ => false,
    })
}

/// What a process knows without looking around: its own variables, and what never changes.
struct Alone<'a> {
    code: &'a Code,
    frame: &'a Frame,
}

impl Scene for Alone<'_> {
    fn load(&mut self, row: Row, index: usize) -> Result<i32, Stop> {
        let value = match row {
            Row::Globals => self.code.fixed.get(index).copied().flatten(),
            Row::Locals => self.frame.cells.get(index).copied(),
        };
        value.ok_or(Stop::Unknown)
    }

    fn store(&mut self, _: Row, _: usize, _: i32) {
        unreachable!("bug in Queueproof: where a process listens is assigned to")
    }

    fn channel(&mut self, value: i32) -> Option<(QueueId, ShapeId)> {
        let queue = usize::try_from(value).ok()?.checked_sub(1)?;
        Some((QueueId::new(queue), ShapeId::new(0)))
    }

    fn named(&self, queue: QueueId, _: ShapeId) -> i32 {
        number(queue.index() + 1) & 0xff
    }
}

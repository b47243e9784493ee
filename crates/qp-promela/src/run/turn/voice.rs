//! One process that looks at everything and computes values.

use qp_front_promela::At;
use qp_front_promela::spec::{LabelId, ProcId, ShapeId};
use qp_machines::{CellId, Condition, KindId, MachineId, QueueId};

use super::stage::Stage;
use crate::codes;
use crate::graph::NodeId;
use crate::run::Frame;
use crate::run::eval::{Beyond, Row, Scene, Stop, Wanted, fail};
use crate::run::start::too_many;
use crate::run::value::{NUMBER_MAX, number};

/// A process on the stage.
pub(super) struct Voice<'s, 'a> {
    pub(super) stage: &'s mut Stage<'a>,
    pub(super) me: MachineId,
}

impl Scene for Voice<'_, '_> {
    fn load(&mut self, row: Row, index: usize) -> Result<i32, Stop> {
        Ok(match row {
            Row::Globals => self.stage.cell(CellId::new(index)),
            Row::Locals => self.stage.frame(self.me).cells[index],
        })
    }

    fn store(&mut self, row: Row, index: usize, value: i32) {
        match row {
            Row::Globals if self.stage.code.unread[index] => {}
            Row::Globals => {
                self.stage.now.cells.insert(CellId::new(index), value);
            }
            Row::Locals => self.stage.frame_mut(self.me).cells[index] = value,
        }
    }

    /// Channels that belong to nobody are there from the beginning to the end. Of others it is asked
    /// whether they are still there.
    fn channel(&mut self, value: i32) -> Option<(QueueId, ShapeId)> {
        let queue = QueueId::new(usize::try_from(value).ok()?.checked_sub(1)?);
        let lasting = self.stage.code.layout.global_channels();
        if let Some((_, shape)) = lasting.get(queue.index()) {
            return Some((queue, *shape));
        }
        if queue.index() >= self.stage.n_queues() {
            return None;
        }
        Some((queue, ShapeId::new(self.stage.kind(queue).index())))
    }

    fn named(&self, queue: QueueId, _: ShapeId) -> i32 {
        number(queue.index() + 1) & 0xff
    }

    fn holds(&mut self, queue: QueueId, condition: Condition) -> Result<bool, Stop> {
        Ok(match condition {
            Condition::Empty => self.stage.is_shorter(queue, 1),
            Condition::LengthBelow(limit) => self.stage.is_shorter(queue, limit),
            Condition::Full | Condition::Ready(_) | Condition::Fewer(..) => {
                unreachable!("bug in Queueproof: nothing in a model asks {condition:?}")
            }
        })
    }

    fn has(&mut self, queue: QueueId, wanted: Wanted) -> Result<bool, Stop> {
        Ok(self.stage.find(queue, &wanted).is_some())
    }

    fn times_out(&mut self) -> Result<bool, Stop> {
        Ok(self.stage.times_out())
    }

    fn beyond(&mut self, about: Beyond, at: At) -> Result<i32, Stop> {
        Ok(match about {
            Beyond::Length(queue) => self.stage.len(queue).cast_signed(),
            Beyond::Enabled(pid) => {
                if usize::try_from(pid).is_ok_and(|pid| pid == self.me.index()) {
                    let text = "a process asks whether it is enabled itself";
                    return Err(fail(codes::LOOK, text, at));
                }
                let machine = self.existing(pid);
                machine.map_or(0, |machine| i32::from(self.stage.is_enabled(machine)))
            }
            Beyond::PcValue(pid) => {
                let machine = self.existing(pid);
                machine.map_or(0, |machine| number(self.stage.frame(machine).node.index()))
            }
            Beyond::PriorityOf(pid) => {
                let machine = self.existing(pid);
                machine.map_or(0, |machine| i32::from(self.stage.frame(machine).priority))
            }
            Beyond::Priority => i32::from(self.stage.frame(self.me).priority),
            Beyond::NonProgress => i32::from(!self.stage.makes_progress()),
            Beyond::ProcessCount => number(self.stage.n_machines()),
            Beyond::Last => self.stage.code.last.map_or(0, |cell| self.stage.cell(cell)),
            Beyond::Label { proc, pid, label } => i32::from(self.is_at(proc, pid, label)),
            Beyond::Cell { proc, pid, index } => self
                .running(proc, pid)
                .and_then(|machine| self.stage.frame(machine).cells.get(index).copied())
                .unwrap_or(0),
            Beyond::Run { proc, args, priority } => {
                number(self.create(proc, &args, priority, at)?.index())
            }
        })
    }
}

impl Voice<'_, '_> {
    fn existing(&mut self, pid: i32) -> Option<MachineId> {
        let index = usize::try_from(pid).ok()?;
        (index < self.stage.n_machines()).then(|| MachineId::new(index))
    }

    /// The process with this number, or the first one, if it runs this.
    fn running(&mut self, proc: ProcId, pid: Option<i32>) -> Option<MachineId> {
        if let Some(pid) = pid {
            let machine = self.existing(pid)?;
            return (self.stage.frame(machine).proc == proc).then_some(machine);
        }
        let mut all = (0..self.stage.n_machines()).map(MachineId::new);
        all.find(|&machine| self.stage.frame(machine).proc == proc)
    }

    fn is_at(&mut self, proc: ProcId, pid: Option<i32>, label: LabelId) -> bool {
        let Some(machine) = self.running(proc, pid) else { return false };
        self.stage.node(machine).labels.contains(&label)
    }

    /// A new process, with its channels.
    fn create(
        &mut self,
        proc: ProcId,
        args: &[i32],
        priority: Option<i32>,
        at: At,
    ) -> Result<MachineId, Stop> {
        let code = self.stage.code;
        let (child, first) = (self.stage.n_machines(), self.stage.n_queues());
        let own = code.layout.own_channels(proc);
        if child >= NUMBER_MAX || first + own.len() > NUMBER_MAX {
            return Err(too_many(at));
        }
        self.stage.now.n_machines = Some(child + 1);
        let child = MachineId::new(child);
        let cells = vec![0; code.layout.n_locals(proc)];
        let node: NodeId = code.graphs[proc].start;
        let priority = code.first_priority(proc, Some(priority.unwrap_or(1)));
        let frame = Frame { proc, node, cells, trouble: None, priority };
        self.stage.now.frames.insert(child, frame);
        if !own.is_empty() {
            self.stage.now.n_queues = Some(first + own.len());
            for (queue, (_, shape)) in (first..).zip(own) {
                self.stage.now.kinds.insert(QueueId::new(queue), KindId::new(shape.index()));
            }
        }
        self.stage.moment(child).fill(args, first)?;
        code.dead.reset(self.stage.frame_mut(child));
        Ok(child)
    }
}

impl Stage<'_> {
    /// Whether nothing is possible without a timeout.
    fn times_out(&mut self) -> bool {
        if let Some(timeout) = self.timeout {
            return timeout;
        }
        self.timeout = Some(false);
        let mut all = (0..self.n_machines()).map(MachineId::new);
        let timeout = all.all(|machine| self.steps(machine).is_empty());
        self.timeout = Some(timeout);
        timeout
    }

    /// Whether some process is at a progress label.
    pub(super) fn makes_progress(&mut self) -> bool {
        (0..self.n_machines()).map(MachineId::new).any(|machine| {
            let proc = self.frame(machine).proc;
            let labels = &self.code.spec.procs[proc].body.labels;
            self.node(machine).labels.iter().any(|&label| labels[label].is_progress())
        })
    }
}

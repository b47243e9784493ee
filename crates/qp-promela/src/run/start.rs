//! How runs and processes begin.

use qp_base::IndexVec;
use qp_front_promela::At;
use qp_front_promela::spec::{Label, ProcId, ShapeId, Spec};
use qp_machines::{
    Capacity, Discipline, KindId, LocalId, Loss, MachineId, MachineInfo, Outline, Property,
    QueueId, QueueInfo, QueueKind, Start,
};

use super::eval::{Moment, Row, Scene, Spot, Stop, fail};
use super::value::{NUMBER_MAX, number};
use super::{Code, Frame, Layout, Processes};
use crate::{Channels, Options, codes};

/// The names of things. The kind of a channel is the number of what it carries.
pub(super) fn outline(spec: &Spec, layout: &Layout, options: Options) -> Outline {
    let mut machines = IndexVec::new();
    let mut queues = layout.global_channels().to_vec();
    for (id, proc) in active(spec) {
        let pid = machines.len();
        let name = if spec.procs[id].active > 1 { format!("{proc}({pid})") } else { proc };
        for (channel, shape) in layout.own_channels(id) {
            queues.push((format!("{name}.{channel}"), *shape));
        }
        machines.push(MachineInfo { name, span: spec.procs[id].at.span });
    }
    let everyone: Vec<MachineId> = machines.ids().collect();
    let endless = queues.iter().filter(|_| options.channels == Channels::Unbounded);
    let declared = endless.enumerate().filter_map(|(queue, (_, shape))| {
        let capacity = spec.shapes[*shape].capacity;
        (capacity > 0).then_some((QueueId::new(queue), Some(capacity)))
    });
    let declared = declared.collect();
    let info = |(name, shape): (String, ShapeId)| QueueInfo {
        name,
        kind: KindId::new(shape.index()),
        readers: everyone.clone(),
        writers: everyone.clone(),
        span: spec.shapes[shape].at.span,
    };
    let kind = |capacity: u32| QueueKind {
        capacity: match (capacity, options.channels) {
            (0, _) => Capacity::Rendezvous,
            (_, Channels::Unbounded) => Capacity::Unbounded,
            (n, Channels::Declared) => Capacity::Messages(n),
        },
        loss: Loss::Never,
    };
    let labels = || spec.procs.iter().flat_map(|proc| proc.body.labels.iter());
    Outline {
        language: "promela",
        discipline: Discipline::Channels,
        queues: queues.into_iter().map(info).collect(),
        kinds: spec.shapes.iter().map(|shape| kind(shape.capacity)).collect(),
        declared,
        machines,
        failing: vec![Property::Assert],
        has_progress: labels().any(Label::is_progress),
        has_accepting: labels().any(Label::is_accept),
        ..Outline::default()
    }
}

/// The processes that run from the start, in order.
fn active(spec: &Spec) -> impl Iterator<Item = (ProcId, String)> {
    spec.procs
        .iter_enumerated()
        .flat_map(|(id, proc)| std::iter::repeat_n((id, proc.name.clone()), proc.active as usize))
}

impl Processes {
    pub(super) fn begin(&mut self) -> Start {
        let code = self.code.clone();
        let globals = vec![0; code.n_cells];
        let mut moment = code.lone_moment(ProcId::new(0), 0, (Vec::new(), globals));
        let (mut index, mut queue, mut trouble) = (0, 0, None);
        for global in &code.spec.globals {
            let first = (global.ty, global.len, &global.init);
            match moment.first(Row::Globals, &mut index, first, &mut queue) {
                Ok(()) => {}
                Err(stop) => trouble = trouble.or(Some(stop)),
            }
        }
        if let Some(trace) = &code.trace {
            moment.scene.globals[trace.cell.index()] = number(trace.graph.start.index());
        }
        let cells = moment.scene.globals;
        let mut locals = Vec::new();
        for (pid, (proc, _)) in active(&code.spec).enumerate() {
            let local = self.first_local((proc, &cells), pid, queue);
            queue += code.layout.own_channels(proc).len();
            locals.push(local);
        }
        if let (Some(Stop::Fail(failure)), Some(&first)) = (trouble, locals.first()) {
            let trouble = Some(self.failure_id(*failure));
            let frame = Frame { trouble, ..self.frames.value(first).clone() };
            locals[0] = self.frames.intern(frame);
        }
        let queues = self.outline.queues.iter().map(|queue| queue.kind).collect();
        Start { locals, queues, cells }
    }

    /// The first state of a process.
    fn first_local(
        &mut self,
        (proc, globals): (ProcId, &[i32]),
        pid: usize,
        first_queue: usize,
    ) -> LocalId {
        let code = self.code.clone();
        let locals = vec![0; code.layout.n_locals(proc)];
        let mut moment = code.lone_moment(proc, number(pid), (locals, globals.to_vec()));
        let mut trouble = moment.fill(&[], first_queue).err();
        let queue = first_queue + code.layout.own_channels(proc).len();
        if pid >= NUMBER_MAX || queue > NUMBER_MAX {
            trouble = Some(too_many(code.spec.procs[proc].at));
        }
        let cells = moment.scene.locals;
        let trouble = match trouble {
            Some(Stop::Fail(failure)) => Some(self.failure_id(*failure)),
            Some(Stop::Unknown) | None => None,
        };
        let priority = code.first_priority(proc, None);
        let node = code.graphs[proc].start;
        self.visited.note(proc, node);
        let mut frame = Frame { proc, node, cells, trouble, priority };
        code.dead.reset(&mut frame);
        self.frames.intern(frame)
    }
}

/// The failure of whoever begins past the greatest number.
pub(super) fn too_many(at: At) -> Stop {
    fail(codes::TOO_MANY, "there are more than 255 processes or channels", at)
}

impl<S: Scene> Moment<'_, S> {
    /// Gives a new process its arguments, and its variables what they hold at first.
    pub(super) fn fill(&mut self, args: &[i32], first_queue: usize) -> Result<(), Stop> {
        let (code, proc) = (self.code, self.proc);
        let (mut trouble, mut queue) = (Ok(()), first_queue);
        let spec = &code.spec.procs[proc];
        for (id, local) in spec.body.locals.iter_enumerated() {
            let mut index = code.layout.local(proc, id);
            let init = (local.ty, local.len, &local.init);
            if id.index() >= spec.params && !local.late {
                trouble = trouble.and(self.first(Row::Locals, &mut index, init, &mut queue));
            }
            if id.index() < spec.params {
                for (cell, index) in code.spec.cells(local).into_iter().zip(index..) {
                    let (row, ty, in_array) = (Some(Row::Locals), cell.ty, cell.in_array);
                    let value = args.get(index).copied().unwrap_or(0);
                    self.store(Spot { row, index, ty, in_array }, value);
                }
            }
        }
        trouble
    }
}

impl Code {
    /// The priority that a process begins with.
    pub(super) fn first_priority(&self, proc: ProcId, said: Option<i32>) -> u8 {
        let priority = said.or(self.spec.procs[proc].priority).unwrap_or(1);
        if self.ranks { u8::try_from(priority).unwrap_or(u8::MAX) } else { 0 }
    }
}

//! How runs and processes begin.

use qp_base::IndexVec;
use qp_front_promela::spec::{Label, ProcId, ShapeId, Spec};
use qp_machines::{
    Capacity, Discipline, KindId, LocalId, Loss, MachineId, MachineInfo, Outline, Property,
    QueueInfo, QueueKind, Start,
};

use super::eval::{Row, Spot, Stop};
use super::listen::too_many;
use super::value::{NUMBER_MAX, number};
use super::{Frame, Layout, Processes, Seed};
use crate::{Channels, Options};

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
        queues: collect(queues.into_iter().map(info)),
        kinds: collect(spec.shapes.iter().map(|shape| kind(shape.capacity))),
        machines,
        failing: vec![Property::Assert],
        has_progress: labels().any(Label::is_progress),
        ..Outline::default()
    }
}

fn collect<I: From<usize> + Into<usize>, T>(items: impl Iterator<Item = T>) -> IndexVec<I, T> {
    let mut all = IndexVec::new();
    for item in items {
        all.push(item);
    }
    all
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
        let globals = vec![0; code.layout.n_globals()];
        let mut moment = code.moment(ProcId::new(0), 0, (Vec::new(), globals), &[]);
        let (mut index, mut queue, mut trouble) = (0, 0, None);
        for global in &code.spec.globals {
            let first = (global.ty, global.len, &global.init);
            match moment.first(Row::Globals, &mut index, first, &mut queue) {
                Ok(()) => {}
                Err(stop) => trouble = trouble.or(Some(stop)),
            }
        }
        let store = self.stores.intern(moment.globals);
        let mut locals = Vec::new();
        for (pid, (proc, _)) in active(&code.spec).enumerate() {
            let local = self.first_local(&Seed { proc, args: Vec::new(), store }, pid, queue);
            queue += code.layout.own_channels(proc).len();
            locals.push(local);
        }
        if let (Some(Stop::Fail(failure)), Some(&first)) = (trouble, locals.first()) {
            let trouble = Some(self.failure_id(*failure));
            let frame = Frame { trouble, ..self.frames.value(first).clone() };
            locals[0] = self.frames.intern(frame);
        }
        let queues = self.outline.queues.iter().map(|queue| queue.kind).collect();
        Start { locals, queues, store }
    }

    /// The first state of a process.
    pub(super) fn first_local(&mut self, seed: &Seed, pid: usize, first_queue: usize) -> LocalId {
        let code = self.code.clone();
        let Seed { proc, args, store } = seed;
        let globals = self.stores.value(*store).clone();
        let locals = vec![0; code.layout.n_locals(*proc)];
        let mut moment = code.moment(*proc, number(pid), (locals, globals), &[]);
        let (mut trouble, mut queue) = (None, first_queue);
        let spec = &code.spec.procs[*proc];
        for (id, local) in spec.body.locals.iter_enumerated() {
            let mut index = code.layout.local(*proc, id);
            let init = (local.ty, local.len, &local.init);
            if id.index() >= spec.params
                && !local.late
                && let Err(stop) = moment.first(Row::Locals, &mut index, init, &mut queue)
            {
                trouble = trouble.or(Some(stop));
            }
            if id.index() < spec.params {
                for (cell, offset) in code.spec.cells(local).into_iter().zip(index..) {
                    let spot = Spot {
                        row: Some(Row::Locals),
                        index: offset,
                        ty: cell.ty,
                        in_array: cell.in_array,
                    };
                    moment.store(spot, args.get(offset).copied().unwrap_or(0));
                }
            }
        }
        if pid >= NUMBER_MAX || queue > NUMBER_MAX {
            trouble = Some(Stop::Fail(Box::new(too_many(spec.at))));
        }
        let cells = moment.locals;
        let trouble = match trouble {
            Some(Stop::Fail(failure)) => Some(self.failure_id(*failure)),
            Some(Stop::Ask(_)) | None => None,
        };
        let node = code.graphs[*proc].start;
        self.frames.intern(Frame { proc: *proc, node, cells, trouble, pending: None })
    }

    /// The kinds of the channels that come with a process.
    pub(super) fn own_kinds(&self, proc: ProcId) -> Vec<KindId> {
        let own = self.code.layout.own_channels(proc).iter();
        own.map(|(_, shape)| KindId::new(shape.index())).collect()
    }
}

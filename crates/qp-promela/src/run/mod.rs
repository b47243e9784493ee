//! Processes as machines: what each can do in each of its states.

mod eval;
mod layout;
mod listen;
mod program;
mod start;
mod step;
mod text;
mod value;

#[cfg(test)]
mod tests;

use qp_base::{IndexVec, Interner};
use qp_front_promela::Spec;
use qp_front_promela::spec::{MtypeId, ProcId, Ty};
use qp_machines::{EarId, Failure, FailureId, LocalId, MessageId, Outline, SeedId, StoreId};
use std::sync::Arc;

use crate::graph::{Graph, NodeId};
use crate::{Channels, Options};
use eval::Wanted;
pub(crate) use layout::Layout;

/// A Promela model that runs.
#[derive(Clone)]
pub struct Processes {
    code: Arc<Code>,
    outline: Outline,
    frames: Interner<LocalId, Frame>,
    stores: Interner<StoreId, Vec<i32>>,
    messages: Interner<MessageId, Vec<Part>>,
    ears: Interner<EarId, Ear>,
    seeds: Interner<SeedId, Seed>,
    failures: IndexVec<FailureId, Failure>,
}

/// What does not change while a model runs.
struct Code {
    spec: Spec,
    graphs: IndexVec<ProcId, Graph>,
    layout: Layout,
    /// Whether channels are never full.
    unbounded: bool,
}

/// Where a process is, with its variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Frame {
    proc: ProcId,
    node: NodeId,
    cells: Vec<i32>,
    /// What it runs into next, whatever stands there.
    trouble: Option<FailureId>,
    /// Where the number of a process goes that is just being created.
    pending: Option<Pending>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pending {
    index: usize,
    ty: Ty,
    in_array: bool,
}

/// A part of a message, as far as it can be told apart from others when it is written down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Part {
    Number(i32),
    Name(MtypeId, i32),
    Channel(i32),
}

impl Part {
    fn value(self) -> i32 {
        match self {
            Self::Number(value) | Self::Name(_, value) | Self::Channel(value) => value,
        }
    }

    /// For the order of messages: channels count by their numbers.
    fn rank(self) -> i32 {
        match self {
            Self::Channel(value) => value & 0xff,
            Self::Number(value) | Self::Name(_, value) => value,
        }
    }
}

/// A way of listening.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Ear {
    /// The receive statement that is this edge of a node.
    Receive(ProcId, NodeId, usize),
    /// A question whether there is such a message.
    Poll(Wanted),
}

/// A process to be created.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Seed {
    proc: ProcId,
    args: Vec<i32>,
    store: StoreId,
}

impl Processes {
    /// The processes of a model in which nothing has to be refused.
    pub(crate) fn new(spec: Spec, graphs: IndexVec<ProcId, Graph>, options: Options) -> Self {
        let layout = Layout::new(&spec);
        let unbounded = options.channels == Channels::Unbounded;
        let outline = start::outline(&spec, &layout, options);
        Self {
            code: Arc::new(Code { spec, graphs, layout, unbounded }),
            outline,
            frames: Interner::new(),
            stores: Interner::new(),
            messages: Interner::new(),
            ears: Interner::new(),
            seeds: Interner::new(),
            failures: IndexVec::new(),
        }
    }

    fn failure_id(&mut self, failure: Failure) -> FailureId {
        let known = self.failures.iter().position(|known| *known == failure);
        known.map_or_else(|| self.failures.push(failure), FailureId::new)
    }
}

//! What a machine is made of between two steps.

use std::sync::Arc;

use qp_machines::MachineId;

use crate::{EventId, FunctionId, RoleId, SpecId, StateId, Value};

use super::domain::Domain;
use super::events::wanted;
use super::failures::{Fault, Stop};
use super::plan::Plan;

/// A machine that has failed keeps this many of its states, for their names.
const STATES_SHOWN: usize = 10;

/// Local states in which every value is known: those of programs that run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Concrete;

impl Domain for Concrete {
    type Owner = Owner;
    type Value = Value;
    type Phase = Phase;
    type Fault = Arc<Fault>;
    type Arrival = StateId;
    type Stop = Stop;

    const RUNNING: Phase = Phase::Running;
    const HALTING: Phase = Phase::Halting;
    const NULL: Value = Value::Null;
    const STACK_MAX: usize = 1_000;

    fn goes_on(phase: &Phase) -> bool {
        matches!(phase, Phase::Running | Phase::Announced)
    }

    fn forget(value: &mut Value, default: &Value) {
        if value != default {
            value.clone_from(default);
        }
    }
}

/// A local state. Specs have one as well, while they run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Local<D: Domain = Concrete> {
    pub(crate) owner: D::Owner,
    /// The states, those that others were pushed onto first.
    pub(crate) stack: Vec<StateId>,
    pub(crate) fields: Vec<D::Value>,
    /// The calls, the innermost last.
    pub(crate) frames: Vec<Frame<D::Value>>,
    /// What is to be done when the calls have ended, the next thing last.
    pub(crate) agenda: Vec<Task<D>>,
    pub(crate) phase: D::Phase,
}

/// Whose local state it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Owner {
    Machine(RoleId, MachineId),
    Spec(SpecId),
}

/// A call. The caller stays at its call instruction until the callee returns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Frame<V = Value> {
    pub(crate) function: FunctionId,
    pub(crate) pc: u32,
    pub(crate) registers: Vec<V>,
}

/// Something to be done between functions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Task<D: Domain = Concrete> {
    /// Runs the exit function of the top state.
    Exit,
    /// Runs a function that takes nothing or the payload.
    Call(FunctionId, D::Value),
    /// Puts the state in place of the top one and runs its entry function.
    Enter(StateId, D::Value),
    /// Puts the state on top and runs its entry function.
    Push(StateId, D::Value),
    /// Takes the top state away.
    Drop,
    /// Does what the top state does about an event, which arrived in the given state.
    Handle { event: EventId, payload: D::Value, arrived: D::Arrival },
    /// Ends the machine.
    Halt,
    /// Fails.
    Fail(D::Fault),
}

/// How a machine is doing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Phase {
    /// It goes on with its calls, then its agenda, then its queue.
    Running,
    /// Those who watch have seen what it is about to send.
    Announced,
    /// It has just taken an event that is marked as progress, and goes on in a step of its own.
    Took,
    /// It is about to close its queue.
    Halting,
    /// It has ended.
    Halted,
    /// It fails.
    Failed(Arc<Fault>),
    /// The interpreter does not know how it goes on.
    GaveUp(Arc<Fault>),
    /// An assumption of the user does not hold: what comes next is of no interest.
    Discarded,
}

impl<D: Domain> Local<D> {
    /// The state that decides about events. Every running machine has one.
    pub(crate) fn top(&self) -> StateId {
        *self.stack.last().expect("a running machine is in a state")
    }

    /// Whether nothing is left but to look into the queue.
    pub(crate) fn is_at_queue(&self) -> bool {
        self.phase == D::RUNNING && self.frames.is_empty() && self.agenda.is_empty()
    }

    /// Ends before it closes its queue: only the state is kept, for its name.
    pub(crate) fn halt(&mut self) {
        self.frames.clear();
        self.agenda.clear();
        self.fields.clear();
        self.phase = D::HALTING;
    }
}

impl Local {
    /// A machine or spec that is about to run the entry function of its start state.
    pub(crate) fn newborn(plan: &Plan, owner: Owner, payload: Value) -> Self {
        let body = plan.body(owner);
        let payload = wanted(plan, body.states[body.start].entry, payload);
        Self {
            owner,
            stack: vec![body.start],
            fields: plan.fields[plan.body_id(owner)].clone(),
            frames: Vec::new(),
            agenda: vec![Task::Enter(body.start, payload)],
            phase: Phase::Running,
        }
    }

    /// Ends in a failure or without knowing more. Nothing else about it matters any more.
    pub(crate) fn stop(&mut self, stop: Stop) {
        self.frames.clear();
        self.agenda.clear();
        self.fields.clear();
        self.stack.truncate(STATES_SHOWN);
        self.phase = match stop {
            Stop::Fails(fault) => Phase::Failed(Arc::from(fault)),
            Stop::GivesUp(fault) => Phase::GaveUp(Arc::from(fault)),
        };
    }
}

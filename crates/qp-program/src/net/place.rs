//! Where a machine may be, as a net knows it: like a local state, with only those values that are followed.

use crate::{BodyId, EventId, FieldId, FunctionId, RegisterId, StateId, Value};

use super::details::Var;
use super::shape::CopyId;

/// What is known of variables; nothing of those that are not followed.
pub(super) type Cells = Vec<Option<Value>>;

/// Where a machine may be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    pub(super) copy: CopyId,
    /// The states, those that others were pushed onto first.
    pub(super) stack: Vec<StateId>,
    pub(super) fields: Cells,
    /// The calls, the innermost last.
    pub(super) calls: Vec<Call>,
    /// What is to be done when the calls have ended, the next thing last.
    pub(super) agenda: Vec<Task>,
    pub(super) phase: Phase,
}

/// A call of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Call {
    pub(super) function: FunctionId,
    pub(super) pc: u32,
    pub(super) registers: Cells,
}

/// Something to be done between functions, with what is known of the payload.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Task {
    Exit,
    Call(FunctionId, Option<Value>),
    Enter(StateId, Option<Value>),
    Push(StateId, Option<Value>),
    Drop,
    Handle(EventId, Option<Value>),
    Halt,
    Fail,
}

/// How a machine is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Phase {
    /// It goes on with its calls, then its agenda, then its queue.
    Running,
    /// Those who watch have seen this event, which it is about to send.
    Announced(EventId),
    /// It has just taken an event that is marked as progress.
    Took,
    /// It is about to close its queue.
    Halting,
    /// What comes next is of no interest.
    Discarded,
    /// It is about to fail, whatever it does. Others may go on before that.
    Failed,
}

impl Place {
    /// The state that decides about events. A place is always in one.
    pub(super) fn top(&self) -> StateId {
        *self.stack.last().expect("a machine is in a state until it ends")
    }

    /// Whether nothing is left but to look into the queue.
    pub(super) fn is_at_queue(&self) -> bool {
        self.phase == Phase::Running && self.calls.is_empty() && self.agenda.is_empty()
    }

    /// The innermost call.
    pub(super) fn call(&self) -> Option<&Call> {
        self.calls.last()
    }

    /// All variables of which the value is known, in a machine with this body.
    pub(super) fn known(&self, body: BodyId) -> impl Iterator<Item = (Var, &Value)> {
        let field = move |id: usize| Var::Field(body, FieldId::new(id));
        let fields = self.fields.iter().enumerate().map(move |(id, value)| (field(id), value));
        let registers = self.calls.iter().flat_map(|call| {
            let register = |id: usize| Var::Register(call.function, RegisterId::new(id));
            call.registers.iter().enumerate().map(move |(id, value)| (register(id), value))
        });
        fields.chain(registers).filter_map(|(var, value)| Some((var, value.as_ref()?)))
    }

    /// The place with the innermost call at another instruction.
    pub(super) fn at(mut self, pc: u32) -> Self {
        if let Some(call) = self.calls.last_mut() {
            call.pc = pc;
        }
        self.phase = Phase::Running;
        self
    }

    /// The place behind the instruction of the innermost call.
    pub(super) fn after(self) -> Self {
        let pc = self.calls.last().map_or(0, |call| call.pc + 1);
        self.at(pc)
    }
}

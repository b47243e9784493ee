//! Where a machine may be, as a net knows it: like a local state, with only those values that are followed.

use crate::run::{Domain, Frame, Local};
use crate::{BodyId, EventId, FieldId, RegisterId, Value};

use super::details::Var;
use super::shape::CopyId;

/// What is known of variables; nothing of those that are not followed.
pub(super) type Cells = Vec<Option<Value>>;

/// Local states of which only some values are known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Abstract;

impl Domain for Abstract {
    type Owner = CopyId;
    type Value = Option<Value>;
    type Phase = Phase;
    type Fault = Stop;
    type Arrival = ();
    type Stop = Stop;

    const RUNNING: Phase = Phase::Running;
    const HALTING: Phase = Phase::Halting;
    const NULL: Option<Value> = None;
    const STACK_MAX: usize = 8;

    fn goes_on(phase: &Phase) -> bool {
        matches!(phase, Phase::Running | Phase::Announced(_))
    }

    fn forget(value: &mut Option<Value>, _: &Value) {
        *value = None;
    }
}

/// Why a place does not go on as a machine does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Stop {
    /// The run ends.
    Fails,
    /// It depends on what is not known.
    Unsure,
    /// It is not taken apart any further, for this reason.
    Refused(String),
}

/// Where a machine may be.
pub(super) type Place = Local<Abstract>;
/// A call of a function.
pub(super) type Call = Frame<Option<Value>>;

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
    /// The innermost call.
    pub(super) fn call(&self) -> Option<&Call> {
        self.frames.last()
    }

    /// All variables of which the value is known, in a machine with this body.
    pub(super) fn known(&self, body: BodyId) -> impl Iterator<Item = (Var, &Value)> {
        let field = move |id: usize| Var::Field(body, FieldId::new(id));
        let fields = self.fields.iter().enumerate().map(move |(id, value)| (field(id), value));
        let registers = self.frames.iter().flat_map(|call| {
            let register = |id: usize| Var::Register(call.function, RegisterId::new(id));
            call.registers.iter().enumerate().map(move |(id, value)| (register(id), value))
        });
        fields.chain(registers).filter_map(|(var, value)| Some((var, value.as_ref()?)))
    }

    /// The place with the innermost call at another instruction.
    pub(super) fn at(mut self, pc: u32) -> Self {
        if let Some(call) = self.frames.last_mut() {
            call.pc = pc;
        }
        self.phase = Phase::Running;
        self
    }

    /// The place behind the instruction of the innermost call.
    pub(super) fn after(self) -> Self {
        let pc = self.frames.last().map_or(0, |call| call.pc + 1);
        self.at(pc)
    }
}

//! Forgetting what is certainly assigned before it is read.

use qp_base::IndexVec;

use crate::run::{Domain, Frame, Local, Plan, Task};
use crate::{Blueprint, BodyId, FunctionId, Instr, RegisterId, StateId, Value};

use super::fields::{LiveFields, live_fields};
use super::reach::Calls;
use super::registers::{Bits, live_registers};

/// Which values of a local state can still be read.
pub(crate) struct Kept {
    pub(crate) fields: Bits,
    /// For each call.
    pub(crate) registers: Vec<Bits>,
}

/// Which registers and fields still matter where.
#[derive(Clone, Debug)]
pub(crate) struct Liveness {
    registers: IndexVec<FunctionId, Vec<Bits>>,
    fields: IndexVec<BodyId, LiveFields>,
}

impl Liveness {
    pub(crate) fn of(blueprint: &Blueprint) -> Self {
        let calls = Calls::of(blueprint);
        let fields = |body| live_fields(blueprint, body, &calls);
        Self {
            registers: blueprint.functions.iter().map(live_registers).collect(),
            fields: blueprint.bodies.iter().map(fields).collect(),
        }
    }

    /// Nothing is ever forgotten.
    pub(crate) fn everything(blueprint: &Blueprint) -> Self {
        let everything = |body: &crate::Body| LiveFields {
            inside: qp_base::Map::default(),
            waiting: vec![vec![true; body.fields.len()]; body.states.len()],
        };
        let all = |it: &crate::Function| vec![vec![true; it.registers.len()]; it.code.len() + 1];
        Self {
            registers: blueprint.functions.iter().map(all).collect(),
            fields: blueprint.bodies.iter().map(everything).collect(),
        }
    }

    /// Forgets registers and fields that are never read again: where programs run, puts them back to their defaults.
    ///
    /// Sound: from where the machine is, every way to an instruction that reads a dead variable assigns the
    /// whole of it first. So local states that differ only in dead variables have the same moves and the
    /// same answers to every message, into local states that again differ only in dead variables.
    pub(crate) fn forget<D: Domain>(&self, plan: &Plan, body: BodyId, local: &mut Local<D>) {
        if !D::goes_on(&local.phase) {
            return;
        }
        let calls = local.frames.len();
        for (depth, frame) in local.frames.iter_mut().enumerate() {
            self.forget_registers::<D>(plan, frame, depth + 1 < calls);
        }
        if local.is_at_queue() {
            self.rest::<D>(plan, body, &local.stack, &mut local.fields);
        } else if let Some(frame) = local.frames.last()
            && let Some(bits) = self.fields[body].inside.get(&frame.function)
        {
            clear::<D>(&bits[frame.pc as usize], &plan.fields[body], &mut local.fields);
        }
    }

    /// What is not forgotten of a machine that goes on.
    pub(crate) fn kept(&self, plan: &Plan, body: BodyId, local: &Local) -> Kept {
        let calls = local.frames.len();
        let registers = local.frames.iter().enumerate().map(|(depth, frame)| {
            let (at, into) = waiting_at(plan, frame, depth + 1 < calls);
            let mut bits = self.registers[frame.function][at].clone();
            if let Some(into) = into {
                bits[into.index()] = false;
            }
            bits
        });
        let fields = match (local.frames.last(), &local.agenda[..]) {
            (Some(frame), _) => self.inside(body, frame.function, frame.pc as usize),
            (None, [Task::Enter(state, _)]) => self.entering(plan, body, *state),
            (None, []) => local.stack.last().map(|state| self.waiting(body, *state).clone()),
            (None, _) => None,
        };
        let all = || vec![true; local.fields.len()];
        Kept { fields: fields.unwrap_or_else(all), registers: registers.collect() }
    }

    /// The fields that can be read by a machine or spec that waits for the next event.
    pub(crate) fn waiting(&self, body: BodyId, state: StateId) -> &Bits {
        &self.fields[body].waiting[state.index()]
    }

    /// The fields that can be read by a machine that enters a state.
    pub(crate) fn entering(&self, plan: &Plan, body: BodyId, state: StateId) -> Option<Bits> {
        match plan.blueprint.bodies[body].states[state].entry {
            Some(entry) => self.inside(body, entry, 0),
            None => Some(self.waiting(body, state).clone()),
        }
    }

    fn inside(&self, body: BodyId, function: FunctionId, pc: usize) -> Option<Bits> {
        Some(self.fields[body].inside.get(&function)?[pc].clone())
    }

    /// The registers that can be read before they are assigned when a function begins.
    pub(crate) fn unassigned(&self, function: FunctionId) -> &Bits {
        &self.registers[function][0]
    }

    /// Does so for the fields of a machine or spec that waits for the next event.
    pub(crate) fn rest<D: Domain>(
        &self,
        plan: &Plan,
        body: BodyId,
        stack: &[StateId],
        fields: &mut [D::Value],
    ) {
        if let Some(state) = stack.last() {
            clear::<D>(&self.fields[body].waiting[state.index()], &plan.fields[body], fields);
        }
    }

    fn forget_registers<D: Domain>(&self, plan: &Plan, frame: &mut Frame<D::Value>, waits: bool) {
        let defaults = &plan.registers[frame.function];
        let (at, into) = waiting_at(plan, frame, waits);
        clear::<D>(&self.registers[frame.function][at], defaults, &mut frame.registers);
        if let Some(into) = into {
            D::forget(&mut frame.registers[into.index()], &defaults[into.index()]);
        }
    }
}

/// Where a call goes on, and the register that is overwritten before: a caller that waits has worked out its arguments,
/// and the result will overwrite one register.
fn waiting_at<V>(plan: &Plan, frame: &Frame<V>, waits: bool) -> (usize, Option<RegisterId>) {
    let pc = frame.pc as usize;
    match plan.function(frame.function).code.get(pc) {
        Some(Instr::Call { into, .. }) if waits => (pc + 1, *into),
        _ => (pc, None),
    }
}

fn clear<D: Domain>(live: &Bits, defaults: &[Value], values: &mut [D::Value]) {
    for ((value, default), live) in values.iter_mut().zip(defaults).zip(live) {
        if !live {
            D::forget(value, default);
        }
    }
}

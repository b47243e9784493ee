//! Forgetting what is certainly assigned before it is read.

use qp_base::IndexVec;

use crate::run::{Frame, Local, Phase, Plan};
use crate::{Blueprint, BodyId, FunctionId, Instr, RegisterId, StateId, Value};

use super::fields::{LiveFields, live_fields};
use super::reach::Calls;
use super::registers::{Bits, live_registers};

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

    /// Puts registers and fields that are never read again back to their defaults.
    ///
    /// Sound: from where the machine is, every way to an instruction that reads a dead variable assigns the
    /// whole of it first. So local states that differ only in dead variables have the same moves and the
    /// same answers to every message, into local states that again differ only in dead variables.
    pub(crate) fn forget(&self, plan: &Plan, local: &mut Local) {
        if !matches!(local.phase, Phase::Running | Phase::Announced) {
            return;
        }
        let calls = local.frames.len();
        for (depth, frame) in local.frames.iter_mut().enumerate() {
            self.forget_registers(plan, frame, depth + 1 < calls);
        }
        let body = plan.body_id(local.owner);
        if local.is_at_queue() {
            self.rest(plan, body, &local.stack, &mut local.fields);
        } else if let Some(frame) = local.frames.last()
            && let Some(bits) = self.fields[body].inside.get(&frame.function)
        {
            clear(&bits[frame.pc as usize], &plan.fields[body], &mut local.fields);
        }
    }

    /// Does so for the fields of a machine or spec that waits for the next event.
    pub(crate) fn rest(&self, plan: &Plan, body: BodyId, stack: &[StateId], fields: &mut [Value]) {
        if let Some(state) = stack.last() {
            clear(&self.fields[body].waiting[state.index()], &plan.fields[body], fields);
        }
    }

    /// Which fields matter to a machine that waits in a state for the next event.
    pub(crate) fn fields_waiting(&self, body: BodyId, state: StateId) -> &Bits {
        &self.fields[body].waiting[state.index()]
    }

    /// Which fields matter at an instruction of the innermost call, if that is known.
    pub(crate) fn fields_inside(&self, body: BodyId, at: (FunctionId, u32)) -> Option<&Bits> {
        self.fields[body].inside.get(&at.0).map(|bits| &bits[at.1 as usize])
    }

    /// Which registers matter at an instruction, and the one that the result of its call will overwrite if the
    /// function waits for that.
    pub(crate) fn registers_at(
        &self,
        plan: &Plan,
        (function, pc): (FunctionId, u32),
        waits: bool,
    ) -> (&Bits, Option<RegisterId>) {
        let pc = pc as usize;
        // A caller has worked out its arguments, and the result will overwrite one register.
        let (at, into) = match plan.function(function).code.get(pc) {
            Some(Instr::Call { into, .. }) if waits => (pc + 1, *into),
            _ => (pc, None),
        };
        (&self.registers[function][at], into)
    }

    fn forget_registers(&self, plan: &Plan, frame: &mut Frame, waits: bool) {
        let (live, into) = self.registers_at(plan, (frame.function, frame.pc), waits);
        let defaults = &plan.registers[frame.function];
        clear(live, defaults, &mut frame.registers);
        if let Some(into) = into {
            frame.registers[into.index()] = defaults[into.index()].clone();
        }
    }
}

fn clear(live: &Bits, defaults: &[Value], values: &mut [Value]) {
    for ((value, default), live) in values.iter_mut().zip(defaults).zip(live) {
        if !live && value != default {
            *value = default.clone();
        }
    }
}

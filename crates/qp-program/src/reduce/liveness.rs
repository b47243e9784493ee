//! Registers that are read again, and those that are not.

use qp_base::IndexVec;

use crate::run::{Frame, Local, Phase, Plan};
use crate::{Blueprint, BodyId, Expr, FunctionId, Instr, RegisterId, Root, StateId, Value};

/// For each function and instruction: the registers whose values can still be read from there on.
#[derive(Clone, Debug)]
pub(crate) struct Liveness {
    functions: IndexVec<FunctionId, Vec<Bits>>,
}

/// A set of registers or fields, one bit each.
pub(crate) type Bits = Vec<bool>;

impl Liveness {
    pub(crate) fn of(blueprint: &Blueprint) -> Self {
        Self { functions: blueprint.functions.iter().map(live_registers).collect() }
    }

    /// Puts registers that are never read again back to their defaults.
    ///
    /// Sound: a register is only read by instructions of its own call. From the instruction at which
    /// the call is, every way to an instruction that reads a dead register assigns the whole of it first. So
    /// local states that differ only in dead registers have the same moves, to local states that again
    /// differ only in dead registers.
    pub(crate) fn forget(&self, plan: &Plan, local: &mut Local) {
        let calls = local.frames.len();
        for (depth, frame) in local.frames.iter_mut().enumerate() {
            let waits = depth + 1 < calls;
            self.forget_registers(plan, frame, waits);
        }
        if local.is_at_queue() {
            let body = plan.body_id(local.owner);
            self.rest(body, &local.stack, &mut local.fields, plan);
        }
        debug_assert!(local.phase != Phase::Halted || local.fields.is_empty());
    }

    /// Puts fields that are never read again before they are assigned back to their defaults, in a
    /// machine that waits for the next event.
    pub(crate) fn rest(&self, _: BodyId, _: &[StateId], _: &mut [Value], _: &Plan) {}

    fn forget_registers(&self, plan: &Plan, frame: &mut Frame, waits: bool) {
        let live = &self.functions[frame.function];
        let code = &plan.function(frame.function).code;
        let pc = frame.pc as usize;
        // A caller has worked out its arguments; the result will overwrite one register.
        let (at, into) = match code.get(pc) {
            Some(Instr::Call { into, .. }) if waits => (pc + 1, *into),
            _ => (pc, None),
        };
        for (number, default) in plan.registers[frame.function].iter().enumerate() {
            if !live[at][number] || into.is_some_and(|into| into.index() == number) {
                frame.registers[number] = default.clone();
            }
        }
    }
}

/// For each instruction, and for the end: the live registers.
fn live_registers(function: &crate::Function) -> Vec<Bits> {
    let n_registers = function.registers.len();
    let mut live = vec![vec![false; n_registers]; function.code.len() + 1];
    let mut changed = true;
    while changed {
        changed = false;
        for (pc, instr) in function.code.iter().enumerate().rev() {
            let before = live_before(instr, pc, &live, n_registers);
            if before != live[pc] {
                live[pc] = before;
                changed = true;
            }
        }
    }
    live
}

fn live_before(instr: &Instr, pc: usize, live: &[Bits], n_registers: usize) -> Bits {
    let next = || live[pc + 1].clone();
    let mut bits = match instr {
        Instr::Jump(target) => live[*target as usize].clone(),
        Instr::Unless(_, target) => union(next(), &live[*target as usize]),
        Instr::Return(_) | Instr::Raise { .. } | Instr::Goto { .. } | Instr::Pop => {
            vec![false; n_registers]
        }
        Instr::Receive(cases) => {
            let mut bits = vec![false; n_registers];
            for case in cases {
                bits = union(bits, &without(live[case.target as usize].clone(), case.into));
            }
            bits
        }
        Instr::Call { into, .. } | Instr::New { into, .. } => without(next(), *into),
        Instr::Choose { into, .. } => without(next(), Some(*into)),
        Instr::Assign { place, .. } => match place.root {
            Root::Register(register) if place.path.is_empty() => without(next(), Some(register)),
            Root::Register(_) | Root::Field(_) => next(),
        },
        _ => next(),
    };
    if let Instr::Assign { place, .. }
    | Instr::Insert { place, .. }
    | Instr::Add { place, .. }
    | Instr::Remove { place, .. } = instr
        && let Root::Register(register) = place.root
        && !(place.path.is_empty() && matches!(instr, Instr::Assign { .. }))
    {
        bits[register.index()] = true;
    }
    instr.for_each_expr(&mut |expr| {
        if let Expr::Register(register) = expr {
            bits[register.index()] = true;
        }
    });
    bits
}

fn union(mut bits: Bits, others: &Bits) -> Bits {
    bits.iter_mut().zip(others).for_each(|(bit, other)| *bit |= other);
    bits
}

fn without(mut bits: Bits, register: Option<RegisterId>) -> Bits {
    if let Some(register) = register {
        bits[register.index()] = false;
    }
    bits
}

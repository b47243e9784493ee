//! Registers that can still be read.

use crate::{Expr, Function, Instr, RegisterId, Root};

/// A set of registers or fields, one bit each.
pub(crate) type Bits = Vec<bool>;

/// For each instruction, and for the end: the registers whose values can be read from there on, before
/// they are assigned as a whole.
pub(super) fn live_registers(function: &Function) -> Vec<Bits> {
    let n_registers = function.registers.len();
    let mut live = vec![vec![false; n_registers]; function.code.len() + 1];
    let mut changed = true;
    while changed {
        changed = false;
        for (pc, instr) in function.code.iter().enumerate().rev() {
            let before = live_before(instr, pc, &live, n_registers);
            changed |= before != live[pc];
            live[pc] = before;
        }
    }
    live
}

fn live_before(instr: &Instr, pc: usize, live: &[Bits], n_registers: usize) -> Bits {
    let none = vec![false; n_registers];
    let next = || live[pc + 1].clone();
    let mut bits = match instr {
        Instr::Jump(target) => live[*target as usize].clone(),
        Instr::Unless(_, target) => union(next(), &live[*target as usize]),
        Instr::Return(_) | Instr::Raise { .. } | Instr::Goto { .. } | Instr::Pop => none,
        Instr::Receive(cases) => cases.iter().fold(none, |bits, case| {
            union(bits, &without(live[case.target as usize].clone(), case.into))
        }),
        Instr::Call { into, .. } | Instr::New { into, .. } => without(next(), *into),
        Instr::Choose { into, .. } => without(next(), Some(*into)),
        Instr::Assign { .. }
        | Instr::Insert { .. }
        | Instr::Add { .. }
        | Instr::Remove { .. }
        | Instr::Evaluate(_)
        | Instr::Send { .. }
        | Instr::Announce { .. }
        | Instr::Assert { .. }
        | Instr::Assume(_) => next(),
    };
    if let Some((Root::Register(register), whole)) = changed_root(instr) {
        bits[register.index()] = !whole;
    }
    instr.for_each_expr(&mut |expr| {
        if let Expr::Register(register) = expr {
            bits[register.index()] = true;
        }
    });
    bits
}

/// The variable that an instruction changes, and whether all of it.
pub(super) fn changed_root(instr: &Instr) -> Option<(Root, bool)> {
    match instr {
        Instr::Assign { place, .. } => Some((place.root, place.path.is_empty())),
        Instr::Insert { place, .. } | Instr::Add { place, .. } | Instr::Remove { place, .. } => {
            Some((place.root, false))
        }
        _ => None,
    }
}

pub(super) fn union(mut bits: Bits, others: &Bits) -> Bits {
    bits.iter_mut().zip(others).for_each(|(bit, other)| *bit |= other);
    bits
}

fn without(mut bits: Bits, register: Option<RegisterId>) -> Bits {
    if let Some(register) = register {
        bits[register.index()] = false;
    }
    bits
}

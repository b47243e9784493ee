//! The evaluator: one instruction, or one thing on the agenda, on any domain of values.

use crate::{Expr, FunctionId, Instr, RegisterId, Target};

use super::domain::{Domain, Evaluator, Failing};
use super::events::{perform, wanted};
use super::local::{Frame, Local, Task};
use super::places::Change;

/// How a local state went on.
pub(crate) enum Advance<D: Domain> {
    /// It did something that nobody sees. It may have come back to where it was before if the flag says so:
    /// every cycle has such a step.
    Went(bool),
    /// It rests before something that others see.
    Paused,
    /// It goes on with each of these values in the register.
    Forks(RegisterId, Vec<D::Value>),
    /// What comes next is of no interest.
    Discarded,
}

/// Does the next thing that nobody sees, if that is what comes next.
pub(crate) fn advance<D: Domain>(
    on: &impl Evaluator<D>,
    local: &mut Local<D>,
) -> Result<Advance<D>, D::Stop> {
    if local.phase != D::RUNNING {
        return Ok(Advance::Paused);
    }
    if !local.frames.is_empty() {
        return run(on, local);
    }
    let Some(task) = local.agenda.pop() else { return Ok(Advance::Paused) };
    perform(on, local, task)?;
    Ok(Advance::Went(true))
}

/// Runs the instruction of the innermost call.
fn run<D: Domain>(on: &impl Evaluator<D>, local: &mut Local<D>) -> Result<Advance<D>, D::Stop> {
    let frame = top(local);
    let Some(instr) = on.plan().function(frame.function).code.get(frame.pc as usize) else {
        return Ok(give_back(on, local, D::NULL));
    };
    match instr {
        Instr::Assign { place, value } => {
            let value = on.eval(local, value)?;
            on.change(local, place, Change::Assign(value))?;
        }
        Instr::Insert { place, key, value } => {
            let (key, value) = (on.eval(local, key)?, on.eval(local, value)?);
            on.change(local, place, Change::Insert(key, value))?;
        }
        Instr::Add { place, value } => {
            let value = on.eval(local, value)?;
            on.change(local, place, Change::Add(value))?;
        }
        Instr::Remove { place, key } => {
            let key = on.eval(local, key)?;
            on.change(local, place, Change::Remove(key))?;
        }
        Instr::Evaluate(expr) => {
            on.eval(local, expr)?;
        }
        Instr::Assert { condition, message } => {
            if !on.truth(local, condition)? {
                return Err(on.fault(local, Failing::Refuted(message.as_ref())).into());
            }
        }
        Instr::Announce { event, payload } => {
            if on.is_watched(local, (event, payload))? {
                return Ok(Advance::Paused);
            }
        }
        Instr::Assume(condition) => {
            if !on.truth(local, condition)? {
                return Ok(Advance::Discarded);
            }
        }
        Instr::Unless(condition, target) => {
            if !on.truth(local, condition)? {
                return Ok(jump(local, *target));
            }
        }
        Instr::Choose { into, from } => {
            let options = on.options(local, (*into, from))?;
            top(local).pc += 1;
            return Ok(Advance::Forks(*into, options));
        }
        Instr::New { .. } | Instr::Send { .. } | Instr::Receive(_) => return Ok(Advance::Paused),
        Instr::Jump(target) => return Ok(jump(local, *target)),
        Instr::Call { function, args, into } => {
            if on.follows(local, *function)? {
                return call(on, local, *function, args);
            }
            put(on, local, *into, D::NULL);
        }
        Instr::Return(value) => {
            let value = value.as_ref().map_or(Ok(D::NULL), |value| on.eval(local, value))?;
            return Ok(give_back(on, local, value));
        }
        Instr::Raise { event, payload } => {
            let (event, payload) = on.raised(local, (event, payload))?;
            let arrived = on.arrival(local);
            return Ok(abandon(local, [Task::Handle { event, payload, arrived }]));
        }
        Instr::Goto { state, payload } => {
            let payload = on.eval(local, payload)?;
            let payload = wanted(on, on.body(local.owner).states[*state].entry, payload);
            return Ok(abandon(local, [Task::Enter(*state, payload), Task::Exit]));
        }
        Instr::Pop => return Ok(pop(on, local)),
    }
    top(local).pc += 1;
    Ok(Advance::Went(false))
}

fn top<D: Domain>(local: &mut Local<D>) -> &mut Frame<D::Value> {
    local.frames.last_mut().expect("there is a call")
}

fn jump<D: Domain>(local: &mut Local<D>, target: Target) -> Advance<D> {
    let frame = top(local);
    let back = target <= frame.pc;
    frame.pc = target;
    Advance::Went(back)
}

fn call<D: Domain>(
    on: &impl Evaluator<D>,
    local: &mut Local<D>,
    callee: FunctionId,
    args: &[Expr],
) -> Result<Advance<D>, D::Stop> {
    let mut registers = on.registers(callee);
    for (number, (register, arg)) in registers.iter_mut().zip(args).enumerate() {
        *register = on.kept((callee, RegisterId::new(number)), on.eval(local, arg)?);
    }
    local.frames.push(Frame { function: callee, pc: 0, registers });
    Ok(Advance::Went(true))
}

/// Ends the innermost call and hands the value to the caller, which waits at its call instruction.
fn give_back<D: Domain>(
    on: &impl Evaluator<D>,
    local: &mut Local<D>,
    value: D::Value,
) -> Advance<D> {
    local.frames.pop();
    if let Some(frame) = local.frames.last_mut() {
        let instr = &on.plan().function(frame.function).code[frame.pc as usize];
        if let Instr::Call { into, .. } = instr {
            put(on, local, *into, value);
        }
        top(local).pc += 1;
    }
    Advance::Went(false)
}

/// Puts a result into a register of the innermost call.
fn put<D: Domain>(
    on: &impl Evaluator<D>,
    local: &mut Local<D>,
    into: Option<RegisterId>,
    value: D::Value,
) {
    if let Some(into) = into {
        let frame = top(local);
        frame.registers[into.index()] = on.kept((frame.function, into), value);
    }
}

/// Drops the calls and does these things instead, the last one first.
fn abandon<D: Domain, const N: usize>(local: &mut Local<D>, tasks: [Task<D>; N]) -> Advance<D> {
    local.frames.clear();
    local.agenda.clear();
    local.agenda.extend(tasks);
    Advance::Went(true)
}

/// Goes back to the state below, and fails if there is none.
fn pop<D: Domain>(on: &impl Evaluator<D>, local: &mut Local<D>) -> Advance<D> {
    let is_last = local.stack.len() <= 1;
    let fault = is_last.then(|| on.fault(local, Failing::LastPop));
    abandon(local, [fault.map_or(Task::Drop, Task::Fail), Task::Exit])
}

//! One instruction, or one thing on the agenda.

use std::sync::Arc;

use qp_base::Span;

use crate::{Choice, EventId, Expr, FunctionId, Instr, RegisterId, StateId, Target, Value};

use super::eval::Scope;
use super::events::perform;
use super::failures::{
    ASSERTION, CHOICE, Fault, LAST_POP, NULL, PAYLOAD, SPEC_ASSERTION, Stop, counted,
};
use super::local::{Frame, Local, Owner, Phase, Task};
use super::places::{Change, change};
use super::plan::Plan;
use super::types::{conforms, type_text, values_of};

/// Calls may be nested this deeply.
const DEPTH_MAX: usize = 1_000;
/// A free choice has at most this many options, as in P.
const OPTIONS_MAX: usize = 10_000;

/// How a local state went on.
pub(crate) enum Advance {
    /// It did something that nobody sees. It may have come back to where it was before if the flag says so:
    /// every cycle has such a step.
    Went(bool),
    /// It rests before something that others see.
    Paused,
    /// It goes on with each of these values in the register.
    Forks(RegisterId, Vec<Value>),
    /// What comes next is of no interest.
    Discarded,
}

/// Does the next thing that nobody sees, if that is what comes next.
pub(crate) fn advance(plan: &Plan, local: &mut Local) -> Advance {
    if local.phase != Phase::Running {
        return Advance::Paused;
    }
    let done = if local.frames.is_empty() {
        let Some(task) = local.agenda.pop() else { return Advance::Paused };
        perform(plan, local, task);
        Ok(Advance::Went(true))
    } else {
        run(plan, local)
    };
    done.unwrap_or_else(|stop| {
        local.stop(stop);
        Advance::Paused
    })
}

/// What an announcement shows to whom; nobody sees it if there is nothing.
pub(crate) fn announced(
    scope: &Scope<'_>,
    event: &Expr,
    payload: &Expr,
) -> Result<Option<(EventId, Value)>, Stop> {
    let (event, payload) = event_of(scope, event, payload, "announced")?;
    let Owner::Machine(role, _) = scope.owner else { return Ok(None) };
    let seen = !scope.plan.audience(role, event).is_empty();
    Ok(seen.then_some((event, payload)))
}

/// The event and payload of a send, announcement or raise, checked.
pub(crate) fn event_of(
    scope: &Scope<'_>,
    event: &Expr,
    payload: &Expr,
    verb: &str,
) -> Result<(EventId, Value), Stop> {
    let (event, payload) = (scope.eval(event)?, scope.eval(payload)?);
    let event = not_null(&event, verb, scope.span)?;
    carries(scope, event, &payload)?;
    Ok((event, payload))
}

/// The event, which is not `null`.
pub(crate) fn not_null(event: &Value, verb: &str, span: Span) -> Result<EventId, Stop> {
    match event {
        Value::Event(event) if *event != EventId::NULL => Ok(*event),
        _ => Err(Stop::fails(NULL, format!("null is {verb}, which is not an event"), span)),
    }
}

/// Fails unless the payload has the event's type.
pub(crate) fn carries(scope: &Scope<'_>, event: EventId, payload: &Value) -> Result<(), Stop> {
    let ty = &scope.plan.blueprint.events[event].payload;
    if conforms(payload, ty) {
        return Ok(());
    }
    let (name, ty) = (scope.plan.event_name(event), type_text(ty));
    let value = scope.plan.value_text(payload);
    let text = format!("event {name} carries {ty}, but is given {value}");
    Err(Stop::fails(PAYLOAD, text, scope.span))
}

/// Runs the instruction of the innermost call.
fn run(plan: &Plan, local: &mut Local) -> Result<Advance, Stop> {
    let frame = local.frames.last().expect("there is a call");
    let scope = Scope::new(plan, local, frame);
    let Some(instr) = plan.function(frame.function).code.get(frame.pc as usize) else {
        return Ok(give_back(plan, local, Value::Null));
    };
    match instr {
        Instr::Assign { .. } | Instr::Insert { .. } | Instr::Add { .. } | Instr::Remove { .. } => {
            store(plan, local, instr)?;
        }
        Instr::Evaluate(expr) => {
            scope.eval(expr)?;
        }
        Instr::Assert { condition, message } => assert(&scope, condition, message.as_ref())?,
        Instr::Announce { event, payload } => {
            if announced(&scope, event, payload)?.is_some() {
                return Ok(Advance::Paused);
            }
        }
        Instr::Assume(condition) => {
            if !scope.truth(condition)? {
                return Ok(Advance::Discarded);
            }
        }
        Instr::Unless(condition, target) => {
            if !scope.truth(condition)? {
                return Ok(jump(local, *target));
            }
        }
        Instr::Choose { into, from } => {
            let options = options(&scope, from)?;
            top(local).pc += 1;
            return Ok(Advance::Forks(*into, options));
        }
        Instr::New { .. } | Instr::Send { .. } | Instr::Receive(_) => return Ok(Advance::Paused),
        Instr::Jump(_)
        | Instr::Call { .. }
        | Instr::Return(_)
        | Instr::Raise { .. }
        | Instr::Goto { .. }
        | Instr::Pop => return go(plan, local, instr),
    }
    top(local).pc += 1;
    Ok(Advance::Went(false))
}

/// Runs an instruction that changes a variable.
fn store(plan: &Plan, local: &mut Local, instr: &Instr) -> Result<(), Stop> {
    let frame = local.frames.last().expect("there is a call");
    let scope = Scope::new(plan, local, frame);
    match instr {
        Instr::Assign { place, value } => {
            let value = scope.eval(value)?;
            change(plan, local, place, Change::Assign(value))
        }
        Instr::Insert { place, key, value } => {
            let (key, value) = (scope.eval(key)?, scope.eval(value)?);
            change(plan, local, place, Change::Insert(key, value))
        }
        Instr::Add { place, value } => {
            let value = scope.eval(value)?;
            change(plan, local, place, Change::Add(value))
        }
        Instr::Remove { place, key } => {
            let key = scope.eval(key)?;
            change(plan, local, place, Change::Remove(key))
        }
        _ => unreachable!("bug in Queueproof: {instr:?} changes no variable"),
    }
}

/// Runs an instruction that goes on somewhere else.
fn go(plan: &Plan, local: &mut Local, instr: &Instr) -> Result<Advance, Stop> {
    let frame = local.frames.last().expect("there is a call");
    let scope = Scope::new(plan, local, frame);
    Ok(match instr {
        Instr::Jump(target) => jump(local, *target),
        Instr::Call { function, args, .. } => call(plan, local, *function, args)?,
        Instr::Return(value) => {
            let value = value.as_ref().map_or(Ok(Value::Null), |value| scope.eval(value))?;
            give_back(plan, local, value)
        }
        Instr::Raise { event, payload } => {
            let (event, payload) = event_of(&scope, event, payload, "raised")?;
            let arrived = local.top();
            abandon(local, [Task::Handle { event, payload, arrived }])
        }
        Instr::Goto { state, payload } => {
            let payload = scope.eval(payload)?;
            change_state(plan, local, *state, payload)
        }
        Instr::Pop => {
            let span = scope.span;
            pop(plan, local, span)
        }
        _ => unreachable!("bug in Queueproof: {instr:?} goes nowhere else"),
    })
}

fn top(local: &mut Local) -> &mut Frame {
    local.frames.last_mut().expect("there is a call")
}

fn jump(local: &mut Local, target: Target) -> Advance {
    let frame = top(local);
    let back = target <= frame.pc;
    frame.pc = target;
    Advance::Went(back)
}

fn call(
    plan: &Plan,
    local: &mut Local,
    callee: FunctionId,
    args: &[Expr],
) -> Result<Advance, Stop> {
    let frame = local.frames.last().expect("there is a call");
    let scope = Scope::new(plan, local, frame);
    if local.frames.len() >= DEPTH_MAX {
        let name = &plan.function(callee).name;
        let text = format!("calls are nested more than {DEPTH_MAX} deep in {name}");
        return Err(Stop::limit(text, scope.span));
    }
    let mut registers = plan.registers[callee].clone();
    for (register, arg) in registers.iter_mut().zip(args) {
        *register = scope.eval(arg)?;
    }
    local.frames.push(Frame { function: callee, pc: 0, registers });
    Ok(Advance::Went(true))
}

/// Ends the innermost call and hands the value to the caller, which waits at its call instruction.
fn give_back(plan: &Plan, local: &mut Local, value: Value) -> Advance {
    local.frames.pop();
    if let Some(frame) = local.frames.last_mut() {
        let instr = &plan.function(frame.function).code[frame.pc as usize];
        if let Instr::Call { into: Some(into), .. } = instr {
            frame.registers[into.index()] = value;
        }
        frame.pc += 1;
    }
    Advance::Went(false)
}

/// Drops the calls and does these things instead, the last one first.
fn abandon<const N: usize>(local: &mut Local, tasks: [Task; N]) -> Advance {
    local.frames.clear();
    local.agenda.clear();
    local.agenda.extend(tasks);
    Advance::Went(true)
}

fn change_state(plan: &Plan, local: &mut Local, state: StateId, payload: Value) -> Advance {
    let payload = plan.wanted(plan.body(local.owner).states[state].entry, payload);
    abandon(local, [Task::Enter(state, payload), Task::Exit])
}

fn pop(plan: &Plan, local: &mut Local, span: Span) -> Advance {
    if local.stack.len() > 1 {
        return abandon(local, [Task::Drop, Task::Exit]);
    }
    let state = plan.state_name(local.owner, local.top());
    let text = format!("pop in state {state}, which has no state below it");
    let fault = Fault::new(LAST_POP, text, span);
    abandon(local, [Task::Fail(Arc::new(fault)), Task::Exit])
}

fn assert(scope: &Scope<'_>, condition: &Expr, message: Option<&Expr>) -> Result<(), Stop> {
    if scope.truth(condition)? {
        return Ok(());
    }
    let code = match scope.owner {
        Owner::Machine(..) => ASSERTION,
        Owner::Spec(_) => SPEC_ASSERTION,
    };
    let mut text = String::new();
    if let Some(message) = message {
        scope.plan.write_plainly(&scope.eval(message)?, &mut text);
    }
    let text = if text.is_empty() { "assertion failed".to_owned() } else { text };
    Err(Stop::fails(code, text, scope.span))
}

fn options(scope: &Scope<'_>, from: &Choice) -> Result<Vec<Value>, Stop> {
    let options = match from {
        Choice::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Choice::Of(expr) => match scope.eval(expr)? {
            Value::Int(number) => return numbers_below(number, scope.span),
            Value::Seq(values) | Value::Set(values) => values.to_vec(),
            Value::Map(entries) => entries.iter().map(|entry| entry.0.clone()).collect(),
            _ => unreachable!("bug in Queueproof: a choice from what has no elements"),
        },
        Choice::Any(ty) => values_of(ty, OPTIONS_MAX).ok_or_else(|| {
            let text = format!("the type {} has too many values to choose from", type_text(ty));
            Stop::limit(text, scope.span)
        })?,
    };
    if options.is_empty() || options.len() > OPTIONS_MAX {
        let has = counted(options.len(), "element");
        let text = format!("choose from {has}: P allows 1 to {OPTIONS_MAX}");
        return Err(Stop::fails(CHOICE, text, scope.span));
    }
    Ok(options)
}

/// As in P, `choose(0)` is 0.
fn numbers_below(number: i64, span: Span) -> Result<Vec<Value>, Stop> {
    if matches!(usize::try_from(number), Ok(0..=OPTIONS_MAX)) {
        return Ok((0..number.max(1)).map(Value::Int).collect());
    }
    let text = format!("choose({number}): P allows 0 to {OPTIONS_MAX}");
    Err(Stop::fails(CHOICE, text, span))
}

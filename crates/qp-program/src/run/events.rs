//! What the states of a machine do about an event.

use crate::{Body, EventId, FunctionId, Handler, RegisterId, StateId};

use super::domain::{Domain, Evaluator, Failing};
use super::local::{Frame, Local, Task};
use super::plan::Plan;

/// What a stack of states does about an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Deferred,
    Ignored,
    Do(FunctionId),
    Goto(StateId, Option<FunctionId>),
    Push(StateId),
    /// The top state is left, and the one below is asked; without one below, nobody handles it.
    Leave,
}

/// What a stack of states does about an event.
///
/// A pushed state inherits what the states below it defer, do and ignore, unless it says something
/// itself; it does not inherit what would change those states. So the nearest state that says
/// anything decides, and a transition of a lower one means that the top is left.
pub(crate) fn verdict(plan: &Plan, local: &Local, event: EventId) -> Verdict {
    verdict_of(plan.body(local.owner), &local.stack, event)
}

/// What these states of a body do about an event.
pub(crate) fn verdict_of(body: &Body, stack: &[StateId], event: EventId) -> Verdict {
    let states = &body.states;
    for (depth, &state) in stack.iter().rev().enumerate() {
        let handlers = &states[state].handlers;
        let Ok(found) = handlers.binary_search_by_key(&event, |handler| handler.0) else {
            continue;
        };
        return match handlers[found].1 {
            Handler::Defer => Verdict::Deferred,
            Handler::Ignore => Verdict::Ignored,
            Handler::Do(function) => Verdict::Do(function),
            Handler::Goto(state, with) if depth == 0 => Verdict::Goto(state, with),
            Handler::Push(state) if depth == 0 => Verdict::Push(state),
            Handler::Goto(..) | Handler::Push(_) => Verdict::Leave,
        };
    }
    Verdict::Leave
}

/// Puts on the agenda what the top state does about an event. Deferred and ignored ones are dropped.
pub(crate) fn react<D: Domain>(
    on: &impl Evaluator<D>,
    local: &mut Local<D>,
    event: EventId,
    payload: D::Value,
    arrived: D::Arrival,
) {
    let body = on.body(local.owner);
    match verdict_of(body, &local.stack, event) {
        Verdict::Deferred | Verdict::Ignored => {}
        Verdict::Do(function) => {
            local.agenda.push(Task::Call(function, wanted(on, Some(function), payload)));
        }
        Verdict::Goto(state, with) => {
            let entered = wanted(on, body.states[state].entry, payload.clone());
            local.agenda.push(Task::Enter(state, entered));
            if let Some(with) = with {
                local.agenda.push(Task::Call(with, wanted(on, Some(with), payload)));
            }
            local.agenda.push(Task::Exit);
        }
        Verdict::Push(state) => {
            let payload = wanted(on, body.states[state].entry, payload);
            local.agenda.push(Task::Push(state, payload));
        }
        Verdict::Leave => leave(on, local, event, payload, arrived),
    }
}

/// Leaves the top state because of an event that it does not handle.
fn leave<D: Domain>(
    on: &impl Evaluator<D>,
    local: &mut Local<D>,
    event: EventId,
    payload: D::Value,
    arrived: D::Arrival,
) {
    if local.stack.len() > 1 {
        local.agenda.push(Task::Handle { event, payload, arrived });
        local.agenda.push(Task::Drop);
    } else if event == EventId::HALT {
        local.agenda.push(Task::Halt);
    } else {
        let fault = on.fault(local, Failing::Unhandled(event, arrived));
        local.agenda.push(Task::Fail(fault));
    }
    if on.exits_unhandled(local.owner) {
        local.agenda.push(Task::Exit);
    }
}

/// What a function that takes nothing or the payload is given: nothing is kept that is not taken.
pub(crate) fn wanted<D: Domain>(
    on: &impl Evaluator<D>,
    function: Option<FunctionId>,
    payload: D::Value,
) -> D::Value {
    match function {
        Some(function) if on.plan().function(function).n_params > 0 => {
            on.kept((function, RegisterId::from_raw(0)), payload)
        }
        _ => D::NULL,
    }
}

/// Begins a call of a function that takes nothing or the payload.
fn begin<D: Domain>(
    on: &impl Evaluator<D>,
    local: &mut Local<D>,
    function: Option<FunctionId>,
    payload: D::Value,
) {
    let Some(function) = function else { return };
    let mut registers = on.registers(function);
    if on.plan().function(function).n_params > 0 {
        registers[0] = payload;
    }
    local.frames.push(Frame { function, pc: 0, registers });
}

/// Does the next thing on the agenda.
pub(super) fn perform<D: Domain>(
    on: &impl Evaluator<D>,
    local: &mut Local<D>,
    task: Task<D>,
) -> Result<(), D::Stop> {
    let states = &on.body(local.owner).states;
    match task {
        Task::Exit => begin(on, local, states[local.top()].exit, D::NULL),
        Task::Call(function, payload) => begin(on, local, Some(function), payload),
        Task::Enter(state, payload) => {
            local.stack.pop();
            local.stack.push(state);
            begin(on, local, states[state].entry, payload);
        }
        Task::Push(state, _) if local.stack.len() >= D::STACK_MAX => {
            return Err(on.fault(local, Failing::TooDeep(state)).into());
        }
        Task::Push(state, payload) => {
            local.stack.push(state);
            begin(on, local, states[state].entry, payload);
        }
        Task::Drop => {
            local.stack.pop();
        }
        Task::Handle { event, payload, arrived } => react(on, local, event, payload, arrived),
        Task::Halt => local.halt(),
        Task::Fail(fault) => return Err(fault.into()),
    }
    Ok(())
}

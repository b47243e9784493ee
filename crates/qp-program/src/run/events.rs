//! What the states of a machine do about an event.

use std::sync::Arc;

use crate::{Body, Dialect, EventId, FunctionId, Handler, StateId, Value};

use super::failures::{Fault, Stop, UNHANDLED};
use super::local::{Local, Owner, Task};
use super::plan::Plan;

/// States may be pushed this deeply.
const STACK_MAX: usize = 1_000;

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
pub(crate) fn react(
    plan: &Plan,
    local: &mut Local,
    event: EventId,
    payload: Value,
    arrived: StateId,
) {
    let entry = |state: StateId| plan.body(local.owner).states[state].entry;
    match verdict(plan, local, event) {
        Verdict::Deferred | Verdict::Ignored => {}
        Verdict::Do(function) => {
            let payload = plan.wanted(Some(function), payload);
            local.agenda.push(Task::Call(function, payload));
        }
        Verdict::Goto(state, with) => {
            let entered = Task::Enter(state, plan.wanted(entry(state), payload.clone()));
            local.agenda.push(entered);
            if let Some(with) = with {
                local.agenda.push(Task::Call(with, plan.wanted(Some(with), payload)));
            }
            local.agenda.push(Task::Exit);
        }
        Verdict::Push(state) => {
            let payload = plan.wanted(entry(state), payload);
            local.agenda.push(Task::Push(state, payload));
        }
        Verdict::Leave => leave(plan, local, event, payload, arrived),
    }
}

/// Leaves the top state because of an event that it does not handle.
fn leave(plan: &Plan, local: &mut Local, event: EventId, payload: Value, arrived: StateId) {
    if local.stack.len() > 1 {
        local.agenda.push(Task::Handle { event, payload, arrived });
        local.agenda.push(Task::Drop);
    } else if event == EventId::HALT {
        local.agenda.push(Task::Halt);
    } else {
        local.agenda.push(Task::Fail(Arc::new(unhandled(plan, local.owner, event, arrived))));
    }
    // P's runtime runs the exit function of a machine first. Of a spec it only forgets the state.
    if !(matches!(local.owner, Owner::Spec(_)) && plan.blueprint.dialect == Dialect::Current) {
        local.agenda.push(Task::Exit);
    }
}

fn unhandled(plan: &Plan, owner: Owner, event: EventId, arrived: StateId) -> Fault {
    let (event, state) = (plan.event_name(event), plan.state_name(owner, arrived));
    let span = plan.body(owner).states[arrived].span;
    Fault::new(UNHANDLED, format!("event {event} cannot be handled in state {state}"), span)
}

/// Does the next thing on the agenda.
pub(crate) fn perform(plan: &Plan, local: &mut Local, task: Task) {
    let states = &plan.body(local.owner).states;
    match task {
        Task::Exit => {
            let exit = states[local.top()].exit;
            local.call(plan, exit, Value::Null);
        }
        Task::Call(function, payload) => local.call(plan, Some(function), payload),
        Task::Enter(state, payload) => {
            local.stack.pop();
            local.stack.push(state);
            local.call(plan, states[state].entry, payload);
        }
        Task::Push(state, _) if local.stack.len() >= STACK_MAX => {
            let name = plan.state_name(local.owner, state);
            let text = format!("states are pushed more than {STACK_MAX} deep in state {name}");
            local.stop(Stop::limit(text, states[state].span));
        }
        Task::Push(state, payload) => {
            local.stack.push(state);
            local.call(plan, states[state].entry, payload);
        }
        Task::Drop => {
            local.stack.pop();
        }
        Task::Handle { event, payload, arrived } => react(plan, local, event, payload, arrived),
        Task::Halt => local.halt(),
        Task::Fail(fault) => local.stop(Stop::Fails(Box::new((*fault).clone()))),
    }
}

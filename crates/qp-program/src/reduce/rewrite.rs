//! Leaving out what is not needed.
//!
//! Sound: what is left out only ever flows into other things that are left out. No condition, no operand of
//! something that others see and no expression that can fail reads it, so every run of the one program is
//! a run of the other with the same steps. Instructions keep their numbers.

use crate::{
    Blueprint, Choice, EventId, Expr, FunctionId, Handler, Instr, RegisterId, Type, Value,
};

use super::needs::{Needs, can_fail};
use super::registers::changed_root;

/// Leaves out of a blueprint what is not needed.
pub(super) fn rewrite(blueprint: &mut Blueprint, needs: &Needs) {
    let handlers = handlers(blueprint);
    for id in blueprint.functions.ids() {
        let mut code = std::mem::take(&mut blueprint.functions[id].code);
        for instr in &mut code {
            rewrite_instr(blueprint, needs, id, instr);
        }
        blueprint.functions[id].code = code;
    }
    let unread: Vec<FunctionId> =
        handlers.into_iter().filter(|&it| !needs.takes(blueprint, it)).collect();
    for function in unread {
        blueprint.functions[function].n_params = 0;
    }
    for event in blueprint.events.ids() {
        if !needs.payload(event) {
            blueprint.events[event].payload = Type::Null;
        }
    }
}

/// The functions that are given a payload by events or state changes.
fn handlers(blueprint: &Blueprint) -> Vec<FunctionId> {
    let states = blueprint.bodies.iter().flat_map(|body| &body.states);
    let mut found: Vec<FunctionId> = Vec::new();
    for state in states {
        found.extend(state.entry);
        for (_, handler) in &state.handlers {
            match handler {
                Handler::Do(function) => found.push(*function),
                Handler::Goto(_, with) => found.extend(*with),
                Handler::Defer | Handler::Ignore | Handler::Push(_) => {}
            }
        }
    }
    found
}

fn rewrite_instr(blueprint: &Blueprint, needs: &Needs, function: FunctionId, instr: &mut Instr) {
    if let Some((root, _)) = changed_root(instr)
        && !needs.variable(function, root)
    {
        *instr = what_can_fail(instr);
        return;
    }
    match instr {
        Instr::Evaluate(expr) if !can_fail(expr) => *expr = nothing(),
        Instr::Call { function: callee, args, into } => {
            for (number, arg) in args.iter_mut().enumerate() {
                let register = RegisterId::new(number);
                if !needs.register(*callee, register) && !can_fail(arg) {
                    let ty = &blueprint.functions[*callee].registers[register].ty;
                    *arg = Expr::Const(ty.default_value());
                }
            }
            *into = into.filter(|&into| needs.register(function, into));
        }
        Instr::Return(value) => {
            *value = value.take().filter(|value| can_fail(value) || needs.result(function));
        }
        Instr::Choose { into, from: Choice::Bool | Choice::Any(_) }
            if !needs.register(function, *into) =>
        {
            *instr = Instr::Evaluate(nothing());
        }
        Instr::Send { event, payload, .. }
        | Instr::Announce { event, payload }
        | Instr::Raise { event, payload }
            if written_out(event).is_some_and(|event| !needs.payload(event)) =>
        {
            *payload = nothing();
        }
        Instr::Goto { state, payload } => {
            let takes = |function: FunctionId| needs.takes(blueprint, function);
            let bodies = needs.bodies(function).iter().map(|&body| &blueprint.bodies[body]);
            let mut entries = bodies.filter_map(|body| body.states.get(*state)?.entry);
            if !can_fail(payload) && !entries.any(takes) {
                *payload = nothing();
            }
        }
        Instr::Receive(cases) => {
            for case in cases {
                case.into = case.into.filter(|&into| needs.register(function, into));
            }
        }
        _ => {}
    }
}

/// What is left of a change to a variable that is not needed: the failures of its expressions.
fn what_can_fail(instr: &Instr) -> Instr {
    let kept: Vec<Expr> = match instr {
        Instr::Assign { value, .. } | Instr::Add { value, .. } => vec![value],
        Instr::Insert { key, value, .. } => vec![key, value],
        Instr::Remove { key, .. } => vec![key],
        _ => vec![],
    }
    .into_iter()
    .filter(|expr| can_fail(expr))
    .cloned()
    .collect();
    Instr::Evaluate(if kept.is_empty() { nothing() } else { Expr::Tuple(kept) })
}

fn nothing() -> Expr {
    Expr::Const(Value::Null)
}

fn written_out(event: &Expr) -> Option<EventId> {
    match event {
        Expr::Const(Value::Event(event)) => Some(*event),
        _ => None,
    }
}

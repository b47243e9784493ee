//! Leaving out what is not needed.
//!
//! Sound: what is left out only ever flows into other things that are left out. No condition, no operand of
//! something that others see and no expression that can fail reads it, so every run of the one program is
//! a run of the other with the same steps. Instructions keep their numbers.

use crate::{
    Blueprint, Choice, EventId, Expr, FunctionId, Instr, Projection, RegisterId, Type, Value,
};

use super::flow::can_fail;
use super::needs::{Holder, Needs, slots, type_of};
use super::reach::handed_by;

/// Leaves out of a blueprint what is not needed.
pub(super) fn rewrite(blueprint: &mut Blueprint, needs: &Needs) {
    for id in blueprint.functions.ids() {
        let mut code = std::mem::take(&mut blueprint.functions[id].code);
        for instr in &mut code {
            rewrite_instr(blueprint, needs, id, instr);
        }
        blueprint.functions[id].code = code;
    }
    let states = blueprint.bodies.iter().flat_map(|body| &body.states);
    let unread: Vec<FunctionId> =
        states.flat_map(handed_by).filter(|&it| !needs.takes(blueprint, it)).collect();
    for function in unread {
        blueprint.functions[function].n_params = 0;
    }
    for event in blueprint.events.ids() {
        if !needs.any(blueprint, Holder::Payload(event)) {
            blueprint.events[event].payload = Type::Null;
        }
    }
}

fn rewrite_instr(blueprint: &Blueprint, needs: &Needs, function: FunctionId, instr: &mut Instr) {
    let register = |function, register| needs.any(blueprint, Holder::Register(function, register));
    match instr {
        Instr::Assign { .. } | Instr::Insert { .. } | Instr::Add { .. } | Instr::Remove { .. } => {
            rewrite_change(blueprint, needs, function, instr);
        }
        Instr::Evaluate(expr) if !can_fail(expr) => *expr = nothing(),
        Instr::Call { function: callee, args, into } => {
            for (number, arg) in args.iter_mut().enumerate() {
                let param = Holder::Register(*callee, RegisterId::new(number));
                trim(blueprint, needs, param, arg);
            }
            *into = into.filter(|&into| register(function, into));
        }
        Instr::Return(value) => {
            let needed = needs.part(Holder::Result(function), 0);
            *value = value.take().filter(|value| needed || can_fail(value));
        }
        Instr::Choose { into, from: Choice::Bool | Choice::Any(_) }
            if !register(function, *into) =>
        {
            *instr = Instr::Evaluate(nothing());
        }
        Instr::Send { event, payload, .. }
        | Instr::Announce { event, payload }
        | Instr::Raise { event, payload } => {
            let Some(event) = written_out(event) else { return };
            if needs.any(blueprint, Holder::Payload(event)) {
                trim(blueprint, needs, Holder::Payload(event), payload);
            } else {
                *payload = nothing();
            }
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
                case.into = case.into.filter(|&into| register(function, into));
            }
        }
        _ => {}
    }
}

/// Leaves a change out if nothing that it changes is needed, and otherwise the parts that are not.
fn rewrite_change(blueprint: &Blueprint, needs: &Needs, function: FunctionId, instr: &mut Instr) {
    let (Instr::Assign { place, .. }
    | Instr::Insert { place, .. }
    | Instr::Add { place, .. }
    | Instr::Remove { place, .. }) = instr
    else {
        return;
    };
    let holders = needs.holders(function, place.root);
    let needed = |holder: &Holder| match (place.path.first(), slots(blueprint, *holder).len()) {
        (Some(Projection::Part(part)), 2..) => needs.part(*holder, *part),
        _ => needs.any(blueprint, *holder),
    };
    if !holders.iter().any(needed) {
        *instr = what_can_fail(instr);
        return;
    }
    if let (Instr::Assign { place, value }, [holder]) = (instr, &holders[..])
        && place.path.is_empty()
    {
        trim(blueprint, needs, *holder, value);
    }
}

/// Puts defaults in place of what flows into something and is not needed there.
fn trim(blueprint: &Blueprint, needs: &Needs, into: Holder, value: &mut Expr) {
    let default = |ty: &Type| Expr::Const(ty.default_value());
    if !needs.any(blueprint, into) && !can_fail(value) {
        *value = type_of(blueprint, into).map_or_else(nothing, default);
        return;
    }
    let types: &[Type] = match type_of(blueprint, into) {
        Some(Type::Tuple(types)) => types,
        Some(Type::Record(fields)) => &fields.types,
        _ => return,
    };
    let (Expr::Tuple(parts) | Expr::Record(_, parts)) = value else { return };
    if parts.len() == types.len() {
        for (number, (part, ty)) in parts.iter_mut().zip(types).enumerate() {
            if !needs.part(into, number as u32) && !can_fail(part) {
                *part = default(ty);
            }
        }
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

//! Variables and payloads on which something depends.
//!
//! Something is needed if a condition, an operand of something visible, or an expression that can fail
//! reads it, or if its value flows into something that is needed. Everything else can be left out: no
//! branch is taken, no failure happens and nothing is seen differently without it.
//!
//! The parts of tuples and records are told apart, one level deep: a number that is sent along in every
//! message and looked at by nobody is not needed, although its neighbours are.

use std::collections::BTreeSet;

use qp_base::Set;

use crate::effects::{Sink, Source};
use crate::{Blueprint, BodyId, EventId, FieldId, FunctionId, RegisterId, Root, Type};

use super::Reductions;
use super::flow::needed;
use super::reach::Calls;

/// Something that has a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Holder {
    Field(BodyId, FieldId),
    Register(FunctionId, RegisterId),
    /// What a function returns.
    Result(FunctionId),
    /// What an event carries.
    Payload(EventId),
}

/// A part of a tuple or record, or the whole of anything else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Slot(pub(super) Holder, pub(super) u32);

/// What is needed.
#[derive(Clone, Debug)]
pub(super) struct Needs {
    needed: Set<Slot>,
    /// For each function: the bodies whose code can call it.
    bodies: Vec<Vec<BodyId>>,
}

impl Needs {
    pub(super) fn of(blueprint: &Blueprint) -> Self {
        let calls = Calls::of(blueprint);
        let mut bodies = vec![Vec::new(); blueprint.functions.len()];
        for (id, body) in blueprint.bodies.iter_enumerated() {
            for function in calls.run_by(body) {
                bodies[function.index()].push(id);
            }
        }
        Self { needed: needed(blueprint, &bodies), bodies }
    }

    /// The bodies whose code can call a function.
    pub(super) fn bodies(&self, function: FunctionId) -> &[BodyId] {
        &self.bodies[function.index()]
    }

    /// Whether a part of what something holds is needed.
    pub(super) fn part(&self, holder: Holder, part: u32) -> bool {
        self.needed.contains(&Slot(holder, part))
    }

    /// Whether anything of what something holds is needed.
    pub(super) fn any(&self, blueprint: &Blueprint, holder: Holder) -> bool {
        slots(blueprint, holder).iter().any(|slot| self.needed.contains(slot))
    }

    /// Whether a function that takes nothing or the payload needs it.
    pub(super) fn takes(&self, blueprint: &Blueprint, function: FunctionId) -> bool {
        blueprint.functions[function].n_params > 0
            && self.any(blueprint, Holder::Register(function, RegisterId::from_raw(0)))
    }

    /// The variable that a root is, once for every body that it may belong to.
    pub(super) fn holders(&self, function: FunctionId, root: Root) -> Vec<Holder> {
        holders(&self.bodies, function, root)
    }

    /// The names of what is assigned or carried, but not needed.
    pub(super) fn left_out(&self, blueprint: &Blueprint) -> Reductions {
        let mut reductions = Reductions::default();
        for holder in self.assigned(blueprint) {
            let (name, place) = match holder {
                Holder::Field(body, field) => {
                    let body = &blueprint.bodies[body];
                    (body.fields[field].name.as_str(), format!("of {}", body.name))
                }
                Holder::Register(function, register) => {
                    let function = &blueprint.functions[function];
                    (function.registers[register].name.as_str(), format!("in {}", function.name))
                }
                Holder::Result(_) | Holder::Payload(_) => continue,
            };
            if !name.is_empty() {
                let missing = self.missing(blueprint, holder, name).into_iter();
                reductions.variables.extend(missing.map(|name| format!("{name} {place}")));
            }
        }
        for (id, event) in blueprint.events.iter_enumerated() {
            if event.payload != Type::Null {
                let missing = self.missing(blueprint, Holder::Payload(id), &event.name);
                reductions.payloads.extend(missing);
            }
            reductions.unread.push(self.unread(blueprint, id));
        }
        reductions
    }

    /// Which parts of a payload are not needed; none of an event that carries nothing.
    fn unread(&self, blueprint: &Blueprint, event: EventId) -> Vec<bool> {
        if blueprint.events[event].payload == Type::Null {
            return Vec::new();
        }
        let slots = slots(blueprint, Holder::Payload(event)).into_iter();
        slots.map(|slot| !self.needed.contains(&slot)).collect()
    }

    /// The name of something that is not needed, or the names of such parts.
    fn missing(&self, blueprint: &Blueprint, holder: Holder, name: &str) -> Vec<String> {
        if !self.any(blueprint, holder) {
            return vec![name.to_owned()];
        }
        let slots = slots(blueprint, holder).into_iter();
        let missing = slots.filter(|slot| !self.needed.contains(slot));
        let part = |Slot(_, part): Slot| match type_of(blueprint, holder) {
            Some(Type::Record(fields)) => format!("{name}.{}", fields.names[part as usize]),
            _ => format!("{name}.{part}"),
        };
        missing.map(part).collect()
    }

    /// The variables into which some instruction puts what it works out.
    fn assigned(&self, blueprint: &Blueprint) -> BTreeSet<Holder> {
        let mut found = BTreeSet::new();
        for (id, function) in blueprint.functions.iter_enumerated() {
            for flow in function.effects().flat_map(|effects| effects.flows) {
                if let (Source::Expr(_), Sink::Variable { root, .. }) = (flow.source, flow.sink) {
                    found.extend(self.holders(id, root));
                }
            }
        }
        found
    }
}

/// The variable that a root is, once for every body that it may belong to.
pub(super) fn holders(bodies: &[Vec<BodyId>], function: FunctionId, root: Root) -> Vec<Holder> {
    match root {
        Root::Register(register) => vec![Holder::Register(function, register)],
        Root::Field(field) => {
            bodies[function.index()].iter().map(|&body| Holder::Field(body, field)).collect()
        }
    }
}

/// The parts that are told apart.
pub(super) fn slots(blueprint: &Blueprint, holder: Holder) -> Vec<Slot> {
    let parts = match type_of(blueprint, holder) {
        Some(Type::Tuple(types)) => types.len(),
        Some(Type::Record(fields)) => fields.types.len(),
        _ => 1,
    };
    (0..parts.max(1) as u32).map(|part| Slot(holder, part)).collect()
}

/// The type of what something holds, where it is declared.
pub(super) fn type_of(blueprint: &Blueprint, holder: Holder) -> Option<&Type> {
    match holder {
        Holder::Field(body, field) => blueprint.bodies[body].fields.get(field).map(|it| &it.ty),
        Holder::Register(function, register) => {
            blueprint.functions[function].registers.get(register).map(|it| &it.ty)
        }
        Holder::Result(_) => None,
        Holder::Payload(event) => Some(&blueprint.events[event].payload),
    }
}

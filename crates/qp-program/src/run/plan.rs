//! What is worked out once per blueprint.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_base::{IndexVec, Map, Span};

use crate::reduce::{Calls, Liveness};
use crate::{
    Blueprint, Body, BodyId, EventId, Function, FunctionId, RoleId, SpecId, StateId, Value,
};

use super::local::Owner;
use super::types::enums;

/// A blueprint with tables for the interpreter.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) blueprint: Arc<Blueprint>,
    /// What the registers of a function hold when it is called, parameters aside.
    pub(crate) registers: IndexVec<FunctionId, Vec<Value>>,
    /// What the variables of a body hold at the beginning.
    pub(crate) fields: IndexVec<BodyId, Vec<Value>>,
    /// The functions that can run in a body.
    pub(crate) functions: IndexVec<BodyId, BTreeSet<FunctionId>>,
    /// Which registers and fields still matter where.
    pub(crate) liveness: Liveness,
    pub(crate) event_names: Names,
    pub(crate) role_names: Names,
    pub(crate) spec_names: Names,
    pub(crate) state_names: IndexVec<BodyId, Names>,
    /// Every enumeration that a value can belong to.
    pub(crate) enums: Vec<Arc<crate::Enum>>,
    pub(crate) enum_names: Names,
}

impl Plan {
    pub(crate) fn new(blueprint: Arc<Blueprint>) -> Self {
        let defaults = |variables: &[crate::Variable]| {
            variables.iter().map(|it| it.ty.default_value()).collect::<Vec<_>>()
        };
        let functions = blueprint.functions.iter();
        let registers = functions.map(|it| defaults(it.registers.as_slice())).collect();
        let fields = blueprint.bodies.iter().map(|it| defaults(it.fields.as_slice())).collect();
        let enums = enums(&blueprint);
        let calls = Calls::of(&blueprint);
        let states = |body: &Body| Names::new(body.states.iter().map(|it| it.name.as_str()));
        Self {
            registers,
            fields,
            functions: blueprint.bodies.iter().map(|body| calls.run_by(body)).collect(),
            liveness: Liveness::of(&blueprint),
            event_names: Names::new(blueprint.events.iter().map(|it| it.name.as_str())),
            role_names: Names::new(blueprint.roles.iter().map(|it| it.name.as_str())),
            spec_names: Names::new(blueprint.specs.iter().map(|it| it.name.as_str())),
            state_names: blueprint.bodies.iter().map(states).collect(),
            enum_names: Names::new(enums.iter().map(|it| it.name.as_str())),
            enums,
            blueprint,
        }
    }

    pub(crate) fn body_id(&self, owner: Owner) -> BodyId {
        match owner {
            Owner::Machine(role, _) => self.blueprint.roles[role].body,
            Owner::Spec(spec) => self.blueprint.specs[spec].body,
        }
    }

    pub(crate) fn body(&self, owner: Owner) -> &Body {
        &self.blueprint.bodies[self.body_id(owner)]
    }

    pub(crate) fn function(&self, function: FunctionId) -> &Function {
        &self.blueprint.functions[function]
    }

    /// Where an instruction is written; the function's place past the end.
    pub(crate) fn span(&self, function: FunctionId, pc: u32) -> Span {
        let function = self.function(function);
        function.spans.get(pc as usize).copied().unwrap_or(function.span)
    }

    pub(crate) fn event_name(&self, event: EventId) -> &str {
        self.event_names.name(event.index())
    }

    pub(crate) fn role_name(&self, role: RoleId) -> &str {
        self.role_names.name(role.index())
    }

    pub(crate) fn state_name(&self, owner: Owner, state: StateId) -> &str {
        self.state_names[self.body_id(owner)].name(state.index())
    }

    /// The specs that see this event when a machine of this role sends it, in order of declaration.
    pub(crate) fn audience(&self, role: RoleId, event: EventId) -> Vec<SpecId> {
        let sees =
            |spec: &SpecId| self.blueprint.specs[*spec].observes.binary_search(&event).is_ok();
        let mut specs: Vec<SpecId> =
            self.blueprint.roles[role].watchers.iter().copied().filter(sees).collect();
        specs.sort_unstable();
        specs.dedup();
        specs
    }
}

/// Names that can be told apart: one that occurs again gets a number.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    names: Vec<String>,
    numbers: Map<String, u32>,
}

impl Names {
    fn new<'a>(given: impl Iterator<Item = &'a str>) -> Self {
        let mut this = Self { names: Vec::new(), numbers: Map::default() };
        for (number, name) in given.enumerate() {
            let mut unique = if name.is_empty() { "#".to_owned() } else { name.to_owned() };
            if this.numbers.contains_key(&unique) {
                unique = format!("{name}#{number}");
            }
            this.numbers.insert(unique.clone(), number as u32);
            this.names.push(unique);
        }
        this
    }

    pub(crate) fn name(&self, number: usize) -> &str {
        &self.names[number]
    }

    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).map(|&number| number as usize)
    }
}

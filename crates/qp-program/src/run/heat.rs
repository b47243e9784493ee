//! Liveness of specs: hot states have to be left in the end, and cold ones say that all is well.
//!
//! As P's checker has it, what was hot counts until the spec is in a cold state; a state that is neither changes
//! nothing.

use qp_machines::{ConditionId, Heat, Ltl};

use crate::{Blueprint, SpecId, State, Temperature};

use super::specs::Store;

/// The demands that specs do not stay hot, in the order of the text.
pub(crate) fn demands(blueprint: &Blueprint) -> Vec<Ltl> {
    let demand = |spec: SpecId| {
        let states = &blueprint.bodies[blueprint.specs[spec].body].states;
        let is = |temperature| states.iter().find(|state| state.temperature == temperature);
        let heat = Heat {
            hot: condition(spec, Temperature::Hot),
            cold: is(Temperature::Cold).map(|_| condition(spec, Temperature::Cold)),
        };
        let name = blueprint.specs[spec].name.clone();
        is(Temperature::Hot).map(|hot: &State| Ltl::cools(name, hot.span, heat))
    };
    blueprint.specs.ids().filter_map(demand).collect()
}

fn condition(spec: SpecId, temperature: Temperature) -> ConditionId {
    ConditionId::new(2 * spec.index() + usize::from(temperature == Temperature::Cold))
}

/// Whether a spec is as hot or cold as a condition says.
pub(crate) fn holds(blueprint: &Blueprint, store: &Store, asked: ConditionId) -> bool {
    let spec = SpecId::new(asked.index() / 2);
    // Without a store the specs have failed at the beginning.
    let state = store.get(spec.index()).and_then(|watch| watch.stack.last());
    state.is_some_and(|&state| {
        let states = &blueprint.bodies[blueprint.specs[spec].body].states;
        condition(spec, states[state].temperature) == asked
            && states[state].temperature != Temperature::Warm
    })
}

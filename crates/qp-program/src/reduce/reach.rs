//! The call graph: which code belongs to which states.

use std::collections::BTreeSet;

use qp_dataflow::{Direction, Graph, reach};

use crate::effects::Effects;
use crate::{Blueprint, Body, Function, FunctionId, State};

/// The functions that a state names: entry, exit and handlers.
pub(super) fn named_by(state: &State) -> impl Iterator<Item = FunctionId> + '_ {
    handed_by(state).chain(state.exit)
}

/// Those that may be given a payload: entry and handlers.
pub(super) fn handed_by(state: &State) -> impl Iterator<Item = FunctionId> + '_ {
    state.entry.into_iter().chain(state.handlers.iter().filter_map(|it| it.1.effects().0))
}

/// Which function calls which.
pub(crate) struct Calls(Graph);

impl Calls {
    pub(crate) fn of(blueprint: &Blueprint) -> Self {
        let called = |effects: Effects<'_>| effects.calls.map(FunctionId::index);
        let calls = |it: &Function| it.effects().filter_map(called).collect();
        Self(Graph::new(blueprint.functions.iter().map(calls).collect()))
    }

    /// The functions that can run when one of these is called, themselves included.
    pub(crate) fn run_from(&self, roots: impl Iterator<Item = FunctionId>) -> BTreeSet<FunctionId> {
        let run = reach(&self.0, Direction::Forward, roots.map(FunctionId::index));
        (0..run.len()).filter(|&it| run[it]).map(FunctionId::new).collect()
    }

    /// The functions that can run in a state.
    pub(super) fn run_in(&self, state: &State) -> BTreeSet<FunctionId> {
        self.run_from(named_by(state))
    }

    /// The functions that can run in any state of a body.
    pub(crate) fn run_by(&self, body: &Body) -> BTreeSet<FunctionId> {
        self.run_from(body.states.iter().flat_map(named_by))
    }
}

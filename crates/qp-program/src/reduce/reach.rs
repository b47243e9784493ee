//! Which code belongs to which states.

use std::collections::BTreeSet;

use crate::{Blueprint, Body, FunctionId, Handler, Instr, State};

/// The functions that a state names: entry, exit and handlers.
pub(super) fn named_by(state: &State) -> impl Iterator<Item = FunctionId> + '_ {
    let handlers = state.handlers.iter().filter_map(|(_, handler)| match handler {
        Handler::Do(function) => Some(*function),
        Handler::Goto(_, with) => *with,
        Handler::Defer | Handler::Ignore | Handler::Push(_) => None,
    });
    state.entry.into_iter().chain(state.exit).chain(handlers)
}

/// The functions that can run in a state, calls included.
pub(super) fn run_in(blueprint: &Blueprint, state: &State) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    let mut open: Vec<FunctionId> = named_by(state).collect();
    while let Some(function) = open.pop() {
        if found.insert(function) {
            let calls = blueprint.functions[function].code.iter().filter_map(|instr| match instr {
                Instr::Call { function, .. } => Some(*function),
                _ => None,
            });
            open.extend(calls);
        }
    }
    found
}

/// The functions that can run in any state of a body.
pub(crate) fn run_by(blueprint: &Blueprint, body: &Body) -> BTreeSet<FunctionId> {
    body.states.iter().flat_map(|state| run_in(blueprint, state)).collect()
}

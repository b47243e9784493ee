//! Live variables of machines, over the control graph of a body.
//!
//! The graph does not tell callers apart: behind the end of a function comes whatever comes behind any of its
//! uses. So it finds too much alive, never too little. Where states are pushed, what comes next depends on a
//! stack; then any function of any state may.

use std::collections::BTreeMap;

use qp_base::Map;
use qp_dataflow::Graph;

use crate::effects::Leave;
use crate::{Blueprint, Body, EventId, Expr, FunctionId, Handler, Root, StateId, Value};

use super::reach::{Calls, named_by};
use super::registers::{Bits, bits, live};

/// For the code and the states of one body: the variables whose values can be read from there on, before
/// they are assigned as a whole.
#[derive(Clone, Debug)]
pub(super) struct LiveFields {
    /// For each instruction of a function, and for its end.
    pub(super) inside: Map<FunctionId, Vec<Bits>>,
    /// For each state, when it waits for an event.
    pub(super) waiting: Vec<Bits>,
}

/// The analysis of a body.
pub(super) fn live_fields(blueprint: &Blueprint, body: &Body, calls: &Calls) -> LiveFields {
    let field = |root: Root| match root {
        Root::Field(field) => Some(field.index()),
        Root::Register(_) => None,
    };
    let Control { starts, successors, .. } = Control::of(blueprint, body, calls);
    let mut reads = vec![vec![false; body.fields.len()]; successors.len()];
    let mut overwritten = vec![None; successors.len()];
    for (&function, start) in &starts {
        for (pc, effects) in blueprint.functions[function].effects().enumerate() {
            let read = effects.reads().into_iter().filter_map(field);
            reads[start + pc] = bits(body.fields.len(), read);
            overwritten[start + pc] = effects.ways.iter().find_map(|way| field(way.overwrites?));
        }
    }
    let mut waiting = live(&Graph::new(successors), reads, |node, _| overwritten[node]);
    let inside = starts.into_iter().rev().map(|(it, start)| (it, waiting.split_off(start)));
    let inside = inside.collect();
    waiting.truncate(body.states.len());
    LiveFields { inside, waiting }
}

/// The control graph of a body. Its nodes are the states, when they wait for an event; one for the beginning of
/// any function that a state names; and for each function its instructions and its end.
pub(crate) struct Control<'a> {
    blueprint: &'a Blueprint,
    body: &'a Body,
    /// The first node of each function.
    pub(crate) starts: BTreeMap<FunctionId, usize>,
    pushes: bool,
    pub(crate) successors: Vec<Vec<usize>>,
}

impl<'a> Control<'a> {
    pub(crate) fn of(blueprint: &'a Blueprint, body: &'a Body, calls: &Calls) -> Self {
        let (mut starts, mut n_nodes) = (BTreeMap::new(), body.states.len() + 1);
        for function in calls.run_by(body) {
            starts.insert(function, n_nodes);
            n_nodes += blueprint.functions[function].code.len() + 1;
        }
        let mut handlers = body.states.iter().flat_map(|state| &state.handlers);
        let pushes = handlers.any(|it| matches!(it.1, Handler::Push(_)));
        let successors = vec![Vec::new(); n_nodes];
        let mut this = Self { blueprint, body, starts, pushes, successors };
        for (id, state) in body.states.iter_enumerated() {
            this.wait(id);
            for function in calls.run_in(state) {
                this.leave(function, id);
            }
        }
        for function in this.starts.clone().into_keys() {
            this.code(function);
            if pushes {
                this.edges(this.end(function), [this.anywhere()]);
            }
        }
        this
    }

    fn edges(&mut self, from: usize, to: impl IntoIterator<Item = usize>) {
        self.successors[from].extend(to);
    }

    fn anywhere(&self) -> usize {
        self.body.states.len()
    }

    fn first(&self, function: FunctionId) -> usize {
        self.starts[&function]
    }

    fn end(&self, function: FunctionId) -> usize {
        self.first(function) + self.blueprint.functions[function].code.len()
    }

    /// Where a state goes from when it gets an event.
    fn reacts(&self, state: StateId, event: EventId) -> Option<usize> {
        let handlers = &self.body.states[state].handlers;
        match handlers.iter().find(|it| it.0 == event).map(|it| it.1) {
            _ if self.pushes => Some(self.anywhere()),
            Some(Handler::Defer | Handler::Ignore) => Some(state.index()),
            Some(Handler::Do(function)) => Some(self.first(function)),
            Some(Handler::Goto(next, with)) => self.exits(state, Some(self.through(next, with))),
            Some(Handler::Push(_)) | None => self.exits(state, None),
        }
    }

    /// Where a state is left; behind the exit function comes what its end says.
    fn exits(&self, state: StateId, behind: Option<usize>) -> Option<usize> {
        match self.body.states[state].exit {
            _ if self.pushes => Some(self.anywhere()),
            Some(exit) => Some(self.first(exit)),
            None => behind,
        }
    }

    /// Where a state is entered.
    pub(crate) fn enters(&self, state: StateId) -> usize {
        self.body.states[state].entry.map_or(state.index(), |entry| self.first(entry))
    }

    /// Where a state is entered, through a function.
    fn through(&self, next: StateId, with: Option<FunctionId>) -> usize {
        with.map_or_else(|| self.enters(next), |with| self.first(with))
    }

    /// What a waiting state does about any event, and what comes behind the functions that it names.
    fn wait(&mut self, id: StateId) {
        let (body, waiting) = (self.body, id.index());
        let state = &body.states[id];
        let named: Vec<usize> = named_by(state).map(|function| self.first(function)).collect();
        self.edges(self.anywhere(), named);
        self.edges(waiting, self.exits(id, None));
        for &(event, handler) in &state.handlers {
            self.edges(waiting, self.reacts(id, event));
            match handler {
                _ if self.pushes => {}
                Handler::Do(function) => self.edges(self.end(function), [waiting]),
                Handler::Goto(next, with) => {
                    let ends = state.exit.map(|exit| (exit, self.through(next, with)));
                    let with = with.map(|with| (with, self.enters(next)));
                    for (function, behind) in ends.into_iter().chain(with) {
                        self.edges(self.end(function), [behind]);
                    }
                }
                Handler::Defer | Handler::Ignore | Handler::Push(_) => {}
            }
        }
        if let (Some(entry), false) = (state.entry, self.pushes) {
            self.edges(self.end(entry), [waiting]);
        }
    }

    /// Where a function is abandoned that runs in a state.
    fn leave(&mut self, function: FunctionId, state: StateId) {
        let blueprint = self.blueprint;
        for (pc, effects) in blueprint.functions[function].effects().enumerate() {
            let next = match effects.leaves {
                Some(Leave::Raise(Expr::Const(Value::Event(event)))) => self.reacts(state, *event),
                Some(Leave::Raise(_)) => Some(state.index()),
                Some(Leave::Goto(next)) => {
                    if let (Some(exit), false) = (self.body.states[state].exit, self.pushes) {
                        self.edges(self.end(exit), [self.enters(next)]);
                    }
                    self.exits(state, Some(self.enters(next)))
                }
                Some(Leave::Pop) => self.exits(state, None),
                Some(Leave::Discard) | None => None,
            };
            self.edges(self.first(function) + pc, next);
        }
    }

    /// The ways inside of a function; a call leads there and comes back from its end.
    fn code(&mut self, function: FunctionId) {
        let (blueprint, first) = (self.blueprint, self.first(function));
        for (pc, effects) in blueprint.functions[function].effects().enumerate() {
            let ways: Vec<usize> = effects.ways.iter().map(|way| first + way.to as usize).collect();
            let (from, called) = match effects.calls {
                Some(callee) => (self.end(callee), Some(self.first(callee))),
                None => (first + pc, None),
            };
            self.edges(from, ways);
            self.edges(first + pc, called);
        }
    }
}

//! Variables of machines that can still be read.
//!
//! One backward analysis over all code of a body. It does not tell callers apart: behind the end of a
//! function comes whatever comes behind any of its uses. So it finds too much alive, never too little.
//! Where states are pushed, what comes next depends on a stack; then any function of any state may.

use std::collections::BTreeSet;

use qp_base::Map;

use crate::{Blueprint, Body, EventId, Expr, FunctionId, Handler, Instr, Root, StateId, Value};

use super::reach::{named_by, run_by, run_in};
use super::registers::{Bits, changed_root, union};

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
pub(super) fn live_fields(blueprint: &Blueprint, body: &Body) -> LiveFields {
    let mut analysis = Analysis::new(blueprint, body);
    while analysis.round() {}
    analysis.live
}

struct Analysis<'a> {
    blueprint: &'a Blueprint,
    body: &'a Body,
    functions: Vec<FunctionId>,
    /// For each function: the states in which it can run.
    states: Map<FunctionId, Vec<StateId>>,
    pushes: bool,
    live: LiveFields,
}

impl<'a> Analysis<'a> {
    fn new(blueprint: &'a Blueprint, body: &'a Body) -> Self {
        let functions: Vec<FunctionId> = run_by(blueprint, body).into_iter().collect();
        let mut states: Map<FunctionId, Vec<StateId>> = Map::default();
        for (id, state) in body.states.iter_enumerated() {
            for function in run_in(blueprint, state) {
                states.entry(function).or_default().push(id);
            }
        }
        let none = vec![false; body.fields.len()];
        let inside = functions
            .iter()
            .map(|&it| (it, vec![none.clone(); blueprint.functions[it].code.len() + 1]))
            .collect();
        let waiting = vec![none; body.states.len()];
        let mut handlers = body.states.iter().flat_map(|state| &state.handlers);
        let pushes = handlers.any(|it| matches!(it.1, Handler::Push(_)));
        Self { blueprint, body, functions, states, pushes, live: LiveFields { inside, waiting } }
    }

    /// Applies every rule once; whether something was added.
    fn round(&mut self) -> bool {
        let mut changed = false;
        for state in self.body.states.ids() {
            let bits = self.at_rest(state);
            changed |= bits != self.live.waiting[state.index()];
            self.live.waiting[state.index()] = bits;
        }
        for function in self.functions.clone() {
            let code = &self.blueprint.functions[function].code;
            let end = self.behind(function);
            changed |= self.set(function, code.len(), end);
            for (pc, instr) in code.iter().enumerate().rev() {
                let bits = self.before(function, pc, instr);
                changed |= self.set(function, pc, bits);
            }
        }
        changed
    }

    fn set(&mut self, function: FunctionId, pc: usize, bits: Bits) -> bool {
        let place = &mut self.live.inside.get_mut(&function).expect("it is in the table")[pc];
        let changed = *place != bits;
        *place = bits;
        changed
    }

    fn none(&self) -> Bits {
        vec![false; self.body.fields.len()]
    }

    fn at(&self, function: FunctionId, pc: usize) -> Bits {
        self.live.inside[&function][pc].clone()
    }

    fn first(&self, function: FunctionId) -> Bits {
        self.at(function, 0)
    }

    fn any(&self, sets: impl Iterator<Item = Bits>) -> Bits {
        sets.fold(self.none(), |bits, others| union(bits, &others))
    }

    /// What any function that a state names can read.
    fn anywhere(&self) -> Bits {
        self.any(self.body.states.iter().flat_map(named_by).map(|function| self.first(function)))
    }

    /// What can be read when a state waits: by what it does about any event.
    fn at_rest(&self, state: StateId) -> Bits {
        if self.pushes {
            return self.anywhere();
        }
        let handlers = self.body.states[state].handlers.iter();
        let handled = self.any(handlers.map(|it| self.reacts(state, it.0)));
        union(handled, &self.leaves(state, None))
    }

    /// What can be read when a state gets an event.
    fn reacts(&self, state: StateId, event: EventId) -> Bits {
        if self.pushes {
            return self.anywhere();
        }
        let handlers = &self.body.states[state].handlers;
        match handlers.iter().find(|it| it.0 == event).map(|it| it.1) {
            Some(Handler::Defer | Handler::Ignore) => self.live.waiting[state.index()].clone(),
            Some(Handler::Do(function)) => self.first(function),
            Some(Handler::Goto(next, with)) => {
                let behind = with.map_or_else(|| self.enters(next), |with| self.first(with));
                self.leaves(state, Some(behind))
            }
            Some(Handler::Push(_)) | None => self.leaves(state, None),
        }
    }

    /// What can be read when a state is left; behind the exit function comes what its end says.
    fn leaves(&self, state: StateId, behind: Option<Bits>) -> Bits {
        if self.pushes {
            return self.anywhere();
        }
        match self.body.states[state].exit {
            Some(exit) => self.first(exit),
            None => behind.unwrap_or_else(|| self.none()),
        }
    }

    /// What can be read when a state is entered.
    fn enters(&self, state: StateId) -> Bits {
        match self.body.states[state].entry {
            Some(entry) => self.first(entry),
            None => self.live.waiting[state.index()].clone(),
        }
    }

    /// What can be read behind the end of a function: behind every one of its uses.
    fn behind(&self, function: FunctionId) -> Bits {
        if self.pushes {
            return union(self.anywhere(), &self.behind_calls(function));
        }
        let mut bits = self.none();
        let add = |bits: &mut Bits, others: Bits| *bits = union(std::mem::take(bits), &others);
        for (id, state) in self.body.states.iter_enumerated() {
            if state.entry == Some(function) {
                add(&mut bits, self.live.waiting[id.index()].clone());
            }
            if state.exit == Some(function) {
                add(&mut bits, self.behind_exit(id));
            }
            for &(_, handler) in &state.handlers {
                match handler {
                    Handler::Do(it) if it == function => {
                        add(&mut bits, self.live.waiting[id.index()].clone());
                    }
                    Handler::Goto(next, Some(with)) if with == function => {
                        add(&mut bits, self.enters(next));
                    }
                    _ => {}
                }
            }
        }
        union(bits, &self.behind_calls(function))
    }

    /// What can be read when the exit function of a state has ended.
    fn behind_exit(&self, state: StateId) -> Bits {
        let mut targets = BTreeSet::new();
        let mut bits = self.none();
        for &(_, handler) in &self.body.states[state].handlers {
            match handler {
                Handler::Goto(_, Some(with)) => bits = union(bits, &self.first(with)),
                Handler::Goto(next, None) => {
                    targets.insert(next);
                }
                Handler::Defer | Handler::Ignore | Handler::Do(_) | Handler::Push(_) => {}
            }
        }
        for function in run_in(self.blueprint, &self.body.states[state]) {
            for instr in &self.blueprint.functions[function].code {
                if let Instr::Goto { state, .. } = instr {
                    targets.insert(*state);
                }
            }
        }
        union(bits, &self.any(targets.into_iter().map(|target| self.enters(target))))
    }

    fn behind_calls(&self, callee: FunctionId) -> Bits {
        let mut bits = self.none();
        for &function in &self.functions {
            for (pc, instr) in self.blueprint.functions[function].code.iter().enumerate() {
                if matches!(instr, Instr::Call { function, .. } if *function == callee) {
                    bits = union(bits, &self.at(function, pc + 1));
                }
            }
        }
        bits
    }

    /// What can be read before an instruction.
    fn before(&self, function: FunctionId, pc: usize, instr: &Instr) -> Bits {
        let states = || self.states[&function].iter().copied();
        let mut bits = match instr {
            Instr::Jump(target) => self.at(function, *target as usize),
            Instr::Unless(_, target) => {
                union(self.at(function, pc + 1), &self.at(function, *target as usize))
            }
            Instr::Receive(cases) => {
                self.any(cases.iter().map(|case| self.at(function, case.target as usize)))
            }
            Instr::Call { function: callee, .. } => self.first(*callee),
            Instr::Return(_) => self.live.inside[&function].last().cloned().unwrap_or_default(),
            Instr::Raise { event: Expr::Const(Value::Event(event)), .. } => {
                self.any(states().map(|state| self.reacts(state, *event)))
            }
            Instr::Raise { .. } => self.any(states().map(|state| self.at_rest(state))),
            Instr::Goto { state: next, .. } => {
                self.any(states().map(|state| self.leaves(state, Some(self.enters(*next)))))
            }
            Instr::Pop => self.any(states().map(|state| self.leaves(state, None))),
            Instr::Assign { .. }
            | Instr::Insert { .. }
            | Instr::Add { .. }
            | Instr::Remove { .. }
            | Instr::Evaluate(_)
            | Instr::Choose { .. }
            | Instr::New { .. }
            | Instr::Send { .. }
            | Instr::Announce { .. }
            | Instr::Assert { .. }
            | Instr::Assume(_) => self.at(function, pc + 1),
        };
        if let Some((Root::Field(field), whole)) = changed_root(instr) {
            bits[field.index()] = !whole;
        }
        instr.for_each_expr(&mut |expr| {
            if let Expr::Field(field) = expr {
                bits[field.index()] = true;
            }
        });
        bits
    }
}

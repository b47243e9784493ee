//! Relevance, by backward slicing (Weiser, ICSE 1981): what flows where, and what is needed for that reason.

use std::collections::BTreeSet;

use qp_base::{Interner, Set};
use qp_dataflow::{Direction, Graph, reach};

use crate::effects::{Change, Flow, Sink, Source};
use crate::{
    Blueprint, BodyId, Choice, EventId, Expr, FunctionId, Op, Projection, RegisterId, Root, Type,
    Value,
};

use super::needs::{Holder, Slot, holders, slots, type_of};

/// Everything on which something depends; `bodies` says for each function in which bodies it can run.
pub(super) fn needed(blueprint: &Blueprint, bodies: &[Vec<BodyId>]) -> Set<Slot> {
    let mut flow = Dependence { blueprint, bodies, open: Vec::new(), edges: BTreeSet::new() };
    flow.trace();
    flow.close()
}

/// Whether working an expression out can fail.
pub(super) fn can_fail(expr: &Expr) -> bool {
    let mut fails = false;
    expr.for_each(&mut |expr| {
        fails |= match expr {
            Expr::Index { .. } => true,
            Expr::Cast { ty, .. } => *ty != Type::Any,
            Expr::Binary { op: Op::Divide | Op::Remainder, right, .. } => {
                !matches!(**right, Expr::Const(Value::Int(number)) if number != 0)
            }
            _ => false,
        };
    });
    fails
}

/// The graph of what flows where, and what is needed in any case.
struct Dependence<'a> {
    blueprint: &'a Blueprint,
    bodies: &'a [Vec<BodyId>],
    open: Vec<Slot>,
    /// The second flows into the first.
    edges: BTreeSet<(Slot, Slot)>,
}

impl Dependence<'_> {
    fn trace(&mut self) {
        for (id, function) in self.blueprint.functions.iter_enumerated() {
            if !self.bodies[id.index()].is_empty() {
                let flows = function.effects().flat_map(|effects| effects.flows);
                flows.for_each(|flow| self.moved(id, flow));
            }
        }
        for body in &self.blueprint.bodies {
            body.handed().for_each(|(event, function)| self.carried(event, function));
        }
    }

    /// Everything from which something needed can be reached.
    fn close(self) -> Set<Slot> {
        let mut slots: Interner<usize, Slot> = Interner::new();
        let needed: Vec<usize> = self.open.into_iter().map(|slot| slots.intern(slot)).collect();
        let number = |(into, from)| (slots.intern(into), slots.intern(from));
        let edges: Vec<(usize, usize)> = self.edges.into_iter().map(number).collect();
        let mut sources = vec![Vec::new(); slots.len()];
        for (into, from) in edges {
            sources[into].push(from);
        }
        let is_needed = reach(&Graph::new(sources), Direction::Forward, needed);
        slots.values().iter().zip(is_needed).filter(|it| it.1).map(|it| *it.0).collect()
    }

    fn slots(&self, holder: Holder) -> Vec<Slot> {
        slots(self.blueprint, holder)
    }

    /// A payload flows into the parameter of a function that takes it.
    fn carried(&mut self, event: EventId, function: FunctionId) {
        if self.blueprint.functions[function].n_params > 0 {
            let param = Holder::Register(function, RegisterId::from_raw(0));
            self.link(param, Holder::Payload(event));
        }
    }

    /// The second flows into the first: part by part if both have the same number of them.
    fn link(&mut self, into: Holder, from: Holder) {
        let (into, from) = (self.slots(into), self.slots(from));
        self.link_slots(&into, &from);
    }

    fn link_slots(&mut self, into: &[Slot], from: &[Slot]) {
        if into.len() == from.len() {
            self.edges.extend(into.iter().copied().zip(from.iter().copied()));
            return;
        }
        for &into in into {
            self.edges.extend(from.iter().map(|&from| (into, from)));
        }
    }

    /// What an expression reads.
    fn read_by(&self, function: FunctionId, expr: &Expr) -> Vec<Slot> {
        let mut found = Vec::new();
        expr.walk(&mut |expr| {
            if let Expr::Part(of, part) = expr
                && let Some(slots) = self.variable(function, of)
            {
                found.extend(
                    slots
                        .into_iter()
                        .filter(|slots| slots.len() > 1)
                        .filter_map(|slots| slots.get(*part as usize).copied()),
                );
                return self
                    .variable(function, of)
                    .is_some_and(|slots| slots.iter().any(|slots| slots.len() <= 1));
            }
            found.extend(self.variable(function, expr).into_iter().flatten().flatten());
            true
        });
        found
    }

    /// The slots of a variable, once for every body that it may belong to; nothing for another expression.
    fn variable(&self, function: FunctionId, expr: &Expr) -> Option<Vec<Vec<Slot>>> {
        expr.variable().map(|root| self.of_root(function, root))
    }

    fn of_root(&self, function: FunctionId, root: Root) -> Vec<Vec<Slot>> {
        let holders = holders(self.bodies, function, root).into_iter();
        holders.map(|holder| self.slots(holder)).collect()
    }

    /// An expression is needed in any case.
    fn need(&mut self, function: FunctionId, expr: &Expr) {
        let read = self.read_by(function, expr);
        self.open.extend(read);
        self.value(expr);
    }

    /// Events that occur as values may be sent by whoever gets hold of them, with any payload.
    fn value(&mut self, expr: &Expr) {
        expr.for_each(&mut |expr| {
            if let Expr::Const(value) = expr {
                events_in(value, &mut |event| {
                    let slots = slots(self.blueprint, Holder::Payload(event));
                    self.open.extend(slots);
                });
            }
        });
    }

    /// An expression flows into something, and is worked out in any case if that can fail.
    fn flows(&mut self, function: FunctionId, expr: &Expr, into: &[Slot]) {
        self.value(expr);
        let read = self.read_by(function, expr);
        if can_fail(expr) {
            self.open.extend(&read);
        }
        match expr {
            Expr::Tuple(parts) | Expr::Record(_, parts) if parts.len() == into.len() => {
                for (&into, part) in into.iter().zip(parts) {
                    let read = self.read_by(function, part);
                    self.edges.extend(read.into_iter().map(|from| (into, from)));
                }
            }
            Expr::Register(_) | Expr::Field(_) => {
                for from in self.variable(function, expr).unwrap_or_default() {
                    self.link_slots(into, &from);
                }
            }
            _ => {
                for &into in into {
                    self.edges.extend(read.iter().map(|&from| (into, from)));
                }
            }
        }
    }

    /// A value is moved by an instruction.
    fn moved(&mut self, function: FunctionId, flow: Flow<'_>) {
        match (flow.source, flow.sink) {
            (Source::Expr(expr), sink) => self.worked_out(function, expr, sink),
            (Source::Choice(Choice::Of(expr)), _) => self.need(function, expr),
            (Source::Result(from), Sink::Variable { root, .. }) => {
                self.result(function, root, Holder::Result(from));
            }
            (Source::Payload(event), Sink::Variable { root, .. }) => {
                self.result(function, root, Holder::Payload(event));
            }
            (
                Source::Choice(_) | Source::Created(_) | Source::Result(_) | Source::Payload(_),
                _,
            ) => {}
        }
    }

    fn result(&mut self, function: FunctionId, root: Root, from: Holder) {
        for into in holders(self.bodies, function, root) {
            self.link(into, from);
        }
    }

    fn worked_out(&mut self, function: FunctionId, expr: &Expr, sink: Sink<'_>) {
        match sink {
            Sink::Variable { root, path, change } => {
                self.changed(function, (root, path), change, expr);
            }
            Sink::Parameter(callee, register) => {
                let param = self.slots(Holder::Register(callee, register));
                self.flows(function, expr, &param);
            }
            Sink::Result => self.flows(function, expr, &[Slot(Holder::Result(function), 0)]),
            Sink::Mailbox { target, event } => {
                self.need(function, target);
                self.carries(function, event, expr);
            }
            Sink::Specs { event } | Sink::Raised { event } => self.carries(function, event, expr),
            Sink::State(state) => self.entered(function, state, expr),
            Sink::Newborn(_) | Sink::Decision => self.need(function, expr),
            Sink::Nothing => self.flows(function, expr, &[]),
        }
    }

    /// A state is entered with a payload, by an instruction.
    fn entered(&mut self, function: FunctionId, state: crate::StateId, payload: &Expr) {
        self.flows(function, payload, &[]);
        for &body in &self.bodies[function.index()] {
            let states = &self.blueprint.bodies[body].states;
            let entry = states.get(state).and_then(|state| state.entry);
            if let Some(entry) = entry.filter(|&it| self.blueprint.functions[it].n_params > 0) {
                let param = self.slots(Holder::Register(entry, RegisterId::from_raw(0)));
                self.flows(function, payload, &param);
            }
        }
    }

    /// A variable is changed. If that can fail by itself, the variable is needed.
    fn changed(
        &mut self,
        function: FunctionId,
        place: (Root, &[Projection]),
        change: Change,
        value: &Expr,
    ) {
        let (root, path) = place;
        let safe = self.is_safe(function, place, change, value);
        for slots in self.of_root(function, root) {
            let slots = match path.first() {
                Some(Projection::Part(part)) if slots.len() > 1 => vec![slots[*part as usize]],
                _ => slots,
            };
            for step in path {
                if let Projection::Index(index, _) = step {
                    self.flows(function, index, &slots);
                }
            }
            if change == Change::Assign && path.is_empty() {
                self.flows(function, value, &slots);
            } else {
                // What is put inside belongs to every part of it.
                for &slot in &slots {
                    self.flows(function, value, &[slot]);
                }
            }
            if !safe {
                self.open.extend(slots);
            }
        }
    }

    /// Whether a change cannot fail, its expressions aside. What is inserted is safe if its key is.
    fn is_safe(
        &self,
        function: FunctionId,
        (root, path): (Root, &[Projection]),
        change: Change,
        value: &Expr,
    ) -> bool {
        let (last, before) = match path.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, &[][..]),
        };
        let fails = |step: &Projection| match step {
            Projection::Part(_) => false,
            Projection::Index(index, _) => can_fail(index),
        };
        if !before.iter().all(is_part) || path.iter().any(fails) {
            return false;
        }
        let ty = |path| self.type_at(function, root, path);
        match change {
            // Assigning to a key of a map creates it.
            Change::Assign => {
                last.is_none_or(|last| is_part(last) || matches!(ty(before), Some(Type::Map(_))))
            }
            Change::Item => last.is_none_or(is_part),
            // The front and the end of a sequence are always there.
            Change::Key => {
                let fixed = match value {
                    Expr::Size(of) => of.variable() == Some(root),
                    _ => matches!(value, Expr::Const(Value::Int(0))),
                };
                last.is_none() && fixed && matches!(ty(&[]), Some(Type::Seq(_)))
            }
            Change::Remove => {
                last.is_none_or(is_part) && matches!(ty(path), Some(Type::Set(_) | Type::Map(_)))
            }
        }
    }

    /// The type of the value at the end of a way that only leads through tuples.
    fn type_at(&self, function: FunctionId, root: Root, path: &[Projection]) -> Option<&Type> {
        let holder = *holders(self.bodies, function, root).first()?;
        let mut ty = type_of(self.blueprint, holder)?;
        for step in path {
            ty = match (step, ty) {
                (Projection::Part(number), Type::Tuple(types)) => types.get(*number as usize)?,
                (Projection::Part(number), Type::Record(fields)) => {
                    fields.types.get(*number as usize)?
                }
                _ => return None,
            };
        }
        Some(ty)
    }

    /// An event is sent, raised or announced. The payload of an event that is written out flows to those
    /// who handle it, and front ends have checked its type; otherwise it may flow anywhere.
    fn carries(&mut self, function: FunctionId, event: &Expr, payload: &Expr) {
        if let Expr::Const(Value::Event(event)) = event {
            let slots = self.slots(Holder::Payload(*event));
            self.flows(function, payload, &slots);
            if can_fail(payload) {
                self.open.extend(slots);
            }
        } else {
            self.need(function, event);
            self.need(function, payload);
        }
    }
}

fn events_in(value: &Value, found: &mut dyn FnMut(EventId)) {
    if let Value::Event(event) = value {
        found(*event);
    }
    value.inner().for_each(|value| events_in(value, found));
}

fn is_part(step: &Projection) -> bool {
    matches!(step, Projection::Part(_))
}

//! What flows where.

use std::collections::BTreeSet;

use qp_base::Set;

use crate::{
    Blueprint, BodyId, Choice, EventId, Expr, FunctionId, Handler, Instr, Op, Place, Projection,
    RegisterId, Root, Type, Value,
};

use super::needs::{Holder, Slot, holders, slots, type_of};

/// Everything on which something depends; `bodies` says for each function in which bodies it can run.
pub(super) fn needed(blueprint: &Blueprint, bodies: &[Vec<BodyId>]) -> Set<Slot> {
    let mut flow = Flow { blueprint, bodies, open: Vec::new(), edges: BTreeSet::new() };
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
struct Flow<'a> {
    blueprint: &'a Blueprint,
    bodies: &'a [Vec<BodyId>],
    open: Vec<Slot>,
    /// The second flows into the first.
    edges: BTreeSet<(Slot, Slot)>,
}

impl Flow<'_> {
    fn trace(&mut self) {
        for (id, function) in self.blueprint.functions.iter_enumerated() {
            if !self.bodies[id.index()].is_empty() {
                function.code.iter().for_each(|instr| self.instr(id, instr));
            }
        }
        for body in &self.blueprint.bodies {
            for &(event, handler) in body.states.iter().flat_map(|state| &state.handlers) {
                let entry = |state| body.states[state].entry;
                match handler {
                    Handler::Defer | Handler::Ignore => {}
                    Handler::Do(function) => self.carried(event, Some(function)),
                    Handler::Goto(next, with) => {
                        self.carried(event, with);
                        self.carried(event, entry(next));
                    }
                    Handler::Push(next) => self.carried(event, entry(next)),
                }
            }
        }
    }

    /// Everything from which something needed can be reached.
    fn close(mut self) -> Set<Slot> {
        let mut needed = Set::default();
        while let Some(slot) = self.open.pop() {
            if needed.insert(slot) {
                let least = Holder::Field(BodyId::from_raw(0), crate::FieldId::from_raw(0));
                let sources = self.edges.range((slot, Slot(least, 0))..);
                let sources = sources.take_while(|edge| edge.0 == slot);
                self.open.extend(sources.map(|edge| edge.1));
            }
        }
        needed
    }

    fn slots(&self, holder: Holder) -> Vec<Slot> {
        slots(self.blueprint, holder)
    }

    /// A payload flows into the parameter of a function that takes it.
    fn carried(&mut self, event: EventId, function: Option<FunctionId>) {
        let Some(function) = function else { return };
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
        let root = match expr {
            Expr::Register(register) => Root::Register(*register),
            Expr::Field(field) => Root::Field(*field),
            _ => return None,
        };
        Some(self.of_root(function, root))
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

    fn instr(&mut self, function: FunctionId, instr: &Instr) {
        match instr {
            Instr::Assign { place, value } | Instr::Add { place, value } => {
                self.changed(function, place, instr, &[value]);
            }
            Instr::Insert { place, key, value } => {
                self.changed(function, place, instr, &[key, value]);
            }
            Instr::Remove { place, key } => self.changed(function, place, instr, &[key]),
            Instr::Evaluate(expr) => self.flows(function, expr, &[]),
            Instr::Jump(_) | Instr::Pop => {}
            Instr::Unless(expr, _) | Instr::Assume(expr) => self.need(function, expr),
            Instr::Call { function: callee, args, into } => {
                self.called(function, *callee, args, *into);
            }
            Instr::Return(value) => {
                if let Some(value) = value {
                    self.flows(function, value, &[Slot(Holder::Result(function), 0)]);
                }
            }
            Instr::Choose { from, .. } => match from {
                Choice::Of(expr) => self.need(function, expr),
                Choice::Bool | Choice::Any(_) => {}
            },
            Instr::New { arg, .. } => self.need(function, arg),
            Instr::Send { target, event, payload } => {
                self.need(function, target);
                self.carries(function, event, payload);
            }
            Instr::Announce { event, payload } | Instr::Raise { event, payload } => {
                self.carries(function, event, payload);
            }
            Instr::Goto { state, payload } => self.entered(function, *state, payload),
            Instr::Receive(cases) => {
                for case in cases {
                    if let Some(into) = case.into {
                        self.link(Holder::Register(function, into), Holder::Payload(case.event));
                    }
                }
            }
            Instr::Assert { condition, message } => {
                self.need(function, condition);
                if let Some(message) = message {
                    self.need(function, message);
                }
            }
        }
    }

    fn called(
        &mut self,
        function: FunctionId,
        callee: FunctionId,
        args: &[Expr],
        into: Option<RegisterId>,
    ) {
        for (number, arg) in args.iter().enumerate() {
            let param = self.slots(Holder::Register(callee, RegisterId::new(number)));
            self.flows(function, arg, &param);
        }
        if let Some(into) = into {
            self.link(Holder::Register(function, into), Holder::Result(callee));
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
    fn changed(&mut self, function: FunctionId, place: &Place, instr: &Instr, values: &[&Expr]) {
        let safe = self.is_safe(function, place, instr);
        for slots in self.of_root(function, place.root) {
            let slots = match place.path.first() {
                Some(Projection::Part(part)) if slots.len() > 1 => vec![slots[*part as usize]],
                _ => slots,
            };
            for step in &place.path {
                if let Projection::Index(index, _) = step {
                    self.flows(function, index, &slots);
                }
            }
            let whole = matches!(instr, Instr::Assign { .. }) && place.path.is_empty();
            for value in values {
                if whole {
                    self.flows(function, value, &slots);
                } else {
                    // What is put inside belongs to every part of it.
                    for &slot in &slots {
                        self.flows(function, value, &[slot]);
                    }
                }
            }
            if !safe {
                self.open.extend(slots);
            }
        }
    }

    /// Whether a change cannot fail, its expressions aside.
    fn is_safe(&self, function: FunctionId, place: &Place, instr: &Instr) -> bool {
        let (last, before) = match place.path.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, &[][..]),
        };
        let fails = |step: &Projection| match step {
            Projection::Part(_) => false,
            Projection::Index(index, _) => can_fail(index),
        };
        if !before.iter().all(is_part) || place.path.iter().any(fails) {
            return false;
        }
        let ty = |path| self.type_at(function, place.root, path);
        match instr {
            // Assigning to a key of a map creates it.
            Instr::Assign { .. } => {
                last.is_none_or(|last| is_part(last) || matches!(ty(before), Some(Type::Map(_))))
            }
            Instr::Add { .. } => last.is_none_or(is_part),
            // The front and the end of a sequence are always there.
            Instr::Insert { key, .. } => {
                let fixed = is_size_of(key, place) || matches!(key, Expr::Const(Value::Int(0)));
                last.is_none() && fixed && matches!(ty(&[]), Some(Type::Seq(_)))
            }
            Instr::Remove { .. } => {
                last.is_none_or(is_part)
                    && matches!(ty(&place.path), Some(Type::Set(_) | Type::Map(_)))
            }
            _ => false,
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
    match value {
        Value::Event(event) => found(*event),
        Value::Tuple(values) | Value::Record(_, values) => {
            values.iter().for_each(|value| events_in(value, found));
        }
        Value::Seq(values) | Value::Set(values) => {
            values.iter().for_each(|value| events_in(value, found));
        }
        Value::Map(entries) => entries.iter().for_each(|(key, value)| {
            events_in(key, found);
            events_in(value, found);
        }),
        _ => {}
    }
}

fn is_part(step: &Projection) -> bool {
    matches!(step, Projection::Part(_))
}

/// Whether an expression is the size of the variable that a place is.
fn is_size_of(key: &Expr, place: &Place) -> bool {
    let Expr::Size(of) = key else { return false };
    match (&**of, place.root) {
        (Expr::Register(read), Root::Register(changed)) => *read == changed,
        (Expr::Field(read), Root::Field(changed)) => *read == changed,
        _ => false,
    }
}

//! Variables and payloads on which something depends.
//!
//! Something is needed if a condition, an operand of something visible, or an expression that can fail
//! reads it, or if its value flows into something that is needed. Everything else can be left out: no
//! branch is taken, no failure happens and nothing is seen differently without it.

use std::collections::BTreeSet;

use qp_base::Set;

use crate::{
    Blueprint, BodyId, Choice, EventId, Expr, FieldId, FunctionId, Handler, Instr, Op, Place,
    Projection, RegisterId, Root, Type, Value,
};

use super::Reductions;
use super::reach::run_by;
use super::registers::changed_root;

/// Something that has a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Holder {
    Field(BodyId, FieldId),
    Register(FunctionId, RegisterId),
    /// What a function returns.
    Result(FunctionId),
    /// What an event carries.
    Payload(EventId),
}

/// What is needed.
#[derive(Clone, Debug)]
pub(super) struct Needs {
    needed: Set<Holder>,
    /// For each function: the bodies whose code can call it.
    bodies: Vec<Vec<BodyId>>,
}

impl Needs {
    pub(super) fn of(blueprint: &Blueprint) -> Self {
        let mut bodies = vec![Vec::new(); blueprint.functions.len()];
        for (id, body) in blueprint.bodies.iter_enumerated() {
            for function in run_by(blueprint, body) {
                bodies[function.index()].push(id);
            }
        }
        let mut flow =
            Flow { blueprint, bodies: &bodies, open: Vec::new(), edges: BTreeSet::new() };
        flow.trace();
        let needed = flow.close();
        Self { needed, bodies }
    }

    /// Whether the value of a variable of a function or its machine is needed.
    pub(super) fn variable(&self, function: FunctionId, root: Root) -> bool {
        match root {
            Root::Register(register) => self.register(function, register),
            Root::Field(field) => self.bodies[function.index()]
                .iter()
                .any(|&body| self.needed.contains(&Holder::Field(body, field))),
        }
    }

    /// The bodies whose code can call a function.
    pub(super) fn bodies(&self, function: FunctionId) -> &[BodyId] {
        &self.bodies[function.index()]
    }

    pub(super) fn register(&self, function: FunctionId, register: RegisterId) -> bool {
        self.needed.contains(&Holder::Register(function, register))
    }

    pub(super) fn result(&self, function: FunctionId) -> bool {
        self.needed.contains(&Holder::Result(function))
    }

    pub(super) fn payload(&self, event: EventId) -> bool {
        self.needed.contains(&Holder::Payload(event))
    }

    /// Whether a function that takes nothing or the payload needs it.
    pub(super) fn takes(&self, blueprint: &Blueprint, function: FunctionId) -> bool {
        blueprint.functions[function].n_params > 0
            && self.register(function, RegisterId::from_raw(0))
    }

    /// The names of what is assigned, but not needed.
    pub(super) fn left_out(&self, blueprint: &Blueprint) -> Reductions {
        let assigned = self.assigned(blueprint);
        let mut variables = Vec::new();
        for &holder in assigned.iter().filter(|holder| !self.needed.contains(*holder)) {
            let (variable, place) = match holder {
                Holder::Field(body, field) => {
                    let body = &blueprint.bodies[body];
                    (&body.fields[field], format!("of {}", body.name))
                }
                Holder::Register(function, register) => {
                    let function = &blueprint.functions[function];
                    (&function.registers[register], format!("in {}", function.name))
                }
                Holder::Result(_) | Holder::Payload(_) => continue,
            };
            if !variable.name.is_empty() {
                variables.push(format!("{} {place}", variable.name));
            }
        }
        let dropped = |event: &EventId| {
            blueprint.events[*event].payload != Type::Null && !self.payload(*event)
        };
        let payloads = blueprint.events.ids().filter(dropped);
        let payloads = payloads.map(|event| blueprint.events[event].name.clone()).collect();
        Reductions { variables, payloads }
    }

    /// The variables that some instruction changes.
    fn assigned(&self, blueprint: &Blueprint) -> BTreeSet<Holder> {
        let mut found = BTreeSet::new();
        for (id, function) in blueprint.functions.iter_enumerated() {
            for instr in &function.code {
                match changed_root(instr) {
                    Some((Root::Register(register), _)) => {
                        found.insert(Holder::Register(id, register));
                    }
                    Some((Root::Field(field), _)) => {
                        let bodies = self.bodies[id.index()].iter();
                        found.extend(bodies.map(|&body| Holder::Field(body, field)));
                    }
                    None => {}
                }
            }
        }
        found
    }
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
    open: Vec<Holder>,
    /// The second flows into the first.
    edges: BTreeSet<(Holder, Holder)>,
}

impl Flow<'_> {
    fn trace(&mut self) {
        for (id, function) in self.blueprint.functions.iter_enumerated() {
            if !self.bodies[id.index()].is_empty() {
                function.code.iter().for_each(|instr| self.instr(id, instr));
            }
        }
        for body in &self.blueprint.bodies {
            for state in &body.states {
                for &(event, handler) in &state.handlers {
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
    }

    /// Everything from which something needed can be reached against the flow.
    fn close(mut self) -> Set<Holder> {
        let mut needed = Set::default();
        while let Some(holder) = self.open.pop() {
            if needed.insert(holder) {
                let least = Holder::Field(BodyId::from_raw(0), FieldId::from_raw(0));
                let sources = self.edges.range((holder, least)..);
                let sources = sources.take_while(|edge| edge.0 == holder);
                self.open.extend(sources.map(|edge| edge.1));
            }
        }
        needed
    }

    /// A payload flows into the parameter of a function that takes it.
    fn carried(&mut self, event: EventId, function: Option<FunctionId>) {
        let Some(function) = function else { return };
        if self.blueprint.functions[function].n_params > 0 {
            let param = Holder::Register(function, RegisterId::from_raw(0));
            self.edges.insert((param, Holder::Payload(event)));
        }
    }

    fn holders(&self, function: FunctionId, root: Root) -> Vec<Holder> {
        match root {
            Root::Register(register) => vec![Holder::Register(function, register)],
            Root::Field(field) => {
                let bodies = self.bodies[function.index()].iter();
                bodies.map(|&body| Holder::Field(body, field)).collect()
            }
        }
    }

    fn read_by(&self, function: FunctionId, expr: &Expr) -> Vec<Holder> {
        let mut found = Vec::new();
        expr.for_each(&mut |expr| match expr {
            Expr::Register(register) => {
                found.extend(self.holders(function, Root::Register(*register)));
            }
            Expr::Field(field) => found.extend(self.holders(function, Root::Field(*field))),
            _ => {}
        });
        found
    }

    /// An expression is needed in any case, and so are the events in it as values: who knows where they
    /// are sent, and with which payload.
    fn need(&mut self, function: FunctionId, expr: &Expr) {
        let read = self.read_by(function, expr);
        self.open.extend(read);
        self.value(expr);
    }

    /// Events that occur as values may be sent by whoever gets hold of them.
    fn value(&mut self, expr: &Expr) {
        expr.for_each(&mut |expr| {
            if let Expr::Const(value) = expr {
                events_in(value, &mut |event| self.open.push(Holder::Payload(event)));
            }
        });
    }

    /// An expression flows into something, and is worked out in any case if that can fail.
    fn flows(&mut self, function: FunctionId, expr: &Expr, into: &[Holder]) {
        self.value(expr);
        let read = self.read_by(function, expr);
        if can_fail(expr) {
            self.open.extend(&read);
        }
        for &into in into {
            self.edges.extend(read.iter().map(|&from| (into, from)));
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
                for (number, arg) in args.iter().enumerate() {
                    let param = Holder::Register(*callee, RegisterId::new(number));
                    self.flows(function, arg, &[param]);
                }
                if let Some(into) = into {
                    let into = Holder::Register(function, *into);
                    self.edges.insert((into, Holder::Result(*callee)));
                }
            }
            Instr::Return(value) => {
                if let Some(value) = value {
                    self.flows(function, value, &[Holder::Result(function)]);
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
            Instr::Goto { state, payload } => {
                let bodies = self.bodies[function.index()].iter();
                let entries: Vec<FunctionId> = bodies
                    .filter_map(|&body| self.blueprint.bodies[body].states.get(*state)?.entry)
                    .collect();
                let takes = |entry: &FunctionId| self.blueprint.functions[*entry].n_params > 0;
                let param = |entry| Holder::Register(entry, RegisterId::from_raw(0));
                let params: Vec<Holder> = entries.into_iter().filter(takes).map(param).collect();
                self.flows(function, payload, &params);
            }
            Instr::Receive(cases) => {
                for case in cases {
                    if let Some(into) = case.into {
                        let into = Holder::Register(function, into);
                        self.edges.insert((into, Holder::Payload(case.event)));
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

    /// A variable is changed. If that can fail by itself, the variable is needed.
    fn changed(&mut self, function: FunctionId, place: &Place, instr: &Instr, values: &[&Expr]) {
        let holders = self.holders(function, place.root);
        let mut safe = self.is_safe(function, place, instr);
        for step in &place.path {
            if let Projection::Index(index, _) = step {
                safe &= !can_fail(index);
                self.flows(function, index, &holders);
            }
        }
        for value in values {
            self.flows(function, value, &holders);
        }
        if !safe {
            self.open.extend(holders);
        }
    }

    /// Whether a change cannot fail, its expressions aside.
    fn is_safe(&self, function: FunctionId, place: &Place, instr: &Instr) -> bool {
        let (last, before) = match place.path.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, &[][..]),
        };
        if !before.iter().all(is_part) {
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
        let mut ty = match root {
            Root::Register(register) => {
                &self.blueprint.functions[function].registers.get(register)?.ty
            }
            Root::Field(field) => {
                let body = *self.bodies[function.index()].first()?;
                &self.blueprint.bodies[body].fields.get(field)?.ty
            }
        };
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
    /// who handle it; otherwise it may flow anywhere.
    fn carries(&mut self, function: FunctionId, event: &Expr, payload: &Expr) {
        if let Expr::Const(Value::Event(event)) = event {
            if can_fail(payload) {
                self.open.push(Holder::Payload(*event));
            }
            self.flows(function, payload, &[Holder::Payload(*event)]);
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

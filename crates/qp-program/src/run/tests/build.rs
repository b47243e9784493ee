//! Writing blueprints by hand.

use std::sync::Arc;

use qp_base::Span;
use qp_machines::System;

use crate::{
    Actors, Blueprint, Body, BodyId, Choice, Dialect, EventId, EventInfo, Expr, FieldId, Function,
    FunctionId, Handler, Instr, Op, Place, RegisterId, Role, RoleId, Root, Spec, SpecId, State,
    StateId, Temperature, Type, Value, Variable,
};

/// A blueprint under construction.
pub(crate) struct Maker {
    pub(crate) blueprint: Blueprint,
}

impl Maker {
    pub(crate) fn new(dialect: Dialect) -> Self {
        let mut this = Self {
            blueprint: Blueprint {
                language: "test",
                dialect,
                events: Vec::new().into(),
                functions: Vec::new().into(),
                bodies: Vec::new().into(),
                roles: Vec::new().into(),
                specs: Vec::new().into(),
                main: RoleId::from_raw(0),
            },
        };
        this.event("null", Type::Null);
        this.event("halt", Type::Null);
        this
    }

    pub(crate) fn event(&mut self, name: &str, payload: Type) -> EventId {
        let span = Span::default();
        self.blueprint.events.push(EventInfo { name: name.into(), span, payload, cap: None })
    }

    /// A function; its registers are called `x0`, `x1`, and its instructions are on lines of their own.
    pub(crate) fn function(
        &mut self,
        name: &str,
        n_params: usize,
        registers: &[Type],
        code: Vec<Instr>,
    ) -> FunctionId {
        let registers = registers.iter().enumerate();
        let registers = registers.map(|(i, ty)| variable(&format!("x{i}"), ty.clone()));
        let spans = (0..code.len()).map(|i| Span::new(i * 10..i * 10 + 5)).collect();
        self.blueprint.functions.push(Function {
            name: name.into(),
            span: Span::default(),
            n_params,
            registers: registers.collect(),
            code,
            spans,
        })
    }

    /// A function that takes nothing and has no registers.
    pub(crate) fn plain(&mut self, name: &str, code: Vec<Instr>) -> FunctionId {
        self.function(name, 0, &[], code)
    }

    pub(crate) fn body(
        &mut self,
        name: &str,
        fields: &[(&str, Type)],
        states: Vec<State>,
    ) -> BodyId {
        let fields = fields.iter().map(|(name, ty)| variable(name, ty.clone())).collect();
        let start = StateId::from_raw(0);
        self.blueprint.bodies.push(Body { name: name.into(), fields, states: states.into(), start })
    }

    /// A kind of machine; the first one is the main machine. It can create what exists already.
    pub(crate) fn role(
        &mut self,
        name: &str,
        fields: &[(&str, Type)],
        states: Vec<State>,
    ) -> RoleId {
        let body = self.body(name, fields, states);
        self.blueprint.roles.push(Role {
            name: name.into(),
            span: Span::default(),
            body,
            receives: None,
            sends: None,
            links: Vec::new(),
            watchers: Vec::new(),
            cap: None,
        })
    }

    /// A spec that watches the main machine.
    pub(crate) fn spec(
        &mut self,
        name: &str,
        observes: &[EventId],
        fields: &[(&str, Type)],
        states: Vec<State>,
    ) -> SpecId {
        let body = self.body(name, fields, states);
        let observes = observes.to_vec();
        let span = Span::default();
        let spec = self.blueprint.specs.push(Spec { name: name.into(), span, body, observes });
        let main = self.blueprint.main;
        self.blueprint.roles[main].watchers.push(spec);
        spec
    }

    pub(crate) fn system(self) -> System {
        system_of(self.blueprint)
    }
}

/// The system of a blueprint in which everybody may create every role, by its number.
pub(crate) fn system_of(mut blueprint: Blueprint) -> System {
    let links: Vec<Option<RoleId>> = blueprint.roles.ids().map(Some).collect();
    for role in blueprint.roles.ids() {
        if blueprint.roles[role].links.is_empty() {
            blueprint.roles[role].links = links.clone();
        }
    }
    System::new(Box::new(Actors::new(Arc::new(blueprint))))
}

pub(crate) fn variable(name: &str, ty: Type) -> Variable {
    Variable { name: name.into(), span: Span::new(7..9), ty }
}

pub(crate) fn state(name: &str) -> State {
    State {
        name: name.into(),
        span: Span::new(900..905),
        temperature: Temperature::Warm,
        entry: None,
        exit: None,
        handlers: Vec::new(),
    }
}

impl State {
    pub(crate) fn entry(mut self, function: FunctionId) -> Self {
        self.entry = Some(function);
        self
    }
    pub(crate) fn exit(mut self, function: FunctionId) -> Self {
        self.exit = Some(function);
        self
    }
    pub(crate) fn on(mut self, event: EventId, handler: Handler) -> Self {
        self.handlers.push((event, handler));
        self.handlers.sort_by_key(|it| it.0);
        self
    }
}

pub(crate) fn int(number: i64) -> Expr {
    Expr::Const(Value::Int(number))
}
pub(crate) fn truth(it: bool) -> Expr {
    Expr::Const(Value::Bool(it))
}
pub(crate) fn null() -> Expr {
    Expr::Const(Value::Null)
}
pub(crate) fn ev(event: EventId) -> Expr {
    Expr::Const(Value::Event(event))
}
pub(crate) fn reg(number: u32) -> Expr {
    Expr::Register(RegisterId::from_raw(number))
}
pub(crate) fn field(number: u32) -> Expr {
    Expr::Field(FieldId::from_raw(number))
}
pub(crate) fn at_field(number: u32) -> Place {
    Place { root: Root::Field(FieldId::from_raw(number)), path: Vec::new() }
}
pub(crate) fn at_reg(number: u32) -> Place {
    Place { root: Root::Register(RegisterId::from_raw(number)), path: Vec::new() }
}
pub(crate) fn set_field(number: u32, value: Expr) -> Instr {
    Instr::Assign { place: at_field(number), value }
}
pub(crate) fn set_reg(number: u32, value: Expr) -> Instr {
    Instr::Assign { place: at_reg(number), value }
}
pub(crate) fn binary(op: Op, left: Expr, right: Expr) -> Expr {
    Expr::Binary { op, left: left.into(), right: right.into(), span: Span::new(70..75) }
}
pub(crate) fn plus(left: Expr, right: Expr) -> Expr {
    binary(Op::Add, left, right)
}
pub(crate) fn send(target: Expr, event: EventId) -> Instr {
    send_with(target, event, null())
}
pub(crate) fn send_with(target: Expr, event: EventId, payload: Expr) -> Instr {
    Instr::Send { target, event: ev(event), payload }
}
pub(crate) fn new(role: RoleId, arg: Expr, into: u32) -> Instr {
    Instr::New { interface: role.raw(), arg, into: Some(RegisterId::from_raw(into)) }
}
pub(crate) fn raise(event: EventId) -> Instr {
    Instr::Raise { event: ev(event), payload: null() }
}
pub(crate) fn goto(state: u32) -> Instr {
    Instr::Goto { state: StateId::from_raw(state), payload: null() }
}
pub(crate) fn choose(into: u32) -> Instr {
    Instr::Choose { into: RegisterId::from_raw(into), from: Choice::Bool }
}
/// Appends to the sequence in the first field.
pub(crate) fn log(number: i64) -> Instr {
    log_value(int(number))
}
pub(crate) fn log_value(value: Expr) -> Instr {
    Instr::Insert { place: at_field(0), key: Expr::Size(field(0).into()), value }
}
/// Fails with what was logged.
pub(crate) fn tell() -> Instr {
    let texts = vec![String::new(), String::new()];
    let message = Some(Expr::Format(texts, vec![field(0)]));
    Instr::Assert { condition: truth(false), message }
}
/// The first field, for [`log`].
pub(crate) fn logging() -> [(&'static str, Type); 1] {
    [("log", Type::Seq(Arc::new(Type::Int)))]
}

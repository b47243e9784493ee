//! The blueprint of one test case: what it links, and the functions that can be reached from there.

use std::collections::BTreeMap;
use std::sync::Arc;

use qp_base::{Complaints, IndexVec, Span};
use qp_program::{
    Blueprint, Body, BodyId, Cap, Choice, EventInfo, Expr, Function, FunctionId, Handler, Instr,
    Role, RoleId, Spec, SpecId, State, Temperature, Value, Variable,
};

use super::{Context, Flattened};
use crate::ast;
use crate::codes;
use crate::modules::{Linked, LinkedRole};
use crate::options::{Assume, Foreign, Range};
use crate::types::Ty;
use crate::world::{Machine, MachineNo};

/// What decides how a test case is linked.
pub(crate) struct Linking<'l> {
    pub(crate) linked: &'l Linked,
    pub(crate) assume: Assume,
    pub(crate) foreign: Foreign,
    pub(crate) ranges: &'l [Range],
}

/// The blueprint of a program without errors, and what to know about it. `None` after an error.
pub(crate) fn link(
    context: &Context<'_, '_>,
    flattened: &Flattened,
    linking: &Linking<'_>,
    out: &mut Complaints,
) -> Option<(Blueprint, Vec<String>)> {
    let mut linker = Linker {
        context,
        linking,
        bodies: IndexVec::new(),
        body_ids: BTreeMap::new(),
        caveats: Vec::new(),
    };
    let roles = linker.roles()?;
    let specs = linker.specs()?;
    let main = linker.role_id(&linking.linked.main)?;
    let events = linker.events();
    linker.caps();
    let (functions, bodies) = linker.reached(flattened, out)?;
    let blueprint = Blueprint {
        language: "p",
        dialect: context.dialect,
        events,
        functions,
        bodies,
        roles,
        specs,
        main,
    };
    Some((blueprint, linker.caveats))
}

struct Linker<'l, 'w, 't> {
    context: &'l Context<'w, 't>,
    linking: &'l Linking<'l>,
    bodies: IndexVec<BodyId, Body>,
    body_ids: BTreeMap<MachineNo, BodyId>,
    caveats: Vec<String>,
}

impl Linker<'_, '_, '_> {
    fn roles(&mut self) -> Option<IndexVec<RoleId, Role>> {
        self.linking.linked.roles.iter().map(|role| self.role(role)).collect()
    }

    fn role(&mut self, role: &LinkedRole) -> Option<Role> {
        let world = self.context.world;
        let number = *world.machine_ids.get(role.machine.as_str())?;
        let machine = &world.machines[number];
        let interface = world.interface_ids.get(role.interface.as_str());
        let interface = interface.map(|&number| &world.interfaces[number as usize]);
        let restricted = interface.filter(|interface| interface.restricted);
        let links = world
            .interfaces
            .iter()
            .map(|created| role.links.get(created.name).and_then(|name| self.role_id(name)));
        let watchers = role.watchers.iter().filter_map(|name| self.spec_id(name)).collect();
        let links = links.collect();
        Some(Role {
            name: role.interface.clone(),
            span: machine.ast.name.span,
            body: self.body(number)?,
            receives: restricted.map(|interface| interface.permission.events.clone()),
            sends: machine.sends.clone(),
            links,
            watchers,
            cap: machine.ast.cap.as_ref().and_then(|cap| self.cap(cap)),
        })
    }

    fn role_id(&self, name: &str) -> Option<RoleId> {
        let position = self.linking.linked.roles.iter().position(|role| role.interface == name);
        position.map(RoleId::from)
    }

    fn spec_id(&self, name: &str) -> Option<SpecId> {
        self.linking.linked.specs.iter().position(|spec| spec == name).map(SpecId::from)
    }

    fn specs(&mut self) -> Option<IndexVec<SpecId, Spec>> {
        self.linking.linked.specs.iter().map(|name| self.spec(name)).collect()
    }

    fn spec(&mut self, name: &str) -> Option<Spec> {
        let number = *self.context.world.machine_ids.get(name)?;
        let machine = &self.context.world.machines[number];
        Some(Spec {
            name: name.to_owned(),
            span: machine.ast.name.span,
            body: self.body(number)?,
            observes: machine.observes.clone(),
        })
    }

    /// The body of a machine, made when it is first asked for.
    fn body(&mut self, number: MachineNo) -> Option<BodyId> {
        if let Some(&id) = self.body_ids.get(&number) {
            return Some(id);
        }
        let machine = &self.context.world.machines[number];
        let id = self.bodies.push(body(machine)?);
        self.body_ids.insert(number, id);
        Some(id)
    }

    fn events(&self) -> IndexVec<qp_program::EventId, EventInfo> {
        let info = |event: &crate::world::Event<'_>| EventInfo {
            name: event.name.to_owned(),
            span: event.span,
            payload: event.payload.runtime(),
            cap: event.cap.and_then(|cap| self.cap(cap)),
        };
        self.context.world.events.iter().map(info).collect()
    }

    fn cap(&self, cap: &ast::Cap) -> Option<Cap> {
        let stripped = cap.assume && self.linking.assume == Assume::Strip;
        let it = Cap { assume: cap.assume, count: cap.count, span: cap.span };
        (!stripped).then_some(it)
    }

    /// Says what the user's `assume` does to the answer.
    fn caps(&mut self) {
        let world = self.context.world;
        let assumed = |cap: Option<&ast::Cap>| cap.is_some_and(|cap| cap.assume);
        let of_events = world.events.iter().filter(|event| assumed(event.cap)).map(|it| it.name);
        let machines = self.body_ids.keys().map(|&number| world.machines[number].ast);
        let of_machines = machines
            .filter(|machine| assumed(machine.cap.as_ref()))
            .map(|machine| machine.name.text.as_str());
        let names: Vec<String> = of_events.chain(of_machines).map(|it| format!("`{it}`")).collect();
        if names.is_empty() {
            return;
        }
        let names = names.join(", ");
        self.caveats.push(match self.linking.assume {
            Assume::Honour => format!(
                "`assume` is honoured: runs in which queues hold more of {names} are left out"
            ),
            Assume::Strip => format!("`assume` is left out: {names} can fill queues without limit"),
        });
    }

    /// The functions that can be reached, with new numbers.
    fn reached(
        &mut self,
        flattened: &Flattened,
        out: &mut Complaints,
    ) -> Option<(IndexVec<FunctionId, Function>, IndexVec<BodyId, Body>)> {
        let mut numbers: BTreeMap<FunctionId, FunctionId> = BTreeMap::new();
        let mut order: Vec<FunctionId> = Vec::new();
        let mut reach = |id: FunctionId, order: &mut Vec<FunctionId>| {
            *numbers.entry(id).or_insert_with(|| {
                order.push(id);
                FunctionId::new(order.len() - 1)
            })
        };
        let mut bodies = std::mem::take(&mut self.bodies);
        for body in bodies.ids() {
            for state in bodies[body].states.ids() {
                for id in functions_of(&mut bodies[body].states[state]) {
                    *id = reach(*id, &mut order);
                }
            }
        }
        let mut functions = IndexVec::new();
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            next += 1;
            let mut function = flattened.functions[id].clone();
            for instr in &mut function.code {
                if let Instr::Call { function, .. } = instr {
                    *function = reach(*function, &mut order);
                }
            }
            if flattened.facts[id].fixed_order {
                self.caveat(
                    "sets and maps are gone through in one fixed order, that of their values",
                );
            }
            if flattened.facts[id].narrows {
                self.caveat(
                    "a machine that is converted with `to` still takes what it took before",
                );
            }
            if self.context.world.functions[id].body.is_none() {
                self.havoc(id, &mut function, out);
            }
            functions.push(function);
        }
        (!out.has_errors()).then_some((functions, bodies))
    }

    fn caveat(&mut self, text: &str) {
        if !self.caveats.iter().any(|caveat| caveat == text) {
            self.caveats.push(text.to_owned());
        }
    }

    /// A foreign function returns whatever its type has or a number of its range, or is refused.
    fn havoc(&mut self, id: FunctionId, function: &mut Function, out: &mut Complaints) {
        let known = &self.context.world.functions[id];
        let name = &known.name;
        let is_number = matches!(known.returns.bare(), Ty::Int);
        let ty = known.returns.runtime();
        let from = match self.linking.ranges.iter().find(|range| range.function == *name) {
            Some(range) if is_number => {
                self.caveats.push(format!(
                    "the foreign function `{name}` may return {} to {}, and does nothing else",
                    range.first, range.last
                ));
                let numbers = (range.first..=range.last).map(Value::Int).collect();
                Choice::Of(Expr::Const(Value::Seq(Arc::new(numbers))))
            }
            Some(_) => {
                let message = format!("`{name}` returns `{}`, and no number", known.returns);
                let help =
                    "a range is for functions that return `int`; `--foreign havoc` is for others";
                out.error(codes::FOREIGN, message, known.span, help);
                return;
            }
            None if self.linking.foreign == Foreign::Refuse => {
                let message = format!("`{name}` is foreign: what it does is not known");
                let help = if is_number {
                    format!("give it a body, or say what it returns: `--foreign {name}=0..3`")
                } else {
                    "give it a body, or try all values it could return: `--foreign havoc`"
                        .to_owned()
                };
                out.error(codes::FOREIGN, message, known.span, &help);
                return;
            }
            None if !known.returns.is_finite() => {
                let message = format!("`{name}` is foreign and can return any `{}`", known.returns);
                let help = if is_number {
                    format!("say which numbers it may return: `--foreign {name}=0..3`")
                } else {
                    "only values of `bool`, of enums and of tuples of them can all be tried"
                        .to_owned()
                };
                out.error(codes::FOREIGN, message, known.span, &help);
                return;
            }
            None => {
                self.caveats.push(format!(
                    "the foreign function `{name}` may return anything, and does nothing else"
                ));
                Choice::Any(ty.clone())
            }
        };
        if matches!(known.returns.bare(), Ty::Null) {
            return;
        }
        let variable = Variable { name: String::new(), span: known.span, ty };
        let into = function.registers.push(variable);
        function.code.push(Instr::Choose { into, from });
        function.code.push(Instr::Return(Some(Expr::Register(into))));
        function.spans = vec![known.span; function.code.len()];
    }
}

/// The body of a machine; its functions still have their old numbers.
fn body(machine: &Machine<'_>) -> Option<Body> {
    let variable = |name: &str, span: Span, ty: &Ty| Variable {
        name: name.to_owned(),
        span,
        ty: ty.runtime(),
    };
    Some(Body {
        name: machine.ast.name.text.clone(),
        fields: machine.fields.iter().map(|it| variable(it.name, it.span, &it.ty)).collect(),
        states: machine.states.iter().map(state).collect(),
        start: machine.start?,
    })
}

fn state(state: &crate::world::State<'_>) -> State {
    let mut handlers: Vec<_> = state.handlers.iter().map(|it| (it.event, it.handler)).collect();
    handlers.sort_by_key(|handler| handler.0);
    State {
        name: state.ast.name.text.clone(),
        span: state.ast.name.span,
        temperature: match state.ast.temperature {
            Some(ast::Temperature::Hot) => Temperature::Hot,
            Some(ast::Temperature::Cold) => Temperature::Cold,
            None => Temperature::Warm,
        },
        entry: state.entry,
        exit: state.exit,
        handlers,
    }
}

/// The functions of a state, in order.
fn functions_of(state: &mut State) -> impl Iterator<Item = &mut FunctionId> {
    let handlers = state.handlers.iter_mut().filter_map(|(_, handler)| match handler {
        Handler::Do(function) | Handler::Goto(_, Some(function)) => Some(function),
        Handler::Defer | Handler::Ignore | Handler::Goto(_, None) | Handler::Push(_) => None,
    });
    state.entry.iter_mut().chain(state.exit.iter_mut()).chain(handlers)
}

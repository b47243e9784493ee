//! What machines are made of: variables, functions, states, and what states do about events.

use std::collections::BTreeMap;

use qp_base::{Complaints, Diagnostic, IndexVec, Span};
use qp_program::{EventId, FunctionId, Handler, StateId};

use super::gather::{enter, find_event, signature};
use super::{Field, Function, Machine, MachineNo, Reaction, State, World, payload};
use crate::ast::{self, Ident, StateItem};
use crate::codes;
use crate::names::did_you_mean;
use crate::types::Ty;

/// A machine of which only the name is known.
pub(super) fn empty(ast: &ast::Machine) -> Machine<'_> {
    Machine {
        ast,
        fields: IndexVec::new(),
        field_ids: BTreeMap::new(),
        states: IndexVec::new(),
        state_ids: BTreeMap::new(),
        functions: BTreeMap::new(),
        start: None,
        receives: None,
        sends: None,
        observes: Vec::new(),
    }
}

/// Fills in all machines, and what their creators have to hand over.
pub(super) fn fill_all(world: &mut World<'_>, out: &mut Complaints) {
    for number in world.machines.ids() {
        Filling { world: &mut *world, number, out: &mut *out }.fill();
    }
    for machine in &world.machines {
        let interface = world.interface_ids.get(machine.ast.name.text.as_str());
        if let Some(&interface) = interface.filter(|_| !machine.is_spec()) {
            let entry = machine.start.and_then(|start| machine.states[start].entry);
            let param = entry.and_then(|entry| world.functions[entry].params.first());
            let payload = param.map_or(Ty::Null, |param| param.1.clone());
            let payload = if machine.start.is_none() { Ty::Error } else { payload };
            world.interfaces[interface as usize].payload = payload;
        }
    }
    for machine in &world.machines {
        payload::check(world, machine, out);
    }
}

struct Filling<'w, 't, 'o> {
    world: &'w mut World<'t>,
    number: MachineNo,
    out: &'o mut Complaints,
}

impl<'t> Filling<'_, 't, '_> {
    fn fill(&mut self) {
        let ast = self.machine().ast;
        self.fields(ast);
        for function in &ast.functions {
            let id = self.machine().functions[function.name.text.as_str()];
            if self.world.functions[id].span == function.name.span {
                signature(self.world, id, function, self.out);
            }
        }
        self.state_names(ast);
        self.start(ast);
        for state in self.machine().states.ids() {
            self.items(state);
        }
    }

    fn machine(&mut self) -> &mut Machine<'t> {
        &mut self.world.machines[self.number]
    }

    fn fields(&mut self, ast: &'t ast::Machine) {
        let mut taken = BTreeMap::new();
        for var in &ast.vars {
            let ty = self.world.resolve(&var.ty, self.out);
            let name = &var.name;
            if let Some(&(param, _)) = self.world.params.get(name.text.as_str()) {
                self.out.push(hides_param(name, param));
            }
            if enter(&mut taken, name, self.out) {
                let field = Field { name: &name.text, span: name.span, ty };
                let id = self.machine().fields.push(field);
                self.machine().field_ids.insert(&name.text, id);
            }
        }
    }

    fn state_names(&mut self, ast: &'t ast::Machine) {
        let mut taken = BTreeMap::new();
        for state in &ast.states {
            if enter(&mut taken, &state.name, self.out) {
                let it = State { ast: state, entry: None, exit: None, handlers: Vec::new() };
                let id = self.machine().states.push(it);
                self.machine().state_ids.insert(&state.name.text, id);
            }
        }
    }

    fn start(&mut self, ast: &'t ast::Machine) {
        let states = self.world.machines[self.number].states.iter_enumerated();
        let starts = states.map(|it| (it.0, it.1.ast)).filter(|it| it.1.start);
        let starts: Vec<_> = starts.map(|(id, state)| (id, &state.name)).collect();
        let first = starts.first().copied();
        let second = starts.get(1).map(|it| it.1);
        let name = &ast.name.text;
        if let (Some((_, first)), Some(second)) = (first, second) {
            let message = format!("`{name}` has two start states");
            self.out.push(
                Diagnostic::error(codes::START, message, second.span)
                    .label("the second one")
                    .also(first.span, "the first one")
                    .help("remove one `start`"),
            );
        } else if first.is_none() {
            let message = format!("`{name}` has no start state");
            let help = "mark the state that it begins in: `start state ...`";
            self.out.error(codes::START, message, ast.name.span, help);
        }
        self.machine().start = first.map(|it| it.0);
    }

    fn items(&mut self, state: StateId) {
        let ast = self.machine().states[state].ast;
        for item in &ast.items {
            match item {
                StateItem::Entry { handler, span } => self.passage(state, handler, *span, false),
                StateItem::Exit { handler, span } => self.passage(state, handler, *span, true),
                StateItem::Defer(events) => self.defer(state, events),
                StateItem::Ignore(events) => self.react(state, events, Handler::Ignore),
                StateItem::Do { events, handler } => {
                    let name = on(events, &ast.name);
                    if let Some(function) = self.handler(handler, name, events) {
                        self.react(state, events, Handler::Do(function));
                    }
                }
                StateItem::Goto { events, state: target, with } => {
                    let name = on(events, &ast.name);
                    let with = with.as_ref().map(|with| self.handler(with, name, events));
                    let target = self.state(target);
                    if let (Some(target), true) = (target, with != Some(None)) {
                        let with = with.flatten();
                        self.used_between(with, events);
                        self.react(state, events, Handler::Goto(target, with));
                    }
                }
                StateItem::Push { events, state: target } => {
                    self.no_push_in_spec(target.span);
                    if let Some(target) = self.state(target) {
                        self.react(state, events, Handler::Push(target));
                    }
                }
            }
        }
    }

    /// What runs when a state is entered, or when it is left.
    fn passage(&mut self, state: StateId, handler: &'t ast::Handler, span: Span, leaves: bool) {
        let name = &self.machine().states[state].ast.name;
        let (word, what, most) = if leaves {
            ("exit", "an exit function", 0)
        } else {
            ("entry", "an entry function", 1)
        };
        let function = self.function_of(handler, format!("{word} of {}", name.text), span);
        let State { entry, exit, .. } = self.machine().states[state];
        if let Some(first) = if leaves { exit } else { entry } {
            let first = self.world.functions[first].span;
            self.out.push(twice_in_state(what, name, span, first));
            return;
        }
        let Some(function) = function else { return };
        self.at_most(function, most, span);
        if leaves {
            self.world.functions[function].exit_of.get_or_insert(span);
            self.machine().states[state].exit = Some(function);
        } else {
            self.machine().states[state].entry = Some(function);
        }
    }

    fn defer(&mut self, state: StateId, events: &'t [Ident]) {
        let spec = self.machine().ast;
        if self.machine().is_spec() {
            for event in events {
                let message =
                    format!("the spec `{}` cannot defer `{}`", spec.name.text, event.text);
                let help = "a spec has no queue: handle the event or ignore it";
                self.out.error(codes::IN_SPEC, message, event.span, help);
            }
        }
        self.react(state, events, Handler::Defer);
    }

    fn no_push_in_spec(&mut self, span: Span) {
        if self.machine().is_spec() {
            let message =
                format!("the spec `{}` cannot push a state", self.machine().ast.name.text);
            let help = "use `goto` instead";
            self.out.error(codes::IN_SPEC, message, span, help);
        }
    }

    fn used_between(&mut self, with: Option<FunctionId>, events: &[Ident]) {
        if let (Some(with), Some(event)) = (with, events.first()) {
            self.world.functions[with].with_of.get_or_insert(event.span);
        }
    }

    /// The function behind `on E do` or `with`, which takes nothing or the payload.
    fn handler(
        &mut self,
        handler: &'t ast::Handler,
        name: String,
        events: &[Ident],
    ) -> Option<FunctionId> {
        let span = events.iter().map(|event| event.span).reduce(Span::to).unwrap_or_default();
        let function = self.function_of(handler, name, span)?;
        self.at_most(function, 1, span);
        Some(function)
    }

    /// The function that a handler names, or a new one for a body of its own.
    fn function_of(
        &mut self,
        handler: &'t ast::Handler,
        name: String,
        span: Span,
    ) -> Option<FunctionId> {
        match handler {
            ast::Handler::Named(ident) => self.named_function(ident),
            ast::Handler::Inline { param, body } => {
                let param = param.as_ref();
                let params = param.map(|it| (&it.name, self.world.resolve(&it.ty, self.out)));
                Some(self.world.functions.push(Function {
                    name,
                    span,
                    params: params.into_iter().collect(),
                    returns: Ty::Null,
                    owner: Some(self.number),
                    body: Some(body),
                    inline: true,
                    exit_of: None,
                    with_of: None,
                }))
            }
        }
    }

    fn named_function(&mut self, name: &Ident) -> Option<FunctionId> {
        let Some(id) = self.world.function(Some(self.number), &name.text) else {
            let names = self.world.function_names(Some(self.number));
            let help = did_you_mean(&name.text, names, "declare it in the machine: `fun ...`");
            let message = format!("there is no function `{}`", name.text);
            self.out.error(codes::UNDECLARED, message, name.span, help);
            return None;
        };
        let function = &self.world.functions[id];
        if function.owner.is_none() || function.body.is_none() {
            let what = if function.body.is_none() { "foreign" } else { "global" };
            let message = format!("the {what} function `{}` cannot be a handler", name.text);
            self.out.push(
                Diagnostic::error(codes::HANDLER_FUNCTION, message, name.span)
                    .also(function.span, "declared here")
                    .help("declare it in the machine, or call it from `{ ... }`"),
            );
            return None;
        }
        Some(id)
    }

    fn at_most(&mut self, function: FunctionId, most: usize, span: Span) {
        let function = &self.world.functions[function];
        if function.params.len() <= most {
            return;
        }
        let given = function.params.len();
        let (message, help) = if most == 0 {
            let message =
                format!("an exit function takes no parameter, `{}` takes {given}", function.name);
            (message, "there is nothing to hand over when a state is left")
        } else {
            let message =
                format!("a handler takes at most one parameter, `{}` takes {given}", function.name);
            (message, "take the payload as one tuple")
        };
        let mut diagnostic = Diagnostic::error(codes::HANDLER_PARAMETERS, message, span).help(help);
        if !function.inline {
            diagnostic = diagnostic.also(function.span, "declared here");
        }
        self.out.push(diagnostic);
    }

    fn state(&mut self, name: &Ident) -> Option<StateId> {
        let machine = self.machine();
        let found = machine.state_ids.get(name.text.as_str()).copied();
        if found.is_none() {
            let diagnostic = no_state(machine, name);
            self.out.push(diagnostic);
        }
        found
    }

    /// Records what the state does about each of the events.
    fn react(&mut self, state: StateId, events: &'t [Ident], handler: Handler) {
        for name in events {
            let Some(event) = find_event(self.world, name, self.out) else { continue };
            let machine = &self.world.machines[self.number];
            let handlers = &machine.states[state].handlers;
            if let Some(first) = handlers.iter().find(|it| it.event == event) {
                let what = format!("a handler for `{}`", name.text);
                let state = &machine.states[state].ast.name;
                self.out.push(twice_in_state(&what, state, name.span, first.span));
                continue;
            }
            self.watch_only_observed(event, name);
            let reaction = Reaction { event, span: name.span, handler };
            self.machine().states[state].handlers.push(reaction);
        }
    }

    fn watch_only_observed(&mut self, event: EventId, name: &Ident) {
        let machine = &self.world.machines[self.number];
        if !machine.is_spec() {
            return;
        }
        let spec = &machine.ast.name.text;
        if event == EventId::NULL {
            let message = format!("the spec `{spec}` cannot handle `null`");
            let help = "a spec only moves when it sees an event";
            self.out.error(codes::IN_SPEC, message, name.span, help);
        } else if !machine.observes.contains(&event) {
            let message = format!("`{spec}` does not observe `{}`", name.text);
            self.out.push(
                Diagnostic::warning(codes::NOT_OBSERVED, message, name.span)
                    .label("only `raise` leads here")
                    .help(format!("add it: `spec {spec} observes ..., {}`", name.text)),
            );
        }
    }
}

/// Says that a machine has no such state.
pub(crate) fn no_state(machine: &Machine<'_>, name: &Ident) -> Diagnostic {
    let message = format!("`{}` has no state `{}`", machine.ast.name.text, name.text);
    let help = did_you_mean(
        &name.text,
        machine.state_ids.keys().copied(),
        format!("declare it: `state {} {{ ... }}`", name.text),
    );
    Diagnostic::error(codes::UNDECLARED, message, name.span).help(help)
}

/// Says that a variable has the name of a parameter of the test.
pub(crate) fn hides_param(name: &Ident, param: Span) -> Diagnostic {
    let message = format!("`{}` is a `param` of the program", name.text);
    Diagnostic::error(codes::PARAMETER, message, name.span)
        .also(param, "declared here")
        .help("give the variable another name")
}

fn twice_in_state(what: &str, state: &Ident, span: Span, first: Span) -> Diagnostic {
    let message = format!("the state `{}` has {what} already", state.text);
    Diagnostic::error(codes::HANDLED_TWICE, message, span)
        .label("the second one")
        .also(first, "the first one")
        .help("remove one of the two")
}

fn on(events: &[Ident], state: &Ident) -> String {
    let events: Vec<&str> = events.iter().map(|event| event.text.as_str()).collect();
    format!("on {} in {}", events.join(", "), state.text)
}

//! The names of all declarations, and everything about them that does not need the body of a function.

use std::collections::BTreeMap;
use std::sync::Arc;

use qp_base::{Complaints, Diagnostic, Span};
use qp_program::{Enum, EventId, FunctionId};

use super::{Event, Function, Interface, MachineNo, TypeName, World, machine};
use crate::ast::{Decl, File, Ident, Literal, MachineKind};
use crate::codes;
use crate::names::did_you_mean;
use crate::types::{Permission, Ty};

/// Collects all declarations of all files.
pub(crate) fn gather<'t>(files: &'t [File], out: &mut Complaints) -> World<'t> {
    let mut gathering = Gathering { world: World::default(), taken: Taken::default(), out };
    gathering.built_in_events();
    let decls = || files.iter().flat_map(|file| &file.decls);
    for decl in decls() {
        gathering.name(decl);
    }
    for decl in decls() {
        gathering.event_lists(decl);
    }
    gathering.machine_types();
    for decl in decls() {
        gathering.typed(decl);
    }
    let mut world = gathering.world;
    machine::fill_all(&mut world, out);
    world
}

/// Says that a name is declared a second time.
pub(crate) fn declared_twice(name: &Ident, first: Span) -> Diagnostic {
    let message = format!("`{}` is declared twice", name.text);
    let diagnostic = Diagnostic::error(codes::DECLARED_TWICE, message, name.span)
        .help("give one of the two another name");
    if first == Span::default() {
        return diagnostic.label("this name is built in");
    }
    diagnostic.label("declared again").also(first, "declared first")
}

/// Enters a name, or says that it is there already.
pub(super) fn enter<'t>(
    table: &mut BTreeMap<&'t str, Span>,
    name: &'t Ident,
    out: &mut Complaints,
) -> bool {
    if let Some(&first) = table.get(name.text.as_str()) {
        out.push(declared_twice(name, first));
        return false;
    }
    table.insert(&name.text, name.span);
    true
}

struct Gathering<'t, 'o> {
    world: World<'t>,
    taken: Taken<'t>,
    out: &'o mut Complaints,
}

/// Where each name is declared, by what must not have the same name.
#[derive(Default)]
struct Taken<'t> {
    types: BTreeMap<&'t str, Span>,
    values: BTreeMap<&'t str, Span>,
    event_sets: BTreeMap<&'t str, Span>,
    functions: BTreeMap<&'t str, Span>,
    params: BTreeMap<&'t str, Span>,
}

impl<'t> Gathering<'t, '_> {
    fn built_in_events(&mut self) {
        for name in ["null", "halt"] {
            self.taken.values.insert(name, Span::default());
            self.add_event(Event { name, span: Span::default(), payload: Ty::Null, cap: None });
        }
    }

    fn add_event(&mut self, event: Event<'t>) {
        let name = event.name;
        let id = self.world.events.push(event);
        self.world.event_ids.insert(name, id);
    }

    /// The name of a declaration, and what it needs no other name for.
    fn name(&mut self, decl: &'t Decl) {
        match decl {
            Decl::Type { name, ty } => {
                if enter(&mut self.taken.types, name, self.out) {
                    let foreign = || TypeName::Known(Ty::Foreign(name.text.as_str().into()));
                    let it = ty.as_ref().map_or_else(foreign, |ty| TypeName::Written(name, ty));
                    self.world.types.insert(&name.text, it);
                }
            }
            Decl::Enum { name, elements } => self.enumeration(name, elements),
            Decl::Event { name, cap, .. } => {
                if enter(&mut self.taken.values, name, self.out) {
                    let (text, span) = (name.text.as_str(), name.span);
                    let cap = cap.as_ref();
                    self.add_event(Event { name: text, span, payload: Ty::Null, cap });
                }
            }
            Decl::EventSet { name, .. } => {
                enter(&mut self.taken.event_sets, name, self.out);
            }
            Decl::Interface { name, arg, .. } => {
                if enter(&mut self.taken.types, name, self.out) {
                    self.add_interface(name, arg.as_ref());
                }
            }
            Decl::Machine(machine) => self.machine_name(machine),
            Decl::Function(function) if function.pure => {
                self.world.pure_functions.insert(&function.name.text);
            }
            Decl::Function(function) => {
                if enter(&mut self.taken.functions, &function.name, self.out) {
                    let id = self.world.functions.push(unresolved(function, None));
                    self.world.global_functions.insert(&function.name.text, id);
                }
            }
            Decl::Param { names, .. } => {
                for name in names {
                    if enter(&mut self.taken.params, name, self.out) {
                        self.world.params.insert(&name.text, (name.span, Ty::Error));
                    }
                }
            }
            Decl::Module { .. } | Decl::Test(_) | Decl::Verifier { .. } => {}
        }
    }

    fn machine_name(&mut self, machine: &'t crate::ast::Machine) {
        if !enter(&mut self.taken.types, &machine.name, self.out) {
            return;
        }
        let name = machine.name.text.as_str();
        if machine.kind == MachineKind::Machine {
            self.add_interface(&machine.name, None);
        } else {
            self.world.types.insert(name, TypeName::Spec);
        }
        let number = self.world.machines.push(machine::empty(machine));
        self.world.machine_ids.insert(name, number);
        let mut taken = BTreeMap::new();
        for function in &machine.functions {
            if enter(&mut taken, &function.name, self.out) {
                let id = self.world.functions.push(unresolved(function, Some(number)));
                self.world.machines[number].functions.insert(&function.name.text, id);
            }
        }
    }

    fn add_interface(&mut self, name: &'t Ident, arg: Option<&'t crate::ast::Type>) {
        let text = name.text.as_str();
        let permission = Arc::new(Permission { name: name.text.clone(), events: Vec::new() });
        self.world.interface_ids.insert(text, self.world.interfaces.len() as u32);
        self.world.interfaces.push(Interface {
            name: text,
            payload: Ty::Null,
            permission,
            restricted: false,
            arg,
        });
    }

    fn enumeration(&mut self, name: &'t Ident, elements: &'t [(Ident, Option<Literal>)]) {
        let known = enter(&mut self.taken.types, name, self.out);
        let mut numbered: Vec<(&Ident, i64)> = Vec::new();
        for (position, (element, number)) in (0..).zip(elements) {
            let number = number.as_ref().map_or(position, |literal| literal.value);
            if let Some(first) = numbered.iter().find(|it| it.1 == number) {
                let message =
                    format!("`{}` and `{}` are both {number}", first.0.text, element.text);
                self.out.push(
                    Diagnostic::error(codes::ENUM_NUMBER, message, element.span)
                        .also(first.0.span, "has the number first")
                        .help("give each element a number of its own"),
                );
            } else if enter(&mut self.taken.values, element, self.out) {
                numbered.push((element, number));
            }
        }
        let named = numbered.iter().map(|(element, number)| (element.text.clone(), *number));
        let it = Arc::new(Enum { name: name.text.clone(), elements: named.collect() });
        for (element, number) in numbered {
            self.world.elements.insert(&element.text, (it.clone(), number));
        }
        if known {
            self.world.types.insert(&name.text, TypeName::Known(Ty::Enum(it)));
        }
    }

    /// Lists of events: event sets, and what machines and interfaces receive, send and observe.
    fn event_lists(&mut self, decl: &'t Decl) {
        match decl {
            Decl::EventSet { name, events } => {
                let events = self.events(events);
                let permission = Permission { name: name.text.clone(), events };
                self.world.event_sets.entry(&name.text).or_insert(Arc::new(permission));
            }
            Decl::Interface { name, receives, .. } => {
                let events = receives.as_ref().map(|events| self.events(events));
                self.permit(&name.text, events);
            }
            Decl::Machine(machine) => {
                let receives = machine.receives.as_ref().map(|events| self.events(events));
                let sends = machine.sends.as_ref().map(|events| self.events(events));
                let observes = self.events(&machine.observes);
                if machine.kind == MachineKind::Machine {
                    self.permit(&machine.name.text, receives.clone());
                }
                if let Some(number) = self.declared_here(machine) {
                    let it = &mut self.world.machines[number];
                    (it.receives, it.sends, it.observes) = (receives, sends, observes);
                }
            }
            _ => {}
        }
    }

    /// The number of a machine, unless another one has taken its name.
    fn declared_here(&self, machine: &crate::ast::Machine) -> Option<MachineNo> {
        let number = *self.world.machine_ids.get(machine.name.text.as_str())?;
        std::ptr::eq(self.world.machines[number].ast, machine).then_some(number)
    }

    /// What may be sent to the machine or interface: everything, unless it says so.
    fn permit(&mut self, name: &str, events: Option<Vec<EventId>>) {
        let restricted = events.is_some();
        let everything = || self.world.events.ids().filter(|&id| id != EventId::NULL).collect();
        let events = events.unwrap_or_else(everything);
        if let Some(&number) = self.world.interface_ids.get(name) {
            let permission = Permission { name: name.to_owned(), events };
            let interface = &mut self.world.interfaces[number as usize];
            (interface.permission, interface.restricted) = (Arc::new(permission), restricted);
        }
    }

    /// The events of a list; sorted, without repetition.
    fn events(&mut self, names: &'t [Ident]) -> Vec<EventId> {
        let found = names.iter().filter_map(|name| find_event(&self.world, name, self.out));
        let mut events: Vec<EventId> = found.collect();
        events.sort_unstable();
        events.dedup();
        events
    }

    /// Machines and interfaces as types.
    fn machine_types(&mut self) {
        for interface in &self.world.interfaces {
            let ty = Ty::Permission(interface.permission.clone());
            self.world.types.entry(interface.name).or_insert(TypeName::Known(ty));
        }
    }

    /// The types in declarations other than machines.
    fn typed(&mut self, decl: &'t Decl) {
        match decl {
            Decl::Type { name, .. } => {
                self.world.named_type(&name.text, name.span, self.out);
            }
            Decl::Event { name, payload, .. } => {
                let payload = self.world.optional_type(payload.as_ref(), self.out);
                let id = self.world.event_ids.get(name.text.as_str()).copied();
                if let Some(id) = id.filter(|&id| self.world.events[id].span == name.span) {
                    self.world.events[id].payload = payload;
                }
            }
            Decl::Interface { name, .. } => {
                let number = self.world.interface_ids.get(name.text.as_str()).copied();
                if let Some(number) = number {
                    let arg = self.world.interfaces[number as usize].arg;
                    let payload = self.world.optional_type(arg, self.out);
                    self.world.interfaces[number as usize].payload = payload;
                }
            }
            Decl::Function(function) if !function.pure => {
                let id = self.world.global_functions[function.name.text.as_str()];
                if self.world.functions[id].span == function.name.span {
                    signature(&mut self.world, id, function, self.out);
                }
            }
            Decl::Param { names, ty } => {
                let ty = self.world.resolve(ty, self.out);
                for name in names {
                    let param = self.world.params.get_mut(name.text.as_str());
                    if let Some(param) = param.filter(|param| param.0 == name.span) {
                        param.1 = ty.clone();
                    }
                }
            }
            _ => {}
        }
    }
}

/// A function whose types are not known so far.
fn unresolved(function: &crate::ast::Function, owner: Option<MachineNo>) -> Function<'_> {
    Function {
        name: function.name.text.clone(),
        span: function.name.span,
        params: Vec::new(),
        returns: Ty::Error,
        owner,
        body: function.body.as_ref(),
        inline: false,
        exit_of: None,
        with_of: None,
    }
}

/// Resolves the types of a function's parameters and of its value.
pub(super) fn signature<'t>(
    world: &mut World<'t>,
    id: FunctionId,
    function: &'t crate::ast::Function,
    out: &mut Complaints,
) {
    let params: Vec<_> =
        function.params.iter().map(|param| (&param.name, world.resolve(&param.ty, out))).collect();
    let returns = world.optional_type(function.returns.as_ref(), out);
    let it = &mut world.functions[id];
    (it.params, it.returns) = (params, returns);
}

/// The event of this name, or an error.
pub(crate) fn find_event(world: &World<'_>, name: &Ident, out: &mut Complaints) -> Option<EventId> {
    let found = world.event_ids.get(name.text.as_str()).copied();
    if found.is_none() {
        let help = did_you_mean(
            &name.text,
            world.event_ids.keys().copied(),
            format!("declare it: `event {};`", name.text),
        );
        let message = format!("there is no event `{}`", name.text);
        out.error(codes::UNDECLARED, message, name.span, help);
    }
    found
}

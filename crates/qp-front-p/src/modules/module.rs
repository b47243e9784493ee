//! What a module expression stands for.

use std::collections::BTreeMap;

use qp_base::{Complaints, Diagnostic, Span};

use crate::ast::{Binding, Ident, Machine, ModuleExpr, ModuleKind};
use crate::codes;
use crate::names::quoted;

use super::event_sets::Events;
use super::index::{Index, unknown};

/// How deep modules may name each other.
const DEPTH_MAX: usize = 200;

/// An interface with the machine that stands behind it.
#[derive(Clone)]
pub(crate) struct Role<'d> {
    pub(crate) interface: &'d str,
    pub(crate) machine: &'d str,
    /// From the interface named after `new` to the one that is created.
    pub(crate) links: BTreeMap<&'d str, &'d str>,
}

/// A module.
#[derive(Clone, Default)]
pub(crate) struct Module<'d> {
    pub(crate) roles: Vec<Role<'d>>,
    /// Each attached spec with the interfaces that it watches.
    pub(crate) watched: BTreeMap<&'d str, Vec<&'d str>>,
    /// What `main M in` says.
    pub(crate) main: Option<&'d Ident>,
    /// Events that concern nobody outside.
    pub(crate) hidden: Events<'d>,
}

/// Works out modules.
pub(crate) struct Evaluator<'i, 'd> {
    pub(super) index: &'i Index<'d>,
    pub(super) complaints: &'i mut Complaints,
    /// Named modules that were worked out, `None` for broken ones.
    known: BTreeMap<&'d str, Option<Module<'d>>>,
    /// Named modules that are being worked out.
    open: Vec<&'d str>,
}

impl<'i, 'd> Evaluator<'i, 'd> {
    pub(crate) fn new(index: &'i Index<'d>, complaints: &'i mut Complaints) -> Self {
        Self { index, complaints, known: BTreeMap::new(), open: Vec::new() }
    }

    /// The module, unless something is wrong with it.
    pub(crate) fn module(&mut self, expr: &'d ModuleExpr) -> Option<Module<'d>> {
        match &expr.kind {
            ModuleKind::Bindings(bindings) => self.bindings(bindings),
            ModuleKind::Named(name) => self.named(name, expr.span),
            ModuleKind::Union(parts) => self.together(parts, false),
            ModuleKind::Compose(parts) => self.together(parts, true),
            ModuleKind::HideEvents(events, of) => self.hide_events(events, of, expr.span),
            ModuleKind::HideInterfaces(interfaces, of) => self.hide_interfaces(interfaces, of),
            ModuleKind::Assert(specs, of) => self.attach(specs, of),
            ModuleKind::Rename { old, new, of } => self.rename(old, new, of),
            ModuleKind::Main(main, of) => {
                let module = self.module(of)?;
                Some(Module { main: Some(main), ..module })
            }
        }
    }

    fn bindings(&mut self, bindings: &'d [Binding]) -> Option<Module<'d>> {
        let mut module = Module::default();
        let mut places: BTreeMap<&str, Span> = BTreeMap::new();
        let mut broken = false;
        for binding in bindings {
            let interface = binding.interface.as_ref().unwrap_or(&binding.machine);
            if let Some(&first) = places.get(interface.text.as_str()) {
                let message = format!("{} is bound twice", quoted(&interface.text));
                self.complaints.push(
                    Diagnostic::error(codes::BOUND_TWICE, message, interface.span)
                        .also(first, "bound here first")
                        .help("bind every interface to one machine"),
                );
                broken = true;
                continue;
            }
            places.insert(&interface.text, interface.span);
            match self.role(binding, interface) {
                Ok(role) => module.roles.push(role),
                Err(error) => {
                    self.complaints.push(error);
                    broken = true;
                }
            }
        }
        (!broken).then_some(module)
    }

    fn role(&self, binding: &'d Binding, interface: &'d Ident) -> Result<Role<'d>, Diagnostic> {
        let machine = self.index.machine(&binding.machine)?;
        self.index.interface(interface)?;
        let receives = self.index.receives(machine);
        let receivable = self.index.receivable(&interface.text);
        if let Some(event) = receivable.iter().find(|event| !receives.contains(*event)) {
            let (name, machine) = (&interface.text, &machine.name.text);
            let message = format!("`{machine}` does not receive `{event}`, but `{name}` does");
            return Err(Diagnostic::error(codes::RECEIVES_LESS, message, interface.span)
                .help(format!("add `{event}` to what `{machine}` receives")));
        }
        let created = self.index.creates(machine).into_keys();
        let links = created.map(|name| (name, name)).collect();
        Ok(Role { interface: &interface.text, machine: &machine.name.text, links })
    }

    fn named(&mut self, name: &'d str, span: Span) -> Option<Module<'d>> {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let Some(&expr) = self.index.modules.get(name) else {
            let name = Ident { text: name.to_owned(), span };
            let candidates = self.index.modules.keys().copied();
            self.complaints.push(unknown("module", &name, candidates));
            return None;
        };
        let circular = self.open.contains(&name);
        if circular || self.open.len() == DEPTH_MAX {
            let message = if circular {
                format!("the module {} is made of itself", quoted(name))
            } else {
                format!("modules name each other more than {DEPTH_MAX} levels deep")
            };
            let help = "write down what the module is made of";
            self.complaints.error(codes::ENDLESS_MODULE, message, span, help);
            return None;
        }
        self.open.push(name);
        let module = self.module(expr);
        self.open.pop();
        self.known.insert(name, module.clone());
        module
    }

    /// What its machines send, without what is hidden.
    pub(super) fn sends(&self, module: &Module<'d>) -> Events<'d> {
        self.all(module, Index::sends)
    }

    /// What its machines receive, without what is hidden.
    pub(super) fn receives(&self, module: &Module<'d>) -> Events<'d> {
        self.all(module, Index::receives)
    }

    /// The events of all machines that are not hidden.
    fn all(
        &self,
        module: &Module<'d>,
        of: impl Fn(&Index<'d>, &'d Machine) -> Events<'d>,
    ) -> Events<'d> {
        let machines = module.roles.iter().filter_map(|role| self.index.any_machine(role.machine));
        let events: Events = machines.flat_map(|machine| of(self.index, machine)).collect();
        &events - &module.hidden
    }
}

/// The complaint that a spec is attached twice.
pub(super) fn attached_twice(spec: &str, span: Span, other: Option<Span>) -> Diagnostic {
    let message = format!("{} is attached twice", quoted(spec));
    let error = Diagnostic::error(codes::WATCHED_TWICE, message, span)
        .help("attach it once, around all modules that it watches");
    match other {
        Some(other) => error.also(other, "and here"),
        None => error,
    }
}

//! The declarations of a program by name.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::Diagnostic;

use crate::ast::{Decl, Function, Ident, Machine, MachineKind, ModuleExpr, Type};
use crate::codes;
use crate::names::{did_you_mean, quoted};

/// What modules and tests refer to. Of several with one name the first counts.
pub(crate) struct Index<'d> {
    /// Machines, specs and scenarios, in the order of the text.
    pub(crate) machines: Vec<&'d Machine>,
    by_name: BTreeMap<&'d str, &'d Machine>,
    /// Declared interfaces with what they receive.
    pub(crate) interfaces: BTreeMap<&'d str, Option<&'d [Ident]>>,
    pub(crate) modules: BTreeMap<&'d str, &'d ModuleExpr>,
    pub(crate) functions: BTreeMap<&'d str, &'d Function>,
    pub(crate) params: BTreeMap<&'d str, &'d Type>,
    pub(crate) events: BTreeSet<&'d str>,
    pub(crate) event_sets: BTreeMap<&'d str, &'d [Ident]>,
}

impl<'d> Index<'d> {
    pub(crate) fn new(decls: &[&'d Decl]) -> Self {
        let mut index = Self {
            machines: Vec::new(),
            by_name: BTreeMap::new(),
            interfaces: BTreeMap::new(),
            modules: BTreeMap::new(),
            functions: BTreeMap::new(),
            params: BTreeMap::new(),
            events: BTreeSet::from(["halt"]),
            event_sets: BTreeMap::new(),
        };
        for decl in decls {
            index.add(decl);
        }
        index
    }

    fn add(&mut self, decl: &'d Decl) {
        match decl {
            Decl::Machine(machine) => {
                self.machines.push(machine);
                self.by_name.entry(&machine.name.text).or_insert(machine);
            }
            Decl::Interface { name, receives, .. } => {
                self.interfaces.entry(&name.text).or_insert(receives.as_deref());
            }
            Decl::Module { name, expr } => {
                self.modules.entry(&name.text).or_insert(expr);
            }
            Decl::Function(function) => {
                self.functions.entry(&function.name.text).or_insert(function);
            }
            Decl::Param { names, ty } => {
                for name in names {
                    self.params.entry(&name.text).or_insert(ty);
                }
            }
            Decl::Event { name, .. } => {
                self.events.insert(&name.text);
            }
            Decl::EventSet { name, events } => {
                self.event_sets.entry(&name.text).or_insert(events);
            }
            Decl::Type { .. } | Decl::Enum { .. } | Decl::Test(_) | Decl::Verifier { .. } => {}
        }
    }

    /// A machine of any kind.
    pub(crate) fn any_machine(&self, name: &str) -> Option<&'d Machine> {
        self.by_name.get(name).copied()
    }

    /// An ordinary machine.
    pub(crate) fn machine(&self, name: &Ident) -> Result<&'d Machine, Diagnostic> {
        match self.any_machine(&name.text) {
            Some(machine) if machine.kind == MachineKind::Machine => Ok(machine),
            Some(machine) => {
                let message = format!("{} is a spec, not a machine", quoted(&name.text));
                Err(Diagnostic::error(codes::WRONG_KIND, message, name.span)
                    .also(machine.name.span, "declared here")
                    .help(format!("attach it with `assert {} in ...`", name.text)))
            }
            None => Err(unknown("machine", name, self.of_kind(|m| m == MachineKind::Machine))),
        }
    }

    /// A spec or a scenario.
    pub(crate) fn spec(&self, name: &Ident) -> Result<&'d Machine, Diagnostic> {
        match self.any_machine(&name.text) {
            Some(machine) if machine.kind != MachineKind::Machine => Ok(machine),
            Some(machine) => {
                let message = format!("{} is a machine, not a spec", quoted(&name.text));
                Err(Diagnostic::error(codes::WRONG_KIND, message, name.span)
                    .also(machine.name.span, "declared here")
                    .help("only specs can be attached with `assert`"))
            }
            None => Err(unknown("spec", name, self.of_kind(|m| m != MachineKind::Machine))),
        }
    }

    /// Whether it is an interface: one that is declared, or that of a machine.
    pub(crate) fn interface(&self, name: &Ident) -> Result<(), Diagnostic> {
        let machine = self.any_machine(&name.text);
        let of_machine = machine.is_some_and(|m| m.kind == MachineKind::Machine);
        if of_machine || self.interfaces.contains_key(name.text.as_str()) {
            return Ok(());
        }
        let machines = self.of_kind(|m| m == MachineKind::Machine);
        Err(unknown("interface", name, self.interfaces.keys().copied().chain(machines)))
    }

    /// Whether it is an event.
    pub(crate) fn event(&self, name: &Ident) -> Result<(), Diagnostic> {
        if self.events.contains(name.text.as_str()) {
            return Ok(());
        }
        Err(unknown("event", name, self.events.iter().copied()))
    }

    fn of_kind(&self, wanted: fn(MachineKind) -> bool) -> impl Iterator<Item = &'d str> {
        let machines = self.machines.iter().filter(move |m| wanted(m.kind));
        machines.map(|m| m.name.text.as_str())
    }
}

/// Something is named that is not there.
pub(crate) fn unknown<'n>(
    what: &str,
    name: &Ident,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    let message = format!("there is no {what} {}", quoted(&name.text));
    let help = did_you_mean(&name.text, candidates, format!("declare it, or name another {what}"));
    Diagnostic::error(codes::UNKNOWN_PART, message, name.span).help(help)
}

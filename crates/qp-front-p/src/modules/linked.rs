//! The program that a test case runs.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::{Complaints, Diagnostic, Span};
use qp_program::Dialect;

use crate::ast::{Decl, Handler, Ident, Machine, MachineKind, ParamValue, StateItem, Test};
use crate::codes;
use crate::names::{did_you_mean, quoted};

use super::cases::Case;
use super::index::Index;
use super::module::{Evaluator, Module, Role};

/// A program without open ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Linked {
    /// The interface of the role that runs first.
    pub(crate) main: String,
    /// Who can be created.
    pub(crate) roles: Vec<LinkedRole>,
    /// The specs that watch somebody, in the order of the text.
    pub(crate) specs: Vec<String>,
    /// The parameters that the test case sets; the others have the default values of their types.
    pub(crate) params: Vec<(String, ParamValue)>,
}

/// A machine under the name by which it is created.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LinkedRole {
    /// The name. No two roles of a program have the same.
    pub(crate) interface: String,
    /// The machine.
    pub(crate) machine: String,
    /// From each interface that the machine names after `new` to the interface of a role.
    pub(crate) links: BTreeMap<String, String>,
    /// The specs that see what it sends, in the order of the text.
    pub(crate) watchers: Vec<String>,
}

/// Links the program of a test case, unless something is wrong with it. The declarations are those that
/// the case was made of. In the dialect of 2018, all specs watch all machines of a program without tests; a
/// test says what it attaches, in either dialect, unless `all_specs` are wanted.
pub(crate) fn link(
    decls: &[&Decl],
    case: &Case,
    (dialect, all_specs): (Dialect, bool),
    complaints: &mut Complaints,
) -> Option<Linked> {
    let index = Index::new(decls);
    let test = case.decl.and_then(|at| match decls.get(at) {
        Some(Decl::Test(test)) => Some(test),
        _ => None,
    });
    if let Some(refines) = test.and_then(|test| test.refines.as_ref()) {
        let message = format!("{} asks for refinement, which is not supported", quoted(&case.name));
        let help = "choose another test, or write the left side as a test";
        complaints.error(codes::REFINEMENT, message, refines.span, help);
        return None;
    }
    let mut module = match test {
        Some(test) => Evaluator::new(&index, complaints).module(&test.module)?,
        None => whole_program(&index),
    };
    if all_specs || dialect == Dialect::Y2018 && test.is_none() {
        let everybody: Vec<_> = module.roles.iter().map(|role| role.interface).collect();
        let specs = index.machines.iter().filter(|m| m.kind == MachineKind::Spec);
        module.watched = specs.map(|m| (m.name.text.as_str(), everybody.clone())).collect();
    }
    let closed = check_closed(&index, &module, test, complaints);
    let main = main_role(&index, &module, test).map_err(|error| complaints.push(error)).ok()?;
    closed.then(|| linked(&index, &module, main, case))
}

/// Every machine under its own name.
fn whole_program<'d>(index: &Index<'d>) -> Module<'d> {
    let machines = index.machines.iter().filter(|m| m.kind == MachineKind::Machine);
    let mut seen = BTreeSet::new();
    let roles = machines.filter(|m| seen.insert(m.name.text.as_str())).map(|machine| Role {
        interface: &machine.name.text,
        machine: &machine.name.text,
        links: index.creates(machine).into_keys().map(|name| (name, name)).collect(),
    });
    Module { roles: roles.collect(), ..Module::default() }
}

/// Whether everything that is created is bound.
fn check_closed(
    index: &Index,
    module: &Module,
    test: Option<&Test>,
    complaints: &mut Complaints,
) -> bool {
    let bound: BTreeSet<_> = module.roles.iter().map(|role| role.interface).collect();
    let mut open = BTreeSet::new();
    for role in &module.roles {
        let places = index.any_machine(role.machine).map(|m| index.creates(m));
        for (named, target) in &role.links {
            if bound.contains(target) || !open.insert(*target) {
                continue;
            }
            let span = places.as_ref().and_then(|p| p.get(named)).copied().unwrap_or_default();
            complaints.push(unbound(index, role, target, span, test, &bound));
        }
    }
    open.is_empty()
}

fn unbound(
    index: &Index,
    role: &Role,
    target: &str,
    span: Span,
    test: Option<&Test>,
    bound: &BTreeSet<&str>,
) -> Diagnostic {
    let machine = role.machine;
    if let Some(spec) = index.any_machine(target).filter(|m| m.kind != MachineKind::Machine) {
        let message = format!("`{machine}` creates `{target}`, which is a spec");
        return Diagnostic::error(codes::UNBOUND, message, span)
            .also(spec.name.span, "declared here")
            .help("specs are attached with `assert` in a test, and never created");
    }
    let name = Ident { text: target.to_owned(), span };
    let (message, otherwise) = match (test, index.interface(&name)) {
        (Some(test), Ok(())) => (
            format!("`{machine}` creates `{target}`, which `{}` does not bind", test.name.text),
            format!("add it to the module of the test: `{{ {machine}, {target} }}`"),
        ),
        (None, Ok(())) => (
            format!("`{machine}` creates `{target}`, but no machine has this name"),
            "bind a machine to the interface in a test".to_owned(),
        ),
        (_, Err(_)) => (
            format!("`{machine}` creates `{target}`, which is not declared"),
            "declare a machine with this name".to_owned(),
        ),
    };
    let help = match index.interface(&name) {
        Ok(()) => otherwise,
        Err(_) => did_you_mean(target, bound.iter().copied(), otherwise),
    };
    let error = Diagnostic::error(codes::UNBOUND, message, span).help(help);
    match test {
        Some(test) => error.also(test.module.span, "the module of the test"),
        None => error,
    }
}

/// The role that runs first.
fn main_role<'m, 'd>(
    index: &Index<'d>,
    module: &'m Module<'d>,
    test: Option<&Test>,
) -> Result<&'m Role<'d>, Diagnostic> {
    let named = test.and_then(|test| test.main.as_ref()).or(module.main);
    let name = named.map_or("Main", |main| main.text.as_str());
    let of_machine = |role: &&Role| role.machine == name;
    // A machine may stand behind several interfaces: its own comes first.
    let own = module.roles.iter().filter(of_machine).find(|role| role.interface == name);
    let Some(role) = own.or_else(|| module.roles.iter().find(of_machine)) else {
        return Err(no_main(named, test));
    };
    let takes = index.any_machine(name).and_then(|machine| argument(index, machine));
    let Some(place) = takes else {
        return Ok(role);
    };
    let message = format!("the main machine `{name}` takes an argument");
    let error = Diagnostic::error(codes::MAIN_TAKES, message, place).help(
        "nobody can give it one: remove the parameter of its first entry, or start another machine",
    );
    Err(named.map_or(error.clone(), |main| error.also(main.span, "runs first")))
}

fn no_main(named: Option<&Ident>, test: Option<&Test>) -> Diagnostic {
    let Some(main) = named else {
        let span = test.map_or(Span::default(), |test| test.name.span);
        let message = "it is not said which machine runs first";
        return Diagnostic::error(codes::NO_MAIN, message, span)
            .help("write `[main = Machine]` after the name");
    };
    let message = format!("{} runs first, but it is not in the module", quoted(&main.text));
    let error = Diagnostic::error(codes::NO_MAIN, message, main.span)
        .help("add it to the module, or name another machine");
    match test {
        Some(test) => error.also(test.module.span, "the module of the test"),
        None => error,
    }
}

/// Where the entry of the first state takes an argument.
fn argument(index: &Index, machine: &Machine) -> Option<Span> {
    let start = machine.states.iter().find(|state| state.start)?;
    start.items.iter().find_map(|item| match item {
        StateItem::Entry { handler: Handler::Inline { param, .. }, .. } => {
            param.as_ref().map(|param| param.name.span)
        }
        StateItem::Entry { handler: Handler::Named(name), .. } => {
            let own = machine.functions.iter().find(|f| f.name.text == name.text);
            let function = own.or_else(|| index.functions.get(name.text.as_str()).copied())?;
            (!function.params.is_empty()).then_some(name.span)
        }
        _ => None,
    })
}

fn linked(index: &Index, module: &Module, main: &Role, case: &Case) -> Linked {
    let specs = index.machines.iter().filter(|m| m.kind == MachineKind::Spec);
    let specs: Vec<&str> = specs
        .map(|m| m.name.text.as_str())
        .filter(|name| module.watched.contains_key(name))
        .collect();
    let watchers = |interface: &str| {
        let watching = specs.iter().filter(|spec| module.watched[*spec].contains(&interface));
        watching.map(|spec| (*spec).to_owned()).collect()
    };
    let owned = |(named, target): (&&str, &&str)| ((*named).to_owned(), (*target).to_owned());
    let roles = module.roles.iter().map(|role| LinkedRole {
        interface: role.interface.to_owned(),
        machine: role.machine.to_owned(),
        links: role.links.iter().map(owned).collect(),
        watchers: watchers(role.interface),
    });
    Linked {
        main: main.interface.to_owned(),
        roles: roles.collect(),
        specs: specs.iter().map(|spec| (*spec).to_owned()).collect(),
        params: case.params.clone(),
    }
}

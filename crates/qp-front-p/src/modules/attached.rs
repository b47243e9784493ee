//! Which specs any test case attaches, and a word about those that none does.

use std::collections::BTreeSet;

use qp_base::Complaints;

use crate::ast::{Decl, MachineKind, ModuleExpr, ModuleKind};
use crate::codes;
use crate::names::quoted;

use super::index::Index;
use super::linked::Linked;

/// Warns of the specs that neither watch this program nor are attached by any test case: nothing that they say
/// is checked. Those that only other test cases attach are left out of this one on purpose.
pub(crate) fn warn_of_idle(decls: &[&Decl], linked: &Linked, complaints: &mut Complaints) {
    let index = Index::new(decls);
    let mut attached = Attached { index: &index, specs: BTreeSet::new(), modules: BTreeSet::new() };
    attached.specs.extend(linked.specs.iter().map(String::as_str));
    let tests = decls.iter().filter_map(|decl| match decl {
        Decl::Test(test) => Some(test),
        _ => None,
    });
    tests.for_each(|test| attached.add(&test.module));
    let specs = index.machines.iter().filter(|m| m.kind == MachineKind::Spec);
    for spec in specs.filter(|m| !attached.specs.contains(m.name.text.as_str())) {
        let name = &spec.name.text;
        let message = format!("the spec {} is not checked: no test case attaches it", quoted(name));
        let help = format!(
            "attach it in a test: `test tcOne [main = M]: assert {name} in {{ M, ... }};`, or try --all-specs"
        );
        complaints.warning(codes::IDLE_SPEC, message, spec.name.span, help);
    }
}

struct Attached<'d> {
    index: &'d Index<'d>,
    specs: BTreeSet<&'d str>,
    /// The named modules that were looked into.
    modules: BTreeSet<&'d str>,
}

impl<'d> Attached<'d> {
    fn add(&mut self, module: &'d ModuleExpr) {
        match &module.kind {
            ModuleKind::Bindings(_) => {}
            ModuleKind::Named(name) => {
                let named = self.index.modules.get(name.as_str()).copied();
                if let Some(named) = named.filter(|_| self.modules.insert(name)) {
                    self.add(named);
                }
            }
            ModuleKind::Union(parts) | ModuleKind::Compose(parts) => {
                for part in parts {
                    self.add(part);
                }
            }
            ModuleKind::Assert(specs, of) => {
                self.specs.extend(specs.iter().map(|spec| spec.text.as_str()));
                self.add(of);
            }
            ModuleKind::HideEvents(_, of)
            | ModuleKind::HideInterfaces(_, of)
            | ModuleKind::Rename { of, .. }
            | ModuleKind::Main(_, of) => self.add(of),
        }
    }
}

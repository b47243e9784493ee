//! Which machines a test case consists of.

use std::collections::BTreeMap;

use crate::ast::{Decl, File, MachineKind, ParamValue};

/// A test case with its modules put together.
#[derive(Clone, Debug)]
pub(crate) struct Linked {
    /// The interface of the first machine.
    pub(crate) main: String,
    pub(crate) roles: Vec<LinkedRole>,
    pub(crate) specs: Vec<String>,
    /// What the test says about the `param` variables.
    pub(crate) params: Vec<(String, ParamValue)>,
}

/// Something that can be created.
#[derive(Clone, Debug)]
pub(crate) struct LinkedRole {
    pub(crate) interface: String,
    pub(crate) machine: String,
    /// For each interface that the machine creates: the interface that is made.
    pub(crate) links: BTreeMap<String, String>,
    pub(crate) watchers: Vec<String>,
}

/// A program without test cases: all machines under their own names, no specs.
pub(crate) fn everything(files: &[File]) -> Option<Linked> {
    let names: Vec<String> = files
        .iter()
        .flat_map(|file| &file.decls)
        .filter_map(|decl| match decl {
            Decl::Machine(machine) if machine.kind == MachineKind::Machine => {
                Some(machine.name.text.clone())
            }
            _ => None,
        })
        .collect();
    let links: BTreeMap<String, String> =
        names.iter().map(|name| (name.clone(), name.clone())).collect();
    let main = names.iter().find(|name| *name == "Main")?.clone();
    let role = |name: &String| LinkedRole {
        interface: name.clone(),
        machine: name.clone(),
        links: links.clone(),
        watchers: Vec::new(),
    };
    Some(Linked {
        main,
        roles: names.iter().map(role).collect(),
        specs: Vec::new(),
        params: Vec::new(),
    })
}

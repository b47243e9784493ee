//! The test cases of a program.

use std::collections::BTreeMap;

use qp_base::{Complaints, Diagnostic, Span};

use crate::ast::{Decl, Ident, MachineKind, ParamValue, Test};
use crate::codes;
use crate::names::quoted;

use super::index::Index;
use super::params::assignments;

/// Something that can be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Case {
    /// Its name, which is that of P: `tcTwo___size_2__fair_true` if there are parameters.
    pub(crate) name: String,
    /// The parameters that it sets.
    pub(crate) params: Vec<(String, ParamValue)>,
    /// Whether it can be run at all: refinement cannot.
    pub(crate) supported: bool,
    /// The test among the declarations, none for a program without tests.
    pub(super) decl: Option<usize>,
}

/// All cases in the order of the text. A program without tests has those of its implementations, and
/// without these one with the name `Main` if there is such a machine.
pub(crate) fn cases(decls: &[&Decl], complaints: &mut Complaints) -> Vec<Case> {
    let index = Index::new(decls);
    check_names(decls, complaints);
    for implementation in [false, true] {
        let tests = decls.iter().enumerate().filter_map(|(at, decl)| match decl {
            Decl::Test(test) if test.implementation == implementation => Some((at, test)),
            _ => None,
        });
        let tests: Vec<_> = tests.collect();
        if !tests.is_empty() {
            let cases = tests.into_iter();
            return cases.flat_map(|(at, test)| of_test(&index, at, test, complaints)).collect();
        }
    }
    let main = index.any_machine("Main").filter(|m| m.kind == MachineKind::Machine);
    let case = main.map(|main| Case {
        name: main.name.text.clone(),
        params: Vec::new(),
        supported: true,
        decl: None,
    });
    case.into_iter().collect()
}

/// One case for each assignment to its parameters.
fn of_test(index: &Index, at: usize, test: &Test, complaints: &mut Complaints) -> Vec<Case> {
    let all = match assignments(index, test) {
        Ok(all) => all,
        Err(error) => {
            complaints.push(error);
            return Vec::new();
        }
    };
    if all.is_empty() {
        let message = format!("{} stands for no test at all", quoted(&test.name.text));
        let help = "no values of its parameters fulfil what it assumes";
        complaints.warning(codes::NO_CASE, message, test.name.span, help);
    }
    let case = |params: Vec<(String, ParamValue)>| Case {
        name: name(&test.name.text, &params),
        params,
        supported: test.refines.is_none(),
        decl: Some(at),
    };
    all.into_iter().map(case).collect()
}

fn name(test: &str, params: &[(String, ParamValue)]) -> String {
    let parts = params.iter().map(|(name, value)| match value {
        ParamValue::Bool(value) => format!("{name}_{value}"),
        ParamValue::Int(value) if *value < 0 => format!("{name}_neg{}", value.unsigned_abs()),
        ParamValue::Int(value) => format!("{name}_{value}"),
    });
    let parts: Vec<_> = parts.collect();
    if parts.is_empty() { test.to_owned() } else { format!("{test}___{}", parts.join("__")) }
}

/// Tests and modules have different names.
fn check_names(decls: &[&Decl], complaints: &mut Complaints) {
    let mut tests: BTreeMap<&str, Span> = BTreeMap::new();
    let mut modules: BTreeMap<&str, Span> = BTreeMap::new();
    for decl in decls {
        let (what, name, seen): (_, &Ident, _) = match decl {
            Decl::Test(test) => ("test", &test.name, &mut tests),
            Decl::Module { name, .. } => ("module", name, &mut modules),
            _ => continue,
        };
        if let Some(&first) = seen.get(name.text.as_str()) {
            let message = format!("there are two {what}s {}", quoted(&name.text));
            complaints.push(
                Diagnostic::error(codes::SAME_NAME, message, name.span)
                    .also(first, "the first one")
                    .help("give one of them another name"),
            );
        } else {
            seen.insert(&name.text, name.span);
        }
    }
}

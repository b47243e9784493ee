//! From texts to a blueprint.

use std::collections::BTreeMap;

use qp_program::Value;

use crate::ast::{Decl, File, MachineKind, ParamValue};
use crate::complaints::Complaints;
use crate::lower::{Context, Linking, flatten, link};
use crate::modules::Linked;
use crate::options::{Options, Reading};
use crate::parser::parse;
use crate::{dialect, modules, world};

/// Reads a program of one or more files. `text` is all of them, one after the other, and `starts` says
/// where each begins.
pub fn read(text: &str, starts: &[u32], options: &Options) -> Reading {
    let mut out = Complaints::new();
    let files = parse_all(text, starts, &mut out);
    let dialect = dialect::choose(text, &files, options.dialect, &mut out);
    let mut reading = Reading {
        blueprint: None,
        diagnostics: Vec::new(),
        tests: Vec::new(),
        test: None,
        dialect,
        dialect_forced: options.dialect.is_some(),
        caveats: Vec::new(),
    };
    let linked = modules::everything(&files);
    let world = world::gather(&files, &mut out);
    let params = linked.as_ref().map(params).unwrap_or_default();
    let context = Context { world: &world, dialect, params };
    let flattened = flatten(&context, &mut out);
    if let Some(linked) = linked.filter(|_| !out.has_errors()) {
        let linking = Linking { linked: &linked, assume: options.assume, foreign: options.foreign };
        if let Some((blueprint, caveats)) = link(&context, &flattened, &linking, &mut out) {
            reading.blueprint = Some(blueprint);
            reading.caveats = caveats;
            reading.caveats.extend(ignored(&files));
        }
    }
    reading.diagnostics = out.finish();
    reading
}

fn parse_all(text: &str, starts: &[u32], out: &mut Complaints) -> Vec<File> {
    let ends = starts.iter().skip(1).copied().chain([text.len() as u32]);
    let files = starts.iter().zip(ends);
    files
        .filter_map(|(&start, end)| {
            let part = text.get(start as usize..end as usize)?;
            Some(parse(part, start, out))
        })
        .collect()
}

/// The values of the `param` variables.
fn params(linked: &Linked) -> BTreeMap<String, Value> {
    let value = |value: &ParamValue| match value {
        ParamValue::Bool(it) => Value::Bool(*it),
        ParamValue::Int(it) => Value::Int(*it),
    };
    linked.params.iter().map(|(name, it)| (name.clone(), value(it))).collect()
}

/// What the program has that does not take part.
fn ignored(files: &[File]) -> Vec<String> {
    let decls = || files.iter().flat_map(|file| &file.decls);
    let mut caveats = Vec::new();
    if decls().any(|decl| matches!(decl, Decl::Verifier { .. })) {
        caveats.push("declarations for P's deductive verifier are left out".to_owned());
    }
    for decl in decls() {
        if let Decl::Machine(machine) = decl
            && machine.kind == MachineKind::Scenario
        {
            let name = &machine.name.text;
            caveats.push(format!("the scenario `{name}` only measures coverage and is left out"));
        }
    }
    caveats
}

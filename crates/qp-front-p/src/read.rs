//! From texts to a blueprint.

use std::collections::BTreeMap;

use qp_base::{Diagnostic, Span};
use qp_program::{Dialect, Value};

use crate::ast::{Decl, File, MachineKind, ParamValue};
use crate::complaints::Complaints;
use crate::lower::{Context, Linking, flatten, link};
use crate::modules::{Case, Linked};
use crate::names::{did_you_mean, quoted};
use crate::options::{Options, Reading};
use crate::parser::parse;
use crate::{codes, dialect, modules, world};

/// Reads a program of one or more files. `text` is all of them, one after the other, and `starts` says
/// where each begins.
pub fn read(text: &str, starts: &[u32], options: &Options) -> Reading {
    let mut out = Complaints::new();
    let files = parse_all(text, starts, &mut out);
    let decls: Vec<&Decl> = files.iter().flat_map(|file| &file.decls).collect();
    let dialect = dialect::choose(text, &files, options.dialect, &mut out);
    let cases = modules::cases(&decls, &mut out);
    let mut reading = Reading {
        blueprint: None,
        diagnostics: Vec::new(),
        tests: cases.iter().map(|case| case.name.clone()).collect(),
        test: None,
        dialect,
        dialect_forced: options.dialect.is_some(),
        caveats: Vec::new(),
    };
    let case = chosen(&cases, options.test.as_deref(), &mut out);
    let linked = case.and_then(|case| {
        let attach_all_specs = dialect == Dialect::Y2018;
        modules::link(&decls, case, attach_all_specs, &mut out)
    });
    let world = world::gather(&files, &mut out);
    let params = linked.as_ref().map(params).unwrap_or_default();
    let context = Context { world: &world, dialect, params };
    let flattened = flatten(&context, &mut out);
    if let Some(linked) = linked.filter(|_| !out.has_errors()) {
        let linking = Linking { linked: &linked, assume: options.assume, foreign: options.foreign };
        if let Some((blueprint, caveats)) = link(&context, &flattened, &linking, &mut out) {
            reading.blueprint = Some(blueprint);
            reading.test = case.map(|case| case.name.clone());
            reading.caveats = caveats;
            reading.caveats.extend(ignored(&files));
        }
    }
    reading.diagnostics = out.finish();
    reading
}

/// The names of the test cases of one file, whatever else is wrong with it.
pub fn tests(text: &str) -> Vec<String> {
    let mut out = Complaints::new();
    let file = parse(text, 0, &mut out);
    let decls: Vec<&Decl> = file.decls.iter().collect();
    modules::cases(&decls, &mut out).into_iter().map(|case| case.name).collect()
}

/// The test case to read: the one that is asked for, or the only one.
fn chosen<'c>(cases: &'c [Case], wanted: Option<&str>, out: &mut Complaints) -> Option<&'c Case> {
    // A hundred names would hide the message.
    const LISTED_MAX: usize = 12;
    let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    let listed = names[..names.len().min(LISTED_MAX)].join(", ");
    let more = if names.len() > LISTED_MAX { ", …" } else { "" };
    let help = format!("choose one with --test, or all with --all-tests: {listed}{more}");
    let place = Span::default();
    match (wanted, cases) {
        (Some(wanted), _) => {
            let found = cases.iter().find(|case| case.name == wanted);
            if found.is_none() {
                let message = format!("there is no test case {}", quoted(wanted));
                let error = Diagnostic::error(codes::NO_SUCH_TEST, message, place);
                let there = format!("the program has {listed}{more}");
                out.push(error.help(did_you_mean(wanted, names, there)));
            }
            found
        }
        (None, [only]) => Some(only),
        (None, []) => {
            let message = "there is nothing to run: no test case and no machine `Main`";
            let error = Diagnostic::error(codes::NO_TEST, message, place);
            out.push(error.help("declare one: test tcOne [main = M]: { M };"));
            None
        }
        (None, several) => {
            let message = format!("the program has {} test cases", several.len());
            out.push(Diagnostic::error(codes::SEVERAL_TESTS, message, place).help(help));
            None
        }
    }
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

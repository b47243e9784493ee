//! From texts to a blueprint.

use std::collections::BTreeMap;

use qp_base::{Complaints, Diagnostic, Span};
use qp_program::Value;

use crate::ast::{Decl, File, MachineKind, ParamValue};
use crate::lower::{Context, Linking, flatten, link};
use crate::modules::Case;
use crate::names::{did_you_mean, quoted};
use crate::options::{Options, Reading};
use crate::parser::parse;
use crate::{codes, dialect, modules, world};

/// Reads a program of one or more files. `text` is all of them, one after the other, and `starts` says
/// where each begins.
pub fn read(text: &str, starts: &[u32], options: &Options) -> Reading {
    let mut out = Complaints::new(codes::MORE);
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
    if let Some(error) = deductive(&decls).filter(|_| cases.is_empty()) {
        out.push(error);
        reading.diagnostics = out.finish();
        return reading;
    }
    let case = chosen(&cases, options.test.as_deref());
    let world = world::gather(&files, &mut out);
    let params = case.as_ref().map(|case| params(&case.params)).unwrap_or_default();
    let context = Context { world: &world, dialect, params };
    let flattened = flatten(&context, &mut out);
    // What is to be run is of no interest before everything is in order.
    if !out.has_errors() {
        let linked = case.map_err(|error| out.push(error)).ok().and_then(|case| {
            reading.test = Some(case.name.clone());
            modules::link(&decls, case, (dialect, options.all_specs), &mut out)
        });
        let lowered = linked.and_then(|linked| {
            modules::warn_of_idle(&decls, &linked, &mut out);
            let (assume, foreign, ranges) = (options.assume, options.foreign, &options.ranges[..]);
            let linking = Linking { linked: &linked, assume, foreign, ranges };
            link(&context, &flattened, &linking, &mut out)
        });
        if let Some((blueprint, caveats)) = lowered {
            reading.blueprint = Some(blueprint);
            reading.caveats = caveats;
            reading.caveats.extend(ignored(&files));
            let all = "every spec watches every machine, whatever the test attaches (--all-specs)";
            reading.caveats.extend(options.all_specs.then(|| all.to_owned()));
        }
    }
    reading.diagnostics = out.finish();
    reading
}

/// The names that one file declares, whatever else is wrong with it. Files that share one cannot belong to
/// the same program.
pub fn declared(text: &str) -> Vec<String> {
    let file = parse(text, 0, &mut Complaints::new(codes::MORE));
    let name = |decl: &Decl| match decl {
        Decl::Type { name, .. }
        | Decl::Enum { name, .. }
        | Decl::Event { name, .. }
        | Decl::EventSet { name, .. }
        | Decl::Interface { name, .. }
        | Decl::Module { name, .. } => Some(name.text.clone()),
        Decl::Machine(machine) => Some(machine.name.text.clone()),
        Decl::Function(function) => Some(function.name.text.clone()),
        Decl::Test(test) => Some(test.name.text.clone()),
        Decl::Param { .. } | Decl::Verifier { .. } => None,
    };
    file.decls.iter().filter_map(name).collect()
}

/// What to say about a program that is written for P's deductive verifier, if it is: it has invariants and
/// proofs in place of a test. What else is wrong with it follows from that.
fn deductive(decls: &[&Decl]) -> Option<Diagnostic> {
    let span = decls.iter().find_map(|decl| match decl {
        Decl::Verifier { span, .. } => Some(*span),
        _ => None,
    })?;
    let message = "this program is for P's deductive verifier: it has no test case to run";
    Some(Diagnostic::error(codes::DEDUCTIVE, message, span).help(
        "to check it here, add a machine that creates the others and a test of it; \
         its proofs are checked by PVerifier, which belongs to P",
    ))
}

/// The test case to read: the one that is asked for, or the only one.
fn chosen<'c>(cases: &'c [Case], wanted: Option<&str>) -> Result<&'c Case, Diagnostic> {
    // A hundred names would hide the message.
    const LISTED_MAX: usize = 12;
    let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    let mut listed = names[..names.len().min(LISTED_MAX)].join(", ");
    if names.len() > LISTED_MAX {
        listed.push_str(", …");
    }
    let error = |code, message: String, help: String| {
        Err(Diagnostic::error(code, message, Span::default()).help(help))
    };
    match (wanted, cases) {
        (Some(wanted), _) => cases.iter().find(|case| case.name == wanted).map_or_else(
            || {
                let message = format!("there is no test case {}", quoted(wanted));
                let there = format!("the program has {listed}");
                error(codes::NO_SUCH_TEST, message, did_you_mean(wanted, names, there))
            },
            Ok,
        ),
        (None, [only]) => Ok(only),
        (None, []) => {
            let message = "there is nothing to run: no test case and no machine `Main`";
            let help = "declare one, for instance `test tcOne [main = M]: { M };`";
            error(codes::NO_TEST, message.to_owned(), help.to_owned())
        }
        (None, several) => {
            let message = format!("the program has {} test cases", several.len());
            let help = format!("choose one with --test, or all with --all-tests: {listed}");
            error(codes::SEVERAL_TESTS, message, help)
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
fn params(params: &[(String, ParamValue)]) -> BTreeMap<String, Value> {
    let value = |value: &ParamValue| match value {
        ParamValue::Bool(it) => Value::Bool(*it),
        ParamValue::Int(it) => Value::Int(*it),
    };
    params.iter().map(|(name, it)| (name.clone(), value(it))).collect()
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

//! What reading makes of each construct, and what it says about broken ones.

mod accepted;
mod declared;
mod errors;
mod formulas;
mod inlines;
mod messages;
mod names;
mod numbers;
mod preprocessor;
mod print;
mod random;
mod statements;
mod tolerance;

use std::collections::BTreeMap;

use qp_base::{Severity, Source};

use crate::{Included, Includes, NoFiles, Options, Reading, Spec, read};

/// Reads one file.
fn reading(text: &str) -> Reading {
    read("model.pml", text, &NoFiles, &Options::default())
}

/// Reads a model in which nothing is wrong.
fn good(text: &str) -> Spec {
    let reading = reading(text);
    assert_eq!(said(&reading), [""; 0], "{text}");
    reading.spec.expect("nothing is wrong")
}

/// What is said about a model: `line:column code message | help`.
fn said(reading: &Reading) -> Vec<String> {
    let line = |diagnostic: &qp_base::Diagnostic| {
        let at = place(&reading.source, diagnostic.primary.span.start);
        let warning = if diagnostic.severity == Severity::Warning { "warning " } else { "" };
        let help = diagnostic.help.as_ref().map(|help| format!(" | {help}")).unwrap_or_default();
        format!("{at} {warning}{} {}{help}", diagnostic.code, diagnostic.message)
    };
    reading.diagnostics.iter().map(line).collect()
}

/// `line:column`, with the name of the file unless it is the main one.
fn place(source: &Source, offset: u32) -> String {
    let place = source.place(offset);
    let file = source.file(offset).name;
    let file = if file == "model.pml" { String::new() } else { format!("{file}:") };
    format!("{file}{}:{}", place.line, place.column)
}

/// Reads a model and compares all that is said about it.
fn refuses(text: &str, expect: &[&str]) {
    let text = text.trim_start_matches('\n');
    assert_eq!(said(&reading(text)), expect, "{text}");
}

/// Reads statements of a process in which nothing is wrong and prints them.
fn statements(text: &str) -> String {
    let spec = good(&format!("{BEFORE}{text}\n}}"));
    print::block(&spec, &spec.procs.as_slice()[1].body)
}

/// Reads statements of a process and compares all that is said about them; the first line is line 1.
fn statements_refuse(text: &str, expect: &[&str]) {
    let text = format!("{BEFORE}\n{text}\n}}");
    let said = said(&reading(&text));
    let shifted: Vec<String> = said
        .iter()
        .map(|line| {
            let (number, rest) = line.split_once(':').unwrap();
            format!("{}:{rest}", number.parse::<u32>().unwrap() - 2)
        })
        .collect();
    assert_eq!(shifted, expect, "{text}");
}

/// What statements can use, in one line and a bit.
const BEFORE: &str =
    "mtype = { red, green }; typedef T { byte f; byte g[2] }; chan q = [2] of { byte }; \
chan m = [2] of { mtype, byte, byte }; byte x, y, a[3]; T t; proctype p(byte n; chan c) { k: skip }
active proctype main() { ";

/// Files that a model includes.
struct Files(BTreeMap<&'static str, &'static str>);

impl Includes for Files {
    fn open(&self, _: &str, name: &str) -> Option<Included> {
        let text = self.0.get(name)?;
        Some(Included { name: name.to_owned(), text: (*text).to_owned() })
    }
}

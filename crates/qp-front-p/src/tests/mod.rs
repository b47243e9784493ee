//! Tests of reading: what is refused and with which words, and what code becomes.

mod accepted;
mod control;
mod lowering;
mod machines;
mod names;
mod print;
mod program;
mod typing;

use qp_base::{Severity, Source};

use crate::{Assume, Foreign, Options, Reading, read};

/// Reads one file.
fn reading(text: &str, change: impl FnOnce(&mut Options)) -> Reading {
    let mut options =
        Options { assume: Assume::Honour, foreign: Foreign::Refuse, ..Options::default() };
    change(&mut options);
    read(text, &[0], &options)
}

/// What is said about a text: `line:column code message | help`.
fn said(text: &str, reading: &Reading) -> Vec<String> {
    let source = Source::new("", text);
    let line = |diagnostic: &qp_base::Diagnostic| {
        let place = source.place(diagnostic.primary.span.start);
        let warning = if diagnostic.severity == Severity::Warning { "warning " } else { "" };
        let help = diagnostic.help.as_ref().map(|help| format!(" | {help}")).unwrap_or_default();
        let (code, message) = (diagnostic.code, &diagnostic.message);
        format!("{}:{} {warning}{code} {message}{help}", place.line, place.column)
    };
    reading.diagnostics.iter().map(line).collect()
}

/// Reads a file and compares all that is said about it.
fn refuses(text: &str, expect: &[&str]) {
    let text = text.trim_start_matches('\n');
    assert_eq!(said(text, &reading(text, |_| {})), expect, "{text}");
}

/// What can be used in statements, in three lines.
const BEFORE: &str = "\
event E; event P: int; event Q: (int, bool); enum Color { Red, Green } type Pair = (x: int, y: bool);
machine Node { start state Up { entry (n: int) { } } } spec Watch observes E { start state S { } } \
pure known(i: int): bool; fun help(i: int) { } fun twice(i: int): int { return i; }
machine Main { var f: int; var s: seq[int]; var m: map[int, int]; fun ask(): bool { return $; } \
fun both(a: int, b: int) { f = a + b; } start state S { entry {
";
const BEHIND: &str = "\n} } state Next { entry (n: int) { } } } test tc [main = Main]: assert Watch in { Main, Node };\n";

/// Reads statements and compares all that is said about them; the first line is line 1.
fn entry_refuses(body: &str, expect: &[&str]) {
    let text = format!("{BEFORE}{}{BEHIND}", body.trim_start_matches('\n'));
    let said = said(&text, &reading(&text, |_| {}));
    let shifted = said.iter().map(|line| {
        let (number, rest) = line.split_once(':').unwrap();
        format!("{}:{rest}", number.parse::<u32>().unwrap() - 3)
    });
    assert_eq!(shifted.collect::<Vec<_>>(), expect, "{body}");
}

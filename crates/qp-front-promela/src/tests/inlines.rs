//! Inlines: what a call becomes, and where its text stands.

use crate::ExpansionKind;
use crate::spec::StmtKind;

use super::{good, place, print, reading, refuses, said};

fn check(text: &str, expect: &str) {
    let spec = good(text);
    let last = spec.procs.iter().last().unwrap();
    assert_eq!(print::block(&spec, &last.body), expect, "{text}");
}

#[test]
fn a_call_is_a_block() {
    check(
        "inline f(a, b) { a = b + 1; byte l; l = a } byte x, y; init { f(x, y * 2); f(y, x) }",
        "{ x = ((y*2)+1); late Byte l; l = x }; { y = (x+1); late Byte l; l = y }",
    );
}

#[test]
fn arguments_are_text() {
    check(
        "inline f(to, g) { to!g } chan c[2] = [1] of { byte }; init { f(c[1], (len(c[0]) -> 1 : 2)) }",
        "{ c[1]!(len(c[0]) -> 1 : 2) }",
    );
}

#[test]
fn parameters_are_text_even_behind_a_dot() {
    check(
        "typedef R { byte x; byte y }; R r; inline f(x) { r.x = x } byte y; init { f(y) }",
        "{ r.y = y }",
    );
}

#[test]
fn calls_need_no_separator() {
    check("byte x; inline f() { x++ } init { f() f() }", "{ x++ }; { x++ }");
}

#[test]
fn inlines_call_inlines() {
    check(
        "inline g(x) { x++ } inline f(x) { g(x); g(x) } byte y; init { f(y) }",
        "{ { y++ }; { y++ } }",
    );
}

#[test]
fn results_are_assigned() {
    check("inline f(x) { return x + 1 } byte y; init { y = f(y) }", "{ y = (y+1) }");
    check("inline f(x) { return x }\nbyte y;\ninit {\n  y =\n  f(2)\n}", "{ y = 2 }");
    refuses(
        "inline f(x) { return x } byte y; init { f(y) }",
        &[
            "1:15 QP0338 nobody takes what this returns | use it in an inline that is called as in `x = f(a)`",
        ],
    );
}

#[test]
fn labels_belong_to_their_call() {
    let spec = good("inline f() { goto l; l: skip } init { f(); f() }");
    let body = &spec.procs.as_slice()[0].body;
    let jumps: Vec<String> = body
        .block
        .stmts
        .iter()
        .map(|stmt| match &stmt.kind {
            StmtKind::Block(block) => match block.stmts[0].kind {
                StmtKind::Goto(label) => format!("{label:?}"),
                _ => "other".to_owned(),
            },
            _ => "other".to_owned(),
        })
        .collect();
    assert_eq!(jumps, ["label0", "label1"]);
}

#[test]
fn statements_know_the_definition_and_the_call() {
    let reading = reading("inline f(x) {\n  x++\n}\nbyte y;\ninit {\n  f(y)\n}");
    assert_eq!(said(&reading), [""; 0]);
    let spec = reading.spec.unwrap();
    let StmtKind::Block(block) = &spec.procs.as_slice()[0].body.block.stmts[0].kind else {
        panic!("it is a block")
    };
    // The statement begins with an argument, which stands in the call.
    assert_eq!(place(&reading.source, block.stmts[0].at.span.start), "6:5");
    let outer = spec.procs.as_slice()[0].body.block.stmts[0].at;
    let expansion = &spec.expansions[outer.expansion.unwrap()];
    assert_eq!(expansion.kind, ExpansionKind::Inline);
    assert_eq!(place(&reading.source, outer.span.start), "1:13");
    assert_eq!(place(&reading.source, expansion.call.start), "6:3");
    assert_eq!(place(&reading.source, expansion.definition.start), "1:8");
}

#[test]
fn faults_are_shown_in_the_definition() {
    let reading = reading("inline f() {\n  z = 1\n}\ninit {\n  f();\n  f()\n}");
    assert_eq!(
        said(&reading),
        ["2:3 QP0312 the name `z` is not declared | declare it before it is used"]
    );
    let also = &reading.diagnostics[0].secondary;
    assert_eq!(place(&reading.source, also[0].span.start), "5:3");
    assert_eq!(also[0].text, "the inline `f` is called here");
}

#[test]
fn an_inline_cannot_call_itself() {
    refuses(
        "inline f() { g() } inline g() { f() } init { f() }",
        &["1:33 QP0338 the inline `f` calls itself | use a `do` loop, or a process with `run`"],
    );
}

#[test]
fn the_number_of_arguments() {
    refuses(
        "inline f(x) { skip } init { f() }",
        &["1:29 QP0324 the inline `f` takes 1 argument, but there are 0"],
    );
}

//! Formulas of linear temporal logic.

use super::{good, print, refuses};

fn check(formula: &str, expect: &str) {
    let text = format!("bool a, b, c; ltl f {{ {formula} }} active proctype p() {{ L: skip }}");
    let spec = good(&text);
    assert_eq!(print::formula(&spec, &spec.formulas[0].formula), expect, "{formula}");
}

#[test]
fn operators_and_their_strength() {
    check("[] a", "[]a");
    check("<> (a && b)", "<>(a&&b)");
    check("[] <> a -> <> b", "([]<>a -> <>b)");
    check("a -> b -> c", "((a -> b) -> c)");
    check("a U b U c", "((a U b) U c)");
    check("a U b && c W a || b V a -> <> c", "((((a U b) && (c W a)) || (b V a)) -> <>c)");
    check("! a U b", "(!a U b)");
    check("!(a U b)", "!(a U b)");
    check("a <-> X b", "(a <-> X b)");
    check("(a == b) U c", "((a==b) U c)");
    check("a && b || c", "((a&&b)||c)");
    check("[] a /\\ <> b \\/ c", "(([]a && <>b) || c)");
}

#[test]
fn words_are_operators() {
    check("always eventually a", "[]<>a");
    check("a until b implies next c", "((a U b) -> X c)");
    check("a weakuntil b equivalent a release b", "((a W b) <-> (a V b))");
    check("a stronguntil b", "(a U b)");
}

#[test]
fn formulas_speak_of_what_comes_later() {
    let spec = good("ltl { [] (x < 3) } ltl { <> p@L } byte x; active proctype p() { L: skip }");
    let all: Vec<String> = spec
        .formulas
        .iter()
        .map(|it| format!("{}: {}", it.name, print::formula(&spec, &it.formula)))
        .collect();
    assert_eq!(all, ["ltl_0: [](x<3)", "ltl_1: <>p@L"]);
}

#[test]
fn letters_are_names_elsewhere() {
    good("byte U, X, W, always; active proctype p() { U = X + W; always = 1 }");
}

#[test]
fn time_is_not_a_value() {
    refuses(
        "bool a, b; ltl { [] a == b } init { skip }",
        &["1:18 QP0335 an operator about time is inside of a value | \
           put parentheses around the value, as in `[] (a == b)`"],
    );
}

#[test]
fn broken_formulas() {
    refuses(
        "bool a; ltl f { [] (a } init { skip }",
        &["1:23 QP0302 expected `)`, found the end of the file | every `(` needs a `)`"],
    );
    refuses(
        "bool a; ltl f { a a } init { skip }",
        &[
            "1:19 QP0302 expected an operator or the end of the formula, found `a` | use parentheses",
        ],
    );
}

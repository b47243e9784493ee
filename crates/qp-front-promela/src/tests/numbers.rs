//! The numbers that SPIN 6.5.2 gives to statements; what is expected here was read off its `pan -d`.

use super::good;

/// The numbers of the last body of a model with what they stand for.
#[track_caller]
fn check(text: &str, expect: &[&str]) {
    let spec = good(text);
    let body = &spec.procs.as_slice().last().unwrap().body;
    let found: Vec<String> =
        spec.numbered(body).iter().map(|(number, text)| format!("{number} {text}")).collect();
    assert_eq!(found, expect, "{text}");
}

fn check_statements(text: &str, expect: &[&str]) {
    check(&format!("byte x, y; active proctype p() {{ {text} }}"), expect);
}

//! Tests of capacities in places that are easily passed over.

use qp_front_promela::{NoFiles, Options, read};

#[test]
fn tests_of_capacities_are_found_in_every_value() {
    for (text, expect) in [
        ("chan q = [2] of { byte }; init { skip; byte x = len(q) }", "len(q)"),
        ("chan q = [2] of { byte }; chan r[3] = [1] of { byte }; init { r[len(q)]!1 }", "len(q)"),
        ("chan q = [2] of { byte }; init { q?[eval(len(q))] }", "len(q)"),
    ] {
        let read = read("a.pml", text, &NoFiles, &Options::default());
        let spec = read.spec.unwrap_or_else(|| panic!("{text}: {:?}", read.diagnostics));
        let warnings = qp_promela::capacity_tests(&spec);
        let found: Vec<&str> = warnings.iter().map(|it| &text[it.primary.span.range()]).collect();
        assert_eq!(found, [expect], "{text}");
    }
}

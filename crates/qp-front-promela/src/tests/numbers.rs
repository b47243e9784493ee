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

#[test]
fn sequences_end_with_the_end() {
    check_statements("x = 1; y = 2", &["0 x = 1", "1 y = 2", "2 -end-"]);
}

#[test]
fn bodies_are_numbered_in_the_order_of_the_text() {
    let claim = "never { skip }";
    check(&format!("init {{ skip }} {claim} active proctype p() {{ skip }}"), &["4 1", "5 -end-"]);
    let trace = "chan q = [1] of { byte }; trace { q!1 }";
    check(&format!("{trace}; active proctype p() {{ skip }}"), &["2 1", "3 -end-"]);
    check("ltl { [] true } active proctype p() { skip }", &["0 1", "1 -end-"]);
}

#[test]
fn choices_have_a_node_and_an_end() {
    check_statements(
        "if :: x -> y = 1 :: else fi; x = 2",
        &["0 x", "1 y = 1", "2 else", "5 x = 2", "6 -end-"],
    );
}

#[test]
fn loops_have_one_end_more() {
    check_statements(
        "do :: x -> break :: else od; x = 2",
        &["0 x", "1 break", "2 else", "6 x = 2", "7 -end-"],
    );
}

#[test]
fn blocks_come_behind_what_is_in_them() {
    check_statements(
        "atomic { x = 1; x = 2 }; d_step { x = 3; x = 4 }; { x = 5 }; x = 6",
        &["0 x = 1", "1 x = 2", "3 x = 3", "4 x = 4", "5 d_step", "6 x = 5", "8 x = 6", "9 -end-"],
    );
}

#[test]
fn escapes_in_braces_have_no_block() {
    check_statements(
        "{ x = 1; x = 2 } unless { x == 7; x = 3 }; x = 4",
        &["0 x = 1", "1 x = 2", "2 (x==7)", "3 x = 3", "6 x = 4", "7 -end-"],
    );
}

#[test]
fn escapes_without_braces_come_before_what_they_end() {
    check_statements("x = 1 unless y; x = 2", &["0 y", "1 x = 1", "4 x = 2", "5 -end-"]);
    check_statements(
        "d_step { x = 1; x = 2 } unless d_step { x = 3; x = 4 }; x = 5",
        &["0 x = 1", "1 x = 2", "2 x = 3", "3 x = 4", "4 d_step", "5 d_step", "8 x = 5", "9 -end-"],
    );
}

#[test]
fn labelled_blocks_come_behind_their_escape() {
    check_statements(
        "k: { x = 1; x = 2 } unless { x = 3 }; x = 4",
        &["0 x = 1", "1 x = 2", "2 x = 3", "6 x = 4", "7 -end-"],
    );
}

#[test]
fn counting_loops_are_made_of_parts() {
    check_statements(
        "for (x : 1 .. 2) { y = 1 }; y = 2",
        &[
            "0 x = 1",
            "1 (x<=2)",
            "2 y = 1",
            "3 x = (x+1)",
            "4 else",
            "5 break",
            "9 y = 2",
            "10 -end-",
        ],
    );
    check_statements(
        "for (x : 1 .. 2) { y = 1 } unless atomic { y = 2 }",
        &[
            "0 x = 1",
            "1 (x<=2)",
            "2 y = 1",
            "3 x = (x+1)",
            "4 else",
            "5 break",
            "6 y = 2",
            "13 -end-",
        ],
    );
}

#[test]
fn loops_over_messages_receive_and_send() {
    check(
        "typedef T { byte f }; chan q = [2] of { T }; T t; init { for (t in q) { skip }; skip }",
        &[
            "0 _ = 0",
            "1 (_<len(q))",
            "2 q?t.f",
            "3 q!t.f",
            "4 1",
            "5 _ = (_+1)",
            "6 else",
            "7 break",
            "11 1",
            "12 -end-",
        ],
    );
}

#[test]
fn selections_are_choices_or_loops() {
    check_statements(
        "select (x : 1 .. 3); y = 1",
        &["0 x = 1", "1 x = 2", "2 x = 3", "5 y = 1", "6 -end-"],
    );
    check_statements(
        "select (x : 1 .. y); y = 1",
        &["0 x = 1", "1 (x<y)", "2 x = (x+1)", "3 break", "7 y = 1", "8 -end-"],
    );
}

#[test]
fn a_selection_into_a_name_with_a_mark_is_a_loop() {
    check(
        "byte x_1; init { select (x_1 : 1 .. 3) }",
        &["0 x_1 = 1", "1 (x_1<3)", "2 x_1 = (x_1+1)", "3 break", "7 -end-"],
    );
}

#[test]
fn late_declarations_are_steps() {
    check_statements(
        "byte a; x = 1; byte b, c = 2; { byte d; x = 3 }",
        &["0 x = 1", "1 b", "2 c", "3 d", "4 x = 3", "6 -end-"],
    );
}

#[test]
fn inlines_are_blocks() {
    check(
        "byte x; inline f(a) { x = a; return x + 1 } init { x = f(4); x = 5 }",
        &["0 x = 4", "1 x = (x+1)", "3 x = 5", "4 -end-"],
    );
}

#[test]
fn jumps_behind_labels_that_mark_states_get_a_skip() {
    check_statements(
        "end: goto k; x = 1; k: progress1: goto m; m: x = 2",
        &["0 goto k", "1 1", "2 x = 1", "3 goto m", "4 1", "5 x = 2", "6 -end-"],
    );
}

#[test]
fn jumps_behind_labels_that_others_look_at_get_a_skip() {
    let text = "proctype c() { k: goto m; m: skip } init { c@k; skip }";
    check(text, &["4 c@k", "5 1", "6 -end-"]);
    let spec = good(text);
    let c = &spec.procs.as_slice()[0].body;
    let found: Vec<(u32, String)> = spec.numbered(c).into_iter().collect();
    let expect = [(0, "1"), (1, "1"), (2, "-end-"), (3, "goto m")];
    assert_eq!(found, expect.map(|(number, text)| (number, text.to_owned())));
}

#[test]
fn claims_are_counted_among_all_bodies() {
    let spec = good("proctype p() { skip } init { skip } never { skip }");
    assert_eq!(spec.claims[0].number, 2);
}

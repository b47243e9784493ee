//! Sends, receives and questions about channels.

use super::{good, print, refuses, statements, statements_refuse};

fn check(text: &str, expect: &str) {
    assert_eq!(statements(text), expect, "{text}");
}

#[test]
fn sends() {
    check("q!1; m!red,x,y+1; m!red(x, 2); q!!3", "q!1; m!red,x,(y+1); m!red,x,2; q!!3");
}

#[test]
fn receives() {
    check("q?x; m?red,x,_; m?red(x, y)", "q?x; m?red,x,_; m?red,x,y");
    check("q?eval(x + 1); q?-1; q?true; q??3", "q?eval((x+1)); q?-1; q?1; q??3");
    check("q?<x>; q??<x>; m?red,(x,y)", "q?<x>; q??<x>; m?red,x,y");
    check("m?x,a[x],a[x]", "m?x,a[x],a[x]");
}

#[test]
fn polls_are_values() {
    check("q?[x]; q??[3] && x", "q?[x]; (q??[3]&&x)");
    check("if :: m?[red,_,1] -> skip fi", "if :: m?[red,_,1]; 1 fi");
}

#[test]
fn questions_about_channels() {
    check("empty(q) && nfull(m) || full(q)", "((empty(q)&&nfull(m))||full(q))");
    check("len(q) == 1; nempty(q)", "(len(q)==1); nempty(q)");
}

#[test]
fn questions_cannot_be_negated() {
    let help =
        "instead of a negation use `nempty`, `empty`, `nfull` or `full`; or compare `len(c)`";
    let expect = format!("1:2 QP0328 this can only be combined with `&&` and `||` | {help}");
    statements_refuse("!empty(q)", &[&expect]);
    let expect = format!("1:5 QP0328 this can only be combined with `&&` and `||` | {help}");
    statements_refuse("x + full(q)", &[&expect]);
}

#[test]
fn records_stand_as_their_fields() {
    let text = "typedef R { byte a; byte b }; chan c = [3] of { byte, R };
        proctype o(R r) { skip }
        active proctype p() { R r; c!1,r; c?_,r; c!1,2,3; run o(r); run o(1,2) }";
    let spec = good(text);
    let shown = print::block(&spec, &spec.procs.as_slice()[1].body);
    let rest = "c!1,r.a,r.b; c?_,r.a,r.b; c!1,2,3; run o(r.a,r.b); run o(1,2)";
    assert_eq!(shown, format!("Record(record0) r; {rest}"));
}

#[test]
fn channels_are_values() {
    let text = "chan c[2] = [1] of { chan, byte }; typedef R { chan d = [0] of { bit } };
        active proctype p() { R r; chan e; e = c[1]; e!r.d,1; c[0]?e,_; r.d!1; c[0] == e }";
    let spec = good(text);
    let shown = print::block(&spec, &spec.procs.as_slice()[0].body);
    assert!(shown.ends_with("e = c[1]; e!r.d,1; c[0]?e,_; r.d!1; (c[0]==e)"), "{shown}");
    let capacities: Vec<u32> = spec.shapes.iter().map(|shape| shape.capacity).collect();
    assert_eq!(capacities, [1, 0]);
}

#[test]
fn the_number_of_parts() {
    statements_refuse(
        "q!1,2",
        &["1:1 QP0322 this message has 2 parts, and those of the channel have 1"],
    );
    statements_refuse(
        "m!red",
        &["1:1 warning QP0323 this message has 1 part, and those of the channel have 3 | \
           when the model runs, it is an error to get here"],
    );
}

#[test]
fn a_receive_of_too_much_is_found_when_it_runs() {
    statements_refuse(
        "q?x,y",
        &["1:1 warning QP0323 this message has 2 parts, and those of the channel have 1 | \
           when the model runs, it is an error to get here"],
    );
}

#[test]
fn a_variable_takes_one_part() {
    statements_refuse(
        "m?red,x,x",
        &[
            "1:9 QP0332 two parts of one message go into `x` | use another variable, or `_` for what is not needed",
        ],
    );
}

#[test]
fn only_channels_carry_messages() {
    let help = "declare it as in `chan c = [4] of { byte }`";
    statements_refuse("x!1", &[&format!("1:1 QP0321 `x` is not a channel | {help}")]);
    statements_refuse("len(x) > 1", &[&format!("1:5 QP0321 `x` is not a channel | {help}")]);
    good("chan c = [1] of { byte }; init { c + 1 > 2; c < 3 }");
    let help = "channels can be compared, assigned, sent and handed over; `len(c)` is a number";
    let expect = format!("1:5 QP0327 one cannot calculate with a channel | {help}");
    statements_refuse("x = q + 1", &[&expect]);
}

#[test]
fn exclusive_use_is_kept() {
    let text = "chan c = [1] of { byte }; active proctype p() { xr c; xs c; c!1; c?_ }";
    let spec = good(text);
    let body = &spec.procs.as_slice()[0].body;
    assert_eq!((body.only_receives.len(), body.only_sends.len()), (1, 1));
}

#[test]
fn traces_have_only_sends_and_receives() {
    refuses(
        "chan c = [1] of { byte }; byte x; trace { do :: c!1; c?_; x = 1 od } init { skip }",
        &["1:59 QP0333 this is not a send or a receive | \
           `trace` has sends, receives, `if`, `do`, `goto` and `break` only"],
    );
}

#[test]
fn the_input_of_the_user_is_refused() {
    statements_refuse(
        "STDIN?x",
        &["1:1 QP0305 `STDIN` is not supported | \
           a model that reads what a user types has no fixed behaviour; use `select`"],
    );
}

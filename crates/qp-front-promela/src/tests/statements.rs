//! Every statement, as it is read.

use super::{good, print, statements, statements_refuse};

fn check(text: &str, expect: &str) {
    assert_eq!(statements(text), expect, "{text}");
}

#[test]
fn assignments() {
    check("x = y + 1; a[x] = 2; t.g[1] = t.f", "x = (y+1); a[x] = 2; t.g[1] = t.f");
    check("x++; a[0]--; _ = 3", "x++; a[0]--; _ = 3");
}

#[test]
fn operators_bind_as_in_c() {
    check("x + y * 2 == 7 && !x || y", "((((x+(y*2))==7)&&!x)||y)");
    check("x | y ^ 1 & 2 == 3", "(x|(y^(1&(2==3))))");
    check("x << 1 + 2 < y", "((x<<(1+2))<y)");
    check("-x - ~y - 1", "((-x-~y)-1)");
    check("x / y % 2 * 3", "(((x/y)%2)*3)");
    check("!x == y", "(!x==y)");
    check("x >= 1 || y <= 2 && x != y", "((x>=1)||((y<=2)&&(x!=y)))");
}

#[test]
fn conditional_values_need_parentheses() {
    check("x = (y > 1 -> 2 : (x -> 3 : 4))", "x = ((y>1) -> 2 : (x -> 3 : 4))");
    check("x = y -> 2", "x = y; 2");
}

#[test]
fn constants() {
    check("x = 'a'; x = '\\n'; x = true; false; skip", "x = 97; x = 10; x = 1; 0; 1");
    check("x = red; x == green", "x = red; (x==green)");
    check("x = 4294967295", "x = -1");
}

#[test]
fn choices_and_loops() {
    check("if :: x -> y = 1 :: else fi", "if :: x; y = 1 :: else fi");
    check("do :: x > 1; break :: else -> skip od", "do :: (x>1); break :: else; 1 od");
    check(
        "do :: timeout -> goto out :: skip od; out: skip",
        "do :: timeout; goto out :: 1 od; out: 1",
    );
}

#[test]
fn blocks() {
    check("atomic { x = 1; d_step { y = 2 } }", "atomic { x = 1; d_step { y = 2 } }");
    check("{ x = 1 }; skip", "{ x = 1 }; 1");
    check("{ x = 1 } unless { y }; skip", "<{ x = 1 } unless { y }>; 1");
    check("do :: skip od unless x", "<do :: 1 od unless x>");
}

#[test]
fn labels() {
    check("a1: b1: x = 1; end: ; goto a1", "a1: b1: x = 1; end: 1; goto a1");
    check("progress: do :: accept_x: skip od", "progress: do :: accept_x: 1 od");
}

#[test]
fn kinds_of_labels() {
    let spec =
        good("active proctype p() { end1: skip; progress: skip; accept: skip; other: skip }");
    let labels = &spec.procs.as_slice()[0].body.labels;
    let kinds = |it: &crate::spec::Label| (it.is_end(), it.is_progress(), it.is_accept());
    let all: Vec<_> = labels.iter().map(kinds).collect();
    let (no, yes) = (false, true);
    assert_eq!(all, [(yes, no, no), (no, yes, no), (no, no, yes), (no, no, no)]);
}

#[test]
fn counted_loops() {
    check("for (x : 1 .. y + 1) { skip }", "for (x : 1 .. (y+1)) { 1 }");
    check("for (x : 1..3)\n { break }", "for (x : 1 .. 3) { break }");
    check("for (x in a) { y++ }", "for (x : 0 .. 2) { y++ }");
    check("for (x in t.g) { y++ }", "for (x : 0 .. 1) { y++ }");
    check("select (x : 0 .. 9)", "select (x : 0 .. 9)");
}

#[test]
fn loops_over_messages() {
    let text = "typedef R { byte a; byte b }; chan c = [3] of { R };
        active proctype p() { R r; for (r in c) { skip } }";
    let spec = good(text);
    let shown = print::block(&spec, &spec.procs.as_slice()[0].body);
    assert_eq!(shown, "Record(record0) r; for messages of(c) as r.a,r.b { 1 }");
}

#[test]
fn checks_and_prints() {
    check("assert(x > 1); assert x", "assert((x>1)); assert(x)");
    check("printf(\"%d\\n\", x + 1); printm(red)", "printf(\"%d\\n\",(x+1)); printm(red)");
}

#[test]
fn processes_are_started() {
    check("run p(1, q); x = run p(2, q) priority 3", "run p(1,q); x = run p(2,q)");
    check("x = run p(1, q) + 1; (run p(1, q))", "x = (run p(1,q)+1); run p(1,q)");
}

#[test]
fn predefined_values() {
    check(
        "x = _pid; _nr_pr > 1; _last == 2; enabled(1)",
        "x = _pid; (_nr_pr>1); (_last==2); enabled(1)",
    );
    check("pc_value(1) == 2; _priority = 3", "(pc_value(1)==2); set_priority(_pid,3)");
    check("get_priority(x) > 1; set_priority(x, y)", "(get_priority(x)>1); set_priority(x,y)");
}

#[test]
fn other_processes() {
    check("p@k; p[x + 1]@k; p[1]:n == 2; p:n == 1", "p@k; p[(x+1)]@k; (p[1]:n==2); (p:n==1)");
}

#[test]
fn declarations_are_steps_behind_the_first_statement() {
    check("byte b = 1; int i; x = b; short s", "Byte b; Int i; x = b; late Short s");
    check("{ bit b; skip }", "{ late Bit b; 1 }");
    check("if :: byte b; skip fi", "if :: late Byte b; 1 fi");
}

#[test]
fn separators() {
    check("x = 1;; y = 2 -> ; x = 3;", "x = 1; y = 2; x = 3");
    check("atomic { x = 1 } y = 2", "atomic { x = 1 }; y = 2");
    check("if :: x; :: else y = 1; fi; skip", "if :: x :: else; y = 1 fi; 1");
}

#[test]
fn the_end_of_a_line_separates() {
    check("x = 1\n y = 2\n if\n :: x\n -> y = 1\n fi\n skip", "x = 1; y = 2; if :: x; y = 1 fi; 1");
    check("x = y +\n 1\n x++\n y--\n break_it: skip", "x = (y+1); x++; y--; break_it: 1");
    check("(x &&\n y)\n !x -> skip", "(x&&y); !x; 1");
    check("{ x = 1 }\n unless { y }", "<{ x = 1 } unless { y }>");
}

#[test]
fn jumps_out_of_nowhere() {
    statements_refuse(
        "break",
        &["1:1 QP0330 there is no loop to break | `break` leaves `do … od` and `for`"],
    );
    statements_refuse(
        "goto out; outt: skip",
        &["1:6 QP0329 there is no label `out` here | did you mean `outt`?"],
    );
    statements_refuse(
        "x: skip",
        &["1:1 QP0329 the label `x` has the name of a variable | give it another name"],
    );
    statements_refuse(
        "l: skip; l: skip",
        &["1:10 QP0329 there are two labels `l` | give one of them another name"],
    );
}

#[test]
fn a_d_step_is_closed() {
    let help = "a `d_step` is one step: it is entered at its beginning and left at its end";
    let into = format!("1:6 QP0330 this jump goes into or out of a `d_step` | {help}");
    statements_refuse("goto l; d_step { skip; l: skip }", &[&into]);
    let out = format!("1:24 QP0330 this `break` goes out of a `d_step` | {help}");
    statements_refuse("do :: d_step { skip;   break } od", &[&out]);
    check("d_step { do :: break od; goto l; l: skip }", "d_step { do :: break od; goto l; l: 1 }");
}

#[test]
fn one_else() {
    statements_refuse(
        "if :: else -> skip :: else fi",
        &[
            "1:23 QP0331 there are two `else` in one choice | `else` is possible if no other option is, so there can be one",
        ],
    );
}

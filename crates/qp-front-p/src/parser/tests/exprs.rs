use super::{good, print};
use crate::ast::{Decl, StmtKind};

/// How an expression is read.
fn reads(text: &str, expect: &str) {
    let file = good(&format!("fun f() {{ return {text}; }}"));
    let Decl::Function(function) = &file.decls[0] else { panic!("no function") };
    let StmtKind::Return(Some(value)) = &function.body.as_ref().unwrap().stmts[0].kind else {
        panic!("no value");
    };
    assert_eq!(print::expr(value), expect, "{text}");
}

#[test]
fn operators_bind_as_in_the_grammar_of_p() {
    reads("a + b * c", "(a + (b * c))");
    reads("a * b + c", "((a * b) + c)");
    reads("a - b - c", "((a - b) - c)");
    reads("a / b % c", "((a / b) % c)");
    reads("a < b == c > d", "((a < b) == (c > d))");
    reads("a <= b != c >= d", "((a <= b) != (c >= d))");
    reads("a == b && c || d", "(((a == b) && c) || d)");
    reads("a || b && c", "(a || (b && c))");
    reads("a || b ==> c <==> d", "(((a || b) ==> c) <==> d)");
    reads("a ==> b ==> c", "((a ==> b) ==> c)");
    reads("a <==> b ==> c", "(a <==> (b ==> c))");
}

#[test]
fn casts_bind_between_sums_and_comparisons() {
    reads("a + b as int", "((a + b) as int)");
    reads("a as int + b", "((a as int) + b)");
    reads("x + a as int + b", "(((x + a) as int) + b)");
    reads("a < b to float", "(a < (b to float))");
    reads("a to int == b", "((a to int) == b)");
    reads("a as seq[int] as any", "((a as seq[int]) as any)");
}

#[test]
fn in_is_a_comparison() {
    reads("a + 1 in s", "((a + 1) in s)");
    reads("!a in s", "((!a) in s)");
    reads("!(a in s)", "(!(a in s))");
    reads("a in s && b in s", "((a in s) && (b in s))");
}

#[test]
fn signs_bind_weaker_than_accesses_only() {
    reads("-a * b", "((-a) * b)");
    reads("-a.x", "(-(a.x))");
    reads("!a[1]", "(!(a[1]))");
    reads("- - 1", "(-(-1))");
    reads("!!a && b", "((!(!a)) && b)");
    reads("a - -1", "(a - (-1))");
    reads("-f(x)", "(-f(x))");
}

#[test]
fn positions_are_not_fractions() {
    reads("t.0", "(t.0)");
    reads("t.0.1", "((t.0).1)");
    reads("t.x.0[1].y", "((((t.x).0)[1]).y)");
    reads("f().0", "(f().0)");
    reads("(a, b).1", "(<a, b>.1)");
}

#[test]
fn numbers_have_fractions() {
    reads("42", "42");
    reads("1.5", "1.5");
    reads(".5", "0.5");
    reads("1.5 + .25", "(1.5 + 0.25)");
    reads("float(15, 1)", "150.0");
    reads("9223372036854775807", "9223372036854775807");
}

#[test]
fn parentheses_are_tuples_only_with_commas() {
    reads("(x)", "x");
    reads("((x))", "x");
    reads("(x,)", "<x>");
    reads("(x, y, z)", "<x, y, z>");
    reads("(a = 1,)", "<a=1>");
    reads("(a = 1, b = (2,))", "<a=1, b=<2>>");
    reads("(a == 1)", "(a == 1)");
}

#[test]
fn words_of_their_own() {
    reads("$", "$");
    reads("$$", "$$");
    reads("$ == $$", "($ == $$)");
    reads("this", "this");
    reads("null", "null");
    reads("halt", "halt");
    reads("true != false", "(true != false)");
    reads("choose()", "choose()");
    reads("choose(s)", "choose(s)");
    reads("keys(m)[0]", "(keys(m)[0])");
    reads("sizeof(values(m))", "sizeof(values(m))");
    reads("default((int, x))", "default(<int, x>)");
    reads("default((x: map[int, set[bool]]))", "default(<x: map[int, set[bool]]>)");
    reads("new M()", "new M()");
    reads("new M(1, a).x", "(new M(1, a).x)");
    reads("f(1, (a, b))", "f(1, <a, b>)");
}

#[test]
fn strings_have_escapes() {
    reads(r#""a\"b\\\n\q""#, r#""a\"b\\\nq""#);
    reads("\"two\nlines\"", r#""two\nlines""#);
    reads(r#"format("{0} {1}", a, 1 + 2)"#, r#"format("{0} {1}"; a, (1 + 2))"#);
    reads(r#"format("x")"#, r#"format("x"; )"#);
    reads(r#""a" + "b""#, r#"("a" + "b")"#);
}

#[test]
fn words_of_the_verifier_are_names_too() {
    reads("targets + is", "(targets + is)");
    reads("m.targets[sent]", "((m.targets)[sent])");
    reads("exists(x)", "exists(x)");
    reads("forall(x, y)", "forall(x, y)");
    reads("sent(e)", "sent(e)");
    reads("e is Req", "verifier is");
    reads("!e targets this && a", "((!verifier targets) && a)");
    reads("inflight e", "verifier inflight");
    reads("sent e == a", "(verifier sent == a)");
    reads("a && forall (x: int, y: T) :: x == y || a", "(a && verifier forall)");
    reads("exists new (x: machine) :: x == y", "verifier exists");
}

#[test]
fn spans_cover_parentheses() {
    let text = "fun f() { return (a) + b; }";
    let file = good(text);
    let Decl::Function(function) = &file.decls[0] else { panic!("no function") };
    let stmt = &function.body.as_ref().unwrap().stmts[0];
    let StmtKind::Return(Some(value)) = &stmt.kind else { panic!("no value") };
    assert_eq!(&text[value.span.range()], "(a) + b");
    assert_eq!(&text[stmt.span.range()], "return (a) + b;");
}

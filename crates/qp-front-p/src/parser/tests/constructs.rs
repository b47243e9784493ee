use super::{good, print, wrong};

/// How declarations are read.
fn reads(text: &str, expect: &str) {
    assert_eq!(print::file(&good(text)), expect, "{text}");
}

/// How what is in a machine is read.
fn member(text: &str, expect: &str) {
    reads(&format!("machine M {{ {text} }}"), &format!("machine M {{ {expect} }}"));
}

/// How what is in a state is read.
fn item(text: &str, expect: &str) {
    member(&format!("state S {{ {text} }}"), &format!("state S {{ {expect} }}"));
}

/// How statements are read.
fn stmts(text: &str, expect: &str) {
    reads(&format!("fun f() {{ {text} }}"), &format!("fun f() {{ {expect} }}"));
}

#[test]
fn types() {
    reads("type T;", "type T");
    reads("type T = (machine);", "type T = <machine>");
    reads("type Pair = (I1, I2);", "type Pair = <I1, I2>");
    reads("type R = (x: int, y: seq[bool]);", "type R = <x: int, y: seq[bool]>");
    reads("type T = map[(a: any), set[data]];", "type T = map[<a: any>, set[data]]");
    reads("type T = (float, string, event);", "type T = <float, string, event>");
}

#[test]
fn enums() {
    reads("enum E { A, B }", "enum E A, B");
    reads("enum E { A = 1, B = 20 }", "enum E A=1, B=20");
}

#[test]
fn events() {
    reads("event E;", "event E");
    reads("event E: (int, x);", "event E: <int, x>");
    reads("event E assert 3;", "event E assert 3");
    reads("event E assume 0 : int;", "event E assume 0: int");
    reads("eventset S = { A, halt };", "eventset S = A, halt");
}

#[test]
fn interfaces() {
    reads("interface I() receives;", "interface I() receives ");
    reads("interface I((int, J)) receives A, B;", "interface I(<int, J>) receives A, B");
    reads("type I(int) = { A, B };", "interface I(int) receives A, B");
}

#[test]
fn machines() {
    reads("machine M { }", "machine M {  }");
    reads("machine M assume 4 { }", "machine M assume 4 {  }");
    reads("machine M receives A, B; sends; sends C; { }", "machine M receives A, B sends C {  }");
    reads("spec S observes A, halt { }", "spec S observes A, halt {  }");
    reads("scenario S observes A { }", "scenario S observes A {  }");
}

#[test]
fn members() {
    member("var a, b: int; var c: T;", "var a: int; var b: int; var c: T;");
    member("fun f(x: int, y: T): bool { }", "fun f(x: int, y: T): bool {  }");
    member("start hot state A { } cold state B { }", "start hot state A {  } cold state B {  }");
    member("state A { } var x: int;", "var x: int; state A {  }");
}

#[test]
fn functions() {
    reads("fun f();", "fun f();");
    reads("fun f(x: int): T;", "fun f(x: int): T;");
    reads("fun f() creates M, N;", "fun f();");
    reads("fun f(): int creates M { return 1; }", "fun f(): int { return 1; }");
    reads("fun f(x: int) return (r: T); requires x > 1; ensures r == x;", "fun f(x: int): T;");
    reads("pure f(x: int): int = x + 1;", "pure f(x: int): int { return (x + 1); }");
    reads("pure f(): int;", "pure f(): int;");
}

#[test]
fn lines_of_states() {
    item("entry f;", "entry f;");
    item("entry { }", "entry {  }");
    item("entry (x: int) { }", "entry (x: int) {  }");
    item("exit f; exit { }", "exit f; exit {  }");
    item("defer A, halt;", "defer A, halt;");
    item("ignore A;", "ignore A;");
    item("on A, null do f;", "on A, null do f;");
    item("on halt do (x: int) { }", "on halt do (x: int) {  }");
    item("on A goto S;", "on A goto S;");
    item("on A goto S with f;", "on A goto S with f;");
    item("on A goto S with (x: T) { }", "on A goto S with (x: T) {  }");
    item("on A, B push S;", "on A, B push S;");
}

#[test]
fn assignments() {
    stmts("x = 1;", "x = 1;");
    stmts("x.a.0[i] = y;", "(((x.a).0)[i]) = y;");
    stmts("m += (k, v);", "m insert k, v;");
    stmts("s += (v);", "s add v;");
    stmts("s += ((v, w));", "s add <v, w>;");
    stmts("s.f -= 1 + 2;", "(s.f) remove (1 + 2);");
    stmts("s -= (v);", "s remove v;");
}

#[test]
fn simple_statements() {
    stmts("var x: int; ;", "var x: int; ;");
    stmts("assert x, \"y\"; assert x == 1;", "assert x, \"y\"; assert (x == 1);");
    stmts("assume (x), \"y\" + \"z\";", "assume x, (\"y\" + \"z\");");
    stmts("print x; print \"{0}\", x;", "print x; print format(\"{0}\"; x);");
    stmts("return; return x;", "return; return x;");
    stmts("break; continue; pop;", "break; continue; pop;");
    stmts("new M(1); f(); f(x, y);", "new M(1); f(); f(x, y);");
    stmts("raise e; raise(e); raise e, 1, 2;", "raise e <>; raise e <>; raise e <1, 2>;");
    stmts("send m, e; send m.0, e, x, y;", "send m, e <>; send (m.0), e <x, y>;");
    stmts("announce e, 1;", "announce e <1>;");
    stmts("goto S; goto S, (1, 2);", "goto S <>; goto S <<1, 2>>;");
}

#[test]
fn statements_with_parts() {
    stmts("{ x = 1; { } }", "{ x = 1; {  } }");
    stmts("while (x < 1) x = 2;", "while (x < 1) x = 2;");
    stmts("foreach (x in s) { f(x); }", "foreach x in s { f(x); }");
    stmts("foreach (x in s) invariant x > 1; invariant y; f(x);", "foreach x in s f(x);");
    stmts("if (a) b(); else if (c) d(); else { }", "if a b(); else if c d(); else {  }");
    stmts("if (a) if (b) c(); else d();", "if a if b c(); else d();");
    stmts(
        "receive { case A: { } case B, null: (x: int) { f(x); } }",
        "receive { case A: {  } case B, null: (x: int) { f(x); } }",
    );
}

#[test]
fn words_of_one_dialect_are_names_in_the_other() {
    stmts(
        "pop = push; assume = group; assume.x = 1;",
        "pop = push; assume = group; (assume.x) = 1;",
    );
    stmts("foreach (x in s) invariant = x;", "foreach x in s invariant = x;");
    stmts("prove(swap, move); main(safe);", "prove(swap, move); main(safe);");
    member(
        "var wise, param, init, pure, using: int;",
        "var wise: int; var param: int; var init: int; var pure: int; var using: int;",
    );
    reads(
        "event invariant; event axiom: (exists: int);",
        "event invariant\nevent axiom: <exists: int>",
    );
}

#[test]
fn modules() {
    reads("module A = { M, N -> I };", "module A = {M, N->I}");
    reads("module A = B;", "module A = B");
    reads("module A = union B, { M };", "module A = (union B, {M})");
    reads("module A = (compose B, (union C, D), E);", "module A = (compose B, (union C, D), E)");
    reads("module A = compose B, union C, D;", "module A = (compose B, (union C, D))");
    reads("module A = hidee E, halt in B;", "module A = (hidee E, halt in B)");
    reads("module A = hidei I, J in B;", "module A = (hidei I, J in B)");
    reads("module A = (assert S, T in B);", "module A = (assert S, T in B)");
    reads("module A = rename I to J in B;", "module A = (rename I to J in B)");
    reads("module A = main M in B;", "module A = (main M in B)");
}

#[test]
fn tests() {
    reads("test T [main = M]: { M };", "test T main M: {M}");
    reads("test T: main M in { M };", "test T old main M: {M}");
    reads("test T: (main M in { M });", "test T old main M: {M}");
    reads("test T: A;", "test T: A");
    reads("test T [main = M]: A refines B;", "test T main M: A refines B");
    reads("implementation I [main = M]: A;", "implementation I main M: A");
    reads("implementation I: A;", "implementation I: A");
}

#[test]
fn tests_with_parameters() {
    reads("param a, b: int;", "param a, b: int");
    reads(
        "test param (a in [1, -2], b in [true, false]) T [main = M]: A;",
        "test a in [1, -2] b in [true, false] T main M: A",
    );
    reads(
        "test param (a in [1]) assume a > b pairwise T [main = M]: A;",
        "test a in [1] assume (a > b) wise 2 T main M: A",
    );
    reads(
        "test param (a in [1]) assume a == b (3 wise) T [main = M]: A;",
        "test a in [1] assume (a == b) wise 3 T main M: A",
    );
    reads("test param [main = M]: A;", "test param main M: A");
    reads("test pairwise [main = M]: A;", "test pairwise main M: A");
    reads("test assume [main = M]: A;", "test assume main M: A");
}

#[test]
fn declarations_for_the_verifier() {
    reads("invariant i: a == b;", "verifier invariant");
    reads("axiom a;", "verifier axiom");
    reads("init-condition a == b;", "verifier init-condition");
    reads("Lemma l { invariant i: a; }", "verifier Lemma");
    reads("Theorem t { }", "verifier Theorem");
    reads(
        "Proof p { prove i using j except k; prove * using *; prove default; }",
        "verifier Proof",
    );
    reads("Proof { }", "verifier Proof");
}

#[test]
fn spaces_comments_and_marks_are_skipped() {
    reads("\u{feff}event A; // x\r\n/* y\n * z */ event B;\r\n", "event A\nevent B");
    reads("", "");
    reads("// only this", "");
}

#[test]
fn places_count_from_the_base() {
    let mut complaints = qp_base::Complaints::new(crate::codes::MORE);
    let file = super::parse("event A;\nevent 1;", 1000, &mut complaints);
    let crate::ast::Decl::Event { name, .. } = &file.decls[0] else { panic!("no event") };
    assert_eq!(name.span, qp_base::Span::new(1006..1007));
    assert_eq!(complaints.finish()[0].primary.span, qp_base::Span::new(1015..1016));
}

#[test]
fn old_words_are_refused_by_name() {
    let help = "remove the word: values are copied when they are handed over";
    assert_eq!(
        wrong("fun f() { g(x swap, y); x = y move; }"),
        [
            format!("1:15 QP0205 `swap` is not supported | {help}"),
            format!("1:31 QP0205 `move` is not supported | {help}"),
        ]
    );
    let help = "name the machine `Main`, or write `test Name [main = Machine]: { Machine };`";
    assert_eq!(
        wrong("main machine M { }"),
        [format!("1:1 QP0205 `main machine` is no longer P | {help}")]
    );
    assert_eq!(
        wrong("include \"a.p\"\nmodel type T; static fun f() { }"),
        [
            "1:1 QP0205 `include` is no longer P | name all files on the command line or in a project file",
            "2:1 QP0205 this word is no longer P | remove it",
            "2:15 QP0205 this word is no longer P | remove it",
        ]
    );
    let help = "take the states out of the group and give them names of their own";
    assert_eq!(
        wrong("machine M { group G { state S { } } model fun f() { } }"),
        [
            format!("1:13 QP0205 groups of states are not supported | {help}"),
            "1:37 QP0205 this word is no longer P | remove it".to_owned(),
        ]
    );
    let help = "take the states out of the group and write the name of the state alone";
    assert_eq!(
        wrong("fun f() { goto G.S; }"),
        [format!("1:16 QP0205 groups of states are not supported | {help}")]
    );
    let help = "remove the brackets and what is between them";
    assert_eq!(
        wrong("event E: int [x = y];\nmachine M [a] { [b]\nstate S { [c] } }"),
        [
            format!("1:14 QP0205 annotations of an event are no longer P | {help}"),
            format!("2:11 QP0205 annotations of a machine are no longer P | {help}"),
            format!("2:17 QP0205 annotations of a machine are no longer P | {help}"),
            format!("3:11 QP0205 annotations of a state are no longer P | {help}"),
        ]
    );
    assert_eq!(
        wrong("machine M : I, J { }"),
        [
            "1:11 QP0205 interfaces after the name of a machine are no longer P | bind the machine to its interface in a module: `{ Machine -> Interface }`"
        ]
    );
    assert_eq!(
        wrong("fun f() { monitor e, 1; }"),
        ["1:11 QP0205 `monitor` is no longer P | write `announce e, v;`"]
    );
}

//! Macros, conditions and included files, with the places of what comes out.

use std::collections::BTreeMap;

use crate::{Options, read};

use super::{Files, good, place, print, reading, refuses, said};

fn check(text: &str, expect: &str) {
    let spec = good(text);
    let last = spec.procs.iter().last().unwrap();
    assert_eq!(print::block(&spec, &last.body), expect, "{text}");
}

#[test]
fn macros_without_parameters() {
    check("#define N 3\n#define M (N + 1)\nbyte x; init { x = M * N }", "x = ((3+1)*3)");
}

#[test]
fn macros_with_parameters() {
    check(
        "#define max(a, b) (a > b -> a : b)\nbyte x; init { x = max(x, max(1, 2)) }",
        "x = ((x>((1>2) -> 1 : 2)) -> x : ((1>2) -> 1 : 2))",
    );
    check("#define f() 1\nbyte x; init { x = f() + f ( ) }", "x = (1+1)");
    check("#define f(a) a\nbyte f; init { f = 1 }", "f = 1");
}

#[test]
fn a_space_before_the_parenthesis_means_no_parameters() {
    check("#define f (1)\nbyte x; init { x = f }", "x = 1");
}

#[test]
fn macros_are_not_expanded_in_themselves() {
    check("#define z z1\n#define z1 z\nbyte z, y; init { y = z }", "y = z");
}

#[test]
fn macros_over_several_lines() {
    check(
        "#define loop(b) do \\\n :: b \\\n :: else -> break \\\n od\nbyte x; init { loop(x > 1 -> x--); skip }",
        "do :: (x>1); x-- :: else; break od; 1",
    );
}

#[test]
fn words_are_joined_and_quoted() {
    let text = r#"
#define j(a, b) a ## b
#define s(a) #a
byte xy; init { j(x, y) = 1; printf(s(a "b")) }"#;
    check(text, r#"xy = 1; printf("a \"b\"")"#);
}

#[test]
fn definitions_end() {
    check("#define N 1\n#undef N\n#define N 2\nbyte x; init { x = N }", "x = 2");
}

#[test]
fn conditions() {
    let choose =
        "#if A > 1 && defined(B)\n x = 1\n#elif !defined C\n x = 2\n#else\n x = 3\n#endif\n";
    let model = |defines: &str| format!("{defines}byte x; init {{\n{choose}}}");
    check(&model("#define A 2\n#define B\n"), "x = 1");
    check(&model("#define A 2\n"), "x = 2");
    check(&model("#define C\n"), "x = 3");
    check(
        "#if 0\n#if 1\n ' \" garbage\n#else\n@\n#endif\n#else\nbyte x;\n#endif\ninit { x = (1) }",
        "x = 1",
    );
    check("#ifdef A\nint y;\n#endif\n#ifndef A\nint x;\n#endif\ninit { x = 1 }", "x = 1");
    check("#if (3 * 2 - 1) % 4 == 1 ? 0 : 1\n#else\ninit { skip }\n#endif", "1");
}

#[test]
fn comments_and_markers() {
    let text = "/* a */\n# 12 \"f\"\n#line 3\n// c\nbyte x; init { x /* y\n */ = 1 // z\n }";
    check(text, "x = 1");
}

#[test]
fn lines_may_end_with_a_carriage_return() {
    check(
        "#define N \\\r\n 3\r\n/* c\r\n */\r\nbyte x;\r\ninit {\r\n x = N\r\n x++\r\n}\r\n",
        "x = 3; x++",
    );
}

#[test]
fn definitions_of_the_command_line() {
    let defines = vec![("N".to_owned(), "3".to_owned()), ("f(a)".to_owned(), "a + N".to_owned())];
    let reading = read(
        "model.pml",
        "byte x; init { x = f(1) }",
        &Files(BTreeMap::new()),
        &Options { defines },
    );
    assert_eq!(said(&reading), [""; 0]);
    let spec = reading.spec.unwrap();
    assert_eq!(print::block(&spec, &spec.procs.as_slice()[0].body), "x = (1+3)");
}

#[test]
fn included_files() {
    let files = Files(BTreeMap::from([
        ("a.h", "#include \"b.h\"\nbyte x;\n"),
        ("b.h", "#define N 7\nbyt y;"),
    ]));
    let text = "#include \"a.h\"\ninit { x = N; z = 1 }";
    let reading = read("model.pml", text, &files, &Options::default());
    let expect = [
        "2:15 QP0312 the name `z` is not declared | declare it before it is used",
        "b.h:2:1 QP0302 expected a declaration, found `byt` | begin it with a type, `proctype`, `init`, …",
    ];
    assert_eq!(said(&reading), expect);
}

#[test]
fn a_missing_file_has_its_place() {
    refuses(
        "byte x;\n#include \"none.h\"\ninit { skip }",
        &[
            "2:1 QP0308 the included file `none.h` cannot be read | names are looked up beside the file that includes them",
        ],
    );
}

#[test]
fn a_file_cannot_include_itself_for_ever() {
    let files = Files(BTreeMap::from([("a.h", "#include \"a.h\"\n#include \"a.h\"\n")]));
    let reading = read("model.pml", "#include \"a.h\"\ninit { skip }", &files, &Options::default());
    assert_eq!(
        said(&reading)[0],
        "a.h:1:1 QP0308 files include each other more than 40 levels deep | \
         a file may not include itself, unless an `#ifndef` around it ends that"
    );
}

#[test]
fn what_a_macro_gives_stands_where_it_is_used() {
    let reading = reading("#define BAD zz +\nbyte x;\ninit {\n  x = BAD 1\n}");
    assert_eq!(
        said(&reading),
        ["4:7 QP0312 the name `zz` is not declared | declare it before it is used"]
    );
    let also = &reading.diagnostics[0].secondary[0];
    assert_eq!(place(&reading.source, also.span.start), "1:9");
    assert_eq!(also.text, "the macro `BAD` is defined here");
}

#[test]
fn arguments_of_macros_stand_where_they_are_written() {
    refuses(
        "#define f(a) (a + 1)\nbyte x;\ninit { x = f(zz) }",
        &["3:14 QP0312 the name `zz` is not declared | declare it before it is used"],
    );
}

#[test]
fn a_macro_is_one_line() {
    check(
        "#define f(a, b) a; b\nbyte x; init {\n f(x = 1,\n   x = 2)\n x = 3 }",
        "x = 1; x = 2; x = 3",
    );
}

#[test]
fn broken_directives() {
    refuses(
        "#if 1\ninit { skip }",
        &["1:1 QP0307 this condition does not end | end it with `#endif`"],
    );
    refuses("#endif\ninit { skip }", &["1:1 QP0307 `#endif` has no `#if`"]);
    refuses(
        "#defin N\ninit { skip }",
        &["1:1 QP0307 there is no directive `#defin` | did you mean `define`?"],
    );
    refuses("#error no way\ninit { skip }", &["1:1 QP0307 the model says: no way"]);
    refuses(
        "#if 1 +\n#endif\ninit { skip }",
        &["1:1 QP0311 this condition cannot be worked out | \
           use numbers, macros that stand for numbers, `defined` and operators"],
    );
}

#[test]
fn broken_uses_of_macros() {
    refuses(
        "#define f(a) a\ninit { f(1, 2) }",
        &["2:8 QP0309 the macro `f` takes 1 argument, but there are 2 | \
           an argument with commas needs parentheses around it"],
    );
    refuses(
        "#define f(a) a\ninit { f(1 }",
        &[
            "2:8 QP0309 the arguments of `f` do not end | every `(` needs a `)`",
            "2:13 QP0302 expected `}`, found the end of the file | every `{` needs a `}`",
        ],
    );
}

#[test]
fn macros_cannot_grow_for_ever() {
    let double = |n: u32| format!("#define m{n} m{0} m{0}", n - 1);
    let lines: Vec<String> = (1..40).map(double).collect();
    let text = format!("#define m0 1 +\n{}\nbyte x; init {{ x = m39 1 }}", lines.join("\n"));
    let said = said(&reading(&text));
    assert!(
        said[0].contains("QP0310 macros and included files make more than 1000000 words"),
        "{said:?}"
    );
}

#[test]
fn characters_in_conditions_are_numbers() {
    check("#define X '3'\n#if X == '3' && '\\n' == 10\nbyte x; init { x = 1 }\n#endif", "x = 1");
}

#[test]
fn long_arrows_and_ends_of_comments_are_read_as_spin_reads_them() {
    check("/* a /* b */ */ byte x; init { x == 1 --> x = 2 }", "(x==1); x = 2");
}

/// A compiler for C says so too.
#[test]
fn definitions_of_the_command_line_are_overruled_with_a_warning() {
    let overruled = |text: &str| {
        let options = Options { defines: vec![("N".to_owned(), "7".to_owned())] };
        said(&read("model.pml", text, &Files(BTreeMap::new()), &options))
    };
    let message = "this overrules the definition of `N` by `-D` | the model has its own value, and `7` is \
                   not used: put `#ifndef N` before this line and `#endif` behind it";
    let expect = format!("1:9 warning QP0346 {message}");
    assert_eq!(overruled("#define N 4\ninit { skip }"), [expect]);
    for same in ["#define N 7", "#undef N\n#define N 4", "#ifndef N\n#define N 4\n#endif"] {
        assert_eq!(overruled(&format!("{same}\ninit {{ skip }}")), [""; 0], "{same}");
    }
}

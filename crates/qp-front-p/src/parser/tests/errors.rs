use super::{good, read, wrong};

/// All that is wrong with a text.
fn says(text: &str, expect: &[&str]) {
    assert_eq!(wrong(text), expect, "{text}");
}

/// What is wrong with a statement; columns count from its beginning.
fn stmt_says(text: &str, expect: &[&str]) {
    says(&format!("fun f() {{\n{text}\n}}"), expect);
}

#[test]
fn a_missing_semicolon_is_reported_where_it_belongs() {
    let help = "statements end with `;`";
    stmt_says("x = 1\ny = 2;", &[&format!("2:6 QP0202 expected `;`, found `y` | {help}")]);
    stmt_says("send m, e\n", &[&format!("2:10 QP0202 expected `;`, found `}}` | {help}")]);
    stmt_says("x = a b; y = 1;", &[&format!("2:6 QP0202 expected `;`, found `b` | {help}")]);
    stmt_says(
        "return\nif (a) b();",
        &["2:7 QP0202 expected `;`, found the keyword `if` | statements end with `;`"],
    );
    says(
        "event A\nevent B;",
        &[
            "1:8 QP0202 expected `;`, found the keyword `event` | write `event Name;` or `event Name: type;`",
        ],
    );
}

#[test]
fn reading_goes_on_after_an_error() {
    let (file, found) = read(
        "event A: ;\nmachine M {\n var x int;\n state S {\n on A doo f;\n entry { x = ; y = 1; }\n }\n}\nevent B;",
    );
    assert_eq!(found.len(), 4);
    assert_eq!(file.decls.len(), 2);
}

#[test]
fn keywords_cannot_be_names() {
    says(
        "event send;",
        &[
            "1:7 QP0202 the keyword `send` cannot be the name of an event | write `event Name;` or `event Name: type;`",
        ],
    );
    stmt_says(
        "x.type = 1;",
        &[
            "2:3 QP0202 the keyword `type` cannot be the name of a field | write `value.field` or `value.0`",
        ],
    );
}

#[test]
fn misspelt_words_are_guessed() {
    says(
        "machin M { state S { } }",
        &["1:1 QP0202 expected a declaration, found `machin` | did you mean `machine`?"],
    );
    says(
        "machine M { sate S { } }",
        &[
            "1:13 QP0202 expected `var`, `fun`, a state or `}`, found `sate` | did you mean `state`?",
        ],
    );
    says(
        "machine M { state S { enrty { x = 1; } on A goto S; } }",
        &[
            "1:23 QP0202 expected `entry`, `exit`, `on`, `defer`, `ignore` or `}`, found `enrty` | did you mean `entry`?",
        ],
    );
    stmt_says(
        "retrun x;",
        &["2:8 QP0202 expected `=`, `+=`, `-=` or `(`, found `x` | did you mean `return`?"],
    );
}

#[test]
fn a_missing_brace_is_reported_once() {
    let text = "machine M {\n state S {\n entry {\n if (a) {\n x = 1;\n }\n on A do f;\n }\n state T { }\n}";
    let (file, found) = read(text);
    assert_eq!(
        wrong(text),
        ["7:2 QP0202 expected a statement or `}`, found the keyword `on` | every `{` needs a `}`"]
    );
    assert_eq!(found[0].secondary[0].text, "opened here");
    assert_eq!(file.decls.len(), 1);
    says(
        "machine M {\n state S {\n entry { f();",
        &[
            "3:14 QP0202 expected a statement or `}`, found the end of the file | every `{` needs a `}`",
        ],
    );
    says(
        "machine M { state S { }\nevent A;",
        &[
            "2:1 QP0202 expected `var`, `fun`, a state or `}`, found the keyword `event` | every `{` needs a `}`",
        ],
    );
}

#[test]
fn a_brace_too_many_is_reported_once_per_level() {
    let text = "machine M {\n state S {\n entry { } }\n on A do f;\n on B do g;\n }\n";
    says(
        text,
        &[
            "4:2 QP0202 `on` stands outside of any state | put it into a state; perhaps a `}` before it is one too many",
        ],
    );
    says(
        "event A; }",
        &[
            "1:10 QP0202 expected a declaration, found `}` | perhaps a `}` before it is one too many",
        ],
    );
    says(
        "machine M { };",
        &["1:14 QP0202 expected a declaration, found `;` | no `;` follows a closing `}`"],
    );
}

#[test]
fn broken_conditions_do_not_hide_their_statement() {
    stmt_says(
        "if (x = 1) { y = ; } else { z = 1; }",
        &[
            "2:7 QP0202 expected `)`, found `=` | `=` assigns; compare with `==`",
            "2:18 QP0202 expected an expression, found `;` | an expression is a name, a number, a string, a call, `(...)`, or one of them with operators",
        ],
    );
    stmt_says(
        "while (x < ) { }",
        &[
            "2:12 QP0202 expected an expression, found `)` | an expression is a name, a number, a string, a call, `(...)`, or one of them with operators",
        ],
    );
    stmt_says(
        "while x { }",
        &["2:7 QP0202 expected `(`, found `x` | write `while (condition) { ... }`"],
    );
}

#[test]
fn insertions_need_parentheses() {
    let help = "`+=` puts something into a collection: `s += (x);` or `m += (key, x);`; for numbers write `x = x + 1;`";
    stmt_says("x += 1;", &[&format!("2:6 QP0202 expected `(`, found `1` | {help}")]);
    stmt_says(
        "s += (a = 1, b = 2);",
        &[
            "2:9 QP0202 expected `,` or `)`, found `=` | a tuple needs its own parentheses here: `s += ((x = 1, y = 2));`",
        ],
    );
}

#[test]
fn variables_come_first() {
    stmt_says(
        "x = 1;\nvar x: int;",
        &[
            "3:1 QP0202 variables are declared before the first statement of a body | move the declaration to the beginning of the body",
        ],
    );
    stmt_says(
        "var x: int = 5;\ny = 1;",
        &[
            "2:11 QP0202 expected `;`, found `=` | a declaration has no value: assign it in a statement",
        ],
    );
}

#[test]
fn null_is_no_event_of_a_list() {
    let help = "`null` is possible after `on` and `case` only";
    says(
        "machine M { state S { defer null; } }",
        &[&format!("1:29 QP0202 `null` stands for no event, so it cannot be listed here | {help}")],
    );
}

#[test]
fn an_exit_has_no_parameter() {
    says(
        "machine M { state S { exit (x: int) { } entry { } } }",
        &[
            "1:28 QP0202 expected the name of a function or a body, found `(` | what runs at the exit of a state has no parameter",
        ],
    );
}

#[test]
fn enums_are_numbered_or_not() {
    let help = "give a number to every element or to none";
    says(
        "enum E { A = 1, B }",
        &[&format!("1:17 QP0202 `B` has no number, but `A` has one | {help}")],
    );
    says(
        "enum E { A, B = 1 }",
        &[&format!("1:13 QP0202 `B` has a number, but `A` has none | {help}")],
    );
}

#[test]
fn numbers_have_a_limit() {
    stmt_says(
        "x = 9223372036854775808;",
        &[
            "2:5 QP0204 the number `9223372036854775808` is too large | the largest number is 9223372036854775807",
        ],
    );
    says(
        "event E assert 4294967296;",
        &["1:16 QP0204 this number is too large | the largest number here is 4294967295"],
    );
}

#[test]
fn garbage_is_reported_once() {
    says(
        "event A@@?@;",
        &["1:8 QP0201 `@@?@` means nothing in P | remove it, or put it into a comment"],
    );
    stmt_says(
        "x = #;",
        &["2:5 QP0201 `#` means nothing in P | remove it, or put it into a comment"],
    );
    says("machine M { /* x", &["1:13 QP0201 this comment does not end | end it with `*/`"]);
    stmt_says("print \"abc;\ny = 1;", &["2:7 QP0201 this string does not end | end it with `\"`"]);
    says(
        "a & b",
        &[
            "1:1 QP0202 expected a declaration, found `a` | a file is made of `event`, `type`, `enum`, `machine`, `spec`, `fun`, `module`, `test`, and so on",
            "1:3 QP0201 `&` means nothing in P | remove it, or put it into a comment",
        ],
    );
}

#[test]
fn broken_cases_are_skipped_alone() {
    stmt_says(
        "receive { case : { } case A { } case B: { x = ; } }",
        &[
            "2:16 QP0202 expected the name of an event, found `:` | events are names with commas between them",
            "2:29 QP0202 expected `,` or `:`, found `{` | write `case event: { ... }`",
            "2:47 QP0202 expected an expression, found `;` | an expression is a name, a number, a string, a call, `(...)`, or one of them with operators",
        ],
    );
    stmt_says(
        "receive { }",
        &[
            "2:11 QP0202 expected `case`, found `}` | write `receive { case event: (payload: type) { ... } }`",
        ],
    );
}

#[test]
fn tuples_of_one_field_need_a_comma() {
    stmt_says(
        "x = (a = 1);",
        &[
            "2:11 QP0202 expected `,`, found `)` | write `(x = e, y = f)`, or `(x = e,)` for a tuple of one",
        ],
    );
}

#[test]
fn states_begin_with_start() {
    says(
        "machine M { hot start state S { } }",
        &[
            "1:17 QP0202 expected `state`, found the keyword `start` | `start` comes first: `start hot state S { ... }`",
        ],
    );
}

#[test]
fn nesting_has_a_limit() {
    let deep = |open: &str, middle: &str, close: &str, n| {
        format!("fun f() {{ {}{middle}{} }}", open.repeat(n), close.repeat(n))
    };
    for (open, middle, close) in [("{", "", "}"), ("if (a) ", "b();", "")] {
        good(&deep(open, middle, close, 150));
        let found = wrong(&deep(open, middle, close, 100_000));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("QP0203 this is nested more than 200 levels deep"), "{found:?}");
    }
    let value = |text: String| format!("fun f() {{ x = {text}; }}");
    for text in [
        format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{}a", "!".repeat(100_000)),
        format!("a{}", ".x".repeat(100_000)),
        format!("a{}", " + a".repeat(100_000)),
        format!("a{}", " as int".repeat(100_000)),
        format!("default({}", "seq[".repeat(100_000)),
        format!("{}a", "f(".repeat(100_000)),
    ] {
        let found = wrong(&value(text));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("QP0203 this is nested more than 200 levels deep"), "{found:?}");
    }
    good(&value(format!("a{}", " + a".repeat(150))));
    // Chains in parentheses add up.
    let mut chain = "a".to_owned();
    for _ in 0..100 {
        chain = format!("({chain} + a + a + a)");
    }
    assert_eq!(wrong(&value(chain)).len(), 1);
    assert_eq!(wrong(&format!("module M = {}", "(".repeat(100_000))).len(), 1);
}

#[test]
fn there_is_a_limit_to_what_is_reported() {
    let found = wrong(&"event 1;\n".repeat(1000));
    assert_eq!(found.len(), 21);
    assert!(found[20].contains("QP0209 there are more; the first 20 are shown"), "{}", found[20]);
}

#[test]
fn habits_of_other_languages_get_a_hint() {
    stmt_says(
        "x++;",
        &[
            "2:2 QP0202 expected `=`, `+=`, `-=` or `(`, found `+` | write `x = x + 1;` or `x = x - 1;`",
        ],
    );
    stmt_says(
        "int x = 5; y = 1;",
        &[
            "2:1 QP0202 expected a statement, found the keyword `int` | variables are declared at the beginning of a body: `var x: int;`",
        ],
    );
    stmt_says(
        "for (i = 0; i < 3; i = i + 1) { f(); }",
        &[
            "2:1 QP0202 P has no `for` with a counter | write `while (...) { ... }` or `foreach (x in ...) { ... }`",
        ],
    );
    stmt_says(
        "if (a) { } elseif (b) { }",
        &[
            "2:22 QP0202 expected `;`, found `{` | before a block stands `if (...)`, `else if (...)`, `while (...)` or `foreach (x in ...)`",
        ],
    );
    says(
        "machine M { int x; int f() { } }",
        &[
            "1:13 QP0202 expected `var`, `fun`, a state or `}`, found the keyword `int` | write `var x: int;` for a variable, `fun f(): int { ... }` for a function",
        ],
    );
}

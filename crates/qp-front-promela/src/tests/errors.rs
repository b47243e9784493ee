//! What is said about texts that cannot be read.

use super::{reading, refuses, said, statements_refuse};

#[test]
fn garbage() {
    refuses("byte $$x; init { skip }", &["1:6 QP0301 `$` means nothing in Promela | remove it"]);
    refuses("init { skip } /* open", &["1:15 QP0301 this comment does not end | end it with `*/`"]);
    refuses(
        "init { x = 'ab' }",
        &[
            "1:12 QP0301 this quote is not around one character | write `'a'` or `'\\n'`",
            "1:15 QP0301 this quote is not around one character | write `'a'` or `'\\n'`",
        ],
    );
}

#[test]
fn missing_pieces() {
    statements_refuse("x = ;\ny = 1", &["1:5 QP0302 expected a value, found `;`"]);
    statements_refuse(
        "if :: -> skip fi",
        &[
            "1:7 QP0302 expected a statement, found `->` | a separator stands between two statements",
        ],
    );
    statements_refuse(
        "x = 1 y = 2",
        &["1:7 QP0302 expected `;` or `->`, found `y` | statements are separated by `;` or `->`"],
    );
    statements_refuse(
        "if x -> skip fi",
        &["1:4 QP0302 expected `::`, found `x` | every option begins with `::`"],
    );
    statements_refuse(
        "do :: skip fi",
        &["1:12 QP0302 expected `od`, found the keyword `fi` | every `do` needs `od`"],
    );
    refuses(
        "init { skip",
        &["1:12 QP0302 expected `}`, found the end of the file | every `{` needs a `}`"],
    );
}

#[test]
fn empty_bodies() {
    refuses("init { }", &["1:8 QP0337 there is no statement in this body | write `skip`"]);
    statements_refuse(
        "atomic { }",
        &["1:8 QP0337 there is no statement in this block | write `skip`"],
    );
}

#[test]
fn embedded_c_is_refused_by_name() {
    let help = "what C code does cannot be known; express it in Promela";
    refuses(
        "c_decl { int x; };\nc_state \"int y\" \"Global\"\ninit { c_code { x = 1; }; c_expr { x > 0 } -> skip }",
        &[
            &format!("1:1 QP0305 `c_decl` is not supported | {help}"),
            &format!("2:1 QP0305 `c_state` is not supported | {help}"),
            &format!("3:8 QP0305 `c_code` is not supported | {help}"),
            &format!("3:27 QP0305 `c_expr` is not supported | {help}"),
        ],
    );
}

#[test]
fn numbers_have_an_end() {
    statements_refuse(
        "x = 99999999999999999999",
        &[
            "1:5 QP0304 the number `99999999999999999999` is too large | the largest number is 2147483647",
        ],
    );
}

#[test]
fn labels_need_statements() {
    statements_refuse(
        "l: byte z; skip",
        &[
            "1:4 QP0329 a declaration has no label | put the label behind the declaration, or `skip` between them",
        ],
    );
}

#[test]
fn nesting_has_an_end() {
    let help = "use variables for parts of it; nothing after this was read";
    let expect = |column: u32| {
        format!("1:{column} QP0303 this is nested more than 200 levels deep | {help}")
    };
    let text = format!("init {{ x = {}1{} }}", "(".repeat(500), ")".repeat(500));
    refuses(&text, &[&expect(211)]);
    let text = format!("byte x; init {{ x = 1{} }}", " + 1".repeat(500));
    refuses(&text, &[&expect(814)]);
    let text = format!("init {{ {}skip{} }}", "if :: ".repeat(500), " fi".repeat(500));
    refuses(&text, &[&expect(1208)]);
}

/// The deepest tree that is read must fit on a small stack.
#[test]
fn the_deepest_nesting_is_read() {
    let deep = |levels: usize| {
        let (open, close) = ("if :: { ".repeat(levels), " } fi".repeat(levels));
        let value = format!("{}x{}", "(x && ".repeat(levels), ")".repeat(levels));
        format!("byte x; init {{ {open}{value}{close} }} ltl {{ {}x }}", "[] ".repeat(levels))
    };
    let read = move || (super::good(&deep(38)), said(&reading(&deep(2000))));
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let (_, refused) = small.spawn(read).unwrap().join().unwrap();
    assert_eq!(refused.len(), 1, "{refused:?}");
}

mod random;

use qp_base::Diagnostic;

use super::*;

fn read(text: &str) -> Qutl {
    Qutl::parse(text, 0).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// Both texts are the same formula.
fn same(text: &str, plain: &str) {
    assert_eq!(read(text), read(plain), "{text} and {plain}");
}

fn first(name: &str) -> Qutl {
    Qutl::First(name.to_owned())
}

/// What is said about a text that begins at offset 10, and where.
fn refused(text: &str, message: &str, at: std::ops::Range<usize>) -> Diagnostic {
    let error = Qutl::parse(text, 10).expect_err(text);
    let span = error.primary.span.range();
    let found = (error.message.as_str(), span.start - 10..span.end - 10);
    assert_eq!(found, (message, at), "{text}");
    assert_eq!(error.code, Qutl::CODE);
    assert!(error.help.is_some(), "{text}");
    *error
}

#[test]
fn an_order_is_read() {
    let not_prime = Box::new(Qutl::Not(first("Prime").into()));
    let order = Qutl::Implies(first("Done").into(), Box::new(Qutl::Globally(not_prime)));
    assert_eq!(read("G (Done => G !Prime)"), Qutl::Globally(Box::new(order)));
}

#[test]
fn prefixes_bind_tightest_and_implication_loosest() {
    same("!a & b", "(!a) & b");
    same("G a & b", "(G a) & b");
    same("G !X a", "G (!(X (a)))");
    same("a | b & c", "a | (b & c)");
    same("a & b | c", "(a & b) | c");
    same("a | b => c & d", "(a | b) => (c & d)");
    same("!#a <= 1 & b", "(!(#a <= 1)) & b");
}

#[test]
fn implication_groups_to_the_right_and_the_others_to_the_left() {
    same("a => b => c", "a => (b => c)");
    same("a & b & c", "(a & b) & c");
    same("a | b | c", "(a | b) | c");
    assert_ne!(read("a => b => c"), read("(a => b) => c"));
}

#[test]
fn words_and_signs_mean_the_same() {
    same("not next weaknext eventually always a", "!X W F G a");
    same("a and b or c implies d", "a & b | c => d");
    same("a && b || c -> d", "a & b | c => d");
    same("¬a ∧ b ∨ c ⇒ d", "!a & b | c => d");
    same("#a ≤ 1 & #b ≥ 2 & #c == 3", "#a <= 1 & #b >= 2 & #c = 3");
    same("G(a)", "G a");
}

#[test]
fn readable_forms_are_short_for_others() {
    same("at most 2 a", "#a <= 2");
    same("at least 2 a", "#a >= 2");
    same("exactly 0 a", "#a = 0");
    same("a then never b", "G (a => G !b)");
    same("never a", "G !a");
    same("never (a & X b)", "G !(a & X b)");
    same("never a & at most 1 b", "(G !a) & #b <= 1");
}

#[test]
fn every_relation_is_read() {
    for (sign, relation) in [
        ("<", Relation::Less),
        ("<=", Relation::AtMost),
        ("=", Relation::Equal),
        (">=", Relation::AtLeast),
        (">", Relation::More),
    ] {
        assert_eq!(read(&format!("#a{sign}3")), Qutl::Count("a".to_owned(), relation, 3));
    }
}

#[test]
fn names_are_those_of_all_languages() {
    for name in ["a_1", "0", "a-b", "Mod.e", "a'b", "größe", "tok(0)", "e((a = 1, b = (2)))"] {
        assert_eq!(read(name), first(name));
        assert_eq!(read(name).to_string(), name);
    }
    same("a->b", "a => b");
    same("at most 1 2", "#2 <= 1");
    same("at most 1 most", "#\"most\" <= 1");
}

#[test]
fn any_name_can_stand_in_quotes() {
    for (text, name) in [
        ("\"G\"", "G"),
        ("\"answer<int>\"", "answer<int>"),
        ("\"a b\"", "a b"),
        (r#""say \"\\\n\"""#, "say \"\\\n\""),
        ("\"\"", ""),
    ] {
        assert_eq!(read(text), first(name));
        assert_eq!(read(text).to_string(), text);
    }
    same("\"a\" then never \"b\"", "a then never b");
}

#[test]
fn a_formula_prints_as_it_is_written() {
    for text in [
        "G (Done => G !Prime)",
        "!(#a <= 1)",
        "#a < 1",
        "a & b & (c & d)",
        "(a & b) | c | (d | e)",
        "a => (b => c)",
        "X W F G !true",
    ] {
        assert_eq!(read(text).to_string(), text);
    }
}

#[test]
fn mistakes_have_a_place() {
    refused("", "expected a formula, found the end of the formula", 0..0);
    refused("a &  ", "expected a formula, found the end of the formula", 3..3);
    refused("a b", "expected the end, found `b`", 2..3);
    refused("a ; b", "`;` means nothing in a formula", 2..3);
    refused("a ∃ b", "`∃` means nothing in a formula", 2..5);
    refused("(a | b", "expected `)` or an operator, found the end of the formula", 6..6);
    refused("a)", "expected the end, found `)`", 1..2);
    refused("x & a(1", "this parenthesis is not closed", 5..6);
    refused("x & \"a", "this name does not end", 4..5);
    refused("\"a\\b\"", "a name in quotes has a `\\` that stands for nothing", 2..3);
    refused("#a", "expected `<`, `<=`, `=`, `>=` or `>`, found the end of the formula", 2..2);
    refused("#a < b", "expected a number, found `b`", 5..6);
    refused("#a < 1.5", "expected a number, found `1.5`", 5..8);
    refused("#a < \"1\"", "expected a number, found `\"1\"`", 5..8);
    refused("at 2 a", "expected `most` or `least`, found `2`", 3..4);
    refused("a then b", "expected `never`, found `b`", 7..8);
    refused("#a <= 4294967296", "the number `4294967296` is too large", 6..16);
}

#[test]
fn a_message_with_a_reserved_name_is_explained() {
    let help = |text, message, at| refused(text, message, at).help.unwrap();
    let quotes = "for a message called `next`, write `\"next\"`";
    assert_eq!(help("G (next => a)", "expected a formula, found `=>`", 8..10), quotes);
    assert_eq!(help("#next <= 1", "expected the name of a message, found `next`", 1..5), quotes);
}

#[test]
fn high_formulas_are_refused() {
    let negated = |times| format!("{}a", "!".repeat(times));
    assert!(Qutl::parse(&negated(99), 0).is_ok());
    refused(&negated(100), "a formula has at most 100 levels", 0..1);
    let chain = |times| format!("a{}", " & a".repeat(times));
    assert!(Qutl::parse(&chain(99), 0).is_ok());
    refused(&chain(100), "a formula has at most 100 levels", 398..399);
    let nested = |times| format!("{}a{}", "(".repeat(times), ")".repeat(times));
    assert!(Qutl::parse(&nested(200), 0).is_ok());
    refused(&nested(201), "a formula has at most 100 levels", 200..201);
}

#[test]
fn the_highest_formulas_are_read_when_printed() {
    let highest = |layer: fn(Box<Qutl>) -> Qutl| {
        let mut formula = read("#a <= 1");
        for _ in 1..100 {
            formula = layer(Box::new(formula));
        }
        assert_eq!(read(&formula.to_string()), formula);
    };
    highest(Qutl::Not);
    highest(|f| Qutl::And(f, first("a").into()));
    highest(|f| Qutl::And(first("a").into(), f));
    highest(|f| Qutl::Or(first("a").into(), f));
    highest(|f| Qutl::Implies(first("a").into(), f));
    highest(|f| Qutl::Implies(f, first("a").into()));
}

#[test]
fn places_at_the_end_of_the_numbers_do_not_overflow() {
    let error = Qutl::parse("a & ;", u32::MAX - 2).unwrap_err();
    assert_eq!(error.primary.span.range(), u32::MAX as usize..u32::MAX as usize);
}

#[test]
fn atoms_are_named_once_in_order() {
    assert_eq!(read("G (b => #a <= 1) | X b & F c").atoms(), ["b", "a", "c"]);
    assert_eq!(read("true").atoms(), [""; 0]);
}

#[test]
fn next_and_weak_next_differ_on_the_empty_content() {
    let holds = |text, content: &[&str]| read(text).holds(content, &mut |name, m| name == m);
    assert!(!holds("X a", &[]) && !holds("X !a", &[]));
    assert!(holds("W a", &[]) && holds("!X a", &[]));
    assert!(holds("G false", &[]) && !holds("F true", &[]));
    assert!(
        holds("a then never b", &["b", "a", "c"]) && !holds("a then never b", &["a", "c", "b"])
    );
}

#[test]
fn the_examples_of_the_manual_mean_what_it_says() {
    let holds = |text, content: &[&str]| read(text).holds(content, &mut |name, m| name == m);
    assert!(holds("F true", &["a"]) && !holds("F true", &[]));
    assert!(holds("G (a => X F true)", &["a", "a", "b"]) && holds("G (a => X F true)", &[]));
    assert!(!holds("G (a => X F true)", &["b", "a"]));
    assert!(holds("G a", &["a", "a"]) && !holds("G a", &["a", "b"]));
    assert!(holds("G (a => W !a)", &["a", "b", "a"]) && !holds("G (a => W !a)", &["b", "a", "a"]));
    assert!(holds("G (a => #b >= 1)", &["a", "b"]) && !holds("G (a => #b >= 1)", &["b", "a"]));
}

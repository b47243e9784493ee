use super::*;
use crate::regular::Expression;

fn name(letter: Letter) -> String {
    char::from(b'a' + letter.index() as u8).to_string()
}

fn text(language: &Language) -> String {
    language.dfa().expression(100).expect("it is short").display(&name).to_string()
}

/// The automaton of an expression.
fn back(expression: &Expression) -> Nfa {
    match expression {
        Expression::Letters(letters) => Nfa::letters(letters),
        Expression::Sequence(parts) => {
            parts.iter().fold(Nfa::word(&[]), |all, part| all.concat(&back(part)))
        }
        Expression::Choice(parts) => {
            parts.iter().fold(Nfa::none(), |all, part| all.union(&back(part)))
        }
        Expression::Star(inner) => back(inner).star(),
        Expression::Plus(inner) => back(inner).concat(&back(inner).star()),
        Expression::Maybe(inner) => back(inner).union(&Nfa::word(&[])),
    }
}

#[test]
fn expressions_have_the_words_of_their_automata() {
    let mut dice = Dice(41);
    for _ in 0..300 {
        let a = dice.nfa(4);
        for expression in [a.expression(10_000), language(&a).dfa().expression(10_000)] {
            let expression = expression.expect("it is short");
            assert_eq!(language(&back(&expression)), language(&a), "{expression:?}");
            let empty = expression.accepts_nothing();
            assert_eq!(empty, a.accepts(&[]), "{expression:?}");
        }
    }
}

#[test]
fn expressions_are_short() {
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|text| Nfa::word(&word(text)));
    let c_or_d = c.union(&d);
    for (nfa, expected) in [
        (Nfa::none(), "∅"),
        (Nfa::word(&[]), "ε"),
        (Nfa::all(&Letters::all()), ".*"),
        (Nfa::all(&Letters::except(word("ab"))), "[^a b]*"),
        (a.concat(&b.star()).concat(&c_or_d), "a b* (c | d)"),
        (a.concat(&b).star(), "(a b)*"),
        (a.concat(&b).star().concat(&a.union(&Nfa::word(&[]))), "(a b)* a?"),
        (a.concat(&a.star()), "a+"),
        (a.star().concat(&b.star()), "a* b*"),
        (Nfa::words([&word("ab")[..], &word("ac")]), "a (b | c)"),
        (Nfa::words([&word("ac")[..], &word("bc"), &word("c")]), "(a | b)? c"),
        (a.union(&b).star().concat(&c), "(a | b)* c"),
    ] {
        assert_eq!(text(&language(&nfa)), expected);
    }
}

#[test]
fn expressions_that_are_too_long_are_refused() {
    let language = Language::words([&word("ab")[..], &word("cd"), &word("ef")]);
    let size = language.dfa().expression(100).expect("it is short").size();
    assert_eq!(language.dfa().expression(size - 1), None);
    assert!(language.dfa().expression(size).is_some());
    // Two letters at a time, in any order: the text would be much longer than what anybody reads.
    let mut dice = Dice(42);
    let all = (0..60).map(|_| dice.word(12, 3)).collect::<Vec<_>>();
    let large =
        Language::words(all.iter().map(Vec::as_slice)).star(&budget()).expect("it is small");
    assert_eq!(large.dfa().expression(300), None);
    assert_eq!(
        format!("{large:?}"),
        format!("a language of {} states", large.dfa().states().len())
    );
}

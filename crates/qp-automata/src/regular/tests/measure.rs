use super::*;
use crate::regular::Longest;

#[test]
fn shortest_words_and_emptiness() {
    let mut dice = Dice(21);
    for _ in 0..300 {
        let a = dice.nfa(4);
        let first = words(4, &[0, 1, 2, 7]).into_iter().find(|word| a.accepts(word));
        assert_eq!(a.shortest_word().map(|word| word.len()), first.as_ref().map(Vec::len));
        assert!(a.shortest_word().is_none_or(|word| a.accepts(&word)));
        assert_eq!((a.is_empty(), language(&a).is_empty()), (first.is_none(), first.is_none()));
    }
}

#[test]
fn the_longest_word_is_found_if_there_is_one() {
    let mut dice = Dice(23);
    let mut finite = 0;
    let all = words(5, &[0, 1, 2, 7]);
    for _ in 0..400 {
        let a = language(&dice.nfa(4));
        // With n states, a word of n letters goes round in a circle, and if there is a circle there is a word of
        // at least n and less than 2 n letters.
        let n_states = a.dfa().states().len();
        if n_states > 3 {
            continue;
        }
        let expected = match all.iter().rev().find(|word| a.contains(word)).map(Vec::len) {
            None => Longest::NoWord,
            Some(length) if length >= n_states => Longest::Endless,
            Some(length) => Longest::Letters(length),
        };
        assert_eq!(a.longest(), expected, "{a:?}");
        finite += usize::from(expected != Longest::Endless);
    }
    assert!(finite > 50, "finite ones occur: {finite}");
}

#[test]
fn exponents_say_how_often_a_word_can_be_repeated() {
    let mut dice = Dice(24);
    for _ in 0..300 {
        let a = language(&dice.nfa(5));
        let (mut repeated, rest) = (dice.word(2, 3), dice.word(2, 3));
        repeated.push(Letter::new(dice.roll(3)));
        let exponents = a.dfa().exponents(&repeated, &rest);
        for k in 0..40 {
            let word = [repeated.repeat(k), rest.clone()].concat();
            assert_eq!(exponents.contains(k), a.contains(&word), "{k}: {exponents:?} of {a:?}");
        }
    }
}

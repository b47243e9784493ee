//! The automata of the checker against sets of short words, on all automata with two states over two messages.

#[path = "../src/automaton.rs"]
mod automaton;

use std::collections::BTreeSet;

use qp_machines::{MessageId, Pattern};

use self::automaton::{Automaton, Language};

type Checked<T> = Result<T, String>;
type Word = Vec<MessageId>;

fn within_limit(amount: usize) -> Checked<()> {
    if amount > 100 { Err("it is not small".to_owned()) } else { Ok(()) }
}

const A: MessageId = MessageId::from_raw(0);
const B: MessageId = MessageId::from_raw(1);

/// All automata with two states: each has no step with a message, or one to either state.
fn all() -> Vec<Language> {
    let make = |number: usize| {
        let digit = |place: u32| number / 3_usize.pow(place) % 3;
        let accepts = move |&state: &usize| (number / 81) >> state & 1 == 1;
        let steps = |&state: &usize| {
            let step = |m: usize| (MessageId::new(m), digit((2 * state + m) as u32));
            [0, 1].map(step).into_iter().filter(|step| step.1 < 2).collect()
        };
        Automaton::build(0, accepts, steps).expect("it is small")
    };
    (0..81 * 4).map(make).collect()
}

/// All words up to this length.
fn words(longest: usize) -> Vec<Word> {
    let mut all = vec![Vec::new()];
    for at in 0.. {
        if all[at].len() == longest {
            break;
        }
        for message in [A, B] {
            all.push([&all[at][..], &[message]].concat());
        }
    }
    all
}

fn has(language: &Automaton, word: &[MessageId]) -> bool {
    let alone = Automaton::word(word).expect("it is small");
    !alone.agree(language, true).expect("it is small").is_none()
}

#[test]
fn steps_do_to_languages_what_they_do_to_words() {
    let short = words(4);
    for language in all() {
        let (sent, taken) =
            (language.append(A).expect("small"), language.remove(A).expect("small"));
        let order = language.ordered(&BTreeSet::new(), &[B, A], false).expect("small");
        let first = language.ordered(&BTreeSet::from([A]), &[B], true).expect("small");
        for word in &short {
            let before = word.strip_suffix(&[A]);
            assert_eq!(has(&sent, word), before.is_some_and(|it| has(&language, it)), "{word:?}");
            // The message was somewhere before the first that is left.
            let left = word.iter().position(|&m| m == A).unwrap_or(word.len());
            let with = |at: usize| [&word[..at], &[A], &word[at..]].concat();
            let takes = (0..=left).any(|at| has(&language, &with(at)));
            assert_eq!(has(&taken, word), takes, "{word:?} {language:?}");
            let is_in = has(&language, word);
            let both = word.contains(&A) && word.first() == Some(&B);
            assert_eq!(has(&order, word), is_in && both, "{word:?} {language:?}");
            assert_eq!(has(&first, word), is_in && word.contains(&B), "{word:?} {language:?}");
        }
    }
}

#[test]
fn equal_languages_are_equal_values() {
    let (all, short) = (all(), words(4));
    // Two automata with two states differ on a word of three messages, if they differ.
    let said = |it: &Language| short.iter().map(|word| has(it, word)).collect::<Vec<bool>>();
    let said: Vec<Vec<bool>> = all.iter().map(said).collect();
    for (a, in_a) in all.iter().zip(&said).step_by(7) {
        for (b, in_b) in all.iter().zip(&said) {
            assert_eq!(a == b, in_a == in_b, "{a:?} {b:?}");
            let less = a.agree(b, false).expect("small");
            assert_eq!(less.is_none(), in_a.iter().zip(in_b).all(|(a, b)| !a || *b), "{a:?} {b:?}");
        }
    }
}

#[test]
fn finite_languages_have_a_longest_word() {
    let short = words(4);
    let pattern =
        Pattern::Sequence(vec![Pattern::Star(Box::new(Pattern::Any)), Pattern::One(vec![B])]);
    for language in all() {
        let mut held: Vec<Word> = short.iter().filter(|it| has(&language, it)).cloned().collect();
        // With two states, whatever has a word of two messages has longer ones.
        let finite = held.iter().all(|word| word.len() < 2);
        let longest = held.iter().map(Vec::len).max().unwrap_or(0);
        assert_eq!(language.longest(), finite.then_some(longest), "{language:?}");
        let ends = language.matching(&pattern).expect("small");
        for word in &short {
            let expected = has(&language, word) && word.last() == Some(&B);
            assert_eq!(has(&ends, word), expected, "{word:?} {language:?}");
        }
        if finite {
            let mut found = language.words().expect("small");
            found.sort();
            held.sort();
            assert_eq!(found, held);
        }
    }
}

//! The automata of the checker against sets of short words, on all automata with two states over two messages.

#[path = "../src/languages/automaton.rs"]
mod automaton;

use qp_machines::{MessageId, Pattern};

use self::automaton::{Automaton, Done, Language, Question};

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
        for word in &short {
            let before = word.strip_suffix(&[A]);
            assert_eq!(has(&sent, word), before.is_some_and(|it| has(&language, it)), "{word:?}");
            // The message was somewhere before the first that is left.
            let left = word.iter().position(|&m| m == A).unwrap_or(word.len());
            let with = |at: usize| [&word[..at], &[A], &word[at..]].concat();
            let takes = (0..=left).any(|at| has(&language, &with(at)));
            assert_eq!(has(&taken, word), takes, "{word:?} {language:?}");
        }
    }
}

/// What is left of a content once all this was done to it, and what somebody answers who reads it.
fn answer(word: &[MessageId], done: &[Done], question: &Question) -> (Option<MessageId>, bool) {
    let mut left = word.to_vec();
    for it in done {
        match it {
            Done::Put(message) => left.push(*message),
            Done::Took(_, passed) => {
                if let Some(at) = left.iter().position(|message| !passed.contains(message)) {
                    left.remove(at);
                }
            }
        }
    }
    match question {
        Question::FirstBut(passed) => {
            (left.into_iter().find(|message| !passed.contains(message)), false)
        }
        Question::AtLeast(limit, counted) => {
            (None, left.iter().filter(|it| counted.contains(it)).count() >= *limit as usize)
        }
    }
}

#[test]
fn questions_split_languages_by_what_words_answer() {
    let short = words(4);
    let took = |passed: &[MessageId]| Done::Took(A, passed.iter().copied().collect());
    let done = [
        vec![],
        vec![Done::Put(B)],
        vec![took(&[])],
        vec![Done::Put(A), took(&[B]), Done::Put(B)],
        vec![took(&[A]), took(&[])],
        vec![took(&[]), Done::Put(B), took(&[]), Done::Put(A)],
    ];
    let first = |passed: &[MessageId]| Question::FirstBut(passed.iter().copied().collect());
    let many = |n, counted: &[MessageId]| Question::AtLeast(n, counted.iter().copied().collect());
    let questions =
        [first(&[]), first(&[A]), first(&[A, B]), many(0, &[A]), many(2, &[B]), many(3, &[A, B])];
    for language in all().iter().step_by(5) {
        for (done, question) in done.iter().flat_map(|it| questions.iter().map(move |q| (it, q))) {
            let parts = language.split(done, question).expect("small");
            assert!(parts.windows(2).all(|pair| pair[0].0 < pair[1].0), "least answers first");
            for word in &short {
                let held: Vec<_> = parts.iter().filter(|it| has(&it.1, word)).collect();
                let expected = has(language, word).then(|| answer(word, done, question));
                assert_eq!(held.len(), usize::from(expected.is_some()), "{word:?} {language:?}");
                assert_eq!(held.first().map(|part| part.0), expected, "{word:?} {language:?}");
            }
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
        let held: Vec<Word> = short.iter().filter(|it| has(&language, it)).cloned().collect();
        // With two states, whatever has a word of two messages has longer ones.
        let finite = held.iter().all(|word| word.len() < 2);
        let longest = held.iter().map(Vec::len).max().unwrap_or(0);
        assert_eq!(language.longest(), finite.then_some(longest), "{language:?}");
        let ends = language.matching(&pattern).expect("small");
        for word in &short {
            let expected = has(&language, word) && word.last() == Some(&B);
            assert_eq!(has(&ends, word), expected, "{word:?} {language:?}");
        }
    }
}

use super::*;
use crate::regular::{Dfa, Edge};

/// Checks that an automaton accepts exactly the short words of which `expected` says so.
fn accepts_when(nfa: &Nfa, expected: impl Fn(&[Letter]) -> bool, about: &str) {
    for word in short_words() {
        assert_eq!(nfa.accepts(&word), expected(&word), "{about}: {word:?}\n{nfa:?}");
    }
}

#[test]
fn building_keeps_what_jumps_mean() {
    let mut builder = Builder::new();
    let start = builder.start();
    let middle = builder.path(start, &word("a"));
    let end = builder.path(middle, &word("b"));
    builder.jump(middle, end);
    builder.jump(end, start);
    builder.accept(end);
    let nfa = builder.build();
    let ends_well = |word: &[Letter]| {
        let a = Letter::new(0);
        let b = Letter::new(1);
        let known = word.iter().all(|&letter| letter == a || letter == b);
        known && word.first() == Some(&a) && !word.windows(2).any(|pair| pair == [b, b])
    };
    accepts_when(&nfa, ends_well, "(a b?)+");
}

#[test]
fn union_and_concatenation() {
    let mut dice = Dice(3);
    for _ in 0..150 {
        let (a, b) = (dice.nfa(4), dice.nfa(4));
        accepts_when(&a.union(&b), |word| a.accepts(word) || b.accepts(word), "union");
        let split = |word: &[Letter]| {
            (0..=word.len()).any(|i| a.accepts(&word[..i]) && b.accepts(&word[i..]))
        };
        accepts_when(&a.concat(&b), split, "concatenation");
    }
}

/// Whether a word is made of words of an automaton.
fn made_of(nfa: &Nfa, word: &[Letter]) -> bool {
    let mut reached = vec![true];
    for end in 1..=word.len() {
        reached.push((0..end).any(|begin| reached[begin] && nfa.accepts(&word[begin..end])));
    }
    reached[word.len()]
}

#[test]
fn star_and_prefixes() {
    let mut dice = Dice(4);
    for _ in 0..150 {
        let a = dice.nfa(4);
        accepts_when(&a.star(), |word| made_of(&a, word), "star");
        let longer = |prefix: &[Letter]| {
            words(4, &[0, 1, 2, 7]).iter().any(|rest| a.accepts(&[prefix, rest].concat()))
        };
        let prefix = dice.word(2, 3);
        assert_eq!(language(&a).has_prefix(&prefix), longer(&prefix));
    }
}

#[test]
fn words_are_put_at_the_end_and_taken_at_the_front() {
    let mut dice = Dice(5);
    for _ in 0..150 {
        let (a, more) = (dice.nfa(4), dice.word(2, 3));
        let appended = |word: &[Letter]| {
            word.strip_suffix(more.as_slice()).is_some_and(|rest| a.accepts(rest))
        };
        accepts_when(&a.append(&more), appended, "append");
        let before = |word: &[Letter]| a.accepts(&[more.as_slice(), word].concat());
        accepts_when(&language(&a).without_prefix(&more).nfa(), before, "quotient");
        let rest = language(&a).without_suffix(&more);
        let behind = |word: &[Letter]| a.accepts(&[word, more.as_slice()].concat());
        accepts_when(&rest.nfa(), behind, "quotient from behind");
        assert_eq!(language(&a).append(&more, &budget()), Ok(language(&a.append(&more))));
    }
}

#[test]
fn the_first_letter_behind_others_is_taken_out() {
    let mut dice = Dice(6);
    for _ in 0..150 {
        let (a, letter, before) = (dice.nfa(4), Letter::new(dice.roll(3)), dice.letters());
        let put_back = |word: &[Letter]| {
            (0..=word.len()).any(|i| {
                let passed = word[..i].iter().all(|&l| before.contains(l) && l != letter);
                passed && a.accepts(&[&word[..i], &[letter], &word[i..]].concat())
            })
        };
        accepts_when(&a.without_first(letter, &before), put_back, "first letter");
    }
}

#[test]
fn determinising_and_minimising_keep_the_words() {
    let mut dice = Dice(8);
    for _ in 0..300 {
        let a = dice.nfa(5);
        let dfa = a.determinise(&budget()).expect("it is small");
        let small = dfa.minimise();
        for word in short_words() {
            assert_eq!(dfa.accepts(&word), a.accepts(&word), "{a:?}");
            assert_eq!(small.accepts(&word), a.accepts(&word), "{a:?}");
        }
        assert!(small.states().len() <= dfa.states().len());
    }
}

/// Accepts the words of an automaton, read backwards.
fn reversed(nfa: &Nfa) -> Nfa {
    let mut builder = Builder::new();
    for _ in nfa.states() {
        builder.state();
    }
    for (id, state) in nfa.states().iter_enumerated() {
        state.edges.iter().for_each(|edge| builder.edge(edge.to, edge.letters.clone(), id));
        if state.accepting {
            builder.start_at(id);
        }
    }
    nfa.starts().iter().for_each(|&start| builder.accept(start));
    builder.build()
}

/// Minimal automata by the oldest method there is: reverse and determinise, twice.
fn minimal_states(nfa: &Nfa) -> usize {
    let determinised = |nfa: &Nfa| nfa.determinise(&budget()).expect("it is small").to_nfa();
    let twice = determinised(&reversed(&determinised(&reversed(nfa))));
    twice.trim().states().len().max(1)
}

#[test]
fn minimal_automata_are_minimal_and_equal_for_equal_languages() {
    let mut dice = Dice(9);
    let mut sizes = [0; 12];
    for _ in 0..600 {
        let a = dice.nfa(5);
        let minimal = a.determinise(&budget()).expect("it is small").minimise();
        assert_eq!(minimal.states().len(), minimal_states(&a), "{a:?}");
        sizes[minimal.states().len().min(11)] += 1;
        let detour = reversed(&a).determinise(&budget()).expect("it is small").to_nfa();
        let detour = reversed(&detour);
        let detour = detour.union(&a).determinise(&budget()).expect("it is small").minimise();
        assert_eq!(minimal, detour);
        assert_eq!(minimal, minimal.minimise());
    }
    assert!(sizes[1] > 20 && sizes[4] > 20 && sizes[7] > 5, "many sizes occur: {sizes:?}");
}

#[test]
fn different_languages_are_different_values() {
    let mut dice = Dice(10);
    let all = words(5, &[0, 1, 2, 7]);
    let mut equal = 0;
    for _ in 0..400 {
        let (a, b) = (dice.nfa(2), dice.nfa(2));
        // Automata of two states have minimal ones of at most four, which differ on words of at most six
        // letters; most differ earlier, and those that do not are compared by inclusion below.
        let same = all.iter().all(|word| a.accepts(word) == b.accepts(word));
        assert_eq!(language(&a) == language(&b), same, "{a:?}\n{b:?}");
        equal += usize::from(same);
    }
    assert!(equal > 10, "equal ones occur: {equal}");
}

#[test]
fn boolean_operations_on_languages() {
    let mut dice = Dice(11);
    for _ in 0..150 {
        let (a, b, alphabet) = (language(&dice.nfa(4)), language(&dice.nfa(4)), dice.letters());
        let union = a.union(&b, &budget()).expect("it is small");
        let both = a.intersection(&b, &budget()).expect("it is small");
        let only = a.difference(&b, &budget()).expect("it is small");
        let not = Language::all(&alphabet).difference(&a, &budget()).expect("it is small");
        for word in short_words() {
            let (in_a, in_b) = (a.contains(&word), b.contains(&word));
            assert_eq!(union.contains(&word), in_a || in_b);
            assert_eq!(both.contains(&word), in_a && in_b);
            assert_eq!(only.contains(&word), in_a && !in_b);
            let spelled = word.iter().all(|&letter| alphabet.contains(letter));
            assert_eq!(not.contains(&word), spelled && !in_a);
        }
        assert_eq!(only.union(&both, &budget()), Ok(a.clone()));
    }
}

#[test]
fn a_language_is_included_if_nothing_is_left_without_the_other() {
    let mut dice = Dice(12);
    let (mut yes, mut no) = (0, 0);
    for round in 0..600 {
        let (a, mut b) = (dice.nfa(4), dice.nfa(4));
        if round % 2 == 0 {
            b = b.union(&a.without_first(Letter::new(0), &Letters::all())).union(&a);
        }
        let (left, right) = (language(&a), language(&b));
        let missing = left.difference(&right, &budget()).expect("it is small").shortest_word();
        if let Some(word) = &missing {
            assert!(a.accepts(word) && !b.accepts(word), "{word:?}");
        }
        assert_eq!(left.is_included_in(&right), missing.is_none());
        *if missing.is_none() { &mut yes } else { &mut no } += 1;
    }
    assert!(yes > 100 && no > 100, "both occur often: {yes} and {no}");
}

#[test]
fn blurring_merges_exactly_the_states_that_short_words_do_not_tell_apart() {
    let mut dice = Dice(13);
    for round in 0..300 {
        let (a, length) = (language(&dice.nfa(5)), round % 4);
        let blurred = a.nfa().blurred(length);
        accepts_when_more(&a, &blurred);
        let short = words(length, &[0, 1, 2, 7]);
        let residual = |state: StateId| -> Vec<bool> {
            let from = a.dfa().starting_at(state);
            short.iter().map(|word| from.accepts(word)).collect()
        };
        let mut kinds: Vec<Vec<bool>> = a.nfa().trim().states().ids().map(residual).collect();
        kinds.sort();
        kinds.dedup();
        assert_eq!(blurred.states().len(), kinds.len(), "{length} {a:?}");
    }
}

fn accepts_when_more(less: &Language, more: &Nfa) {
    assert!(less.is_included_in(&language(more)));
}

#[test]
fn blurring_an_automaton_that_is_not_deterministic_gives_more_words() {
    let mut dice = Dice(14);
    for round in 0..200 {
        let a = dice.nfa(5);
        let length = round % 3;
        accepts_when_more(&language(&a), &a.blurred(length));
        // More is told apart with longer words.
        accepts_when_more(&language(&a.blurred(length + 1)), &a.blurred(length));
    }
}

/// The words whose letter number `n` from the end is a: about 2^n states, if it is deterministic.
fn nth_from_the_end(n: usize) -> Nfa {
    let [a, b] = [Letter::new(0), Letter::new(1)];
    let any = Letters::only([a, b]);
    let first = Nfa::all(&any).append(&[a]);
    (1..n).fold(first, |nfa, _| nfa.concat(&Nfa::letters(&any)))
}

#[test]
fn too_many_states_are_refused() {
    let nfa = nth_from_the_end(20);
    let refused = nfa.determinise(&Budget::states(1_000));
    assert_eq!(refused, Err(qp_base::Exhausted::States));
}

#[test]
fn large_alphabets_need_few_edges() {
    let many = Letters::only((0..10_000).map(Letter::new));
    let odd = Letters::only((0..5_000).map(|i| Letter::new(2 * i + 1)));
    let nfa = Nfa::all(&many).concat(&Nfa::letters(&odd)).concat(&Nfa::letters(&Letters::all()));
    let dfa = nfa.determinise(&budget()).expect("it is small").minimise();
    let edges: Vec<usize> = dfa.states().iter().map(|state| state.edges.len()).collect();
    assert_eq!(dfa.states().len(), 5);
    assert!(edges.iter().all(|&edges| edges <= 3), "{edges:?}");
}

#[test]
fn each_letter_may_lead_elsewhere() {
    let nfa = Nfa::words(
        (0..3_000)
            .map(|i| [Letter::new(i), Letter::new(i)])
            .collect::<Vec<_>>()
            .iter()
            .map(|word| &word[..]),
    );
    let language = language(&nfa);
    assert_eq!(language.dfa().states().len(), 3_002);
    let all = language.dfa().complement(&Letters::all());
    assert!(!all.accepts(&[Letter::new(5), Letter::new(5)]));
    assert_eq!(Language::from_dfa(all.complement(&Letters::all())), language);
}

#[test]
fn the_numbering_is_breadth_first_by_least_letters() {
    let language = Language::words([&word("ba")[..], &word("ac"), &word("c")]);
    let edges =
        |state: usize| -> Vec<Edge> { language.dfa().states()[StateId::new(state)].edges.clone() };
    let edge =
        |letter: &str, to: usize| Edge { letters: word(letter)[0].into(), to: StateId::new(to) };
    assert_eq!(edges(0), [edge("a", 1), edge("b", 2), edge("c", 3)]);
    assert_eq!((edges(1), edges(2), edges(3)), (vec![edge("c", 3)], vec![edge("a", 3)], vec![]));
    assert_eq!(Language::none().dfa(), &Dfa::none());
}

//! Each algorithm against doing the operations one by one, for all short words.

use qp_base::Exhausted;

use super::{Closure, Effect, Op, Product};
use crate::regular::tests::{Dice, budget, word, words};
use crate::regular::{Dfa, Language, Letter, Word};

const BOTH: [usize; 2] = [0, 1];

/// A sequence as text: `?a` takes, `!a` puts.
fn ops(text: &str) -> Vec<Op> {
    let bytes = text.as_bytes();
    let op = |pair: &[u8]| {
        let letter = Letter::new(usize::from(pair[1] - b'a'));
        if pair[0] == b'?' { Op::Take(letter) } else { Op::Put(letter) }
    };
    bytes.chunks(2).map(op).collect()
}

fn one_by_one(ops: &[Op], word: &[Letter]) -> Option<Word> {
    ops.iter().try_fold(word.to_vec(), |mut word, op| {
        match *op {
            Op::Take(letter) if word.first() == Some(&letter) => drop(word.remove(0)),
            Op::Take(_) => return None,
            Op::Put(letter) => word.push(letter),
        }
        Some(word)
    })
}

impl Dice {
    fn op(&mut self, n_letters: usize) -> Op {
        let letter = Letter::new(self.roll(n_letters));
        if self.roll(2) == 0 { Op::Take(letter) } else { Op::Put(letter) }
    }

    fn ops(&mut self, length: usize, n_letters: usize) -> Vec<Op> {
        (0..length).map(|_| self.op(n_letters)).collect()
    }

    /// Operations that are likely to take what they have put: both are parts of a word that repeats itself.
    fn feeding(&mut self) -> Vec<Op> {
        let base = word(self.pick(&["a", "b", "ab", "ba", "aab", "aa"])).repeat(12);
        let cut = self.roll(7);
        let taken = base[cut..cut + 1 + self.roll(4)].to_vec();
        let put = base[..=self.roll(5)].to_vec();
        self.interleaved(&taken, &put)
    }

    /// Takes and puts in random order, with late puts more likely than not.
    fn interleaved(&mut self, taken: &[Letter], put: &[Letter]) -> Vec<Op> {
        let mut order: Vec<bool> = vec![true; taken.len()];
        for _ in put {
            let end = order.len();
            let place = if self.roll(10) < 3 { self.roll(end + 1) } else { end };
            order.insert(place, false);
        }
        let (mut taken, mut put) = (taken.iter(), put.iter());
        let next = |take: bool| {
            let letter = if take { taken.next() } else { put.next() };
            letter.map(|&letter| if take { Op::Take(letter) } else { Op::Put(letter) })
        };
        order.into_iter().filter_map(next).collect()
    }

    /// More letters taken than put, which agree for as long as they can without being the same for ever: the words
    /// begin like one that has both periods. Also how many letters are left when it begins.
    fn agreeing(&mut self) -> (Vec<Op>, Word, usize) {
        let m = 3 + self.roll(3);
        let n = 2 + self.roll(m - 2);
        let mut shared: Word = (0..m + n).map(|_| Letter::new(self.roll(2))).collect();
        let length = m + n - 2;
        for _ in 0..length {
            for (i, period) in (0..length).flat_map(|i| [(i, m), (i, n)]) {
                if i + period < length {
                    let least = shared[i].min(shared[i + period]);
                    (shared[i], shared[i + period]) = (least, least);
                }
            }
        }
        let left = self.roll(m);
        let mut taken = shared[..m].to_vec();
        taken.rotate_right(left);
        let put = shared[..n].to_vec();
        (self.interleaved(&taken, &put), taken, left)
    }

    fn sequence(&mut self) -> Vec<Op> {
        if self.roll(2) == 0 {
            return self.feeding();
        }
        let n_letters = self.pick(&[2, 2, 1]);
        let length = 1 + self.roll(6);
        self.ops(length, n_letters)
    }

    /// The language of a complete automaton with up to `states_max` states over two letters.
    fn language(&mut self, states_max: usize) -> Language {
        let n_states = 1 + self.roll(states_max);
        let mut builder = crate::regular::Builder::new();
        let states: Vec<_> = (0..n_states).map(|_| builder.state()).collect();
        builder.start_at(states[0]);
        for &state in &states {
            for letter in BOTH.map(Letter::new) {
                builder.edge(state, letter, states[self.roll(n_states)]);
            }
            if self.roll(20) < 9 {
                builder.accept(state);
            }
        }
        Language::from_nfa(&builder.build(), &budget()).expect("it is small")
    }
}

/// The only word of which this one can come, if there is one.
fn undo(effect: &Effect, word: &[Letter]) -> Option<Word> {
    let longer = [effect.taken(), word].concat();
    let before = longer.strip_suffix(effect.put())?;
    (before.len() >= effect.demand()).then(|| before.to_vec())
}

#[test]
fn the_normal_form_does_what_the_operations_do() {
    let mut dice = Dice(11);
    for _ in 0..800 {
        let length = dice.roll(7);
        let ops = dice.ops(length, 2);
        let effect = Effect::of(&ops);
        for word in words(6, &BOTH) {
            let after = one_by_one(&ops, &word);
            assert_eq!(effect.apply(&word), after, "{ops:?} on {word:?}");
            if let Some(after) = after {
                assert_eq!(undo(&effect, &after), Some(word), "{ops:?}");
            }
        }
    }
}

#[test]
fn effects_are_joined_like_sequences() {
    let mut dice = Dice(12);
    for _ in 0..2_000 {
        let (first, second) = (dice.sequence(), dice.sequence());
        let joined = Effect::of(&first).then(&Effect::of(&second));
        assert_eq!(joined, Effect::of(&[first.clone(), second].concat()));
        let times = dice.roll(5);
        assert_eq!(
            Effect::of(&first).repeated(times),
            Effect::of(&first.repeat(times)),
            "{first:?}"
        );
    }
}

#[test]
fn the_image_of_a_language_is_that_of_its_words() {
    let mut dice = Dice(13);
    for _ in 0..600 {
        let (ops, language) = (dice.sequence(), dice.language(4));
        let effect = Effect::of(&ops);
        let image = effect.image(&language, &budget()).expect("it is small");
        for word in words(7, &BOTH) {
            let before = undo(&effect, &word);
            let expected = before.is_some_and(|before| language.contains(&before));
            assert_eq!(image.contains(&word), expected, "{ops:?} on {language:?}: {word:?}");
        }
    }
}

/// Whether a word comes of a word of the language by doing something any number of times.
fn comes_of(language: &Language, effect: &Effect, word: &[Letter]) -> bool {
    let mut now = Some(word.to_vec());
    for _ in 0..70 {
        match &now {
            None => return false,
            Some(word) if language.contains(word) => return true,
            Some(word) => now = undo(effect, word),
        }
    }
    false
}

#[test]
fn the_closure_has_exactly_the_words_that_come_of_the_language() {
    let mut dice = Dice(14);
    let mut accepted = 0;
    for _ in 0..1_000 {
        let (ops, language) = (dice.sequence(), dice.language(4));
        let effect = Effect::of(&ops);
        let closure = effect.closure(&language, &budget()).expect("it is small");
        for word in words(8, &BOTH) {
            let expected = comes_of(&language, &effect, &word);
            assert_eq!(closure.contains(&word), expected, "{ops:?} on {language:?}: {word:?}");
            accepted += usize::from(expected);
        }
        assert!(language.is_included_in(&closure));
        let again = effect.image(&closure, &budget()).expect("it is small");
        assert!(again.is_included_in(&closure), "{ops:?} on {language:?}");
    }
    assert!(accepted > 100_000, "many words are accepted: {accepted}");
}

#[test]
fn closures_of_finite_languages_are_exact() {
    let mut dice = Dice(15);
    for _ in 0..600 {
        let first = dice.word(6, 2);
        let ops = dice.sequence();
        let effect = Effect::of(&ops);
        let language = Language::word(&first);
        let closure = effect.closure(&language, &budget()).expect("it is small");
        let mut now = Some(first.clone());
        let mut seen: Vec<Word> = Vec::new();
        while let Some(word) = now.filter(|word| word.len() <= 8 && !seen.contains(word)) {
            assert!(closure.contains(&word), "{ops:?} on {first:?}: {word:?}");
            now = effect.apply(&word);
            seen.push(word);
        }
        for word in words(8, &BOTH) {
            let expected = comes_of(&language, &effect, &word);
            assert_eq!(closure.contains(&word), expected, "{ops:?} on {first:?}: {word:?}");
        }
    }
}

#[test]
fn closures_are_exact_where_letters_agree_for_long() {
    let mut dice = Dice(21);
    for _ in 0..2_000 {
        let (ops, taken, left) = dice.agreeing();
        let effect = Effect::of(&ops);
        let rounds = dice.roll(3);
        let first = [taken.repeat(rounds), taken[..left].to_vec()].concat();
        let language = Language::word(&first);
        let closure = effect.closure(&language, &budget()).expect("it is small");
        for word in words(6, &BOTH) {
            let expected = comes_of(&language, &effect, &word);
            assert_eq!(closure.contains(&word), expected, "{ops:?} on {first:?}: {word:?}");
        }
    }
}

#[test]
fn what_can_be_done_often_enough_can_be_done_for_ever() {
    let mut dice = Dice(16);
    let mut accepted = 0;
    for _ in 0..1_000 {
        let ops = dice.sequence();
        let effect = Effect::of(&ops);
        let iterable = effect.iterable();
        for word in words(7, &BOTH) {
            let expected =
                (0..40).try_fold(word.clone(), |word, _| one_by_one(&ops, &word)).is_some();
            assert_eq!(iterable.contains(&word), expected, "{ops:?} {word:?}");
            assert_eq!(effect.can_repeat_for_ever(&word), expected, "{ops:?} {word:?}");
            accepted += usize::from(expected);
        }
    }
    assert!(accepted > 10_000, "many words are accepted: {accepted}");
}

#[test]
fn what_precedes_favourably_can_always_go_first() {
    let mut dice = Dice(17);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..3_600 {
        let mut short = || {
            let (length, n_letters) = (dice.roll(4), dice.pick(&[2, 2, 2, 1, 1]));
            dice.ops(length, n_letters)
        };
        let (first, second) = (short(), short());
        let late = [second.clone(), first.clone()].concat();
        let early = [first.clone(), second.clone()].concat();
        let expected = words(8, &BOTH).iter().all(|word| {
            one_by_one(&late, word).is_none_or(|after| one_by_one(&early, word) == Some(after))
        });
        let found = Effect::of(&first).precedes_favourably(&Effect::of(&second));
        assert_eq!(found, expected, "{first:?} {second:?}");
        *if found { &mut yes } else { &mut no } += 1;
    }
    assert!(yes > 300 && no > 300, "both occur often: {yes} and {no}");
}

/// After how many rounds a word comes of a word of the language: a bit for each number up to 50.
fn rounds_since(language: &Language, effect: &Effect, word: &[Letter]) -> u64 {
    let (mut now, mut rounds) = (Some(word.to_vec()), 0);
    for round in 0..50 {
        let Some(word) = now else { break };
        rounds |= u64::from(language.contains(&word)) << round;
        now = undo(effect, &word);
    }
    rounds
}

/// All tuples of numbers below `n`.
fn tuples(size: usize, n: usize) -> Vec<Vec<usize>> {
    let longer = |tuples: Vec<Vec<usize>>, _| {
        let with = |tuple: &Vec<usize>, i| tuple.iter().copied().chain([i]).collect();
        tuples.iter().flat_map(|tuple| (0..n).map(move |i| with(tuple, i))).collect()
    };
    (0..size).fold(vec![vec![]], longer)
}

fn closure_of(product: &Product, effects: &[Effect]) -> Result<Closure, Exhausted> {
    let budget = budget();
    let mut image = |effect: &Effect, language: &Language| effect.image(language, &budget);
    product.closure_with(effects, 12, &mut image, &budget)
}

#[test]
fn the_closure_of_a_product_counts_the_same_rounds_everywhere() {
    let mut dice = Dice(18);
    let (mut exact, mut refused) = (0, 0);
    for _ in 0..300 {
        let size = dice.pick(&[2, 2, 3]);
        let product = Product((0..size).map(|_| dice.language(3)).collect());
        let mut sequences = vec![Vec::new(); size];
        for _ in 0..=dice.roll(5) {
            let letter = Letter::new(dice.roll(2));
            let op = if dice.roll(3) == 0 { Op::Put(letter) } else { Op::Take(letter) };
            sequences[dice.roll(size)].push(op);
        }
        let effects: Vec<Effect> = sequences.iter().map(|ops| Effect::of(ops)).collect();
        let products = match closure_of(&product, &effects).expect("it is small") {
            Closure::Exact(products) => products,
            Closure::Counting(first, second) => {
                assert!(!effects[first].put().is_empty() && !effects[second].put().is_empty());
                refused += 1;
                continue;
            }
        };
        exact += 1;
        let all = words(if size == 2 { 4 } else { 3 }, &BOTH);
        let since = |(language, effect)| -> Vec<u64> {
            all.iter().map(|word| rounds_since(language, effect, word)).collect()
        };
        let since: Vec<Vec<u64>> = product.0.iter().zip(&effects).map(since).collect();
        let table = |product: &Product| -> Vec<Vec<bool>> {
            let of = |language: &Language| all.iter().map(|word| language.contains(word)).collect();
            product.0.iter().map(of).collect()
        };
        let found: Vec<Vec<Vec<bool>>> = products.iter().map(table).collect();
        for tuple in tuples(size, all.len()) {
            let rounds = tuple.iter().zip(&since).fold(!0, |rounds, (&i, since)| rounds & since[i]);
            let within = |table: &Vec<Vec<bool>>| tuple.iter().zip(table).all(|(&i, has)| has[i]);
            let about = || tuple.iter().map(|&i| all[i].clone()).collect::<Vec<_>>();
            assert_eq!(
                found.iter().any(within),
                rounds != 0,
                "{sequences:?} {product:?} {:?}",
                about()
            );
        }
    }
    assert!(exact > 200 && refused > 5, "both occur: {exact} and {refused}");
}

#[test]
fn closing_each_language_alone_gives_no_less() {
    let mut dice = Dice(19);
    for _ in 0..100 {
        let product = Product(vec![dice.language(3), dice.language(3)]);
        let effects = [Effect::of(&dice.sequence()), Effect::of(&dice.sequence())];
        let each = product.closure_of_each(&effects, &budget()).expect("it is small");
        let mut now = product;
        for _ in 0..4 {
            assert!(now.0.iter().zip(&each.0).all(|(less, more)| less.is_included_in(more)));
            let parts = now.0.iter().zip(&effects);
            let images = parts.map(|(language, effect)| effect.image(language, &budget()));
            now = Product(images.collect::<Result<_, _>>().expect("it is small"));
        }
    }
}

/// Whether a tuple of words is in a product.
fn contains(product: &Product, tuple: &[&[Letter]]) -> bool {
    product.0.iter().zip(tuple).all(|(language, word)| language.contains(word))
}

#[test]
fn differences_of_products_are_exact_and_disjoint() {
    let mut dice = Dice(20);
    let all = words(3, &BOTH);
    let (mut covered, mut open) = (0, 0);
    for _ in 0..150 {
        let size = 1 + dice.roll(3);
        let mut product = || Product((0..size).map(|_| dice.language(2)).collect());
        let (whole, others) = (product(), [product(), product(), product()]);
        let rest = whole.without(&others, &budget()).expect("it is small");
        for tuple in tuples(size, all.len()) {
            let tuple: Vec<&[Letter]> = tuple.into_iter().map(|i| all[i].as_slice()).collect();
            let expected =
                contains(&whole, &tuple) && !others.iter().any(|other| contains(other, &tuple));
            let found = rest.iter().filter(|part| contains(part, &tuple)).count();
            assert_eq!(found, usize::from(expected), "{whole:?} {others:?} {tuple:?}");
        }
        let included = whole.is_included_in(&others[0]);
        let alone = whole.without(&others[..1], &budget()).expect("it is small");
        assert_eq!(included, alone.is_empty(), "{whole:?} {others:?}");
        let both = whole.intersection(&others[0], &budget()).expect("it is small");
        assert!(both.is_included_in(&whole) && both.is_included_in(&others[0]));
        *if rest.is_empty() { &mut covered } else { &mut open } += 1;
    }
    assert!(covered > 20 && open > 20, "both occur often: {covered} and {open}");
}

#[test]
fn a_loop_over_one_letter_counts_if_the_word_has_others() {
    // Take a, put a, on words a a ... a b: where the b stands says how often.
    let effect = Effect::of(&ops("?a!a"));
    let a_star_b = {
        let star = Language::word(&word("a")).star(&budget()).expect("it is small");
        star.append(&word("b"), &budget()).expect("it is small")
    };
    let twice = Product(vec![a_star_b.clone(), a_star_b.clone()]);
    let found = closure_of(&twice, &[effect.clone(), effect.clone()]);
    assert_eq!(found, Ok(Closure::Counting(0, 1)));
    // On words of nothing but a it does not count.
    let a_star = Language::word(&word("a")).star(&budget()).expect("it is small");
    let a_plus = a_star.without_prefix(&[]).difference(&Language::word(&[]), &budget());
    let twice = Product(vec![a_star, a_star_b]);
    let found = closure_of(&twice, &[effect.clone(), effect]).expect("it is small");
    let Closure::Exact(products) = found else { panic!("one of them counts, not both") };
    assert_eq!(products.len(), 2);
    assert_eq!(products[1].0[0], a_plus.expect("it is small"));
}

#[test]
fn closures_that_people_know() {
    let text = |ops_text: &str, words: &[&str]| {
        let words: Vec<Word> = words.iter().map(|text| word(text)).collect();
        let language = Language::words(words.iter().map(Vec::as_slice));
        let closure =
            Effect::of(&ops(ops_text)).closure(&language, &budget()).expect("it is small");
        let name = |letter: Letter| char::from(b'a' + letter.index() as u8).to_string();
        closure.dfa().expression(100).expect("it is short").display(&name).to_string()
    };
    assert_eq!(text("!a", &[""]), "a*");
    assert_eq!(text("!a!b", &["c"]), "c (a b)*");
    assert_eq!(text("?a", &["aab"]), "(a a?)? b");
    assert_eq!(text("?a!b", &["aa"]), "a (a | b) | b b");
    assert_eq!(text("?a!a!a", &["a"]), "a+");
    assert_eq!(text("?a!a!b", &["a"]), "a | b? a b");
    assert_eq!(text("?a!b", &[""]), "ε");
}

#[test]
fn closures_of_long_loops_have_few_states() {
    // A ring of three hundred letters, turned one by one.
    let first: Word = (0..300).map(Letter::new).collect();
    let ops: Vec<Op> =
        first.iter().flat_map(|&letter| [Op::Take(letter), Op::Put(letter)]).collect();
    let closure =
        Effect::of(&ops).closure(&Language::word(&first), &budget()).expect("it is small");
    assert_eq!(closure, Language::word(&first));
    assert!(closure.dfa().after(Dfa::START, &first).is_some());
}

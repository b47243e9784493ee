//! The translation against direct evaluation, and the sizes of common automata.

use crate::{Buchi, Formula, Lasso};

type F = Formula<char>;

fn p() -> F {
    F::Atom('p')
}
fn q() -> F {
    F::Atom('q')
}
fn not(a: F) -> F {
    F::Not(Box::new(a))
}
fn and(a: F, b: F) -> F {
    F::And(Box::new(a), Box::new(b))
}
fn or(a: F, b: F) -> F {
    F::Or(Box::new(a), Box::new(b))
}
fn next(a: F) -> F {
    F::Next(Box::new(a))
}
fn finally(a: F) -> F {
    F::Finally(Box::new(a))
}
fn globally(a: F) -> F {
    F::Globally(Box::new(a))
}
fn until(a: F, b: F) -> F {
    F::Until(Box::new(a), Box::new(b))
}
fn release(a: F, b: F) -> F {
    F::Release(Box::new(a), Box::new(b))
}

/// Small random numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % sides
    }

    fn formula(&mut self, size: usize) -> F {
        if size <= 1 {
            return match self.roll(8) {
                0 => F::True,
                1 => F::False,
                2 | 3 => p(),
                4 | 5 => q(),
                _ => F::Atom('r'),
            };
        }
        let left = 1 + self.roll(size - 1);
        match self.roll(8) {
            0 => not(self.formula(size - 1)),
            1 => next(self.formula(size - 1)),
            2 => finally(self.formula(size - 1)),
            3 => globally(self.formula(size - 1)),
            4 => and(self.formula(left), self.formula(size - left)),
            5 => or(self.formula(left), self.formula(size - left)),
            6 => until(self.formula(left), self.formula(size - left)),
            _ => release(self.formula(left), self.formula(size - left)),
        }
    }

    /// A shape and which atoms each letter makes true.
    fn word(&mut self) -> (Lasso, Vec<usize>) {
        let len = 1 + self.roll(6);
        let back = self.roll(len);
        let letters = (0..len).map(|_| self.roll(8)).collect();
        (Lasso::new(len, back).expect("the letter exists"), letters)
    }
}

fn truth(letters: &[usize]) -> impl FnMut(usize, &char) -> bool {
    move |letter, atom| letters[letter] >> (*atom as usize - 'p' as usize) & 1 == 1
}

fn automaton(formula: &F) -> Buchi<char> {
    formula.automaton(1_000).expect("it is small")
}

fn states(formula: &F) -> usize {
    automaton(formula).states.len()
}

#[test]
fn accepts_exactly_the_words_of_which_the_formula_is_true() {
    let mut dice = Dice(7);
    let (mut yes, mut no) = (0, 0);
    for round in 0..6_000 {
        let formula = dice.formula(1 + round % 12);
        let (automaton, opposite) = (automaton(&formula), automaton(&formula.negated()));
        for _ in 0..12 {
            let (word, letters) = dice.word();
            let holds = formula.holds_on(word, &mut truth(&letters));
            let about = format!("{formula} on {word:?} {letters:?}");
            assert_eq!(automaton.accepts(word, &mut truth(&letters)), holds, "{about}");
            assert_eq!(opposite.accepts(word, &mut truth(&letters)), !holds, "not {about}");
            assert_eq!(formula.nnf().holds_on(word, &mut truth(&letters)), holds, "nnf of {about}");
            *if holds { &mut yes } else { &mut no } += 1;
        }
    }
    assert!(yes > 10_000 && no > 10_000, "both occur often: {yes} and {no}");
}

#[test]
fn formulas_mean_what_their_names_say() {
    // The letters are p, q, q, q, ...
    let word = Lasso::new(2, 1).expect("the letter exists");
    let holds = |formula: &F| formula.holds_on(word, &mut truth(&[1, 2]));
    for (formula, expected) in [
        (p(), true),
        (next(p()), false),
        (finally(q()), true),
        (globally(q()), false),
        (next(globally(q())), true),
        (until(p(), q()), true),
        (until(q(), p()), true),
        (until(q(), and(p(), q())), false),
        (release(p(), q()), false),
        (release(q(), or(p(), q())), true),
        (release(F::False, or(p(), q())), true),
    ] {
        assert_eq!(holds(&formula), expected, "{formula}");
    }
}

#[test]
fn common_automata_are_small() {
    let answer = globally(or(not(p()), finally(q())));
    for (formula, expected) in [
        (globally(p()), 1),
        (finally(p()), 2),
        (until(p(), q()), 2),
        (release(p(), q()), 2),
        (globally(finally(p())), 2),
        (finally(globally(p())), 2),
        (answer.negated(), 2),
        (answer, 2),
        (and(globally(finally(p())), globally(finally(q()))), 3),
        (or(globally(finally(p())), globally(finally(q()))), 2),
        (next(next(p())), 4),
        (F::True, 1),
        (F::False, 0),
        (and(finally(p()), globally(not(p()))), 0),
    ] {
        assert_eq!(states(&formula), expected, "{formula}: {:?}", automaton(&formula));
    }
}

#[test]
fn edges_are_joined() {
    let automaton = automaton(&or(p(), not(p())));
    assert_eq!(automaton.states[0].edges[0].when, []);
}

#[test]
fn a_formula_that_needs_too_many_states_is_refused() {
    // Which of two letters that are n apart agree: about 2^n states.
    let apart = |n: usize| (0..n).fold(p(), |a, _| next(a));
    let formula = globally(or(and(p(), apart(12)), and(not(p()), not(apart(12)))));
    assert_eq!(formula.automaton(100), None);
    let many = (0..30).map(|i| finally(globally(next(F::Atom(char::from(b'A' + i))))));
    let many = many.reduce(or).expect("there are some");
    assert_eq!(and(many.clone(), not(many)).automaton(20), None);
}

#[test]
fn formulas_are_written_with_brackets() {
    let formula = globally(or(not(p()), until(q(), next(p()))));
    assert_eq!(formula.to_string(), "G ((!(p) || (q U X (p))))");
}

#[test]
fn a_word_needs_a_letter_to_go_back_to() {
    assert_eq!(Lasso::new(0, 0), None);
    assert_eq!(Lasso::new(3, 3), None);
    assert!(Lasso::new(3, 2).is_some());
}

/// What a finite word tells about a formula, whatever comes behind it, from letter `at` on.
fn told(formula: &F, letters: &[usize], at: usize) -> Option<bool> {
    let here = |part: &F| told(part, letters, at);
    let not = |truth: Option<bool>| truth.map(|truth| !truth);
    let or = |a: Option<bool>, b: Option<bool>| match (a, b) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    };
    let and = |a, b| not(or(not(a), not(b)));
    match formula {
        F::True => Some(true),
        F::False => Some(false),
        F::Atom(atom) => {
            let bit = "pqrm".find(*atom).expect("there are four atoms");
            letters.get(at).map(|letter| letter >> bit & 1 == 1)
        }
        F::Not(a) => not(here(a)),
        F::And(a, b) => and(here(a), here(b)),
        F::Or(a, b) => or(here(a), here(b)),
        F::Next(a) => told(a, letters, letters.len().min(at + 1)),
        F::Finally(b) | F::Globally(b) | F::Until(_, b) | F::Release(_, b)
            if at == letters.len() =>
        {
            here(b)
        }
        F::Finally(a) => or(here(a), told(formula, letters, at + 1)),
        F::Globally(a) => and(here(a), told(formula, letters, at + 1)),
        F::Until(a, b) => or(here(b), and(here(a), told(formula, letters, at + 1))),
        F::Release(a, b) => and(here(b), or(here(a), told(formula, letters, at + 1))),
    }
}

/// Words of three letters' worth of atoms, of which some letters are marked.
#[test]
fn of_marks_alone_the_same_is_said() {
    let (mut dice, mut seen) = (Dice(5), [[0, 0], [0, 0]]);
    for _ in 0..20_000 {
        let size = 1 + dice.roll(8);
        let formula = dice.formula(size);
        let letters: Vec<usize> = (0..=dice.roll(6)).map(|_| dice.roll(16)).collect();
        let back = dice.roll(letters.len());
        let holds = |formula: &F, letters: &[usize], back| {
            let word = Lasso::new(letters.len(), back).expect("the letter exists");
            formula.holds_on(word, &mut |at, atom| {
                let bit = "pqrm".find(*atom).expect("there are four atoms");
                letters[at] >> bit & 1 == 1
            })
        };
        let kept: Vec<usize> = letters.iter().copied().filter(|letter| letter & 8 != 0).collect();
        let before = letters[..back].iter().filter(|letter| *letter & 8 != 0).count();
        let finite = before == kept.len();
        let expected = if finite {
            told(&formula, &kept, 0) != Some(false)
        } else {
            holds(&formula, &kept, before)
        };
        let marked = formula.at_marks(&'m');
        assert_eq!(holds(&marked, &letters, back), expected, "{formula} {letters:?}");
        seen[usize::from(finite)][usize::from(expected)] += 1;
    }
    assert!(seen.as_flattened().iter().all(|&n| n > 1_000), "all four are common: {seen:?}");
}

/// What a beginning tells is never taken back.
#[test]
fn what_a_finite_word_refutes_no_infinite_one_makes_true() {
    let mut dice = Dice(11);
    let mut refuted = 0;
    for _ in 0..5_000 {
        let size = 1 + dice.roll(8);
        let formula = dice.formula(size);
        let (word, letters) = dice.word();
        if formula.refuted().holds_on(word, &mut truth(&letters)) {
            refuted += 1;
            assert!(!formula.holds_on(word, &mut truth(&letters)), "{formula} {letters:?}");
        }
    }
    assert!(refuted > 1_000, "{refuted}");
}

#[test]
fn common_demands_are_refuted_by_what_they_forbid() {
    assert_eq!(F::False.refuted(), F::True);
    assert_eq!(next(globally(F::False)).refuted(), F::True);
    assert_eq!(globally(not(p())).refuted(), finally(p()));
    assert_eq!(globally(finally(p())).refuted(), F::False);
    assert_eq!(globally(or(not(p()), finally(q()))).refuted(), F::False);
}

use super::*;
use crate::regular::Exponents;

const FAR: usize = 60;

fn random(dice: &mut Dice) -> Exponents {
    let mut bits = |most: usize| -> Vec<bool> {
        (0..dice.roll(most + 1)).map(|_| dice.roll(3) == 0).collect()
    };
    Exponents::new(bits(5), bits(6))
}

/// Checks a set against a predicate, as far as random sets and what is made of them can differ from it.
fn is_when(set: &Exponents, expected: impl Fn(usize) -> bool, about: &str) {
    for number in 0..FAR {
        assert_eq!(set.contains(number), expected(number), "{about} {number}: {set:?}");
    }
}

#[test]
fn operations_hold_of_each_number() {
    let mut dice = Dice(31);
    for _ in 0..500 {
        let (a, b) = (random(&mut dice), random(&mut dice));
        is_when(&a.intersection(&b), |n| a.contains(n) && b.contains(n), "intersection");
        let by = dice.roll(5);
        is_when(&a.plus(by), |n| n >= by && a.contains(n - by), "plus");
        is_when(&a.minus(by), |n| a.contains(n + by), "minus");
        is_when(&a.at_least(by), |n| n >= by && a.contains(n), "at least");
        is_when(&a.times(by), |n| (0..=n.max(12)).any(|k| k * by == n && a.contains(k)), "times");
        let step = 1 + dice.roll(5);
        is_when(&a.plus_multiples(step), |n| (0..=n / step).any(|i| a.contains(n - i * step)), "+");
        is_when(&a.minus_multiples(step), |n| (1..80).any(|i| a.contains(n + i * step)), "-");
    }
}

#[test]
fn equal_sets_are_equal_values() {
    let mut dice = Dice(32);
    for _ in 0..500 {
        let (a, b) = (random(&mut dice), random(&mut dice));
        let same = (0..FAR).all(|number| a.contains(number) == b.contains(number));
        assert_eq!(a == b, same, "{a:?} {b:?}");
    }
    assert_eq!(
        Exponents::new(vec![true, false, true, false], vec![true, false]),
        Exponents::only([0]).plus_multiples(2)
    );
    assert_eq!(Exponents::only([3]).plus_multiples(0), Exponents::only([3]));
    assert_eq!(Exponents::only([3]).plus_multiples(1), Exponents::starting_at(3));
}

#[test]
fn the_greatest_number() {
    let mut dice = Dice(33);
    for _ in 0..300 {
        let a = random(&mut dice);
        let members: Vec<usize> = (0..FAR).filter(|&number| a.contains(number)).collect();
        assert_eq!(a.is_empty(), members.is_empty());
        let finite = members.iter().all(|&number| number < 5);
        assert_eq!(a.is_finite(), finite);
        assert_eq!(a.greatest(), if finite { members.last().copied() } else { None });
    }
}

#[test]
fn automata_accept_powers_and_prefixes() {
    let mut dice = Dice(34);
    for _ in 0..300 {
        let set = random(&mut dice);
        let mut repeated = dice.word(2, 2);
        repeated.push(Letter::new(dice.roll(2)));
        let mut builder = Builder::new();
        let start = builder.start();
        builder.accept_powers(start, &repeated, &set);
        let powers = builder.build();
        let mut builder = Builder::new();
        let start = builder.start();
        builder.accept_prefixes(start, &repeated, &set);
        let prefixes = builder.build();
        for k in 0..25 {
            assert_eq!(powers.accepts(&repeated.repeat(k)), set.contains(k));
            assert_eq!(prefixes.accepts(&repeated.repeat(25)[..k]), set.contains(k));
        }
        assert!(!powers.accepts(&[repeated.as_slice(), &word("c")].concat()));
        let lengths = set.times(repeated.len());
        for word in words(6, &[0, 1]) {
            let power = word == repeated.repeat(7)[..word.len()];
            assert_eq!(powers.accepts(&word), power && lengths.contains(word.len()));
            assert_eq!(prefixes.accepts(&word), power && set.contains(word.len()));
        }
    }
}

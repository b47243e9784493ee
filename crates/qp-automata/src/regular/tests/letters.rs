use super::super::pieces::cut;
use super::*;

fn universe() -> impl Iterator<Item = Letter> {
    [0, 1, 2, 3, 7].into_iter().map(Letter::new)
}

#[test]
fn operations_on_sets_hold_of_each_letter() {
    let mut dice = Dice(1);
    for _ in 0..500 {
        let (a, b, c) = (dice.letters(), dice.letters(), dice.letters());
        for letter in universe() {
            let (in_a, in_b) = (a.contains(letter), b.contains(letter));
            assert_eq!(a.union(&b).contains(letter), in_a || in_b);
            assert_eq!(a.intersection(&b).contains(letter), in_a && in_b);
            assert_eq!(a.difference(&b).contains(letter), in_a && !in_b);
            let any = in_a || in_b || c.contains(letter);
            assert_eq!(Letters::union_of([&a, &b, &c]).contains(letter), any);
        }
        assert_eq!(a.is_empty(), !universe().any(|letter| a.contains(letter)));
        assert_eq!(a.least(), universe().find(|&letter| a.contains(letter)));
    }
}

#[test]
fn equal_sets_are_equal_values() {
    let [a, b] = [Letter::new(0), Letter::new(1)];
    assert_eq!(Letters::only([b, a, b]), Letters::only([a, b]));
    assert_eq!(Letters::all().difference(&Letters::one(a)), Letters::except([a]));
    assert_eq!(Letters::except([a]).union(&Letters::one(a)), Letters::all());
    assert_eq!(Letters::except([a]).intersection(&Letters::one(a)), Letters::none());
}

#[test]
fn pieces_are_disjoint_and_say_what_they_are_labels_of() {
    let mut dice = Dice(2);
    for _ in 0..2_000 {
        let labels: Vec<(Letters, usize)> =
            (0..dice.roll(5)).map(|_| (dice.letters(), dice.roll(4))).collect();
        let labels: Vec<_> =
            labels.into_iter().filter(|(letters, _)| !letters.is_empty()).collect();
        let borrowed: Vec<(&Letters, usize)> =
            labels.iter().map(|(l, thing)| (l, *thing)).collect();
        let pieces = cut(&borrowed);
        for letter in universe() {
            let mut expected: Vec<usize> = labels
                .iter()
                .filter(|(l, _)| l.contains(letter))
                .map(|(_, thing)| *thing)
                .collect();
            expected.sort_unstable();
            expected.dedup();
            let found: Vec<_> = pieces.iter().filter(|(l, _)| l.contains(letter)).collect();
            assert!(found.len() <= 1, "{labels:?}");
            assert_eq!(found.first().map_or(&vec![], |piece| &piece.1), &expected, "{labels:?}");
        }
        let leasts: Vec<_> = pieces.iter().map(|(letters, _)| letters.least()).collect();
        assert!(leasts.is_sorted() && leasts.iter().all(Option::is_some));
        for (i, piece) in pieces.iter().enumerate() {
            assert!(pieces[..i].iter().all(|other| other.1 != piece.1), "{pieces:?}");
        }
    }
}

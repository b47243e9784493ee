//! Random formulas with all short lists: what the referee works out, compared with all contents that look alike.

use std::collections::BTreeSet;

use qp_machines::{MessageId, Qutl};

use crate::Refusal;
use crate::of_contents::{Alike, QUEUE, holds, name, take};
use crate::of_formulas::Dice;

/// How often what was compared had something to say.
#[derive(Default, Debug)]
struct Tally {
    pairs: usize,
    impossible: usize,
    sending_breaks: usize,
    taking_breaks: usize,
    left_something: usize,
}

fn compare(precision: (u32, u32), formula: &Qutl, length_max: usize, tally: &mut Tally) {
    let mut alike = Alike::of(precision, formula.clone(), length_max);
    for (word, group) in alike.up_to(length_max - 4) {
        tally.pairs += 1;
        let about = format!("{precision:?} {formula}: {:?}", group[0]);
        let possible: Vec<&Vec<MessageId>> = group.iter().filter(|c| holds(formula, c)).collect();
        let said = alike.contents.is_possible(&name, QUEUE, word);
        assert_eq!(said, Ok(!possible.is_empty()), "{about}");
        tally.impossible += usize::from(possible.is_empty());
        for message in (0..3).map(MessageId::from_raw) {
            let longer = |content: &[MessageId]| [content, &[message]].concat();
            let breaks = possible.iter().any(|content| !holds(formula, &longer(content)));
            let sent = alike.sent(word, message);
            let expect = if breaks {
                Err(Refusal::Wrong("sending a message breaks an invariant".to_owned()))
            } else {
                Ok(alike.word_of(&longer(&group[0])))
            };
            assert_eq!(sent, expect, "{about} and {message:?}");
            tally.sending_breaks += usize::from(breaks);
        }
        compare_taking(&mut alike, formula, (word, &group[0]), &possible, tally);
    }
}

fn compare_taking(
    alike: &mut Alike,
    formula: &Qutl,
    (word, first): (qp_machines::WordId, &[MessageId]),
    possible: &[&Vec<MessageId>],
    tally: &mut Tally,
) {
    for (position, &taken) in first.iter().enumerate() {
        let passed = &first[..position];
        if passed.contains(&taken) {
            continue;
        }
        let left: Vec<_> = possible.iter().map(|content| take(content, passed, taken)).collect();
        let breaks = left.iter().any(|left| !holds(formula, left));
        let expect: BTreeSet<_> = left.iter().map(|left| alike.word_of(left)).collect();
        let said = alike.left(word, position as u32);
        let about = format!("{formula}: {first:?} without {position}");
        if breaks {
            let text = "taking a message breaks an invariant".to_owned();
            assert_eq!(said, Err(Refusal::Wrong(text)), "{about}");
        } else {
            let said: BTreeSet<_> = said.expect(&about).into_iter().collect();
            assert_eq!(said, expect, "{about}");
        }
        tally.taking_breaks += usize::from(breaks);
        tally.left_something += usize::from(!expect.is_empty() && !breaks);
    }
}

#[test]
fn random_formulas_and_lists_agree_with_all_contents_that_look_alike() {
    let (mut dice, mut tally) = (Dice(4711), Tally::default());
    for precision in [(0, 0), (1, 0), (0, 1), (2, 0)] {
        let mut n_formulas = 0;
        while n_formulas < 60 {
            let formula = dice.formula(1 + n_formulas % 2);
            // What is false of nothing is refused at once, and to show greater numbers takes longer contents.
            let counts_far = formula.to_string().contains(['2', '3']);
            if holds(&formula, &[]) && !counts_far {
                compare(precision, &formula, 7, &mut tally);
                n_formulas += 1;
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.pairs > 3_000, "{tally:?}");
    let least = tally.impossible.min(tally.sending_breaks).min(tally.taking_breaks);
    assert!(least > 100 && tally.left_something > 500, "{tally:?}");
}

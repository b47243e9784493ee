//! What contents look like.

use qp_machines::MessageId;

use crate::looks::Sight;

/// All contents over `n_letters` messages up to a length, shorter ones first.
pub(crate) fn contents(n_letters: u32, length_max: usize) -> Vec<Vec<MessageId>> {
    let mut all: Vec<Vec<MessageId>> = vec![vec![]];
    let mut next = 0;
    while all[next].len() < length_max {
        for letter in 0..n_letters {
            let longer = [&all[next][..], &[MessageId::from_raw(letter)]].concat();
            all.push(longer);
        }
        next += 1;
    }
    all
}

fn letters(text: &str) -> Vec<MessageId> {
    text.bytes().map(|byte| MessageId::from_raw(u32::from(byte - b'a'))).collect()
}

/// The three parts of the definition, each taken from the whole content.
type Parts = (Vec<MessageId>, Vec<MessageId>, Vec<usize>);

fn by_definition(sight: Sight, content: &[MessageId]) -> Parts {
    let (front, rest) = content.split_at(content.len().min(sight.prefix as usize));
    let is_first = |(at, message): &(usize, &MessageId)| !rest[..*at].contains(message);
    let firsts = rest.iter().enumerate().filter(is_first).map(|(_, &message)| message);
    let order: Vec<MessageId> = firsts.collect();
    let count = |message| rest.iter().filter(|&other| other == message).count();
    let counts = order.iter().map(|message| count(message).min(sight.counted as usize + 1));
    let counts = counts.collect();
    (front.to_vec(), order, counts)
}

#[test]
fn contents_look_alike_if_the_definition_says_so() {
    for (prefix, counted) in [(0, 0), (0, 1), (1, 0), (2, 2), (9, 0)] {
        let sight = Sight { prefix, counted };
        let all: Vec<_> = contents(3, 5).into_iter().collect();
        for a in &all {
            for b in &all {
                let alike = by_definition(sight, a) == by_definition(sight, b);
                assert_eq!(sight.look(a) == sight.look(b), alike, "{sight:?}: {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn only_what_is_counted_has_a_number() {
    let sight = Sight { prefix: 1, counted: 2 };
    let number = |text: &str, of: &str| {
        sight.number(&sight.look(&letters(text)), |message| letters(of).contains(&message))
    };
    assert_eq!(number("", "ab"), Some(0));
    assert_eq!(number("abba", "ab"), Some(4));
    assert_eq!(number("abbba", "ab"), None);
    assert_eq!(number("abbba", "a"), Some(2));
}

/// More than can be counted is at least one more.
#[test]
fn every_content_has_at_least_what_the_shortest_has() {
    let sight = Sight { prefix: 1, counted: 1 };
    assert_eq!(sight.look(&letters("abbbbc")).at_least(|_| true), 4);
}

/// Reading everything that looks like a content meets exactly the contents that do, as far as one
/// can see with contents that are not longer than six.
#[test]
fn reading_meets_exactly_the_contents_that_look_alike() {
    let sight = Sight { prefix: 1, counted: 1 };
    let all = contents(3, 6);
    for target in contents(3, 4) {
        let target = sight.look(&target);
        let read = |word: &Vec<MessageId>, message| {
            Ok((word.len() < 6).then(|| [&word[..], &[message]].concat()))
        };
        let mut met = sight.read_all(&target, Vec::new(), read).expect("there are few");
        met.sort();
        let mut alike: Vec<_> = all.iter().filter(|word| sight.look(word) == target).collect();
        alike.sort();
        assert_eq!(met.iter().collect::<Vec<_>>(), alike);
    }
}

#[test]
fn reading_gives_up_where_there_is_too_much_to_see() {
    let sight = Sight { prefix: 0, counted: 0 };
    let endless = sight.read_all(&sight.look(&letters("a")), 0_u64, |n, _| Ok(Some(n + 1)));
    assert_eq!(endless.unwrap_err(), "a queue has too many contents that look alike".into());
}

/// Numbers of any size may stand in a file.
#[test]
fn the_largest_numbers_are_like_any_other() {
    let sight = Sight { prefix: u32::MAX, counted: u32::MAX };
    assert!(sight.look(&letters("aab")).is_all_front());
    let sight = Sight { prefix: 0, counted: u32::MAX };
    assert_eq!(sight.number(&sight.look(&letters("aab")), |_| true), Some(3));
}

//! Invariants that may be true: what holds of every content that was seen, and says something.

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::QueueInvariant;
use qp_machines::{MessageId, QueueId, Qutl, Relation, System};

use super::explored::Seen;

/// More of one kind are not worth counting: the number would be that of the bound.
const COUNT_MAX: u32 = 3;
/// With more kinds of messages than this, only counts are proposed for a queue: orders are quadratic.
const LETTERS_MAX: usize = 12;

/// What a view is tried with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Help {
    /// No invariants but those that were stated.
    Nothing,
    /// How often messages occur, and which never stand behind which.
    Limits,
    /// Also what can stand directly behind which: dearer to follow.
    Shapes,
}

/// Candidates for every queue: how often a message occurs at most, which never stands behind which, and what
/// can stand directly behind which.
///
/// Contents as long as `bound` were seen: a count as great says nothing.
pub(super) fn candidates(
    system: &System,
    seen: &BTreeMap<QueueId, Seen>,
    bound: u32,
    help: Help,
) -> Vec<QueueInvariant> {
    let mut found = Vec::new();
    for (&queue, seen) in seen {
        let contents: Vec<Vec<MessageId>> =
            seen.contents.iter().map(|&word| system.words().messages(word)).collect();
        let letters = seen.letters(system);
        let text = |message: MessageId| system.program().message_text(message);
        let mut add = |formula| found.push(QueueInvariant { queue, formula });
        for &letter in &letters {
            let most = most(&contents, |message| message == letter);
            if most <= COUNT_MAX && most < bound {
                add(Qutl::Count(text(letter), Relation::AtMost, most));
            }
        }
        for kind in kinds(&letters.iter().map(|&letter| text(letter)).collect::<Vec<_>>()) {
            let most = most(&contents, |message| Qutl::names(&kind, &text(message)));
            if most <= COUNT_MAX && most < bound {
                add(Qutl::Count(kind, Relation::AtMost, most));
            }
        }
        if letters.len() <= LETTERS_MAX {
            let follows = follows(&contents);
            let pairs = letters.iter().flat_map(|a| letters.iter().map(move |b| (*a, *b)));
            for (first, second) in pairs.filter(|pair| pair.0 != pair.1) {
                if !follows.contains(&(first, second)) {
                    add(never_behind(text(first), text(second)));
                }
            }
        }
        if letters.len() <= LETTERS_MAX && help == Help::Shapes {
            let next = neighbours(&contents);
            for &letter in &letters {
                let behind = letters.iter().filter(|&&other| next.contains(&(letter, other)));
                let behind: Vec<String> = behind.map(|&other| text(other)).collect();
                if behind.len() < letters.len() {
                    add(only_next(text(letter), behind));
                }
            }
        }
    }
    found
}

/// `first then never second`.
fn never_behind(first: String, second: String) -> Qutl {
    let never = Qutl::Globally(Box::new(Qutl::Not(Box::new(Qutl::First(second)))));
    let behind = Qutl::Implies(Box::new(Qutl::First(first)), Box::new(never));
    Qutl::Globally(Box::new(behind))
}

/// Directly behind `first` stands one of these, or nothing: the shape of what somebody sends.
fn only_next(first: String, behind: Vec<String>) -> Qutl {
    let something = Qutl::Next(Box::new(Qutl::Finally(Box::new(Qutl::True))));
    let last = Qutl::Not(Box::new(something));
    let one = |name| Qutl::Next(Box::new(Qutl::First(name)));
    let shape = behind.into_iter().map(one).fold(last, |f, g| Qutl::Or(Box::new(f), Box::new(g)));
    Qutl::Globally(Box::new(Qutl::Implies(Box::new(Qutl::First(first)), Box::new(shape))))
}

/// Pairs of messages of which the second was seen directly behind the first.
fn neighbours(contents: &[Vec<MessageId>]) -> BTreeSet<(MessageId, MessageId)> {
    contents.iter().flat_map(|content| content.windows(2).map(|pair| (pair[0], pair[1]))).collect()
}

/// The greatest number of such messages in one content.
fn most(contents: &[Vec<MessageId>], is: impl Fn(MessageId) -> bool) -> u32 {
    let count = |content: &Vec<MessageId>| content.iter().filter(|&&m| is(m)).count();
    contents.iter().map(count).max().unwrap_or(0) as u32
}

/// Names that several messages share: events with different payloads.
fn kinds(texts: &[String]) -> BTreeSet<String> {
    let name = |text: &String| text.split('(').next().unwrap_or_default().to_owned();
    let names: Vec<String> = texts.iter().map(name).collect();
    let shared = |name: &&String| names.iter().filter(|other| other == name).count() > 1;
    names.iter().filter(shared).cloned().collect()
}

/// Pairs of messages of which the second was seen behind the first.
fn follows(contents: &[Vec<MessageId>]) -> BTreeSet<(MessageId, MessageId)> {
    let mut pairs = BTreeSet::new();
    for content in contents {
        for (at, &first) in content.iter().enumerate() {
            pairs.extend(content[at + 1..].iter().map(|&second| (first, second)));
        }
    }
    pairs
}

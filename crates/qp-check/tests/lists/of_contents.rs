//! Every answer is compared with what all contents up to a length say, one by one.

use std::collections::{BTreeMap, BTreeSet};

use qp_base::{IndexVec, Map};
use qp_claim::{ClosedSet, ListSet, QueueInvariant};
use qp_machines::{
    Automata, KindId, MessageId, Outline, Pattern, QueueId, Qutl, System, WordId, Words,
};

use crate::Refusal;
use crate::contents::Contents;
use crate::looks::{Look, Sight};
use crate::of_looks::contents;

pub(crate) const QUEUE: QueueId = QueueId::from_raw(0);
const PRECISIONS: [(u32, u32); 8] =
    [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (0, 2)];
const FORMULAS: [&str; 14] = [
    "true",
    "#a <= 1",
    "#a <= 2",
    "#b = 0",
    "G(a => G !b)",
    "G(a => X b)",
    "G(a => W b)",
    "!X a",
    "!F(b & X b)",
    "#c < 3 & G(c => F a)",
    "a | W c",
    "F a => F b",
    "G !(a & X a)",
    "#a >= 1 => #b >= 1",
];

/// All contents over three messages up to a length, those that look alike together; the first of each is
/// the one of the set.
pub(crate) struct Alike {
    pub(crate) system: System,
    pub(crate) contents: Contents,
    firsts: Map<Look, WordId>,
    groups: BTreeMap<WordId, Vec<Vec<MessageId>>>,
}

impl Alike {
    fn new(precision: (u32, u32), formula: &str, length_max: usize) -> Self {
        Self::of(precision, meaning(formula), length_max)
    }

    pub(crate) fn of((prefix, counted): (u32, u32), formula: Qutl, length_max: usize) -> Self {
        let messages = ["a", "b", "c"].iter().map(|name| (*name).to_owned()).collect();
        let outline = Outline { messages, ..Outline::default() };
        let mut system = System::new(Box::new(Automata::new(outline, IndexVec::new())));
        let invariants = vec![QueueInvariant { queue: QUEUE, formula }];
        let lists = ListSet { set: ClosedSet::default(), prefix, counted, invariants };
        let sight = Sight { prefix, counted };
        let mut firsts: Map<Look, WordId> = Map::default();
        let mut groups: BTreeMap<WordId, Vec<Vec<MessageId>>> = BTreeMap::new();
        for content in contents(3, length_max) {
            let first = firsts.entry(sight.look(&content));
            let first = *first.or_insert_with(|| system.words_mut().intern(&content));
            groups.entry(first).or_default().push(content);
        }
        let of_set: Vec<_> = groups.keys().map(|&word| (word, KindId::from_raw(0))).collect();
        let contents = Contents::new(system.words(), &lists, &of_set).expect("no two look alike");
        for (&word, group) in &groups {
            assert_eq!(*contents.look(word), sight.look(&group[0]));
        }
        Self { system, contents, firsts, groups }
    }

    /// The contents of the set up to a length, each with all that look like it.
    pub(crate) fn up_to(&self, length: usize) -> Vec<(WordId, Vec<Vec<MessageId>>)> {
        let short = self.groups.iter().filter(|(_, group)| group[0].len() <= length);
        short.map(|(&word, group)| (word, group.clone())).collect()
    }

    pub(crate) fn left(&mut self, word: WordId, position: u32) -> Result<Vec<WordId>, Refusal> {
        self.contents.left((self.system.words_mut(), &name), QUEUE, word, position)
    }

    pub(crate) fn sent(&mut self, word: WordId, message: MessageId) -> Result<WordId, Refusal> {
        let after = self.system.words_mut().push(word, message);
        self.contents.sent((self.system.words(), &name), QUEUE, (word, after), message)
    }

    pub(crate) fn word_of(&self, content: &[MessageId]) -> WordId {
        self.firsts[&self.contents.sight().look(content)]
    }
}

/// The names of messages.
pub(crate) fn name(message: MessageId) -> String {
    ["a", "b", "c"][message.index()].to_owned()
}

fn meaning(formula: &str) -> Qutl {
    Qutl::parse(formula, 0).expect("the test writes formulas")
}

pub(crate) fn holds(formula: &Qutl, content: &[MessageId]) -> bool {
    let is = &mut |name: &str, message: MessageId| name == ["a", "b", "c"][message.index()];
    formula.holds(content, is)
}

/// What is left of a content once the first message that is not passed over is taken.
pub(crate) fn take(
    content: &[MessageId],
    passed: &[MessageId],
    taken: MessageId,
) -> Vec<MessageId> {
    let at = content.iter().position(|message| !passed.contains(message));
    let at = at.expect("something is taken");
    assert_eq!(content[at], taken, "contents that look alike differ in what is taken");
    [&content[..at], &content[at + 1..]].concat()
}

fn check_taking(precision: (u32, u32), formula: &str, length_max: usize) {
    let mut alike = Alike::new(precision, formula, length_max);
    let meant = meaning(formula);
    for (word, group) in alike.up_to(length_max - 3) {
        let first = group[0].clone();
        for (position, &taken) in first.iter().enumerate() {
            let passed = &first[..position];
            if passed.contains(&taken) {
                continue;
            }
            let (mut expect, mut broken) = (BTreeSet::new(), false);
            for content in group.iter().filter(|content| holds(&meant, content)) {
                let left = take(content, passed, taken);
                broken |= !holds(&meant, &left);
                expect.insert(alike.word_of(&left));
            }
            let left = alike.left(word, position as u32);
            let about = format!("{precision:?} {formula}: {first:?} without {position}");
            match left {
                Ok(left) => {
                    assert!(!broken, "{about}");
                    assert_eq!(left.into_iter().collect::<BTreeSet<_>>(), expect, "{about}");
                }
                Err(Refusal::Wrong(text)) => {
                    assert!(broken, "{about}: {text}");
                    assert_eq!(text, "taking a message breaks an invariant");
                }
            }
        }
    }
}

#[test]
fn taking_leaves_what_it_leaves_of_each_content() {
    for precision in PRECISIONS {
        let (prefix, counted) = precision;
        check_taking(precision, "true", (prefix + counted + 5).max(7) as usize);
    }
}

#[test]
fn taking_respects_invariants() {
    for precision in [(0, 0), (1, 0), (2, 0), (1, 1)] {
        for formula in FORMULAS {
            check_taking(precision, formula, 8);
        }
    }
}

#[test]
fn sending_respects_invariants() {
    for precision in [(0, 0), (1, 0), (2, 0), (1, 1)] {
        for formula in FORMULAS {
            let mut alike = Alike::new(precision, formula, 7);
            let meant = meaning(formula);
            for (word, group) in alike.up_to(4) {
                for message in (0..3).map(MessageId::from_raw) {
                    let longer = |content: &[MessageId]| [content, &[message]].concat();
                    let breaks = |content: &Vec<MessageId>| {
                        holds(&meant, content) && !holds(&meant, &longer(content))
                    };
                    let expect = if group.iter().any(breaks) {
                        Err(Refusal::Wrong("sending a message breaks an invariant".to_owned()))
                    } else {
                        Ok(alike.word_of(&longer(&group[0])))
                    };
                    let sent = alike.sent(word, message);
                    assert_eq!(sent, expect, "{precision:?} {formula}: {group:?} {message:?}");
                }
            }
        }
    }
}

#[test]
fn a_content_is_possible_if_one_that_looks_like_it_satisfies_the_invariants() {
    for precision in PRECISIONS {
        for formula in FORMULAS {
            let mut alike = Alike::new(precision, formula, 7);
            let meant = meaning(formula);
            for (word, group) in alike.up_to(4) {
                let expect = group.iter().any(|content| holds(&meant, content));
                let possible = alike.contents.is_possible(&name, QUEUE, word).unwrap();
                assert_eq!(possible, expect, "{precision:?} {formula}: {:?}", group[0]);
            }
        }
    }
}

#[test]
fn a_pattern_matches_if_one_content_does_that_satisfies_the_invariants() {
    let one = |letter| Pattern::One(vec![MessageId::from_raw(letter)]);
    let any = || Pattern::Star(Box::new(Pattern::Any));
    let patterns = [
        Pattern::Sequence(vec![any(), one(0), any(), one(1), any()]),
        Pattern::Sequence(vec![one(1), Pattern::Any, any()]),
        Pattern::Star(Box::new(Pattern::Sequence(vec![one(0), one(1)]))),
        Pattern::Empty,
    ];
    for precision in PRECISIONS {
        for formula in FORMULAS {
            let mut alike = Alike::new(precision, formula, 7);
            let meant = meaning(formula);
            for (word, group) in alike.up_to(3) {
                for pattern in &patterns {
                    let both = |c: &Vec<MessageId>| holds(&meant, c) && pattern.matches(c);
                    let found = alike.contents.matches(&name, QUEUE, word, pattern);
                    let expect = group.iter().any(both);
                    assert_eq!(found, Ok(expect), "{precision:?} {formula}: {:?}", group[0]);
                }
            }
        }
    }
}

/// Covers of what comes after a configuration begin with representatives.
#[test]
fn contents_have_the_same_representative_if_and_only_if_they_look_alike() {
    for (prefix, counted) in PRECISIONS {
        let (sight, mut words) = (Sight { prefix, counted }, Words::new());
        let lists = ListSet { prefix, counted, ..ListSet::default() };
        let mut known = Contents::new(&words, &lists, &[]).expect("nothing is claimed");
        let mut looks: BTreeMap<WordId, Look> = BTreeMap::new();
        for content in contents(2, 6) {
            let word = words.intern(&content);
            let stands_for = known.representative(&mut words, word);
            let look = sight.look(&content);
            assert_eq!(*looks.entry(stands_for).or_insert_with(|| look.clone()), look);
            assert_eq!(sight.look(&words.messages(stands_for)), look);
        }
    }
}

//! What taking and appending do where invariants hold, compared with all contents one by one.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::{MessageId, Qutl, Relation};

use super::possible::{ListTable, Reader, appending, taking};
use super::truth::Truth;
use crate::lists::{List, Look};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as usize
    }

    /// A formula with few operators: what distinguishes contents must fit into short ones.
    fn formula(&mut self, height: usize, n_letters: usize) -> Qutl {
        use Relation::{AtLeast, AtMost, Equal, Less, More};
        let name = NAMES[self.below(n_letters)].to_owned();
        if height == 0 || self.below(6) == 0 {
            let relation = [Less, AtMost, Equal, AtLeast, More][self.below(5)];
            return match self.below(8) {
                0 => Qutl::True,
                1 => Qutl::False,
                2..5 => Qutl::First(name),
                _ => Qutl::Count(name, relation, self.below(3) as u32),
            };
        }
        let mut inner = || Box::new(self.formula(height - 1, n_letters));
        let f = inner();
        let g = inner();
        match self.below(10) {
            0 => Qutl::Next(f),
            1 => Qutl::WeakNext(f),
            2 => Qutl::Finally(f),
            3..5 => Qutl::Globally(f),
            5 => Qutl::Not(f),
            6 => Qutl::And(f, g),
            7 => Qutl::Or(f, g),
            _ => Qutl::Implies(f, g),
        }
    }
}

fn is(name: &str, message: MessageId) -> bool {
    NAMES[message.index()] == name
}

/// All contents up to a length.
fn contents(n_letters: usize, longest: usize) -> Vec<Vec<MessageId>> {
    let (mut all, mut next): (Vec<Vec<MessageId>>, _) = (vec![Vec::new()], 0);
    while all[next].len() < longest {
        for letter in 0..n_letters {
            let longer = [&all[next][..], &[MessageId::new(letter)]].concat();
            all.push(longer);
        }
        next += 1;
    }
    all
}

/// Contents that look alike, together.
type Groups = BTreeMap<List, Vec<Vec<MessageId>>>;

fn groups(look: Look, n_letters: usize, longest: usize) -> Groups {
    let mut groups = Groups::new();
    for content in contents(n_letters, longest) {
        groups.entry(look.of(&content)).or_default().push(content);
    }
    groups
}

/// A list, what is said of its queue, and which messages are skipped or appended.
#[derive(Debug)]
struct Case<'a> {
    look: Look,
    list: &'a List,
    formulas: Vec<Qutl>,
    /// Messages that are skipped.
    skipped: Vec<MessageId>,
    /// The message that is appended.
    message: MessageId,
}

impl Case<'_> {
    fn reader(&self, list: &List) -> Reader {
        let (mut truth, letters) = (Truth::default(), list.letters());
        for (number, formula) in self.formulas.iter().enumerate() {
            let mut occurs = |name: &str| letters.iter().any(|&letter| is(name, letter));
            truth.add(formula, number, &mut occurs);
        }
        Reader::new(truth)
    }

    fn all_hold(&self, content: &[MessageId]) -> bool {
        self.formulas.iter().all(|formula| formula.holds(content, &mut is))
    }

    fn failing(&self, content: &[MessageId]) -> Vec<usize> {
        let fails = |number: &usize| !self.formulas[*number].holds(content, &mut is);
        (0..self.formulas.len()).filter(fails).collect()
    }

    /// The invariants that appending breaks, as the engine says it.
    fn appended(&self) -> BTreeSet<usize> {
        let mut reader = self.reader(&self.look.append(self.list, self.message));
        let mut table = ListTable::new(self.look);
        appending(&mut table, &mut reader, self.list, self.message, &mut is)
    }

    /// The same, content by content.
    fn appended_one_by_one(&self, alike: &[Vec<MessageId>]) -> BTreeSet<usize> {
        let possible = alike.iter().filter(|content| self.all_hold(content));
        possible
            .flat_map(|content| self.failing(&[&content[..], &[self.message]].concat()))
            .collect()
    }

    fn position(&self, content: &[MessageId]) -> Option<usize> {
        content.iter().position(|message| !self.skipped.contains(message))
    }

    /// What taking leaves and the invariants that it breaks, as the engine says it. `None` if nothing can be
    /// taken.
    fn taken(&self) -> Option<(BTreeSet<List>, BTreeSet<usize>)> {
        let position = self.position(&self.list.representative())?;
        let results = self.look.take(self.list, position);
        let (mut table, mut reader) = (ListTable::new(self.look), self.reader(self.list));
        let from = (self.list, position);
        let (left, broken) = taking(&mut table, &mut reader, from, results, &mut is);
        let distinct: BTreeSet<List> = left.iter().cloned().collect();
        assert_eq!(distinct.len(), left.len(), "a result twice: {self:?}");
        Some((distinct, broken))
    }

    /// The same, content by content.
    fn taken_one_by_one(
        &self,
        alike: &[Vec<MessageId>],
    ) -> Option<(BTreeSet<List>, BTreeSet<usize>)> {
        self.position(&self.list.representative())?;
        let (mut left, mut broken) = (BTreeSet::new(), BTreeSet::new());
        for content in alike.iter().filter(|content| self.all_hold(content)) {
            let mut rest = content.clone();
            rest.remove(self.position(content).expect("contents that look alike let take alike"));
            left.insert(self.look.of(&rest));
            broken.extend(self.failing(&rest));
        }
        Some((left, broken))
    }
}

/// Formulas and lists that nobody chose. Contents of this length show everything, which is itself part of what is
/// tested: the engine must not say more than they do.
fn compare(
    seed: u64,
    (prefix, counted): (u32, u32),
    n_letters: usize,
    longest: usize,
) -> [usize; 3] {
    let (look, mut dice) = (Look { prefix, counted }, Dice(seed));
    let groups = groups(look, n_letters, longest);
    let short = prefix as usize + 3;
    let lists: Vec<&List> = groups.keys().filter(|l| l.representative().len() <= short).collect();
    let (mut n_pairs, mut n_broken, mut n_fewer) = (0, 0, 0);
    for _ in 0..500 {
        let list = lists[dice.below(lists.len())];
        let height = 1 + dice.below(2);
        let formulas = (0..=dice.below(2)).map(|_| dice.formula(height, n_letters)).collect();
        let letters = (0..n_letters).map(MessageId::new);
        let skipped = letters.filter(|_| dice.below(3) == 0).collect();
        let message = MessageId::new(dice.below(n_letters));
        let case = Case { look, list, formulas, skipped, message };
        let (appended, taken) = (case.appended(), case.taken());
        let alike = &groups[list];
        assert_eq!(appended, case.appended_one_by_one(alike), "{case:?}");
        assert_eq!(taken, case.taken_one_by_one(alike), "{case:?}");
        n_pairs += case.formulas.len();
        let taken_breaks = taken.as_ref().is_some_and(|(_, broken)| !broken.is_empty());
        n_broken += usize::from(!appended.is_empty()) + usize::from(taken_breaks);
        let position = case.position(&list.representative());
        let all = position.map(|position| look.take(list, position).len());
        // Fewer than without formulas, but not nothing at all.
        let some = taken.map(|(left, _)| left.len()).filter(|&n| n > 0);
        n_fewer += usize::from(some.is_some() && some != all);
    }
    [n_pairs, n_broken, n_fewer]
}

#[test]
fn random_formulas_and_lists_agree_with_all_contents_that_look_alike() {
    let looks = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2)];
    let mut sum = [0; 3];
    for (seed, look) in (1..).zip(looks) {
        for (n_letters, longest) in [(2, 11), (3, 8)] {
            let counts = compare(seed * 77 + n_letters as u64, look, n_letters, longest);
            sum.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
    }
    println!("{sum:?}");
    let [n_pairs, n_broken, n_fewer] = sum;
    assert!(n_pairs > 3_000 && n_broken > 400 && n_fewer > 150, "{sum:?}");
}

/// The published negation of "next" would say that the empty content has a second message that is not `a`.
#[test]
fn not_next_is_true_of_the_empty_content() {
    let formula = Qutl::parse("!X a", 0).expect("it is a formula");
    let mut truth = Truth::default();
    truth.add(&formula, 0, &mut |_| true);
    let empty = truth.empty();
    assert!(truth.all(&empty));
    let wrong = Qutl::parse("X !a", 0).expect("it is a formula");
    let mut truth = Truth::default();
    truth.add(&wrong, 0, &mut |_| true);
    assert!(!truth.all(&truth.empty()));
}

/// With `!X a`, an `a` may be appended to the empty content and to no content with one message.
#[test]
fn not_next_breaks_where_a_message_gets_second() {
    let look = Look { prefix: 2, counted: 0 };
    let (a, b) = (MessageId::new(0), MessageId::new(1));
    let formulas = vec![Qutl::parse("!X a", 0).expect("it is a formula")];
    for (content, breaks) in [(vec![], false), (vec![b], true), (vec![b, b], false)] {
        let list = look.of(&content);
        let (formulas, skipped) = (formulas.clone(), Vec::new());
        let case = Case { look, list: &list, formulas, skipped, message: a };
        assert_eq!(!case.appended().is_empty(), breaks, "{content:?}");
    }
}

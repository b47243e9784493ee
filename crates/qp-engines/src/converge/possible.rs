//! Which contents that look alike are possible where invariants hold.
//!
//! Contents are followed from their back to their front: what the beginning that is still to come looks like,
//! and the truth of the invariants on what was read. Both are small numbers, and what one message does to
//! them is worked out once.

use std::collections::BTreeSet;
use std::sync::Arc;

use qp_base::{Interner, Map, Set};
use qp_machines::MessageId;

use super::truth::{Truth, Values};
use crate::lists::{List, Look};

/// More pairs than this are not followed: the invariants do not count then.
const PAIRS_MAX: usize = 100_000;

type Before = Arc<[(MessageId, u32)]>;

/// Lists as small numbers.
pub(super) struct ListTable {
    pub(super) look: Look,
    lists: Interner<usize, List>,
    /// For each list: what it was before which message was appended.
    before: Vec<Option<Before>>,
}

impl ListTable {
    pub(super) fn new(look: Look) -> Self {
        let mut table = Self { look, lists: Interner::new(), before: Vec::new() };
        table.number(List::default());
        table
    }

    /// The number of a list; the empty one has 0.
    fn number(&mut self, list: List) -> u32 {
        let number = self.lists.intern(list);
        if number == self.before.len() {
            self.before.push(None);
        }
        number as u32
    }

    fn before(&mut self, number: u32) -> Before {
        if let Some(known) = &self.before[number as usize] {
            return known.clone();
        }
        let found = self.look.before(self.lists.value(number as usize));
        let found = found.into_iter().map(|(message, list)| (message, self.number(list)));
        let found: Before = found.collect();
        self.before[number as usize] = Some(found.clone());
        found
    }
}

/// The truth of some formulas, as small numbers.
pub(super) struct Reader {
    truth: Truth,
    values: Interner<usize, Values>,
    steps: Map<(u32, MessageId), u32>,
}

impl Reader {
    pub(super) fn new(truth: Truth) -> Self {
        let mut values = Interner::new();
        values.intern(truth.empty());
        Self { truth, values, steps: Map::default() }
    }

    /// Whether nothing is said.
    pub(super) fn is_trivial(&self) -> bool {
        self.truth.is_trivial()
    }

    /// With one more message at the front.
    fn step(&mut self, values: u32, message: MessageId, is: &mut Is<'_>) -> u32 {
        let (truth, table) = (&self.truth, &mut self.values);
        *self.steps.entry((values, message)).or_insert_with(|| {
            let rest = table.value(values as usize).clone();
            table.intern(truth.step(&rest, &mut |name| is(name, message))) as u32
        })
    }

    fn is_doomed(&self, values: u32) -> bool {
        self.truth.is_doomed(self.values.value(values as usize))
    }

    fn all(&self, values: u32) -> bool {
        self.truth.all(self.values.value(values as usize))
    }

    fn failing(&self, values: u32) -> impl Iterator<Item = usize> {
        self.truth.failing(self.values.value(values as usize))
    }
}

/// Which names a message has.
pub(super) type Is<'a> = dyn FnMut(&str, MessageId) -> bool + 'a;

/// The invariants that may break when a message is appended to a content that looks like this and
/// satisfies them.
pub(super) fn appending(
    table: &mut ListTable,
    reader: &mut Reader,
    list: &List,
    message: MessageId,
    is: &mut Is<'_>,
) -> BTreeSet<usize> {
    let mut broken = BTreeSet::new();
    let start = (table.number(list.clone()), 0, reader.step(0, message, is));
    let mut seen: Set<(u32, u32, u32)> = Set::default();
    let mut todo = vec![start];
    while let Some((part, old, new)) = todo.pop() {
        if part == 0 && reader.all(old) {
            broken.extend(reader.failing(new));
        }
        for &(letter, before) in table.before(part).iter() {
            let next = (before, reader.step(old, letter, is), reader.step(new, letter, is));
            if !reader.is_doomed(next.1) && seen.insert(next) {
                todo.push(next);
            }
        }
        if seen.len() > PAIRS_MAX {
            return reader.truth.numbers().collect();
        }
    }
    broken
}

/// Two copies of a content, one of them without the message that was taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Pair {
    whole: u32,
    rest: u32,
    of_whole: u32,
    of_rest: u32,
    /// Whether the message was passed: only messages that were skipped stand before it.
    passed: bool,
    /// The number of the result.
    result: u32,
}

/// Those of the results of taking a message that are possible where the invariants hold, and the invariants
/// that may break.
pub(super) fn taking(
    table: &mut ListTable,
    reader: &mut Reader,
    (list, position): (&List, usize),
    results: Vec<List>,
    is: &mut Is<'_>,
) -> (Vec<List>, BTreeSet<usize>) {
    let content = list.representative();
    let (skipped, taken) = (&content[..position], content[position]);
    let (mut possible, mut broken) = (BTreeSet::new(), BTreeSet::new());
    let mut seen: Set<Pair> = Set::default();
    let (whole, mut todo) = (table.number(list.clone()), Vec::new());
    for (result, rest) in (0..).zip(&results) {
        let rest = table.number(rest.clone());
        todo.push(Pair { whole, rest, of_whole: 0, of_rest: 0, passed: false, result });
    }
    while let Some(pair) = todo.pop() {
        if pair.passed && pair.whole == 0 && pair.rest == 0 && reader.all(pair.of_whole) {
            possible.insert(pair.result);
            broken.extend(reader.failing(pair.of_rest));
        }
        let mut push = |next: Pair| {
            if seen.insert(next) {
                todo.push(next);
            }
        };
        for &(letter, whole) in table.before(pair.whole).iter() {
            let of_whole = reader.step(pair.of_whole, letter, is);
            if reader.is_doomed(of_whole) {
                continue;
            }
            if !pair.passed && letter == taken {
                push(Pair { whole, of_whole, passed: true, ..pair });
            }
            if pair.passed && !skipped.contains(&letter) {
                continue;
            }
            let of_rest = reader.step(pair.of_rest, letter, is);
            for &(_, rest) in table.before(pair.rest).iter().filter(|it| it.0 == letter) {
                push(Pair { whole, rest, of_whole, of_rest, ..pair });
            }
        }
        if seen.len() > PAIRS_MAX {
            return (results, reader.truth.numbers().collect());
        }
    }
    let results = (0..).zip(results);
    let possible = results.filter(|(number, _)| possible.contains(number)).map(|it| it.1);
    (possible.collect(), broken)
}

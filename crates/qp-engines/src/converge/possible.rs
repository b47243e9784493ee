//! Which contents that look alike are possible where invariants hold.
//!
//! Contents are followed from their back to their front: what the beginning that is still to come looks like,
//! and the truth of the invariants on what was read.

use std::collections::{BTreeSet, HashSet};

use qp_machines::MessageId;

use super::list::{List, Look};
use super::truth::{Truth, Values};

/// Which names a message has.
pub(super) type Is<'a> = dyn FnMut(&str, MessageId) -> bool + 'a;

/// The invariants that may break when a message is appended to a content that looks like this and
/// satisfies them.
pub(super) fn appending(
    look: Look,
    truth: &Truth,
    list: &List,
    message: MessageId,
    is: &mut Is<'_>,
) -> BTreeSet<usize> {
    let mut broken = BTreeSet::new();
    if truth.is_trivial() {
        return broken;
    }
    let (old, new) = (truth.empty(), truth.step(&truth.empty(), &mut |name| is(name, message)));
    let mut seen: HashSet<(List, Values, Values)> = HashSet::new();
    let mut todo = vec![(list.clone(), old, new)];
    while let Some((part, old, new)) = todo.pop() {
        if part.is_empty() && truth.all(&old) {
            broken.extend(truth.failing(&new));
        }
        for (letter, before) in look.before(&part) {
            let mut is = |name: &str| is(name, letter);
            let next = (before, truth.step(&old, &mut is), truth.step(&new, &mut is));
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    broken
}

/// Two copies of a content, one of them without the message that was taken.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Pair {
    whole: List,
    rest: List,
    of_whole: Values,
    of_rest: Values,
    /// Whether the message was passed: only messages that were skipped stand before it.
    passed: bool,
    /// The number of the result.
    result: usize,
}

/// Those of the results of taking a message that are possible where the invariants hold, and the invariants
/// that may break.
pub(super) fn taking(
    look: Look,
    truth: &Truth,
    (list, position): (&List, usize),
    results: Vec<List>,
    is: &mut Is<'_>,
) -> (Vec<List>, BTreeSet<usize>) {
    let content = look.representative(list);
    let (skipped, taken) = (&content[..position], content[position]);
    let (mut possible, mut broken) = (BTreeSet::new(), BTreeSet::new());
    let mut seen: HashSet<Pair> = HashSet::new();
    let start = |(result, rest): (usize, &List)| Pair {
        whole: list.clone(),
        rest: rest.clone(),
        of_whole: truth.empty(),
        of_rest: truth.empty(),
        passed: false,
        result,
    };
    let mut todo: Vec<Pair> = results.iter().enumerate().map(start).collect();
    while let Some(pair) = todo.pop() {
        if pair.passed && pair.whole.is_empty() && pair.rest.is_empty() {
            if truth.all(&pair.of_whole) {
                possible.insert(pair.result);
                broken.extend(truth.failing(&pair.of_rest));
            }
            continue;
        }
        for (letter, whole) in look.before(&pair.whole) {
            let mut is = |name: &str| is(name, letter);
            let of_whole = truth.step(&pair.of_whole, &mut is);
            if !pair.passed && letter == taken {
                let (whole, of_whole) = (whole.clone(), of_whole.clone());
                let next = Pair { whole, of_whole, passed: true, ..pair.clone() };
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
            if pair.passed && !skipped.contains(&letter) {
                continue;
            }
            for (_, rest) in look.before(&pair.rest).into_iter().filter(|it| it.0 == letter) {
                let of_rest = truth.step(&pair.of_rest, &mut is);
                let (whole, of_whole) = (whole.clone(), of_whole.clone());
                let next = Pair { whole, rest, of_whole, of_rest, ..pair.clone() };
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
    }
    let results = results.into_iter().enumerate();
    let possible = results.filter(|(number, _)| possible.contains(number)).map(|it| it.1);
    (possible.collect(), broken)
}

//! Sets of letters that overlap, cut into pieces that do not.
//!
//! Every construction that follows several edges at once stands on this. Cutting only what leaves the
//! states at hand keeps the number of pieces near the number of edges there; one partition of the alphabet
//! for the whole automaton would make each edge for *all but some* as expensive as the alphabet is large.

use std::hash::Hash;

use qp_base::Map;

use super::{Letter, Letters};

/// Letters, and what all of them are labels of, in ascending order, nothing twice.
pub(super) type Piece<T> = (Letters, Vec<T>);

/// Cuts labels into disjoint, nonempty pieces: the letters of a piece are labels of the same things, and those
/// of different pieces are not. In the order of least letters.
///
/// With s letters listed and n sets of all but some, time O(s (n + log s)).
pub(super) fn cut<T: Copy + Ord + Hash>(labelled: &[(&Letters, T)]) -> Vec<Piece<T>> {
    if let [(letters, thing)] = labelled {
        return vec![((*letters).clone(), vec![*thing])];
    }
    let mut mentions: Vec<(Letter, usize)> = Vec::new();
    for (i, (letters, _)) in labelled.iter().enumerate() {
        mentions.extend(letters.listed().iter().map(|&letter| (letter, i)));
    }
    mentions.sort_unstable();
    let infinite: Vec<usize> =
        (0..labelled.len()).filter(|&i| !labelled[i].0.is_finite()).collect();
    let others = sorted(infinite.iter().map(|&i| labelled[i].1).collect());
    let mut special: Vec<Letter> = Vec::new();
    let mut numbers: Map<Vec<T>, usize> = Map::default();
    let mut groups: Vec<(Vec<Letter>, Vec<T>)> = Vec::new();
    for run in mentions.chunk_by(|a, b| a.0 == b.0) {
        let letter = run[0].0;
        let things = things_of(labelled, run, &infinite);
        if things == others {
            continue;
        }
        special.push(letter);
        if let Some(&number) = numbers.get(&things) {
            groups[number].0.push(letter);
        } else if !things.is_empty() {
            numbers.insert(things.clone(), groups.len());
            groups.push((vec![letter], things));
        }
    }
    let mut pieces: Vec<Piece<T>> =
        groups.into_iter().map(|(letters, things)| (Letters::only(letters), things)).collect();
    if !others.is_empty() {
        pieces.push((Letters::except(special), others));
        pieces.sort_by_key(|(letters, _)| letters.least());
    }
    pieces
}

/// What a letter is a label of, given the indices of the sets that list it.
fn things_of<T: Copy + Ord>(
    labelled: &[(&Letters, T)],
    run: &[(Letter, usize)],
    infinite: &[usize],
) -> Vec<T> {
    let lists = |i: usize| run.binary_search_by_key(&i, |&(_, i)| i).is_ok();
    let finite = run.iter().map(|&(_, i)| i).filter(|&i| labelled[i].0.is_finite());
    let rest = infinite.iter().copied().filter(|&i| !lists(i));
    sorted(finite.chain(rest).map(|i| labelled[i].1).collect())
}

fn sorted<T: Ord>(mut things: Vec<T>) -> Vec<T> {
    things.sort_unstable();
    things.dedup();
    things
}

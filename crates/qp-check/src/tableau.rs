//! Whether the automaton in the evidence accepts every word that makes a formula false.
//!
//! The negated formula is taken apart by the rules that define its operators, into a *tableau* (Gerth, Peled, Vardi and
//! Wolper 1995; with promises on moves as Couvreur 1999). A state is a set of formulas that are to be true from here on; a
//! move says what the letter must be, what is to be true from the next letter on, and which *untils* are put off. *Every
//! word of which the formula is true has a path through the tableau on which no until is put off for ever*: take at each
//! letter the move that follows what is true of the rest of the word, with each until ended as soon as it can be. A
//! move beside which there is one that asks for less in every respect may be left out: what was to be true still is.
//!
//! The automaton must be able to follow the tableau step by step, and to accept whenever no until is put off for ever:
//! *fair simulation* (Henzinger, Kupferman and Rajamani 2002). Then it accepts what has such a path, so every wrong run.
//! That is a game of two fixpoints around a third (Piterman, Pnueli and Sa'ar 2006), which is played out here. Nothing is
//! known of how the automaton was made, and if it accepts more, proofs are only harder to find.

use std::collections::{BTreeMap, BTreeSet};

use qp_automata::{Buchi, Formula};
use qp_machines::Letter;

use crate::{Checked, wrong};

/// More drafts of moves than this are not looked at, in all states together.
const DRAFTS_MAX: usize = 200_000;
/// More positions of the game than this are not looked at.
const POSITIONS_MAX: usize = 200_000;

/// Gives back the automaton over the atoms of the formula, if it accepts every word of which the formula is false.
pub(crate) fn check(formula: &Formula<Letter>, automaton: &Buchi<u32>) -> Checked<Buchi<Letter>> {
    let atoms = formula.atoms();
    let letter = |&atom: &u32| atoms.get(atom as usize).map(|&letter| letter.clone());
    let n = automaton.states.len();
    let edges = automaton.states.iter().flat_map(|state| &state.edges);
    let inside = edges.map(|edge| edge.to).chain(automaton.start.iter().copied()).all(|to| to < n);
    let Some(over_letters) = automaton.over(letter).filter(|_| inside) else {
        return wrong("the automaton has an edge to nowhere, or an atom that the formula has not");
    };
    let Some(tableau) = Tableau::new(&formula.negated(), &atoms) else {
        return wrong("the formula is too large to be taken apart");
    };
    let Some(game) = Game::new(&tableau, automaton) else {
        return wrong("the formula and its automaton are too large to be compared");
    };
    if !game.is_won() {
        return wrong("the automaton does not accept every run of which the formula is false");
    }
    Ok(over_letters)
}

/// A formula with negations at atoms only, over the numbers of others. *Some time* is `true until`, and *from now on* is
/// `false release`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Constant(bool),
    Literal(u32, bool),
    And(usize, usize),
    Or(usize, usize),
    Next(usize),
    Until(usize, usize),
    Release(usize, usize),
}

/// One way to read a letter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Move<T> {
    when: BTreeSet<(u32, bool)>,
    put_off: BTreeSet<usize>,
    to: T,
}

struct Tableau {
    /// All moves of each state; state 0 is the beginning.
    moves: Vec<Vec<Move<usize>>>,
}

impl Tableau {
    fn new(formula: &Formula<Letter>, atoms: &[&Letter]) -> Option<Self> {
        let mut parts = Vec::new();
        let whole = part(formula, atoms, &mut parts)?;
        let first = BTreeSet::from([whole]);
        let (mut numbers, mut states) = (BTreeMap::from([(first.clone(), 0)]), vec![first]);
        let (mut moves, mut drafts) = (Vec::new(), 0);
        while let Some(state) = states.get(moves.len()) {
            let mut found = Vec::new();
            for Move { when, put_off, to } in ways(&parts, state, &mut drafts)? {
                let number = *numbers.entry(to.clone()).or_insert(states.len());
                if number == states.len() {
                    states.push(to);
                }
                found.push(Move { when, put_off, to: number });
            }
            moves.push(found);
        }
        Some(Self { moves })
    }
}

/// The number of a formula. Equal ones have one number.
fn part(formula: &Formula<Letter>, atoms: &[&Letter], parts: &mut Vec<Part>) -> Option<usize> {
    let literal = |letter: &Letter, sign| {
        Some(Part::Literal(atoms.iter().position(|&it| it == letter)? as u32, sign))
    };
    let mut of = |formula: &Formula<Letter>| part(formula, atoms, parts);
    let part = match formula {
        Formula::True => Part::Constant(true),
        Formula::False => Part::Constant(false),
        Formula::Atom(letter) => literal(letter, true)?,
        Formula::Not(a) => match &**a {
            Formula::Atom(letter) => literal(letter, false)?,
            _ => return None,
        },
        Formula::And(a, b) => Part::And(of(a)?, of(b)?),
        Formula::Or(a, b) => Part::Or(of(a)?, of(b)?),
        Formula::Next(a) => Part::Next(of(a)?),
        Formula::Finally(a) => Part::Until(of(&Formula::True)?, of(a)?),
        Formula::Globally(a) => Part::Release(of(&Formula::False)?, of(a)?),
        Formula::Until(a, b) => Part::Until(of(a)?, of(b)?),
        Formula::Release(a, b) => Part::Release(of(a)?, of(b)?),
    };
    Some(parts.iter().position(|&known| known == part).unwrap_or_else(|| {
        parts.push(part);
        parts.len() - 1
    }))
}

/// All ways to read a letter with which the formulas of a state come true; `None` if there are too many.
fn ways(
    parts: &[Part],
    state: &BTreeSet<usize>,
    n_drafts: &mut usize,
) -> Option<Vec<Move<BTreeSet<usize>>>> {
    /// A move of which some formulas are still to be taken apart.
    #[derive(Clone, Default)]
    struct Draft {
        todo: Vec<usize>,
        done: BTreeSet<usize>,
        made: Move<BTreeSet<usize>>,
    }
    let mut found = BTreeSet::new();
    let mut drafts = vec![Draft { todo: state.iter().copied().collect(), ..Draft::default() }];
    'drafts: while let Some(mut draft) = drafts.pop() {
        *n_drafts += 1;
        if *n_drafts > DRAFTS_MAX {
            return None;
        }
        while let Some(number) = draft.todo.pop() {
            if !draft.done.insert(number) {
                continue;
            }
            let with = |draft: &Draft, formula| {
                let mut other = draft.clone();
                other.todo.push(formula);
                other
            };
            match parts[number] {
                Part::Constant(true) => {}
                Part::Constant(false) => continue 'drafts,
                Part::Literal(atom, sign) => {
                    if draft.made.when.contains(&(atom, !sign)) {
                        continue 'drafts;
                    }
                    draft.made.when.insert((atom, sign));
                }
                Part::And(a, b) => draft.todo.extend([a, b]),
                Part::Or(a, b) => {
                    drafts.push(with(&draft, b));
                    draft.todo.push(a);
                }
                Part::Next(a) => {
                    draft.made.to.insert(a);
                }
                Part::Until(a, b) => {
                    let mut later = with(&draft, a);
                    later.made.to.insert(number);
                    later.made.put_off.insert(number);
                    drafts.push(later);
                    draft.todo.push(b);
                }
                Part::Release(a, b) => {
                    draft.todo.push(b);
                    drafts.push(with(&draft, a));
                    draft.made.to.insert(number);
                }
            }
        }
        found.insert(draft.made);
    }
    let less = |a: &Move<BTreeSet<usize>>, b: &Move<BTreeSet<usize>>| {
        a.when.is_subset(&b.when) && a.put_off.is_subset(&b.put_off) && a.to.is_subset(&b.to)
    };
    let needed = |b: &&Move<_>| !found.iter().any(|a| a != *b && less(a, b));
    Some(found.iter().filter(needed).cloned().collect())
}

/// The tableau moves, the automaton answers. A position is a state of each. Beside its own states the automaton has one
/// where it has given up: it can always go there, stays there, and does not accept.
struct Game<'a> {
    /// For each move from each position: what is put off, and the positions that answers lead to.
    answers: Vec<Vec<(&'a BTreeSet<usize>, Vec<usize>)>>,
    accepting: Vec<bool>,
    /// Positions with which it can begin.
    starts: Vec<usize>,
}

impl<'a> Game<'a> {
    fn new(tableau: &'a Tableau, automaton: &Buchi<u32>) -> Option<Self> {
        let given_up = automaton.states.len();
        let mut positions: Vec<(usize, usize)> = Vec::new();
        let mut numbers = BTreeMap::new();
        let mut meet = |position, positions: &mut Vec<_>| {
            *numbers.entry(position).or_insert_with(|| {
                positions.push(position);
                positions.len() - 1
            })
        };
        let starts = automaton.start.iter().chain([&given_up]);
        let starts = starts.map(|&state| meet((0, state), &mut positions)).collect();
        let (mut answers, mut accepting) = (Vec::new(), Vec::new());
        while let Some(&(from, state)) = positions.get(answers.len()) {
            if positions.len() > POSITIONS_MAX {
                return None;
            }
            let state = automaton.states.get(state);
            accepting.push(state.is_some_and(|state| state.accepting));
            let edges = || state.into_iter().flat_map(|state| &state.edges);
            let answer = |it: &'a Move<usize>| {
                let follows =
                    edges().filter(|edge| edge.when.iter().all(|on| it.when.contains(on)));
                let to = follows.map(|edge| edge.to).chain([given_up]);
                (&it.put_off, to.map(|to| meet((it.to, to), &mut positions)).collect())
            };
            answers.push(tableau.moves[from].iter().map(answer).collect());
        }
        Some(Self { answers, accepting, starts })
    }

    /// Whether the automaton, from one of its beginnings, can accept again and again or some until is put off for ever.
    fn is_won(&self) -> bool {
        let n = self.answers.len();
        let put_off: BTreeSet<usize> = self
            .answers
            .iter()
            .flatten()
            .flat_map(|(put_off, _)| put_off.iter().copied())
            .collect();
        // Greatest set: from it, the automaton can come to an accepting state inside of it, or need not.
        let mut again = vec![true; n];
        loop {
            // Least set: it comes there after finitely many moves, ...
            let mut soon = vec![false; n];
            loop {
                let before = soon.clone();
                for until in put_off.iter().map(Some).chain([None]) {
                    // ... or waits, in a greatest set, while one until is put off by every move.
                    let mut waits = again.clone();
                    while self.shrink(&mut waits, |it, to, waits| {
                        self.accepting[to] && again[to]
                            || soon[to]
                            || waits[to] && until.is_some_and(|until| it.contains(until))
                    }) {}
                    waits.iter().zip(&mut soon).for_each(|(waits, soon)| *soon |= waits);
                }
                if soon == before {
                    break;
                }
            }
            if soon == again {
                return self.starts.iter().any(|&start| again[start]);
            }
            again = soon;
        }
    }

    /// Takes out the positions with a move to which there is no good answer; whether there were any.
    fn shrink(
        &self,
        set: &mut [bool],
        good: impl Fn(&BTreeSet<usize>, usize, &[bool]) -> bool,
    ) -> bool {
        let mut shrunk = false;
        for position in (0..set.len()).rev() {
            let answered = |(put_off, answers): &(&BTreeSet<usize>, Vec<usize>)| {
                answers.iter().any(|&to| good(put_off, to, set))
            };
            if set[position] && !self.answers[position].iter().all(answered) {
                set[position] = false;
                shrunk = true;
            }
        }
        shrunk
    }
}

#[cfg(test)]
mod tests;

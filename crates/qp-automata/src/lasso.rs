//! Words that go round in a circle, and what is true of them. Written to be read, not to be fast: this is
//! what a translation, or a search, is compared with.

use crate::{Buchi, Formula};

/// The shape of an infinite word with finitely many letters, of which the last ones are repeated for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lasso {
    len: usize,
    back: usize,
}

impl Lasso {
    /// A word with letters number 0 to `len - 1`; after the last comes number `back`. `None` if there is
    /// no such letter.
    pub fn new(len: usize, back: usize) -> Option<Self> {
        (back < len).then_some(Self { len, back })
    }

    /// The letter after this one.
    fn next(self, letter: usize) -> usize {
        if letter + 1 < self.len { letter + 1 } else { self.back }
    }
}

impl<A> Formula<A> {
    /// Whether it is true of a word, of which `truth` says which letter makes which atom true.
    pub fn holds_on(&self, word: Lasso, truth: &mut dyn FnMut(usize, &A) -> bool) -> bool {
        self.everywhere(word, truth)[0]
    }

    /// Whether it is true from each letter on.
    fn everywhere(&self, word: Lasso, truth: &mut dyn FnMut(usize, &A) -> bool) -> Vec<bool> {
        let all = |value: bool| vec![value; word.len];
        match self {
            Self::True => all(true),
            Self::False => all(false),
            Self::Atom(atom) => (0..word.len).map(|letter| truth(letter, atom)).collect(),
            Self::Not(a) => a.everywhere(word, truth).into_iter().map(|a| !a).collect(),
            Self::And(a, b) => {
                let (a, b) = (a.everywhere(word, truth), b.everywhere(word, truth));
                a.into_iter().zip(b).map(|(a, b)| a && b).collect()
            }
            Self::Or(a, b) => {
                let (a, b) = (a.everywhere(word, truth), b.everywhere(word, truth));
                a.into_iter().zip(b).map(|(a, b)| a || b).collect()
            }
            Self::Next(a) => {
                let a = a.everywhere(word, truth);
                (0..word.len).map(|letter| a[word.next(letter)]).collect()
            }
            Self::Finally(b) => until(word, &all(true), b.everywhere(word, truth)),
            Self::Globally(b) => release(word, &all(false), b.everywhere(word, truth)),
            Self::Until(a, b) => {
                let a = a.everywhere(word, truth);
                until(word, &a, b.everywhere(word, truth))
            }
            Self::Release(a, b) => {
                let a = a.everywhere(word, truth);
                release(word, &a, b.everywhere(word, truth))
            }
        }
    }
}

/// The least solution of `x = b or (a and next x)`. Going twice over the word is enough, because what a
/// letter learns comes from letters at most once around.
fn until(word: Lasso, a: &[bool], b: Vec<bool>) -> Vec<bool> {
    let mut holds = b;
    for letter in (0..word.len).chain(0..word.len).rev() {
        holds[letter] |= a[letter] && holds[word.next(letter)];
    }
    holds
}

/// The greatest solution of `x = b and (a or next x)`.
fn release(word: Lasso, a: &[bool], b: Vec<bool>) -> Vec<bool> {
    let mut holds = b;
    for letter in (0..word.len).chain(0..word.len).rev() {
        holds[letter] &= a[letter] || holds[word.next(letter)];
    }
    holds
}

impl<A> Buchi<A> {
    /// Whether it accepts a word, of which `truth` says which letter makes which atom true.
    pub fn accepts(&self, word: Lasso, truth: &mut dyn FnMut(usize, &A) -> bool) -> bool {
        let mut next: Vec<Vec<usize>> = Vec::new();
        for letter in 0..word.len {
            for state in &self.states {
                let open = state.edges.iter().filter(|edge| {
                    edge.when.iter().all(|(atom, value)| truth(letter, atom) == *value)
                });
                let pair = |to: usize| word.next(letter) * self.states.len() + to;
                next.push(open.map(|edge| pair(edge.to)).collect());
            }
        }
        let met = reached(&next, self.start.clone());
        let accepting = |&pair: &usize| self.states[pair % self.states.len()].accepting;
        let circle = |pair: usize| reached(&next, next[pair].clone())[pair];
        (0..next.len()).filter(|&pair| met[pair]).filter(accepting).any(circle)
    }
}

/// Everything that can be reached from some places, which count as reached.
fn reached(next: &[Vec<usize>], from: Vec<usize>) -> Vec<bool> {
    let (mut reached, mut todo) = (vec![false; next.len()], from);
    while let Some(place) = todo.pop() {
        if !reached[place] {
            reached[place] = true;
            todo.extend(&next[place]);
        }
    }
    reached
}

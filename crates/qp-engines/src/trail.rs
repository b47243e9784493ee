//! What a search has met, each thing once, with how it was met first: shortest ways where it goes breadth first.

use std::hash::Hash;
use std::ops::Deref;

use qp_base::Interner;

/// Things with numbers in the order in which they were met. `W` is a step from one to the next; `B` says how a thing
/// began that no step led to.
pub(crate) struct Trail<I, T, W, B = ()> {
    met: Interner<I, T>,
    came: Vec<Came<I, W, B>>,
}

enum Came<I, W, B> {
    Began(B),
    By(I, W),
}

impl<I: Copy + From<usize> + Into<usize>, T: Eq + Hash, W: Clone, B> Trail<I, T, W, B> {
    pub(crate) fn new() -> Self {
        Self { met: Interner::new(), came: Vec::new() }
    }

    /// Notes something with which ways begin.
    pub(crate) fn begin(&mut self, thing: T, how: B) -> I {
        self.add(thing, Came::Began(how))
    }

    /// Notes where a step leads to.
    pub(crate) fn go(&mut self, from: I, step: W, to: T) -> I {
        self.add(to, Came::By(from, step))
    }

    fn add(&mut self, thing: T, came: Came<I, W, B>) -> I {
        let id = self.met.intern(thing);
        if id.into() == self.came.len() {
            self.came.push(came);
        }
        id
    }

    /// How the way to something begins, and with what; then every step, with where it starts.
    pub(crate) fn way(&self, end: I) -> ((&B, I), Vec<(I, W)>) {
        let (mut at, mut steps) = (end, Vec::new());
        loop {
            match &self.came[at.into()] {
                Came::Began(how) => {
                    steps.reverse();
                    return ((how, at), steps);
                }
                Came::By(before, step) => {
                    steps.push((*before, step.clone()));
                    at = *before;
                }
            }
        }
    }

    /// The steps of the way to something.
    pub(crate) fn steps(&self, end: I) -> Vec<W> {
        self.way(end).1.into_iter().map(|(_, step)| step).collect()
    }

    /// Where the last step of that way starts.
    pub(crate) fn before(&self, id: I) -> Option<I> {
        match self.came[id.into()] {
            Came::Began(_) => None,
            Came::By(before, _) => Some(before),
        }
    }

    /// How many steps it takes.
    pub(crate) fn depth(&self, id: I) -> usize {
        std::iter::successors(self.before(id), |&id| self.before(id)).count()
    }
}

/// What was met is added to with how it was met only.
impl<I, T, W, B> Deref for Trail<I, T, W, B> {
    type Target = Interner<I, T>;

    fn deref(&self) -> &Interner<I, T> {
        &self.met
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_way_is_kept() {
        let mut trail: Trail<usize, char, u32, &str> = Trail::new();
        let a = trail.begin('a', "here");
        let b = trail.go(a, 1, 'b');
        let c = trail.go(b, 2, 'c');
        assert_eq!(trail.go(c, 3, 'b'), b);
        assert_eq!(trail.way(c), ((&"here", a), vec![(a, 1), (b, 2)]));
        assert_eq!((trail.steps(b), trail.depth(c)), (vec![1], 2));
        assert_eq!((trail.before(b), trail.before(a)), (Some(a), None));
        assert_eq!(trail.values(), ['a', 'b', 'c']);
    }
}

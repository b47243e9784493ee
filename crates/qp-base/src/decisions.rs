//! Decision trees: answers by what was looked at.
//!
//! An answer that depends on a few looks is found again by the same looks: each inner node is the next look, each branch a
//! value that was seen there, and the answer is at the end.

use crate::Map;

/// Answers `A` below looks `L`.
pub struct Decisions<L, A> {
    nodes: Vec<Node<L>>,
    far: Map<(u32, u32), u32>,
    answers: Vec<A>,
    size: usize,
}

struct Node<L> {
    look: L,
    near: Vec<u32>,
}

/// Where a tree begins.
#[derive(Clone, Copy, Debug)]
pub struct Root(u32);

impl Root {
    /// A tree without any answer.
    pub const NEW: Self = Self(NOWHERE);
}

/// No branch leads there yet.
const NOWHERE: u32 = u32::MAX;
/// Set in what a branch leads to if that is an answer.
const ANSWER: u32 = 1 << 31;
/// Branches for values below this stand in a table of their node.
const NEAR: u32 = 128;

impl<L: Copy + PartialEq, A> Decisions<L, A> {
    /// No answers.
    pub fn new() -> Self {
        Self { nodes: Vec::new(), far: Map::default(), answers: Vec::new(), size: 0 }
    }

    /// All answers, by number.
    pub fn answers(&self) -> &[A] {
        &self.answers
    }

    /// How much is kept, in entries of tables: a node counts for eight, and an answer for 32.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of the answer below a root, if it is known. `see` says what is seen at a look, if that is known.
    #[inline]
    pub fn find(&self, root: Root, see: impl Fn(L) -> Option<u32>) -> Option<u32> {
        let mut at = root.0;
        while at & ANSWER == 0 {
            let node = &self.nodes[at as usize];
            at = self.branch(at, node, see(node.look)?);
        }
        (at != NOWHERE).then_some(at & !ANSWER)
    }

    #[inline]
    fn branch(&self, at: u32, node: &Node<L>, value: u32) -> u32 {
        match node.near.get(value as usize) {
            Some(&to) => to,
            None if value < NEAR => NOWHERE,
            None => self.far.get(&(at, value)).copied().unwrap_or(NOWHERE),
        }
    }

    /// Hangs an answer below its looks. Looks are the same as before as long as what was seen is; all of them may be there
    /// already, and then the old answer stays.
    pub fn insert(&mut self, root: &mut Root, path: &[(L, u32)], answer: A) {
        let mut to = root.0;
        let mut from = None;
        for &(look, value) in path {
            if to == NOWHERE {
                to = self.nodes.len() as u32;
                self.nodes.push(Node { look, near: Vec::new() });
                self.size += 8;
                self.link(root, from, to);
            }
            let same = to & ANSWER == 0 && self.nodes[to as usize].look == look;
            assert!(same, "bug in Queueproof: an answer depends on less than before");
            from = Some((to, value));
            to = self.branch(to, &self.nodes[to as usize], value);
        }
        if to == NOWHERE {
            self.answers.push(answer);
            self.size += 32;
            self.link(root, from, ANSWER | (self.answers.len() - 1) as u32);
        }
    }

    fn link(&mut self, root: &mut Root, from: Option<(u32, u32)>, to: u32) {
        let Some((node, value)) = from else {
            root.0 = to;
            return;
        };
        if value >= NEAR {
            self.far.insert((node, value), to);
            return;
        }
        let near = &mut self.nodes[node as usize].near;
        if near.len() <= value as usize {
            self.size += value as usize + 1 - near.len();
            near.resize(value as usize + 1, NOWHERE);
        }
        near[value as usize] = to;
    }
}

impl<L: Copy + PartialEq, A> Default for Decisions<L, A> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks are at places of a list; the first value says at which place is looked next.
    fn asks(tree: &mut Decisions<usize, u32>, root: &mut Root, list: &[u32]) -> bool {
        let next = 1 + list[0] as usize % 2;
        let answer = list[0] + list[next];
        let known = tree.find(*root, |look| Some(list[look]));
        match known {
            Some(number) => assert_eq!(tree.answers()[number as usize], answer),
            None => tree.insert(root, &[(0, list[0]), (next, list[next])], answer),
        }
        known.is_none()
    }

    #[test]
    fn what_was_not_looked_at_makes_no_difference() {
        let (mut tree, mut root, mut other) = (Decisions::new(), Root::NEW, Root::NEW);
        assert!(asks(&mut tree, &mut root, &[0, 5, 6]));
        assert!(!asks(&mut tree, &mut root, &[0, 5, 7]), "nobody looked at the last place");
        assert!(asks(&mut tree, &mut root, &[0, 4, 7]));
        assert!(asks(&mut tree, &mut root, &[1, 4, 7]));
        assert!(!asks(&mut tree, &mut root, &[1, 3, 7]));
        assert!(asks(&mut tree, &mut other, &[0, 5, 6]), "this is another tree");
        assert_eq!(tree.find(root, |_| None), None);
    }

    #[test]
    fn large_values_are_told_apart() {
        let (mut tree, mut root) = (Decisions::new(), Root::NEW);
        for value in [0, 1, NEAR - 1, NEAR, NEAR + 1, u32::MAX / 4] {
            assert!(asks(&mut tree, &mut root, &[2 * value, 7, 8]), "{value}");
            assert!(!asks(&mut tree, &mut root, &[2 * value, 7, 9]), "{value}");
        }
    }
}

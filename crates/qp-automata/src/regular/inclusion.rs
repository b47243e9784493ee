//! Whether all words of one automaton are words of another.

use qp_base::Set;

use super::Dfa;
use super::dfa::pair_of;

impl Dfa {
    /// Whether the other automaton accepts every word of this one. With n and m states, O(n m) pairs.
    pub fn is_included_in(&self, other: &Self) -> bool {
        let live = self.to_nfa().live();
        let start = (Self::START, Some(Self::START));
        let (mut met, mut pairs, mut next) = (Set::from_iter([start]), vec![start], 0);
        while let Some(&(left, right)) = pairs.get(next) {
            next += 1;
            let accepted = right.is_some_and(|right| other.states()[right].accepting);
            if self.states()[left].accepting && !accepted {
                return false;
            }
            for (_, tos) in self.pieces(other, (Some(left), right)) {
                let (Some(left), right) = pair_of(&tos) else { continue };
                if live[left.index()] && met.insert((left, right)) {
                    pairs.push((left, right));
                }
            }
        }
        true
    }
}

//! Sets of states of which none is a part of another.

use super::StateId;

/// Sets, the smallest of those that were added.
#[derive(Clone, Default)]
pub(super) struct Antichain {
    sets: Vec<(Box<[StateId]>, Summary)>,
}

impl Antichain {
    /// Adds a set, in ascending order, unless a part of it is there. Sets of which it is a part are removed. Says
    /// whether it was added. With n sets of m states, time O(n m / 64) up to 1,024 states, and mostly above.
    pub(super) fn add(&mut self, set: &[StateId]) -> bool {
        let summary = Summary::of(set);
        let is_part = |part: &(Box<[StateId]>, Summary)| {
            part.1.is_part_of(&summary) && is_part_of(&part.0, set)
        };
        if self.sets.iter().any(is_part) {
            return false;
        }
        self.sets.retain(|(other, other_summary)| {
            !(summary.is_part_of(other_summary) && is_part_of(set, other))
        });
        self.sets.push((set.into(), summary));
        true
    }
}

/// A bit for each state, so that most questions are answered by looking at a few numbers. States whose numbers are
/// alike modulo 1,024 share a bit.
#[derive(Clone)]
struct Summary(Box<[u64]>);

impl Summary {
    const BITS: usize = 1_024;

    fn of(set: &[StateId]) -> Self {
        let place = |state: &StateId| state.index() % Self::BITS;
        let width = set.iter().map(place).max().map_or(0, |most| most / 64 + 1);
        let mut bits = vec![0_u64; width];
        for state in set {
            bits[place(state) / 64] |= 1 << (place(state) % 64);
        }
        Self(bits.into())
    }

    fn is_part_of(&self, whole: &Self) -> bool {
        self.0.len() <= whole.0.len() && self.0.iter().zip(&whole.0).all(|(a, b)| a & !b == 0)
    }
}

/// Whether a set of states is a part of another; both are in ascending order, and their summaries say that it may be.
fn is_part_of(part: &[StateId], whole: &[StateId]) -> bool {
    let exact = |set: &[StateId]| set.last().is_none_or(|last| last.index() < Summary::BITS);
    if exact(part) && exact(whole) {
        return true;
    }
    let mut whole = whole.iter();
    part.iter().all(|state| whole.any(|other| other == state))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(states: &[usize]) -> Vec<StateId> {
        states.iter().copied().map(StateId::new).collect()
    }

    #[test]
    fn only_the_smallest_sets_count() {
        let mut antichain = Antichain::default();
        assert!(antichain.add(&set(&[1, 2, 70])));
        assert!(!antichain.add(&set(&[1, 2, 70])));
        assert!(!antichain.add(&set(&[1, 2, 3, 70])));
        assert!(antichain.add(&set(&[2, 70, 200])));
        assert!(antichain.add(&set(&[2, 70])));
        assert_eq!(antichain.sets.len(), 1);
        assert!(antichain.add(&set(&[])));
        assert!(!antichain.add(&set(&[5])));
    }

    #[test]
    fn states_that_share_a_bit_are_told_apart() {
        let mut antichain = Antichain::default();
        assert!(antichain.add(&set(&[1, 1_030])));
        assert!(antichain.add(&set(&[1, 6])));
        assert!(antichain.add(&set(&[1_025, 2_054])));
        assert!(!antichain.add(&set(&[0, 1, 1_030])));
        assert_eq!(antichain.sets.len(), 3);
    }
}

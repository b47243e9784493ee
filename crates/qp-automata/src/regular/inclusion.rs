//! Whether all words of one automaton are words of another.

use qp_base::{Budget, Exhausted, Set, Spent};

use super::antichain::Antichain;
use super::compose::{Side, tagged};
use super::dfa::pair_of;
use super::pieces::cut;
use super::simulation::Simulation;
use super::{Dfa, Letter, Letters, Nfa, StateId, Word};

impl Nfa {
    /// A shortest word that this automaton accepts and the other does not.
    ///
    /// States of this one are paired with sets of states of the other, of which only the smallest matter (an
    /// *antichain*): what is missing from a set is missing from every part of it. If that takes long, pairs are left
    /// out as well in which the set has a state that can do whatever the other state can. Up to n 2^m pairs for n
    /// and m states, often few; the `states` of the budget limit the pairs.
    pub fn first_word_not_in(
        &self,
        other: &Self,
        budget: &Budget,
    ) -> Result<Option<Word>, Exhausted> {
        let this = self.trim();
        let other = other.trim();
        let mut search = Search::new(this.states().len());
        for &start in this.starts() {
            search.add(start, other.starts().into(), None);
        }
        let mut next = 0;
        while next < search.nodes.len() {
            budget.check(Spent { states: search.nodes.len() as u64, bytes: search.bytes })?;
            if next == PATIENCE {
                search.simulation = Simulation::between(&this, &other);
            }
            let Node { state, set, .. } = &search.nodes[next];
            let accepted = set.iter().any(|&state| other.states()[state].accepting);
            if this.states()[*state].accepting && !accepted {
                return Ok(Some(search.word(next)));
            }
            if !search.is_followed(*state, set) {
                for (letter, to, set) in this.moves(*state, &other, set) {
                    search.add(to, set, Some((next, letter)));
                }
            }
            next += 1;
        }
        Ok(None)
    }

    /// Whether the other automaton accepts every word of this one. Cost as for [`Nfa::first_word_not_in`].
    pub fn is_included_in(&self, other: &Self, budget: &Budget) -> Result<bool, Exhausted> {
        Ok(self.first_word_not_in(other, budget)?.is_none())
    }

    /// Whether both automata accept the same words. Cost as for [`Nfa::first_word_not_in`].
    pub fn is_equal_to(&self, other: &Self, budget: &Budget) -> Result<bool, Exhausted> {
        Ok(self.is_included_in(other, budget)? && other.is_included_in(self, budget)?)
    }

    /// What can be read in a state, where that leads, and where it leads the other automaton.
    fn moves(
        &self,
        state: StateId,
        other: &Self,
        set: &[StateId],
    ) -> Vec<(Letter, StateId, Box<[StateId]>)> {
        let rights = set.iter().flat_map(|&state| &other.states()[state].edges);
        let mut moves = Vec::new();
        for (letters, tos) in cut(&tagged(&self.states()[state].edges, rights)) {
            // The sides are in order: those of this automaton come first.
            let (lefts, rights) =
                tos.split_at(tos.partition_point(|(side, _)| *side == Side::Left));
            let set: Box<[StateId]> = rights.iter().map(|&(_, to)| to).collect();
            let letter = least(&letters);
            moves.extend(lefts.iter().map(|&(_, to)| (letter, to, set.clone())));
        }
        moves
    }
}

struct Node {
    state: StateId,
    /// In ascending order.
    set: Box<[StateId]>,
    /// The node before and the letter that leads from there.
    from: Option<(usize, Letter)>,
}

/// After how many pairs a search asks which states can do whatever others can.
const PATIENCE: usize = 64;

struct Search {
    nodes: Vec<Node>,
    /// For each state the smallest sets.
    smallest: Vec<Antichain>,
    simulation: Option<Simulation>,
    bytes: u64,
}

impl Search {
    fn new(n_states: usize) -> Self {
        let smallest = vec![Antichain::default(); n_states];
        Self { nodes: Vec::new(), smallest, simulation: None, bytes: 0 }
    }

    /// Whether one state of a set is known to accept whatever is accepted from a state.
    fn is_followed(&self, state: StateId, set: &[StateId]) -> bool {
        let simulation = self.simulation.as_ref();
        simulation.is_some_and(|simulation| set.iter().any(|&other| simulation.holds(state, other)))
    }

    /// A node to look at, unless one with a part of its set is there. In breadth-first order the word to that
    /// one is not longer, so that leaving this one out does not make counterexamples longer.
    fn add(&mut self, state: StateId, set: Box<[StateId]>, from: Option<(usize, Letter)>) {
        if !self.is_followed(state, &set) && self.smallest[state.index()].add(&set) {
            self.bytes += (size_of::<Node>() + 2 * size_of_val(&*set)) as u64;
            self.nodes.push(Node { state, set, from });
        }
    }

    fn word(&self, mut node: usize) -> Word {
        let mut word = Vec::new();
        while let Some((before, letter)) = self.nodes[node].from {
            word.push(letter);
            node = before;
        }
        word.reverse();
        word
    }
}

impl Dfa {
    /// A shortest word that this automaton accepts and the other does not. With n and m states, O(n m) pairs.
    pub fn first_word_not_in(&self, other: &Self) -> Option<Word> {
        let live = self.to_nfa().live();
        let mut met: Set<(StateId, Option<StateId>)> = Set::default();
        let mut nodes = vec![((Self::START, Some(Self::START)), None)];
        met.insert(nodes[0].0);
        let mut next = 0;
        while let Some(&((left, right), _)) = nodes.get(next) {
            let accepted = right.is_some_and(|right| other.states()[right].accepting);
            if self.states()[left].accepting && !accepted {
                return Some(word_to(&nodes, next));
            }
            for (letters, tos) in self.pieces(other, (Some(left), right)) {
                let (Some(left), right) = pair_of(&tos) else { continue };
                if live[left.index()] && met.insert((left, right)) {
                    nodes.push(((left, right), Some((next, least(&letters)))));
                }
            }
            next += 1;
        }
        None
    }

    /// Whether the other automaton accepts every word of this one. With n and m states, O(n m) pairs.
    pub fn is_included_in(&self, other: &Self) -> bool {
        self.first_word_not_in(other).is_none()
    }
}

/// A pair of states, the node before and the letter that leads from there.
type PairNode = ((StateId, Option<StateId>), Option<(usize, Letter)>);

fn word_to(nodes: &[PairNode], mut node: usize) -> Word {
    let mut word = Vec::new();
    while let Some((before, letter)) = nodes[node].1 {
        word.push(letter);
        node = before;
    }
    word.reverse();
    word
}

fn least(letters: &Letters) -> Letter {
    letters.least().expect("pieces are not empty")
}

//! Whether all words of one automaton are words of another.

use qp_base::{Budget, Exhausted, Spent};

use super::compose::{Side, tagged};
use super::dfa::pair_of;
use super::pieces::cut;
use super::simulation::Simulation;
use super::{Dfa, Edge, Letter, Letters, Nfa, StateId, Word};

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
            budget.check(Spent { states: search.nodes.len() as u64, bytes: search.bytes() })?;
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
    fn moves(&self, state: StateId, other: &Self, set: &[StateId]) -> Vec<(Letter, StateId, Set)> {
        let rights: Vec<Edge> =
            set.iter().flat_map(|&state| &other.states()[state].edges).cloned().collect();
        let mut moves = Vec::new();
        for (letters, tos) in cut(&tagged(&self.states()[state].edges, &rights)) {
            // The sides are in order: those of this automaton come first.
            let (lefts, rights) =
                tos.split_at(tos.partition_point(|(side, _)| *side == Side::Left));
            let set: Set = rights.iter().map(|&(_, to)| to).collect();
            let letter = least(&letters);
            moves.extend(lefts.iter().map(|&(_, to)| (letter, to, set.clone())));
        }
        moves
    }
}

/// States in ascending order.
type Set = Box<[StateId]>;

struct Node {
    state: StateId,
    set: Set,
    /// The node before and the letter that leads from there.
    from: Option<(usize, Letter)>,
}

/// After how many pairs a search asks which states can do whatever others can.
const PATIENCE: usize = 64;

struct Search {
    nodes: Vec<Node>,
    /// For each state the nodes with smallest sets, each with a summary of its set: a part of a set has a part
    /// of its summary, which answers most questions.
    smallest: Vec<Vec<(u64, usize)>>,
    simulation: Option<Simulation>,
}

impl Search {
    fn new(n_states: usize) -> Self {
        Self { nodes: Vec::new(), smallest: vec![Vec::new(); n_states], simulation: None }
    }

    /// Whether one state of a set is known to accept whatever is accepted from a state.
    fn is_followed(&self, state: StateId, set: &[StateId]) -> bool {
        let simulation = self.simulation.as_ref();
        simulation.is_some_and(|simulation| set.iter().any(|&other| simulation.holds(state, other)))
    }

    /// A node to look at, unless one with a part of its set is there. In breadth-first order the word to that
    /// one is not longer, so that leaving this one out does not make counterexamples longer.
    fn add(&mut self, state: StateId, set: Set, from: Option<(usize, Letter)>) {
        if self.is_followed(state, &set) {
            return;
        }
        let summary = set.iter().fold(0, |bits, state| bits | 1_u64 << (state.raw() % 64));
        let nodes = &self.nodes;
        let smallest = &mut self.smallest[state.index()];
        let covered = smallest
            .iter()
            .any(|&(bits, node)| bits & !summary == 0 && is_part_of(&nodes[node].set, &set));
        if covered {
            return;
        }
        smallest
            .retain(|&(bits, node)| summary & !bits != 0 || !is_part_of(&set, &nodes[node].set));
        smallest.push((summary, nodes.len()));
        self.nodes.push(Node { state, set, from });
    }

    /// A lower estimate that costs nothing.
    fn bytes(&self) -> u64 {
        (self.nodes.len() * size_of::<Node>()) as u64
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

/// Whether a set of states is a part of another.
fn is_part_of(part: &[StateId], whole: &[StateId]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|state| whole.any(|other| other == state))
}

impl Dfa {
    /// A shortest word that this automaton accepts and the other does not. With n and m states, O(n m) pairs.
    pub fn first_word_not_in(&self, other: &Self) -> Option<Word> {
        let live = self.to_nfa().live();
        let width = other.states().len() + 1;
        let place = |left: StateId, right: Option<StateId>| {
            left.index() * width + right.map_or(0, |right| right.index() + 1)
        };
        let mut met = vec![false; self.states().len() * width];
        let mut nodes = vec![((Self::START, Some(Self::START)), None)];
        met[place(Self::START, Some(Self::START))] = true;
        let mut next = 0;
        while let Some(&((left, right), _)) = nodes.get(next) {
            let accepted = right.is_some_and(|right| other.states()[right].accepting);
            if self.states()[left].accepting && !accepted {
                return Some(word_to(&nodes, next));
            }
            for (letters, tos) in self.pieces(other, (Some(left), right)) {
                let (Some(left), right) = pair_of(&tos) else { continue };
                if live[left.index()] && !met[place(left, right)] {
                    met[place(left, right)] = true;
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

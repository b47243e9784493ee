//! The smallest deterministic automaton, by refining a partition of the states.
//!
//! A block is split by how its states lead into a splitter: states whose edges into the splitter have different
//! letters are told apart. Of the parts of a block all but the largest become splitters, as in Hopcroft's
//! algorithm. That is enough for labels that are sets, too: the letters that lead into the largest part are
//! those that led into the block without those that lead into the other parts, because the automaton is
//! deterministic. So an edge is looked at once for each time that the block it leads to is halved, and no set
//! of letters is ever cut into single letters.

use qp_base::{Interner, Map};

use super::dfa::ordered;
use super::nfa::closure;
use super::{Dfa, Edge, Letters, State, StateId};

qp_base::define_index!(LabelId, "l", "A set of letters that edges of the automaton read.");

impl Dfa {
    /// The only deterministic automaton for the same words that has no superfluous states and whose states are
    /// numbered in breadth-first order, by least letters. Automata for the same words give equal values.
    ///
    /// With n states and m edges, each edge is looked at O(log n) times; with the sorting in each round, and
    /// labels of up to l letters, time O(l m log² n).
    #[must_use]
    pub fn minimise(&self) -> Self {
        let useful = self.useful();
        if !useful[Self::START.index()] {
            return Self::none();
        }
        let blocks = Partition::of(self, &useful).refined(self, &useful);
        self.numbered(&useful, &blocks.of)
    }

    /// What [`Dfa::minimise`] gives, for an automaton in which no two states accept the same words. Linear, but for
    /// the order of edges.
    #[must_use]
    pub(super) fn renumbered(&self) -> Self {
        let blocks: Vec<usize> = (0..self.states().len()).collect();
        let renumbered = self.numbered(&vec![true; blocks.len()], &blocks);
        debug_assert_eq!(renumbered, renumbered.minimise(), "all states are needed");
        renumbered
    }

    /// Which states a word that is accepted can pass.
    fn useful(&self) -> Vec<bool> {
        let next = |state: StateId| self.states()[state].edges.iter().map(|edge| edge.to);
        let reached = closure(self.states().len(), vec![Self::START], next);
        let live = self.to_nfa().live();
        reached.into_iter().zip(live).map(|(reached, live)| reached && live).collect()
    }

    /// One state for each block, in breadth-first order.
    fn numbered(&self, useful: &[bool], blocks: &[usize]) -> Self {
        let mut number: Map<usize, StateId> = Map::default();
        let mut order = vec![Self::START];
        number.insert(blocks[0], Self::START);
        let mut states: Vec<State> = Vec::new();
        while let Some(&state) = order.get(states.len()) {
            let state = &self.states()[state];
            let edges = state.edges.iter().filter(|edge| useful[edge.to.index()]);
            let mut edges: Vec<&Edge> = edges.collect();
            edges.sort_by_key(|edge| blocks[edge.to.index()]);
            let groups = edges.chunk_by(|a, b| blocks[a.to.index()] == blocks[b.to.index()]);
            let joined = groups.map(|group| Edge {
                letters: Letters::union_of(group.iter().map(|edge| &edge.letters)),
                to: group[0].to,
            });
            let mut state = ordered(state.accepting, joined.collect());
            for edge in &mut state.edges {
                edge.to = *number.entry(blocks[edge.to.index()]).or_insert_with(|| {
                    order.push(edge.to);
                    StateId::new(order.len() - 1)
                });
            }
            states.push(state);
        }
        Self::of(states)
    }
}

/// States in blocks. Those of a block stand side by side in `members`, so that moving a state into a new block
/// is an exchange of two states.
struct Partition {
    members: Vec<StateId>,
    /// Where a state stands in `members`.
    place: Vec<usize>,
    /// The block of a state.
    of: Vec<usize>,
    /// Where each block begins and ends in `members`.
    ranges: Vec<(usize, usize)>,
}

impl Partition {
    /// The states that accept and those that do not.
    fn of(dfa: &Dfa, useful: &[bool]) -> Self {
        let n_states = dfa.states().len();
        let mut members: Vec<StateId> =
            dfa.states().ids().filter(|id| useful[id.index()]).collect();
        members.sort_by_key(|&id| !dfa.states()[id].accepting);
        let accepting = members.partition_point(|&id| dfa.states()[id].accepting);
        let ranges: Vec<(usize, usize)> = [(0, accepting), (accepting, members.len())]
            .into_iter()
            .filter(|(a, b)| a < b)
            .collect();
        let (mut place, mut of) = (vec![0; n_states], vec![0; n_states]);
        for (block, &(begin, end)) in ranges.iter().enumerate() {
            for (i, member) in members[begin..end].iter().enumerate() {
                place[member.index()] = begin + i;
                of[member.index()] = block;
            }
        }
        Self { members, place, of, ranges }
    }

    fn size(&self, block: usize) -> usize {
        self.ranges[block].1 - self.ranges[block].0
    }

    /// Splits blocks until the edges of the states of a block read the same letters into each block.
    fn refined(mut self, dfa: &Dfa, useful: &[bool]) -> Self {
        let mut labels: Interner<LabelId, Letters> = Interner::new();
        let mut back: Vec<Vec<(StateId, LabelId)>> = vec![Vec::new(); dfa.states().len()];
        for (id, state) in dfa.states().iter_enumerated().filter(|(id, _)| useful[id.index()]) {
            for edge in &state.edges {
                back[edge.to.index()].push((id, labels.intern(edge.letters.clone())));
            }
        }
        let mut todo: Vec<usize> = (0..self.ranges.len()).collect();
        let mut waiting = vec![true; todo.len()];
        while let Some(splitter) = todo.pop() {
            waiting[splitter] = false;
            let (begin, end) = self.ranges[splitter];
            let into = self.members[begin..end].iter().flat_map(|to| &back[to.index()]);
            let mut hits = self.hits(into.copied().collect(), &mut labels);
            hits.sort_unstable();
            for hit in hits.chunk_by(|a, b| a.0 == b.0) {
                let old = hit[0].0;
                let parts = self.split(old, hit);
                waiting.resize(self.ranges.len(), false);
                let largest = parts.iter().copied().max_by_key(|&part| self.size(part));
                let spared = if waiting[old] { None } else { largest };
                for part in parts {
                    if !waiting[part] && Some(part) != spared {
                        waiting[part] = true;
                        todo.push(part);
                    }
                }
            }
        }
        self
    }

    /// For each state with edges into the splitter: its block, what the edges read, and the state.
    fn hits(
        &self,
        mut into: Vec<(StateId, LabelId)>,
        labels: &mut Interner<LabelId, Letters>,
    ) -> Vec<(usize, LabelId, StateId)> {
        into.sort_unstable();
        let states = into.chunk_by(|a, b| a.0 == b.0);
        let hit = |edges: &[(StateId, LabelId)]| {
            let label = if let [(_, label)] = edges {
                *label
            } else {
                let all = Letters::union_of(edges.iter().map(|&(_, label)| labels.value(label)));
                labels.intern(all)
            };
            (self.of[edges[0].0.index()], label, edges[0].0)
        };
        states.map(hit).collect()
    }

    /// Gives the states of a block that were hit with the same label a block of their own. All parts of what
    /// was the block; one, if it remains whole.
    fn split(&mut self, old: usize, hits: &[(usize, LabelId, StateId)]) -> Vec<usize> {
        let mut parts = vec![old];
        for group in hits.chunk_by(|a, b| a.1 == b.1) {
            if group.len() == self.size(old) {
                break;
            }
            let (new, begin) = (self.ranges.len(), self.ranges[old].0);
            for (i, &(_, _, state)) in group.iter().enumerate() {
                self.exchange(begin + i, self.place[state.index()]);
                self.of[state.index()] = new;
            }
            self.ranges.push((begin, begin + group.len()));
            self.ranges[old].0 = begin + group.len();
            parts.push(new);
        }
        parts
    }

    fn exchange(&mut self, i: usize, j: usize) {
        self.members.swap(i, j);
        self.place[self.members[i].index()] = i;
        self.place[self.members[j].index()] = j;
    }
}

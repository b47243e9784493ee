//! Automata whose states are told apart by short words only.

use qp_base::{Interner, Map};

use super::builder::joined;
use super::{Edge, Letters, Nfa, State, StateId};

qp_base::define_index!(ClassId, "k", "States that are not told apart.");

/// What can be told of a state: whether it accepts, and by which letters it leads to which classes.
type Look = (bool, Vec<(ClassId, Letters)>);

impl Nfa {
    /// Makes one state of those that look the same for words of up to `length` letters. The result accepts every
    /// word of this automaton, and others.
    ///
    /// If the automaton is deterministic, two states look the same exactly if they accept the same words of up
    /// to `length` letters; otherwise such states are sometimes kept apart. Over a fixed finite alphabet there are
    /// only finitely many different results for a `length`, which makes this a widening: a sequence of growing
    /// languages that is blurred again and again comes to an end. With m edges, time O(m log m) for each letter
    /// of `length`.
    #[must_use]
    pub fn blurred(&self, length: usize) -> Self {
        let this = self.trim();
        let mut classes = this.told_apart(None);
        for _ in 0..length {
            let finer = this.told_apart(Some(&classes));
            let stable = finer.count == classes.count;
            classes = finer;
            if stable {
                break;
            }
        }
        this.merged(&classes)
    }

    /// The classes of states that look the same if states of the same given class do, or at first sight.
    fn told_apart(&self, coarser: Option<&Classes>) -> Classes {
        let mut looks: Interner<ClassId, Look> = Interner::new();
        looks.intern((false, Vec::new()));
        let look =
            |state: &State| (state.accepting, coarser.map_or_else(Vec::new, |c| c.leading(state)));
        let of = self.states().iter().map(|state| looks.intern(look(state))).collect();
        Classes { of, count: looks.len() }
    }

    /// One state for each class.
    fn merged(&self, classes: &Classes) -> Self {
        let mut number: Map<ClassId, StateId> = Map::default();
        for class in &classes.of {
            let next = StateId::new(number.len());
            number.entry(*class).or_insert(next);
        }
        let new = |state: StateId| number[&classes.of[state.index()]];
        let mut accepting = vec![false; number.len()];
        let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); number.len()];
        for (id, state) in self.states().iter_enumerated() {
            accepting[new(id).index()] |= state.accepting;
            let moved = state.edges.iter();
            edges[new(id).index()]
                .extend(moved.map(|edge| Edge { letters: edge.letters.clone(), to: new(edge.to) }));
        }
        let states = accepting
            .into_iter()
            .zip(&edges)
            .map(|(accepting, edges)| State { accepting, edges: joined(edges.iter().collect()) });
        let states = states.collect();
        Self::of(self.starts().iter().map(|&start| new(start)).collect(), states)
    }
}

/// Which states look the same.
struct Classes {
    of: Vec<ClassId>,
    count: usize,
}

impl Classes {
    /// States that accept no word, as far as one can see, and so are as good as not there.
    const DEAD: ClassId = ClassId::from_raw(0);

    /// By which letters a state leads to which classes.
    fn leading(&self, state: &State) -> Vec<(ClassId, Letters)> {
        let class = |edge: &Edge| self.of[edge.to.index()];
        let mut edges: Vec<&Edge> =
            state.edges.iter().filter(|edge| class(edge) != Self::DEAD).collect();
        edges.sort_by_key(|edge| class(edge));
        let groups = edges.chunk_by(|a, b| class(a) == class(b));
        let letters = |group: &[&Edge]| Letters::union_of(group.iter().map(|edge| &edge.letters));
        groups.map(|group| (class(group[0]), letters(group))).collect()
    }
}

//! Smaller automata for the same words.

use crate::translate::{classes, sorted};
use crate::{Buchi, Edge, State};

impl<A: Clone + Ord> Buchi<A> {
    /// A smaller automaton that accepts the same words. It begins in one state, or accepts nothing and has
    /// none.
    #[must_use]
    pub(crate) fn simplified(mut self) -> Self {
        loop {
            let before = self.size();
            self.drop_dead();
            self.settle_accepting();
            self.join_edges();
            self.merge();
            self.merge_passing();
            self.drop_unreached();
            if self.size() == before {
                return self;
            }
        }
    }

    /// States, edges and conditions.
    fn size(&self) -> (usize, usize, usize) {
        let edges = || self.states.iter().flat_map(|state| &state.edges);
        (self.states.len(), edges().count(), edges().map(|edge| edge.when.len()).sum())
    }

    /// For each state, those that can be reached from it by at least one edge.
    fn reach(&self) -> Vec<Vec<bool>> {
        let from = |state: &State<A>| {
            let mut reached = vec![false; self.states.len()];
            let mut todo: Vec<usize> = state.edges.iter().map(|edge| edge.to).collect();
            while let Some(state) = todo.pop() {
                if !reached[state] {
                    reached[state] = true;
                    todo.extend(self.states[state].edges.iter().map(|edge| edge.to));
                }
            }
            reached
        };
        self.states.iter().map(from).collect()
    }

    /// Takes away edges to states from which nothing is accepted.
    fn drop_dead(&mut self) {
        let reach = self.reach();
        let good = |s: usize| self.states[s].accepting && reach[s][s];
        let alive: Vec<bool> = (0..self.states.len())
            .map(|s| good(s) || (0..self.states.len()).any(|t| reach[s][t] && good(t)))
            .collect();
        for state in &mut self.states {
            state.edges.retain(|edge| alive[edge.to]);
        }
        self.start.retain(|&state| alive[state]);
    }

    /// Takes away states that are never met, and numbers the others in order of first meeting.
    fn drop_unreached(&mut self) {
        let mut numbers = vec![None; self.states.len()];
        let mut order: Vec<usize> = Vec::new();
        let mut meet = |state: usize, order: &mut Vec<usize>| {
            *numbers[state].get_or_insert_with(|| {
                order.push(state);
                order.len() - 1
            })
        };
        self.start = self.start.iter().map(|&state| meet(state, &mut order)).collect();
        let mut states = Vec::new();
        while let Some(&state) = order.get(states.len()) {
            let mut state = self.states[state].clone();
            for edge in &mut state.edges {
                edge.to = meet(edge.to, &mut order);
            }
            states.push(state);
        }
        self.states = states;
    }

    /// Whether a state on no circle accepts does not matter. If every circle around a state passes an
    /// accepting one, it may as well be accepting itself.
    fn settle_accepting(&mut self) {
        let reach = self.reach();
        let mut rest = self.clone();
        for state in &mut rest.states {
            let open = |edge: &Edge<A>| !self.states[edge.to].accepting;
            state.edges.retain(open);
        }
        let plain = rest.reach();
        for (s, state) in self.states.iter_mut().enumerate() {
            let mates = (0..reach.len()).filter(|&t| reach[s][t] && reach[t][s]);
            let settled = !mates.into_iter().any(|t| plain[t][t]);
            state.accepting = reach[s][s] && (state.accepting || settled);
        }
    }

    /// Leaves out edges that another one makes needless, and makes one of two edges that differ in one
    /// condition only.
    fn join_edges(&mut self) {
        for state in &mut self.states {
            loop {
                for edge in &mut state.edges {
                    edge.when = sorted(std::mem::take(&mut edge.when));
                }
                let edges = std::mem::take(&mut state.edges);
                let n = edges.len();
                let mut kept: Vec<Edge<A>> = Vec::new();
                for edge in edges {
                    if kept.iter().any(|other| covers(other, &edge)) {
                        continue;
                    }
                    kept.retain(|other| !covers(&edge, other));
                    kept.push(edge);
                }
                let pair = (0..kept.len())
                    .find_map(|i| (0..i).find_map(|j| Some((j, i, resolved(&kept[j], &kept[i])?))));
                if let Some((j, i, edge)) = pair {
                    kept.remove(i);
                    kept[j] = edge;
                }
                state.edges = kept;
                if state.edges.len() == n {
                    break;
                }
            }
        }
    }

    /// Makes one state of those that cannot be told apart.
    fn merge(&mut self) {
        let kind = |state: usize| self.states[state].accepting;
        let classes = classes(self.states.len(), kind, |s, classes| self.look(s, classes));
        let mut first = vec![None; classes.len()];
        let target = classes.iter().enumerate();
        let target: Vec<usize> =
            target.map(|(state, &class)| *first[class].get_or_insert(state)).collect();
        self.redirect(&target);
    }

    /// A state on no circle can be any other from which the same can be read.
    fn merge_passing(&mut self) {
        let reach = self.reach();
        let mut target: Vec<usize> = (0..self.states.len()).collect();
        let looks: Vec<_> = target.iter().map(|&state| self.look(state, &target)).collect();
        for state in (0..target.len()).filter(|&state| !reach[state][state]) {
            let twin = |&t: &usize| t != state && target[t] == t && looks[t] == looks[state];
            target[state] = (0..target.len()).find(twin).unwrap_or(state);
        }
        self.redirect(&target);
    }

    /// What can be read in a state, if states of one class are one.
    fn look(&self, state: usize, classes: &[usize]) -> Vec<(Vec<(A, bool)>, usize)> {
        let edges = self.states[state].edges.iter();
        sorted(edges.map(|edge| (edge.when.clone(), classes[edge.to])).collect())
    }

    /// Lets what leads to a state lead to another one.
    fn redirect(&mut self, target: &[usize]) {
        for state in &mut self.states {
            for edge in &mut state.edges {
                edge.to = target[edge.to];
            }
        }
        self.start = sorted(self.start.iter().map(|&state| target[state]).collect());
    }
}

/// Whether the second edge can be left out beside the first.
fn covers<A: Ord>(one: &Edge<A>, other: &Edge<A>) -> bool {
    one.to == other.to && one.when.iter().all(|literal| other.when.contains(literal))
}

/// One edge for two that differ in one condition only.
fn resolved<A: Clone + Ord>(one: &Edge<A>, other: &Edge<A>) -> Option<Edge<A>> {
    if one.to != other.to || one.when.len() != other.when.len() {
        return None;
    }
    let mut differences = one.when.iter().zip(&other.when).filter(|(a, b)| a != b);
    let ((atom, _), (other, _)) = differences.next()?;
    if atom != other || differences.next().is_some() {
        return None;
    }
    let when = one.when.iter().filter(|(a, _)| a != atom).cloned().collect();
    Some(Edge { when, to: one.to })
}

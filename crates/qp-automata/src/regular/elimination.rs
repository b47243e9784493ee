//! From automata to regular expressions, by leaving out one state after the other.

use std::collections::BTreeMap;

use super::{Dfa, Expression, Nfa};

impl Nfa {
    /// An expression for its words, unless it or a part of it has more than `size_max` letters and signs.
    ///
    /// States are left out one by one, each time the one whose removal writes the fewest new signs. In the worst
    /// case the text is exponential in the number of states; for the automata that people look at it is short.
    pub fn expression(&self, size_max: usize) -> Option<Expression> {
        let mut graph = Graph::of(self);
        let mut left: Vec<usize> = (0..graph.end).collect();
        while let Some(place) =
            (0..left.len()).min_by_key(|&place| (graph.weight(left[place]), left[place]))
        {
            graph.leave_out(left.swap_remove(place), size_max)?;
        }
        let whole = graph.edges[graph.end + 1].remove(&graph.end);
        whole.or_else(|| Some(Expression::none())).filter(|whole| whole.size() <= size_max)
    }
}

impl Dfa {
    /// An expression for its words, unless it is longer than `size_max`. Cost as for [`Nfa::expression`].
    pub fn expression(&self, size_max: usize) -> Option<Expression> {
        self.to_nfa().expression(size_max)
    }
}

/// States with expressions between them: those of an automaton, then `end`, then the beginning.
struct Graph {
    /// For each state where it leads and how.
    edges: Vec<BTreeMap<usize, Expression>>,
    /// For each state what leads to it.
    back: Vec<Vec<usize>>,
    end: usize,
}

impl Graph {
    fn of(nfa: &Nfa) -> Self {
        let nfa = nfa.trim();
        let end = nfa.states().len();
        let mut graph =
            Self { edges: vec![BTreeMap::new(); end + 2], back: vec![Vec::new(); end + 2], end };
        for (id, state) in nfa.states().iter_enumerated() {
            for edge in &state.edges {
                graph.add(id.index(), edge.to.index(), Expression::Letters(edge.letters.clone()));
            }
            if state.accepting {
                graph.add(id.index(), end, Expression::nothing());
            }
        }
        nfa.starts().iter().for_each(|start| {
            graph.add(end + 1, start.index(), Expression::nothing());
        });
        graph
    }

    fn add(&mut self, from: usize, to: usize, expression: Expression) {
        let old = self.edges[from].remove(&to);
        if old.is_none() {
            self.back[to].push(from);
        }
        let all = Expression::choice(old.into_iter().chain([expression]));
        self.edges[from].insert(to, all);
    }

    /// How many signs are written when a state is left out.
    fn weight(&self, state: usize) -> usize {
        let around = self.edges[state].get(&state).map_or(0, Expression::size);
        let outs: Vec<usize> = self.edges[state]
            .iter()
            .filter(|(to, _)| **to != state)
            .map(|(_, expression)| expression.size())
            .collect();
        let ins: Vec<usize> = self.back[state]
            .iter()
            .filter(|from| **from != state)
            .map(|&from| self.edges[from][&state].size())
            .collect();
        ins.iter().sum::<usize>() * outs.len()
            + outs.iter().sum::<usize>() * ins.len()
            + around * ins.len() * outs.len()
    }

    /// `None` if an expression gets too long.
    fn leave_out(&mut self, state: usize, size_max: usize) -> Option<()> {
        let mut outs = std::mem::take(&mut self.edges[state]);
        let around = outs.remove(&state).map_or_else(Expression::nothing, Expression::star);
        for to in outs.keys() {
            self.back[*to].retain(|from| *from != state);
        }
        for from in std::mem::take(&mut self.back[state]) {
            if from == state {
                continue;
            }
            let into = self.edges[from].remove(&state).expect("what leads back leads here");
            for (&to, out) in &outs {
                if into.size() + around.size() + out.size() > 2 + size_max {
                    return None;
                }
                let parts = [into.clone(), around.clone(), out.clone()];
                self.add(from, to, Expression::sequence(parts));
            }
        }
        Some(())
    }
}

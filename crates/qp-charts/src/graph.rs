//! Directed graphs over small numbers, and their strongly connected components.

/// A graph whose nodes are numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    successors: Vec<Vec<u32>>,
}

impl Graph {
    /// A graph of so many nodes, without edges.
    pub(crate) fn new(nodes: usize) -> Self {
        Self { successors: vec![Vec::new(); nodes] }
    }

    /// Adds an edge, unless it leads nowhere else.
    pub(crate) fn edge(&mut self, from: usize, to: usize) {
        if from != to {
            self.successors[from].push(to as u32);
        }
    }

    /// For each node the number of its strongly connected component, and how many there are: Tarjan's
    /// algorithm, with a stack of its own, so that long charts do not overflow ours.
    pub(crate) fn components(&self) -> (Vec<u32>, usize) {
        let mut walk = Walk::new(self.successors.len());
        for root in 0..self.successors.len() {
            if walk.seen[root] == UNSEEN {
                walk.from(self, root);
            }
        }
        (walk.component, walk.components)
    }
}

const UNSEEN: u32 = u32::MAX;

/// The state of Tarjan's algorithm.
struct Walk {
    /// When a node was met first.
    seen: Vec<u32>,
    /// The earliest node that is known to be reached from it and is not in a component yet.
    low: Vec<u32>,
    component: Vec<u32>,
    components: usize,
    open: Vec<usize>,
    met: u32,
}

impl Walk {
    fn new(nodes: usize) -> Self {
        Self {
            seen: vec![UNSEEN; nodes],
            low: vec![UNSEEN; nodes],
            component: vec![UNSEEN; nodes],
            components: 0,
            open: Vec::new(),
            met: 0,
        }
    }

    fn from(&mut self, graph: &Graph, root: usize) {
        self.meet(root);
        let mut path = vec![(root, 0_usize)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if let Some(to) = graph.successors[node].get(*next) {
                *next += 1;
                let to = *to as usize;
                if self.seen[to] == UNSEEN {
                    self.meet(to);
                    path.push((to, 0));
                } else if self.component[to] == UNSEEN {
                    self.low[node] = self.low[node].min(self.seen[to]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[node]);
            }
            self.close(node);
        }
    }

    fn meet(&mut self, node: usize) {
        self.seen[node] = self.met;
        self.low[node] = self.met;
        self.met += 1;
        self.open.push(node);
    }

    fn close(&mut self, node: usize) {
        if self.low[node] != self.seen[node] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member] = self.components as u32;
            if member == node {
                break;
            }
        }
        self.components += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::new(nodes);
        for (from, to) in edges {
            graph.edge(*from, *to);
        }
        graph
    }

    #[test]
    fn nodes_on_a_common_cycle_are_one_component() {
        let (of, count) = graph(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)]).components();
        assert_eq!(count, 3);
        assert_eq!((of[0], of[1]), (of[1], of[2]));
        assert!(of[3] != of[0] && of[4] != of[0] && of[3] != of[4]);
    }

    #[test]
    fn a_long_path_overflows_no_stack() {
        let edges: Vec<(usize, usize)> = (0..200_000).map(|node| (node, node + 1)).collect();
        assert_eq!(graph(200_001, &edges).components().1, 200_001);
    }
}

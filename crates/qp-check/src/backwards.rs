//! Graphs, walked backwards.

/// For each node the last edge into it; for each edge where it comes from, and the one into its node before it.
pub(crate) struct Backwards {
    last: Vec<usize>,
    edges: Vec<(usize, usize)>,
}

impl Backwards {
    /// A graph of so many nodes.
    pub(crate) fn new(n_nodes: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Self {
        let (mut last, mut edges) = (vec![usize::MAX; n_nodes], Vec::new());
        for (from, to) in pairs {
            edges.push((from, last[to]));
            last[to] = edges.len() - 1;
        }
        Self { last, edges }
    }

    /// The nodes from which some of these can be reached, with these.
    pub(crate) fn reach(&self, target: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut can: Vec<bool> = (0..self.last.len()).map(target).collect();
        let mut todo: Vec<usize> = (0..can.len()).filter(|&node| can[node]).collect();
        while let Some(node) = todo.pop() {
            let mut at = self.last[node];
            while let Some(&(before, next)) = self.edges.get(at) {
                if !can[before] {
                    can[before] = true;
                    todo.push(before);
                }
                at = next;
            }
        }
        can
    }
}

//! Directed graphs whose nodes are numbers: strongly connected components, and orders without cycles.

use std::collections::BTreeSet;

use qp_base::Exhausted;

/// The component of a node that was not met.
pub(crate) const UNMET: u32 = u32::MAX;

/// Strongly connected components, numbered so that one leads only to those with smaller numbers.
pub(crate) struct Components {
    /// For each node: its component, or [`UNMET`].
    pub(crate) of: Vec<u32>,
    pub(crate) count: usize,
}

/// The components of what is reached from some nodes, of `n`: Tarjan's algorithm (1972), with a stack of its own.
///
/// `next` gives the edge of a node with this number, or a later one, and counts on to the one behind it. `pause` is asked
/// with how many nodes were met, at each of them.
pub(crate) fn components(
    n: usize,
    roots: impl Iterator<Item = usize>,
    next: impl Fn(usize, &mut u64) -> Option<usize>,
    mut pause: impl FnMut(u32) -> Result<(), Exhausted>,
) -> Result<Components, Exhausted> {
    let (mut order, mut low, mut of) = (vec![UNMET; n], vec![0_u32; n], vec![UNMET; n]);
    let (mut open, mut calls, mut n_met, mut count) = (Vec::new(), Vec::new(), 0_u32, 0_u32);
    for root in roots {
        if order[root] == UNMET {
            calls.push((root, 0));
        }
        while let Some((node, mut edge)) = calls.pop() {
            if order[node] == UNMET {
                (order[node], low[node]) = (n_met, n_met);
                n_met += 1;
                open.push(node);
                pause(n_met)?;
            }
            let mut descend = None;
            while let Some(to) = next(node, &mut edge) {
                if order[to] == UNMET {
                    descend = Some(to);
                    break;
                }
                // Open nodes know of the least one they lead to; closed ones lead nowhere new.
                if of[to] == UNMET {
                    low[node] = low[node].min(low[to]);
                }
            }
            if let Some(child) = descend {
                // The edge to the child is looked at again when that is done.
                calls.extend([(node, edge - 1), (child, 0)]);
            } else if low[node] == order[node] {
                close(&mut open, node, &mut of, count);
                count += 1;
            }
        }
    }
    Ok(Components { of, count: count as usize })
}

/// Takes a finished component off the stack.
fn close(open: &mut Vec<usize>, root: usize, of: &mut [u32], number: u32) {
    loop {
        let node = open.pop().expect("the root of a component is on the stack");
        of[node] = number;
        if node == root {
            return;
        }
    }
}

/// For each node of a small graph its component.
pub(crate) fn components_of(edges: &[Vec<usize>]) -> Vec<u32> {
    let next = |node: usize, edge: &mut u64| {
        *edge += 1;
        edges[node].get(*edge as usize - 1).copied()
    };
    components(edges.len(), 0..edges.len(), next, |_| Ok(()))
        .map(|found| found.of)
        .unwrap_or_default()
}

/// All nodes in an order that edges allow, as near as possible to their own; nothing if there is a cycle.
pub(crate) fn sorted(n: usize, edges: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut after = vec![Vec::new(); n];
    let mut waits = vec![0_usize; n];
    for &(before, then) in edges {
        after[before].push(then);
        waits[then] += 1;
    }
    let mut free: BTreeSet<usize> = (0..n).filter(|&at| waits[at] == 0).collect();
    let mut order = Vec::with_capacity(n);
    while let Some(at) = free.pop_first() {
        order.push(at);
        for &then in &after[at] {
            waits[then] -= 1;
            if waits[then] == 0 {
                free.insert(then);
            }
        }
    }
    (order.len() == n).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_one_component_and_leads_to_smaller_numbers() {
        let next = vec![vec![1], vec![2, 3], vec![0], vec![4], vec![3], vec![0]];
        assert_eq!(components_of(&next), [1, 1, 1, 0, 0, 2]);
    }

    #[test]
    fn nodes_without_a_way_back_are_alone() {
        assert_eq!(components_of(&[vec![1, 2], vec![2], vec![2]]), [2, 1, 0]);
    }

    #[test]
    fn what_no_root_leads_to_is_not_met() {
        let edges = [vec![1], vec![0], vec![0]];
        let next = |node: usize, edge: &mut u64| {
            *edge += 1;
            edges[node].get(*edge as usize - 1).copied()
        };
        let found = components(3, [1].into_iter(), next, |_| Ok(())).expect("nobody objects");
        assert_eq!((found.of, found.count), (vec![0, 0, UNMET], 1));
    }

    #[test]
    fn an_order_keeps_near_to_numbers_and_a_cycle_has_none() {
        assert_eq!(sorted(4, &[(3, 1), (1, 0)]), Some(vec![2, 3, 1, 0]));
        assert_eq!(sorted(2, &[(0, 1), (1, 0)]), None);
    }
}

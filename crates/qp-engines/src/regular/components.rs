//! Strongly connected components of small graphs.

/// For each node the number of its component. A component leads only to components with smaller numbers.
pub(super) fn components(next: &[Vec<usize>]) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let n = next.len();
    let (mut order, mut low, mut of) = (vec![NEW; n], vec![0; n], vec![NEW; n]);
    let (mut open, mut calls): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    let (mut n_met, mut n_closed) = (0, 0);
    for root in 0..n {
        if order[root] != NEW {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, edge)) = calls.pop() {
            if edge == 0 {
                (order[node], low[node]) = (n_met, n_met);
                n_met += 1;
                open.push(node);
            } else {
                low[node] = low[node].min(low[next[node][edge - 1]]);
            }
            let fresh = (edge..next[node].len()).find(|&edge| {
                let to = next[node][edge];
                if order[to] != NEW && of[to] == NEW {
                    low[node] = low[node].min(order[to]);
                }
                order[to] == NEW
            });
            if let Some(edge) = fresh {
                calls.push((node, edge + 1));
                calls.push((next[node][edge], 0));
            } else if low[node] == order[node] {
                let from = open.iter().rposition(|&it| it == node).expect("it is open");
                for member in open.drain(from..) {
                    of[member] = n_closed;
                    low[member] = NEW;
                }
                n_closed += 1;
            }
        }
    }
    of
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn a_ring_is_one_component_and_leads_to_smaller_numbers() {
        let next = vec![vec![1], vec![2, 3], vec![0], vec![4], vec![3], vec![0]];
        assert_eq!(components(&next), [1, 1, 1, 0, 0, 2]);
    }

    #[test]
    fn nodes_without_a_way_back_are_alone() {
        assert_eq!(components(&[vec![1, 2], vec![2], vec![2]]), [2, 1, 0]);
    }
}

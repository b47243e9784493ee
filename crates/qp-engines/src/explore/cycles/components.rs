//! Strongly connected components of graphs that are not stored.

use qp_base::Exhausted;

/// In the place of the number of a component: the node cannot be met.
pub(super) const NEW: u32 = u32::MAX;

/// The component of each of `n` nodes that can be met from the roots, numbered so that one leads only to those with
/// smaller numbers, and how many there are: Tarjan's algorithm (1972) with an explicit stack. `next` gives the edge of a
/// node with a number or the next one that exists, and counts on; `ask` is called now and then.
pub(super) fn components(
    n: usize,
    roots: impl Iterator<Item = usize>,
    next: impl Fn(usize, &mut u64) -> Option<usize>,
    ask: impl Fn() -> Result<(), Exhausted>,
) -> Result<(Vec<u32>, u32), Exhausted> {
    let (mut order, mut low, mut of) = (vec![NEW; n], vec![0_u32; n], vec![NEW; n]);
    let (mut open, mut calls, mut met, mut count) = (Vec::new(), Vec::new(), 0_u32, 0_u32);
    for root in roots {
        if order[root] == NEW {
            calls.push((root, 0));
        }
        while let Some((node, mut cursor)) = calls.pop() {
            if order[node] == NEW {
                (order[node], low[node]) = (met, met);
                met += 1;
                open.push(node);
                if met.is_multiple_of(1 << 16) {
                    ask()?;
                }
            }
            let mut descend = None;
            while let Some(to) = next(node, &mut cursor) {
                if order[to] == NEW {
                    descend = Some(to);
                    break;
                }
                // Open nodes know of the least one they lead to; closed ones lead nowhere new.
                if of[to] == NEW {
                    low[node] = low[node].min(low[to]);
                }
            }
            if let Some(child) = descend {
                // The edge to the child is looked at again when that is done.
                calls.extend([(node, cursor - 1), (child, 0)]);
            } else if low[node] == order[node] {
                close(&mut open, node, &mut of, count);
                count += 1;
            }
        }
    }
    Ok((of, count))
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

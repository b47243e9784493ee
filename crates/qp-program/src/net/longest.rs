//! How many machines a copy may come to have.

use qp_base::IndexVec;
use qp_machines::SpotId;

use super::flow::{Effect, Flow};
use super::shape::CopyId;

/// A copy with more machines than this is as good as one without limit.
const MACHINES_MAX: u32 = 10_000;

/// For each copy, how many machines are created for it at most, or nothing if there is no limit: as many as
/// there are creations on a way through the control flow of its creator, unless one can be come back to, for each
/// creator.
pub(super) fn numbers(flow: &Flow<'_>) -> IndexVec<CopyId, Option<u32>> {
    let copies = &flow.stepper.points_to.copies;
    let mut found: IndexVec<CopyId, Option<u32>> = IndexVec::new();
    for (id, copy) in copies.iter_enumerated() {
        // A creator has a smaller number than what it creates.
        let number = match copy.creator {
            None => copy.first.then_some(1),
            Some(creator) => found.get(creator).copied().flatten().and_then(|creators| {
                let each = creations(flow, creator, id)?;
                creators.checked_mul(each).filter(|&number| number <= MACHINES_MAX)
            }),
        };
        found.push(number);
    }
    found
}

/// The greatest number of steps on a way of the creator that create such a machine.
fn creations(flow: &Flow<'_>, creator: CopyId, child: CopyId) -> Option<u32> {
    let mut graph = Graph { next: vec![Vec::new(); flow.spots.len()], most: Vec::new() };
    for step in flow.steps.keys() {
        if let Some(to) = step.to.filter(|_| flow.spots.value(step.from).owner == creator) {
            let weight = u32::from(step.effect == Effect::Starts(child));
            graph.next[step.from.index()].push((to.index(), weight));
        }
    }
    graph.longest(flow.starts[creator.index()])
}

struct Graph {
    next: Vec<Vec<(usize, u32)>>,
    /// For each component, the weight of the heaviest way from there.
    most: Vec<u32>,
}

/// Where the search of a node stands.
#[derive(Clone, Copy, Default)]
struct Visit {
    number: u32,
    low: u32,
    component: Option<usize>,
}

impl Graph {
    /// The weight of the heaviest way, or nothing if a circle has weight. Components are found in such an order
    /// that whatever one leads to comes before it.
    fn longest(&mut self, start: SpotId) -> Option<u32> {
        let mut visits = vec![Visit::default(); self.next.len()];
        let (mut count, mut open) = (0, Vec::new());
        let mut path: Vec<(usize, usize)> = vec![(start.index(), 0)];
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if visits[node].number == 0 {
                count += 1;
                visits[node] = Visit { number: count, low: count, component: None };
                open.push(node);
            }
            if let Some(&(to, _)) = self.next[node].get(*edge) {
                *edge += 1;
                if visits[to].number == 0 {
                    path.push((to, 0));
                } else if visits[to].component.is_none() {
                    visits[node].low = visits[node].low.min(visits[to].number);
                }
                continue;
            }
            path.pop();
            let low = visits[node].low;
            if let Some(&(above, _)) = path.last() {
                visits[above].low = visits[above].low.min(low);
            }
            if low == visits[node].number {
                self.close(node, &mut open, &mut visits)?;
            }
        }
        visits[start.index()].component.map(|component| self.most[component])
    }

    /// A component is complete: everything from this node on.
    fn close(&mut self, node: usize, open: &mut Vec<usize>, visits: &mut [Visit]) -> Option<()> {
        let component = self.most.len();
        let begin = open.iter().position(|&it| it == node).unwrap_or(open.len());
        let members = open.split_off(begin);
        for &member in &members {
            visits[member].component = Some(component);
        }
        let mut most = 0;
        for &(to, weight) in members.iter().flat_map(|&member| &self.next[member]) {
            match visits[to].component {
                Some(it) if it == component && weight > 0 => return None,
                Some(it) if it == component => {}
                Some(it) => most = most.max(self.most[it].saturating_add(weight)),
                None => {}
            }
        }
        self.most.push(most);
        Some(())
    }
}

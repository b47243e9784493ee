//! A complete set as evidence that is a decision diagram.

use qp_base::Map;
use qp_claim::{ABSENT, DiagramSet, Level};
use qp_machines::MachineId;

use super::evidence::Writer;
use super::space::Space;

/// Larger diagrams are not handed over as evidence. The referee takes 0.2 s to see that one with 10,000 nodes is closed,
/// 0.5 s with 25,000; what can never happen again takes it longer, and it may stop before it knows.
const NODES_MAX: usize = 200_000;

/// A level of a diagram: the part that stands there, and its nodes.
pub(crate) type Drawn = (usize, Vec<Vec<(u32, u32)>>);

/// Writes down a diagram. Nothing if there are too many nodes.
pub(crate) fn diagram_set(space: &mut Space, levels: Vec<Drawn>) -> Option<DiagramSet> {
    let n_nodes: usize = levels.iter().map(|(_, nodes)| nodes.len()).sum();
    if n_nodes > NODES_MAX {
        return None;
    }
    let (n_machines, n_queues) = space.n_machines_queues();
    let mut writer = Writer::new(n_machines, n_queues);
    let mut written = Vec::new();
    for (part, nodes) in levels {
        let columns = columns(space, part, (n_machines, n_queues))?;
        let (mut places, mut values) = (Map::default(), Vec::new());
        let mut all = Vec::new();
        for node in nodes {
            let mut arcs = Vec::new();
            for (value, to) in node {
                if !places.contains_key(&value) {
                    values.push(cells(space, &mut writer, (part, value), &columns)?);
                    places.insert(value, values.len() as u32 - 1);
                }
                arcs.push((places[&value], to));
            }
            arcs.sort_unstable();
            all.push(arcs);
        }
        written.push(Level { columns, values, nodes: all });
    }
    let mut set = writer.finish(space.system());
    set.cells.clear();
    Some(DiagramSet { set, levels: written })
}

/// The columns of a row that a part has.
fn columns(space: &Space, part: usize, (n_machines, n_queues): (usize, usize)) -> Option<Vec<u32>> {
    let Space::Compiled(compiled) = space else { return None };
    let part = compiled.tables().parts.get(part)?;
    let queues = part.queues.iter().map(|queue| (n_machines + queue.index()) as u32);
    let machine = part.machine.map(MachineId::raw);
    let columns: Vec<u32> = machine.into_iter().chain(queues).collect();
    // What has neither a machine nor a queue is the store.
    Some(if columns.is_empty() { vec![(n_machines + n_queues) as u32] } else { columns })
}

/// What stands in the columns of a part with this value.
fn cells(
    space: &mut Space,
    writer: &mut Writer,
    (part, value): (usize, u32),
    columns: &[u32],
) -> Option<Vec<u32>> {
    let Space::Compiled(compiled) = space else { return None };
    if compiled.tables().parts[part].is_absent(value) {
        return Some(vec![ABSENT; columns.len()]);
    }
    let config = compiled.with(part, value);
    let row = writer.row(space.system(), &config);
    Some(columns.iter().map(|&column| row[column as usize]).collect())
}

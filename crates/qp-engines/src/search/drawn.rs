//! A complete set as evidence that is a decision diagram.

use std::collections::BTreeSet;

use qp_base::{Interner, Map};
use qp_claim::{ABSENT, DiagramSet, Level};
use qp_machines::MachineId;

use super::evidence::Writer;
use super::space::Space;
use super::stepper::Piece;

/// Larger diagrams are not handed over as evidence. The referee takes 0.7 s for one with 5,300 nodes and all properties,
/// without optimisation; what can never happen again takes it longest, and it may stop before it knows.
const NODES_MAX: usize = 200_000;

/// A level of a diagram: the part that stands there, and its nodes.
pub(crate) type Drawn = (usize, Vec<Vec<(u32, u32)>>);

/// Writes down a diagram. Nothing if there are too many nodes.
pub(crate) fn diagram_set(space: &mut Space, levels: Vec<Drawn>) -> Option<DiagramSet> {
    let n_nodes: usize = levels.iter().map(|(_, nodes)| nodes.len()).sum();
    if n_nodes > NODES_MAX {
        return None;
    }
    let (n_machines, n_queues) = n_machines_queues(space, &levels);
    let (rows, numbers) = (Writer::new(n_machines, n_queues), Interner::new());
    let mut writer = Cells { rows, numbers, n_machines, n_queues };
    let mut written = Vec::new();
    for (part, nodes) in levels {
        let columns = writer.columns(space, part);
        let (mut places, mut values) = (Map::default(), Vec::new());
        let mut all = Vec::new();
        for node in nodes {
            let mut arcs = Vec::new();
            for (value, to) in node {
                if !places.contains_key(&value) {
                    values.push(writer.value(space, (part, value), &columns));
                    places.insert(value, values.len() as u32 - 1);
                }
                arcs.push((places[&value], to));
            }
            arcs.sort_unstable();
            all.push(arcs);
        }
        written.push(Level { columns, values, nodes: all });
    }
    let numbers = writer.numbers.values().to_vec();
    let mut set = writer.rows.finish(space.system());
    set.cells.clear();
    Some(DiagramSet { set, numbers, levels: written })
}

/// How many machines and queues stand on these levels: others may have been met since, in turns that were cut.
fn n_machines_queues(space: &Space, levels: &[Drawn]) -> (usize, usize) {
    let (mut n_machines, mut n_queues) = (0, 0);
    for piece in levels.iter().flat_map(|&(part, _)| said(space, part)) {
        match piece {
            Piece::Machine(machine, _) | Piece::NoMachine(machine) => {
                n_machines = n_machines.max(machine.index() + 1);
            }
            Piece::Queue(queue, ..) | Piece::NoQueue(queue) => {
                n_queues = n_queues.max(queue.index() + 1);
            }
            Piece::Store(_) | Piece::Holder(_) | Piece::Cell(..) => {}
        }
    }
    (n_machines, n_queues)
}

/// Whatever any value of a part says.
fn said(space: &Space, part: usize) -> Vec<Piece> {
    let values = 0..space.counts()[part] as u32;
    values.flat_map(|value| space.pieces(part, value)).collect()
}

/// Writes down what parts say.
struct Cells {
    rows: Writer,
    /// Values of shared variables.
    numbers: Interner<usize, i32>,
    n_machines: usize,
    n_queues: usize,
}

impl Cells {
    /// The columns of a row that a part has: whatever any of its values says something about.
    fn columns(&self, space: &Space, part: usize) -> Vec<u32> {
        let pieces = said(space, part).into_iter();
        let columns: BTreeSet<u32> = pieces.map(|piece| self.column(piece)).collect();
        columns.into_iter().collect()
    }

    /// Machines, queues, the store, the holder, and behind them shared variables.
    fn column(&self, piece: Piece) -> u32 {
        let store = self.n_machines + self.n_queues;
        let column = match piece {
            Piece::Machine(machine, _) | Piece::NoMachine(machine) => machine.index(),
            Piece::Queue(queue, ..) | Piece::NoQueue(queue) => self.n_machines + queue.index(),
            Piece::Store(_) => store,
            Piece::Holder(_) => store + 1,
            Piece::Cell(cell, _) => store + 2 + cell.index(),
        };
        column as u32
    }

    /// What stands in the columns of a part with this value.
    fn value(
        &mut self,
        space: &mut Space,
        (part, value): (usize, u32),
        columns: &[u32],
    ) -> Vec<u32> {
        let mut cells = vec![ABSENT; columns.len()];
        for piece in space.pieces(part, value) {
            let cell = match piece {
                Piece::Machine(machine, local) => self.rows.local(space.system(), machine, local),
                Piece::Queue(_, kind, word) => self.rows.content(space.system(), word, kind),
                Piece::Store(number) => self.rows.store(space.system().store_of(&[number])),
                Piece::Cell(_, number) => self.numbers.intern(number) as u32,
                Piece::Holder(holder) => holder.map_or(ABSENT, MachineId::raw),
                Piece::NoMachine(_) | Piece::NoQueue(_) => ABSENT,
            };
            let place = columns.binary_search(&self.column(piece));
            cells[place.expect("all columns are there")] = cell;
        }
        cells
    }
}

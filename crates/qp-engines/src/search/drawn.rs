//! A complete set as evidence that is a decision diagram.

use qp_base::{Map, Set};
use qp_claim::{DiagramSet, Level};
use qp_machines::{Capacity, Config, Effect, Guard, LocalId, Loss, MachineId, Place, StoreId};

use super::evidence::Writer;
use super::space::Space;

/// Larger diagrams are not handed over as evidence.
const NODES_MAX: usize = 200_000;

/// A level of a diagram: the part that stands there, and its nodes.
pub(crate) type Drawn = (usize, Vec<Vec<(u32, u32)>>);

/// Writes down a diagram. `initial` are the values of parts in which everything begins. Nothing if machines come and
/// go, if something may look at more than one level, or if there are too many nodes.
pub(crate) fn diagram_set(
    space: &mut Space,
    initial: &[u32],
    levels: Vec<Drawn>,
) -> Option<DiagramSet> {
    let (n_machines, n_queues) = space.n_machines_queues();
    let n_nodes: usize = levels.iter().map(|(_, nodes)| nodes.len()).sum();
    if n_nodes > NODES_MAX || !queues_are_plain(space) {
        return None;
    }
    let mut writer = Writer::new(n_machines, n_queues);
    let (mut met, mut written) = (Met::default(), Vec::new());
    for (part, nodes) in levels {
        let columns = columns(space, part, (n_machines, n_queues))?;
        let (mut places, mut values) = (Map::default(), Vec::new());
        let mut all = Vec::new();
        for node in nodes {
            let mut arcs = Vec::new();
            for (value, to) in node {
                if !places.contains_key(&value) {
                    let mut config = initial.to_vec();
                    config[part] = value;
                    let config = space.config(&config);
                    if config.locals.len() != n_machines || config.words.len() != n_queues {
                        return None;
                    }
                    met.note(&config, &columns, n_machines);
                    let row = writer.row(space.system(), &config);
                    values.push(columns.iter().map(|&column| row[column as usize]).collect());
                    places.insert(value, values.len() as u32 - 1);
                }
                arcs.push((places[&value], to));
            }
            arcs.sort_unstable();
            all.push(arcs);
        }
        written.push(Level { columns, values, nodes: all });
    }
    if !met.moves_are_plain(space) {
        return None;
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

/// Whether all queues keep what is sent to them, and nobody asks about a queue of another part.
fn queues_are_plain(space: &mut Space) -> bool {
    let kinds = &space.system().program().outline().kinds;
    let plain =
        kinds.iter().all(|kind| kind.loss == Loss::Never && kind.capacity != Capacity::Rendezvous);
    let Space::Compiled(compiled) = space else { return false };
    plain && compiled.tables().queues.iter().all(|queue| queue.gates.is_empty())
}

/// The local states and stores that are met.
#[derive(Default)]
struct Met {
    locals: Set<(MachineId, LocalId)>,
    stores: Set<StoreId>,
}

impl Met {
    fn note(&mut self, config: &Config, columns: &[u32], n_machines: usize) {
        for &column in columns.iter().filter(|column| (**column as usize) < n_machines) {
            let machine = MachineId::from_raw(column);
            self.locals.insert((machine, config.local(machine)));
        }
        self.stores.insert(config.store);
    }

    /// Whether no move waits for others, goes on alone, or puts messages anywhere but at the back.
    fn moves_are_plain(self, space: &mut Space) -> bool {
        let system = space.system();
        let stores: Vec<StoreId> = self.stores.into_iter().collect();
        self.locals.into_iter().all(|(machine, local)| {
            stores.iter().all(|&store| {
                system.moves(machine, local, store).iter().all(|mv| {
                    let waits = |guard: &Guard| matches!(guard, Guard::Else | Guard::Timeout);
                    let sorts = matches!(mv.effect, Effect::Send { place: Place::Sorted, .. });
                    let comes = matches!(mv.effect, Effect::Spawn { .. } | Effect::Exit { .. });
                    !mv.hold && !sorts && !comes && !mv.guards.iter().any(waits)
                })
            })
        })
    }
}

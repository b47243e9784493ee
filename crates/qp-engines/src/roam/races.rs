//! Races: steps of two machines whose order matters, by the footprints of steps.

use std::sync::Arc;

use qp_base::Map;
use qp_machines::{
    CellId, Config, KindId, LocalId, MachineId, Plain, QueueId, Reads, System, Touch, Turn, View,
    WordId,
};

/// What the next steps of a machine touch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Footprint {
    touches: Vec<Touch>,
    /// Shared variables that are read, where the program says which ones there are.
    reads: Vec<CellId>,
    writes: Vec<CellId>,
}

impl Footprint {
    /// Whether it may matter which of the two comes first.
    pub(super) fn races_with(&self, other: &Self) -> bool {
        let meets = |a: &[CellId], b: &[CellId]| a.iter().any(|cell| b.contains(cell));
        self.touches.iter().any(|touch| other.touches.contains(touch))
            || meets(&self.writes, &other.reads)
            || meets(&self.reads, &other.writes)
            || meets(&self.writes, &other.writes)
    }
}

/// Footprints by local state. What queues and variables hold may change them a little; that makes a schedule no less
/// real, and asking once for each local state is cheap.
#[derive(Default)]
pub(super) struct Footprints {
    known: Map<(MachineId, LocalId), Arc<Footprint>>,
}

impl Footprints {
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// What the next steps of a machine touch.
    pub(super) fn of(
        &mut self,
        system: &mut System,
        config: &Config,
        machine: MachineId,
    ) -> Arc<Footprint> {
        let local = config.local(machine);
        let known = self.known.entry((machine, local));
        known.or_insert_with(|| Arc::new(footprint(system, config, machine))).clone()
    }
}

fn footprint(system: &mut System, config: &Config, machine: MachineId) -> Footprint {
    let cells = system.cells(config.store);
    let mut noting = Noting { plain: Plain { config, cells: &cells }, cells: Vec::new() };
    let View { turns, touches, .. } = system.view_in(machine, false, &mut noting);
    // What programs share that say commands is nothing but those who watch, and these are among the touches.
    if system.moves(machine, config.local(machine), config.store).is_some() {
        return Footprint { touches, ..Footprint::default() };
    }
    let changed = turns.iter().filter_map(|turn| match turn {
        Turn::Does { after, .. } => Some(after.cells.iter().map(|&(cell, _)| cell)),
        Turn::Fails { .. } | Turn::GivesUp { .. } => None,
    });
    Footprint { touches, reads: noting.cells, writes: changed.flatten().collect() }
}

/// A configuration whose shared variables are noted when they are read.
struct Noting<'a> {
    plain: Plain<'a>,
    cells: Vec<CellId>,
}

impl Reads for Noting<'_> {
    fn n_machines(&mut self) -> usize {
        self.plain.n_machines()
    }

    fn n_queues(&mut self) -> usize {
        self.plain.n_queues()
    }

    fn local(&mut self, machine: MachineId) -> LocalId {
        self.plain.local(machine)
    }

    fn cell(&mut self, cell: CellId) -> i32 {
        if !self.cells.contains(&cell) {
            self.cells.push(cell);
        }
        self.plain.cell(cell)
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        self.plain.word(queue)
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        self.plain.kind(queue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_queues_and_variables_race_where_somebody_changes_them() {
        let queue = QueueId::new(0);
        let ends = |touch| Footprint { touches: vec![touch], ..Footprint::default() };
        let (front, back) = (ends(Touch::Front(queue)), ends(Touch::Back(queue)));
        assert!(back.races_with(&back), "two senders");
        assert!(!front.races_with(&back), "whoever takes does not mind who puts");
        let cell = CellId::new(0);
        let reads = Footprint { reads: vec![cell], ..Footprint::default() };
        let writes = Footprint { writes: vec![cell], ..Footprint::default() };
        assert!(!reads.races_with(&reads));
        assert!(reads.races_with(&writes) && writes.races_with(&reads));
        assert!(writes.races_with(&writes));
    }
}

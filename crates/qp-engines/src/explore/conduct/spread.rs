//! What a search that did not end has met many of.

use qp_base::{Map, Set};
use qp_machines::{LocalId, MachineId, QueueId, WordId};

use super::Conduct;
use crate::Spread;
use crate::search::any::AnySearch;
use crate::search::stepper::Piece;

/// So many values of a part are looked at; where there are more, the first ones tell enough.
const VALUES_MAX: usize = 1 << 18;

impl Conduct<'_> {
    /// Which machine and which queue have most of what was met, and how much is still waiting.
    pub(super) fn spread(&mut self, search: &AnySearch) -> Spread {
        let mut locals: Map<MachineId, Set<LocalId>> = Map::default();
        let mut words: Map<QueueId, Set<WordId>> = Map::default();
        for (part, n) in self.space.counts().into_iter().enumerate() {
            for value in 0..n.min(VALUES_MAX) as u32 {
                for piece in self.space.pieces(part, value) {
                    match piece {
                        Piece::Machine(machine, local) => {
                            locals.entry(machine).or_default().insert(local);
                        }
                        Piece::Queue(queue, _, word) => {
                            words.entry(queue).or_default().insert(word);
                        }
                        Piece::Store(_)
                        | Piece::Holder(_)
                        | Piece::Cell(..)
                        | Piece::NoMachine(_)
                        | Piece::NoQueue(_) => {}
                    }
                }
            }
        }
        let program = self.space.system().program();
        let machine = most(&locals).map(|(machine, n)| {
            let local = locals[&machine].iter().min().copied();
            (machine, local.and_then(|local| program.machine_name(machine, local)), n)
        });
        Spread {
            visited: search.len() as u64,
            waiting: search.waiting() as u64,
            machine,
            queue: most(&words),
            variable: program.widest(),
        }
    }
}

/// Of which there are most; the first of equals.
fn most<K: Copy + Ord, V>(sets: &Map<K, Set<V>>) -> Option<(K, usize)> {
    let counts = sets.iter().map(|(&key, set)| (key, set.len()));
    counts.max_by_key(|&(key, n)| (n, std::cmp::Reverse(key)))
}

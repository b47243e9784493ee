//! How large machines are, for tables.

use std::collections::BTreeSet;

use qp_machines::{Effect, MessageId, Reception};

use crate::Loaded;

/// More local states of one machine are not counted.
const STATES_MAX: usize = 10_000;

/// For each machine that is there from the beginning: its local states and the transitions between them, whatever the
/// others do. Only messages that are known before anything runs count, and programs whose steps are turns have none.
pub fn peer_sizes(loaded: &Loaded) -> Vec<(usize, usize)> {
    let mut system = loaded.model.system();
    let start = system.initial();
    let outline = loaded.model.outline();
    if outline.whole {
        return Vec::new();
    }
    let messages: Vec<MessageId> = (0..outline.messages.len()).map(MessageId::new).collect();
    let mut sizes = Vec::new();
    for machine in start.machines() {
        let first = start.local(machine);
        let (mut seen, mut todo, mut n) = (BTreeSet::from([first]), vec![first], 0);
        while let Some(local) = todo.pop() {
            let mut next = Vec::new();
            for mv in system.moves(machine, local, start.store).iter() {
                let Effect::Receive { ear, .. } = mv.effect else {
                    next.push(mv.next);
                    continue;
                };
                let program = system.program_mut();
                for &message in &messages {
                    let about = program.reception(machine, local, start.store, ear, message);
                    if let Reception::Take(ways) = about {
                        next.extend(ways.iter().map(|way| way.next));
                    }
                }
            }
            n += next.len();
            todo.extend(next.into_iter().filter(|&local| seen.insert(local)));
            if seen.len() > STATES_MAX {
                break;
            }
        }
        sizes.push((seen.len(), n));
    }
    sizes
}

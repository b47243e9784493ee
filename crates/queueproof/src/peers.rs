//! How large machines are, for tables.

use std::collections::BTreeSet;

use qp_machines::{Config, LocalId, MachineId, MessageId, System};

use crate::Loaded;

/// More local states of one machine are not counted.
const STATES_MAX: usize = 10_000;

/// For each machine that is there from the beginning: its local states and the transitions between them, whatever the
/// others do. Only messages that are known before anything runs count; machines that share more than queues have no
/// such sizes, and then nobody has.
pub fn peer_sizes(loaded: &Loaded) -> Vec<(usize, usize)> {
    let mut system = loaded.model.system();
    let start = system.initial();
    let messages: Vec<MessageId> =
        (0..loaded.model.outline().messages.len()).map(MessageId::new).collect();
    let sizes = start.machines().map(|machine| size(&mut system, &start, machine, &messages));
    sizes.collect::<Option<Vec<_>>>().unwrap_or_default()
}

fn size(
    system: &mut System,
    start: &Config,
    machine: MachineId,
    messages: &[MessageId],
) -> Option<(usize, usize)> {
    let first = start.local(machine);
    let (mut seen, mut todo, mut n) = (BTreeSet::from([first]), vec![first], 0);
    while let Some(local) = todo.pop() {
        let next = nexts(system, start, (machine, local), messages)?;
        n += next.len();
        todo.extend(next.into_iter().filter(|&local| seen.insert(local)));
        if seen.len() > STATES_MAX {
            break;
        }
    }
    Some((seen.len(), n))
}

/// Where a machine can go.
fn nexts(
    system: &mut System,
    start: &Config,
    (machine, local): (MachineId, LocalId),
    messages: &[MessageId],
) -> Option<Vec<LocalId>> {
    let commands = system.commands(start, machine, local).ok()?;
    let mut next = commands.internals;
    next.extend(commands.sends.iter().map(|send| send.next));
    for queue in commands.listens {
        for &message in messages {
            let heard = system.hearing(start, (machine, local), (queue, message)).ok()?;
            next.extend(heard.takes);
        }
    }
    Some(next)
}

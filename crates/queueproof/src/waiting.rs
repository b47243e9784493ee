//! Who waits for what where a run ends, in the user's words.

use qp_check::{Finding, replay};
use qp_claim::Trace;
use qp_machines::{Config, MachineId, QueueId, System};

use crate::Loaded;
use crate::names::Names;

/// So many messages are named at most.
const NAMED_MAX: usize = 4;

/// What would free the machine that never moves again, or what the reader of a message that is never received waits for
/// instead. Only of machines that share nothing but queues that is known.
pub(crate) fn waits_for(loaded: &Loaded, trace: &Trace, finding: Finding) -> Option<String> {
    let mut system = loaded.model.system();
    let run = replay(&mut system, &trace.steps).ok()?;
    let names = Names::of_run(&system, &run);
    let config = run.last();
    match finding {
        Finding::Stuck { machine } => {
            let wanted = wanted(&mut system, &names, config, machine)?;
            Some(format!("it waits for {wanted}"))
        }
        Finding::Orphan { queue } => {
            let machine = names.reader(queue)?;
            let wanted = wanted(&mut system, &names, config, machine)?;
            Some(format!("{} waits for {wanted}", names.machine(machine)))
        }
        _ => None,
    }
}

/// The messages that a machine would take where it is, from whom, and what is first in its queues instead.
fn wanted(
    system: &mut System,
    names: &Names,
    config: &Config,
    machine: MachineId,
) -> Option<String> {
    let at = (machine, *config.locals.get(machine.index())?);
    let commands = system.commands(config, at.0, at.1).ok()?;
    if !commands.internals.is_empty() {
        return None;
    }
    let mut all: Vec<String> = Vec::new();
    let full = commands.sends.iter().map(|send| format!("room in {}", names.queue(send.queue)));
    all.extend(full);
    let known = system.program().outline().messages.len();
    for &queue in &commands.listens {
        for message in (0..known).map(qp_machines::MessageId::new) {
            let hearing = system.hearing(config, at, (queue, message)).ok()?;
            if !hearing.takes.is_empty() {
                let text = system.program().message_shown(message);
                all.push(format!("{text}{}", sender(system, names, queue)));
            }
        }
    }
    all.dedup();
    if all.is_empty() {
        return None;
    }
    let more = if all.len() > NAMED_MAX { " or others" } else { "" };
    all.truncate(NAMED_MAX);
    let fronts = commands.listens.iter().filter_map(|&queue| {
        let &first = system.words().messages(config.word(queue)).first()?;
        let text = system.program().message_shown(first);
        Some(format!("{text} is first in {}", names.queue(queue)))
    });
    let fronts: Vec<String> = fronts.collect();
    let instead = match &fronts[..] {
        [] => String::new(),
        fronts => format!(", and {}", fronts.join(" and ")),
    };
    Some(format!("{}{more}{instead}", all.join(" or ")))
}

/// Who sends to a queue, if it is one machine.
fn sender(system: &System, names: &Names, queue: QueueId) -> String {
    let info = system.program().outline().queues.get(queue);
    match info.map(|info| &info.writers[..]) {
        Some([sender]) => format!(" from {}", names.machine(*sender)),
        _ => String::new(),
    }
}

//! The situation that is in the way of a proof, in the user's words.

use qp_check::Finding;
use qp_claim::{ABSENT, ClosedSet};
use qp_machines::{Config, Event, KindId, MachineId, Outcome, Property, QueueId, System, WordId};

use crate::names::Names;
use crate::report::{SituationMachine, SituationQueue, SituationReport};
use crate::{Loaded, words};

/// How closely contents of queues were looked at.
#[derive(Clone, Copy)]
pub(crate) struct Closeness {
    pub(crate) prefix: u32,
    pub(crate) counted: u32,
}

/// Tells the one row of a set. `None` if the program does not know what it says: a bug of the engine, and
/// no reason to say nothing at all.
pub(crate) fn situation(
    loaded: &Loaded,
    names: &Names,
    property: Property,
    closeness: Closeness,
    set: &ClosedSet,
) -> Option<SituationReport> {
    let mut system = loaded.model.system();
    let config = read(&mut system, set)?;
    let names = Names::of_moment(&system, &config, names);
    let finding = fault(&mut system, property, &config);
    let saying = finding.map(|finding| words::moment(&system, &names, &config, finding));
    let at_fault = saying.as_ref().and_then(|saying| saying.machine);
    let machine = |machine: MachineId| SituationMachine {
        name: names.machine(machine),
        state: system.program().control_name(machine, config.local(machine)),
        at_fault: at_fault == Some(machine),
    };
    let queue = |queue: QueueId| SituationQueue {
        name: names.queue(queue),
        reader: names.reader(queue).map(|reader| names.machine(reader)),
        content: content(&system, config.word(queue), closeness),
    };
    let mut report = SituationReport {
        fault: saying.map_or_else(String::new, |saying| saying.message),
        prefix: closeness.prefix,
        counted: closeness.counted,
        machines: config.machines().map(machine).collect(),
        queues: config.queues().map(queue).collect(),
    };
    report.queues.retain(|queue| !queue.content.is_empty());
    Some(report)
}

/// What a content looks like: the messages at its front, and then each of the others where it first
/// occurs, with how many there are of it.
fn content(system: &System, word: WordId, closeness: Closeness) -> Vec<String> {
    if word == WordId::CLOSED {
        return Vec::new();
    }
    let messages = system.words().messages(word);
    let texts = messages.iter().map(|&message| system.program().message_shown(message));
    let mut front: Vec<String> = texts.collect();
    let behind = front.split_off(front.len().min(closeness.prefix as usize));
    let mut list: Vec<(String, u32)> = Vec::new();
    for text in behind {
        match list.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += 1,
            None => list.push((text, 1)),
        }
    }
    let counted = |(text, count)| {
        let more = if count > closeness.counted { "+" } else { "" };
        format!("{text} ({count}{more})")
    };
    front.extend(list.into_iter().map(counted));
    front
}

fn read(system: &mut System, set: &ClosedSet) -> Option<Config> {
    let row = set.rows().next()?;
    let (locals, rest) = row.split_at(set.locals.len());
    let (contents, rest) = rest.split_at(set.n_queues);
    let mut config = Config {
        locals: Vec::new(),
        words: Vec::new(),
        kinds: Vec::new(),
        store: system.store_from_text(set.stores.get(rest[0] as usize)?)?,
        holder: (rest[1] != ABSENT).then(|| MachineId::from_raw(rest[1])),
    };
    for (number, &cell) in locals.iter().enumerate().take_while(|(_, cell)| **cell != ABSENT) {
        let text = set.locals[number].get(cell as usize)?;
        let local = system.program_mut().local_from_text(MachineId::new(number), text)?;
        config.locals.push(local);
    }
    for &cell in contents.iter().take_while(|&&cell| cell != ABSENT) {
        let content = set.contents.get(cell as usize)?;
        let mut word = if content.messages.is_some() { WordId::EMPTY } else { WordId::CLOSED };
        for &letter in content.messages.iter().flatten() {
            let text = set.messages.get(letter as usize)?;
            let message = system.program_mut().message_from_text(text)?;
            word = system.words_mut().push(word, message);
        }
        config.words.push(word);
        config.kinds.push(KindId::from_raw(content.kind));
    }
    let holder_exists = config.holder.is_none_or(|machine| machine.index() < config.locals.len());
    holder_exists.then_some(config)
}

/// What is wrong there, if a look at the configuration alone can tell.
fn fault(system: &mut System, property: Property, config: &Config) -> Option<Finding> {
    match property {
        Property::Assert | Property::Divergence => failure(system, property, config),
        Property::Unhandled => failure(system, property, config).or_else(|| {
            config.machines().find_map(|machine| {
                let (queue, message) = system.unhandled(config, machine)?;
                Some(Finding::Unhandled { machine, queue, message })
            })
        }),
        Property::Deadlock => {
            let still = system.successors(config).is_empty();
            let awake = |m: &MachineId| !system.program().may_rest(*m, config.local(*m));
            let awake = config.machines().find(|machine| still && awake(machine));
            awake.map(|machine| Finding::Deadlock { machine })
        }
        Property::Reach(number) => {
            let bad = &system.program().outline().bad[number];
            bad.holds(system, config).then_some(Finding::Bad { number })
        }
        Property::Stuck
        | Property::Orphan
        | Property::Bounded
        | Property::Length(..)
        | Property::Possible(_)
        | Property::Livelock
        | Property::Accept
        | Property::Live
        | Property::Ltl(_)
        | Property::Sync
        | Property::Sendlang => None,
    }
}

fn failure(system: &mut System, property: Property, config: &Config) -> Option<Finding> {
    let failing = |outcome: Outcome| match outcome.event {
        Event::Failed { failure } => Some((outcome.step.machine, failure)),
        _ => None,
    };
    let failures: Vec<_> = system.successors(config).into_iter().filter_map(failing).collect();
    let mut failures = failures.into_iter();
    let violates = |failure| system.program().failure(failure).property == property;
    failures
        .find(|(_, failure)| violates(*failure))
        .map(|(machine, failure)| Finding::Failed { machine, failure })
}

#[cfg(test)]
mod tests;

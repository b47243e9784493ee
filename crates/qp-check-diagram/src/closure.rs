//! That no step leads out of a diagram.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::{
    Capacity, Config, Effect, Event, Guard, Loss, MachineId, MessageId, Move, Outcome, Place,
    Property, QueueId, System, WordId,
};

use crate::levels::Levels;
use crate::{Checked, Fact, WORK_MAX};

/// Checks every step of every machine, and says what each machine can do with which values.
pub(crate) fn check(
    system: &mut System,
    levels: &Levels,
) -> Checked<BTreeMap<(MachineId, u32, u32), Fact>> {
    let mut facts = BTreeMap::new();
    let mut ways = Ways { levels, included: vec![BTreeSet::new(); levels.all.len()], work: 0 };
    for (machine, own) in levels.all_machines() {
        for value in levels.all[own].used() {
            for store in levels.stores() {
                let mut config = system.initial();
                levels.all[own].put(&mut config, value);
                levels.put_store(&mut config, store);
                let mut fact = Fact {
                    moves: false,
                    fails: Vec::new(),
                    at_a_loss: system.unhandled(&config, machine).is_some(),
                    rests: system.program().may_rest(machine, config.local(machine)),
                };
                let moves = system.moves(machine, config.local(machine), config.store);
                for mv in moves.iter() {
                    check_looks(system, levels, own, &config, mv)?;
                }
                check_else(system, levels, own, &config, &moves)?;
                for outcome in system.outcomes(&config, machine, false) {
                    let (change, sure) = change(system, levels, (machine, own), &config, &outcome)?;
                    fact.moves |= sure;
                    fact.fails.extend(failure(system, outcome.event));
                    if let Some(change) = change {
                        ways.check(system, &change)?;
                    }
                }
                facts.insert((machine, value, store), fact);
            }
        }
    }
    Ok(facts)
}

fn failure(system: &System, event: Event) -> Option<Property> {
    let Event::Failed { failure } = event else { return None };
    Some(system.program().failure(failure).property)
}

/// A move looks at nothing outside of its own level and the store but for room in the queue that it sends to, of which
/// there is some: in the configuration at hand queues of other levels are as at the beginning, which is empty.
fn check_looks(
    system: &System,
    levels: &Levels,
    own: usize,
    config: &Config,
    mv: &Move,
) -> Checked<()> {
    let is_own = |queue: QueueId| levels.of_queue(queue) == Some(own);
    for guard in &mv.guards {
        match *guard {
            Guard::Holds(queue, _) | Guard::HoldsNot(queue, _) if is_own(queue) => {}
            Guard::Holds(..) | Guard::HoldsNot(..) => {
                return Err("a machine looks at a queue of another level".to_owned());
            }
            Guard::Idle | Guard::Else => {}
            Guard::Timeout => return Err("a move waits until nothing else happens".to_owned()),
        }
    }
    match mv.effect {
        Effect::Receive { queue, .. } if !is_own(queue) => {
            Err("a machine takes from a queue of another level".to_owned())
        }
        Effect::Send { queue, place, .. } => {
            if levels.of_queue(queue).is_none() {
                return Err("a message goes to a queue that does not exist".to_owned());
            }
            let kind = system.kind(config, queue);
            let plain = kind.loss == Loss::Never && kind.capacity != Capacity::Rendezvous;
            if (plain && place == Place::Back)
                || is_own(queue) && kind.capacity != Capacity::Rendezvous
            {
                return Ok(());
            }
            Err("a message is lost, handed over or sorted in".to_owned())
        }
        Effect::Internal
        | Effect::Receive { .. }
        | Effect::Close { .. }
        | Effect::Fail { .. }
        | Effect::GiveUp { .. } => Ok(()),
        Effect::Spawn { .. } | Effect::Exit { .. } => Err("machines come and go".to_owned()),
    }
}

/// Whether a machine has no other move is known only if none waits for room elsewhere.
fn check_else(
    system: &System,
    levels: &Levels,
    own: usize,
    config: &Config,
    moves: &[Move],
) -> Checked<()> {
    let waits = |mv: &Move| match mv.effect {
        Effect::Send { queue, .. } => {
            levels.of_queue(queue) != Some(own)
                && system.kind(config, queue).capacity != Capacity::Unbounded
        }
        _ => false,
    };
    let has_else = moves.iter().any(|mv| mv.guards.contains(&Guard::Else));
    if has_else && moves.iter().any(waits) {
        return Err("a move depends on room in a queue of another level".to_owned());
    }
    Ok(())
}

/// A step as what it changes.
struct Change {
    /// The level, the value that it needs there, and the value afterwards, if that is listed.
    values: Vec<(usize, u32, Option<u32>)>,
    /// The level of a queue that gets a message at its back.
    sends: Option<(usize, QueueId, MessageId)>,
}

/// What a step changes, if it does not end the run; and whether it is possible whatever stands elsewhere.
fn change(
    system: &System,
    levels: &Levels,
    (machine, own): (MachineId, usize),
    before: &Config,
    outcome: &Outcome,
) -> Checked<(Option<Change>, bool)> {
    match outcome.event {
        Event::Failed { .. } => return Ok((None, true)),
        Event::GaveUp { .. } => return Err(format!("nobody knows what {machine:?} does next")),
        _ => {}
    }
    let sends = match outcome.event {
        Event::Sent { queue, message } => {
            levels.of_queue(queue).filter(|&level| level != own).map(|l| (l, queue, message))
        }
        _ => None,
    };
    let after = &outcome.config;
    let mut values = vec![(own, levels.all[own].value(before), levels.all[own].value(after))];
    if let Some(store) = levels.store {
        let of = |config| levels.all[store].value(config);
        values.push((store, of(before), of(after)));
    }
    // Everything else is as it was.
    let mut rest = after.clone();
    for &(level, value, _) in &values {
        let value = value.expect("it was put there");
        levels.all[level].put(&mut rest, value);
    }
    if let Some((_, queue, _)) = sends {
        rest.words[queue.index()] = before.word(queue);
    }
    if rest != *before {
        return Err(format!(
            "a step of {machine:?} changes more than its level, the store and one queue"
        ));
    }
    let values = values.into_iter().map(|(l, from, to)| (l, from.expect("it was put there"), to));
    let room = |(_, queue, _): (usize, QueueId, MessageId)| {
        system.kind(before, queue).capacity == Capacity::Unbounded
    };
    Ok((Some(Change { values: values.collect(), sends }), sends.is_none_or(room)))
}

/// Ways through the diagram, side by side.
struct Ways<'a> {
    levels: &'a Levels,
    /// For each level, pairs of nodes: everything behind the first is behind the second.
    included: Vec<BTreeSet<(u32, u32)>>,
    work: u64,
}

impl Ways<'_> {
    /// Checks that one change leads from the set into the set.
    fn check(&mut self, system: &mut System, change: &Change) -> Checked<()> {
        let touched = change.values.iter().map(|it| it.0).chain(change.sends.map(|it| it.0));
        let (first, last) = touched.fold((usize::MAX, 0), |(a, b), l| (a.min(l), b.max(l)));
        // Above the first level that changes, both ways are the same. A way that there is not is `None`: that is
        // wrong only if the step turns out to be possible.
        let nodes = 0..self.levels.all[first].nodes.len() as u32;
        let mut pairs: BTreeSet<(u32, Option<u32>)> =
            nodes.map(|node| (node, Some(node))).collect();
        for level in first..=last {
            let (mut next, mut work) = (BTreeSet::new(), 0);
            let images = self.images(system, change, level);
            for (from, to) in pairs {
                let nodes = &self.levels.all[level].nodes;
                let to = to.map(|to| &nodes[to as usize]);
                work += nodes[from as usize].len();
                for (value, &from) in &nodes[from as usize] {
                    let image = images.as_ref().map_or(Some(value), |images| images.get(value));
                    let Some(image) = image else { continue };
                    next.insert((from, to.and_then(|to| to.get(image)).copied()));
                }
            }
            pairs = next;
            self.spend(work)?;
        }
        for (from, to) in pairs {
            self.include(last + 1, (from, to.ok_or("a step leads out of the set")?))?;
        }
        Ok(())
    }

    /// For the values with which the change is possible: what they become. `None` where a level stays as it is.
    fn images(
        &self,
        system: &mut System,
        change: &Change,
        level: usize,
    ) -> Option<BTreeMap<u32, u32>> {
        /// Of a value that is not listed, which no node has.
        const NOWHERE: u32 = u32::MAX;
        if let Some(&(_, from, to)) = change.values.iter().find(|it| it.0 == level) {
            return Some(BTreeMap::from([(from, to.unwrap_or(NOWHERE))]));
        }
        let (_, queue, message) = change.sends.filter(|it| it.0 == level)?;
        let (of, mut images) = (&self.levels.all[level], BTreeMap::new());
        let mut config = system.initial();
        for value in of.used() {
            of.put(&mut config, value);
            // What is sent to a closed queue is gone.
            let word = config.word(queue);
            if word != WordId::CLOSED {
                let length = system.words().len(word);
                match system.kind(&config, queue).capacity {
                    Capacity::Messages(n) if length >= n as usize => continue,
                    _ => config.words[queue.index()] = system.append(queue, word, message),
                }
            }
            images.insert(value, of.value(&config).unwrap_or(NOWHERE));
        }
        Some(images)
    }

    /// Checks that everything behind the first node of a level is behind the second.
    fn include(&mut self, level: usize, pair: (u32, u32)) -> Checked<()> {
        let mut todo = vec![(level, pair)];
        while let Some((level, (a, b))) = todo.pop() {
            if a == b || level == self.levels.all.len() || !self.included[level].insert((a, b)) {
                continue;
            }
            let nodes = &self.levels.all[level].nodes;
            let (from, to) = (&nodes[a as usize], &nodes[b as usize]);
            let mut next = Vec::new();
            for (value, &from) in from {
                let to = to.get(value).ok_or("a step leads out of the set")?;
                next.push((level + 1, (from, *to)));
            }
            self.spend(next.len())?;
            todo.extend(next);
        }
        Ok(())
    }

    fn spend(&mut self, work: usize) -> Checked<()> {
        self.work += work as u64;
        if self.work > WORK_MAX {
            return Err("the diagram takes too long to check".to_owned());
        }
        Ok(())
    }
}

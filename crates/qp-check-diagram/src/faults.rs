//! That nothing in a diagram violates a property.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::{Atom, MachineId, Property, System};

use crate::rules::{Deed, Rule, Touches, identity};
use crate::sets::{Merge, Set, Sets};
use crate::{Checked, Diagram};

/// Checks one property.
pub(crate) fn check(diagram: &Diagram, system: &mut System, property: Property) -> Checked<()> {
    let levels = &diagram.levels;
    match property {
        Property::Assert | Property::Divergence => no_failure(diagram, system, property),
        Property::Unhandled => {
            no_failure(diagram, system, property)?;
            for (machine, touches) in &diagram.rules.at_a_loss {
                if levels.has_way(touches) {
                    return Err(format!("the set has a fault of {machine:?}").into());
                }
            }
            Ok(())
        }
        Property::Deadlock => no_deadlock(diagram),
        Property::Reach(number) => not_bad(diagram, system, number),
        // The set is finite.
        Property::Bounded => Ok(()),
        Property::Length(queue, bound) => {
            // A queue that does not exist has no messages.
            let Some(level) = levels.of_queue(queue) else { return Ok(()) };
            let mut config = levels.whole.clone();
            for value in levels.all[level].present() {
                levels.all[level].put(&mut config, value);
                if system.words().len(config.word(queue)) > bound as usize {
                    return Err(format!("{queue:?} may have more than {bound} messages").into());
                }
            }
            Ok(())
        }
        Property::Stuck => nobody_is_stuck(diagram),
        Property::Orphan => nothing_is_left(diagram, system),
        Property::Livelock
        | Property::Accept
        | Property::Live
        | Property::Ltl(_)
        | Property::Sync
        | Property::Sendlang => Err("a diagram does not prove this property".into()),
    }
}

/// No configuration has a step that runs into a failure of this kind.
fn no_failure(diagram: &Diagram, system: &System, property: Property) -> Checked<()> {
    for rule in &diagram.rules.all {
        let Deed::Fails(failure) = rule.deed else { continue };
        let violated = system.program().failure(failure).property == property;
        if violated && diagram.levels.has_way(&rule.touches) {
            return Err(format!("the set has a fault of {:?}", rule.machine).into());
        }
    }
    Ok(())
}

/// No configuration is without any step while a machine may not rest.
fn no_deadlock(diagram: &Diagram) -> Checked<()> {
    let (mut sets, all) = Sets::read(&diagram.levels)?;
    let mut rest = sets.before(&still(diagram), all, None)?;
    for rule in diagram.rules.all.iter().filter(|rule| rule.touches.len() > 1) {
        let possible = sets.before(&rule.touches, rest, None)?;
        rest = sets.merge(Merge::FirstOnly, rest, possible)?;
    }
    for (machine, awake) in awake(diagram) {
        if sets.before(&awake, rest, None)?.is_some() {
            let fault = format!("the set has a deadlock in which {machine:?} may not rest");
            return Err(fault.into());
        }
    }
    Ok(())
}

/// Where no rule is possible that asks for one level alone.
fn still(diagram: &Diagram) -> Touches {
    let mut still: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
    for rule in diagram.rules.all.iter().filter(|rule| rule.touches.len() == 1) {
        for (&level, relation) in &rule.touches {
            let left = still.entry(level).or_insert_with(|| diagram.levels.all[level].used());
            left.retain(|value| !relation.contains_key(value));
        }
    }
    still.into_iter().map(|(level, values)| (level, identity(values))).collect()
}

/// For each machine: where it may not rest.
fn awake(diagram: &Diagram) -> impl Iterator<Item = (MachineId, Touches)> + '_ {
    diagram.levels.all_machines().map(|(machine, level)| {
        let values = diagram.rules.awake[&machine].iter().copied();
        (machine, Touches::from([(level, identity(values))]))
    })
}

/// From every configuration in which a machine may not rest, it can move, now or later.
fn nobody_is_stuck(diagram: &Diagram) -> Checked<()> {
    let (mut sets, all) = Sets::read(&diagram.levels)?;
    for (machine, awake) in awake(diagram) {
        if !can_happen(diagram, (&mut sets, all), &awake, |rule| rule.machine == machine)? {
            return Err(format!("the set has a fault: {machine:?} never moves again").into());
        }
    }
    Ok(())
}

/// From every configuration in which a queue is not empty, a message can be taken from it, now or later.
fn nothing_is_left(diagram: &Diagram, system: &System) -> Checked<()> {
    let levels = &diagram.levels;
    // Taking from behind others leaves the front to wait: a queue from which something is always taken may still keep a
    // message for ever.
    let skips = |rule: &Rule| rule.deed == Deed::Skips && levels.has_way(&rule.touches);
    if diagram.rules.all.iter().any(skips) {
        return Err("messages are taken from behind others".into());
    }
    let (mut sets, all) = Sets::read(levels)?;
    for (queue, level) in levels.all_queues() {
        let (mut config, mut filled) = (levels.whole.clone(), levels.all[level].present());
        filled.retain(|&value| {
            levels.all[level].put(&mut config, value);
            !system.words().is_empty(config.word(queue))
        });
        let filled = Touches::from([(level, identity(filled))]);
        let takes = |rule: &Rule| rule.deed == Deed::Takes(queue);
        if !can_happen(diagram, (&mut sets, all), &filled, takes)? {
            return Err(
                format!("the set has a fault: a message in {queue:?} is never taken").into()
            );
        }
    }
    Ok(())
}

/// Whether from every accused configuration a rule that is wanted can be reached: found backwards, from where one is
/// possible at once.
fn can_happen(
    diagram: &Diagram,
    (sets, all): (&mut Sets, Set),
    accused: &Touches,
    wanted: impl Fn(&Rule) -> bool,
) -> Checked<bool> {
    let mut left = all;
    for rule in diagram.rules.all.iter().filter(|rule| wanted(rule)) {
        let possible = sets.before(&rule.touches, left, None)?;
        left = sets.merge(Merge::FirstOnly, left, possible)?;
    }
    let mut able = sets.merge(Merge::FirstOnly, all, left)?;
    while sets.before(accused, left, None)?.is_some() {
        let before = left;
        for rule in &diagram.rules.all {
            // Where a run ends nothing happens any more.
            if !matches!(rule.deed, Deed::Fails(_) | Deed::GivesUp) {
                let some = sets.before(&rule.touches, left, Some(able))?;
                able = sets.merge(Merge::Either, able, some)?;
                left = sets.merge(Merge::FirstOnly, left, some)?;
            }
        }
        if left == before {
            return Ok(false);
        }
    }
    Ok(true)
}

/// No configuration is in the bad situation.
fn not_bad(diagram: &Diagram, system: &mut System, number: usize) -> Checked<()> {
    let levels = &diagram.levels;
    let bad = system.program().outline().bad.get(number).ok_or("there is no such situation")?;
    for case in bad.cases.clone() {
        let mut met = Some(Touches::new());
        for atom in &case {
            let level = match atom {
                Atom::Control(machine, _) => levels.of_machine(*machine),
                Atom::Content(queue, _) => levels.of_queue(*queue),
            };
            // Nothing is true of what never exists.
            met = met.zip(level).map(|(mut met, level)| {
                let (mut config, of) = (levels.whole.clone(), &levels.all[level]);
                let here = identity(of.present().into_iter().filter(|&value| {
                    of.put(&mut config, value);
                    atom.holds(system, &config)
                }));
                let known = met.entry(level).or_insert_with(|| here.clone());
                known.retain(|value, _| here.contains_key(value));
                met
            });
        }
        if met.is_some_and(|met| levels.has_way(&met)) {
            return Err(format!("the set has a fault: bad situation {number}").into());
        }
    }
    Ok(())
}

//! That nothing in a diagram violates a property.

use qp_machines::{Atom, Config, MachineId, Property, System};

use crate::rules::{Deed, Relation, Rule, Touches};
use crate::sets::Merge;
use crate::{Checked, Diagram};

/// Checks one property.
pub(crate) fn check(diagram: &mut Diagram, system: &mut System, property: Property) -> Checked<()> {
    match property {
        Property::Assert | Property::Divergence => no_failure(diagram, system, property),
        Property::Unhandled => {
            no_failure(diagram, system, property)?;
            for (&machine, &level) in &diagram.levels.machines {
                // Every value that stands in a node is met.
                let lost = |config: &Config| system.unhandled(config, machine).is_some();
                if !with(diagram, level, lost).is_empty() {
                    return Err(format!("the set has a fault of {machine:?}").into());
                }
            }
            Ok(())
        }
        Property::Deadlock => no_deadlock(diagram, system),
        Property::Reach(number) => not_bad(diagram, system, number),
        // The set is finite.
        Property::Bounded => Ok(()),
        Property::Length(queue, bound) => {
            // A queue that does not exist has no messages.
            let Some(level) = diagram.levels.of_queue(queue) else { return Ok(()) };
            let length = |config: &Config| system.words().len(config.word(queue));
            if with(diagram, level, |config| length(config) > bound as usize).is_empty() {
                return Ok(());
            }
            Err(format!("{queue:?} may have more than {bound} messages").into())
        }
        Property::Stuck => nobody_is_stuck(diagram, system),
        Property::Orphan => nothing_is_left(diagram, system),
        Property::Livelock
        | Property::Accept
        | Property::Live
        | Property::Ltl(_)
        | Property::Sync
        | Property::Sendlang => Err("a diagram does not prove this property".into()),
    }
}

/// The values of a level with which something is there and has this property.
fn with(diagram: &Diagram, level: usize, holds: impl FnMut(&Config) -> bool) -> Relation {
    let (levels, present) = (&diagram.levels, diagram.levels.all[level].present());
    levels.holding(&levels.whole, level, present, holds)
}

/// No configuration has a step that runs into a failure of this kind.
fn no_failure(diagram: &mut Diagram, system: &System, property: Property) -> Checked<()> {
    for rule in &diagram.rules {
        let Deed::Fails(failure) = rule.deed else { continue };
        let violated = system.program().failure(failure).property == property;
        if violated && diagram.sets.before(&rule.touches, diagram.sets.all, None)?.is_some() {
            return Err(format!("the set has a fault of {:?}", rule.machine).into());
        }
    }
    Ok(())
}

/// No configuration is without any step while a machine may not rest.
fn no_deadlock(diagram: &mut Diagram, system: &System) -> Checked<()> {
    let mut rest = diagram.sets.all;
    for rule in &diagram.rules {
        let possible = diagram.sets.before(&rule.touches, rest, None)?;
        rest = diagram.sets.merge(Merge::FirstOnly, rest, possible)?;
    }
    for (machine, awake) in awake(diagram, system) {
        if diagram.sets.before(&awake, rest, None)?.is_some() {
            return Err(format!("the set has a deadlock, and {machine:?} may not rest").into());
        }
    }
    Ok(())
}

/// For each machine: where it may not rest.
fn awake(diagram: &Diagram, system: &System) -> Vec<(MachineId, Touches)> {
    let awake = diagram.levels.machines.iter().map(|(&machine, &level)| {
        let awake = |config: &Config| !system.program().may_rest(machine, config.local(machine));
        (machine, Touches::from([(level, with(diagram, level, awake))]))
    });
    awake.collect()
}

/// From every configuration in which a machine may not rest, it can move, now or later.
fn nobody_is_stuck(diagram: &mut Diagram, system: &System) -> Checked<()> {
    for (machine, awake) in awake(diagram, system) {
        if !can_happen(diagram, &awake, |rule| rule.machine == machine)? {
            return Err(format!("the set has a fault: {machine:?} never moves again").into());
        }
    }
    Ok(())
}

/// From every configuration in which a queue is not empty, a message can be taken from it, now or later.
fn nothing_is_left(diagram: &mut Diagram, system: &System) -> Checked<()> {
    // Taking from behind others leaves the front to wait: a queue from which something is always taken may still keep a
    // message for ever.
    for rule in diagram.rules.iter().filter(|rule| rule.deed == Deed::Skips) {
        if diagram.sets.before(&rule.touches, diagram.sets.all, None)?.is_some() {
            return Err("messages are taken from behind others".into());
        }
    }
    for queue in diagram.levels.whole.queues() {
        let level = diagram.levels.of_queue(queue).expect("every queue stands somewhere");
        let filled = |config: &Config| !system.words().is_empty(config.word(queue));
        let filled = Touches::from([(level, with(diagram, level, filled))]);
        if !can_happen(diagram, &filled, |rule| rule.deed == Deed::Takes(queue))? {
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
    diagram: &mut Diagram,
    accused: &Touches,
    wanted: impl Fn(&Rule) -> bool,
) -> Checked<bool> {
    let sets = &mut diagram.sets;
    let all = sets.all;
    let mut left = all;
    for rule in diagram.rules.iter().filter(|rule| wanted(rule)) {
        let possible = sets.before(&rule.touches, left, None)?;
        left = sets.merge(Merge::FirstOnly, left, possible)?;
    }
    let mut able = sets.merge(Merge::FirstOnly, all, left)?;
    while sets.before(accused, left, None)?.is_some() {
        let before = left;
        for rule in &diagram.rules {
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
fn not_bad(diagram: &mut Diagram, system: &System, number: usize) -> Checked<()> {
    let bad = system.program().outline().bad.get(number).ok_or("there is no such situation")?;
    for case in bad.cases.clone() {
        let mut met = Some(Touches::new());
        for atom in &case {
            let level = match atom {
                Atom::Control(machine, _) => diagram.levels.of_machine(*machine),
                Atom::Content(queue, _) => diagram.levels.of_queue(*queue),
            };
            // Nothing is true of what never exists.
            met = met.zip(level).map(|(mut met, level)| {
                let here = with(diagram, level, |config| atom.holds(system, config));
                let known = met.entry(level).or_insert_with(|| here.clone());
                known.retain(|value, _| here.contains_key(value));
                met
            });
        }
        if let Some(met) = met
            && diagram.sets.before(&met, diagram.sets.all, None)?.is_some()
        {
            return Err(format!("the set has a fault: bad situation {number}").into());
        }
    }
    Ok(())
}

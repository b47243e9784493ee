//! That nothing in a diagram violates a property.

use qp_machines::{Atom, MachineId, Property, System};

use crate::{Checked, Diagram, Fact};

/// Checks one property.
pub(crate) fn check(diagram: &Diagram, system: &mut System, property: Property) -> Checked<()> {
    let levels = &diagram.levels;
    match property {
        Property::Assert | Property::Divergence => {
            no_fact(diagram, |fact| fact.fails.contains(&property))
        }
        Property::Unhandled => {
            no_fact(diagram, |fact| fact.at_a_loss || fact.fails.contains(&property))
        }
        Property::Deadlock => no_deadlock(diagram),
        Property::Reach(number) => not_bad(diagram, system, number),
        // The set is finite.
        Property::Bounded => Ok(()),
        Property::Length(queue, bound) => {
            // A queue that does not exist has no messages.
            let Some(level) = levels.of_queue(queue) else { return Ok(()) };
            let mut config = system.initial();
            for value in levels.all[level].used() {
                levels.all[level].put(&mut config, value);
                if system.words().len(config.word(queue)) > bound as usize {
                    return Err(format!("{queue:?} may have more than {bound} messages"));
                }
            }
            Ok(())
        }
        Property::Stuck
        | Property::Orphan
        | Property::Livelock
        | Property::Accept
        | Property::Live
        | Property::Ltl(_)
        | Property::Sync
        | Property::Sendlang => Err("a diagram does not prove this property".to_owned()),
    }
}

/// No configuration has a machine of which something wrong is known.
fn no_fact(diagram: &Diagram, wrong: impl Fn(&Fact) -> bool) -> Checked<()> {
    let levels = &diagram.levels;
    for (&(machine, value, store), _) in diagram.facts.iter().filter(|(_, fact)| wrong(fact)) {
        let own = levels.of_machine(machine);
        let met = levels.has_way(|level, has| {
            (level != own || has == value) && (Some(level) != levels.store || has == store)
        });
        if met {
            return Err(format!("the set has a fault of {machine:?}"));
        }
    }
    Ok(())
}

/// No configuration is without any step while a machine may not rest. A step that needs room elsewhere counts as none.
fn no_deadlock(diagram: &Diagram) -> Checked<()> {
    let levels = &diagram.levels;
    let machines: Vec<(MachineId, usize)> = levels.all_machines().collect();
    for store in levels.stores() {
        for &(awake, _) in &machines {
            let still = |machine, value| {
                let fact = &diagram.facts[&(machine, value, store)];
                !fact.moves && (machine != awake || !fact.rests)
            };
            let met = levels.has_way(|level, value| {
                let here = machines.iter().filter(|it| it.1 == level);
                here.clone().all(|&(machine, _)| still(machine, value))
                    && (Some(level) != levels.store || value == store)
            });
            if met {
                return Err(format!("the set has a deadlock in which {awake:?} may not rest"));
            }
        }
    }
    Ok(())
}

/// No configuration is in the bad situation.
fn not_bad(diagram: &Diagram, system: &mut System, number: usize) -> Checked<()> {
    let levels = &diagram.levels;
    let bad = system.program().outline().bad.get(number).ok_or("there is no such situation")?;
    let cases = bad.cases.clone();
    for case in cases {
        let initial = system.initial();
        let met = levels.has_way(|level, value| {
            let mut config = initial.clone();
            levels.all[level].put(&mut config, value);
            case.iter().all(|atom| {
                let own = match atom {
                    Atom::Control(machine, _) => {
                        machine.index() < initial.locals.len()
                            && levels.of_machine(*machine) == level
                    }
                    Atom::Content(queue, _) => levels.of_queue(*queue) == Some(level),
                };
                !own || atom.holds(system, &config)
            })
        });
        if met {
            return Err(format!("the set has a fault: bad situation {number}"));
        }
    }
    Ok(())
}

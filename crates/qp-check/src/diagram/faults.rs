//! That nothing in a diagram violates a property.

use qp_machines::{Atom, LocalId, MachineId, Property, QueueId, System, WordId};

use crate::columns::{Column, NOTHING, word_in};
use crate::cover::Cover;
use crate::diagram::Diagram;
use crate::diagram::asks::{Asking, ask_all, demand_all};
use crate::diagram::rules::{Deed, Relation, Touches};
use crate::diagram::sets::Merge;
use crate::diagram::steps::Step;
use crate::invariant::Question;
use crate::{Checked, wrong};

impl Cover for Diagram {
    fn never(&mut self, system: &mut System, question: Question) -> Checked<()> {
        match question {
            Question::Fails(property) => no_failure(self, system, property),
            Question::Lost => nobody_is_at_a_loss(self, system),
            Question::Dead => no_deadlock(self, system),
            Question::Bad(number) => not_bad(self, system, number),
            // The set is finite.
            Question::Unbounded => Ok(()),
            Question::Longer(queue, bound) => {
                let longer = |word| system.words().len(word) > bound as usize;
                if with_word(self, queue, longer).is_none_or(|(_, longer)| longer.is_empty()) {
                    return Ok(());
                }
                wrong(format!("{queue:?} may have more than {bound} messages"))
            }
            Question::Stuck => nobody_is_stuck(self, system),
            Question::Orphan => nothing_is_left(self, system),
            Question::Crosses | Question::Beyond => wrong("a diagram does not prove this property"),
        }
    }
}

/// The values with which a queue exists and its content has a property, and their level.
fn with_word(
    diagram: &Diagram,
    queue: QueueId,
    mut holds: impl FnMut(WordId) -> bool,
) -> Option<(usize, Relation)> {
    let holds = |number| number != NOTHING && holds(word_in(number));
    diagram.levels.holding(Column::Queue(queue), holds)
}

/// The same of a machine and its local state.
fn with_local(
    diagram: &Diagram,
    machine: MachineId,
    mut holds: impl FnMut(LocalId) -> bool,
) -> Option<(usize, Relation)> {
    let holds = |number| number != NOTHING && holds(LocalId::from_raw(number as u32));
    diagram.levels.holding(Column::Machine(machine), holds)
}

/// No configuration has a step that runs into a failure of this kind.
fn no_failure(diagram: &mut Diagram, system: &System, property: Property) -> Checked<()> {
    for step in &diagram.steps {
        let Deed::Fails(failure) = step.deed else { continue };
        let violated = system.program().failure(failure).property == property;
        if violated && step.before(&mut diagram.sets, step.from, None)?.is_some() {
            return wrong(format!("the set has a fault of {:?}", step.machine));
        }
    }
    Ok(())
}

/// Nobody waits for messages and has come to ones that nobody may ignore.
fn nobody_is_at_a_loss(diagram: &mut Diagram, system: &mut System) -> Checked<()> {
    let Diagram { levels, sets, .. } = diagram;
    for machine in (0..levels.n_machines).map(MachineId::new) {
        let all = sets.all;
        let lost =
            |system: &mut System, asking: &mut Asking<'_>| system.unhandled_in(machine, asking);
        ask_all(system, (levels, sets), (machine, all), lost, |lost, _| match lost {
            Some(_) => wrong(format!("the set has a fault of {machine:?}")),
            None => Ok(()),
        })?;
    }
    Ok(())
}

/// No configuration is without any step while a machine may not rest.
fn no_deadlock(diagram: &mut Diagram, system: &System) -> Checked<()> {
    for (machine, awake) in awake(diagram, system) {
        if diagram.sets.before(&awake, diagram.still, None)?.is_some() {
            return wrong(format!("the set has a deadlock, and {machine:?} may not rest"));
        }
    }
    Ok(())
}

/// For each machine: where it may not rest.
fn awake(diagram: &Diagram, system: &System) -> Vec<(MachineId, Touches)> {
    let awake = |machine| {
        let awake = |local| !system.program().may_rest(machine, local);
        (machine, with_local(diagram, machine, awake).into_iter().collect())
    };
    (0..diagram.levels.n_machines).map(MachineId::new).map(awake).collect()
}

/// From every configuration in which a machine may not rest, it can move, now or later.
fn nobody_is_stuck(diagram: &mut Diagram, system: &System) -> Checked<()> {
    for (machine, awake) in awake(diagram, system) {
        let moves = |step: &Step| match &step.deed {
            Deed::Does { movers, .. } => movers.contains(&machine),
            Deed::Fails(_) | Deed::GivesUp => step.machine == machine,
        };
        if !can_happen(diagram, &awake, moves)? {
            return wrong(format!("the set has a fault: {machine:?} never moves again"));
        }
    }
    Ok(())
}

/// From every configuration in which a queue is not empty, a message can be taken from it, now or later.
fn nothing_is_left(diagram: &mut Diagram, system: &System) -> Checked<()> {
    // Taking from behind others leaves the front to wait: a queue from which something is always taken may still keep a
    // message for ever.
    for step in &diagram.steps {
        if matches!(step.deed, Deed::Does { skips: true, .. })
            && step.before(&mut diagram.sets, step.from, None)?.is_some()
        {
            return wrong("messages are taken from behind others");
        }
    }
    for queue in (0..diagram.levels.n_queues).map(QueueId::new) {
        let filled = with_word(diagram, queue, |word| !system.words().is_empty(word));
        let filled = filled.into_iter().collect();
        let takes =
            |step: &Step| matches!(&step.deed, Deed::Does { takes, .. } if takes.contains(&queue));
        if !can_happen(diagram, &filled, takes)? {
            return wrong(format!("the set has a fault: a message in {queue:?} is never taken"));
        }
    }
    Ok(())
}

/// Whether from every accused configuration a step that is wanted can be reached: found backwards, from where one is
/// possible at once.
fn can_happen(
    diagram: &mut Diagram,
    accused: &Touches,
    wanted: impl Fn(&Step) -> bool,
) -> Checked<bool> {
    let sets = &mut diagram.sets;
    let all = sets.all;
    let mut left = all;
    for step in diagram.steps.iter().filter(|step| wanted(step)) {
        let possible = step.before(sets, left, None)?;
        left = sets.merge(Merge::FirstOnly, left, possible)?;
    }
    let mut able = sets.merge(Merge::FirstOnly, all, left)?;
    while sets.before(accused, left, None)?.is_some() {
        let before = left;
        for step in &diagram.steps {
            // Where a run ends nothing happens any more.
            if matches!(step.deed, Deed::Does { .. }) {
                let some = step.before(sets, left, Some(able))?;
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
            let here = match atom {
                Atom::Control(machine, names) => with_local(diagram, *machine, |local| {
                    names.contains(&system.program().control_name(*machine, local))
                }),
                Atom::Content(queue, pattern) => {
                    with_word(diagram, *queue, |word| system.may_match(word, pattern))
                }
            };
            // Nothing is true of what never exists.
            met = met.zip(here).map(|(mut met, here)| {
                demand_all(&mut met, &Touches::from([here]));
                met
            });
        }
        if let Some(met) = met
            && diagram.sets.before(&met, diagram.sets.all, None)?.is_some()
        {
            return wrong(format!("the set has a fault: bad situation {number}"));
        }
    }
    Ok(())
}

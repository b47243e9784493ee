//! Who may take which turn where: rules, once it is known who goes on alone and what waits.
//!
//! Whoever goes on alone is the only one to move, unless it can do nothing. And if nobody can do anything, turns are
//! possible that wait for that. So the sets in which that is so are worked out first, from what everybody can do.

use qp_machines::{MachineId, System};

use crate::Checked;
use crate::columns::{Change, Column, NOTHING};
use crate::diagram::levels::Levels;
use crate::diagram::rules::{self, Deed, Relation, Rule, Touches};
use crate::diagram::sets::{Merge, Set, Sets};

/// Steps of a machine from some configurations of a set: everything that `System::successors` lists.
pub(crate) struct Step {
    pub(crate) machine: MachineId,
    pub(crate) deed: Deed,
    pub(crate) touches: Touches,
    /// Where it may take them, if they are possible.
    pub(crate) from: Set,
}

impl Step {
    /// The ways of a set on which such a step is possible; with a target, those from which one leads there.
    pub(crate) fn before(&self, sets: &mut Sets, set: Set, to: Option<Set>) -> Checked<Set> {
        let from =
            if self.from == sets.all { set } else { sets.merge(Merge::Both, set, self.from)? };
        sets.before(&self.touches, from, to)
    }

    /// Whether such a step leads out of the set of all ways.
    pub(crate) fn leads_out(&self, sets: &mut Sets) -> Checked<bool> {
        if self.from == sets.all {
            return sets.leads_out(&self.touches);
        }
        let (possible, all) = (self.before(sets, self.from, None)?, sets.all);
        Ok(self.before(sets, self.from, Some(all))? != possible)
    }
}

/// All steps, and the configurations without any.
pub(crate) fn read(
    system: &mut System,
    levels: &Levels,
    sets: &mut Sets,
) -> Checked<(Vec<Step>, Set)> {
    let (mut steps, mut still) = (Vec::new(), sets.all);
    for timeout in [false, true] {
        if still.is_some() {
            let within = still;
            let rules = rules::read(system, (levels, sets), within, timeout)?;
            still = without(sets, &rules, within)?;
            let released = released(levels, sets, &rules, within)?;
            steps.extend(allowed(levels, sets, rules, (within, released))?);
        }
    }
    Ok((steps, still))
}

/// The configurations of a set in which none of these rules is possible.
fn without<'a>(
    sets: &mut Sets,
    rules: impl IntoIterator<Item = &'a Rule>,
    mut set: Set,
) -> Checked<Set> {
    for rule in rules {
        let possible = sets.before(&rule.touches, set, None)?;
        set = sets.merge(Merge::FirstOnly, set, possible)?;
    }
    Ok(set)
}

/// The configurations of a set in which whoever goes on alone can do nothing.
fn released(levels: &Levels, sets: &mut Sets, rules: &[Rule], within: Set) -> Checked<Set> {
    let mut released = None;
    for machine in (0..levels.n_machines).map(MachineId::new) {
        let alone = levels.holding(Column::Holder, |holder| holder == u64::from(machine.raw()));
        let Some(alone) = alone.filter(|(_, relation)| !relation.is_empty()) else { continue };
        let alone = sets.before(&Touches::from([alone]), within, None)?;
        let own = rules.iter().filter(|rule| rule.machine == machine);
        let waits = without(sets, own, alone)?;
        released = sets.merge(Merge::Either, released, waits)?;
    }
    Ok(released)
}

/// Where rules may be followed: by anybody where nobody goes on alone, by whoever does, and by others where that one can
/// do nothing.
fn allowed(
    levels: &Levels,
    sets: &mut Sets,
    rules: Vec<Rule>,
    (within, released): (Set, Set),
) -> Checked<Vec<Step>> {
    let mut steps = Vec::new();
    for Rule { machine, deed, holder, touches } in rules {
        let own = |holder: u64| holder == NOTHING || holder == u64::from(machine.raw());
        for (from, is_own) in [(within, true), (released, false)] {
            if from.is_none() {
                continue;
            }
            let mut touches = touches.clone();
            let now = levels.holding(Column::Holder, |holder| own(holder) == is_own);
            let (level, mut now) = now.expect("the holder stands somewhere");
            if !matches!(deed, Deed::Fails(_) | Deed::GivesUp) {
                become_holder(levels, &mut now, holder);
            }
            if !levels.all[level].is_idle(&now) {
                touches.insert(level, now);
            }
            let step = Step { machine, deed: deed.clone(), touches, from };
            if from == sets.all || step.before(sets, from, None)?.is_some() {
                steps.push(step);
            }
        }
    }
    Ok(steps)
}

/// Nobody goes on alone after a turn but whoever it says.
fn become_holder(levels: &Levels, relation: &mut Relation, holder: Option<MachineId>) {
    let wanted = holder.map_or(NOTHING, |machine| u64::from(machine.raw()));
    let at = levels.place(Column::Holder).expect("the holder stands somewhere");
    let change = [(at.1, Change::Becomes(wanted))];
    for (&value, after) in relation {
        *after = levels.all[at.0].changed(value, &change);
    }
}

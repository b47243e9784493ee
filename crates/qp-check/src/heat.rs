//! Specs that must not stay hot, on runs that are fair to machines and to choices.
//!
//! A run is *fair to choices* if a machine that moves again and again from one configuration takes each of its steps there
//! again and again. A spec stays hot on a run that is hot again and again, and cold finitely often.
//!
//! **Why ranks are enough.** Each row that is not cold has a list of ranks, one for each level. Let a fair run be without
//! cold rows from some moment on. A machine that has a step out of these rows (to a cold one, or into a failure) does not
//! move there again and again: it would take that step. By the rest of the steps the first rank never rises, so it
//! stays the same in the end; a machine with a step that lowers it does not move there again and again, for the same
//! reason. By what is left the second rank never rises, and so on. So in the end the run stays with one list of ranks,
//! by machines all of whose steps have that list. The last rank has a reason why such a run is not hot again and again,
//! or not fair to a machine.

use qp_base::Set;
use qp_claim::{ABSENT, Stays};
use qp_machines::{Config, Heat, Letter, MachineId, Outcome, System};

use crate::cover::{Leads, Runs};
use crate::ranked::Ranks;
use crate::{Checked, Run, wrong};

/// Checks the ranks of all levels, and the reasons. The rows were checked before.
pub(crate) fn check(
    runs: &dyn Runs,
    system: &mut System,
    heat: Heat,
    ranks: &Ranks<'_>,
) -> Checked<()> {
    let full = ranks.columns.iter().all(|level| level.len() == runs.n_rows());
    if ranks.columns.is_empty() || !full {
        return wrong("the ranks are not those of the rows");
    }
    for place in 0..runs.n_rows() {
        system.go_on()?;
        let Some(config) = runs.config(place)? else { continue };
        let mut is = |condition| system.reads(&Letter::Holds(condition), &config, None);
        let (hot, cold) = (is(heat.hot), heat.cold.is_some_and(is));
        if ranks.columns.iter().any(|level| (level[place] == ABSENT) != cold) {
            return wrong(format!("row {place} has a rank, or has none, against the spec"));
        }
        if !cold {
            check_row(ranks, place, hot, &runs.steps(system, place)?)?;
        }
    }
    Ok(())
}

/// Checks one row that is not cold.
fn check_row(ranks: &Ranks<'_>, place: usize, hot: bool, steps: &[Leads]) -> Checked<()> {
    let rank = ranks.columns.last().map_or(ABSENT, |level| level[place]);
    let Some(&reason) = ranks.reasons.get(rank as usize) else {
        return wrong(format!("rank {rank} has no reason"));
    };
    let mut movers: Vec<Option<MachineId>> = steps.iter().map(mover).collect();
    movers.sort_unstable();
    movers.dedup();
    let (mut stays, mut moved) = (false, Vec::new());
    for &machine in &movers {
        let own = || steps.iter().filter(|step| mover(step) == machine);
        if all_stay(ranks, place, &own())? {
            stays = true;
            moved.extend(own().flat_map(|step| step.movers.iter().copied()));
        }
    }
    let holds = match reason {
        Stays::NoneAccepts => !hot,
        Stays::NoStep => !stays,
        Stays::Waits(machine) => movers.contains(&Some(machine)) && !moved.contains(&machine),
    };
    if holds { Ok(()) } else { wrong(format!("row {place}: not {reason:?}")) }
}

/// The machine that a step is named after; nobody's is that of a run that has ended, and stays.
fn mover(step: &Leads) -> Option<MachineId> {
    step.movers.first().copied()
}

/// Whether a machine can move here for ever, as far as ranks say: all of its steps have the ranks of the row. It cannot
/// if one of them lowers a rank, or leads out, and none raises one before.
fn all_stay<'s>(
    ranks: &Ranks<'_>,
    place: usize,
    steps: &(impl Iterator<Item = &'s Leads> + Clone),
) -> Checked<bool> {
    let leads_out = |step: &Leads| {
        let is_cold = |&row: &usize| ranks.columns.iter().any(|level| level[row] == ABSENT);
        step.rows.is_empty() || step.rows.iter().any(is_cold)
    };
    if steps.clone().any(leads_out) {
        return Ok(false);
    }
    for level in ranks.columns {
        let here = level[place];
        let mut next = steps.clone().flat_map(|step| &step.rows).map(|&row| level[row]);
        if let Some(higher) = next.clone().find(|&rank| rank > here) {
            return wrong(format!("a step leads from rank {here} to rank {higher}"));
        }
        if next.any(|rank| rank < here) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Checks that the loop of a run, the steps from number `from` on, is fair to choices: whoever moves in it takes, from
/// the same configuration, every step that it has there.
pub(crate) fn check_choices(system: &mut System, run: &Run, from: usize) -> Checked<()> {
    let cycle = from..run.outcomes.len();
    let choice = |number: usize| {
        let outcome = &run.outcomes[number];
        (run.after(number), outcome.step.machine, &outcome.config)
    };
    let taken: Set<(&Config, MachineId, &Config)> = cycle.clone().map(choice).collect();
    for (before, machine, _) in cycle.map(choice) {
        let outcomes = system.successors(before);
        let mut own = outcomes.iter().filter(|outcome| outcome.step.machine == machine);
        let other = |it: &Outcome| it.is_end() || !taken.contains(&(before, machine, &it.config));
        if own.any(other) {
            let who = machine.raw();
            return wrong(format!("the loop is not fair: machine {who} chooses the same"));
        }
    }
    Ok(())
}

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
use qp_claim::{ABSENT, RankedSet, Stays};
use qp_machines::{Config, Event, Heat, Letter, MachineId, Outcome, System};

use crate::rows::{Edge, Rows};
use crate::{Rejected, Run};

/// Checks the ranks of all levels, and the reasons. The rows were checked before.
pub(crate) fn check(
    system: &mut System,
    heat: Heat,
    ranked: &RankedSet,
    rows: &Rows,
) -> Result<(), Rejected> {
    let full = ranked.ranks.iter().all(|level| level.len() == ranked.set.len());
    if ranked.ranks.is_empty() || !full {
        return Err(Rejected("the ranks are not those of the rows".to_owned()));
    }
    rows.each(&ranked.set, |place, config| {
        system.go_on()?;
        let mut is = |condition| system.reads(&Letter::Holds(condition), config, None);
        let (hot, cold) = (is(heat.hot), heat.cold.is_some_and(is));
        if ranked.ranks.iter().any(|level| (level[place] == ABSENT) != cold) {
            return Err(Rejected(format!("row {place} has a rank, or has none, against the spec")));
        }
        if cold { Ok(()) } else { check_row(ranked, place, hot, rows.edges(place)) }
    })
}

/// Checks one row that is not cold.
fn check_row(ranked: &RankedSet, place: usize, hot: bool, edges: &[Edge]) -> Result<(), Rejected> {
    let rank = ranked.ranks.last().map_or(ABSENT, |level| level[place]);
    let reason = ranked.reasons.get(rank as usize);
    let reason = *reason.ok_or_else(|| Rejected(format!("rank {rank} has no reason")))?;
    let mut movers: Vec<MachineId> = edges.iter().filter_map(mover).collect();
    movers.sort_unstable();
    movers.dedup();
    // A run that has ended stays where it is, by nobody.
    let mut stays = edges.is_empty();
    let mut moved = Vec::new();
    for &machine in &movers {
        let own = || edges.iter().filter(|edge| mover(edge) == Some(machine));
        if all_stay(ranked, place, own())? {
            stays = true;
            moved.extend(own().flat_map(|edge| edge.others.iter().copied()));
        }
    }
    let holds = match reason {
        Stays::NoneAccepts => !hot,
        Stays::NoStep => !stays,
        Stays::Waits(machine) => movers.contains(&machine) && !moved.contains(&machine),
    };
    if holds { Ok(()) } else { Err(Rejected(format!("row {place}: not {reason:?}"))) }
}

/// The machine that a step is named after.
fn mover(edge: &Edge) -> Option<MachineId> {
    edge.others.first().copied()
}

/// Whether a machine can move here for ever, as far as ranks say: all of its steps have the ranks of the row. It cannot
/// if one of them lowers a rank, or leads out, and none raises one before.
fn all_stay<'e>(
    ranked: &RankedSet,
    place: usize,
    edges: impl Iterator<Item = &'e Edge> + Clone,
) -> Result<bool, Rejected> {
    let leads_out = |edge: &Edge| {
        let fails = matches!(edge.event, Event::Failed { .. });
        fails || ranked.ranks.iter().any(|level| level[edge.to as usize] == ABSENT)
    };
    if edges.clone().any(leads_out) {
        return Ok(false);
    }
    for level in &ranked.ranks {
        let here = level[place];
        let mut next = edges.clone().map(|edge| level[edge.to as usize]);
        if let Some(higher) = next.clone().find(|&rank| rank > here) {
            return Err(Rejected(format!("a step leads from rank {here} to rank {higher}")));
        }
        if next.any(|rank| rank < here) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Checks that the loop of a run, the steps from number `from` on, is fair to choices: whoever moves in it takes, from
/// the same configuration, every step that it has there.
pub(crate) fn check_choices(system: &mut System, run: &Run, from: usize) -> Result<(), Rejected> {
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
            return Err(Rejected(format!("the loop is not fair: machine {who} chooses the same")));
        }
    }
    Ok(())
}

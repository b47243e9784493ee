//! Reduced sets: that the machines whose steps are left out can wait, and that none of them waits for ever.
//!
//! The rules and why they are enough are in `docs/decisions/006-reduction.md`.

mod meanwhile;

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::ReducedSet;
use qp_machines::{Config, MachineId, System, Touch};

use crate::Rejected;
use crate::rows::Rows;
use meanwhile::Meanwhile;

/// Checks the set: all steps from every row, or all steps of its machines, lead to rows.
pub(crate) fn check(system: &mut System, reduced: &ReducedSet) -> Result<Rows, Rejected> {
    if reduced.machines.len() != reduced.set.rows().count() {
        return Err(Rejected("not every row says whose steps are followed".to_owned()));
    }
    let rows = Rows::check(system, &reduced.set, |place| reduced.machines[place].as_deref())?;
    let mut seen = Seen::default();
    rows.each(&reduced.set, |_, config| seen.note(system, config))?;
    let mut meanwhile = Meanwhile::of(system);
    rows.each(&reduced.set, |place, config| {
        system.go_on()?;
        let Some(first) = &reduced.machines[place] else { return Ok(()) };
        match objection(system, (&seen, meanwhile.as_mut()), config, first) {
            None => Ok(()),
            Some(why) => Err(Rejected(format!("not only {first:?} matter in row {place}: {why}"))),
        }
    })?;
    check_patience(&rows, reduced, &seen.movers)?;
    Ok(rows)
}

/// What is seen in the rows.
#[derive(Default)]
struct Seen {
    /// Who touches what, in any row.
    users: BTreeMap<Touch, BTreeSet<MachineId>>,
    /// For each row: who has a step.
    movers: Vec<Vec<MachineId>>,
}

impl Seen {
    fn note(&mut self, system: &mut System, config: &Config) -> Result<(), Rejected> {
        if config.holder.is_some() {
            return Err(Rejected("somebody goes on alone in a reduced set".to_owned()));
        }
        let mut movers = Vec::new();
        for timeout in [false, true] {
            if !movers.is_empty() {
                break;
            }
            for machine in config.machines() {
                let view = system.view(config, machine, timeout);
                if !view.turns.is_empty() {
                    movers.push(machine);
                }
                for touch in view.touches {
                    self.users.entry(touch).or_default().insert(machine);
                }
            }
        }
        self.movers.push(movers);
        Ok(())
    }
}

/// Why the steps of some machines may not stay as they are whatever the others do, or others may notice.
fn objection(
    system: &mut System,
    (seen, meanwhile): (&Seen, Option<&mut Meanwhile>),
    config: &Config,
    first: &[MachineId],
) -> Option<&'static str> {
    let mut needs = BTreeSet::new();
    for &machine in first {
        let view = system.view(config, machine, false);
        if view.turns.is_empty() {
            return Some("one of them cannot move");
        }
        match view.needs {
            Some(more) => needs.extend(more),
            None => return Some("one of them and others look at each other"),
        }
    }
    let interferes = match meanwhile {
        Some(meanwhile) => meanwhile.interfere(system, config, first, &needs),
        None => needs.iter().any(|touch| {
            let users = seen.users.get(touch).into_iter().flatten();
            users.into_iter().any(|user| !first.contains(user))
        }),
    };
    if first.is_empty() {
        return Some("they are nobody");
    }
    interferes.then_some("others may touch what they need")
}

/// For each row and each machine that has a step there, a row that is reached from it over followed steps lets the
/// machine go first.
fn check_patience(
    rows: &Rows,
    reduced: &ReducedSet,
    movers: &[Vec<MachineId>],
) -> Result<(), Rejected> {
    let all: BTreeSet<MachineId> = movers.iter().flatten().copied().collect();
    let mut before = vec![Vec::new(); movers.len()];
    for place in 0..movers.len() {
        for edge in rows.edges(place) {
            before[edge.to as usize].push(place);
        }
    }
    for machine in all {
        let goes_first = |place: &usize| match &reduced.machines[*place] {
            Some(first) => first.contains(&machine),
            None => movers[*place].contains(&machine),
        };
        let mut open: Vec<usize> = (0..movers.len()).filter(goes_first).collect();
        let mut reaches = vec![false; movers.len()];
        for &place in &open {
            reaches[place] = true;
        }
        while let Some(place) = open.pop() {
            for &earlier in &before[place] {
                if !reaches[earlier] {
                    reaches[earlier] = true;
                    open.push(earlier);
                }
            }
        }
        let waits = |place: &usize| movers[*place].contains(&machine) && !reaches[*place];
        if let Some(place) = (0..movers.len()).find(waits) {
            return Err(Rejected(format!("{machine:?} waits for ever from row {place} on")));
        }
    }
    Ok(())
}

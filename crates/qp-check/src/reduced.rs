//! Reduced sets: that the machines whose steps are left out can wait, and that none of them waits for ever.
//!
//! The rules and why they are enough are in `docs/decisions/006-reduction.md`.

mod meanwhile;

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::ReducedSet;
use qp_machines::{Config, MachineId, System, Touch};

use crate::rows::Rows;
use crate::{Checked, wrong};
use meanwhile::Meanwhile;

/// Checks the set: all steps from every row, or all steps of its machines, lead to rows.
pub(crate) fn check(system: &mut System, reduced: &ReducedSet) -> Checked<Rows> {
    if reduced.machines.len() != reduced.set.rows().count() {
        return wrong("not every row says whose steps are followed");
    }
    let mut rows = Rows::read(system, &reduced.set)?;
    rows.close(system, |system, place, config| {
        let Some(machines) = &reduced.machines[place] else {
            return Ok(Some(system.successors(config)));
        };
        let mut all = Vec::new();
        for &machine in machines {
            if machine.index() >= config.locals.len() {
                return wrong(format!("row {place} has no {machine:?}"));
            }
            all.extend(system.outcomes(config, machine, false));
        }
        Ok(Some(all))
    })?;
    let mut seen = Seen::default();
    rows.each(|_, config| seen.note(system, config))?;
    let mut meanwhile = Meanwhile::of(system);
    rows.each(|place, config| {
        system.go_on()?;
        let Some(first) = &reduced.machines[place] else { return Ok(()) };
        match objection(system, (&seen, meanwhile.as_mut()), config, first) {
            None => Ok(()),
            Some(why) => wrong(format!("not only {first:?} matter in row {place}: {why}")),
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
    fn note(&mut self, system: &mut System, config: &Config) -> Checked<()> {
        if config.holder.is_some() {
            return wrong("somebody goes on alone in a reduced set");
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
fn check_patience(rows: &Rows, reduced: &ReducedSet, movers: &[Vec<MachineId>]) -> Checked<()> {
    let all: BTreeSet<MachineId> = movers.iter().flatten().copied().collect();
    let before = rows.backwards();
    for machine in all {
        let reaches = before.reach(|place| match &reduced.machines[place] {
            Some(first) => first.contains(&machine),
            None => movers[place].contains(&machine),
        });
        let waits = |place: &usize| movers[*place].contains(&machine) && !reaches[*place];
        if let Some(place) = (0..movers.len()).find(waits) {
            return wrong(format!("{machine:?} waits for ever from row {place} on"));
        }
    }
    Ok(())
}

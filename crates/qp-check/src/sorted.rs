//! Sets of configurations up to which numbers they hold: that the tables say what the program does with numbers, and that
//! every step leads to a configuration that a row stands for.
//!
//! The rules and why they are enough are in `docs/decisions/015-sorts.md`. Nothing is renamed here: each step comes with
//! the numbers that are others in the row, and it is checked that they may be.

mod kinds;
mod relation;
mod tables;

use qp_claim::{Led, SortedSet};
use qp_machines::{Config, Property, System};

use crate::rows::Rows;
use crate::{Checked, wrong};
use relation::Relation;
use tables::Tables;

/// Whether a property looks at no numbers: it is the same for all that a row stands for.
pub(crate) fn keeps(property: Property) -> bool {
    match property {
        Property::Assert
        | Property::Unhandled
        | Property::Deadlock
        | Property::Divergence
        | Property::Stuck
        | Property::Orphan
        | Property::Bounded
        | Property::Length(..) => true,
        Property::Livelock
        | Property::Accept
        | Property::Live
        | Property::Ltl(_)
        | Property::Sync
        | Property::Sendlang
        | Property::Possible(_)
        | Property::Reach(_) => false,
    }
}

/// Checks the set: what every step from every row leads to is what a row stands for, and so is the beginning.
pub(crate) fn check(system: &mut System, sorted: &SortedSet) -> Checked<Rows> {
    let Some(values) = system.program_mut().as_values() else {
        return wrong("the model does not say what it does with numbers");
    };
    let mut relation = Relation::new(Tables::check(&values.value_flow(), sorted)?);
    let initial = system.initial();
    let mut rows = Rows::tabled(system, &sorted.set)?;
    let mut configs = Vec::new();
    rows.each(|_, config| {
        configs.push(config.clone());
        Ok(())
    })?;
    if sorted.steps.len() != configs.len() {
        return wrong("not every row says where its steps lead");
    }
    let at = |led: &Led| -> Checked<&Config> {
        configs.get(led.0 as usize).ok_or_else(|| format!("there is no row {}", led.0).into())
    };
    relation.check(system, &initial, at(&sorted.first)?, &sorted.first.1)?;
    rows.first = sorted.first.0 as usize;
    rows.close(system, |system, place, config| {
        let (mut outcomes, leads) = (system.successors(config), &sorted.steps[place]);
        if outcomes.len() != leads.len() {
            return wrong(format!("row {place} has {} steps", outcomes.len()));
        }
        for (outcome, led) in outcomes.iter_mut().zip(leads).filter(|(it, _)| !it.is_end()) {
            relation.check_order(system, config, &outcome.config)?;
            relation.check(system, &outcome.config, at(led)?, &led.1)?;
            outcome.config.clone_from(at(led)?);
        }
        Ok(Some(outcomes))
    })?;
    Ok(rows)
}

//! What is wrong in a set: whether anything that a row stands for violates a property.

use qp_machines::{Atom, Property, System};

use crate::languages::parts::{self, Case};
use crate::languages::{Checked, rejected};

/// Whether something that the row stands for has the fault. Failures are not looked for, and whether
/// nothing can happen somewhere is known.
pub(crate) fn has_fault(
    system: &mut System,
    property: Property,
    row: &Case,
    may_end: bool,
) -> Checked<bool> {
    match property {
        Property::Assert | Property::Divergence => Ok(false),
        Property::Unhandled => is_at_a_loss(system, row),
        Property::Deadlock => {
            let mut all = row.config.machines();
            Ok(may_end && !all.all(|m| system.program().may_rest(m, row.config.local(m))))
        }
        Property::Reach(number) => is_bad(system, row, number),
        Property::Length(queue, bound) => {
            let longest = row.languages.get(queue.index()).map_or(Some(0), |it| it.longest());
            Ok(longest.is_none_or(|longest| longest > bound as usize))
        }
        Property::Bounded => Ok(row.languages.iter().any(|it| it.longest().is_none())),
        Property::Stuck
        | Property::Orphan
        | Property::Livelock
        | Property::Accept
        | Property::Live
        | Property::Ltl(_)
        | Property::Sync
        | Property::Sendlang => rejected("a set with languages does not prove this property"),
    }
}

/// Whether a machine is at a loss about a message.
fn is_at_a_loss(system: &mut System, row: &Case) -> Checked<bool> {
    for machine in row.config.machines() {
        let cases = parts::ask(system, row, |system, view, probe| {
            Ok(system.unhandled_over(machine, view, probe).is_some())
        })?;
        if cases.iter().any(|(_, lost)| *lost) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the bad situation with this number holds somewhere.
fn is_bad(system: &System, row: &Case, number: usize) -> Checked<bool> {
    for atoms in &system.program().outline().bad[number].cases {
        let (mut languages, mut holds) = (row.languages.clone(), true);
        for atom in atoms {
            match atom {
                Atom::Control(..) => holds &= atom.holds(system, &row.config),
                Atom::Content(queue, pattern) => match languages.get_mut(queue.index()) {
                    // All that is said about one queue must be true of one content.
                    Some(language) => *language = language.matching(pattern)?,
                    None => holds = false,
                },
            }
        }
        if holds && !languages.iter().any(|language| language.is_none()) {
            return Ok(true);
        }
    }
    Ok(false)
}

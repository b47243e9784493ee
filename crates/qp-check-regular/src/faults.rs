//! What is wrong in a set: whether anything that a row stands for violates a property.

use qp_machines::{Atom, MachineId, Property, System};

use crate::parts::{Case, Scope};
use crate::{Checked, rejected};

/// Whether something that the row stands for has the fault. Failures are not looked for.
pub(crate) fn has_fault(system: &mut System, property: Property, row: &Case) -> Checked<bool> {
    match property {
        Property::Assert | Property::Divergence => Ok(false),
        Property::Unhandled => is_at_a_loss(system, row),
        Property::Deadlock => is_dead(system, row),
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
    let scope = Scope::new(system, row)?;
    for machine in row.config.machines() {
        let mut cases = scope.cases(row, machine)?.into_iter();
        if cases.any(|case| system.unhandled(&case.config, machine).is_some()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether there is a case in which no machine can move, and one of them may not rest.
fn is_dead(system: &mut System, row: &Case) -> Checked<bool> {
    let config = &row.config;
    if config.machines().all(|m| system.program().may_rest(m, config.local(m))) {
        return Ok(false);
    }
    may_end(system, row)
}

/// Whether there is a case in which no machine can move.
pub(crate) fn may_end(system: &mut System, row: &Case) -> Checked<bool> {
    let config = &row.config;
    let scope = Scope::new(system, row)?;
    // Cases in which the first machines, so many, cannot move.
    let mut todo = vec![(row.clone(), 0)];
    while let Some((case, n_waiting)) = todo.pop() {
        if n_waiting == config.locals.len() {
            return Ok(true);
        }
        let machine = MachineId::new(n_waiting);
        let mut cases = scope.cases(&case, machine)?;
        cases.retain(|case| system.outcomes(&case.config, machine, false).is_empty());
        todo.extend(cases.into_iter().map(|case| (case, n_waiting + 1)));
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

//! What can always still happen, on a closed set.

use qp_claim::ClosedSet;
use qp_machines::{Event, Property, System};

use crate::Rejected;
use crate::faults::{Finding, candidates, happens};
use crate::rows::{Edge, Rows};

/// Checks that from every row, everything that must still be able to happen can: for each machine or
/// queue, one plain backward walk from the rows in which it happens.
pub(crate) fn check(
    system: &System,
    property: Property,
    set: &ClosedSet,
    rows: &Rows,
) -> Result<(), Rejected> {
    let findings = everything(property, set);
    // For each row the last step into it; for each step where it comes from, and the one into its row before it.
    let (mut last, mut steps) = (vec![usize::MAX; set.len()], Vec::new());
    for place in 0..set.len() {
        for edge in rows.edges(place) {
            // Taking from behind others leaves the front to wait: a queue from which something is
            // always taken may still keep a message for ever.
            let skips = matches!(edge.event, Event::Took { position, .. } if position > 0);
            if property == Property::Orphan && skips {
                return Err(Rejected("messages are taken from behind others".to_owned()));
            }
            steps.push((place, last[edge.to as usize]));
            last[edge.to as usize] = steps.len() - 1;
        }
    }
    let waiting = waiting(system, property, set, rows, &findings)?;
    for (finding, waiting) in findings.into_iter().zip(waiting) {
        system.go_on()?;
        let happens = |edge: &Edge| happens(finding, edge.machine, edge.event);
        let now = |place| rows.edges(place).iter().any(happens);
        let mut can: Vec<bool> = (0..set.len()).map(now).collect();
        let mut todo: Vec<usize> = (0..set.len()).filter(|&place| can[place]).collect();
        while let Some(place) = todo.pop() {
            let mut at = last[place];
            while let Some(&(before, next)) = steps.get(at) {
                if !can[before] {
                    can[before] = true;
                    todo.push(before);
                }
                at = next;
            }
        }
        if waiting.into_iter().any(|place| !can[place]) {
            return Err(Rejected(format!("the set has a fault: {finding:?}")));
        }
    }
    Ok(())
}

/// For each finding: the rows in which it would be a fault if it never happened again.
fn waiting(
    system: &System,
    property: Property,
    set: &ClosedSet,
    rows: &Rows,
    findings: &[Finding],
) -> Result<Vec<Vec<usize>>, Rejected> {
    let mut waiting = vec![Vec::new(); findings.len()];
    rows.each(set, |place, config| {
        for candidate in candidates(system, property, config) {
            let number = findings.iter().position(|finding| *finding == candidate);
            waiting[number.expect("all are listed")].push(place);
        }
        Ok(())
    })?;
    Ok(waiting)
}

/// Every machine or every queue.
fn everything(property: Property, set: &ClosedSet) -> Vec<Finding> {
    match property {
        Property::Stuck => {
            (0..set.locals.len()).map(|m| Finding::Stuck { machine: m.into() }).collect()
        }
        _ => (0..set.n_queues).map(|q| Finding::Orphan { queue: q.into() }).collect(),
    }
}

//! What can always still happen, on a closed set.

use qp_claim::ClosedSet;
use qp_machines::{Event, Property, System};

use crate::Rejected;
use crate::faults::{Finding, candidates, happens};
use crate::rows::Rows;

/// Checks that from every row, everything that must still be able to happen can: for each machine or
/// queue, one plain backward walk from the rows in which it happens.
pub(crate) fn check(
    system: &System,
    property: Property,
    set: &ClosedSet,
    rows: &Rows,
) -> Result<(), Rejected> {
    let findings = everything(property, set);
    let back = Back::of(property, set, rows)?;
    let waiting = waiting(system, property, set, rows, &findings)?;
    for (finding, waiting) in findings.into_iter().zip(waiting) {
        let now =
            |place| rows.edges(place).iter().any(|edge| happens(finding, edge.machine, edge.event));
        let mut can: Vec<bool> = (0..set.len()).map(now).collect();
        let mut todo: Vec<usize> = (0..set.len()).filter(|&place| can[place]).collect();
        while let Some(place) = todo.pop() {
            for &before in back.before(place) {
                if !can[before as usize] {
                    can[before as usize] = true;
                    todo.push(before as usize);
                }
            }
        }
        if waiting.iter().any(|&place| !can[place as usize]) {
            return Err(Rejected(format!("the set has a fault: {finding:?}")));
        }
    }
    Ok(())
}

/// The steps of a closed set backwards.
struct Back {
    /// The rows before row `i` are `before[starts[i]..starts[i + 1]]`.
    before: Vec<u32>,
    starts: Vec<usize>,
}

impl Back {
    fn of(property: Property, set: &ClosedSet, rows: &Rows) -> Result<Self, Rejected> {
        let mut starts = vec![0; set.len() + 1];
        for edge in (0..set.len()).flat_map(|place| rows.edges(place)) {
            // Taking from behind others leaves the front to wait: a queue from which something is
            // always taken may still keep a message for ever.
            let skips = matches!(edge.event, Event::Took { position, .. } if position > 0);
            if property == Property::Orphan && skips {
                return Err(Rejected("messages are taken from behind others".to_owned()));
            }
            starts[edge.to as usize] += 1;
        }
        // Each start is the end of its part at first, and goes down while the part is filled.
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut before = vec![0; sum];
        for place in 0..set.len() {
            for edge in rows.edges(place) {
                let start = &mut starts[edge.to as usize];
                *start -= 1;
                before[*start] = place as u32;
            }
        }
        Ok(Self { before, starts })
    }

    fn before(&self, place: usize) -> &[u32] {
        &self.before[self.starts[place]..self.starts[place + 1]]
    }
}

/// For each finding: the rows in which it would be a fault if it never happened again.
fn waiting(
    system: &System,
    property: Property,
    set: &ClosedSet,
    rows: &Rows,
    findings: &[Finding],
) -> Result<Vec<Vec<u32>>, Rejected> {
    let mut waiting = vec![Vec::new(); findings.len()];
    rows.each(set, |place, config| {
        for candidate in candidates(system, property, config) {
            let number = findings.iter().position(|finding| *finding == candidate);
            waiting[number.expect("all are listed")].push(place as u32);
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

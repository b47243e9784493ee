//! What can always still happen, on a closed set.

use qp_machines::{Event, System};

use crate::faults::{Finding, candidates, happens};
use crate::invariant::Question;
use crate::rows::{Edge, Rows};
use crate::{Checked, wrong};

/// Checks that from every row, everything that must still be able to happen can: for each machine or
/// queue, one plain backward walk from the rows in which it happens.
pub(crate) fn check(system: &System, question: Question, rows: &Rows) -> Checked<()> {
    let (n_machines, n_queues) = rows.size();
    let findings: Vec<Finding> = match question {
        Question::Stuck => {
            (0..n_machines).map(|machine| Finding::Stuck { machine: machine.into() }).collect()
        }
        _ => (0..n_queues).map(|queue| Finding::Orphan { queue: queue.into() }).collect(),
    };
    let all = (0..rows.len()).flat_map(|place| rows.edges(place));
    // Taking from behind others leaves the front to wait: a queue from which something is always taken may still keep a
    // message for ever.
    let skips = |edge: &Edge| matches!(edge.event, Event::Took { position, .. } if position > 0);
    if question == Question::Orphan && all.into_iter().any(skips) {
        return wrong("messages are taken from behind others");
    }
    let before = rows.backwards();
    let mut waiting = vec![Vec::new(); findings.len()];
    rows.each(|place, config| {
        for candidate in candidates(system, question, config) {
            let number = findings.iter().position(|finding| *finding == candidate);
            waiting[number.expect("all are listed")].push(place);
        }
        Ok(())
    })?;
    for (finding, waiting) in findings.into_iter().zip(waiting) {
        system.go_on()?;
        let happens = |edge: &Edge| happens(finding, edge.machine, edge.event);
        let can = before.reach(|place| rows.edges(place).iter().any(happens));
        if waiting.into_iter().any(|place| !can[place]) {
            return wrong(format!("the set has a fault: {finding:?}"));
        }
    }
    Ok(())
}

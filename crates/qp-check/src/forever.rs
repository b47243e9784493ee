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
    let graph = Graph::of(system, property, set, rows)?;
    for subject in 0..graph.findings.len() {
        let mut can = vec![false; set.len()];
        let mut todo: Vec<u32> = Vec::new();
        for (place, happening) in graph.happening.iter().enumerate() {
            if happening.contains(&subject) {
                can[place] = true;
                todo.push(place as u32);
            }
        }
        while let Some(place) = todo.pop() {
            for &before in &graph.before[place as usize] {
                if !can[before as usize] {
                    can[before as usize] = true;
                    todo.push(before);
                }
            }
        }
        let faulty =
            graph.waiting.iter().zip(can).any(|(waiting, can)| !can && waiting.contains(&subject));
        if faulty {
            return Err(Rejected(format!("the set has a fault: {:?}", graph.findings[subject])));
        }
    }
    Ok(())
}

/// The steps of a closed set backwards, and who waits and who moves where.
struct Graph {
    before: Vec<Vec<u32>>,
    /// Findings by number.
    findings: Vec<Finding>,
    /// For each row: what would be a fault if it never happened again.
    waiting: Vec<Vec<usize>>,
    /// For each row: what can happen now.
    happening: Vec<Vec<usize>>,
}

impl Graph {
    fn of(
        system: &System,
        property: Property,
        set: &ClosedSet,
        rows: &Rows,
    ) -> Result<Self, Rejected> {
        let mut graph = Self {
            before: vec![Vec::new(); set.len()],
            findings: Vec::new(),
            waiting: Vec::new(),
            happening: Vec::new(),
        };
        let all = everything(property, set);
        rows.each(set, |place, config| {
            for edge in rows.edges(place) {
                // Taking from behind others leaves the front to wait: a queue from which something is
                // always taken may still keep a message for ever.
                let skips = matches!(edge.event, Event::Took { position, .. } if position > 0);
                if property == Property::Orphan && skips {
                    return Err(Rejected("messages are taken from behind others".to_owned()));
                }
                graph.before[edge.to as usize].push(place as u32);
            }
            let waiting = candidates(system, property, config);
            let number = |finding| all.iter().position(|f| *f == finding).expect("all are listed");
            graph.waiting.push(waiting.into_iter().map(number).collect());
            let now = |f: &usize| {
                rows.edges(place).iter().any(|edge| happens(all[*f], edge.machine, edge.event))
            };
            graph.happening.push((0..all.len()).filter(now).collect());
            Ok(())
        })?;
        graph.findings = all;
        Ok(graph)
    }
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

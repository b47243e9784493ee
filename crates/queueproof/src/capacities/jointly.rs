//! Capacities for all queues at once.
//!
//! Capacities that add no deadlock one by one may bring one together. So sets of capacities are tried from the small
//! ones of each queue alone upwards, those that are less in total first, until one is proved to have no deadlock.
//! Of a set that has one, only queues are given more room that are full where it ends: with more room elsewhere the
//! same run would end in the same way.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::{Joint, QueueReport, Smallest, VerdictWord};
use crate::{Chart, Checked, Loaded, Switches};

use super::{Trial, limited};

/// So many sets of capacities are tried.
const SETS_MAX: usize = 100;

/// Capacities for all of these queues with which there is no deadlock; none if it takes no search to tell.
pub(super) fn jointly(
    trial: &mut Trial<'_>,
    loaded: &Loaded,
    queues: &[QueueReport],
    told: &mut Checked,
) -> Option<Joint> {
    let measured: Vec<(&QueueReport, u32)> = queues.iter().filter_map(first).collect();
    let anyway = |queue: &QueueReport| {
        queue.capacities.is_some_and(|it| it.no_deadlock == Smallest::DeadlocksAnyway)
    };
    if measured.len() < 2 || queues.iter().any(anyway) {
        return None;
    }
    let numbers: Vec<usize> = measured.iter().map(|(queue, _)| queue.number).collect();
    let least: Vec<u32> = measured.iter().map(|&(_, capacity)| capacity).collect();
    let found = search(trial, loaded, &numbers, least, told);
    let names = || measured.iter().map(|(queue, _)| queue.name.clone());
    let capacities: Option<Vec<(String, u32)>> = found.map(|found| names().zip(found).collect());
    let given = capacities.clone().unwrap_or_default();
    let options = Switches { capacities: given, ..Switches::default() }.arguments();
    Some(Joint { capacities, options })
}

/// A queue whose room was measured, with the capacity to begin with.
fn first(queue: &QueueReport) -> Option<(&QueueReport, u32)> {
    let room = queue.capacities?;
    let capacity = match room.no_deadlock {
        Smallest::Capacity(n) => n,
        // A smaller one may do.
        Smallest::AtMost(_)
        | Smallest::NoCapacity
        | Smallest::DeadlocksAnyway
        | Smallest::Unknown => 1,
    };
    Some((queue, capacity))
}

/// The first set of capacities, in the order of their total, that is proved to have no deadlock.
fn search(
    trial: &mut Trial<'_>,
    loaded: &Loaded,
    numbers: &[usize],
    least: Vec<u32>,
    told: &mut Checked,
) -> Option<Vec<u32>> {
    let total = |set: &[u32]| set.iter().map(|&n| u64::from(n)).sum::<u64>();
    let mut open = BTreeSet::from([(total(&least), least)]);
    let mut n_tried = 0;
    while let Some((_, set)) = open.pop_first() {
        n_tried += 1;
        if trial.left == 0 || n_tried > SETS_MAX {
            return None;
        }
        let pairs: Vec<(usize, u32)> = numbers.iter().copied().zip(set.iter().copied()).collect();
        let limited = limited(loaded, &pairs)?;
        let checked = trial.ask(&limited, "deadlock", &["explore"], told);
        let property = checked.report.properties.first()?;
        match (property.verdict, &property.trace) {
            (VerdictWord::Proved | VerdictWord::ProvedUpToFailure, _) => return Some(set),
            (VerdictWord::Violated, Some(trace)) => {
                let full = full(&trace.chart, &pairs);
                open.extend(full.into_iter().map(|place| {
                    let mut more = set.clone();
                    more[place] += 1;
                    (total(&more), more)
                }));
            }
            // What is larger is more work.
            _ => return None,
        }
    }
    None
}

/// Which of these queues are full at the end of a run.
fn full(chart: &Chart, capacities: &[(usize, u32)]) -> Vec<usize> {
    let changes = chart.rows.iter().flat_map(|row| &row.contents);
    let lengths: BTreeMap<usize, usize> =
        changes.map(|(queue, content)| (*queue, content.len())).collect();
    let is_full = |&(queue, capacity): &(usize, u32)| {
        lengths.get(&queue).is_some_and(|&length| length >= capacity as usize)
    };
    (0..capacities.len()).filter(|&place| is_full(&capacities[place])).collect()
}

//! Deadlocks of small systems, found by rounds and by running them.

use std::collections::BTreeSet;

use qp_base::Budget;
use qp_claim::Claim;
use qp_machines::Property;
use qp_testkit::rng::Rng;

use super::super::conduct;
use super::systems::{BOTH, Plan, Queues};
use crate::{Task, TaskLimits};

/// A task with these questions.
pub(super) fn task(plan: &Plan, queues: Queues, properties: &[Property]) -> Task {
    let limits = TaskLimits {
        bound_max: 4,
        small_max: 1_000,
        evidence_max: 1_000_000,
        ..TaskLimits::default()
    };
    let invariants = Vec::new();
    Task { model: plan.model(queues), properties: properties.to_vec(), invariants, limits }
}

/// What a run of the engine claims.
pub(super) fn claims(plan: &Plan, queues: Queues, properties: &[Property]) -> Vec<Claim> {
    let answers = conduct::run(&task(plan, queues, properties), &Budget::states(10_000_000));
    answers.claims.into_iter().map(|answer| answer.claim).collect()
}

/// Whether a system gets stuck although a machine could go on; nothing if queues get longer than this.
fn gets_stuck(plan: &Plan, queues: Queues, length_max: usize) -> Option<bool> {
    let first = (vec![0; plan.n()], vec![Vec::new(); plan.n_queues(queues)]);
    let mut seen: BTreeSet<(Vec<usize>, Vec<Vec<usize>>)> = BTreeSet::new();
    seen.insert(first.clone());
    let mut todo = vec![first];
    let mut stuck = false;
    while let Some((locals, contents)) = todo.pop() {
        let mut moved = false;
        for machine in 0..plan.n() {
            for &(sends, message, to) in &plan.moves[machine][locals[machine]] {
                let queue = plan.queue(queues, message);
                let (mut locals, mut contents) = (locals.clone(), contents.clone());
                if sends {
                    contents[queue].push(message);
                } else if contents[queue].first() == Some(&message) {
                    contents[queue].remove(0);
                } else {
                    continue;
                }
                moved = true;
                locals[machine] = to;
                if contents[queue].len() >= length_max || seen.len() > 30_000 {
                    return None;
                }
                if seen.insert((locals.clone(), contents.clone())) {
                    todo.push((locals, contents));
                }
            }
        }
        let awake = (0..plan.n()).any(|m| !plan.moves[m][locals[m]].is_empty());
        stuck |= !moved && awake;
    }
    Some(stuck)
}

#[test]
fn deadlocks_are_those_of_all_runs() {
    let mut rng = Rng::new(17);
    let (mut proved, mut violated, mut open) = (0, 0, 0);
    while proved + violated < 1_200 {
        let sizes = [[2, 3], [3, 4], [2, 4], [2, 3]];
        let [n, messages, states, moves] = sizes.map(|sizes| sizes[rng.below(2)]);
        let plan = if rng.percent(50) {
            Plan::loose(&mut rng, (n, messages, states, moves))
        } else {
            Plan::acyclic(&mut rng)
        };
        for queues in BOTH {
            let Some(stuck) = gets_stuck(&plan, queues, 6) else { continue };
            match &claims(&plan, queues, &[Property::Deadlock])[0] {
                Claim::Holds(_) => {
                    assert!(!stuck, "{queues:?} {plan:?}");
                    proved += 1;
                }
                Claim::Violated(_) => {
                    assert!(stuck, "{queues:?} {plan:?}");
                    violated += 1;
                }
                Claim::GaveUp(_) => open += 1,
            }
        }
    }
    assert!(proved > 100 && violated > 300 && open < 20, "{proved} {violated} {open}");
}

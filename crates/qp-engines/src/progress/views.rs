//! How many messages of each queue are told apart in front: guesses, from coarse to fine.

use std::collections::BTreeSet;

use qp_base::Budget;

use crate::stop::Stop;

use super::automata::Automata;
use super::graph::possible;

/// Configurations that are looked at for one guess.
const CONFIGURATIONS_MAX: usize = 6_000;
/// Queues that get longer than this are taken for those that grow.
const SHORT_MAX: usize = 7;

/// What to try, one after the other.
pub(super) fn views(automata: &mut Automata, budget: &Budget) -> Result<Vec<Vec<usize>>, Stop> {
    let n_queues = automata.capacities.len();
    let same = |prefix: usize| vec![prefix; n_queues];
    let mut all = vec![same(1), adapted(automata, budget)?, same(2), same(3), same(4)];
    for view in &mut all {
        // A queue with a small capacity is seen in full.
        for (prefix, &capacity) in view.iter_mut().zip(&automata.capacities) {
            if capacity <= SHORT_MAX {
                *prefix = capacity.max(1);
            }
        }
    }
    let mut seen = BTreeSet::new();
    all.retain(|view| seen.insert(view.clone()));
    Ok(all)
}

/// A long prefix for queues that stay short as long as those that do not are held at one message, which are found one
/// by one.
fn adapted(automata: &mut Automata, budget: &Budget) -> Result<Vec<usize>, Stop> {
    let n_queues = automata.capacities.len();
    let mut grows = vec![false; n_queues];
    loop {
        let mut longest = vec![0; n_queues];
        let mut seen = BTreeSet::from([automata.start()]);
        let mut all = vec![automata.start()];
        let mut at = 0;
        while at < all.len() && at < CONFIGURATIONS_MAX && longest.iter().all(|&it| it < SHORT_MAX)
        {
            budget.ask()?;
            let scene = all[at].clone();
            at += 1;
            for (machine, number) in possible(automata, &scene) {
                let after = automata.fire(&scene, machine, number);
                let length = |queue: usize| automata.content(&after, queue).len();
                if (0..n_queues).any(|queue| grows[queue] && length(queue) > 1) {
                    continue;
                }
                for (queue, longest) in longest.iter_mut().enumerate() {
                    *longest = length(queue).max(*longest);
                }
                if seen.insert(after.clone()) {
                    all.push(after);
                }
            }
        }
        let others = (0..n_queues).filter(|&queue| !grows[queue]);
        let Some(most) = others.max_by_key(|&queue| longest[queue]).filter(|_| at < all.len())
        else {
            let prefix = |queue: usize| if grows[queue] { 1 } else { longest[queue] + 1 };
            return Ok((0..n_queues).map(prefix).collect());
        };
        grows[most] = true;
    }
}

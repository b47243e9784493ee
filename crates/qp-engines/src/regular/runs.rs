//! Runs into what is wrong: languages show that there is one, and a search with short queues finds it.

use qp_base::Budget;
use qp_claim::{Claim, Reason};
use qp_machines::Property;

use crate::search::any::AnySearch;
use crate::search::marks::Watch;
use crate::search::space::Space;
use crate::search::witness::{self, Target};
use crate::{Figures, Task};

/// On the way there queues may be longer than where it ends.
const LONGER: u32 = 8;
/// So many configurations are looked at.
const STATES_MAX: usize = 50_000;

/// A shortest run to a configuration that violates a property and in which queues hold as many messages as `need`.
pub(super) fn run_to(
    task: &Task,
    property: Property,
    need: u32,
    budget: &Budget,
) -> (Claim, Figures) {
    let open = || {
        let because = "it is violated, but no run of which queues stay short shows it".to_owned();
        (Claim::GaveUp(Reason::OutsideFragment { because }), Figures::default())
    };
    let (watch, left_out) = Watch::new(&[property], task.model.outline());
    let mut space = Space::new(task.model.system(), watch);
    let jobs = task.limits.jobs;
    let search = AnySearch::new(&mut space, 1, jobs).filter(|_| left_out.is_empty());
    let Some(mut search) = search else { return open() };
    for bound in 1..=need + LONGER {
        if bound > search.bound() {
            search.raise(bound);
        }
        let mut enough = |n: usize, hits: &[Option<u32>; 64]| n > STATES_MAX || hits[0].is_some();
        let (after, end) = search.run(&mut space, budget, &mut enough);
        search = after;
        if let Some(place) = search.hits()[0] {
            let way = search.shortest(&mut space, jobs, budget, (&Target::Bit(0), place));
            let states = search.len() as u64;
            let figures = Figures { bound, states, transitions: search.transitions() };
            return (Claim::Violated(witness::trace(&mut space, &way, property)), figures);
        }
        if end.is_err() || search.is_over() {
            break;
        }
    }
    open()
}

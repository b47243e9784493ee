//! Runs into what is wrong: languages show that there is one, and a search with short queues finds it.

use qp_base::Budget;
use qp_claim::Claim;
use qp_machines::Property;

use crate::search::bounded::{BoundedSpace, Hits};
use crate::search::marks::Watch;
use crate::search::witness::{self, Target};
use crate::stop::outside;
use crate::{Facts, Figures, Task};

/// On the way there queues may be longer than where it ends.
const LONGER: u32 = 8;
/// So many configurations are looked at.
const STATES_MAX: usize = 50_000;

/// A shortest run to a configuration that violates a property and in which queues hold as many messages as `need`. What
/// others have explored without meeting it is gone on with.
pub(super) fn run_to(
    (task, facts): (&Task, &Facts),
    property: Property,
    need: u32,
    budget: &Budget,
) -> (Claim, Figures) {
    let known = explored(task, facts, property, budget);
    let found = known.and_then(|mut known| {
        let found = search_on(&mut known, property, need + LONGER, (task.limits.jobs, budget));
        facts.leave_space(false, known);
        found
    });
    found.unwrap_or_else(|| {
        let because = "it is violated, but no run of which queues stay short shows it";
        (Claim::GaveUp(outside(because)), Figures::default())
    })
}

/// What others have explored without meeting what is wrong, or nothing but the beginning.
fn explored(
    task: &Task,
    facts: &Facts,
    property: Property,
    budget: &Budget,
) -> Option<BoundedSpace> {
    let (watch, _) = Watch::new(&[property], task.model.outline());
    if watch.properties().is_empty() {
        return None;
    }
    let is_of_use = |known: &BoundedSpace| known.clear_of.contains(&property);
    let known = facts.take_space(false, budget, is_of_use);
    known.or_else(|| BoundedSpace::begin(facts, &task.model, &[property], task.limits.jobs))
}

/// Goes on up to a bound, one by one.
fn search_on(
    known: &mut BoundedSpace,
    property: Property,
    bound_max: u32,
    (jobs, budget): (usize, &Budget),
) -> Option<(Claim, Figures)> {
    // Where a diagram was needed there are too many to be listed.
    if known.diagram.is_some() || known.search.listed.len() > STATES_MAX {
        return None;
    }
    let bit = known.clear_of.iter().position(|&it| it == property)?;
    let enough = |n: usize, hits: &Hits| n > STATES_MAX || hits[bit].is_some();
    known.go_on(bound_max, &enough, budget);
    let (space, listed) = (&mut known.space, &known.search.listed);
    let to = (&Target::Bit(bit), listed.hits()[bit]?);
    let way = listed.shortest(space, jobs, budget, to);
    Some((Claim::Violated(witness::trace(space, &way, property)), listed.figures()))
}

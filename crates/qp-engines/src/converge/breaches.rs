//! Runs that break what users state about queues.
//!
//! Proofs use statements that may be true, and go on without those that are not. Whoever states one wants to know that
//! it is false, and by which run: that is looked for here, in what was explored with short queues.

use qp_base::Budget;
use qp_machines::{Config, Model, QueueId, Step, System, WordId};

use super::explored::name;
use super::stated::holds;
use crate::search::bounded::BoundedSpace;
use crate::search::witness::{self, Target};
use crate::{Facts, Stated};

/// What a search says about a statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Breach {
    /// Whether a queue was met that it is about.
    pub is_met: bool,
    /// A run after which it is false, and of which queue: a shortest one with queues as long as were explored.
    pub run: Option<(Vec<Step>, QueueId)>,
}

/// Looks for runs that break statements, in up to so many configurations whose queues hold at most `bound` messages:
/// those that were explored, and more if these are few.
pub fn breaches(
    model: &Model,
    stated: &[&Stated],
    (bound, configurations_max): (u32, usize),
    facts: &Facts,
    budget: &Budget,
) -> Vec<Breach> {
    let known = facts.take_space(false, budget, |_| true);
    let known = known.or_else(|| BoundedSpace::begin(facts, model, &[], 1));
    let Some(mut known) = known else { return vec![Breach::default(); stated.len()] };
    if known.diagram.is_none() {
        known.go_on(bound, &|n, _| n >= configurations_max, budget);
    }
    let look = |stated: &&Stated| look(&mut known, stated, configurations_max, budget);
    let found = stated.iter().map(look).collect();
    facts.leave_space(false, known);
    found
}

fn look(known: &mut BoundedSpace, stated: &Stated, most: usize, budget: &Budget) -> Breach {
    let (space, listed) = (&mut known.space, &known.search.listed);
    let (mut is_met, mut breaking) = (false, Vec::new());
    for place in 0..listed.len().min(most) as u32 {
        let config = space.config(&listed.values(place));
        breaking.push(broken(space.system(), &config, stated, &mut is_met).is_some());
    }
    let run = breaking.iter().position(|&it| it).and_then(|first| {
        let is_one = |place: u32| breaking.get(place as usize) == Some(&true);
        let to = (&Target::Places(&is_one), first as u32);
        let way = listed.shortest(space, 1, budget, to);
        let queue = broken(space.system(), way.last()?, stated, &mut is_met)?;
        let steps = witness::steps(space, &way).into_iter().map(|outcome| outcome.step);
        Some((steps.collect(), queue))
    });
    Breach { is_met, run }
}

/// The first queue that is meant and whose content breaks a statement.
fn broken(system: &System, config: &Config, stated: &Stated, is_met: &mut bool) -> Option<QueueId> {
    config.queues().find(|&queue| {
        let is_meant = name(system, config, queue).is(&stated.about);
        *is_met |= is_meant;
        let word = config.word(queue);
        is_meant && word != WordId::CLOSED && !holds(system, &stated.formula, word)
    })
}

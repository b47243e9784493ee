//! Runs that break what users state about queues.
//!
//! Proofs use statements that may be true, and go on without those that are not. Whoever states one wants to know that
//! it is false, and by which run: that is looked for here, in a plain search that remembers where it came from.

use std::collections::BTreeSet;

use qp_base::{Budget, Spent};
use qp_machines::{Config, Model, Outcome, QueueId, Qutl, Step, System, WordId};

use crate::Stated;

use super::explored::name;

/// What a search says about a statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Breach {
    /// Whether a queue was met that it is about.
    pub is_met: bool,
    /// A shortest run after which it is false, and of which queue; within the limits of the search.
    pub run: Option<(Vec<Step>, QueueId)>,
}

/// Looks for runs that break statements, in up to so many configurations whose queues hold at most `bound` messages.
pub fn breaches(
    model: &Model,
    stated: &[&Stated],
    bound: u32,
    configurations_max: usize,
    budget: &Budget,
) -> Vec<Breach> {
    let mut found = vec![Breach::default(); stated.len()];
    let mut system = model.system();
    let mut places = vec![(system.initial(), None)];
    let mut known = BTreeSet::from([places[0].0.clone()]);
    let mut at = 0;
    while at < places.len() && found.iter().any(|breach| breach.run.is_none()) {
        let config = places[at].0.clone();
        for (stated, breach) in stated.iter().zip(&mut found).filter(|(_, it)| it.run.is_none()) {
            if let Some(queue) = look(&system, &config, stated, &mut breach.is_met) {
                breach.run = Some((way(&places, at), queue));
            }
        }
        let spent = Spent { states: at as u64, bytes: 0 };
        if places.len() < configurations_max && budget.check(spent).is_ok() {
            for outcome in system.successors(&config) {
                let fits = !outcome.is_end() && is_short(&system, &outcome, bound);
                if fits && known.insert(outcome.config.clone()) {
                    places.push((outcome.config, Some((at, outcome.step))));
                }
            }
        }
        at += 1;
    }
    found
}

/// The first queue that is meant and whose content breaks a statement.
fn look(system: &System, config: &Config, stated: &Stated, is_met: &mut bool) -> Option<QueueId> {
    config.queues().find(|&queue| {
        let is_meant = name(system, config, queue).is(&stated.about);
        *is_met |= is_meant;
        is_meant && config.word(queue) != WordId::CLOSED && {
            let messages = system.words().messages(config.word(queue));
            !stated.formula.holds(&messages, &mut |name, message| {
                Qutl::names(name, &system.program().message_text(message))
            })
        }
    })
}

fn is_short(system: &System, outcome: &Outcome, bound: u32) -> bool {
    let config = &outcome.config;
    config.queues().all(|queue| match config.word(queue) {
        WordId::CLOSED => true,
        word => system.words().len(word) <= bound as usize,
    })
}

/// The steps to a place.
fn way(places: &[(Config, Option<(usize, Step)>)], mut at: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    while let Some((before, step)) = places[at].1 {
        steps.push(step);
        at = before;
    }
    steps.reverse();
    steps
}

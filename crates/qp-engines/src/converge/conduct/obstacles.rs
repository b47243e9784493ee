//! What is in the way of a proof, and what would take it out of the way.

use std::sync::Arc;

use qp_claim::{QueueInvariant, Reason};
use qp_machines::{Config, Property};

use crate::search::any::Stop;
use crate::search::witness;
use crate::stop::{gave_up, outside};

use super::super::attempt::{Attempt, Trial};
use super::super::candidates::Help;
use super::Conduct;
use crate::lists::Look;

impl Conduct<'_> {
    /// Says why an attempt does not show what is open.
    pub(super) fn note_why(&mut self, attempt: &mut Attempt) {
        if attempt.len() > self.states_max {
            self.too_large.insert(self.way);
        }
        if let Some(doubt) = attempt.doubt() {
            return self.give_up_all(&outside(doubt.text()));
        }
        match attempt.stop() {
            Some(Stop::Exhausted(exhausted)) if self.why.is_empty() => {
                self.give_up_all(&self.budget_reason(exhausted));
            }
            Some(_) => {
                let configurations = attempt.len();
                for &property in &self.open {
                    let reason = Reason::EvidenceTooLarge { configurations };
                    self.why.entry(property).or_insert(reason);
                }
            }
            None => self.note_obstacles(attempt),
        }
    }

    fn note_obstacles(&mut self, attempt: &mut Attempt) {
        if let Some(config) = attempt.gave_up() {
            let failure = witness::why(attempt.space().system(), &config);
            return self.give_up_all(&gave_up(failure));
        }
        let Look { prefix, counted } = attempt.trial.look;
        let mut reached = self.explored.reached(attempt.trial.look);
        for property in self.open.clone() {
            let Some(way) = attempt.way(property) else {
                if matches!(property, Property::Bounded | Property::Length(..)) {
                    self.why.insert(property, outside("lists do not show how long queues get"));
                } else {
                    // Too much was in the way of others to get to this.
                    let configurations = attempt.len();
                    let reason = Reason::EvidenceTooLarge { configurations };
                    self.why.entry(property).or_insert(reason);
                }
                continue;
            };
            let system = &*attempt.space().system();
            let foreign = |config: &&Config| !self.explored.has(&mut reached, system, config);
            let config = way.iter().find(foreign).or(way.last());
            let config = config.expect("a way has a beginning").clone();
            let situation = Arc::new(attempt.situation(&config));
            self.why.insert(property, Reason::InTheWay { prefix, counted, situation });
        }
    }

    /// Tries what was stated without proof, and then everything that is true so far. Returns what of the
    /// latter would help.
    pub(super) fn assume(&mut self) -> Vec<QueueInvariant> {
        let stated = self.stated.usable.clone();
        if self.open.is_empty() || self.spent().is_some() {
            return Vec::new();
        }
        if !stated.is_empty() && self.believe(&stated) {
            let named = |it: &QueueInvariant| (self.name(it.queue), it.formula.to_string());
            let invariants = stated.iter().map(named).collect();
            self.give_up_all(&Reason::Assumes { invariants });
            return Vec::new();
        }
        let mut believed = self.candidates(Help::Limits);
        if believed.is_empty() || !self.believe(&believed) {
            return Vec::new();
        }
        // One after the other is left out, and stays out if the rest is enough.
        let mut number = 0;
        while number < believed.len() && self.spent().is_none() {
            let mut fewer = believed.clone();
            fewer.remove(number);
            if self.believe(&fewer) {
                believed = fewer;
            } else {
                number += 1;
            }
        }
        believed
    }

    /// Whether these invariants, believed, show everything that is open.
    fn believe(&mut self, invariants: &[QueueInvariant]) -> bool {
        let Some(look) = self.ladder().first().copied() else { return false };
        let believed = invariants.len();
        let trial = Trial { look, invariants: invariants.to_vec(), believed };
        let Some(mut attempt) = self.attempt(trial) else { return false };
        self.open.iter().all(|&property| attempt.shows(property))
    }
}

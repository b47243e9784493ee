//! One run of the engine: compares lengths one after the other, and looks for runs that no length is enough for.

use std::sync::Arc;

use qp_base::{Budget, Exhausted};
use qp_claim::{Claim, Proof, Reason, SendPairs, Trace};

use crate::runs::longest_queue;
use crate::{Answers, Figures, Task};

use super::automaton::{Automaton, View};
use super::family;
use super::inclusion::{Compared, Sets, compare, evidence};
use super::world::{Stop, World};

/// The longest queues that are compared with longer ones.
const LENGTH_MAX: u32 = 8;
/// The length before which runs are looked for that no length is enough for.
const FAMILY_AT: u32 = 3;
/// How many messages at the front are told apart, at most, if queues are not known to stay short.
const PREFIX_MAX: u32 = 2;
/// Pairs of one comparison.
const PAIRS_MAX: usize = 60_000;
/// States of one automaton.
const ROWS_MAX: usize = 60_000;

/// Answers the question, with figures.
pub(super) fn run(task: &Task, budget: &Budget, answers: &mut Answers) -> (Claim, Figures) {
    let world = World::new(&task.model, budget);
    let mut conduct = Conduct { task, world, lengths: Vec::new() };
    let found = conduct.work();
    let Conduct { mut world, lengths, .. } = conduct;
    let (bound, claim) = match found {
        Ok(Found::Equal(pairs)) => {
            answers.detail.extend([
                ("least_k", u64::from(pairs.bound)),
                ("prefix", u64::from(pairs.prefix)),
                ("pairs", pairs.pairs.len() as u64),
            ]);
            let bound = pairs.bound;
            let configurations = pairs.outer.len() + pairs.inner.len();
            let claim = if configurations > task.limits.evidence_max {
                Claim::GaveUp(Reason::EvidenceTooLarge { configurations })
            } else {
                Claim::Holds(Proof::Sends(Arc::new(*pairs)))
            };
            (bound, claim)
        }
        Ok(Found::Family(trace)) => {
            (longest_queue(&mut world.system, &trace.steps), Claim::Violated(trace))
        }
        Ok(Found::Nothing) => {
            let bound = lengths.len() as u32;
            (bound, Claim::GaveUp(Reason::Sends { lengths, exhausted: None }))
        }
        Err(stop) => {
            if let Stop::Exhausted(exhausted) = stop {
                answers.spent = Some(exhausted);
            }
            (lengths.len() as u32, Claim::GaveUp(why(&stop, lengths)))
        }
    };
    answers.detail.push(("configurations", world.expanded));
    (claim, Figures { bound, states: world.expanded, transitions: 0 })
}

fn why(stop: &Stop, lengths: Vec<Option<Vec<String>>>) -> Reason {
    let limit = |exhausted| Reason::Sends { lengths, exhausted: Some(exhausted) };
    match stop {
        Stop::Exhausted(exhausted) => limit(*exhausted),
        Stop::TooMuch => limit(Exhausted::States),
        stop => stop.reason(),
    }
}

enum Found {
    Equal(Box<SendPairs>),
    Family(Trace),
    Nothing,
}

struct Conduct<'a> {
    task: &'a Task,
    world: World<'a>,
    /// For each length: what only longer queues allow.
    lengths: Vec<Option<Vec<String>>>,
}

impl Conduct<'_> {
    fn work(&mut self) -> Result<Found, Stop> {
        let mut looked = false;
        for length in 0..=self.task.limits.bound_max.min(LENGTH_MAX) {
            if length == FAMILY_AT {
                looked = true;
                if let Some(trace) = family::find(&mut self.world)? {
                    return Ok(Found::Family(trace));
                }
            }
            match self.try_length(length) {
                Ok(Some(pairs)) => return Ok(Found::Equal(Box::new(pairs))),
                Ok(None) => {}
                Err(Stop::TooMuch) => break,
                Err(stop) => return Err(stop),
            }
        }
        if !looked && let Some(trace) = family::find(&mut self.world)? {
            return Ok(Found::Family(trace));
        }
        Ok(Found::Nothing)
    }

    /// Compares a length with the next one, and with queues of any length if these two allow the same.
    fn try_length(&mut self, length: u32) -> Result<Option<SendPairs>, Stop> {
        let world = &mut self.world;
        let mut longer = Automaton::new(world, View::Short(length + 1), ROWS_MAX);
        let mut sets = Sets::new(Automaton::new(world, View::Short(length), ROWS_MAX));
        match compare(world, &mut longer, &mut sets, PAIRS_MAX)? {
            Compared::Differs(word) => {
                let text = word.into_iter().map(|send| world.text(send)).collect();
                self.lengths.push(Some(text));
                return Ok(None);
            }
            Compared::Included(_) => self.lengths.push(None),
        }
        let all = longer.is_complete(world)?.then_some(length + 1);
        let prefixes: Vec<u32> = match all {
            Some(all) => vec![0, all],
            None => (0..=PREFIX_MAX).collect(),
        };
        for prefix in prefixes {
            let found = self.sandwich(length, prefix, &mut sets)?;
            if let Some(pairs) = found {
                return Ok(Some(self.least(length, prefix)?.unwrap_or(pairs)));
            }
        }
        Ok(None)
    }

    /// Whether short queues allow every send that the blurred program makes. That this is too much to find out does not
    /// keep anybody from trying something else.
    fn sandwich(
        &mut self,
        length: u32,
        prefix: u32,
        sets: &mut Sets,
    ) -> Result<Option<SendPairs>, Stop> {
        let world = &mut self.world;
        let mut blurred = Automaton::new(world, View::Lists(prefix), ROWS_MAX);
        match compare(world, &mut blurred, sets, PAIRS_MAX) {
            Ok(Compared::Included(pairs)) => {
                Ok(Some(evidence(world, (length, prefix), &blurred, sets, &pairs)))
            }
            Ok(Compared::Differs(_)) | Err(Stop::TooMuch) => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    /// The same for the least length that allows as much as `length` does.
    fn least(&mut self, length: u32, prefix: u32) -> Result<Option<SendPairs>, Stop> {
        let lengths = &self.lengths[..length as usize];
        let least = lengths.iter().rposition(Option::is_some).map_or(0, |last| last + 1) as u32;
        if least == length {
            return Ok(None);
        }
        let short = Automaton::new(&mut self.world, View::Short(least), ROWS_MAX);
        self.sandwich(least, prefix, &mut Sets::new(short))
    }
}

//! Runs with a stem, a cycle that can be taken any number of times, and a tail, after which messages pile up in a queue.

use std::collections::VecDeque;

use qp_base::Set;
use qp_claim::{Shape, Trace};
use qp_machines::{Config, Event, MessageId, Outcome, QueueId, QueueKind, Step};

use crate::trail::Trail;

use super::reader::{Backlog, Sends};
use super::tails::tails;
use super::world::{Stop, World};

/// The longest stem and cycle.
const STEM_MAX: usize = 8;
const CYCLE_MAX: usize = 6;
/// Configurations from which cycles are looked for, and steps that are followed from each.
const STARTS_MAX: usize = 3_000;
const FOLLOWED_MAX: usize = 200;
/// Queues hold no more than this before the cycle.
const LONG_MAX: usize = 3;
/// How often the cycle is taken in the evidence.
const TURNS: usize = 3;
/// How often the reader of a queue is looked at.
const BACKLOGS_MAX: usize = 20_000;

/// A run for whose sends no length of queues is enough, with all that take its cycle more often.
pub(super) fn find(world: &mut World<'_>) -> Result<Option<Trace>, Stop> {
    // Messages pile up only where queues hold any number of them, and it must be known who takes them.
    let mut kinds = world.system.program().outline().kinds.iter();
    if kinds.any(|kind| *kind != QueueKind::UNBOUNDED) || !world.system.is_local() {
        return Ok(None);
    }
    let mut search = Search { backlog: Backlog::default(), tried: Set::default() };
    match search.everywhere(world) {
        Err(Stop::TooMuch) => Ok(None),
        other => other,
    }
}

/// A search for such runs.
struct Search {
    backlog: Backlog,
    /// What was tried: sends and the queue.
    tried: Set<(Sends, QueueId)>,
}

impl Search {
    fn everywhere(&mut self, world: &mut World<'_>) -> Result<Option<Trace>, Stop> {
        let (mut met, mut at) = (Trail::new(), 0);
        met.begin(world.start.clone(), ());
        while at < met.len() {
            if let Some(trace) = self.cycles_at(world, &met, at)? {
                return Ok(Some(trace));
            }
            let steps =
                if met.depth(at) < STEM_MAX { world.steps(met.value(at))? } else { Vec::new() };
            for (_, outcome) in steps {
                let words = world.system.words();
                let long = outcome.config.words.iter().any(|&word| words.len(word) > LONG_MAX);
                if !long && met.len() < STARTS_MAX {
                    met.go(at, outcome.clone(), outcome.config);
                }
            }
            at += 1;
        }
        Ok(None)
    }

    /// Cycles that begin here.
    fn cycles_at(
        &mut self,
        world: &mut World<'_>,
        met: &Trail<usize, Config, Outcome>,
        at: usize,
    ) -> Result<Option<Trace>, Stop> {
        let start = met.value(at);
        let mut todo: VecDeque<Vec<Outcome>> = VecDeque::from([Vec::new()]);
        let mut followed = 0;
        while let Some(way) = todo.pop_front() {
            followed += 1;
            let here = way.last().map_or(start, |outcome| &outcome.config).clone();
            let grown = grown(world, start, &way);
            if !grown.is_empty()
                && let Some(trace) = self.with_tails(world, &met.steps(at), &way, &grown)?
            {
                return Ok(Some(trace));
            }
            if way.len() == CYCLE_MAX || followed + todo.len() > FOLLOWED_MAX {
                continue;
            }
            for (_, outcome) in world.steps(&here)? {
                if repeats(outcome.event) {
                    let mut longer = way.clone();
                    longer.push(outcome);
                    todo.push_back(longer);
                }
            }
        }
        Ok(None)
    }

    fn with_tails(
        &mut self,
        world: &mut World<'_>,
        stem: &[Outcome],
        cycle: &[Outcome],
        grown: &[QueueId],
    ) -> Result<Option<Trace>, Stop> {
        let Some(turns) = turn(world, cycle, TURNS) else { return Ok(None) };
        let after = turns.last().map_or(&cycle[0].config, |outcome| &outcome.config).clone();
        for tail in tails(world, &after, grown)? {
            let sends = Sends::of(stem, cycle, &tail);
            for &queue in grown {
                if self.tried.len() >= BACKLOGS_MAX {
                    return Err(Stop::TooMuch);
                }
                if !self.tried.insert((sends.clone(), queue)) {
                    continue;
                }
                world.expanded += 1;
                world.spend(0)?;
                if self.backlog.grows(world, &sends, queue) {
                    let (from, until) = (stem.len(), stem.len() + turns.len());
                    let steps = stem.iter().chain(&turns).chain(&tail);
                    let steps: Vec<Step> = steps.map(|outcome| outcome.step).collect();
                    let shape = Shape::Family { from, until, turns: TURNS, queue };
                    return Ok(Some(Trace { steps, shape }));
                }
            }
        }
        Ok(None)
    }
}

/// Whether a step can be part of a cycle.
pub(super) fn repeats(event: Event) -> bool {
    matches!(
        event,
        Event::Internal
            | Event::Announced { .. }
            | Event::Sent { .. }
            | Event::Took { position: 0, kept: false, .. }
    )
}

/// The queues that grow in a way that leads back to the same local states and can be taken for ever; none if it does
/// not, or cannot.
fn grown(world: &World<'_>, start: &Config, way: &[Outcome]) -> Vec<QueueId> {
    let Some(end) = way.last().map(|outcome| &outcome.config) else { return Vec::new() };
    if start.locals != end.locals
        || start.store != end.store
        || start.words.len() != end.words.len()
    {
        return Vec::new();
    }
    let grown: Vec<QueueId> =
        start.queues().filter(|&queue| start.word(queue) != end.word(queue)).collect();
    let for_ever = |&queue: &QueueId| {
        let (taken, sent) = traffic(way, queue);
        let content = world.system.words().messages(start.word(queue));
        let far = content.len() + taken.len() + sent.len();
        let offered = content.iter().chain(sent.iter().cycle());
        sent.len() > taken.len() && offered.zip(taken.iter().cycle()).take(far).all(|(a, b)| a == b)
    };
    if grown.iter().all(for_ever) { grown } else { Vec::new() }
}

fn traffic(way: &[Outcome], queue: QueueId) -> (Vec<MessageId>, Vec<MessageId>) {
    let (mut taken, mut sent) = (Vec::new(), Vec::new());
    for outcome in way {
        match outcome.event {
            Event::Took { queue: at, message, .. } if at == queue => taken.push(message),
            Event::Sent { queue: at, message } if at == queue => sent.push(message),
            _ => {}
        }
    }
    (taken, sent)
}

/// The steps of so many turns of a cycle: the numbers of steps need not be the same in each, because more may be possible.
fn turn(world: &mut World<'_>, cycle: &[Outcome], turns: usize) -> Option<Vec<Outcome>> {
    let mut all = cycle.to_vec();
    for _ in 1..turns {
        for first in cycle {
            let here = all.last()?.config.clone();
            let same = |other: &Outcome| {
                other.step.machine == first.step.machine
                    && other.event == first.event
                    && other.config.locals == first.config.locals
                    && other.config.store == first.config.store
            };
            all.push(world.system.successors(&here).into_iter().find(same)?);
        }
    }
    Some(all)
}

//! What can still be sent after a cycle was taken some times.

use std::collections::VecDeque;

use qp_base::Set;
use qp_machines::{Config, Event, Outcome, QueueId};

use super::family::repeats;
use super::world::{Send, Stop, World};

/// Sends of a tail, and steps without a send before each of them.
const SENDS_MAX: usize = 2;
const SILENT_MAX: usize = 3;
/// Ways that are followed.
const FOLLOWED_MAX: usize = 300;

struct Way {
    steps: Vec<Outcome>,
    silent: usize,
    sends: Vec<Send>,
}

/// Ways to go on that send different things, shortest first: none takes more from a queue that grows than is in it.
pub(super) fn tails(
    world: &mut World<'_>,
    after: &Config,
    grown: &[QueueId],
) -> Result<Vec<Vec<Outcome>>, Stop> {
    let mut found = vec![Vec::new()];
    let mut known: Set<Vec<Send>> = Set::default();
    let mut seen: Set<(Config, Vec<Send>)> = Set::default();
    let mut todo = VecDeque::from([Way { steps: Vec::new(), silent: 0, sends: Vec::new() }]);
    let mut followed = 0;
    while let Some(way) = todo.pop_front() {
        followed += 1;
        if followed > FOLLOWED_MAX {
            break;
        }
        let here = way.steps.last().map_or(after, |outcome| &outcome.config).clone();
        for (send, outcome) in world.steps(&here)? {
            let (mut silent, mut sends) = (way.silent + 1, way.sends.clone());
            if let Some(send) = send {
                silent = 0;
                sends.push(*world.sends.value(send));
            }
            let mut steps = way.steps.clone();
            let is_long = silent > SILENT_MAX || !repeats(outcome.event);
            if is_long || !seen.insert((outcome.config.clone(), sends.clone())) {
                continue;
            }
            steps.push(outcome);
            if grown
                .iter()
                .any(|&queue| takes(&steps, queue) > world.system.words().len(after.word(queue)))
            {
                continue;
            }
            if send.is_some() && known.insert(sends.clone()) {
                found.push(steps.clone());
            }
            if sends.len() < SENDS_MAX || silent > 0 {
                todo.push_back(Way { steps, silent, sends });
            }
        }
    }
    Ok(found)
}

fn takes(steps: &[Outcome], queue: QueueId) -> usize {
    let from =
        |outcome: &&Outcome| matches!(outcome.event, Event::Took { queue: at, .. } if at == queue);
    steps.iter().filter(from).count()
}

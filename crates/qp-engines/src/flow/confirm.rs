//! Real runs for rays: a ray says which arcs are taken how often, and a search finds out if some run does that.
//!
//! The run to the loop may take any step: configurations are visited breadth first. From each of them a second search
//! looks for the loop. It takes only steps that fit the ray, and those first that bring the numbers of steps closer to
//! the ray's. It ends where everything but the queues is as somewhere on the way, and the loop from there can be
//! repeated: variables may come to their values in the first turns of the ray.

mod guide;
#[cfg(test)]
mod tests;

use std::collections::{BinaryHeap, VecDeque};

use qp_base::{Budget, Exhausted, Set, Spent};
use qp_claim::{Shape, Trace};
use qp_lp::BigInt;
use qp_machines::{ArcId, Config, MachineId, Model, Net, Outcome, QueueId, Step, System};

use self::guide::{Guide, Used};
use crate::search::growth::{comes_back, last_loop};

/// So many configurations are visited in all.
const CONFIGURATIONS_MAX: usize = 50_000;

/// So many of them are visited to find one loop, if all machines are where the ray passes, and if they are not.
const LOOP_MAX: usize = 2_000;
const DOUBTFUL_LOOP_MAX: usize = 100;

/// A real run that makes `queue` grow for ever by steps of the ray.
pub(super) fn growth(
    model: &Model,
    net: &Net,
    ray: &[(ArcId, BigInt)],
    queue: QueueId,
    budget: &Budget,
) -> Option<Trace> {
    Confirm::new(model, net, ray, budget, Wanted::Growth(queue)).run()
}

/// A real run that goes on for ever, by steps of the ray, and is never where progress is marked.
pub(super) fn livelock(
    model: &Model,
    net: &Net,
    ray: &[(ArcId, BigInt)],
    budget: &Budget,
) -> Option<Trace> {
    Confirm::new(model, net, ray, budget, Wanted::Livelock).run()
}

/// What kind of loop is looked for.
#[derive(Clone, Copy)]
enum Wanted {
    Growth(QueueId),
    Livelock,
}

struct Confirm<'a> {
    system: System,
    guide: Guide,
    budget: &'a Budget,
    wanted: Wanted,
    fair: bool,
    /// How many configurations were visited.
    visited: usize,
}

/// A configuration that was met, and the step to it.
struct Met {
    config: Config,
    came: Option<(usize, Outcome)>,
}

impl<'a> Confirm<'a> {
    fn new(
        model: &Model,
        net: &Net,
        ray: &[(ArcId, BigInt)],
        budget: &'a Budget,
        wanted: Wanted,
    ) -> Self {
        let (system, fair) = (model.system(), model.outline().fair);
        Self { system, guide: Guide::new(net, ray), budget, wanted, fair, visited: 0 }
    }

    fn run(mut self) -> Option<Trace> {
        self.search().ok().flatten()
    }

    /// Where not all machines are on the ray, a loop is looked for when nothing else is left to do, and not for long.
    fn search(&mut self) -> Result<Option<Trace>, Exhausted> {
        let first = self.system.initial();
        let mut seen: Set<Config> = Set::default();
        seen.insert(first.clone());
        let mut stems = vec![Met { config: first, came: None }];
        let (mut next, mut doubtful) = (0, Vec::new());
        // Half of the allowance is for the loops that are looked for in the end.
        while next < stems.len() && self.visited < CONFIGURATIONS_MAX / 2 {
            self.spend()?;
            if self.guide.passes(&self.system, &stems[next].config) {
                if let Some(found) = self.loop_from(&stems, next, LOOP_MAX)? {
                    return Ok(Some(found));
                }
            } else {
                doubtful.push(next);
            }
            for outcome in self.system.successors(&stems[next].config) {
                if outcome.is_end() {
                    continue;
                }
                // A loop that does not follow the ray is as good.
                if let Some((begin, found)) = self.closes(&stems, next, &outcome) {
                    return Ok(Some(behind(way(&stems, begin), found)));
                }
                if seen.insert(outcome.config.clone()) {
                    let config = outcome.config.clone();
                    stems.push(Met { config, came: Some((next, outcome)) });
                }
            }
            next += 1;
        }
        for place in doubtful {
            if self.visited >= CONFIGURATIONS_MAX {
                break;
            }
            if let Some(found) = self.loop_from(&stems, place, DOUBTFUL_LOOP_MAX)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn spend(&mut self) -> Result<(), Exhausted> {
        self.visited += 1;
        self.budget.check(Spent { states: self.visited as u64, bytes: 0 })
    }

    /// Looks for a loop that begins at a place of the first search.
    fn loop_from(
        &mut self,
        stems: &[Met],
        place: usize,
        most: usize,
    ) -> Result<Option<Trace>, Exhausted> {
        let start = stems[place].config.clone();
        if self.is_out(&start) {
            return Ok(None);
        }
        let mut seen: Set<Config> = Set::default();
        seen.insert(start.clone());
        let mut met = vec![Met { config: start, came: None }];
        let (mut open, mut used) = (BinaryHeap::from([(0, 0)]), vec![Used::default()]);
        while let Some((_, from)) = open.pop() {
            if met.len() > most || self.visited >= CONFIGURATIONS_MAX {
                break;
            }
            self.spend()?;
            for outcome in self.system.successors(&met[from].config) {
                let Some(now) = self.guide.fits(&used[from], &outcome) else { continue };
                if self.is_out(&outcome.config) {
                    continue;
                }
                if let Some((begin, found)) = self.closes(&met, from, &outcome) {
                    let stem = [way(stems, place), way(&met, begin)].concat();
                    return Ok(Some(behind(stem, found)));
                }
                if seen.insert(outcome.config.clone()) {
                    let config = outcome.config.clone();
                    open.push((-self.guide.distance(&self.system, &config, &now), met.len()));
                    used.push(now);
                    met.push(Met { config, came: Some((from, outcome)) });
                }
            }
        }
        Ok(None)
    }

    /// Whether no loop of the wanted kind passes here.
    fn is_out(&self, config: &Config) -> bool {
        let program = self.system.program();
        let marked = |machine: MachineId| program.is_progress(machine, config.local(machine));
        match self.wanted {
            Wanted::Growth(_) => false,
            Wanted::Livelock => config.machines().any(marked),
        }
    }

    /// The loop that a step closes, with the place where it begins.
    fn closes(&mut self, met: &[Met], from: usize, last: &Outcome) -> Option<(usize, Trace)> {
        let mut begin = Some(from);
        while let Some(place) = begin {
            if self.is_out(&met[place].config) {
                return None;
            }
            if self.may_close(&met[place].config, &last.config) {
                let (outer, inner) = (way(met, place).len(), way(met, from));
                let cycle = [&inner[outer..], std::slice::from_ref(last)].concat();
                if let Some(found) = self.repeats(&met[place].config, &cycle) {
                    return Some((place, found));
                }
            }
            begin = met[place].came.as_ref().map(|(before, _)| *before);
        }
        None
    }

    fn may_close(&self, start: &Config, end: &Config) -> bool {
        let longer = |queue| {
            let words = self.system.words();
            words.len(end.word(queue)) > words.len(start.word(queue))
        };
        match self.wanted {
            Wanted::Growth(queue) => comes_back(start, end) && longer(queue),
            // A loop that leaves more in queues each time repeats as well.
            Wanted::Livelock => {
                start == end || !self.fair && comes_back(start, end) && start.queues().any(longer)
            }
        }
    }

    /// The loop alone, if it can be repeated.
    fn repeats(&mut self, start: &Config, cycle: &[Outcome]) -> Option<Trace> {
        match self.wanted {
            Wanted::Growth(queue) => self.grows(start, cycle, queue),
            Wanted::Livelock if cycle.last().is_none_or(|last| last.config != *start) => {
                let end = &cycle.last()?.config;
                let longer = |queue: &QueueId| start.word(*queue) != end.word(*queue);
                let queue = start.queues().find(longer)?;
                self.grows(start, cycle, queue)
            }
            Wanted::Livelock => {
                let steps = || cycle.iter().map(|outcome| outcome.step).collect();
                let counts = !self.fair || self.is_fair(cycle);
                counts.then(|| Trace { steps: steps(), shape: Shape::Lasso { from: 0 } })
            }
        }
    }

    fn grows(&mut self, start: &Config, cycle: &[Outcome], queue: QueueId) -> Option<Trace> {
        let after = cycle.iter().map(|outcome| outcome.config.clone());
        let configs: Vec<Config> = [start.clone()].into_iter().chain(after).collect();
        last_loop(&mut self.system, &configs, cycle, 0, queue)
    }

    /// Whether every machine moves in the loop, or cannot move somewhere in it.
    fn is_fair(&mut self, cycle: &[Outcome]) -> bool {
        let n_machines = cycle.iter().map(|outcome| outcome.config.locals.len()).max().unwrap_or(0);
        (0..n_machines).map(MachineId::new).all(|machine| {
            cycle.iter().any(|outcome| {
                let mut now = self.system.successors(&outcome.config).into_iter();
                outcome.movers().contains(&machine) || !now.any(|it| it.step.machine == machine)
            })
        })
    }
}

/// The steps to a place.
fn way(met: &[Met], place: usize) -> Vec<Outcome> {
    let (mut steps, mut at) = (VecDeque::new(), place);
    while let Some((from, outcome)) = &met[at].came {
        steps.push_front(outcome.clone());
        at = *from;
    }
    steps.into()
}

/// The run that begins with a stem.
fn behind(stem: Vec<Outcome>, trace: Trace) -> Trace {
    let n = stem.len();
    let shape = match trace.shape {
        Shape::Finite => Shape::Finite,
        Shape::Lasso { from } => Shape::Lasso { from: from + n },
        Shape::Pump { from, queue } => Shape::Pump { from: from + n, queue },
        Shape::Family { from, until, turns, queue } => {
            Shape::Family { from: from + n, until: until + n, turns, queue }
        }
    };
    let stem: Vec<Step> = stem.into_iter().map(|outcome| outcome.step).collect();
    Trace { steps: [stem, trace.steps].concat(), shape }
}

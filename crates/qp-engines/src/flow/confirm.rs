//! Real runs for rays: a ray says which arcs are taken how often, and a search finds out if some run does that.
//!
//! The run to the loop may take any step: configurations are visited breadth first. From each of them a second search
//! looks for the loop. It takes only steps that fit the ray, and those first that bring the numbers of steps closer to
//! the ray's. It ends where everything but the queues is as somewhere on the way, and the loop from there can be
//! repeated: variables may come to their values in the first turns of the ray.

mod guide;
#[cfg(test)]
mod tests;

use std::collections::BinaryHeap;

use qp_base::{Budget, Exhausted, Spent};
use qp_claim::{Shape, Trace};
use qp_lp::BigInt;
use qp_machines::{ArcId, Config, MachineId, Model, Net, Outcome, QueueId, Step, System};

use self::guide::{Guide, Used};
use crate::runs::{configs, repeated};
use crate::search::growth::{comes_back, last_loop};
use crate::trail::Trail;

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

/// Configurations that were met.
type Met = Trail<usize, Config, Outcome>;

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
        let mut stems = Met::new();
        stems.begin(self.system.initial(), ());
        let (mut next, mut doubtful) = (0, Vec::new());
        // Half of the allowance is for the loops that are looked for in the end.
        while next < stems.len() && self.visited < CONFIGURATIONS_MAX / 2 {
            self.spend()?;
            let config = stems.value(next).clone();
            if self.guide.passes(&self.system, &config) {
                if let Some(found) = self.loop_from(&stems, next, LOOP_MAX)? {
                    return Ok(Some(found));
                }
            } else {
                doubtful.push(next);
            }
            for outcome in self.system.successors(&config) {
                if outcome.is_end() {
                    continue;
                }
                // A loop that does not follow the ray is as good.
                if let Some((begin, found)) = self.closes(&stems, next, &outcome) {
                    return Ok(Some(behind(stems.steps(begin), found)));
                }
                stems.go(next, outcome.clone(), outcome.config);
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
        stems: &Met,
        place: usize,
        most: usize,
    ) -> Result<Option<Trace>, Exhausted> {
        let start = stems.value(place).clone();
        if self.is_out(&start) {
            return Ok(None);
        }
        let mut met = Met::new();
        met.begin(start, ());
        let (mut open, mut used) = (BinaryHeap::from([(0, 0)]), vec![Used::default()]);
        while let Some((_, from)) = open.pop() {
            if met.len() > most || self.visited >= CONFIGURATIONS_MAX {
                break;
            }
            self.spend()?;
            for outcome in self.system.successors(met.value(from)) {
                let Some(now) = self.guide.fits(&used[from], &outcome) else { continue };
                if self.is_out(&outcome.config) {
                    continue;
                }
                if let Some((begin, found)) = self.closes(&met, from, &outcome) {
                    let stem = [stems.steps(place), met.steps(begin)].concat();
                    return Ok(Some(behind(stem, found)));
                }
                let to = met.go(from, outcome.clone(), outcome.config);
                if to == used.len() {
                    open.push((-self.guide.distance(&self.system, met.value(to), &now), to));
                    used.push(now);
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
    fn closes(&mut self, met: &Met, from: usize, last: &Outcome) -> Option<(usize, Trace)> {
        let mut begin = Some(from);
        while let Some(place) = begin {
            let start = met.value(place);
            if self.is_out(start) {
                return None;
            }
            if self.may_close(start, &last.config) {
                let way = met.steps(from);
                let cycle = [&way[met.depth(place)..], std::slice::from_ref(last)].concat();
                if let Some(found) = self.repeats(start, &cycle) {
                    return Some((place, found));
                }
            }
            begin = met.before(place);
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
        let configs = configs(start, cycle);
        match self.wanted {
            Wanted::Growth(queue) => last_loop(&mut self.system, &configs, cycle, 0, queue),
            Wanted::Livelock => repeated(&mut self.system, &configs, cycle, 0, self.fair),
        }
    }
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

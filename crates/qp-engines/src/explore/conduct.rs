//! One run of the engine: bound after bound, what is found in each, and what is left to look for.

mod answers;
mod symbolic;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use qp_base::{Budget, Exhausted};
use qp_claim::{Claim, Reason, ReducedSet, Trace};
use qp_machines::{Capacity, Property, QueueId};

use crate::{Answer, Answers, Exact, Figures, Sets, Task};

use super::cycles::{Ranks, Verdict, cycles};
use super::eventually::eventually;
use crate::search::any::{AnySearch, Stop, inside};
use crate::search::growth;
use crate::search::marks::Watch;
use crate::search::space::Space;
use crate::search::witness::Target;
use crate::search::{Halt, witness};

/// One run of the engine, apart from the search itself.
pub(super) struct Conduct<'a> {
    task: Task,
    budget: &'a Budget,
    space: Space,
    watch: Watch,
    left_out: Vec<Property>,
    /// What has been violated so far.
    answers: Vec<Answer>,
    /// For each queue: the run that makes it grow.
    growing: Vec<Option<Trace>>,
    /// What was explored completely.
    bounds: Vec<Figures>,
    /// The figures of those that are too great for ordinary numbers.
    exact: Vec<Exact>,
    /// The limit that was met.
    spent: Option<Exhausted>,
    eventual: Eventual,
    /// What is known about infinite runs beyond the violations found.
    infinite: Vec<(Property, Infinite)>,
    /// Whether it turned out that no run is infinite.
    every_run_ends: bool,
    /// The evidence, if some orders of steps were left out.
    reduced: Option<Arc<ReducedSet>>,
    /// From how many configurations on orders of steps are left out.
    fewer_from: usize,
}

/// What is known about a property of infinite runs that was not violated.
enum Infinite {
    /// No run through what was visited violates it, because of these ranks.
    Clear(Ranks),
    /// Its automaton is too large.
    TooLarge,
}

/// What is known about `stuck` and `orphan` beyond the violations found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Eventual {
    /// Not decided.
    Open,
    /// Everything was looked at.
    Clear {
        /// Messages are taken from behind others.
        skips: bool,
    },
}

impl<'a> Conduct<'a> {
    pub(super) fn new(mut task: Task, budget: &'a Budget) -> Self {
        let survives = task.properties.iter().all(|property| property.survives_reduction());
        task.limits.reduce &= survives;
        // How long queues get in what was left out is not known.
        task.limits.queues &= !task.limits.reduce;
        let fewer_from = match task.limits.sets {
            Sets::Auto { fewer_from, .. } if survives && !task.limits.reduce => fewer_from,
            _ => usize::MAX,
        };
        let (watch, left_out) = Watch::new(&task.properties, task.model.outline());
        let new = if task.limits.reduce { Space::by_footprints } else { Space::new };
        let space = new(task.model.system(), watch.clone());
        Self {
            space,
            watch,
            left_out,
            growing: vec![None; task.model.outline().queues.len()],
            task,
            budget,
            answers: Vec::new(),
            bounds: Vec::new(),
            exact: Vec::new(),
            spent: None,
            eventual: Eventual::Open,
            infinite: Vec::new(),
            every_run_ends: false,
            reduced: None,
            fewer_from,
        }
    }

    pub(super) fn start(mut self) -> Answers {
        let (bound, jobs) = (self.first_bound(), self.task.limits.jobs);
        match AnySearch::new(&mut self.space, bound, jobs) {
            Some(mut search) => {
                if self.task.limits.reduce {
                    search.reduce(&mut self.space);
                }
                self.conduct(search)
            }
            None => self.too_wide(),
        }
    }

    /// Where steps are turns and every queue has a capacity, nothing is gained by going there bound by bound.
    fn first_bound(&self) -> u32 {
        let (outline, first) = (self.task.model.outline(), self.task.limits.bound_first);
        let capacities = outline.kinds.iter().map(|kind| match kind.capacity {
            Capacity::Unbounded => None,
            Capacity::Messages(n) => Some(n),
            Capacity::Rendezvous => Some(0),
        });
        let greatest = capacities.collect::<Option<Vec<u32>>>().filter(|_| outline.whole);
        greatest.into_iter().flatten().fold(first, u32::max)
    }

    fn too_wide(self) -> Answers {
        let because = "a configuration has too many machines and queues for the search".to_owned();
        let reason = Reason::OutsideFragment { because };
        let answer = |&property| {
            let answered = self.answers.iter().find(|answer| answer.property == property);
            let claim = Claim::GaveUp(reason.clone());
            let figures = Figures::default();
            answered.cloned().unwrap_or(Answer { property, claim, figures })
        };
        let claims = self.task.properties.iter().map(answer).collect();
        Answers { claims, bounds: self.bounds, ..Answers::default() }
    }

    /// Searches bound after bound.
    fn conduct(mut self, mut search: AnySearch) -> Answers {
        let mut goes_over_at = self.goes_over_at();
        loop {
            self.budget.progress().bound.store(search.bound(), Ordering::Relaxed);
            let (budget, may_stop) = (self.budget, self.may_stop_early());
            let n_watched = self.watch.properties().len();
            let (small_max, fewer_from) = (self.task.limits.small_max, self.fewer_from);
            let all_hit = |hits: &[Option<u32>; 64]| {
                n_watched > 0 && hits[..n_watched].iter().all(Option::is_some)
            };
            let mut enough = |n_visited: usize, hits: &[Option<u32>; 64]| {
                (may_stop && n_visited > small_max && all_hit(hits))
                    || n_visited > goes_over_at.min(fewer_from)
            };
            let (now, end) = search.run(&mut self.space, budget, &mut enough);
            search = now;
            let open = !(may_stop && all_hit(search.hits()));
            if open && end == Err(Stop::Enough) && search.len() > fewer_from {
                if let Some(fewer) = self.with_fewer(&mut search) {
                    (search, goes_over_at) = (fewer, usize::MAX);
                }
                continue;
            }
            let is_large = end == Err(Stop::Enough) || (end.is_ok() && self.always_goes_over());
            if open && is_large && goes_over_at < usize::MAX {
                if !self.always_goes_over() {
                    self.report_hits(&mut search);
                }
                if let Some(seen) = self.go_over(&search) {
                    return self.conclude(&seen);
                }
                goes_over_at = goes_over_at.saturating_mul(4);
                if self.always_goes_over() {
                    // What was hit is not known any more, because less is watched now.
                    goes_over_at = usize::MAX;
                    let (bound, jobs) = (search.bound(), self.task.limits.jobs);
                    match AnySearch::new(&mut self.space, bound, jobs) {
                        Some(fresh) => search = fresh,
                        None => return self.too_wide(),
                    }
                }
                match search.refitted(&self.space) {
                    Some(wide) => search = wide,
                    None => return self.too_wide(),
                }
                continue;
            }
            match end {
                Ok(()) => self.explored(figures(&search)),
                Err(Stop::Exhausted(exhausted)) => self.spent = Some(exhausted),
                Err(Stop::Enough) => {}
                Err(Stop::TooWide) => {
                    self.report_hits(&mut search);
                    return self.too_wide();
                }
            }
            self.report_hits(&mut search);
            if self.spent.is_none() {
                self.look_at_the_graph(&search);
                self.look_for_growth(&search);
            }
            let last = search.bound() >= self.task.limits.bound_max;
            let small = search.len() <= self.task.limits.small_max;
            if self.spent.is_none() && (small || last || search.is_over()) {
                self.look_at_infinite_runs(&search);
            }
            // How long queues get costs little to learn while the set is small.
            let settled = self.is_settled() && !(small && self.queues_are_open());
            let settled = settled && !self.task.limits.exhaustive;
            if self.spent.is_some() || last || settled || search.is_over() {
                return self.finish(&search);
            }
            search.raise(search.bound() + 1);
        }
    }

    /// A search of the same bound that leaves orders of steps out, if that pays: if it ends soon, or if most of its
    /// configurations are left by few of their steps.
    fn with_fewer(&mut self, search: &mut AnySearch) -> Option<AnySearch> {
        self.report_hits(search);
        self.fewer_from = usize::MAX;
        let mut space = Space::by_footprints(self.task.model.system(), self.watch.clone());
        let (bound, jobs) = (search.bound(), self.task.limits.jobs);
        let mut fewer = AnySearch::new(&mut space, bound, jobs)?;
        fewer.reduce(&mut space);
        let most = search.len() / 4;
        let mut enough = |n_visited: usize, _: &[Option<u32>; 64]| n_visited > most;
        let (fewer, end) = fewer.run(&mut space, self.budget, &mut enough);
        let pays = match end {
            Ok(()) => true,
            Err(Stop::Enough) => fewer.n_reduced() > fewer.len() / 2,
            Err(Stop::Exhausted(_) | Stop::TooWide) => false,
        };
        if !pays {
            return None;
        }
        self.space = space;
        self.task.limits.reduce = true;
        // How long queues get in what was left out is not known.
        self.task.limits.queues = false;
        Some(fewer)
    }

    /// A bound was explored completely. What was found before its end was found in it.
    fn explored(&mut self, figures: Figures) {
        let here = self.answers.iter_mut().filter(|answer| answer.figures.bound == figures.bound);
        here.for_each(|answer| answer.figures = figures);
        self.bounds.push(figures);
    }

    /// Whether a bound may be left as soon as all watched properties are violated.
    fn may_stop_early(&self) -> bool {
        let single = |p: &Property| self.watch.properties().contains(p) || self.is_answered(*p);
        !self.task.limits.exhaustive && self.task.properties.iter().all(single)
    }

    fn is_answered(&self, property: Property) -> bool {
        self.answers.iter().any(|answer| answer.property == property)
    }

    /// Whether there is nothing left that a greater bound could tell.
    fn is_settled(&self) -> bool {
        let bounded_open = |p: &Property| {
            matches!(p, Property::Bounded) && self.growing.iter().all(Option::is_none)
        };
        let open = |p: &&Property| {
            bounded_open(p) || (!matches!(p, Property::Bounded) && !self.is_answered(**p))
        };
        !self.task.properties.iter().any(|p| open(&p))
    }

    /// Whether it is still open for some queue if it grows for ever.
    fn queues_are_open(&mut self) -> bool {
        let (_, n_queues) = self.space.n_machines_queues();
        let known = self.growing.iter().flatten().count();
        self.task.limits.queues && known < n_queues
    }

    /// Turns the first violating configuration of each property into a shortest run.
    fn report_hits(&mut self, search: &mut AnySearch) {
        for (bit, property) in self.watch.properties().to_vec().into_iter().enumerate() {
            let Some(found) = search.hits()[bit] else { continue };
            let to = (&Target::Bit(bit), found);
            let jobs = self.task.limits.jobs;
            let configs = search.shortest(&mut self.space, jobs, self.budget, to);
            let trace = witness::trace(&mut self.space, &configs, property);
            self.violated(property, trace, figures(search));
        }
        search.forget_hits();
        let answered = |p| self.answers.iter().any(|answer| answer.property == p);
        self.watch.retain(|p| !answered(p));
        self.space.watch(self.watch.clone());
    }

    fn violated(&mut self, property: Property, trace: Trace, figures: Figures) {
        self.answers.push(Answer { property, claim: Claim::Violated(trace), figures });
    }

    /// `stuck` and `orphan`.
    fn look_at_the_graph(&mut self, search: &AnySearch) {
        let asked = |p| self.task.properties.contains(&p) && !self.is_answered(p);
        let (stuck, orphan) = (asked(Property::Stuck), asked(Property::Orphan));
        if !stuck && !orphan {
            return;
        }
        let jobs = self.task.limits.jobs;
        let found = match inside!(search, search => eventually(&mut self.space, search, self.budget))
        {
            Ok(found) => found,
            Err(Halt::Exhausted(exhausted)) => {
                self.spent = Some(exhausted);
                return;
            }
            Err(Halt::TooNarrow | Halt::Enough | Halt::BeginAgain) => {
                unreachable!("bug in Queueproof: expanding again made something new")
            }
        };
        for (property, wanted, places) in
            [(Property::Stuck, stuck, &found.stuck), (Property::Orphan, orphan, &found.orphan)]
        {
            let first = places.iter().position(|&fault| fault);
            if let (true, Some(first)) = (wanted, first) {
                let is_one = |place: u32| places[place as usize];
                let target = Target::Places(&is_one);
                let (space, budget) = (&mut self.space, self.budget);
                let configs = search.shortest(space, jobs, budget, (&target, first as u32));
                let trace = witness::trace(&mut self.space, &configs, property);
                self.violated(property, trace, figures(search));
            }
        }
        self.eventual = Eventual::Clear { skips: found.skips };
    }

    /// Formulas, never claims, progress and acceptance.
    fn look_at_infinite_runs(&mut self, search: &AnySearch) {
        let outline = self.task.model.outline().clone();
        let open = |p: &Property| {
            p.is_about_infinite_runs() && !p.is_void(&outline) && !self.is_answered(*p)
        };
        let asked: Vec<Property> = self.task.properties.iter().copied().filter(open).collect();
        self.infinite.clear();
        if asked.is_empty() {
            return;
        }
        match cycles(&mut self.space, search, &asked, &outline, self.budget) {
            Err(exhausted) => self.spent = Some(exhausted),
            Ok(looked) => {
                self.every_run_ends = looked.every_run_ends && search.is_complete();
                for (property, verdict) in looked.verdicts {
                    match verdict {
                        Verdict::Wrong(trace) => {
                            self.violated(property, trace, figures(search));
                        }
                        Verdict::Clear(ranks) => {
                            self.infinite.push((property, Infinite::Clear(ranks)));
                        }
                        Verdict::TooLarge => self.infinite.push((property, Infinite::TooLarge)),
                    }
                }
            }
        }
    }

    /// Queues that got longer than they should.
    fn look_at_lengths(&mut self, search: &AnySearch) {
        for property in self.task.properties.clone() {
            let Property::Length(queue, bound) = property else { continue };
            let space = &mut self.space;
            let longer = |space: &mut Space, place: u32| {
                let config = space.config(&search.values(place));
                let word = config.words.get(queue.index()).copied();
                word.is_some_and(|word| space.system().words().len(word) > bound as usize)
            };
            let first = (0..search.len() as u32).find(|&place| longer(space, place));
            if let Some(first) = first {
                let configs = search.way(&mut self.space, first);
                let trace = witness::trace(&mut self.space, &configs, property);
                self.violated(property, trace, figures(search));
            }
        }
    }

    fn look_for_growth(&mut self, search: &AnySearch) {
        if !self.task.limits.queues {
            return;
        }
        for (queue, places) in search.stalls().iter().enumerate() {
            if queue >= self.growing.len() {
                self.growing.resize(queue + 1, None);
            }
            if self.growing[queue].is_some() {
                continue;
            }
            for &place in places {
                let configs = search.way(&mut self.space, place);
                let outcomes = witness::steps(&mut self.space, &configs);
                let system = self.space.system();
                let pump = growth::pump(system, &configs, &outcomes, QueueId::new(queue));
                if pump.is_some() {
                    self.growing[queue] = pump;
                    break;
                }
            }
        }
    }
}

fn figures(search: &AnySearch) -> Figures {
    Figures {
        bound: search.bound(),
        states: search.len() as u64,
        transitions: search.transitions(),
    }
}

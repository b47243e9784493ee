//! One run of the engine: bound after bound, what is found in each, and what is left to look for.

mod answers;
mod fewer;
mod paused;
mod spread;
mod symbolic;

use std::sync::atomic::Ordering;

use qp_base::{Budget, Exhausted};
use qp_claim::{Claim, Trace};
use qp_machines::{Config, Property, QueueId};

use crate::{Answer, Answers, Exact, Facts, Figures, Sets, Task};

pub(crate) use self::paused::Paused;
use super::eventually::eventually;
use crate::cycles::{Verdict, cycles};
use crate::search::any::{AnySearch, Stop, inside};
use crate::search::bounded::{Bounded, Diagram, Hits, Rest, Schedule};
use crate::search::growth;
use crate::search::marks::Watch;
use crate::search::space::Space;
use crate::search::witness;
use crate::search::witness::Target;
use crate::stop::{TOO_WIDE, outside};

/// Sets of so many times the size of a small one are searched for infinite runs although they are not complete.
const CYCLES_SHARE: u64 = 12;

/// One run of the engine, apart from the search itself.
pub(super) struct Conduct<'a> {
    task: Task,
    facts: &'a Facts,
    budget: &'a Budget,
    schedule: Schedule,
    space: Space,
    /// The set as a decision diagram, once it was gone over to.
    diagram: Option<Diagram>,
    watch: Watch,
    left_out: Vec<Property>,
    /// What has been violated so far.
    answers: Vec<Answer>,
    /// What was explored completely.
    bounds: Vec<Figures>,
    /// The figures of those that are too great for ordinary numbers.
    exact: Vec<Exact>,
    /// The limit that was met.
    spent: Option<Exhausted>,
    found: Found,
}

/// What was found out on the way, beside violations.
struct Found {
    /// For each queue: the run that makes it grow.
    growing: Vec<Option<Trace>>,
    eventual: Eventual,
    /// What is known about infinite runs beyond the violations found.
    infinite: Vec<(Property, Verdict)>,
    /// Whether it turned out that no run is infinite.
    every_run_ends: bool,
    /// From how many configurations on orders of steps are left out, or more of them.
    fewer_from: usize,
    /// Of how many configurations steps were left out when something was found that way.
    n_reduced: Option<usize>,
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
    pub(super) fn new(mut task: Task, facts: &'a Facts, budget: &'a Budget) -> Self {
        let survives = task.properties.iter().all(|property| property.survives_reduction());
        task.limits.reduce &= survives;
        let fewer_from = match task.limits.sets {
            Sets::Auto { fewer_from, .. } => fewer_from,
            _ => usize::MAX,
        };
        let (watch, left_out) = Watch::new(&task.properties, task.model.outline());
        let new = if task.limits.reduce { Space::by_footprints } else { Space::new };
        let space = new(task.model.system(), watch.clone());
        Self {
            schedule: task.limits.schedule().within(&task.model),
            space,
            diagram: None,
            watch,
            left_out,
            found: Found {
                growing: vec![None; task.model.outline().queues.len()],
                eventual: Eventual::Open,
                infinite: Vec::new(),
                every_run_ends: false,
                fewer_from,
                n_reduced: None,
            },
            task,
            facts,
            budget,
            answers: Vec::new(),
            bounds: Vec::new(),
            exact: Vec::new(),
            spent: None,
        }
    }

    /// Goes on where an earlier run has stopped, or begins.
    pub(super) fn start(mut self) -> Answers {
        let search = self.take_up().or_else(|| self.begin());
        let Some(mut search) = search else { return self.too_wide() };
        let answers = self.conduct(&mut search);
        self.pause(search);
        answers
    }

    fn begin(&mut self) -> Option<Bounded> {
        self.facts.begin(self.task.limits.reduce);
        let (jobs, over_at) = (self.task.limits.jobs, self.goes_over_at());
        let mut search = Bounded::new(&mut self.space, self.schedule.first, jobs, over_at)?;
        if self.task.limits.reduce {
            search.listed.reduce(&mut self.space);
        }
        Some(search)
    }

    fn too_wide(&self) -> Answers {
        let reason = outside(TOO_WIDE);
        let answer = |&property| {
            let answered = self.answers.iter().find(|answer| answer.property == property);
            let claim = Claim::GaveUp(reason.clone());
            let figures = Figures::default();
            answered.cloned().unwrap_or(Answer { property, claim, figures })
        };
        let claims = self.task.properties.iter().map(answer).collect();
        Answers { claims, bounds: self.bounds.clone(), ..Answers::default() }
    }

    /// Searches bound after bound.
    fn conduct(&mut self, search: &mut Bounded) -> Answers {
        if let Some(diagram) = self.diagram.take() {
            if let Some(seen) = self.follow_on(diagram) {
                return self.conclude(&seen);
            }
            search.retain_listed(&mut self.bounds);
            self.exact.clear();
            if !search.refit(&self.space) {
                return self.too_wide();
            }
        }
        loop {
            self.budget.progress().bound.store(search.listed.bound(), Ordering::Relaxed);
            let rest = self.run(search);
            if self.wants_fewer(search, &rest) {
                if let Some(seen) = self.with_fewer(search)
                    && !self.goes_on_with(&seen)
                {
                    return self.conclude(&seen);
                }
                if self.is_settled() {
                    return self.finish(&search.listed);
                }
                continue;
            }
            let is_large = match rest {
                Rest::Large => true,
                Rest::Through => self.always_goes_over() && !self.all_hit()(search.listed.hits()),
                Rest::Stopped(_) => false,
            };
            if is_large && search.over_at < usize::MAX {
                self.look_for_cycles_on_the_way(&search.listed);
                if let Some(seen) = self.try_diagram(search) {
                    return self.conclude(&seen);
                }
                if !self.stay_listed(search) {
                    return self.too_wide();
                }
                continue;
            }
            match rest {
                Rest::Through => self.explored(search.listed.figures()),
                Rest::Stopped(Stop::Exhausted(exhausted)) => self.spent = Some(exhausted),
                Rest::Large | Rest::Stopped(Stop::Enough) => {}
                Rest::Stopped(Stop::TooWide) => {
                    self.report_hits(&mut search.listed);
                    return self.too_wide();
                }
            }
            self.look(&mut search.listed);
            match self.next_bound(&search.listed) {
                Some(bound) => search.listed.raise(bound),
                None => return self.finish(&search.listed),
            }
        }
    }

    /// Goes on until the bound is explored, or left early.
    fn run(&mut self, search: &mut Bounded) -> Rest {
        let (all_hit, schedule) = (self.all_hit(), self.schedule);
        let fewer_from = self.leaves_out_from();
        let enough = |n: usize, hits: &Hits| {
            if all_hit(hits) { schedule.may_leave(n as u64) } else { n > fewer_from }
        };
        search.run(&mut self.space, self.budget, &enough, &|hits| !all_hit(hits))
    }

    /// Whether what was hit answers everything that is asked.
    fn all_hit(&self) -> impl Fn(&Hits) -> bool + use<> {
        let (may_stop, n_watched) = (self.may_stop_early(), self.watch.properties().len());
        move |hits| may_stop && n_watched > 0 && hits[..n_watched].iter().all(Option::is_some)
    }

    fn try_diagram(&mut self, search: &mut Bounded) -> Option<answers::Seen> {
        if !self.always_goes_over() {
            self.report_hits(&mut search.listed);
        }
        self.go_over(&search.listed)
    }

    /// Goes on one by one, because a diagram is too much; says whether any width of key is enough.
    fn stay_listed(&mut self, search: &mut Bounded) -> bool {
        if self.always_goes_over() {
            // What was hit is not known any more, because less is watched now.
            let (bound, jobs) = (search.listed.bound(), self.task.limits.jobs);
            match Bounded::new(&mut self.space, bound, jobs, usize::MAX) {
                Some(fresh) => *search = fresh,
                None => return false,
            }
        }
        search.stay_listed(&self.space)
    }

    /// Looks for everything that is to be said at a bound.
    fn look(&mut self, search: &mut AnySearch) {
        self.report_hits(search);
        if self.spent.is_none() {
            self.look_at_the_graph(search);
            self.look_for_growth(search);
        }
        let last = search.bound() >= self.schedule.last || search.is_over();
        let small = self.schedule.is_small(search.len() as u64);
        match self.spent {
            None if small || last => self.look_at_infinite_runs(search),
            Some(Exhausted::States) => self.look_for_cycles_on_the_way(search),
            _ => {}
        }
    }

    /// The bound to search next, if there is a need for it.
    fn next_bound(&mut self, search: &AnySearch) -> Option<u32> {
        let settled = self.is_enough(search.len() as u64);
        let next = self.schedule.next(search.bound(), search.is_over(), settled);
        let done = search.is_over() || settled || search.gave_up().is_some();
        let further = self.schedule.further(search.bound(), search.len() as u64, self.some_grows());
        next.or(further.filter(|_| !done)).filter(|_| self.spent.is_none())
    }

    /// A bound was explored completely. What was found before its end was found in it.
    fn explored(&mut self, figures: Figures) {
        let here = self.answers.iter_mut().filter(|answer| answer.figures.bound == figures.bound);
        here.for_each(|answer| answer.figures = figures);
        // Whoever goes on may look at the last one again.
        if self.last_complete() < figures.bound {
            self.bounds.push(figures);
        }
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
        self.task.properties.iter().all(|&property| match property {
            Property::Bounded => self.found.growing.iter().any(Option::is_some),
            _ => self.is_answered(property),
        })
    }

    /// Whether everything is answered, also what costs little to learn while the set is small: how long queues get.
    fn is_enough(&mut self, states: u64) -> bool {
        self.is_settled() && !(self.schedule.is_small(states) && self.queues_are_open())
    }

    /// Whether some queue is known to grow for ever.
    fn some_grows(&self) -> bool {
        self.found.growing.iter().any(Option::is_some)
    }

    /// Whether it is still open for some queue if it grows for ever.
    fn queues_are_open(&mut self) -> bool {
        let (_, n_queues) = self.space.n_machines_queues();
        let known = self.found.growing.iter().flatten().count();
        self.task.limits.queues && known < n_queues
    }

    /// Turns the first violating configuration of each property into a shortest run.
    fn report_hits(&mut self, search: &mut AnySearch) {
        for (bit, property) in self.watch.properties().to_vec().into_iter().enumerate() {
            let Some(found) = search.hits()[bit] else { continue };
            let to = (&Target::Bit(bit), found);
            let jobs = self.task.limits.jobs;
            let configs = search.shortest(&mut self.space, jobs, self.budget, to);
            self.violated(property, &configs, search.figures());
        }
        search.forget_hits();
        self.watch_what_is_open();
    }

    fn watch_what_is_open(&mut self) {
        let answered = |p| self.answers.iter().any(|answer| answer.property == p);
        self.watch.retain(|p| !answered(p));
        self.space.watch(self.watch.clone());
    }

    /// The run through these configurations violates a property.
    fn violated(&mut self, property: Property, configs: &[Config], figures: Figures) {
        let claim = Claim::Violated(witness::trace(&mut self.space, configs, property));
        self.answers.push(Answer { property, claim, figures });
    }

    /// Whether `stuck` and `orphan` are to be answered.
    fn asks_what_never_happens(&self) -> (bool, bool) {
        let asked = |p| self.task.properties.contains(&p) && !self.is_answered(p);
        (asked(Property::Stuck), asked(Property::Orphan))
    }

    /// `stuck` and `orphan`.
    fn look_at_the_graph(&mut self, search: &AnySearch) {
        let (stuck, orphan) = self.asks_what_never_happens();
        if !stuck && !orphan {
            return;
        }
        let jobs = self.task.limits.jobs;
        let found = inside!(search, search => eventually(&mut self.space, search, self.budget));
        let found = match found {
            Ok(found) => found,
            Err(exhausted) => {
                self.spent = Some(exhausted);
                return;
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
                self.violated(property, &configs, search.figures());
            }
        }
        self.found.eventual = Eventual::Clear { skips: found.skips };
    }

    /// Looks for infinite runs in a set that is not complete, while that costs less than the search: a run that repeats does
    /// so whatever else there is.
    fn look_for_cycles_on_the_way(&mut self, search: &AnySearch) {
        let is_cheap = search.len() as u64 <= self.schedule.small_max.saturating_mul(CYCLES_SHARE);
        if is_cheap && search.is_level() {
            self.look_at_infinite_runs(search);
            self.found.infinite.clear();
        }
    }

    /// Formulas, never claims, progress and acceptance.
    fn look_at_infinite_runs(&mut self, search: &AnySearch) {
        let outline = self.task.model.outline().clone();
        let open = |p: &Property| {
            p.is_about_infinite_runs() && !p.is_void(&outline) && !self.is_answered(*p)
        };
        let asked: Vec<Property> = self.task.properties.iter().copied().filter(open).collect();
        self.found.infinite.clear();
        if asked.is_empty() {
            return;
        }
        let budget = self.budget.for_any_number();
        match cycles(&mut self.space, search, &asked, &outline, &budget) {
            Err(exhausted) => self.spent = self.spent.or(Some(exhausted)),
            Ok(looked) => {
                self.found.every_run_ends = looked.every_run_ends && search.is_complete();
                for (property, verdict) in looked.verdicts {
                    if let Verdict::Wrong(trace) = verdict {
                        let (claim, figures) = (Claim::Violated(trace), search.figures());
                        self.answers.push(Answer { property, claim, figures });
                    } else {
                        self.found.infinite.push((property, verdict));
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
                self.violated(property, &configs, search.figures());
            }
        }
    }

    fn look_for_growth(&mut self, search: &AnySearch) {
        if !self.task.limits.queues {
            return;
        }
        for (queue, places) in search.stalls().iter().enumerate() {
            for &place in places {
                if self.grows(queue) {
                    break;
                }
                let configs = search.way(&mut self.space, place);
                self.look_for_pump(queue, &configs);
            }
        }
    }

    /// Whether a run is known that makes a queue grow.
    fn grows(&mut self, queue: usize) -> bool {
        if queue >= self.found.growing.len() {
            self.found.growing.resize(queue + 1, None);
        }
        self.found.growing[queue].is_some()
    }

    /// Looks for a loop that makes a queue grow, on the run through these configurations.
    fn look_for_pump(&mut self, queue: usize, configs: &[Config]) {
        let outcomes = witness::steps(&mut self.space, configs);
        let system = self.space.system();
        self.found.growing[queue] = growth::pump(system, configs, &outcomes, QueueId::new(queue));
    }
}

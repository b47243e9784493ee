//! Bounded search: the sets of configurations that are reachable while no queue holds more than k messages, for k = 1, 2,
//! ... one after the other. The next one resumes from the sends that the one before has cut.
//!
//! The rules stand here once: which bound comes first, when there is no need for another, when a bound may be left
//! early, when a decision diagram is tried. Whoever searches bound by bound asks them, on one machine or on many.

use qp_base::Budget;
use qp_machines::{Capacity, Model, Property};

use super::any::{AnySearch, Stop};
use super::marks::Watch;
use super::space::Space;
use super::symbolic::DiagramSet;
use crate::{Exact, Facts, Figures};

/// Longer queues are looked at while a set has no more than this part of a small one: each length costs as much again.
const FAR_SHARE: u64 = 4;

/// Which bounds are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The first bound.
    pub first: u32,
    /// The last one.
    pub last: u32,
    /// Sets with no more configurations than this are searched on although everything is answered.
    pub small_max: u64,
    /// Go on after everything is answered.
    pub exhaustive: bool,
    /// How far to go beyond the last one while sets are small and no queue is known to grow for ever.
    pub far: u32,
}

impl Schedule {
    /// Begins later than asked where every queue has a capacity and steps may send several messages: a smaller bound
    /// would cut them in their midst, and nothing is gained by going there bound by bound.
    #[must_use]
    pub fn within(self, model: &Model) -> Self {
        let capacities = model.outline().kinds.iter().map(|kind| match kind.capacity {
            Capacity::Unbounded => None,
            Capacity::Messages(n) => Some(n),
            Capacity::Rendezvous => Some(0),
        });
        let greatest = capacities.collect::<Option<Vec<u32>>>();
        let greatest = greatest.filter(|_| model.system().program_mut().as_moves().is_none());
        let first = greatest.into_iter().flatten().fold(self.first.max(1), u32::max);
        Self { first, ..self }
    }

    /// Whether a set is so small that it costs little to learn more.
    pub fn is_small(&self, states: u64) -> bool {
        states <= self.small_max
    }

    /// Whether a bound may be left before its end once everything that is asked was met.
    pub fn may_leave(&self, states: u64) -> bool {
        !self.exhaustive && !self.is_small(states)
    }

    /// The bound to search after this one: none if it is the last, if nothing was cut (`over`), or if everything is
    /// answered (`settled`).
    pub fn next(&self, bound: u32, over: bool, settled: bool) -> Option<u32> {
        let enough = bound >= self.last || over || (settled && !self.exhaustive);
        (!enough).then_some(bound + 1)
    }

    /// The bound to search after the last one, where longer queues cost little: a search that ends is the cheapest
    /// proof. Where a queue `grows` for ever, it never ends.
    pub fn further(&self, bound: u32, states: u64, grows: bool) -> Option<u32> {
        let is_cheap = states <= self.small_max / FAR_SHARE;
        (bound >= self.last && bound < self.far && is_cheap && !grows).then_some(bound + 1)
    }
}

/// For each watched property: the first configuration that violates it.
pub(crate) type Hits = [Option<u32>; 64];

/// A search whose configurations are listed, until a diagram is worth trying.
pub(crate) struct Bounded {
    pub(crate) listed: AnySearch,
    /// With more configurations than this, a decision diagram is tried.
    pub(crate) over_at: usize,
}

/// How the search of a bound came to rest.
pub(crate) enum Rest {
    /// Everything within the bound was met.
    Through,
    /// The set is large enough to try a diagram.
    Large,
    Stopped(Stop),
}

impl Bounded {
    /// Nothing if the initial configuration has too many parts.
    pub(crate) fn new(space: &mut Space, bound: u32, jobs: usize, over_at: usize) -> Option<Self> {
        AnySearch::new(space, bound, jobs).map(|listed| Self { listed, over_at })
    }

    /// Goes on until everything within the bound was met, there is `enough`, or a diagram is to be tried and what was hit
    /// allows it.
    pub(crate) fn run(
        &mut self,
        space: &mut Space,
        budget: &Budget,
        enough: &dyn Fn(usize, &Hits) -> bool,
        may_draw: &dyn Fn(&Hits) -> bool,
    ) -> Rest {
        let over_at = self.over_at;
        let is_large = |n: usize, hits: &Hits| n > over_at && may_draw(hits);
        let listed = std::mem::replace(&mut self.listed, AnySearch::nothing());
        let mut rests = |n: usize, hits: &Hits| is_large(n, hits) || enough(n, hits);
        let (listed, end) = listed.run(space, budget, &mut rests);
        self.listed = listed;
        match end {
            Ok(()) => Rest::Through,
            Err(Stop::Enough) if is_large(self.listed.len(), self.listed.hits()) => Rest::Large,
            Err(stop) => Rest::Stopped(stop),
        }
    }

    /// Goes on with the list where a diagram was too much: the next one is tried when there are four times as many. Says
    /// whether any width of key is enough.
    pub(crate) fn stay_listed(&mut self, space: &Space) -> bool {
        self.over_at = if self.over_at == 0 { usize::MAX } else { self.over_at.saturating_mul(4) };
        self.refit(space)
    }

    /// Makes room in the keys for the values that others have met; says whether any width is enough.
    pub(crate) fn refit(&mut self, space: &Space) -> bool {
        let listed = std::mem::replace(&mut self.listed, AnySearch::nothing());
        let Some(listed) = listed.refitted(space) else { return false };
        self.listed = listed;
        true
    }

    /// Of these bounds, those whose configurations are all listed.
    pub(crate) fn retain_listed(&self, bounds: &mut Vec<Figures>) {
        let (bound, through) = (self.listed.bound(), self.listed.is_through());
        bounds.retain(|it| it.bound < bound || (it.bound == bound && through));
    }
}

/// The same sets as a decision diagram, from some bound on.
pub(crate) struct Diagram {
    pub(crate) symbolic: DiagramSet,
    /// The number of the first bound that it holds.
    pub(crate) first: usize,
    /// The sets at the bounds from there on, if the system is compiled.
    pub(crate) sets: Vec<qp_diagrams::Set>,
    /// Whether nothing was cut at the last one.
    pub(crate) over: bool,
    /// Whether the interpreter gave up, or may have.
    pub(crate) gave_up: bool,
}

/// A bounded space as far as it was explored: whoever comes next goes on from there.
pub(crate) struct BoundedSpace {
    pub(crate) space: Space,
    pub(crate) search: Bounded,
    pub(crate) diagram: Option<Diagram>,
    /// Complete bounds, with what was visited up to each: one by one, as a diagram, or both.
    pub(crate) bounds: Vec<Figures>,
    /// The figures of those of these bounds that have more than fits into an ordinary number.
    pub(crate) exact: Vec<Exact>,
    /// Nothing that was visited violates these.
    pub(crate) clear_of: Vec<Property>,
}

impl BoundedSpace {
    /// The beginning, with queues of one message. Nothing if the initial configuration has too many parts.
    pub(crate) fn begin(
        facts: &Facts,
        model: &Model,
        properties: &[Property],
        jobs: usize,
    ) -> Option<Self> {
        facts.begin(false);
        let (watch, _) = Watch::new(properties, model.outline());
        let clear_of = watch.properties().to_vec();
        let mut space = Space::new(model.system(), watch);
        let search = Bounded::new(&mut space, 1, jobs, usize::MAX)?;
        let (diagram, bounds, exact) = (None, Vec::new(), Vec::new());
        Some(Self { space, search, diagram, bounds, exact, clear_of })
    }

    /// Goes on one by one, up to a bound or until there is enough, and watches for what was not met so far: its hits have
    /// the bits of that.
    pub(crate) fn go_on(
        &mut self,
        bound_max: u32,
        enough: &dyn Fn(usize, &Hits) -> bool,
        budget: &Budget,
    ) {
        let Self { space, search, bounds, clear_of, .. } = self;
        let (watch, _) = Watch::new(clear_of, space.system().program().outline());
        search.listed.forget_hits();
        space.watch(watch);
        loop {
            let rest = search.run(space, budget, enough, &|_| false);
            let (figures, listed) = (search.listed.figures(), &mut search.listed);
            let through = matches!(rest, Rest::Through);
            if through && bounds.iter().all(|it| it.bound < figures.bound) {
                bounds.push(figures);
            }
            let over = listed.is_over() || figures.bound >= bound_max;
            if !through || over || enough(listed.len(), listed.hits()) {
                break;
            }
            listed.raise(figures.bound + 1);
        }
        let hits = search.listed.hits();
        let mut bits = 0..;
        clear_of.retain(|_| bits.next().is_some_and(|bit: usize| hits[bit].is_none()));
    }
}

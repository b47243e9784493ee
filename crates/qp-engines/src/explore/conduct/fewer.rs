//! A search beside the exact one, in the midst of a run, that leaves orders of steps out.
//!
//! It has a fraction of the configurations of the exact one to spend, and more when that has become larger. What it
//! proves counts if it proves everything that is open; otherwise the exact one goes on. So no answer is lost because of
//! it, and where it does not pay, it costs a fraction.

use qp_base::Exhausted;
use qp_machines::Property;

use super::{Conduct, answers::Seen};
use crate::Answer;
use crate::search::any::Stop;
use crate::search::bounded::{Bounded, BoundedSpace, Hits, Rest};
use crate::search::space::Space;

/// For each of its configurations there are so many of the exact search, which takes a tenth to a twentieth of the time
/// for one.
const SHARE: usize = 8;

/// How the search with fewer orders came to rest.
enum End {
    /// Everything that is open holds.
    Proves,
    /// With queues as long as it may look at it proves nothing, or it has spent its share.
    Open,
    /// It leaves out too little.
    InVain,
}

impl Conduct<'_> {
    /// From how many configurations on orders of steps are left out: never where something is open that needs them all.
    pub(super) fn leaves_out_from(&self) -> usize {
        let is_open = |p: &&Property| !self.is_answered(**p);
        let mut open = self.task.properties.iter().filter(is_open).copied().peekable();
        let none = self.task.limits.reduce || open.peek().is_none();
        let outline = self.task.model.outline();
        let (needy, others): (Vec<Property>, _) = open.partition(|p| !p.survives_reduction());
        let waits = others.is_empty() || !needy.iter().all(|property| property.is_live(outline));
        if none || waits { usize::MAX } else { self.found.fewer_from }
    }

    /// Whether the exact search goes on although this one has proved what it can: for specs that must not stay hot.
    pub(super) fn goes_on_with(&mut self, seen: &Seen) -> bool {
        let open = |p: &Property| !self.is_answered(*p);
        let open: Vec<Property> = self.task.properties.iter().copied().filter(open).collect();
        let (proved, needy): (Vec<Property>, Vec<_>) =
            open.into_iter().partition(|property| property.survives_reduction());
        for property in proved.into_iter().filter(|_| !needy.is_empty()) {
            let claim = self.claim(property, seen);
            self.answers.push(Answer { property, claim, figures: seen.figures });
        }
        !needy.is_empty()
    }

    /// Whether a search has come to rest because it is large enough to leave orders of steps out.
    pub(super) fn wants_fewer(&self, search: &Bounded, rest: &Rest) -> bool {
        matches!(rest, Rest::Large | Rest::Stopped(Stop::Enough))
            && search.listed.len() > self.leaves_out_from()
            && !self.all_hit()(search.listed.hits())
    }

    /// Goes on with the search that leaves orders of steps out, for a while. What it has seen, if that answers everything.
    pub(super) fn with_fewer(&mut self, search: &mut Bounded) -> Option<Seen> {
        self.report_hits(&mut search.listed);
        if self.leaves_out_from() == usize::MAX {
            return None;
        }
        let Some(mut fewer) = self.fewer() else {
            self.found.fewer_from = usize::MAX;
            return None;
        };
        std::mem::swap(&mut self.space, &mut fewer.space);
        let end = self.run_fewer(&mut fewer.search);
        let seen = matches!(end, End::Proves).then(|| self.sum_up(&fewer.search.listed));
        std::mem::swap(&mut self.space, &mut fewer.space);
        self.space.watch(self.watch.clone());
        self.found.fewer_from = match end {
            End::Proves => self.found.fewer_from,
            End::Open => self.found.fewer_from.saturating_mul(2),
            End::InVain => usize::MAX,
        };
        if !matches!(end, End::InVain) {
            fewer.clear_of = self.watch.properties().to_vec();
            self.facts.leave_space(true, fewer);
        }
        let mut seen = seen?;
        for (number, (longest, met)) in self.lengths(&search.listed).into_iter().enumerate() {
            match seen.queues.get_mut(number) {
                Some(queue) => queue.0 = queue.0.max(longest),
                None => seen.queues.push((longest, met)),
            }
        }
        Some(seen)
    }

    /// The search that leaves orders out as far as it got, or its beginning.
    fn fewer(&mut self) -> Option<BoundedSpace> {
        let watched = self.watch.properties();
        let is_clear = |known: &BoundedSpace| watched.iter().all(|it| known.clear_of.contains(it));
        let known = self.facts.take_space(true, self.budget, is_clear);
        if let Some(mut known) = known {
            known.search.listed.forget_hits();
            known.space.watch(self.watch.clone());
            return Some(known);
        }
        self.facts.begin(true);
        let mut space = Space::by_footprints(self.task.model.system(), self.watch.clone());
        let jobs = self.task.limits.jobs;
        let mut search = Bounded::new(&mut space, self.schedule.first, jobs, usize::MAX)?;
        search.listed.reduce(&mut space);
        let (diagram, bounds, exact, clear_of) = (None, Vec::new(), Vec::new(), Vec::new());
        Some(BoundedSpace { space, search, diagram, bounds, exact, clear_of })
    }

    /// Bound after bound, until its share is spent.
    fn run_fewer(&mut self, fewer: &mut Bounded) -> End {
        let most = (self.found.fewer_from / SHARE).min(self.task.limits.evidence_max);
        loop {
            let all_hit = self.all_hit();
            let enough = |n: usize, hits: &Hits| n > most || all_hit(hits);
            let rest = fewer.run(&mut self.space, self.budget, &enough, &|_| false);
            if fewer.listed.hits().iter().any(Option::is_some) {
                self.found.n_reduced = Some(fewer.listed.n_reduced());
                self.report_hits(&mut fewer.listed);
            }
            let listed = &mut fewer.listed;
            match rest {
                Rest::Through if listed.gave_up().is_some() => return End::InVain,
                Rest::Through if listed.is_over() => {
                    let is_evidence = listed.len() <= self.task.limits.evidence_max;
                    return if is_evidence { End::Proves } else { End::InVain };
                }
                Rest::Through => {
                    let next = self.schedule.next(listed.bound(), false, self.is_settled());
                    let Some(bound) = next else { return End::Open };
                    listed.raise(bound);
                }
                Rest::Stopped(Stop::TooWide | Stop::Exhausted(Exhausted::Memory)) => {
                    return End::InVain;
                }
                // It is the exact search that meets the limit.
                Rest::Stopped(Stop::Exhausted(_)) => return End::Open,
                Rest::Large | Rest::Stopped(Stop::Enough) => {
                    let pays = listed.n_reduced() > listed.len() / 2;
                    return if pays { End::Open } else { End::InVain };
                }
            }
        }
    }
}

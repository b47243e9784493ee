//! Going over, in the midst of a run, to a search that leaves orders of steps out.
//!
//! That is another space: the one with all orders is left as it is to those who go on with it.

use super::Conduct;
use crate::search::any::{AnySearch, Stop};
use crate::search::bounded::{Bounded, BoundedSpace, Hits, Rest};
use crate::search::space::Space;

impl Conduct<'_> {
    /// Whether a search has come to rest because it is large enough to leave orders of steps out.
    pub(super) fn wants_fewer(&self, search: &Bounded, rest: &Rest) -> bool {
        matches!(rest, Rest::Large | Rest::Stopped(Stop::Enough))
            && search.listed.len() > self.fewer_from
            && !self.all_hit()(search.listed.hits())
    }

    /// Goes on with a search that leaves orders of steps out, if that pays, from the bound on at which there are so many
    /// configurations.
    pub(super) fn with_fewer(&mut self, search: &mut Bounded) {
        self.report_hits(&mut search.listed);
        let fewer_from = std::mem::replace(&mut self.fewer_from, usize::MAX);
        // Others may have come further meanwhile.
        let n_bounds = self.bounds.iter().take_while(|it| it.states <= fewer_from as u64).count();
        let bound = self.bounds.get(n_bounds).map_or(search.listed.bound(), |it| it.bound);
        let Some((space, listed)) = self.fewer(bound, fewer_from / 4) else { return };
        let clear_of = self.watch.properties().to_vec();
        let bounds = self.bounds.clone();
        self.bounds.truncate(n_bounds);
        let fewer = Bounded { listed, over_at: usize::MAX };
        let left = BoundedSpace {
            space: std::mem::replace(&mut self.space, space),
            search: std::mem::replace(search, fewer),
            diagram: None,
            bounds,
            exact: std::mem::take(&mut self.exact),
            clear_of,
        };
        self.facts.leave_space(false, left);
        self.leave_orders_out();
    }

    /// A search of this bound that leaves orders of steps out, if that pays: if it ends soon, or if most of its
    /// configurations are left by few of their steps.
    fn fewer(&mut self, bound: u32, most: usize) -> Option<(Space, AnySearch)> {
        self.facts.begin(true);
        let mut space = Space::by_footprints(self.task.model.system(), self.watch.clone());
        let mut fewer = AnySearch::new(&mut space, bound, self.task.limits.jobs)?;
        fewer.reduce(&mut space);
        let mut enough = |n_visited: usize, _: &Hits| n_visited > most;
        let (fewer, end) = fewer.run(&mut space, self.budget, &mut enough);
        self.tried_fewer = !matches!(end, Err(Stop::Exhausted(_)));
        let pays = match end {
            Ok(()) => true,
            Err(Stop::Enough) => fewer.n_reduced() > fewer.len() / 2,
            Err(Stop::Exhausted(_) | Stop::TooWide) => false,
        };
        pays.then_some((space, fewer))
    }

    /// What there is to say is about some orders of steps from now on.
    pub(super) fn leave_orders_out(&mut self) {
        self.task.limits.reduce = true;
        // How long queues get in what was left out is not known.
        self.task.limits.queues = false;
    }
}

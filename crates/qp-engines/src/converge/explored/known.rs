//! What others have explored: taken up, looked at bound by bound as if it were explored here, and left again.

use qp_base::Budget;
use qp_machines::{Model, Property};

use super::further::{self, Further};
use super::{Explored, Violation, few};
use crate::search::any::Stop;
use crate::search::bounded::{Bounded, BoundedSpace};
use crate::search::marks::Watch;
use crate::search::space::Space;
use crate::{Facts, Figures, Sets, TaskLimits};

impl Explored {
    /// Goes on with what others have explored, or begins.
    pub(in crate::converge) fn new(
        (model, properties): (&Model, &[Property]),
        limits: TaskLimits,
        facts: &Facts,
        budget: &Budget,
    ) -> Self {
        let (watch, _) = Watch::new(properties, model.outline());
        let watched = watch.properties().to_vec();
        let is_of_use = |known: &BoundedSpace| watched.iter().all(|it| known.clear_of.contains(it));
        if let Some(known) = facts.take_space(false, budget, is_of_use) {
            return Self::known(known, watch, limits);
        }
        facts.begin(false);
        let mut space = Space::new(model.system(), watch);
        let over_at = over_at(&space, &limits);
        let search = Bounded::new(&mut space, 1, limits.jobs, over_at);
        Self { clear_of: watched.clone(), ..Self::empty(space, search, watched, limits) }
    }

    fn empty(
        space: Space,
        search: Option<Bounded>,
        watched: Vec<Property>,
        limits: TaskLimits,
    ) -> Self {
        let (bounds, exact, clear_of, further) = Default::default();
        let (shown, given, places, length, stop) = (0, 0, 1, 1, None);
        Self {
            space,
            search,
            further,
            watched,
            clear_of,
            limits,
            bounds,
            exact,
            shown,
            given,
            places,
            length,
            stop,
        }
    }

    /// What others have explored, of which nothing was looked at so far.
    fn known(known: BoundedSpace, watch: Watch, limits: TaskLimits) -> Self {
        let BoundedSpace { mut space, mut search, diagram, mut bounds, mut exact, clear_of } =
            known;
        let watched = watch.properties().to_vec();
        space.watch(watch);
        search.listed.forget_hits();
        // Others may have tried diagrams in vain.
        let over_at = over_at(&space, &limits);
        if search.over_at == usize::MAX || over_at == usize::MAX {
            search.over_at = over_at;
        }
        let left =
            further::allowance(search.listed.figures().transitions, search.listed.len(), &limits);
        let further = diagram.and_then(|diagram| Further::known(&space, diagram, left));
        if further.is_none() {
            // A diagram that cannot be looked at is of no use: what is listed is gone on with.
            search.retain_listed(&mut bounds);
            exact.clear();
        }
        let given = bounds.len();
        let empty = Self::empty(space, Some(search), watched, limits);
        Self { further, clear_of, bounds, exact, given, ..empty }
    }

    /// Leaves everything to whoever comes next.
    pub(in crate::converge) fn leave(self, violated: &[Violation], facts: &Facts) {
        let Some(search) = self.search else { return };
        let Self { space, bounds, exact, mut clear_of, .. } = self;
        clear_of.retain(|property| violated.iter().all(|it| it.property != *property));
        let diagram = self.further.map(|further| further.diagram);
        facts.leave_space(false, BoundedSpace { space, search, diagram, bounds, exact, clear_of });
    }

    /// Looks at the next bound of those that were explored before.
    pub(super) fn look_at_known(&mut self, states_max: usize, budget: &Budget) -> Result<(), Stop> {
        let Figures { bound, states, transitions } = self.bounds[self.shown];
        if let Some(further) = self.further.as_ref().filter(|it| it.diagram.first <= self.shown) {
            return if self.shown < further.diagram.first + further.diagram.sets.len() {
                self.look_further(states_max)
            } else {
                self.go_further(bound, states_max, budget)
            };
        }
        let search = self.search.as_ref().ok_or(Stop::TooWide)?;
        let (len, over_at) = (states as usize, search.over_at);
        if len > over_at {
            let part = u128::from(transitions) * over_at as u128 / u128::from(states);
            if self.go_over(bound, (part as u64, over_at), budget)? {
                return Ok(());
            }
            self.stay_listed()?;
        }
        self.length = bound;
        self.places = len.min(states_max.max(self.places));
        if len > states_max {
            return Err(Stop::Enough);
        }
        self.shown += 1;
        Ok(())
    }
}

/// With more configurations than this, a decision diagram is tried.
fn over_at(space: &Space, limits: &TaskLimits) -> usize {
    match limits.sets {
        _ if !matches!(space, Space::Compiled(_)) => usize::MAX,
        Sets::Explicit => usize::MAX,
        Sets::Auto { from, .. } => from.min(few(limits)),
        Sets::Symbolic | Sets::Forgetful => 0,
    }
}

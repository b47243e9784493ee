//! What was reached with short queues: to compare with, and to learn from.
//!
//! Configurations are kept one by one while there are few. When there are many, the set goes on as a decision diagram,
//! if that takes no more work than was done so far: then bounds are reached at which nobody could list them.

mod further;
mod seen;

use qp_base::Budget;
use qp_claim::Trace;
use qp_machines::{Config, MachineId, Model, Property, System, WordId};

pub(super) use self::seen::{Seen, name};

use self::further::Further;
use super::list::Look;
use super::projection::Projection;
use crate::search::any::{AnySearch, Stop};
use crate::search::marks::Watch;
use crate::search::space::Space;
use crate::search::witness::{self, Target};
use crate::{Exact, Figures, Sets, TaskLimits};

/// Configurations that can be reached while queues are short.
pub(super) struct Explored {
    space: Space,
    search: Option<AnySearch>,
    /// The same as a decision diagram, once it was gone over to.
    further: Option<Further>,
    /// With more configurations than this, a decision diagram is tried.
    over_at: usize,
    watched: Vec<Property>,
    limits: TaskLimits,
    /// Complete bounds, with what was visited up to each.
    pub(super) bounds: Vec<Figures>,
    /// The figures of those of these bounds that have more than fits into an ordinary number.
    pub(super) exact: Vec<Exact>,
    /// Why there is no further bound.
    pub(super) stop: Option<Stop>,
}

/// A property that a run with short queues violates.
pub(super) struct Violation {
    pub(super) property: Property,
    /// The queue length.
    pub(super) bound: u32,
    pub(super) trace: Trace,
}

impl Explored {
    pub(super) fn new(model: &Model, properties: &[Property], limits: TaskLimits) -> Self {
        let (watch, _) = Watch::new(properties, model.outline());
        let watched = watch.properties().to_vec();
        let mut space = Space::new(model.system(), watch);
        let search = AnySearch::new(&mut space, 1, limits.jobs);
        let over_at = match limits.sets {
            _ if !matches!(space, Space::Compiled(_)) => usize::MAX,
            Sets::Explicit => usize::MAX,
            Sets::Auto { from, .. } => from.min(few(&limits)),
            Sets::Symbolic | Sets::Forgetful => 0,
        };
        let (bounds, exact, stop) = (Vec::new(), Vec::new(), None);
        Self { space, search, further: None, over_at, watched, limits, bounds, exact, stop }
    }

    /// Shortest runs at this bound that violate properties for which there was none before.
    pub(super) fn violations(&mut self, known: &[Violation], budget: &Budget) -> Vec<Violation> {
        let mut found = Vec::new();
        for (bit, property) in self.watched.clone().into_iter().enumerate() {
            if known.iter().any(|violation| violation.property == property) {
                continue;
            }
            let way = self.drawn_way(bit, budget).or_else(|| self.listed_way(bit, budget));
            if let Some((bound, way)) = way {
                let trace = witness::trace(&mut self.space, &way, property);
                found.push(Violation { property, bound, trace });
            }
        }
        found
    }

    /// A shortest way to what violates the watched property with this bit, if it was met one by one.
    fn listed_way(&mut self, bit: usize, budget: &Budget) -> Option<(u32, Vec<Config>)> {
        let search = self.search.as_ref()?;
        let to = (&Target::Bit(bit), search.hits()[bit]?);
        let way = search.shortest(&mut self.space, self.limits.jobs, budget, to);
        Some((search.bound(), way))
    }

    /// Searches bound after bound, up to so many configurations unless a diagram holds more; says whether the last one
    /// was completed and there is more beyond.
    pub(super) fn advance(&mut self, bound_max: u32, states_max: usize, budget: &Budget) -> bool {
        // More may be visited now than when it was stopped.
        if self.stop == Some(Stop::Enough) && self.len() <= states_max as u64 {
            self.stop = None;
        }
        let next = self.bound() + 1;
        let over = !self.bounds.is_empty() && self.is_over();
        if self.search.is_none() || self.stop.is_some() || over || next > bound_max {
            return false;
        }
        let end = if self.further.is_some() {
            self.go_further(next, states_max, budget)
        } else {
            self.search_on(next, states_max, budget)
        };
        self.stop = end.err();
        self.stop.is_none()
    }

    /// Completes the next bound one by one, or goes over to a diagram.
    fn search_on(&mut self, bound: u32, states_max: usize, budget: &Budget) -> Result<(), Stop> {
        loop {
            let mut search = self.search.take().ok_or(Stop::TooWide)?;
            if bound > search.bound() {
                search.raise(bound);
            }
            let most = states_max.min(self.over_at);
            let mut enough = |n: usize, _: &[Option<u32>; 64]| n > most;
            let (search, end) = search.run(&mut self.space, budget, &mut enough);
            let (len, transitions) = (search.len(), search.transitions());
            self.search = Some(search);
            match end {
                Ok(()) => {
                    self.bounds.push(Figures { bound, states: len as u64, transitions });
                    return Ok(());
                }
                Err(Stop::Enough) if len > self.over_at => {
                    if self.go_over(budget)? {
                        return Ok(());
                    }
                    self.over_at = len * 4;
                    // Whoever tried in vain has learnt more values than fit into the keys.
                    let search = self.search.take().and_then(|it| it.refitted(&self.space));
                    self.search = Some(search.ok_or(Stop::TooWide)?);
                    if len > states_max {
                        return Err(Stop::Enough);
                    }
                }
                Err(stop) => return Err(stop),
            }
        }
    }

    /// The greatest bound that was explored completely.
    pub(super) fn bound(&self) -> u32 {
        self.bounds.last().map_or(0, |figures| figures.bound)
    }

    /// Whether a greater bound would show nothing more.
    fn is_over(&self) -> bool {
        match &self.further {
            Some(further) => further.over,
            None => self.search.as_ref().is_some_and(AnySearch::is_over),
        }
    }

    /// The greatest queue length, if everything was visited.
    pub(super) fn complete(&self) -> Option<u32> {
        let gave_up = match &self.further {
            Some(further) => further.gave_up,
            None => self.search.as_ref()?.gave_up().is_some(),
        };
        (self.stop.is_none() && self.is_over() && !gave_up).then(|| self.length())
    }

    /// The queue length up to which contents were seen, if not all of them.
    pub(super) fn length(&self) -> u32 {
        match &self.further {
            Some(_) => self.bound(),
            None => self.search.as_ref().map_or(0, AnySearch::bound),
        }
    }

    /// How many configurations were visited.
    pub(super) fn len(&self) -> u64 {
        match (&self.further, self.bounds.last()) {
            (Some(_), Some(figures)) => figures.states,
            _ => self.search.as_ref().map_or(0, |search| search.len() as u64),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let drawn = self.further.as_ref().map_or(0, Further::bytes);
        self.search.as_ref().map_or(0, AnySearch::bytes) + self.space.bytes() + drawn
    }

    pub(super) fn n_machines(&mut self) -> usize {
        self.space.n_machines_queues().0
    }

    pub(super) fn system(&mut self) -> &mut System {
        self.space.system()
    }

    /// How many configurations look different of those at the bound with this number; no more than `all` do.
    pub(super) fn project(
        &mut self,
        projection: &mut Projection,
        number: usize,
        all: usize,
    ) -> Option<u64> {
        let further = self.further.as_ref();
        if let Some(later) = further.and_then(|further| number.checked_sub(further.first)) {
            self.project_drawn(projection, Some(later))?;
        } else {
            let up_to = self.bounds[number].states as usize;
            projection.add(&mut self.space, self.search.as_ref()?, (up_to, all));
        }
        u64::try_from(projection.count()).ok()
    }

    /// Everything that was visited, as it looks.
    pub(super) fn reached(&mut self, look: Look) -> Projection {
        let mut projection = Projection::new(look);
        if self.further.is_some() && self.project_drawn(&mut projection, None).is_some() {
            return projection;
        }
        if let Some(search) = &self.search {
            projection.add(&mut self.space, search, (search.len(), usize::MAX));
        }
        projection
    }

    /// Whether something that was reached looks like the configuration of another system of the same model.
    pub(super) fn has(
        &mut self,
        reached: &mut Projection,
        other: &System,
        config: &Config,
    ) -> bool {
        let (n_machines, n_queues) = self.space.n_machines_queues();
        if config.locals.len() > n_machines || config.words.len() > n_queues {
            return false;
        }
        let Some(same) = self.translate(other, config) else { return false };
        let values = self.space.values(&same);
        reached.contains(&mut self.space, &values)
    }

    /// The configuration of another system of the same model in the numbers of this one.
    fn translate(&mut self, other: &System, config: &Config) -> Option<Config> {
        let mut same = config.clone();
        let system = self.space.system();
        for (machine, local) in config.locals.iter().enumerate() {
            let machine = MachineId::new(machine);
            let text = other.program().local_text(machine, *local);
            same.locals[machine.index()] = system.program_mut().local_from_text(machine, &text)?;
        }
        for (queue, &word) in config.words.iter().enumerate() {
            if word == WordId::CLOSED {
                continue;
            }
            let mut messages = Vec::new();
            for message in other.words().messages(word) {
                let text = other.program().message_text(message);
                messages.push(system.program_mut().message_from_text(&text)?);
            }
            same.words[queue] = system.words_mut().intern(&messages);
        }
        let text = other.program().store_text(config.store);
        same.store = system.program_mut().store_from_text(&text)?;
        Some(same)
    }
}

/// So many configurations are looked at before anything is tried.
pub(super) fn few(limits: &TaskLimits) -> usize {
    limits.small_max * 4
}

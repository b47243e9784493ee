//! What was reached with short queues: to compare with, and to learn from.
//!
//! Configurations are kept one by one while there are few. When there are many, the set goes on as a decision diagram,
//! if that takes no more work than was done so far: then bounds are reached at which nobody could list them.

mod further;
mod known;
mod seen;

use qp_base::Budget;
use qp_claim::Trace;
use qp_machines::{Config, MachineId, Property, System, WordId};

pub(super) use self::seen::{Seen, name};

use self::further::Further;
use super::projection::Projection;
use crate::lists::Look;
use crate::search::any::Stop;
use crate::search::bounded::{Bounded, Rest, Schedule};
use crate::search::space::Space;
use crate::search::witness::{self, Target};
use crate::{Exact, Figures, TaskLimits};

/// Configurations that can be reached while queues are short.
///
/// What others have explored is looked at bound by bound, as if it were explored here; then it is gone on with.
pub(super) struct Explored {
    space: Space,
    search: Option<Bounded>,
    /// The same as a decision diagram, once it was gone over to.
    further: Option<Further>,
    watched: Vec<Property>,
    /// Nothing that was visited violates these.
    clear_of: Vec<Property>,
    limits: TaskLimits,
    /// Complete bounds, with what was visited up to each.
    bounds: Vec<Figures>,
    /// The figures of those of these bounds that have more than fits into an ordinary number.
    exact: Vec<Exact>,
    /// How many of these bounds were looked at.
    shown: usize,
    /// How many of them others have explored: nothing that is watched is violated there.
    given: usize,
    /// How many of the configurations that are kept one by one were looked at.
    places: usize,
    /// The queue length up to which contents were looked at, if not all of them.
    length: u32,
    /// Why there is no further bound.
    stop: Option<Stop>,
}

/// A property that a run with short queues violates.
pub(super) struct Violation {
    pub(super) property: Property,
    /// The queue length.
    pub(super) bound: u32,
    pub(super) trace: Trace,
}

impl Explored {
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
        let listed = &self.search.as_ref()?.listed;
        let to = (&Target::Bit(bit), listed.hits()[bit]?);
        let way = listed.shortest(&mut self.space, self.limits.jobs, budget, to);
        Some((listed.bound(), way))
    }

    /// Looks at bound after bound, up to so many configurations unless a diagram holds more, and searches what was not
    /// explored; says whether the last one was completed and there is more beyond.
    pub(super) fn advance(&mut self, bound_max: u32, states_max: usize, budget: &Budget) -> bool {
        // More may be visited now than when it was stopped.
        if self.stop == Some(Stop::Enough) && self.len() <= states_max as u64 {
            self.stop = None;
        }
        let next = Schedule { first: 1, last: bound_max, ..self.limits.schedule() };
        let next = match self.shown {
            0 => Some(1),
            _ => next.next(self.bound(), self.is_over(), false),
        };
        let Some(bound) = next.filter(|_| self.search.is_some() && self.stop.is_none()) else {
            return false;
        };
        let end = if self.shown < self.bounds.len() {
            self.look_at_known(states_max, budget)
        } else if self.further.is_some() {
            self.go_further(bound, states_max, budget)
        } else {
            self.search_on(bound, states_max, budget)
        };
        self.stop = end.err();
        self.stop.is_none()
    }

    fn stay_listed(&mut self) -> Result<(), Stop> {
        let search = self.search.as_mut().ok_or(Stop::TooWide)?;
        if search.stay_listed(&self.space) { Ok(()) } else { Err(Stop::TooWide) }
    }

    /// Completes the next bound one by one, or goes over to a diagram.
    fn search_on(&mut self, bound: u32, states_max: usize, budget: &Budget) -> Result<(), Stop> {
        // Whoever was here before may have watched for more.
        self.clear_of.clone_from(&self.watched);
        loop {
            let search = self.search.as_mut().ok_or(Stop::TooWide)?;
            if bound > search.listed.bound() {
                search.listed.raise(bound);
            }
            let rest = search.run(&mut self.space, budget, &|n, _| n > states_max, &|_| true);
            let (len, figures) = (search.listed.len(), search.listed.figures());
            self.length = bound;
            self.places = len.min(states_max.max(self.places));
            match rest {
                Rest::Through => {
                    self.bounds.push(figures);
                    self.shown = self.bounds.len();
                    self.places = len;
                    return Ok(());
                }
                Rest::Large => {
                    if self.go_over(bound, (figures.transitions, len), budget)? {
                        return Ok(());
                    }
                    self.stay_listed()?;
                    if len > states_max {
                        return Err(Stop::Enough);
                    }
                }
                Rest::Stopped(stop) => return Err(stop),
            }
        }
    }

    /// The bounds that were explored completely and looked at.
    pub(super) fn bounds(&self) -> &[Figures] {
        &self.bounds[..self.shown]
    }

    /// The figures of those of these bounds that have more than fits into an ordinary number.
    pub(super) fn exact(&self) -> impl Iterator<Item = &Exact> {
        self.exact.iter().filter(|exact| exact.bound <= self.bound())
    }

    /// The greatest bound that was explored completely and looked at.
    pub(super) fn bound(&self) -> u32 {
        self.bounds().last().map_or(0, |figures| figures.bound)
    }

    /// The diagram, if the last bound that was looked at is in it, with its set.
    fn drawn(&self) -> Option<(&Further, qp_diagrams::Set)> {
        let further = self.further.as_ref()?;
        let number = self.shown.checked_sub(further.diagram.first + 1)?;
        Some((further, further.diagram.sets[number]))
    }

    /// Whether a greater bound would show nothing more.
    fn is_over(&self) -> bool {
        self.shown == self.bounds.len()
            && match self.drawn() {
                Some((further, _)) => further.diagram.over,
                None => self.search.as_ref().is_some_and(|search| search.listed.is_over()),
            }
    }

    /// The greatest queue length, if everything was visited.
    pub(super) fn complete(&self) -> Option<u32> {
        let gave_up = match self.drawn() {
            Some((further, _)) => further.diagram.gave_up,
            None => self.search.as_ref()?.listed.gave_up().is_some(),
        };
        (self.stop.is_none() && self.is_over() && !gave_up).then(|| self.length())
    }

    /// The queue length up to which contents were seen, if not all of them.
    pub(super) fn length(&self) -> u32 {
        if self.drawn().is_some() { self.bound() } else { self.length }
    }

    /// How many configurations were looked at.
    pub(super) fn len(&self) -> u64 {
        match (self.drawn(), self.bounds().last()) {
            (Some(_), Some(figures)) => figures.states,
            _ => self.search.as_ref().map_or(0, |_| self.places as u64),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let drawn = self.further.as_ref().map_or(0, Further::bytes);
        self.search.as_ref().map_or(0, |it| it.listed.bytes()) + self.space.bytes() + drawn
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
        if let Some(later) = further.and_then(|further| number.checked_sub(further.diagram.first)) {
            self.project_drawn(projection, later)?;
        } else {
            let up_to = self.bounds[number].states as usize;
            projection.add(&mut self.space, &self.search.as_ref()?.listed, (up_to, all));
        }
        u64::try_from(projection.count()).ok()
    }

    /// Everything that was looked at, as it looks less closely.
    pub(super) fn reached(&mut self, look: Look) -> Projection {
        let mut projection = Projection::new(look);
        let number = self.drawn().map(|(further, _)| self.shown - 1 - further.diagram.first);
        if number.is_some_and(|number| self.project_drawn(&mut projection, number).is_some()) {
            return projection;
        }
        if let Some(search) = &self.search {
            projection.add(&mut self.space, &search.listed, (self.places, usize::MAX));
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
        let text = other.store_text(config.store);
        same.store = system.store_from_text(&text)?;
        Some(same)
    }
}

/// So many configurations are looked at before anything is tried.
pub(super) fn few(limits: &TaskLimits) -> usize {
    limits.small_max * 4
}

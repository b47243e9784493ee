//! The same set as a decision diagram, bound after bound.

use qp_base::Budget;
use qp_machines::{Config, QueueId};

use super::super::projection::Projection;
use super::{Explored, few};
use crate::search::any::Stop;
use crate::search::compiled::Compiled;
use crate::search::sets::ConfigSet;
use crate::search::space::Space;
use crate::search::symbolic::{Effort, Obstacle, Symbolic};
use crate::{Exact, Figures, Sets};

/// Work of finding out what a set looks like: a tenth of a second.
const LOOKING_WORK: u64 = 2_000_000;

/// Work that is worth going on with, however small the set is: some hundredths of a second.
const LEAST_WORK: u64 = 1_000_000;

/// How many times the steps at a bound the next one may take, where figures are wanted.
const GROWTH: u64 = 8;

/// A decision diagram, and what it was at each bound.
pub(super) struct Further {
    symbolic: Symbolic,
    /// How many bounds were completed before.
    pub(super) first: usize,
    /// The sets at the bounds from there on; they are held.
    sets: Vec<qp_diagrams::Set>,
    /// Whether nothing was cut at the last one.
    pub(super) over: bool,
    /// Whether the interpreter gave up, or may have.
    pub(super) gave_up: bool,
    /// Work that is left.
    left: u64,
}

impl Further {
    pub(super) fn bytes(&self) -> u64 {
        self.symbolic.bytes()
    }

    /// For each part: the values that were met.
    pub(super) fn values(&self) -> Vec<Vec<u32>> {
        self.symbolic.values()
    }
}

impl Explored {
    /// Goes over to a diagram at the bound of the search, if that takes no more work than the search has done so far; says
    /// whether it did.
    pub(super) fn go_over(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let Some(search) = &self.search else { return Ok(false) };
        let (bound, work, len) = (search.bound(), search.transitions(), search.len());
        let effort = self.effort(work, budget);
        let initial = self.space.system().initial();
        let initial = self.space.values(&initial);
        let explored =
            Symbolic::explore(compiled(&mut self.space), &initial, bound, budget, effort);
        match explored {
            Ok(symbolic) => {
                let (first, sets) = (self.bounds.len(), Vec::new());
                // Twice what a search of few configurations takes.
                let left = work.saturating_mul(2 * few(&self.limits) as u64) / len as u64;
                let left = left.saturating_add(LEAST_WORK);
                self.further =
                    Some(Further { symbolic, first, sets, over: false, gave_up: true, left });
                self.note_bound(budget)?;
                Ok(true)
            }
            Err(Obstacle::TooMuch) => Ok(false),
            Err(Obstacle::Exhausted(exhausted)) => Err(Stop::Exhausted(exhausted)),
        }
    }

    /// Raises the bound of the diagram. It is enough if that takes too much, or if queues have had more contents than could
    /// be looked at one by one.
    pub(super) fn go_further(
        &mut self,
        bound: u32,
        states_max: usize,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let Some(further) = &mut self.further else { return Err(Stop::Enough) };
        let n_values: usize = further.values().iter().map(Vec::len).sum();
        if n_values > states_max {
            return Err(Stop::Enough);
        }
        if self.limits.lists.figures {
            let last = self.bounds.last().map_or(0, |figures| figures.transitions);
            further.left = further.left.max(last.saturating_mul(GROWTH));
        }
        self.spend(budget, |symbolic, space, effort| symbolic.close(space, bound, budget, effort))?;
        self.note_bound(budget)
    }

    /// Keeps the set at a bound that is complete, with its figures.
    fn note_bound(&mut self, budget: &Budget) -> Result<(), Stop> {
        let Some(further) = &mut self.further else { return Ok(()) };
        let symbolic = &mut further.symbolic;
        further.sets.push(symbolic.keep());
        let (states, transitions) =
            (symbolic.count(), symbolic.transitions(compiled(&mut self.space)));
        let bound = symbolic.bound;
        let capped = |number| u64::try_from(number).unwrap_or(u64::MAX);
        let figures = Figures { bound, states: capped(&states), transitions: capped(&transitions) };
        if figures.states == u64::MAX || figures.transitions == u64::MAX {
            let (states, transitions) = (states.to_string(), transitions.to_string());
            self.exact.push(Exact { bound, states, transitions });
        }
        self.bounds.push(figures);
        let cut = self.spend(budget, |symbolic, space, effort| {
            symbolic.allow(effort);
            Ok((symbolic.stalled(space)?.is_empty(), symbolic.gave_up(space)?.is_some()))
        });
        let (over, gave_up) = match cut {
            Ok(found) => found,
            // Nothing is known then.
            Err(Stop::Enough | Stop::TooWide) => (false, true),
            Err(stop @ Stop::Exhausted(_)) => return Err(stop),
        };
        if let Some(further) = &mut self.further {
            (further.over, further.gave_up) = (over, gave_up);
        }
        Ok(())
    }

    /// A shortest way to what violates the watched property with this bit, if the diagram has it and it is found with the
    /// work that is left.
    pub(super) fn drawn_way(&mut self, bit: usize, budget: &Budget) -> Option<(u32, Vec<Config>)> {
        self.further.as_ref()?;
        let way = self.spend(budget, |symbolic, space, effort| {
            symbolic.allow(effort);
            let wrong = symbolic.wrong(space, bit)?;
            if wrong.is_empty() {
                return Ok(None);
            }
            symbolic.way(space, budget, wrong).map(Some)
        });
        let way = way.ok().flatten()?;
        let bound = self.bound();
        Some((bound, way.iter().map(|values| self.space.config(values)).collect()))
    }

    /// What the diagram looks like at one of its bounds, or as far as it got.
    pub(super) fn project_drawn(
        &mut self,
        projection: &mut Projection,
        number: Option<usize>,
    ) -> Option<()> {
        projection.learn(&mut self.space);
        let work = if self.limits.lists.figures { u64::MAX } else { LOOKING_WORK };
        let (work_max, order, tiny) = (work, self.limits.order, self.is_forgetful());
        let effort = Effort { work_max, nodes_max: 1 << 24, order, tiny };
        let Further { symbolic, sets, .. } = self.further.as_mut()?;
        let set = match number {
            Some(number) => sets[number],
            None => symbolic.keep(),
        };
        let drawing = symbolic.drawing(set, effort).map(ConfigSet::from);
        if number.is_none() {
            symbolic.release(set);
        }
        projection.replace(&drawing.ok()?)
    }

    /// A configuration of the diagram in which a queue exists.
    pub(super) fn with_queue(&mut self, queue: QueueId) -> Option<Config> {
        let symbolic = &mut self.further.as_mut()?.symbolic;
        let there = symbolic.with_queue(compiled(&mut self.space), queue.index()).ok()?;
        let values = symbolic.first(there)?;
        Some(self.space.config(&values))
    }

    /// Does something to the diagram with the work that is left.
    fn spend<T>(
        &mut self,
        budget: &Budget,
        operation: impl FnOnce(&mut Symbolic, &mut Compiled, Effort) -> Result<T, Obstacle>,
    ) -> Result<T, Stop> {
        let left = self.further.as_ref().map_or(0, |further| further.left);
        let effort = self.effort(left, budget);
        let further = self.further.as_mut().ok_or(Stop::Enough)?;
        let before = further.symbolic.work();
        let result = operation(&mut further.symbolic, compiled(&mut self.space), effort);
        further.left = left.saturating_sub(further.symbolic.work() - before);
        result.map_err(|obstacle| match obstacle {
            Obstacle::TooMuch => Stop::Enough,
            Obstacle::Exhausted(exhausted) => Stop::Exhausted(exhausted),
        })
    }

    fn effort(&self, work: u64, budget: &Budget) -> Effort {
        let nodes_max = usize::try_from(budget.limits().memory_bytes / 128);
        let is_forced = matches!(self.limits.sets, Sets::Symbolic | Sets::Forgetful);
        Effort {
            work_max: if is_forced { u64::MAX } else { work },
            nodes_max: nodes_max.unwrap_or(usize::MAX).min(1 << 30),
            order: self.limits.order,
            tiny: self.is_forgetful(),
        }
    }

    fn is_forgetful(&self) -> bool {
        self.limits.sets == Sets::Forgetful
    }
}

fn compiled(space: &mut Space) -> &mut Compiled {
    match space {
        Space::Compiled(compiled) => compiled,
        Space::Turns(_) => {
            unreachable!("bug in Queueproof: only compiled systems have diagrams")
        }
    }
}

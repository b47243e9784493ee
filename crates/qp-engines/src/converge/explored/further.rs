//! The same set as a decision diagram, bound after bound.

use qp_base::Budget;
use qp_machines::{Config, QueueId};

use super::super::projection::Projection;
use super::{Explored, few};
use crate::search::any::Stop;
use crate::search::bounded::Diagram;
use crate::search::sets::ConfigSet;
use crate::search::space::Space;
use crate::search::symbolic::{DiagramSet, Effort, Obstacle};
use crate::{Sets, TaskLimits};

/// Work of finding out what a set looks like: a tenth of a second.
const LOOKING_WORK: u64 = 2_000_000;

/// Work that is worth going on with, however small the set is: some hundredths of a second.
const LEAST_WORK: u64 = 1_000_000;

/// How many times the steps at a bound the next one may take, where figures are wanted.
const GROWTH: u64 = 8;

/// A decision diagram, and what it was at each bound.
pub(super) struct Further {
    pub(super) diagram: Diagram,
    /// Work that is left.
    left: u64,
}

/// Twice the work of a search of few configurations, for somebody who took so much for so many.
pub(super) fn allowance(work: u64, len: usize, limits: &TaskLimits) -> u64 {
    let left = work.saturating_mul(2 * few(limits) as u64) / len.max(1) as u64;
    left.saturating_add(LEAST_WORK)
}

impl Further {
    /// What others have drawn, if it can be looked at bound by bound.
    pub(super) fn known(space: &Space, diagram: Diagram, left: u64) -> Option<Self> {
        matches!(space, Space::Compiled(_)).then_some(Self { diagram, left })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.diagram.symbolic.bytes()
    }

    /// For each part: the values that were met in one of its sets.
    pub(super) fn values(&self, set: qp_diagrams::Set) -> Vec<Vec<u32>> {
        self.diagram.symbolic.values(set)
    }
}

impl Explored {
    /// Goes over to a diagram at this bound, if that takes no more work than it took to list so many configurations
    /// there; says whether it did.
    pub(super) fn go_over(
        &mut self,
        bound: u32,
        (work, len): (u64, usize),
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let effort = Effort::new(work, &self.limits, budget);
        let initial = self.space.system().initial();
        let initial = self.space.values(&initial);
        match DiagramSet::explore(&mut self.space, &initial, bound, budget, effort) {
            Ok(symbolic) => {
                let (first, sets) = (self.shown, Vec::new());
                let left = allowance(work, len, &self.limits);
                let diagram = Diagram { symbolic, first, sets, over: false, gave_up: true };
                self.further = Some(Further { diagram, left });
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
        self.has_few_values(states_max)?;
        self.clear_of.clone_from(&self.watched);
        let Some(further) = &mut self.further else { return Err(Stop::Enough) };
        if self.limits.lists.figures {
            let last = self.bounds.last().map_or(0, |figures| figures.transitions);
            further.left = further.left.max(last.saturating_mul(GROWTH));
        }
        self.spend(budget, |symbolic, space, effort| symbolic.close(space, bound, budget, effort))?;
        self.note_bound(budget)
    }

    /// Looks at the next bound of those that others have drawn.
    pub(super) fn look_further(&mut self, states_max: usize) -> Result<(), Stop> {
        self.has_few_values(states_max)?;
        self.shown += 1;
        Ok(())
    }

    /// Whether queues have had no more contents than can be looked at one by one.
    fn has_few_values(&self, states_max: usize) -> Result<(), Stop> {
        let values = self.drawn().map(|(further, set)| further.values(set));
        let n_values: usize = values.iter().flatten().map(Vec::len).sum();
        if n_values > states_max { Err(Stop::Enough) } else { Ok(()) }
    }

    /// Keeps the set at a bound that is complete, with its figures.
    fn note_bound(&mut self, budget: &Budget) -> Result<(), Stop> {
        let Some(further) = &mut self.further else { return Ok(()) };
        let Diagram { symbolic, sets, .. } = &mut further.diagram;
        sets.push(symbolic.keep());
        let (figures, exact) = symbolic.figures(&mut self.space).map_err(stop)?;
        if self.exact.iter().all(|it| it.bound != figures.bound) {
            self.exact.extend(exact);
        }
        if self.shown == self.bounds.len() {
            self.bounds.push(figures);
        }
        self.shown += 1;
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
            (further.diagram.over, further.diagram.gave_up) = (over, gave_up);
        }
        Ok(())
    }

    /// A shortest way to what violates the watched property with this bit, if the diagram has it and it is found with the
    /// work that is left.
    pub(super) fn drawn_way(&mut self, bit: usize, budget: &Budget) -> Option<(u32, Vec<Config>)> {
        self.drawn().filter(|_| self.shown > self.given)?;
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

    /// What the diagram looks like at one of its bounds.
    pub(super) fn project_drawn(
        &mut self,
        projection: &mut Projection,
        number: usize,
    ) -> Option<()> {
        projection.learn(&mut self.space);
        let work = if self.limits.lists.figures { u64::MAX } else { LOOKING_WORK };
        let tiny = self.limits.sets == Sets::Forgetful;
        let (order, nodes_max) = (self.limits.order, 1 << 24);
        let effort = Effort { work_max: work, nodes_max, order, tiny };
        let Diagram { symbolic, sets, .. } = &self.further.as_ref()?.diagram;
        let drawing = symbolic.drawing(sets[number], effort).map(ConfigSet::from);
        projection.replace(&drawing.ok()?)
    }

    /// A configuration of the diagram in which a queue exists.
    pub(super) fn with_queue(&mut self, queue: QueueId) -> Option<Config> {
        let symbolic = &mut self.further.as_mut()?.diagram.symbolic;
        let there = symbolic.with_queue(&mut self.space, queue.index()).ok()?;
        let values = symbolic.first(there)?;
        Some(self.space.config(&values))
    }

    /// Does something to the diagram with the work that is left.
    fn spend<T>(
        &mut self,
        budget: &Budget,
        operation: impl FnOnce(&mut DiagramSet, &mut Space, Effort) -> Result<T, Obstacle>,
    ) -> Result<T, Stop> {
        let left = self.further.as_ref().map_or(0, |further| further.left);
        let effort = Effort::new(left, &self.limits, budget);
        let further = self.further.as_mut().ok_or(Stop::Enough)?;
        let symbolic = &mut further.diagram.symbolic;
        let before = symbolic.work();
        let result = operation(symbolic, &mut self.space, effort);
        further.left = left.saturating_sub(symbolic.work() - before);
        result.map_err(stop)
    }
}

fn stop(obstacle: Obstacle) -> Stop {
    match obstacle {
        Obstacle::TooMuch => Stop::Enough,
        Obstacle::Exhausted(exhausted) => Stop::Exhausted(exhausted),
    }
}

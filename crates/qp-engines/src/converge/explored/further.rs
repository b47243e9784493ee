//! The same set as a decision diagram, bound after bound.

use qp_base::Budget;
use qp_machines::{Config, QueueId};

use super::super::projection::Projection;
use super::{Explored, few};
use crate::search::any::Stop;
use crate::search::bounded::Diagram;
use crate::search::compiled::Compiled;
use crate::search::sets::ConfigSet;
use crate::search::space::Space;
use crate::search::symbolic::either::AnySymbolic;
use crate::search::symbolic::{Effort, Obstacle, Symbolic};
use crate::{Exact, Figures, Sets, TaskLimits};

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
    pub(super) sets: Vec<qp_diagrams::Set>,
    /// Whether nothing was cut at the last one.
    pub(super) over: bool,
    /// Whether the interpreter gave up, or may have.
    pub(super) gave_up: bool,
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
    pub(super) fn known(diagram: Diagram, left: u64) -> Option<Self> {
        let Diagram { symbolic: AnySymbolic::Compiled(symbolic), first, sets, over, gave_up } =
            diagram
        else {
            return None;
        };
        Some(Self { symbolic: *symbolic, first, sets, over, gave_up, left })
    }

    /// What others go on with.
    pub(super) fn into_known(self) -> Diagram {
        let Self { symbolic, first, sets, over, gave_up, .. } = self;
        let symbolic = AnySymbolic::Compiled(Box::new(symbolic));
        Diagram { symbolic, first, sets, over, gave_up }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.symbolic.bytes()
    }

    /// For each part: the values that were met in one of its sets.
    pub(super) fn values(&self, set: qp_diagrams::Set) -> Vec<Vec<u32>> {
        self.symbolic.values(set)
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
        let effort = self.effort(work, budget);
        let initial = self.space.system().initial();
        let initial = self.space.values(&initial);
        let explored =
            Symbolic::explore(compiled(&mut self.space), &initial, bound, budget, effort);
        match explored {
            Ok(symbolic) => {
                let (first, sets) = (self.shown, Vec::new());
                let left = allowance(work, len, &self.limits);
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
        let symbolic = &mut further.symbolic;
        further.sets.push(symbolic.keep());
        let (states, transitions) =
            (symbolic.count(), symbolic.transitions(compiled(&mut self.space)));
        let bound = symbolic.bound;
        let capped = |number| u64::try_from(number).unwrap_or(u64::MAX);
        let figures = Figures { bound, states: capped(&states), transitions: capped(&transitions) };
        let is_known = self.exact.iter().any(|exact| exact.bound == bound);
        if !is_known && (figures.states == u64::MAX || figures.transitions == u64::MAX) {
            let (states, transitions) = (states.to_string(), transitions.to_string());
            self.exact.push(Exact { bound, states, transitions });
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
            (further.over, further.gave_up) = (over, gave_up);
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
        let (work_max, order, tiny) = (work, self.limits.order, self.is_forgetful());
        let effort = Effort { work_max, nodes_max: 1 << 24, order, tiny };
        let Further { symbolic, sets, .. } = self.further.as_ref()?;
        let drawing = symbolic.drawing(sets[number], effort).map(ConfigSet::from);
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

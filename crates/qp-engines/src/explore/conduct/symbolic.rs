//! The same run with a set that is kept as a decision diagram.
//!
//! Going over is tried when the set has become large, with a fraction of the work that the search has done so far;
//! what was tried in vain is tried again when the set is four times as large. So a system whose diagrams are
//! larger than its sets costs less than twice what it costs without them.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use qp_machines::{Config, Property, QueueId, Step};

use super::answers::{LISTED_MAX, Seen, whole};
use super::{Conduct, Diagram, Eventual, Figures, Sets};
use crate::search::any::AnySearch;
use crate::search::space::Space;
use crate::search::symbolic::{DiagramSet, Effort, Obstacle};
use crate::search::{drawn, evidence, witness};

/// Configurations that are looked at one by one even if only diagrams are wanted: to learn who talks to whom.
const LEARNT: usize = 1_000;

/// Work of looking for loops that make queues grow, at each bound.
const LOOPS_WORK: u64 = 2_000_000;

impl Conduct<'_> {
    /// With more configurations than this, diagrams are tried.
    pub(super) fn goes_over_at(&self) -> usize {
        let limits = &self.task.limits;
        match limits.sets {
            _ if limits.reduce => usize::MAX,
            Sets::Explicit => usize::MAX,
            Sets::Auto { .. } if !self.diagrams_answer_all() => usize::MAX,
            Sets::Auto { from, .. } => from,
            Sets::Symbolic | Sets::Forgetful => LEARNT,
        }
    }

    /// Whether diagrams are used however small the set is.
    pub(super) fn always_goes_over(&self) -> bool {
        matches!(self.task.limits.sets, Sets::Symbolic | Sets::Forgetful)
    }

    /// Whether diagrams answer everything that is asked.
    fn diagrams_answer_all(&self) -> bool {
        let outline = self.task.model.outline();
        self.task.properties.iter().all(|property| match property {
            Property::Livelock | Property::Accept | Property::Ltl(_) => property.is_void(outline),
            _ => true,
        })
    }

    /// Goes on with a decision diagram, from the bound of a search on. Nothing if that takes too much.
    pub(super) fn go_over(&mut self, search: &AnySearch) -> Option<Seen> {
        let n_bounds = self.bounds.len();
        self.look_for_growth(search);
        let seen = self.follow(search);
        if seen.is_none() {
            self.bounds.truncate(n_bounds);
            self.exact.clear();
        }
        seen
    }

    fn effort(&self, work_max: u64) -> Effort {
        Effort::new(work_max, &self.task.limits, self.budget)
    }

    fn follow(&mut self, search: &AnySearch) -> Option<Seen> {
        let work = DiagramSet::worth(&self.space, search.transitions());
        let effort = self.effort(work);
        let initial = self.space.system().initial();
        let initial = self.space.values(&initial);
        let (bound, budget) = (search.bound(), self.budget);
        let space = &mut self.space;
        let symbolic = DiagramSet::explore(space, &initial, bound, budget, effort).ok()?;
        let (first, sets) = (self.bounds.len(), Vec::new());
        self.raise(Diagram { symbolic, first, sets, over: false, gave_up: true }, work)
    }

    /// Goes on with a diagram that an earlier run has left.
    pub(super) fn follow_on(&mut self, mut diagram: Diagram) -> Option<Seen> {
        let last = self.bounds.last().map_or(0, |figures| figures.transitions);
        let work = DiagramSet::worth(&self.space, last);
        let (bound, budget, effort) = (diagram.symbolic.bound(), self.budget, self.effort(work));
        // It may have been stopped in the midst of it.
        let closed = diagram.symbolic.close(&mut self.space, bound, budget, effort);
        closed.ok().and_then(|()| self.raise(diagram, work))
    }

    /// Raises the bound of a diagram as long as there is a need for it.
    fn raise(&mut self, mut diagram: Diagram, mut work: u64) -> Option<Seen> {
        let (mut last, budget) = (None, self.budget);
        let seen = loop {
            let effort = self.effort(work / 2);
            let found = match self.look_at(&mut diagram.symbolic, effort) {
                Ok(found) => last.insert(found).clone(),
                Err(obstacle) => break self.cut_short(&mut diagram.symbolic, last, obstacle),
            };
            let number = self.bounds.iter().position(|it| it.bound == found.figures.bound);
            let is_next = number == Some(diagram.first + diagram.sets.len());
            // Nobody looks at sets of other systems bound by bound.
            if is_next && matches!(self.space, Space::Compiled(_)) {
                diagram.sets.push(diagram.symbolic.keep());
            }
            let Some(bound) = self.next_drawn(&found) else {
                break match self.seen(&mut diagram.symbolic, &found) {
                    Ok(seen) => {
                        (diagram.over, diagram.gave_up) = (found.over, seen.gave_up.is_some());
                        Some(seen)
                    }
                    Err(obstacle) => self.cut_short(&mut diagram.symbolic, last, obstacle),
                };
            };
            self.budget.progress().bound.store(bound, Ordering::Relaxed);
            work = work.max(DiagramSet::worth(&self.space, found.figures.transitions));
            let effort = self.effort(work);
            if let Err(obstacle) = diagram.symbolic.close(&mut self.space, bound, budget, effort) {
                break self.cut_short(&mut diagram.symbolic, last, obstacle);
            }
        };
        self.diagram = seen.is_some().then_some(diagram);
        seen
    }

    /// What there is to say if a limit was met; nothing if only diagrams are too much.
    fn cut_short(
        &mut self,
        set: &mut DiagramSet,
        last: Option<AtBound>,
        obstacle: Obstacle,
    ) -> Option<Seen> {
        let Obstacle::Exhausted(exhausted) = obstacle else { return None };
        let found = last?;
        self.spent = Some(exhausted);
        let longest = set.longest(&mut self.space);
        let n_queues = self.task.model.outline().queues.len();
        let queues = longest.into_iter().take(n_queues).map(|longest| (longest, Vec::new()));
        Some(Seen {
            figures: found.figures,
            stalled: found.stalled,
            queues: queues.collect(),
            bytes: set.bytes(),
            nodes: Some(set.size() as u64),
            ..Seen::default()
        })
    }

    /// The bound to go on with, if there is a need for it.
    fn next_drawn(&mut self, found: &AtBound) -> Option<u32> {
        let settled = self.is_enough(found.figures.states);
        self.schedule.next(found.figures.bound, found.over, settled)
    }

    /// Looks for everything that is to be said at a bound.
    fn look_at(&mut self, set: &mut DiagramSet, effort: Effort) -> Result<AtBound, Obstacle> {
        set.allow(effort);
        let (figures, exact) = set.figures(&mut self.space)?;
        self.look_for_hits(set, figures)?;
        self.look_for_what_never_happens(set, figures)?;
        let stalled = set.stalled(&mut self.space)?;
        self.look_for_loops(set, &stalled)?;
        set.allow(effort);
        let over = stalled.is_empty();
        let stalled = stalled.into_iter().map(QueueId::new).collect();
        self.explored(figures);
        if self.exact.iter().all(|it| it.bound != figures.bound) {
            self.exact.extend(exact);
        }
        Ok(AtBound { figures, over, stalled })
    }

    /// A shortest run for each watched property that is violated.
    fn look_for_hits(&mut self, set: &mut DiagramSet, figures: Figures) -> Result<(), Obstacle> {
        for (bit, property) in self.watch.properties().to_vec().into_iter().enumerate() {
            let wrong = set.wrong(&mut self.space, bit)?;
            if !wrong.is_empty() {
                let configs = self.way(set, wrong)?;
                self.violated(property, &configs, figures);
            }
        }
        if self.watch.properties().iter().any(|&property| self.is_answered(property)) {
            self.watch_what_is_open();
        }
        Ok(())
    }

    /// `stuck` and `orphan`.
    fn look_for_what_never_happens(
        &mut self,
        set: &mut DiagramSet,
        figures: Figures,
    ) -> Result<(), Obstacle> {
        let (stuck, orphan) = self.asks_what_never_happens();
        if !stuck && !orphan {
            return Ok(());
        }
        let budget = self.budget;
        let found = set.eventual(&mut self.space, budget, (stuck, orphan))?;
        for (property, wrong) in [(Property::Stuck, found.stuck), (Property::Orphan, found.orphan)]
        {
            if !wrong.is_empty() {
                let configs = self.way(set, wrong)?;
                self.violated(property, &configs, figures);
            }
            set.release(wrong);
        }
        self.found.eventual = Eventual::Clear { skips: found.skips };
        Ok(())
    }

    /// The configurations on a shortest way to one of these.
    fn way(
        &mut self,
        set: &mut DiagramSet,
        target: qp_diagrams::Set,
    ) -> Result<Vec<Config>, Obstacle> {
        let way = set.way(&mut self.space, self.budget, target)?;
        Ok(way.iter().map(|values| self.space.config(values)).collect())
    }

    /// Loops that make queues grow, on shortest ways to where sends to them are cut.
    fn look_for_loops(&mut self, set: &mut DiagramSet, stalled: &[usize]) -> Result<(), Obstacle> {
        if !self.task.limits.queues {
            return Ok(());
        }
        set.allow(Effort { work_max: LOOPS_WORK, ..self.effort(0) });
        for &queue in stalled {
            if self.grows(queue) {
                continue;
            }
            let cut = set.cut(&mut self.space, queue)?;
            let configs = match self.way(set, cut) {
                Ok(configs) => configs,
                // Layers can be far larger than the set, and a loop is not what was asked for.
                Err(Obstacle::TooMuch) => return Ok(()),
                Err(exhausted @ Obstacle::Exhausted(_)) => return Err(exhausted),
            };
            self.look_for_pump(queue, &configs);
        }
        Ok(())
    }

    /// What the search came to.
    fn seen(&mut self, set: &mut DiagramSet, found: &AtBound) -> Result<Seen, Obstacle> {
        self.look_for_lengths(set, found.figures)?;
        let gave_up = set.gave_up(&mut self.space)?;
        let gave_up = gave_up.map(|values| self.space.config(&values));
        let complete = found.over && gave_up.is_none();
        let small = found.figures.states <= self.task.limits.evidence_max as u64;
        let listed = small && found.figures.states <= LISTED_MAX as u64;
        let rows = (complete && listed && self.wants_evidence()).then(|| {
            let mut rows = Vec::new();
            set.each(|values| rows.push(values.to_vec()));
            rows
        });
        let evidence = rows.map(|rows| evidence::listed_set(&mut self.space, rows.into_iter()));
        let diagram = if complete && !small && self.wants_evidence() {
            drawn::diagram_set(&mut self.space, set.drawn()?)
        } else {
            None
        };
        let queues = if self.task.limits.queues { self.queues_of(set)? } else { Vec::new() };
        Ok(Seen {
            figures: found.figures,
            complete,
            gave_up,
            stalled: found.stalled.clone(),
            set: evidence.map(Arc::new),
            diagram: diagram.map(Arc::new),
            whole: whole(complete, found.figures),
            queues,
            bytes: set.bytes(),
            nodes: Some(set.size() as u64),
            ..Seen::default()
        })
    }

    /// Queues that got longer than they should.
    fn look_for_lengths(&mut self, set: &mut DiagramSet, figures: Figures) -> Result<(), Obstacle> {
        for property in self.task.properties.clone() {
            let Property::Length(queue, bound) = property else { continue };
            let longer = set.longer(&mut self.space, queue.index(), bound)?;
            if !longer.is_empty() {
                let configs = self.way(set, longer)?;
                self.violated(property, &configs, figures);
            }
        }
        Ok(())
    }

    /// For each queue: its greatest length, and a run to where it exists.
    fn queues_of(&mut self, set: &mut DiagramSet) -> Result<Vec<(u32, Vec<Step>)>, Obstacle> {
        let longest = set.longest(&mut self.space);
        let mut queues = Vec::new();
        for (queue, longest) in longest.into_iter().enumerate() {
            let there = set.with_queue(&mut self.space, queue)?;
            // Queues come and go at the end, and some were only in turns that were cut.
            if there.is_empty() {
                break;
            }
            let configs = self.way(set, there)?;
            let steps = witness::steps(&mut self.space, &configs);
            queues.push((longest, steps.into_iter().map(|outcome| outcome.step).collect()));
        }
        Ok(queues)
    }
}

/// What was found at a bound.
#[derive(Clone)]
struct AtBound {
    figures: Figures,
    /// Whether no send was cut.
    over: bool,
    stalled: Vec<QueueId>,
}

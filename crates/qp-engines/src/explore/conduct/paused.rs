//! A run that was stopped by a limit of its own, for one with a greater limit to go on with.

use qp_base::Exhausted;
use qp_machines::Property;

use super::{Conduct, Found};
use crate::Answer;
use crate::search::bounded::{Bounded, BoundedSpace};
use crate::search::marks::Watch;

/// What a run has found out, apart from the space.
pub(crate) struct Paused {
    asked: Vec<Property>,
    watch: Watch,
    left_out: Vec<Property>,
    answers: Vec<Answer>,
    found: Found,
}

impl Conduct<'_> {
    /// Goes on with what earlier runs have explored, and with what was found if an earlier one was asked as much.
    pub(super) fn take_up(&mut self) -> Option<Bounded> {
        let is_asked = |paused: &Paused| {
            self.task.properties.iter().all(|property| paused.asked.contains(property))
        };
        let paused = self.facts.take_paused().filter(is_asked);
        let mut watch = paused.as_ref().map_or(&self.watch, |paused| &paused.watch).clone();
        watch.retain(|property| self.task.properties.contains(&property));
        // Who has searched meanwhile has watched for something else, and has said what it found.
        let is_clear = |known: &BoundedSpace| {
            watch.properties().iter().all(|property| known.clear_of.contains(property))
        };
        let space = self.facts.take_space(self.task.limits.reduce, self.budget, is_clear)?;
        let BoundedSpace { space, mut search, diagram, bounds, exact, .. } = space;
        (self.space, self.bounds, self.exact) = (space, bounds, exact);
        let draws = self.goes_over_at() < usize::MAX;
        if !draws {
            search.retain_listed(&mut self.bounds);
            self.exact.clear();
        }
        self.diagram = diagram.filter(|_| draws);
        search.over_at = if draws { search.over_at } else { usize::MAX };
        self.watch = watch;
        search.listed.forget_hits();
        self.space.watch(self.watch.clone());
        if let Some(Paused { found, left_out, answers, .. }) = paused {
            (self.found, self.left_out, self.answers) = (found, left_out, answers);
        }
        // Somebody else may have completed the bound in which it was stopped.
        for figures in self.bounds.clone() {
            self.explored(figures);
        }
        Some(search)
    }

    /// Leaves everything to whoever comes next.
    pub(super) fn pause(self, search: Bounded) {
        self.facts.leave_growing(&self.found.growing);
        // The interpreter may have given up because the time was up.
        if self.spent == Some(Exhausted::Time) && search.listed.gave_up().is_some() {
            return;
        }
        let clear_of = self.watch.properties().to_vec();
        let Self { space, diagram, bounds, exact, .. } = self;
        let left = BoundedSpace { space, search, diagram, bounds, exact, clear_of };
        self.facts.leave_space(self.task.limits.reduce, left);
        // How long queues get is asked at the end, of everything that was visited by then.
        let answers = self.answers.into_iter();
        let answers = answers.filter(|it| !matches!(it.property, Property::Length(..))).collect();
        let Self { watch, left_out, found, .. } = self;
        let asked = self.task.properties;
        self.facts.leave_paused(Paused { asked, watch, left_out, answers, found });
    }
}

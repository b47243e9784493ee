//! What a model can reach while queues are short, as sets that can be asked, compared and looked at less closely.
//!
//! The engine needs no more of them than numbers; this is for those who want the sets themselves.

use std::sync::{Arc, Mutex};

use qp_base::Budget;
use qp_machines::{Config, Model, System};

use super::blur::{Lists, Notes, lock};
use super::projection::Projection;
use crate::Sets;
use crate::lists::Look;
use crate::search::any::{AnySearch, Stop};
use crate::search::marks::Watch;
use crate::search::sets::{ConfigSet, Listed};
use crate::search::space::Space;
use crate::search::symbolic::{DiagramSet, Effort, Obstacle};

/// Sets of configurations of one model. Their values mean the same in all sets of the same one.
pub struct Reachable {
    space: Space,
    /// The set of the greatest bound so far for which a diagram was wanted.
    symbolic: Option<DiagramSet>,
    /// What came up, if contents are told apart as lists.
    notes: Arc<Mutex<Notes>>,
}

impl Reachable {
    /// Of a model as it is.
    pub fn new(model: &Model) -> Self {
        Self::of(model.system(), Arc::default())
    }

    /// Of a model whose queues are told apart no more than their first `prefix` messages, and how often others occur
    /// behind them up to `counted`.
    pub fn blurred(model: &Model, prefix: u32, counted: u32) -> Self {
        let notes = Arc::default();
        let lists = Lists::new(Look { prefix, counted }, Vec::new(), Arc::clone(&notes));
        Self::of(model.system().over(Box::new(lists)), notes)
    }

    fn of(system: System, notes: Arc<Mutex<Notes>>) -> Self {
        let outline = system.program().outline();
        let (watch, _) = Watch::new(&[], outline);
        Self { space: Space::new(system, watch), symbolic: None, notes }
    }

    /// Everything that is reached while no queue holds more than `bound` messages, kept in this way where the model
    /// allows it.
    pub fn within(
        &mut self,
        bound: u32,
        sets: Sets,
        budget: &Budget,
    ) -> Result<ConfigSet, Obstacle> {
        let from = match sets {
            Sets::Explicit => usize::MAX,
            Sets::Auto { from, .. } => from,
            Sets::Symbolic | Sets::Forgetful => 0,
        };
        let is_compiled = matches!(self.space, Space::Compiled(_));
        let most = if is_compiled { from } else { usize::MAX };
        let set = match self.listed(bound, most, budget)? {
            Some(listed) => listed.into(),
            None => self.drawn(bound, sets == Sets::Forgetful, budget)?,
        };
        let notes = lock(&self.notes);
        let refused = notes.doubt.is_some() || notes.too_wide;
        if refused { Err(Obstacle::TooMuch) } else { Ok(set) }
    }

    /// Nothing if there are more than `most`.
    fn listed(
        &mut self,
        bound: u32,
        most: usize,
        budget: &Budget,
    ) -> Result<Option<Listed>, Obstacle> {
        let search = AnySearch::new(&mut self.space, bound, 1).ok_or(Obstacle::TooMuch)?;
        let mut enough = |n: usize, _: &[Option<u32>; 64]| n > most;
        let (search, end) = search.run(&mut self.space, budget, &mut enough);
        match end {
            Ok(()) => {}
            Err(Stop::Enough) => return Ok(None),
            Err(Stop::TooWide) => return Err(Obstacle::TooMuch),
            Err(Stop::Exhausted(exhausted)) => return Err(Obstacle::Exhausted(exhausted)),
        }
        let mut listed = Listed::default();
        search.each(0..search.len(), |values| listed.add(values));
        Ok(Some(listed))
    }

    fn drawn(&mut self, bound: u32, tiny: bool, budget: &Budget) -> Result<ConfigSet, Obstacle> {
        let effort = Effort { tiny, ..Effort::ANY };
        let initial = self.space.system().initial();
        let initial = self.space.values(&initial);
        let space = &mut self.space;
        let mut symbolic = match self.symbolic.take() {
            Some(symbolic) if symbolic.bound() <= bound => symbolic,
            _ => DiagramSet::explore(space, &initial, bound, budget, effort)?,
        };
        symbolic.close(space, bound, budget, effort)?;
        let set = symbolic.keep();
        let drawing = symbolic.drawing(set, effort);
        symbolic.release(set);
        self.symbolic = Some(symbolic);
        drawing.map(ConfigSet::from)
    }

    /// What the configurations of a set look like: values are numbers of looks then.
    pub fn looks(
        &mut self,
        set: &ConfigSet,
        prefix: u32,
        counted: u32,
    ) -> Result<ConfigSet, Obstacle> {
        let mut projection = Projection::new(Look { prefix, counted });
        projection.learn(&mut self.space);
        set.project(|part, value| projection.number(part, value))
    }

    /// The greatest number of machines that any configuration has had.
    pub fn n_machines(&mut self) -> usize {
        self.space.n_machines_queues().0
    }

    /// The configuration with these values of parts.
    pub fn config(&mut self, values: &[u32]) -> Config {
        let mut values = values.to_vec();
        values.resize(self.space.counts().len(), 0);
        self.space.config(&values)
    }
}

//! What engines have found out in one run, for those that come after them.
//!
//! An engine takes what it goes on with and leaves it where it got to. Only engines that run one after the other share
//! facts, so what each of them finds depends on the order of turns and on nothing else. Random runs are the exception:
//! they run beside others, and what is left of them nobody else takes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use qp_base::{Budget, Map};
use qp_claim::Trace;
use qp_machines::{DetailId, Net, Program, QueueId};

use crate::explore::Paused;
use crate::roam::Walked;
use crate::search::bounded::BoundedSpace;

/// What is known in one run of the engines about one model.
#[derive(Default)]
pub struct Facts {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// What was explored with all orders of steps.
    whole: Slot,
    /// What was explored with some of them left out: another space.
    reduced: Slot,
    /// What the exact search has found so far, apart from the space.
    paused: Option<Paused>,
    /// What there is of random runs.
    walked: Option<Walked>,
    /// For each queue: a run that makes it grow for ever.
    growing: Vec<Option<Trace>>,
    /// Nets by the details that they follow, and why there is none.
    nets: Map<Vec<DetailId>, Result<Arc<Net>, String>>,
}

#[derive(Default)]
struct Slot {
    space: Option<BoundedSpace>,
    n_begun: usize,
}

impl Facts {
    /// How often a search of one bounded space was begun at most: it should be once.
    pub fn n_begun(&self) -> usize {
        let kept = self.lock();
        kept.whole.n_begun.max(kept.reduced.n_begun)
    }

    /// Notes that somebody begins to search, because there was nothing to go on with.
    pub(crate) fn begin(&self, reduced: bool) {
        self.lock().slot(reduced).n_begun += 1;
    }

    /// The space that was explored so far, if it is of use, for somebody with this budget. Who takes it leaves it again.
    pub(crate) fn take_space(
        &self,
        reduced: bool,
        budget: &Budget,
        is_of_use: impl FnOnce(&BoundedSpace) -> bool,
    ) -> Option<BoundedSpace> {
        let mut kept = self.lock();
        let slot = &mut kept.slot(reduced).space;
        slot.as_ref().filter(|space| is_of_use(space))?;
        let mut known = slot.take()?;
        known.space.system().heed(budget);
        // Whoever had it last may have met more values than fit into its keys.
        known.search.refit(&known.space).then_some(known)
    }

    pub(crate) fn leave_space(&self, reduced: bool, space: BoundedSpace) {
        self.lock().slot(reduced).space = Some(space);
    }

    pub(crate) fn take_paused(&self) -> Option<Paused> {
        self.lock().paused.take()
    }

    pub(crate) fn leave_paused(&self, paused: Paused) {
        self.lock().paused = Some(paused);
    }

    pub(crate) fn take_walked(&self) -> Option<Walked> {
        self.lock().walked.take()
    }

    pub(crate) fn leave_walked(&self, walked: Walked) {
        self.lock().walked = Some(walked);
    }

    /// A run that makes a queue grow for ever, if somebody has met one.
    pub(crate) fn growth(&self, queue: QueueId) -> Option<Trace> {
        self.lock().growing.get(queue.index()).cloned().flatten()
    }

    pub(crate) fn leave_growing(&self, growing: &[Option<Trace>]) {
        let known = &mut self.lock().growing;
        known.resize(known.len().max(growing.len()), None);
        known.iter_mut().zip(growing).for_each(|(known, trace)| *known = trace.clone());
    }

    /// The net that follows these details, made once.
    pub(crate) fn net(
        &self,
        program: &mut dyn Program,
        followed: &[DetailId],
    ) -> Result<Arc<Net>, String> {
        let known = self.lock().nets.get(followed).cloned();
        known.unwrap_or_else(|| {
            let net = program.net(followed).map(Arc::new);
            self.lock().nets.insert(followed.to_vec(), net.clone());
            net
        })
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn slot(&mut self, reduced: bool) -> &mut Slot {
        if reduced { &mut self.reduced } else { &mut self.whole }
    }
}

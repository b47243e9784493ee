//! How much an engine may spend, and how it says how far it got.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The limits of one run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Wall-clock time; `None` means no limit.
    pub time: Option<Duration>,
    /// Bytes that an engine may hold for its sets.
    pub memory_bytes: u64,
    /// Configurations that an engine may visit: the limit that does not depend on the machine.
    pub states_max: u64,
}

/// A running allowance. Every outer loop of every engine asks it; nothing else reads the clock.
#[derive(Clone, Debug)]
pub struct Budget {
    limits: Limits,
    deadline: Option<Instant>,
    cancelled: Arc<AtomicBool>,
    /// Set when only this engine is to stop.
    dismissed: Arc<AtomicBool>,
    progress: Arc<Progress>,
    /// Whether the configurations that are counted are blurred ones.
    blurred: bool,
}

/// What a run has used so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Configurations visited.
    pub states: u64,
    /// Bytes held.
    pub bytes: u64,
}

/// Which limit was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    /// The time is up.
    Time,
    /// The memory allowance is used.
    Memory,
    /// The allowed number of configurations was visited.
    States,
    /// Somebody asked to stop.
    Cancelled,
}

/// Figures that change while an engine runs; read by whoever draws progress.
#[derive(Debug, Default)]
pub struct Progress {
    /// The queue bound being explored.
    pub bound: AtomicU32,
    /// Configurations visited.
    pub states: AtomicU64,
    /// Configurations that look different, while an engine runs that blurs them; else 0.
    pub blurred: AtomicU64,
    /// Bytes held.
    pub bytes: AtomicU64,
}

impl Budget {
    /// Starts the clock.
    pub fn start(limits: Limits, cancelled: Arc<AtomicBool>) -> Self {
        Self {
            limits,
            deadline: limits.time.map(|time| Instant::now() + time),
            cancelled,
            dismissed: Arc::new(AtomicBool::new(false)),
            progress: Arc::new(Progress::default()),
            blurred: false,
        }
    }

    /// The same allowance for an engine beside the others: its figures are its own, and it alone stops
    /// when `dismissed` is set.
    #[must_use]
    pub fn beside(&self, dismissed: Arc<AtomicBool>) -> Self {
        Self { dismissed, progress: Arc::new(Progress::default()), ..self.clone() }
    }

    /// The same allowance with fewer configurations, for a first look.
    #[must_use]
    pub fn at_most(&self, states_max: u64) -> Self {
        let states_max = self.limits.states_max.min(states_max);
        Self { limits: Limits { states_max, ..self.limits }, ..self.clone() }
    }

    /// The same allowance with half of the time that is left, so that somebody else has the other half.
    #[must_use]
    pub fn half_of_the_time(&self) -> Self {
        let now = Instant::now();
        let half = |deadline: Instant| now + deadline.saturating_duration_since(now) / 2;
        Self { deadline: self.deadline.map(half), ..self.clone() }
    }

    /// The same allowance for an engine that counts configurations that look different: progress shows
    /// them as such.
    #[must_use]
    pub fn for_blurred(&self) -> Self {
        Self { blurred: true, ..self.clone() }
    }

    /// A budget without a clock, for tests and for work that is small by construction.
    pub fn states(states_max: u64) -> Self {
        let limits = Limits { time: None, memory_bytes: u64::MAX, states_max };
        Self::start(limits, Arc::new(AtomicBool::new(false)))
    }

    /// The limits it was started with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Where an engine leaves its figures.
    pub fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    /// Whether the run may go on, having spent this much. Also publishes the figures.
    pub fn check(&self, spent: Spent) -> Result<(), Exhausted> {
        let shown = if self.blurred { &self.progress.blurred } else { &self.progress.states };
        shown.store(spent.states, Ordering::Relaxed);
        self.progress.bytes.store(spent.bytes, Ordering::Relaxed);
        let asked_to_stop = [&self.cancelled, &self.dismissed];
        if asked_to_stop.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Exhausted::Cancelled);
        }
        if spent.states > self.limits.states_max {
            return Err(Exhausted::States);
        }
        if spent.bytes > self.limits.memory_bytes {
            return Err(Exhausted::Memory);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Exhausted::Time);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_named() {
        let budget = Budget::states(10);
        assert_eq!(budget.check(Spent { states: 10, bytes: 0 }), Ok(()));
        assert_eq!(budget.check(Spent { states: 11, bytes: 0 }), Err(Exhausted::States));
        let stop = Arc::new(AtomicBool::new(true));
        let limits = Limits { time: Some(Duration::ZERO), memory_bytes: 5, states_max: 5 };
        let cancelled = Budget::start(limits, stop.clone());
        assert_eq!(cancelled.check(Spent::default()), Err(Exhausted::Cancelled));
        stop.store(false, Ordering::Relaxed);
        assert_eq!(cancelled.check(Spent { states: 0, bytes: 6 }), Err(Exhausted::Memory));
        assert_eq!(cancelled.check(Spent::default()), Err(Exhausted::Time));
    }

    #[test]
    fn a_first_look_has_fewer_configurations_and_never_more() {
        let budget = Budget::states(10);
        let look = budget.at_most(4);
        assert_eq!(look.check(Spent { states: 5, bytes: 0 }), Err(Exhausted::States));
        assert_eq!(budget.check(Spent { states: 5, bytes: 0 }), Ok(()));
        assert_eq!(budget.at_most(40).limits().states_max, 10);
    }

    #[test]
    fn half_of_the_time_ends_earlier() {
        let limits = Limits { time: Some(Duration::from_hours(2)), memory_bytes: 5, states_max: 5 };
        let budget = Budget::start(limits, Arc::default());
        let (all, half) = (budget.deadline, budget.half_of_the_time().deadline);
        let saved = all.zip(half).map(|(all, half)| all - half);
        assert!(saved.is_some_and(|saved| saved > Duration::from_mins(59)), "{saved:?}");
        assert_eq!(Budget::states(1).half_of_the_time().deadline, None);
    }

    #[test]
    fn blurred_configurations_are_shown_as_such() {
        let budget = Budget::states(10);
        assert_eq!(budget.check(Spent { states: 3, bytes: 0 }), Ok(()));
        assert_eq!(budget.for_blurred().check(Spent { states: 7, bytes: 0 }), Ok(()));
        let figure = |figure: &AtomicU64| figure.load(Ordering::Relaxed);
        let progress = budget.progress();
        assert_eq!((figure(&progress.states), figure(&progress.blurred)), (3, 7));
    }

    #[test]
    fn an_engine_beside_the_others_is_dismissed_alone_and_cancelled_with_them() {
        let (stop, dismissed) = (Arc::new(AtomicBool::new(false)), Arc::default());
        let limits = Limits { time: None, memory_bytes: 5, states_max: 5 };
        let budget = Budget::start(limits, stop.clone());
        let beside = budget.beside(Arc::clone(&dismissed));
        assert_eq!(beside.check(Spent { states: 3, bytes: 0 }), Ok(()));
        assert_eq!(budget.progress().states.load(Ordering::Relaxed), 0);
        dismissed.store(true, Ordering::Relaxed);
        assert_eq!(beside.check(Spent::default()), Err(Exhausted::Cancelled));
        assert_eq!(budget.check(Spent::default()), Ok(()));
        dismissed.store(false, Ordering::Relaxed);
        stop.store(true, Ordering::Relaxed);
        assert_eq!(beside.check(Spent::default()), Err(Exhausted::Cancelled));
    }
}

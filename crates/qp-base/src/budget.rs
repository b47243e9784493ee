//! How much an engine may spend, and how it says how far it got.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
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
    /// What the whole process holds, if somebody can tell.
    gauge: Option<Arc<Gauge>>,
}

/// Reads how many bytes the process holds, from outside: no account of ours forgets as little.
pub type Resident = fn() -> Option<u64>;

/// The resident size, read again when the last reading is old.
#[derive(Debug)]
struct Gauge {
    read: Resident,
    since: Instant,
    /// When it is read next, in nanoseconds.
    next: AtomicU64,
    bytes: AtomicU64,
}

/// What is found when the time is up has so long to be looked at.
const GRACE_MIN: Duration = Duration::from_millis(500);
/// Reading takes a few microseconds. In between a process can take a few megabytes.
const READ_EVERY: Duration = Duration::from_millis(5);
/// The program itself and the threads of a search need about so much: smaller limits are kept by account.
const RESIDENT_MIN: u64 = 48 << 20;

impl Gauge {
    fn bytes(&self, now: Instant) -> u64 {
        let now = now.saturating_duration_since(self.since).as_nanos() as u64;
        if now >= self.next.load(Ordering::Relaxed) {
            self.next.store(now + READ_EVERY.as_nanos() as u64, Ordering::Relaxed);
            self.bytes.store((self.read)().unwrap_or(0), Ordering::Relaxed);
        }
        self.bytes.load(Ordering::Relaxed)
    }
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
    /// Things that were looked at while a proof is checked.
    pub checked: AtomicU64,
    phase: AtomicU8,
}

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Configurations are visited.
    Searching,
    /// Proofs for every queue length are sought.
    Proving,
    /// What was found is checked.
    Checking,
    /// Capacities of queues are tried.
    Capacities,
    /// A complete search is done again.
    Rechecking,
}

impl Progress {
    /// Begins something.
    pub fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Relaxed);
        self.checked.store(0, Ordering::Relaxed);
    }

    /// What is being done.
    pub fn phase(&self) -> Phase {
        const PHASES: [Phase; 5] = [
            Phase::Searching,
            Phase::Proving,
            Phase::Checking,
            Phase::Capacities,
            Phase::Rechecking,
        ];
        PHASES[usize::from(self.phase.load(Ordering::Relaxed))]
    }
}

impl Budget {
    /// Starts the clock.
    pub fn start(limits: Limits, cancelled: Arc<AtomicBool>) -> Self {
        Self {
            limits,
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            cancelled,
            dismissed: Arc::new(AtomicBool::new(false)),
            progress: Arc::new(Progress::default()),
            blurred: false,
            gauge: None,
        }
    }

    /// The same allowance where it is also looked at what the whole process holds.
    #[must_use]
    pub fn gauged(self, read: Option<Resident>) -> Self {
        let (next, bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        let gauge = read.map(|read| Arc::new(Gauge { read, since: Instant::now(), next, bytes }));
        Self { gauge, ..self }
    }

    /// The same allowance for whoever looks at what was found: half of what a limit may be overrun by is kept
    /// for that, so that what was found at the last moment counts, also where somebody has asked to stop.
    #[must_use]
    pub fn with_grace(&self) -> Self {
        let mut graced = self.clone();
        let grace = self.limits.time.map_or(Duration::ZERO, |time| time / 20).max(GRACE_MIN);
        graced.deadline = self.deadline.map(|deadline| deadline + grace);
        graced.limits.memory_bytes =
            self.limits.memory_bytes.saturating_add(self.limits.memory_bytes / 10);
        graced.limits.states_max = u64::MAX;
        if self.is_cancelled() {
            let soon = Instant::now() + GRACE_MIN;
            graced.deadline = Some(graced.deadline.map_or(soon, |deadline| deadline.min(soon)));
            (graced.cancelled, graced.dismissed) = (Arc::default(), Arc::default());
        }
        graced
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

    /// The same allowance for whoever looks at configurations that were visited already.
    #[must_use]
    pub fn for_any_number(&self) -> Self {
        Self { limits: Limits { states_max: u64::MAX, ..self.limits }, ..self.clone() }
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
        if self.is_cancelled() {
            return Err(Exhausted::Cancelled);
        }
        if spent.states > self.limits.states_max {
            return Err(Exhausted::States);
        }
        if spent.bytes > self.limits.memory_bytes {
            return Err(Exhausted::Memory);
        }
        self.ask()
    }

    /// Whether the run may go on, for those who have no figures of their own: readers, and the referee.
    pub fn ask(&self) -> Result<(), Exhausted> {
        self.ask_for_time()?;
        let gauge = self.gauge.as_ref();
        let resident = gauge.map_or(0, |gauge| gauge.bytes(Instant::now()));
        if resident > self.limits.memory_bytes.max(RESIDENT_MIN) {
            return Err(Exhausted::Memory);
        }
        Ok(())
    }

    /// Whether there is time left and nobody wants to stop: for the middle of a step, which holds little.
    pub fn ask_for_time(&self) -> Result<(), Exhausted> {
        if self.is_cancelled() {
            return Err(Exhausted::Cancelled);
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late { Err(Exhausted::Time) } else { Ok(()) }
    }

    fn is_cancelled(&self) -> bool {
        let asked_to_stop = [&self.cancelled, &self.dismissed];
        asked_to_stop.iter().any(|flag| flag.load(Ordering::Relaxed))
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
    fn what_the_process_holds_counts_where_it_is_known() {
        let limits = Limits { time: None, memory_bytes: 1 << 30, states_max: 5 };
        let budget = || Budget::start(limits, Arc::default());
        assert_eq!(budget().gauged(None).ask(), Ok(()));
        assert_eq!(budget().gauged(Some(|| None)).ask(), Ok(()));
        assert_eq!(budget().gauged(Some(|| Some(1 << 30))).ask(), Ok(()));
        let full = budget().gauged(Some(|| Some((1 << 30) + 1)));
        assert_eq!(full.ask(), Err(Exhausted::Memory));
        assert_eq!(full.check(Spent::default()), Err(Exhausted::Memory));
        assert_eq!(full.ask_for_time(), Ok(()));
        assert_eq!(full.with_grace().ask(), Ok(()), "what was found is still looked at");
    }

    #[test]
    fn after_the_end_there_is_time_to_look_at_what_was_found() {
        let limits = Limits { time: Some(Duration::ZERO), memory_bytes: 5, states_max: 5 };
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget::start(limits, stop.clone());
        assert_eq!(budget.ask(), Err(Exhausted::Time));
        assert_eq!(budget.with_grace().ask(), Ok(()));
        let early = budget.with_grace();
        stop.store(true, Ordering::Relaxed);
        assert_eq!(
            early.ask(),
            Err(Exhausted::Cancelled),
            "the wish to stop comes in the midst of it"
        );
        assert_eq!(budget.with_grace().ask(), Ok(()));
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

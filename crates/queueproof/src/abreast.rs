//! Engines side by side, and those that wait for others to get stuck.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use qp_base::{Budget, Code};
use qp_claim::{Claim, Reason};
use qp_engines::{Answer, Answers, Engine, Task};
use qp_machines::Property;

use crate::portfolio::InternalError;
use crate::{Loaded, Options};

/// What one engine came back with.
pub(crate) struct EngineRun {
    pub(crate) name: &'static str,
    pub(crate) answers: Option<Answers>,
    pub(crate) time_s: f64,
}

/// Runs the selected engines side by side. One that panics contributes nothing but an error.
///
/// Engines that wait begin when the others have visited more configurations than a small model has, or
/// are done with less. When the others leave nothing to them they are sent away and do not count. So what
/// is reported does not depend on when they began.
pub(crate) fn run_engines(
    engines: &[&dyn Engine],
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    properties: &[Property],
) -> (Vec<EngineRun>, Vec<InternalError>) {
    let outline = loaded.model.outline();
    let asked: Vec<Property> = properties.iter().copied().filter(|p| !p.is_void(outline)).collect();
    let (leading, waiting) = parted(engines, options, &asked);
    let limits = options.task_limits();
    let small_max = limits.small_max as u64;
    let task = || Task {
        model: loaded.model.clone(),
        properties: asked.clone(),
        invariants: options.invariants.clone(),
        limits,
    };
    let runs: Vec<EngineRun> = std::thread::scope(|scope| {
        let lead = |engine| {
            let task = task();
            scope.spawn(move || run(engine, task, budget))
        };
        let leaders: Vec<_> = leading.into_iter().map(lead).collect();
        let follow = |engine| Follower::start(scope, engine, task(), budget);
        let followers: Vec<Follower<'_>> = waiting.into_iter().map(follow).collect();
        let mut runs: Vec<EngineRun> =
            leaders.into_iter().filter_map(|thread| thread.join().ok()).collect();
        for follower in followers {
            let open =
                |&&p: &&Property| follower.engine.treats(p) && !is_settled(p, &runs, small_max);
            let needed = asked.iter().find(open).is_some();
            runs.extend(follower.finish(needed));
        }
        runs
    });
    let crashed = runs.iter().filter(|run| run.answers.is_none());
    let errors = crashed.map(|run| InternalError {
        code: Code(9003),
        message: format!("the engine {} crashed; its answers do not count", run.name),
    });
    let errors = errors.collect();
    (runs, errors)
}

/// The selected engines: those that begin at once, and those that wait for them and have something
/// to answer.
fn parted<'e>(
    engines: &[&'e dyn Engine],
    options: &Options,
    asked: &[Property],
) -> (Vec<&'e dyn Engine>, Vec<&'e dyn Engine>) {
    let wanted = |engine: &&dyn Engine| {
        options.engines.is_empty() || options.engines.iter().any(|name| name == engine.name())
    };
    let wanted: Vec<&dyn Engine> = engines.iter().copied().filter(wanted).collect();
    if wanted.iter().all(|engine| engine.waits()) {
        return (wanted, Vec::new());
    }
    let (mut waiting, leading): (Vec<_>, Vec<_>) =
        wanted.into_iter().partition(|engine| engine.waits());
    waiting.retain(|engine| asked.iter().any(|&property| engine.treats(property)));
    (leading, waiting)
}

fn run(engine: &dyn Engine, task: Task, budget: &Budget) -> EngineRun {
    let start = Instant::now();
    let answers = catch_unwind(AssertUnwindSafe(|| engine.run(task, budget))).ok();
    EngineRun { name: engine.name(), answers, time_s: start.elapsed().as_secs_f64() }
}

/// An engine that waits.
struct Follower<'scope> {
    engine: &'scope dyn Engine,
    signal: Arc<Signal>,
    thread: ScopedJoinHandle<'scope, EngineRun>,
}

/// What an engine that waits is told.
#[derive(Default)]
struct Signal {
    others_done: AtomicBool,
    dismissed: Arc<AtomicBool>,
}

impl<'scope> Follower<'scope> {
    fn start(
        scope: &'scope Scope<'scope, '_>,
        engine: &'scope dyn Engine,
        task: Task,
        budget: &'scope Budget,
    ) -> Self {
        let signal = Arc::new(Signal::default());
        let heard = signal.clone();
        let thread = scope.spawn(move || {
            heard.wait(budget, task.limits.small_max as u64);
            run(engine, task, &budget.beside(heard.dismissed.clone()))
        });
        Self { engine, signal, thread }
    }

    /// Tells it that the others are done, and whether they have left it something.
    fn finish(self, needed: bool) -> Option<EngineRun> {
        self.signal.dismissed.store(!needed, Ordering::Relaxed);
        self.signal.others_done.store(true, Ordering::Release);
        self.thread.thread().unpark();
        self.thread.join().ok().filter(|_| needed)
    }
}

impl Signal {
    /// Waits until the others have visited more configurations than this, or are done.
    fn wait(&self, budget: &Budget, states: u64) {
        let visited = || budget.progress().states.load(Ordering::Relaxed);
        while !self.others_done.load(Ordering::Acquire) && visited() <= states {
            std::thread::park_timeout(Duration::from_millis(10));
        }
    }
}

/// Whether these engines leave nothing to find about a property.
fn is_settled(property: Property, runs: &[EngineRun], small_max: u64) -> bool {
    let answers = runs.iter().filter_map(|run| run.answers.as_ref());
    let mut mine = answers.flat_map(|a| &a.claims).filter(|answer| answer.property == property);
    mine.any(|Answer { claim, figures, .. }| match claim {
        Claim::Holds(_) | Claim::Violated(_) => true,
        Claim::GaveUp(reason) => match reason {
            // Everything was seen, or everything but longer queues, and nothing was found.
            Reason::EvidenceTooLarge { .. } | Reason::BoundReached { .. } => true,
            // What is left is beyond what the interpreter knows.
            Reason::Program { .. } => figures.states <= small_max,
            Reason::Budget { .. }
            | Reason::OutsideFragment { .. }
            | Reason::Assumes { .. }
            | Reason::InTheWay { .. }
            | Reason::NotThisProperty => false,
        },
    })
}

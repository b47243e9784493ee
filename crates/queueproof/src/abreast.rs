//! Engines side by side, and those that wait for others to get stuck.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use qp_base::Budget;
use qp_claim::{Claim, Reason};
use qp_engines::{Answer, Answers, Engine, Facts, Task};
use qp_machines::Property;

use crate::{Loaded, Options};

/// What one engine came back with.
pub(crate) struct EngineRun {
    pub(crate) name: &'static str,
    pub(crate) answers: Option<Answers>,
    pub(crate) time_s: f64,
}

impl EngineRun {
    /// What it says about a property.
    pub(crate) fn claims(&self, property: Property) -> impl Iterator<Item = &Answer> {
        let claims = self.answers.iter().flat_map(|answers| &answers.claims);
        claims.filter(move |answer| answer.property == property)
    }

    /// Whether it has an answer to a property.
    pub(crate) fn answers(&self, property: Property) -> bool {
        self.claims(property).any(|answer| !matches!(answer.claim, Claim::GaveUp(_)))
    }
}

/// What engines are asked.
pub(crate) struct Question<'a> {
    pub(crate) loaded: &'a Loaded,
    pub(crate) options: &'a Options,
    pub(crate) properties: Vec<Property>,
}

impl Question<'_> {
    fn task(&self, budget: &Budget) -> Task {
        Task {
            model: self.loaded.model.heeding(budget),
            properties: self.properties.clone(),
            invariants: self.options.stated(self.loaded).cloned().collect(),
            limits: self.options.task_limits(),
        }
    }

    /// Runs one engine. One that panics contributes nothing but an error.
    pub(crate) fn ask(&self, engine: &dyn Engine, facts: &Facts, budget: &Budget) -> EngineRun {
        run(engine, self.task(budget), facts, budget)
    }
}

/// Runs engines side by side: those that lead, and those that wait for them to get stuck.
///
/// Engines that wait begin when the others have visited more configurations than a small model has, or
/// are done with less. When the others leave nothing to them they are sent away and do not count. So what
/// is reported does not depend on when they began. `before` is what the others have said earlier. Facts are for one who
/// leads alone: those who run at the same time would take them in any order.
pub(crate) fn side_by_side(
    leading: &[&dyn Engine],
    waiting: &[&dyn Engine],
    question: &Question<'_>,
    budget: &Budget,
    (facts, before): (&Facts, &[EngineRun]),
) -> Vec<EngineRun> {
    let small_max = question.options.task_limits().small_max as u64;
    std::thread::scope(|scope| {
        let lead = |&engine| {
            let task = question.task(budget);
            let alone = leading.len() == 1;
            scope.spawn(move || {
                let own = Facts::default();
                run(engine, task, if alone { facts } else { &own }, budget)
            })
        };
        let leaders: Vec<_> = leading.iter().map(lead).collect();
        let follow = |&engine| Follower::start(scope, engine, question, budget);
        let followers: Vec<Follower<'_>> = waiting.iter().map(follow).collect();
        let mut runs: Vec<EngineRun> =
            leaders.into_iter().filter_map(|thread| thread.join().ok()).collect();
        for follower in followers {
            let open = |&property: &Property| {
                let said = before.iter().chain(&runs);
                follower.engine.treats(property) && !is_settled(property, said, small_max)
            };
            let needed = question.properties.iter().any(open);
            runs.extend(follower.finish(needed));
        }
        runs
    })
}

fn run(engine: &dyn Engine, task: Task, facts: &Facts, budget: &Budget) -> EngineRun {
    let start = Instant::now();
    let answers = catch_unwind(AssertUnwindSafe(|| engine.run_with(task, facts, budget))).ok();
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
        question: &Question<'_>,
        budget: &'scope Budget,
    ) -> Self {
        let signal = Arc::new(Signal::default());
        let heard = signal.clone();
        let beside = budget.beside(heard.dismissed.clone());
        let task = question.task(&beside);
        let thread = scope.spawn(move || {
            heard.wait(budget, task.limits.small_max as u64);
            run(engine, task, &Facts::default(), &beside)
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
fn is_settled<'r>(
    property: Property,
    mut runs: impl Iterator<Item = &'r EngineRun>,
    small_max: u64,
) -> bool {
    runs.any(|run| {
        run.claims(property).any(|Answer { claim, figures, .. }| match claim {
            Claim::Holds(_) | Claim::Violated(_) => true,
            Claim::GaveUp(reason) => match reason {
                // Everything was seen, or everything but longer queues, and nothing was found.
                Reason::EvidenceTooLarge { .. } | Reason::BoundReached { .. } => true,
                // What is left is beyond what the interpreter knows.
                Reason::Program { .. } => figures.states <= small_max,
                Reason::Budget { .. }
                | Reason::OutsideFragment { .. }
                | Reason::Rounds { .. }
                | Reason::Sends { .. }
                | Reason::Assumes { .. }
                | Reason::InTheWay { .. }
                | Reason::NoWay { .. }
                | Reason::Unchecked { .. }
                | Reason::NotThisProperty => false,
            },
        })
    })
}

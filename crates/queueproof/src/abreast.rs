//! Engines side by side, and random runs beside them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

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

/// Runs engines side by side. Facts are for one who runs alone: those who run at the same time would take them in any
/// order.
pub(crate) fn side_by_side(
    engines: &[&dyn Engine],
    question: &Question<'_>,
    budget: &Budget,
    facts: &Facts,
) -> Vec<EngineRun> {
    let nobody = Question { properties: Vec::new(), ..*question };
    beside((engines, question), (&[], &nobody), budget, facts, &mut |_| {})
}

/// Runs engines that lead side by side, and others beside them that have their own facts and their own question. All of
/// them are waited for, so what comes out does not depend on who is faster; what those beside have found is shown to
/// `known` while the others go on.
pub(crate) fn beside(
    (leading, question): (&[&dyn Engine], &Question<'_>),
    (others, asked): (&[&dyn Engine], &Question<'_>),
    budget: &Budget,
    facts: &Facts,
    known: &mut dyn FnMut(&[EngineRun]),
) -> Vec<EngineRun> {
    std::thread::scope(|scope| {
        let alone = leading.len() == 1;
        let lead = |&engine| {
            let task = question.task(budget);
            scope.spawn(move || {
                let own = Facts::default();
                run(engine, task, if alone { facts } else { &own }, budget)
            })
        };
        let leaders: Vec<_> = leading.iter().map(lead).collect();
        let follow = |&engine| {
            // Its figures are not those that progress shows.
            let budget = budget.beside(Arc::default());
            let task = asked.task(&budget);
            scope.spawn(move || run(engine, task, facts, &budget))
        };
        let followers: Vec<_> = others.iter().map(follow).collect();
        let mut runs: Vec<EngineRun> =
            followers.into_iter().filter_map(|thread| thread.join().ok()).collect();
        known(&runs);
        runs.extend(leaders.into_iter().filter_map(|thread| thread.join().ok()));
        runs
    })
}

fn run(engine: &dyn Engine, task: Task, facts: &Facts, budget: &Budget) -> EngineRun {
    let start = Instant::now();
    let answers = catch_unwind(AssertUnwindSafe(|| engine.run_with(task, facts, budget))).ok();
    EngineRun { name: engine.name(), answers, time_s: start.elapsed().as_secs_f64() }
}

/// Whether these engines leave nothing to find about a property.
pub(crate) fn is_settled<'r>(
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

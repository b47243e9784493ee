//! The search and random runs side by side, slice by slice.
//!
//! A slice is so many configurations of the search, and beside it so many steps of random runs. Neither looks at a clock
//! to see where it ends, and both are waited for, so what is found does not depend on who is faster. Each slice is as
//! large as all before it, so that going on costs little.

use qp_base::{Budget, Exhausted, Phase, Spent};
use qp_claim::{Claim, Reason};
use qp_engines::{Answer, Answers, Engine, Walks};
use qp_machines::Property;

use crate::Options;
use crate::abreast::{EngineRun, Question, beside, is_settled};
use crate::options::{
    EARLY_STATES_MAX, GLANCE_STATES_MAX, LOOK_STATES_MAX, WALK_STEPS_FIRST, WALK_STEPS_LOOK,
};

use super::{Known, Turns, left_open};

/// What has come out so far, and how to go on.
pub(super) struct Slices<'a> {
    turns: &'a Turns<'a>,
    pub(super) question: &'a Question<'a>,
    budget: &'a Budget,
    pub(super) runs: Vec<EngineRun>,
    /// How many configurations the search could visit so far.
    states_max: u64,
}

impl<'a> Slices<'a> {
    pub(super) fn new(
        turns: &'a Turns<'a>,
        question: &'a Question<'a>,
        budget: &'a Budget,
        runs: Vec<EngineRun>,
    ) -> Self {
        Self { turns, question, budget, runs, states_max: 0 }
    }

    /// A look at few configurations, and at some more if that is not enough.
    pub(super) fn first_look(&mut self, known: &mut Known<'_>) {
        // A first look that takes long leaves time for proofs.
        let short = self.budget.half_of_the_time();
        // Where few configurations take long, random runs do not wait for them.
        let glance = short.half_of_the_time().half_of_the_time();
        let small_max = self.question.options.task_limits().small_max as u64;
        let mut again = self.turns.first.clone();
        if !self.suited().is_empty() {
            self.slice(&again, (GLANCE_STATES_MAX, 0), &quarter(self.budget), known);
            again = self.cut();
            self.ask_suited(known);
        }
        if again.is_empty() || !self.runs.is_empty() && self.open().is_empty() {
            return;
        }
        self.slice(&again, (small_max, 0), &glance, known);
        again = self.cut();
        if !again.is_empty() && !self.open().is_empty() {
            self.slice(&[], (0, WALK_STEPS_FIRST), self.budget, known);
            self.slice(&again, (LOOK_STATES_MAX, WALK_STEPS_LOOK), &short, known);
        }
    }

    /// Those of the second turn for whom the model is made.
    fn suited(&self) -> Vec<&'a dyn Engine> {
        let Question { loaded, options, .. } = *self.question;
        let suits = |engine: &&&dyn Engine| !options.exhaustive && engine.suits(&loaded.model);
        self.turns.second.iter().filter(suits).copied().collect()
    }

    /// They answer where a glance of the first turn is not enough: what grows for ever is not worth a longer look. What
    /// they do not answer in full is asked again in their turn.
    fn ask_suited(&mut self, known: &mut Known<'_>) {
        let Question { loaded, options, .. } = *self.question;
        let outline = loaded.model.outline();
        for engine in self.suited() {
            let properties: Vec<Property> =
                self.open().into_iter().filter(|&it| engine.treats(it)).collect();
            if properties.is_empty() {
                continue;
            }
            let question = Question { loaded, options, properties };
            let budget = quarter(&self.budget.at_most(EARLY_STATES_MAX)).for_blurred();
            let run = question.ask(engine, self.turns.facts, &budget);
            let answered = |property: &Property| run.answers(*property);
            let asked = &question.properties;
            let is_done = asked.iter().all(|it| it.is_live(outline) || answered(it));
            if is_done && asked.iter().any(answered) {
                known(std::slice::from_ref(&run));
                self.runs.push(run);
            }
        }
        self.budget.progress().enter(Phase::Searching);
    }

    /// Everything that is left.
    pub(super) fn all_that_is_left(&mut self, far: bool, known: &mut Known<'_>) {
        let mut again = self.cut();
        let bounded = |name: &str| self.runs.iter().any(|run| run.name == name && was_bounded(run));
        let further = self.turns.first.iter().filter(|engine| far && bounded(engine.name()));
        for engine in further {
            if again.iter().all(|it| it.name() != engine.name()) {
                again.push(*engine);
            }
        }
        let (mut states, mut steps) = (LOOK_STATES_MAX, WALK_STEPS_LOOK);
        while !again.is_empty() {
            (states, steps) = (states.saturating_mul(2), steps.saturating_mul(2));
            self.slice(&again, (states, steps), self.budget, known);
            let is_needed = !self.open().is_empty() || self.question.options.exhaustive;
            again = if is_needed { self.cut() } else { Vec::new() };
        }
        self.walk_to_the_end(known);
    }

    /// All random runs that are left, if there is anything to find for them.
    pub(super) fn walk_to_the_end(&mut self, known: &mut Known<'_>) {
        self.slice(&[], (0, u64::MAX), self.budget, known);
    }

    /// No limit of the user was met: the first look ended because everything was answered.
    pub(super) fn end_early(&mut self) {
        let cut: Vec<&str> = self.cut().iter().map(|engine| engine.name()).collect();
        for run in self.runs.iter_mut().filter(|run| cut.contains(&run.name)) {
            run.answers.iter_mut().for_each(ended_early);
        }
    }

    fn open(&self) -> Vec<Property> {
        left_open(&self.question.properties, &self.runs)
    }

    /// Those of the first turn that met a limit of their own.
    fn cut(&self) -> Vec<&'a dyn Engine> {
        let shortened = self.states_max < self.budget.limits().states_max;
        let is_cut = |engine: &&&dyn Engine| {
            let mut mine = self.runs.iter().filter(|run| run.name == engine.name());
            mine.any(|run| was_cut(run, shortened, self.budget))
        };
        self.turns.first.iter().filter(is_cut).copied().collect()
    }

    /// The search goes on until it has visited so many configurations, and beside it random runs until they have so many
    /// steps.
    fn slice(
        &mut self,
        leading: &[&dyn Engine],
        (states_max, steps_max): (u64, u64),
        budget: &Budget,
        known: &mut Known<'_>,
    ) {
        let Question { loaded, options, .. } = *self.question;
        let is_leading = |run: &&EngineRun| leading.iter().any(|it| it.name() == run.name);
        let others = |run: &EngineRun| !is_leading(&run);
        // What an engine has answered it is asked again: it knows.
        let properties = self.question.properties.iter().copied();
        let asked = properties
            .filter(|&property| !self.runs.iter().any(|run| others(run) && run.answers(property)));
        let asked = Question { loaded, options, properties: asked.collect() };
        let small_max = options.task_limits().small_max as u64;
        let goals =
            self.open().into_iter().filter(|&p| !is_settled(p, self.runs.iter(), small_max));
        let walks = Walks { steps_max: options.walks.steps_max.min(steps_max), ..options.walks };
        let walking = Options { walks, ..options.clone() };
        let goals = Question { loaded, options: &walking, properties: goals.collect() };
        let is_wanted =
            |engine: &&&dyn Engine| goals.properties.iter().any(|&goal| engine.treats(goal));
        let walkers: Vec<&dyn Engine> = if walks.steps_max > 0 {
            self.turns.last.iter().filter(is_wanted).copied().collect()
        } else {
            Vec::new()
        };
        if leading.is_empty() && walkers.is_empty() {
            return;
        }
        let progress = self.budget.progress();
        let mut budget = budget.clone();
        if !leading.is_empty() {
            self.states_max = states_max;
            budget = budget.at_most(states_max);
        }
        let mut early = |runs: &[EngineRun]| {
            if !runs.is_empty() {
                known(runs);
                progress.enter(Phase::Searching);
            }
        };
        let facts = self.turns.facts;
        let later = beside((leading, &asked), (&walkers, &goals), &budget, facts, &mut early);
        if !leading.is_empty() {
            known(&later);
            progress.enter(Phase::Searching);
        }
        for later in later {
            match self.runs.iter().position(|run| run.name == later.name) {
                Some(number) => {
                    let look = self.runs.swap_remove(number);
                    self.runs.push(both(look, later));
                }
                None => self.runs.push(later),
            }
        }
    }
}

/// A quarter of the time, should a few configurations take long.
fn quarter(budget: &Budget) -> Budget {
    budget.half_of_the_time().half_of_the_time()
}

/// Whether a first look met a limit of its own, and none of the user's.
fn was_cut(run: &EngineRun, shortened: bool, budget: &Budget) -> bool {
    match run.answers.as_ref().and_then(|answers| answers.spent) {
        Some(Exhausted::States) => shortened,
        Some(Exhausted::Time) => budget.check(Spent::default()).is_ok(),
        Some(Exhausted::Memory | Exhausted::Cancelled) | None => false,
    }
}

fn was_bounded(run: &EngineRun) -> bool {
    let claims = run.answers.iter().flat_map(|answers| &answers.claims);
    let bounded = |claim: &Claim| matches!(claim, Claim::GaveUp(Reason::BoundReached { .. }));
    claims.into_iter().any(|answer| bounded(&answer.claim))
}

/// What an engine says after its first look and a second one without that limit: what the second one
/// says, unless it was stopped before it got as far as the first.
pub(super) fn both(look: EngineRun, mut later: EngineRun) -> EngineRun {
    let time_s = look.time_s + later.time_s;
    // What was answered may not have been asked again.
    if let (Some(before), Some(after)) = (&look.answers, &mut later.answers) {
        let known = |property| after.claims.iter().any(|it| it.property == property);
        let is_answer = |it: &&Answer| !matches!(it.claim, Claim::GaveUp(_));
        let missing = before.claims.iter().filter(is_answer).filter(|it| !known(it.property));
        let missing: Vec<Answer> = missing.cloned().collect();
        after.claims.extend(missing);
    }
    let bound = |run: &EngineRun| {
        let bounds = run.answers.iter().flat_map(|answers| &answers.bounds);
        bounds.last().map_or(0, |figures| figures.bound)
    };
    let stopped = later.answers.as_ref().and_then(|answers| answers.spent);
    match stopped.filter(|_| bound(&later) < bound(&look)) {
        Some(exhausted) => {
            let mut answers = look.answers;
            if let Some(answers) = &mut answers {
                stopped_by(answers, exhausted);
            }
            EngineRun { answers, time_s, ..look }
        }
        None => EngineRun { time_s, ..later },
    }
}

/// A first look is all there is, because of another limit than its own.
fn stopped_by(answers: &mut Answers, limit: Exhausted) {
    answers.spent = Some(limit);
    for claim in claims(answers) {
        if let Claim::GaveUp(Reason::Budget { exhausted, .. }) = claim {
            *exhausted = limit;
        }
    }
}

fn claims(answers: &mut Answers) -> impl Iterator<Item = &mut Claim> {
    let properties = answers.claims.iter_mut().map(|answer| &mut answer.claim);
    properties.chain(answers.queues.iter_mut().map(|answer| &mut answer.claim))
}

/// A first look that was enough met no limit of the user: it ended because everything was answered.
pub(super) fn ended_early(answers: &mut Answers) {
    answers.spent = None;
    for claim in claims(answers) {
        if let Claim::GaveUp(Reason::Budget { bound, .. }) = *claim {
            *claim = Claim::GaveUp(Reason::BoundReached { bound, queues: Vec::new() });
        }
    }
}

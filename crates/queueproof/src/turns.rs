//! Whose turn it is: a first look, then proofs for every queue length, then everything that is left.

use std::sync::atomic::Ordering;

use qp_base::{Budget, Code, Exhausted, Phase, Spent};
use qp_claim::{Claim, Reason};
use qp_engines::{Answers, Engine, Facts, QueueAnswer, Sorts, Turn};
use qp_machines::Property;

use crate::abreast::{EngineRun, Question, side_by_side};
use crate::options::{EARLY_STATES_MAX, GLANCE_STATES_MAX, LOOK_STATES_MAX};
use crate::portfolio::InternalError;
use crate::{Loaded, Options};

/// Runs the selected engines, each in its turn, and says which of them crashed.
///
/// 1. Those of the first turn take a look at few configurations. Where somebody of the second turn suits the model, a
///    glance comes first, and then what that one has to say.
/// 2. Those of the second turn are asked what that leaves open, one after the other. They go on with what was explored.
/// 3. If something is still open, those of the first turn that were cut short go on without that limit, and those of
///    the last turn run beside them. If there is now a bound for every queue, they go as far as that: then they see
///    everything.
///
/// What was explored before for other questions about the same model (`facts`) is gone on with.
///
/// Where nobody has the second turn, or nobody the first, all limits count from the beginning. Who runs
/// depends on answers and numbers of configurations; on time only where a first look takes half of it.
pub(crate) fn run_engines(
    engines: &[&dyn Engine],
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    properties: &[Property],
    facts: &Facts,
    known: &mut Known<'_>,
) -> Ran {
    let outline = loaded.model.outline();
    let asked = properties.iter().copied().filter(|p| !p.is_void(outline)).collect();
    let question = Question { loaded, options, properties: asked };
    let mut runs = Turns::of(engines, &question, facts).run(&question, budget, known);
    runs.sort_by_key(|run| engines.iter().position(|engine| engine.name() == run.name));
    let crashed = runs.iter().filter(|run| run.answers.is_none());
    let errors = crashed.map(|run| InternalError {
        code: Code(9003),
        message: format!("the engine {} crashed; its answers do not count", run.name),
    });
    let errors = errors.collect();
    Ran { runs, errors }
}

/// What the engines came back with.
pub(crate) struct Ran {
    pub(crate) runs: Vec<EngineRun>,
    pub(crate) errors: Vec<InternalError>,
}

/// Is shown what has come out after each turn but the last, while something is still open.
pub(crate) type Known<'a> = dyn FnMut(&[EngineRun]) + 'a;

/// The selected engines by their turn.
struct Turns<'e> {
    first: Vec<&'e dyn Engine>,
    second: Vec<&'e dyn Engine>,
    /// Only those that have something to answer.
    last: Vec<&'e dyn Engine>,
    /// What they leave to each other.
    facts: &'e Facts,
}

impl<'e> Turns<'e> {
    fn of(engines: &[&'e dyn Engine], question: &Question<'_>, facts: &'e Facts) -> Self {
        let Options { engines: names, sorts, .. } = question.options;
        let wanted = |engine: &&dyn Engine| {
            let is_named = names.iter().any(|name| name == engine.name());
            is_named || names.is_empty() && (*sorts || engine.name() != Sorts.name())
        };
        let at = |turn| {
            let mine = engines.iter().copied().filter(|engine| engine.turn() == turn);
            mine.filter(wanted).collect::<Vec<&dyn Engine>>()
        };
        let (first, second, mut last) = (at(Turn::First), at(Turn::Second), at(Turn::Last));
        if !first.is_empty() || !second.is_empty() {
            let asked = &question.properties;
            last.retain(|engine| asked.iter().any(|&property| engine.treats(property)));
        }
        Self { first, second, last, facts }
    }

    fn run(
        &self,
        question: &Question<'_>,
        budget: &Budget,
        known: &mut Known<'_>,
    ) -> Vec<EngineRun> {
        let nothing: (&Facts, &[EngineRun]) = (self.facts, &[]);
        match (&self.first[..], &self.second[..]) {
            ([], []) => side_by_side(&self.last, &[], question, budget, nothing),
            (first, []) => side_by_side(first, &self.last, question, budget, nothing),
            ([], second) => {
                budget.progress().enter(Phase::Proving);
                let budget = budget.for_blurred();
                side_by_side(second, &self.last, question, &budget, nothing)
            }
            (..) => self.in_turn(question, budget, known),
        }
    }

    fn in_turn(
        &self,
        question: &Question<'_>,
        budget: &Budget,
        known: &mut Known<'_>,
    ) -> Vec<EngineRun> {
        // A first look that takes long leaves time for proofs.
        let short = budget.at_most(LOOK_STATES_MAX).half_of_the_time();
        let shortened = short.limits().states_max < budget.limits().states_max;
        budget.progress().enter(Phase::Searching);
        let (glances, early) = self.early(question, budget);
        let properties = left_open(&question.properties, &early);
        let question = &Question { properties, ..*question };
        let is_enough = glances.iter().all(|run| !was_cut(run, true, budget))
            || left_open(&question.properties, &glances).is_empty();
        let mut looks = if !glances.is_empty() && is_enough {
            glances
        } else {
            side_by_side(&self.first, &[], question, &short, (self.facts, &[]))
        };
        looks.extend(early);
        known(&looks);
        let proofs = self.second_turn(question, budget, &looks);
        let open = left_open(&left_open(&question.properties, &looks), &proofs);
        if open.is_empty() && !question.options.exhaustive {
            for look in looks.iter_mut().filter(|run| was_cut(run, shortened, budget)) {
                look.answers.iter_mut().for_each(ended_early);
            }
            looks.extend(proofs);
            return looks;
        }
        known(&proofs);
        let bound_max = risen(question, &proofs);
        let far = bound_max > question.options.bound_max;
        let (mut cut, mut runs): (Vec<_>, Vec<_>) = looks
            .into_iter()
            .partition(|run| was_cut(run, shortened, budget) || far && was_bounded(run));
        let is_cut = |engine: &&&dyn Engine| cut.iter().any(|run| run.name == engine.name());
        let again: Vec<&dyn Engine> = self.first.iter().filter(is_cut).copied().collect();
        budget.progress().enter(Phase::Searching);
        let options = Options { bound_max, ..question.options.clone() };
        let properties = left_open(&question.properties, &proofs);
        let rest = Question { properties, options: &options, loaded: question.loaded };
        for later in side_by_side(&again, &self.last, &rest, budget, (self.facts, &runs)) {
            match cut.iter().position(|look| look.name == later.name) {
                Some(number) => runs.push(both(cut.swap_remove(number), later)),
                None => runs.push(later),
            }
        }
        runs.extend(proofs);
        runs
    }

    /// Those of the second turn for whom the model is made answer where a glance of the first turn is not enough: what grows
    /// for ever is not worth a longer look. What they do not answer in full is asked again in their turn.
    fn early(&self, question: &Question<'_>, budget: &Budget) -> (Vec<EngineRun>, Vec<EngineRun>) {
        let (loaded, options) = (question.loaded, question.options);
        let suits = |engine: &&&dyn Engine| !options.exhaustive && engine.suits(&loaded.model);
        let mut suited = self.second.iter().filter(suits).peekable();
        if suited.peek().is_none() {
            return (Vec::new(), Vec::new());
        }
        // Each has a quarter of the time, should a few configurations take long.
        let quarter = |budget: &Budget| budget.half_of_the_time().half_of_the_time();
        let glance = quarter(&budget.at_most(GLANCE_STATES_MAX));
        let glances = side_by_side(&self.first, &[], question, &glance, (self.facts, &[]));
        let mut runs = Vec::new();
        for engine in suited {
            let open = left_open(&question.properties, &glances).into_iter();
            let properties: Vec<Property> = open.filter(|&it| engine.treats(it)).collect();
            if properties.is_empty() {
                continue;
            }
            let question = Question { loaded, options, properties };
            let short = quarter(&budget.at_most(EARLY_STATES_MAX)).for_blurred();
            let run = question.ask(*engine, self.facts, &short);
            let outline = loaded.model.outline();
            let answered = |property: &Property| run.answers(*property);
            let asked = question.properties.iter();
            let is_done = asked.clone().all(|it| it.is_live(outline) || answered(it));
            if is_done && asked.clone().any(answered) {
                runs.push(run);
            }
        }
        (glances, runs)
    }

    /// Asks what the first look has left open. Half of the time is kept for what comes after.
    fn second_turn(
        &self,
        question: &Question<'_>,
        budget: &Budget,
        look: &[EngineRun],
    ) -> Vec<EngineRun> {
        budget.progress().enter(Phase::Proving);
        let open = left_open(&question.properties, look);
        let mut options = question.options.clone();
        // Figures are wanted of what is proved, too; they need no invariants.
        options.lists.suggest &= !open.is_empty();
        let asked = if options.lists.figures { question.properties.clone() } else { open };
        let hopeful = asked.into_iter().filter(|&property| is_hopeful(property, look));
        let hopeful: Vec<Property> = hopeful.collect();
        // Who leaves orders of steps out from the start asks nothing about lengths.
        let queues = options.task_limits().queues && !options.reduce;
        let measure = queues && leaves_queues_open(look);
        let (mut runs, figures) = (Vec::new(), options.lists.figures);
        let is_done = |engine: &&&dyn Engine| look.iter().all(|run| run.name != engine.name());
        for engine in self.second.iter().filter(is_done) {
            let open =
                |&p: &Property| figures || !runs.iter().any(|run: &EngineRun| run.answers(p));
            let properties = hopeful.iter().copied().filter(|&p| engine.treats(p)).filter(open);
            let (loaded, options) = (question.loaded, &options);
            let question = Question { loaded, options, properties: properties.collect() };
            if !question.properties.is_empty() || measure && engine.measures() {
                let budget = budget.half_of_the_time().for_blurred();
                runs.push(question.ask(*engine, self.facts, &budget));
            }
        }
        budget.progress().blurred.store(0, Ordering::Relaxed);
        runs
    }
}

/// How far to search, now that there may be a bound for every queue.
fn risen(question: &Question<'_>, proofs: &[EngineRun]) -> u32 {
    let (options, outline) = (question.options, question.loaded.model.outline());
    let bounds = |run: &EngineRun| -> Option<u32> {
        let queues = &run.answers.as_ref()?.queues;
        let bound =
            |answer: &QueueAnswer| matches!(answer.claim, Claim::Holds(_)).then_some(answer.bound);
        let bounds = queues.iter().map(bound).collect::<Option<Vec<u32>>>()?;
        bounds.into_iter().max().filter(|_| queues.len() >= outline.queues.len())
    };
    let known = proofs.iter().filter_map(bounds).min().filter(|_| options.bound_rises);
    known.map_or(options.bound_max, |bound| bound.max(options.bound_max))
}

/// Which properties nobody has answered.
fn left_open(properties: &[Property], runs: &[EngineRun]) -> Vec<Property> {
    let open = |p: &Property| !runs.iter().any(|run| run.answers(*p));
    properties.iter().copied().filter(open).collect()
}

/// Whether it is open for some queue how long it gets.
fn leaves_queues_open(look: &[EngineRun]) -> bool {
    let said = || look.iter().filter_map(|run| run.answers.as_ref()).flat_map(|it| &it.queues);
    let is_open = |answer: &QueueAnswer| matches!(answer.claim, Claim::GaveUp(_));
    let is_known = |queue| said().any(|answer| answer.queue == queue && !is_open(answer));
    said().any(|answer| is_open(answer) && !is_known(answer.queue))
}

/// Whether a proof may exist. What the interpreter does not know it does not know about blurred
/// configurations either.
fn is_hopeful(property: Property, look: &[EngineRun]) -> bool {
    let hopeless =
        |claim: &Claim| matches!(claim, Claim::Violated(_) | Claim::GaveUp(Reason::Program { .. }));
    !look.iter().any(|run| run.claims(property).any(|answer| hopeless(&answer.claim)))
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
fn both(look: EngineRun, later: EngineRun) -> EngineRun {
    let time_s = look.time_s + later.time_s;
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
fn ended_early(answers: &mut Answers) {
    answers.spent = None;
    for claim in claims(answers) {
        if let Claim::GaveUp(Reason::Budget { bound, .. }) = *claim {
            *claim = Claim::GaveUp(Reason::BoundReached { bound, queues: Vec::new() });
        }
    }
}

#[cfg(test)]
mod tests;

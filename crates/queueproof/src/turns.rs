//! Whose turn it is: a first look, then proofs for every queue length, then everything that is left; and random runs in
//! between.

mod slices;

use std::sync::atomic::Ordering;

use qp_base::{Budget, Code, Phase};
use qp_claim::{Claim, Reason};
use qp_engines::{Engine, Facts, QueueAnswer, Sorts, Turn};
use qp_machines::Property;

use crate::abreast::{EngineRun, Question, side_by_side};
use crate::portfolio::InternalError;
use crate::{Loaded, Options};

use self::slices::Slices;

/// Runs the selected engines, each in its turn, and says which of them crashed.
///
/// 1. Those of the first turn take a look at few configurations. Where somebody of the second turn suits the model, a
///    glance comes first, and then what that one has to say. If that is not enough, random runs begin, and go on beside
///    them in slices from now on, while they find something to do: a mistake that lies deep is on the screen within
///    seconds.
/// 2. Those of the second turn are asked what that leaves open, one after the other. They go on with what was explored.
/// 3. If something is still open, those of the first turn that were cut short go on without that limit, slice by slice.
///    If there is now a bound for every queue, they go as far as that: then they see everything.
///
/// What was explored before for other questions about the same model (`facts`) is gone on with.
///
/// Where nobody has the first turn, all limits count from the beginning, and random runs come last. Who runs
/// depends on answers and numbers of configurations and steps; on time only where a first look takes an eighth or half of it.
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
        match (&self.first[..], &self.second[..], &self.last[..]) {
            ([], [], last) => side_by_side(last, question, budget, self.facts),
            (first, [], []) => side_by_side(first, question, budget, self.facts),
            ([], second, _) => {
                budget.progress().enter(Phase::Proving);
                let runs = side_by_side(second, question, &budget.for_blurred(), self.facts);
                let mut slices = Slices::new(self, question, budget, runs);
                slices.walk_to_the_end(known);
                slices.runs
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
        budget.progress().enter(Phase::Searching);
        let mut slices = Slices::new(self, question, budget, Vec::new());
        slices.first_look(known);
        let proofs = self.second_turn(question, budget, &slices.runs);
        let open = left_open(&left_open(&question.properties, &slices.runs), &proofs);
        if open.is_empty() && !question.options.exhaustive {
            slices.end_early();
            slices.runs.extend(proofs);
            return slices.runs;
        }
        known(&proofs);
        let bound_max = risen(question, &proofs);
        let options = Options { bound_max, ..question.options.clone() };
        let rest =
            Question { properties: question.properties.clone(), options: &options, ..*question };
        budget.progress().enter(Phase::Searching);
        slices.question = &rest;
        slices.runs.extend(proofs);
        slices.all_that_is_left(bound_max > question.options.bound_max, known);
        slices.runs
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

#[cfg(test)]
mod tests;

//! The search of representatives, and what it answers.

use std::sync::Arc;

use qp_base::{Budget, Map, Spent};
use qp_claim::{Claim, Led, Proof, RankedSorted, Reason, SortedSet, Trace};
use qp_machines::{Config, Event, Outcome, Property, QueueId, Step, System, ValueFlow, Values};

use crate::cycles::{Ranks, cooled};
use crate::runs::{failing, is_violated};
use crate::search::evidence;
use crate::settled::Settled;
use crate::stop::Stop;
use crate::{Answer, Answers, Figures, QueueAnswer, Task};

use super::canon::Canon;
use super::tables::Tables;
use super::treats;

/// More representatives are not looked at: others may find an answer meanwhile.
const ROWS_MAX: usize = 1_000_000;
/// What a row takes, roughly, with what is remembered about it.
const BYTES_PER_ROW: u64 = 1_024;
/// The budget is asked after so many rows.
const ROWS_PER_LOOK: usize = 64;

/// Answers a task, from what the program says about numbers, or from what somebody makes of it.
pub(super) fn run(task: &Task, budget: &Budget, edit: &dyn Fn(&mut ValueFlow)) -> Answers {
    let mut settled = Settled::new(task, treats);
    let mut system = task.model.heeding(budget).system();
    let flow = system.program_mut().as_values().map(Values::value_flow);
    let tables = flow.map(|flow| {
        let mut flow = (*flow).clone();
        edit(&mut flow);
        Tables::of(&flow)
    });
    let tables = tables.filter(Tables::are_of_use);
    let outline = task.model.outline();
    let live = task.properties.iter().copied().filter(|property| property.is_live(outline));
    let (live, mut cooled) = (live.collect::<Vec<_>>(), Vec::new());
    // Where nothing could be exchanged, `explore` has said all that can be said.
    if let Some(tables) = tables.filter(|_| !settled.open().is_empty() || !live.is_empty()) {
        let mut search = Search::new(&mut system, Canon::new(tables));
        match search.run(&mut settled, &live, task.limits.bound_max, budget) {
            Ok(answers) => cooled = answers,
            Err(stop) => settled.note(&stop),
        }
        settled.answers.remarks = search.canon.remarks();
        let counts = u64::from(search.canon.tables.counts());
        settled.answers.detail = vec![("rows", search.rows.len() as u64), ("counting", counts)];
    }
    let mut answers = settled.finish(|_| None);
    for answer in cooled {
        answers.claims.retain(|other| other.property != answer.property);
        answers.claims.push(answer);
    }
    answers
}

struct Search<'a> {
    system: &'a mut System,
    canon: Canon,
    rows: Vec<Config>,
    places: Map<Config, u32>,
    /// For each row but the first: the row and the step by which it was found.
    parents: Vec<Option<(u32, Step)>>,
    first: Led,
    /// For each row: where its steps lead.
    steps: Vec<Vec<Led>>,
    n_steps: u64,
    /// For each queue: its greatest length.
    longest: Vec<u32>,
    /// What is violated in a row, without a real run that shows it.
    doubtful: Vec<Property>,
}

impl<'a> Search<'a> {
    fn new(system: &'a mut System, canon: Canon) -> Self {
        Self {
            system,
            canon,
            rows: Vec::new(),
            places: Map::default(),
            parents: Vec::new(),
            first: Led::default(),
            steps: Vec::new(),
            n_steps: 0,
            longest: Vec::new(),
            doubtful: Vec::new(),
        }
    }

    fn run(
        &mut self,
        settled: &mut Settled<'_>,
        live: &[Property],
        bound_max: u32,
        budget: &Budget,
    ) -> Result<Vec<Answer>, Stop> {
        let initial = self.system.initial();
        self.first = self.led(&initial, None)?;
        let mut next = 0;
        while next < self.rows.len() {
            if next.is_multiple_of(ROWS_PER_LOOK) {
                let known = self.rows.len() + self.canon.len();
                let bytes = known as u64 * BYTES_PER_ROW;
                budget.check(Spent { states: self.rows.len() as u64, bytes })?;
            }
            if settled.open().is_empty() && live.is_empty() {
                return Ok(Vec::new());
            }
            // Where queues grow there is no end.
            if self.rows.len() > ROWS_MAX || self.bound() > bound_max {
                return Err(Stop::TooMuch);
            }
            self.expand(next, settled)?;
            next += 1;
        }
        let set = Arc::new(self.evidence());
        let proof = Proof::Sorted(set.clone());
        for property in settled.open().into_iter().filter(|it| !self.doubtful.contains(it)) {
            settled.settle(property, Claim::Holds(proof.clone()), self.figures());
        }
        settled.answers.queues = self.queues(&proof);
        self.cooled(&set, live, budget)
    }

    /// How long queues get, each with a run to where it exists.
    fn queues(&mut self, proof: &Proof) -> Vec<QueueAnswer> {
        let mut answers = Vec::new();
        for (queue, longest) in self.longest.clone().into_iter().enumerate() {
            let row = self.rows.iter().position(|config| config.words.len() > queue);
            let run = row.and_then(|row| self.followed(row as u32));
            answers.push(QueueAnswer {
                queue: QueueId::new(queue),
                longest,
                bound: longest,
                met: run.map(|(_, steps)| steps).unwrap_or_default(),
                claim: Claim::Holds(proof.clone()),
            });
        }
        answers
    }

    /// Those specs that do not stay hot. Of others it is not known: numbers may grow where rows come back.
    fn cooled(
        &mut self,
        set: &Arc<SortedSet>,
        live: &[Property],
        budget: &Budget,
    ) -> Result<Vec<Answer>, Stop> {
        let mut answers = Vec::new();
        for &property in live {
            let leads = |place: usize, step: usize| set.steps[place][step].0;
            let ranks = cooled(self.system, &self.rows, &leads, property, budget)?;
            if let Some(Ranks { ranks, reasons }) = ranks {
                let ranked = RankedSorted { ranks, reasons, set: set.clone() };
                let claim = Claim::Holds(Proof::RankedSorted(Arc::new(ranked)));
                answers.push(Answer { property, claim, figures: self.figures() });
            }
        }
        Ok(answers)
    }

    /// The greatest length of any queue.
    fn bound(&self) -> u32 {
        self.longest.iter().copied().max().unwrap_or(0)
    }

    fn figures(&self) -> Figures {
        let (states, transitions) = (self.rows.len() as u64, self.n_steps);
        Figures { bound: self.bound(), states, transitions }
    }

    fn expand(&mut self, place: usize, settled: &mut Settled<'_>) -> Result<(), Stop> {
        let config = self.rows[place].clone();
        self.longest.resize(self.longest.len().max(config.words.len()), 0);
        for (longest, &word) in self.longest.iter_mut().zip(&config.words) {
            *longest = (self.system.words().len(word) as u32).max(*longest);
        }
        for property in [Property::Unhandled, Property::Deadlock] {
            let is_open = settled.is_open(property) && !self.doubtful.contains(&property);
            if is_open && is_violated(self.system, &config, property) {
                self.violated(settled, property, place as u32, None);
            }
        }
        let outcomes = self.system.successors(&config);
        let mut steps = Vec::with_capacity(outcomes.len());
        for outcome in &outcomes {
            self.n_steps += 1;
            steps.push(match outcome.event {
                Event::GaveUp { why } => return Err(Stop::gave_up(self.system, why)),
                Event::Failed { .. } => {
                    let property = failing(self.system, outcome.event);
                    let is_open = |it: &Property| settled.is_open(*it);
                    if let Some(property) = property.filter(is_open) {
                        self.violated(settled, property, place as u32, Some(outcome));
                    }
                    Led(place as u32, Vec::new())
                }
                _ => self.led(&outcome.config, Some((place as u32, outcome.step)))?,
            });
        }
        self.steps.push(steps);
        Ok(())
    }

    /// The row of a configuration, which may be new.
    fn led(&mut self, config: &Config, parent: Option<(u32, Step)>) -> Result<Led, Stop> {
        let form = self.canon.form(self.system, config);
        let form = form.ok_or(Stop::Refused(Reason::NotThisProperty))?;
        let known = self.places.get(&form.config).copied();
        let place = known.unwrap_or_else(|| {
            let place = self.rows.len() as u32;
            self.places.insert(form.config.clone(), place);
            self.rows.push(form.config.clone());
            self.parents.push(parent);
            place
        });
        Ok(Led(place, form.changes.clone()))
    }

    /// Settles a property that is violated in a row, or by a step from there, if a real run shows it.
    fn violated(
        &mut self,
        settled: &mut Settled<'_>,
        property: Property,
        place: u32,
        by: Option<&Outcome>,
    ) {
        match self.real(property, place, by) {
            Some(steps) => {
                let trace = Trace::finite(steps);
                settled.settle(property, Claim::Violated(trace), self.figures());
            }
            None => self.doubtful.push(property),
        }
    }

    /// A real run into a violation in what a row stands for, or by a step from there.
    fn real(&mut self, property: Property, place: u32, by: Option<&Outcome>) -> Option<Vec<Step>> {
        let (config, mut run) = self.followed(place)?;
        match by {
            Some(by) => {
                let own = self.system.outcomes(&config, by.step.machine, false);
                let fails = |it: &&Outcome| failing(self.system, it.event) == Some(property);
                run.push(own.iter().find(fails)?.step);
            }
            None if !is_violated(self.system, &config, property) => return None,
            None => {}
        }
        Some(run)
    }

    /// A real run that leads to what a row stands for: each step is by the same machine, to what the same row stands for.
    fn followed(&mut self, place: u32) -> Option<(Config, Vec<Step>)> {
        let (mut rows, mut at) = (Vec::new(), place);
        while let Some((parent, step)) = self.parents[at as usize] {
            rows.push((step, at));
            at = parent;
        }
        let (mut config, mut run) = (self.system.initial(), Vec::new());
        for &(step, row) in rows.iter().rev() {
            let mut own = self.system.outcomes(&config, step.machine, false);
            // Most often it is the step with the same number.
            let same = own.iter().position(|it| it.step == step);
            own.rotate_left(same.unwrap_or(0));
            let leads = own.into_iter().find(|it| {
                !it.is_end()
                    && (self.canon.form(self.system, &it.config))
                        .is_some_and(|form| form.config == self.rows[row as usize])
            })?;
            run.push(leads.step);
            config = leads.config;
        }
        Some((config, run))
    }

    fn evidence(&mut self) -> SortedSet {
        let configs: Vec<&Config> = self.rows.iter().collect();
        let set = Arc::new(evidence::listed(self.system, &configs));
        let tables = &self.canon.tables;
        let (uses, future) = tables.written();
        SortedSet {
            sorts: tables.sorts.clone(),
            classes: tables.classes.clone(),
            uses,
            future,
            first: self.first.clone(),
            steps: std::mem::take(&mut self.steps),
            set,
        }
    }
}

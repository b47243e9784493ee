//! All runs of the engine, one after the other, and the answers in the end.

use qp_base::{Budget, Exhausted, Spent};
use qp_claim::{Claim, Reason, Trace};
use qp_machines::{Config, MachineId, Outcome, Property, Step, System};

use crate::runs::{failing, is_violated, longest_queue, may_all_rest};
use crate::stop::spent;
use crate::{Answer, Answers, Figures, Task};

use super::chance::Chance;
use super::goals::{self, Goals};
use super::order::{Order, Ranking};
use super::shorten::shorten;

/// Any number does. It is always the same, so that runs are.
const SEED: u64 = 1;
/// Half of the runs are cut here, and no run goes on for longer than so many times that.
const LENGTH: usize = 64;
const DOUBLINGS_MAX: u32 = 6;
/// A ranking changes at most this often: mistakes that need more orderings are rare.
const CHANGES_MAX: usize = 4;
/// Once everything is found, this part of all steps is spent on shorter runs, and again on leaving
/// out steps.
const POLISH: u64 = 8;
/// The budget is asked after so many steps.
const STEPS_PER_LOOK: u64 = 256;
/// What a local state or a content takes, roughly, with what the system remembers about it.
const BYTES_PER_NUMBER: u64 = 1024;

/// One run of the engine, which makes many runs of the system.
pub(super) struct Conduct<'a> {
    task: Task,
    budget: &'a Budget,
    system: System,
    chance: Chance,
    goals: Goals,
    /// The run in the making.
    steps: Vec<Step>,
    n_runs: u64,
    n_steps: u64,
    /// How many local states and stores the system knows of, at least.
    n_known: usize,
    spent: Option<Exhausted>,
}

/// What a machine makes of being asked.
enum Reply {
    Moves(Outcome),
    /// It cannot move.
    Waits,
    /// Whatever it does ends the run.
    Ends,
}

impl<'a> Conduct<'a> {
    pub(super) fn new(task: Task, budget: &'a Budget) -> Self {
        Self {
            system: task.model.system(),
            goals: Goals::new(&task.properties),
            task,
            budget,
            chance: Chance::new(SEED),
            steps: Vec::new(),
            n_runs: 0,
            n_steps: 0,
            n_known: 0,
            spent: None,
        }
    }

    pub(super) fn start(mut self) -> Answers {
        let steps_max = self.task.limits.walk_steps_max;
        // The length of the last run, which the next ranking is made for.
        let mut length = LENGTH;
        let mut stop = steps_max;
        while self.n_steps < stop && !self.goals.is_empty() && self.may_go_on() {
            length = self.run(length);
            self.n_runs += 1;
            self.forget();
            if stop == steps_max && self.goals.all_found() {
                stop = steps_max.min(self.n_steps + steps_max / POLISH);
            }
            if self.goals.longest() == Some(0) {
                break;
            }
        }
        self.leave_out();
        self.finish()
    }

    fn may_go_on(&mut self) -> bool {
        let spent = Spent { states: self.n_steps, bytes: self.bytes() };
        self.spent = self.spent.or(self.budget.check(spent).err());
        self.spent.is_none()
    }

    fn bytes(&self) -> u64 {
        (self.system.words().count() + self.n_known) as u64 * BYTES_PER_NUMBER
    }

    /// Begins with a new system when the old one remembers too much: what it remembers only saves time.
    fn forget(&mut self) {
        if self.bytes() > self.budget.limits().memory_bytes / 8 {
            self.system = self.task.model.system();
            self.n_known = 0;
        }
    }

    /// The greatest length of the next run.
    fn length_max(&self) -> usize {
        let doublings = (self.n_runs / 2 + 1).trailing_zeros().min(DOUBLINGS_MAX);
        let length = LENGTH << doublings;
        // Longer runs than those that are there are of no use.
        self.goals.longest().map_or(length, |longest| length.min(longest.saturating_sub(1)))
    }

    fn order(&mut self, length: usize) -> Order {
        let ranked = self.n_runs % 2 == 1;
        let n_changes = self.chance.below(CHANGES_MAX + 1);
        Order::new(ranked.then_some(Ranking { n_changes, length }))
    }

    /// One run from the beginning; returns its length. Before the first, nothing was looked at.
    fn run(&mut self, length: usize) -> usize {
        let (length_max, mut order) = (self.length_max(), self.order(length));
        let mut config = self.system.initial();
        self.steps.clear();
        self.look(&config);
        while self.steps.len() < length_max {
            match self.step(&config, &mut order) {
                Reply::Moves(outcome) => {
                    self.steps.push(outcome.step);
                    config = outcome.config;
                    self.n_steps += 1;
                    self.note_known(&config, outcome.step.machine);
                    self.look(&config);
                }
                Reply::Waits => {
                    if !may_all_rest(&self.system, &config) {
                        self.goals.found(Property::Deadlock, &self.steps, None);
                    }
                    break;
                }
                Reply::Ends => break,
            }
            if self.n_steps.is_multiple_of(STEPS_PER_LOOK) && !self.may_go_on() {
                break;
            }
        }
        // A system that cannot do anything must not keep us here for ever.
        self.n_steps += u64::from(self.steps.is_empty());
        self.steps.len()
    }

    fn note_known(&mut self, config: &Config, machine: MachineId) {
        let local = config.locals.get(machine.index()).map_or(0, |local| local.index());
        self.n_known = self.n_known.max(local + config.store.index());
    }

    /// Looks for bad situations.
    fn look(&mut self, config: &Config) {
        for number in 0..self.goals.len() {
            let situation = self.goals.situation(number, self.steps.len());
            let Some(property) = situation else { continue };
            if is_violated(&mut self.system, config, property) {
                self.goals.found(property, &self.steps, None);
            }
        }
    }

    /// Draws a step like [`System::successors`] lists them: who is inside an atomic sequence comes
    /// first, and timeouts come last.
    fn step(&mut self, config: &Config, order: &mut Order) -> Reply {
        order.adapt(config.locals.len(), &mut self.chance);
        for timeout in [false, true] {
            if let Some(holder) = config.holder {
                let reply = self.ask(config, holder, timeout);
                if !matches!(reply, Reply::Waits) {
                    return reply;
                }
            }
            for place in 0..config.locals.len() {
                let machine = order.machine(place, &mut self.chance);
                let reply = self.ask(config, machine, timeout);
                if !matches!(reply, Reply::Waits) {
                    order.moved(machine, &mut self.chance);
                    return reply;
                }
            }
        }
        Reply::Waits
    }

    /// Draws a step of one machine. Failures are noted and not taken.
    fn ask(&mut self, config: &Config, machine: MachineId, timeout: bool) -> Reply {
        let mut outcomes = self.system.outcomes(config, machine, timeout);
        if outcomes.is_empty() {
            // Only a machine that cannot move can be at a loss.
            if self.goals.wants(Property::Unhandled, self.steps.len())
                && self.system.unhandled(config, machine).is_some()
            {
                self.goals.found(Property::Unhandled, &self.steps, None);
            }
            return Reply::Waits;
        }
        for outcome in &outcomes {
            if let Some(property) = failing(&self.system, outcome.event) {
                self.goals.found(property, &self.steps, Some(outcome.step));
            }
        }
        outcomes.retain(|outcome| !outcome.is_end());
        if outcomes.is_empty() {
            return Reply::Ends;
        }
        let number = self.chance.below(outcomes.len());
        Reply::Moves(outcomes.swap_remove(number))
    }

    /// Makes the runs shorter.
    fn leave_out(&mut self) {
        let mut allowance = self.task.limits.walk_steps_max / POLISH;
        for (property, run) in self.goals.runs_mut() {
            let go_on = || self.budget.check(Spent { states: 0, bytes: 0 }).is_ok();
            *run = shorten(&mut self.system, property, run, &mut allowance, &go_on);
        }
    }

    fn finish(mut self) -> Answers {
        let claims = self.task.properties.clone().into_iter().map(|property| self.answer(property));
        let claims = claims.collect();
        let detail = vec![("runs", self.n_runs), ("steps", self.n_steps)];
        // The number of steps is how far it is meant to go, and no limit that somebody set.
        let spent = self.spent.filter(|&exhausted| exhausted != Exhausted::States);
        Answers { claims, detail, spent, ..Answers::default() }
    }

    fn answer(&mut self, property: Property) -> Answer {
        let run = self.goals.run(property).map(<[Step]>::to_vec);
        let bound = run.as_ref().map_or(0, |run| longest_queue(&mut self.system, run));
        let claim = match run {
            Some(run) => Claim::Violated(Trace::finite(run)),
            None if goals::is_goal(property) => {
                let exhausted = self.spent.unwrap_or(Exhausted::States);
                Claim::GaveUp(spent(exhausted))
            }
            None => Claim::GaveUp(Reason::NotThisProperty),
        };
        let figures = Figures { bound, states: self.n_steps, transitions: self.n_steps };
        Answer { property, claim, figures }
    }
}

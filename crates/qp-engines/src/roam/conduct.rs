//! All runs of the engine, one after the other, and the answers in the end.

use qp_base::{Budget, Exhausted, Set, Span, Spent};
use qp_claim::{Claim, Reason, Trace};
use qp_machines::{Config, MachineId, Outcome, Property, Site, Step, System};

use crate::runs::{failing, is_violated, longest_queue, may_all_rest};
use crate::stop::spent;
use crate::{Answer, Answers, Choice, Facts, Figures, Task};

use super::chance::Chance;
use super::goals::{self, Goals};
use super::order::Order;
use super::races::Footprints;
use super::shorten::shorten;

/// Half of the runs are cut here, and no run goes on for longer than so many doublings of that. What is near the beginning
/// a search finds: runs are worth more where they are long.
const LENGTH: usize = 256;
const DOUBLINGS_MAX: u32 = 4;
/// A ranking changes at most this often: mistakes that need more orderings are rare.
const CHANGES_MAX: usize = 4;
/// Once everything is found, as many steps as that took are spent on shorter runs, within these limits.
const POLISH_MIN: u64 = 1_000;
const POLISH_MAX: u64 = 50_000;
/// As many steps at most are tried while some are left out of what was found: less than a second.
const LEAVE_OUT_MAX: u64 = 100_000;
/// The budget is asked after so many steps that were possible.
const POSSIBLE_PER_LOOK: usize = 2_048;
/// What a local state or a content takes, roughly, with what the system remembers about it.
const BYTES_PER_NUMBER: u64 = 1024;

/// One run of the engine, which makes many runs of the system.
pub(super) struct Conduct<'a> {
    task: Task,
    facts: &'a Facts,
    budget: &'a Budget,
    walked: Walked,
    chance: Chance,
    goals: Goals,
    /// The run in the making.
    steps: Vec<Step>,
    /// How many steps were possible since the budget was asked.
    n_possible: usize,
    /// How many runs there were when the first one violated something, itself included.
    first_found: Option<u64>,
    spent: Option<Exhausted>,
}

/// What there is so far of all runs, for whoever goes on with the next one.
pub(crate) struct Walked {
    system: System,
    footprints: Footprints,
    n_runs: u64,
    n_steps: u64,
    /// The length of the last run, which the next ranking is made for.
    length: usize,
    /// How many local states and stores the system knows of, at least.
    n_known: usize,
    /// What systems that were forgotten had not come to.
    unvisited: Option<Vec<Site>>,
    /// The step that had most outcomes.
    widest: Option<Choice>,
}

impl Walked {
    fn new(system: System) -> Self {
        Self {
            system,
            footprints: Footprints::default(),
            n_runs: 0,
            n_steps: 0,
            length: LENGTH,
            n_known: 0,
            unvisited: None,
            widest: None,
        }
    }

    fn bytes(&self) -> u64 {
        let n = self.system.words().count() + self.n_known + self.footprints.len();
        n as u64 * BYTES_PER_NUMBER
    }

    /// The places to which no run has come.
    fn unvisited(&self) -> Option<Vec<Site>> {
        let mut sites = self.system.program().unvisited()?;
        if let Some(before) = &self.unvisited {
            let before: Set<(Span, &str)> =
                before.iter().map(|site| (site.span, site.name.as_str())).collect();
            sites.retain(|site| before.contains(&(site.span, site.name.as_str())));
        }
        Some(sites)
    }
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
    pub(super) fn new(task: Task, facts: &'a Facts, budget: &'a Budget) -> Self {
        let walked = facts.take_walked().map(|mut walked| {
            walked.system.heed(budget);
            walked
        });
        Self {
            walked: walked.unwrap_or_else(|| Walked::new(task.model.system())),
            goals: Goals::new(&task.properties),
            task,
            facts,
            budget,
            chance: Chance::new(0),
            steps: Vec::new(),
            n_possible: 0,
            first_found: None,
            spent: None,
        }
    }

    pub(super) fn start(mut self) -> Answers {
        let walks = self.task.limits.walks;
        let mut stop = walks.steps_max;
        let mut searching = true;
        while self.walked.n_steps < stop && !self.goals.is_empty() && self.may_go_on() {
            if walks.schedules_max.is_some_and(|max| self.walked.n_runs >= max) {
                break;
            }
            self.walked.length = self.run();
            self.walked.n_runs += 1;
            if self.first_found.is_none() && self.goals.any_found() {
                self.first_found = Some(self.walked.n_runs);
            }
            self.forget();
            if searching && self.goals.all_found() {
                searching = false;
                let n_steps = self.walked.n_steps;
                stop = stop.min(n_steps + n_steps.clamp(POLISH_MIN, POLISH_MAX));
            }
            if self.goals.longest() == Some(0) {
                break;
            }
        }
        self.leave_out();
        self.finish()
    }

    fn may_go_on(&mut self) -> bool {
        let spent = Spent { states: self.walked.n_steps, bytes: self.walked.bytes() };
        self.spent = self.spent.or(self.budget.check(spent).err());
        self.spent.is_none()
    }

    /// Begins with a new system when the old one remembers too much: what it remembers only saves time.
    fn forget(&mut self) {
        if self.walked.bytes() > self.budget.limits().memory_bytes / 8 {
            let unvisited = self.walked.unvisited();
            let Walked { n_runs, n_steps, length, widest, .. } = self.walked;
            let fresh = Walked::new(self.task.model.system());
            self.walked = Walked { n_runs, n_steps, length, unvisited, widest, ..fresh };
        }
    }

    /// The greatest length of the next run.
    fn length_max(&self) -> usize {
        let number = self.task.limits.walks.number_of_its_kind(self.walked.n_runs);
        let doublings = (number + 1).trailing_zeros().min(DOUBLINGS_MAX);
        let length = LENGTH << doublings;
        // Longer runs than those that are there are of no use.
        self.goals.longest().map_or(length, |longest| length.min(longest.saturating_sub(1)))
    }

    fn order(&mut self) -> Order {
        let walks = self.task.limits.walks;
        self.chance = Chance::of(walks.seed, self.walked.n_runs);
        let n_changes = self.chance.below(CHANGES_MAX + 1);
        let strategy = walks.strategy(self.walked.n_runs);
        Order::new(strategy, self.walked.length, n_changes, &mut self.chance)
    }

    /// One run from the beginning; returns its length. Before the first, nothing was looked at.
    fn run(&mut self) -> usize {
        let (length_max, mut order) = (self.length_max(), self.order());
        let mut config = self.walked.system.initial();
        self.steps.clear();
        self.look(&config);
        while self.steps.len() < length_max {
            match self.step(&config, &mut order) {
                Reply::Moves(outcome) => {
                    self.steps.push(outcome.step);
                    config = outcome.config;
                    self.walked.n_steps += 1;
                    self.note_known(&config, outcome.step.machine);
                    self.look(&config);
                }
                Reply::Waits => {
                    if !may_all_rest(&self.walked.system, &config) {
                        self.goals.found(Property::Deadlock, &self.steps, None);
                    }
                    break;
                }
                Reply::Ends => break,
            }
            if self.n_possible > POSSIBLE_PER_LOOK {
                self.n_possible = 0;
                if !self.may_go_on() {
                    break;
                }
            }
        }
        // A system that cannot do anything must not keep us here for ever.
        self.walked.n_steps += u64::from(self.steps.is_empty());
        self.steps.len()
    }

    fn note_known(&mut self, config: &Config, machine: MachineId) {
        let local = config.locals.get(machine.index()).map_or(0, |local| local.index());
        self.walked.n_known = self.walked.n_known.max(local + config.store.index());
    }

    /// Looks for bad situations.
    fn look(&mut self, config: &Config) {
        for number in 0..self.goals.len() {
            let situation = self.goals.situation(number, self.steps.len());
            let Some(property) = situation else { continue };
            if is_violated(&mut self.walked.system, config, property) {
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
                    self.moved(config, holder, order);
                    return reply;
                }
            }
            for place in 0..config.locals.len() {
                let machine = order.machine(place, &mut self.chance);
                let reply = self.ask(config, machine, timeout);
                if !matches!(reply, Reply::Waits) {
                    self.moved(config, machine, order);
                    return reply;
                }
            }
        }
        Reply::Waits
    }

    fn moved(&mut self, config: &Config, machine: MachineId, order: &mut Order) {
        let Walked { system, footprints, .. } = &mut self.walked;
        let races = |other: MachineId| {
            let own = footprints.of(system, config, machine);
            own.races_with(&footprints.of(system, config, other))
        };
        order.moved(machine, races, &mut self.chance);
    }

    /// Draws a step of one machine. Failures are noted and not taken.
    fn ask(&mut self, config: &Config, machine: MachineId, timeout: bool) -> Reply {
        let mut outcomes = self.walked.system.outcomes(config, machine, timeout);
        self.n_possible += outcomes.len() + 1;
        if outcomes.is_empty() {
            // Only a machine that cannot move can be at a loss.
            if self.goals.wants(Property::Unhandled, self.steps.len())
                && self.walked.system.unhandled(config, machine).is_some()
            {
                self.goals.found(Property::Unhandled, &self.steps, None);
            }
            return Reply::Waits;
        }
        for outcome in &outcomes {
            if let Some(property) = failing(&self.walked.system, outcome.event) {
                self.goals.found(property, &self.steps, Some(outcome.step));
            }
        }
        self.note_choice(config, machine, outcomes.len());
        outcomes.retain(|outcome| !outcome.is_end());
        if outcomes.is_empty() {
            return Reply::Ends;
        }
        let number = self.chance.below(outcomes.len());
        Reply::Moves(outcomes.swap_remove(number))
    }

    fn note_choice(&mut self, config: &Config, machine: MachineId, n_outcomes: usize) {
        let most = self.walked.widest.map_or(1, |choice| choice.n_outcomes);
        if n_outcomes > most {
            let program = self.walked.system.program();
            let local = config.local(machine);
            let span = program.action_span(machine, local);
            let span = span.unwrap_or_else(|| program.control_span(machine, local));
            self.walked.widest = Some(Choice { n_outcomes, span });
        }
    }

    /// Makes the runs shorter.
    fn leave_out(&mut self) {
        let mut allowance = LEAVE_OUT_MAX;
        for (property, run) in self.goals.runs_mut() {
            let go_on = || self.budget.check(Spent { states: 0, bytes: 0 }).is_ok();
            *run = shorten(&mut self.walked.system, property, run, &mut allowance, &go_on);
        }
    }

    fn finish(mut self) -> Answers {
        let claims = self.task.properties.clone().into_iter().map(|property| self.answer(property));
        let claims = claims.collect();
        let mut detail = vec![("runs", self.walked.n_runs), ("steps", self.walked.n_steps)];
        detail.extend(self.first_found.map(|number| ("first_found", number)));
        // The number of steps is how far it is meant to go, and no limit that somebody set.
        let spent = self.spent.filter(|&exhausted| exhausted != Exhausted::States);
        let (unseen, choice) = (self.walked.unvisited(), self.walked.widest);
        self.facts.leave_walked(self.walked);
        Answers { claims, detail, unseen, choice, spent, ..Answers::default() }
    }

    fn answer(&mut self, property: Property) -> Answer {
        let run = self.goals.run(property).map(<[Step]>::to_vec);
        let bound = run.as_ref().map_or(0, |run| longest_queue(&mut self.walked.system, run));
        let claim = match run {
            Some(run) => Claim::Violated(Trace::finite(run)),
            None if goals::is_goal(property) => {
                let exhausted = self.spent.unwrap_or(Exhausted::States);
                Claim::GaveUp(spent(exhausted))
            }
            None => Claim::GaveUp(Reason::NotThisProperty),
        };
        let n_steps = self.walked.n_steps;
        let figures = Figures { bound, states: n_steps, transitions: n_steps };
        Answer { property, claim, figures }
    }
}

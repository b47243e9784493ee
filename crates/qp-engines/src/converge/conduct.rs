//! One run of the engine: coarse views first, finer ones where something is in the way.

mod answers;
mod obstacles;

use std::collections::BTreeMap;
use std::sync::Arc;

use qp_base::{Budget, Exhausted, Set, Spent};
use qp_claim::{ListSet, QueueInvariant, Reason};
use qp_machines::{Capacity, Property, QueueId};

use crate::stop::{TOO_WIDE, outside};
use crate::{Answers, Facts, Figures, Task};

use super::attempt::{Attempt, Means, Trial};
use super::candidates::{Help, candidates};
use super::explored::{Explored, Seen, Violation, few};
use super::stated::{Resolved, resolve};
use crate::lists::Look;

/// Views that are tried one after the other: (prefix, counted).
const LADDER: [(u32, u32); 10] =
    [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 1), (4, 0), (4, 1), (6, 2)];

/// One run of the engine.
pub(super) struct Conduct<'a> {
    task: Task,
    facts: &'a Facts,
    budget: &'a Budget,
    explored: Explored,
    seen: BTreeMap<QueueId, Seen>,
    /// What users have stated, queue by queue.
    stated: Resolved,
    /// What is still to be shown.
    open: Vec<Property>,
    shown: Vec<Shown>,
    /// What a run with short queues violates.
    violated: Vec<Violation>,
    /// For properties that are open: why, as far as the finest view knows.
    why: BTreeMap<Property, Reason>,
    /// What was tried.
    tried: Set<(Look, Help)>,
    /// What is being tried.
    way: (Look, Help),
    /// What was tried and has sets that are too large for now.
    too_large: Set<(Look, Help)>,
    /// The largest set that is of use for now.
    states_max: usize,
    figures: Figures,
    /// Configurations visited in all attempts: the limit must not depend on the machine.
    visited: u64,
    /// The view tried last.
    last: Option<(u32, u32)>,
    bytes: u64,
}

/// Something that was proved.
struct Shown {
    property: Property,
    set: Arc<ListSet>,
    figures: Figures,
    /// For each queue: its greatest length, if the set shows one.
    longest: Vec<Option<u32>>,
}

impl<'a> Conduct<'a> {
    pub(super) fn new(task: Task, facts: &'a Facts, budget: &'a Budget) -> Self {
        let open: Vec<Property> =
            task.properties.iter().copied().filter(|&p| p.is_about_configurations()).collect();
        let explored = Explored::new((&task.model, &open), task.limits, facts, budget);
        Self {
            task,
            facts,
            budget,
            explored,
            seen: BTreeMap::new(),
            stated: Resolved::default(),
            open,
            shown: Vec::new(),
            violated: Vec::new(),
            why: BTreeMap::new(),
            tried: Set::default(),
            way: (Look { prefix: 0, counted: 0 }, Help::Nothing),
            too_large: Set::default(),
            states_max: 0,
            figures: Figures::default(),
            visited: 0,
            last: None,
            bytes: 0,
        }
    }

    pub(super) fn start(mut self) -> Answers {
        let few = few(&self.task.limits);
        loop {
            let more = self.explored.advance(self.task.limits.bound_max, few, self.budget);
            let found = self.explored.violations(&self.violated, self.budget);
            self.open.retain(|property| found.iter().all(|it| it.property != *property));
            self.violated.extend(found);
            if !more {
                break;
            }
        }
        self.seen = self.explored.seen();
        self.stated = resolve(&self.task.invariants, &self.seen, self.explored.system());
        // Finer views need not have larger sets, so all of them are tried with little before any is
        // tried with much.
        let (small, large) = (self.task.limits.small_max, self.task.limits.evidence_max);
        let passes: [(usize, &[Help]); 5] = [
            (small, &[Help::Nothing, Help::Limits]),
            (small * 4, &[Help::Nothing, Help::Limits]),
            (small, &[Help::Shapes]),
            (large, &[Help::Nothing]),
            (large, &[Help::Limits]),
        ];
        let ladder = self.ladder();
        for (states_max, ways) in passes {
            self.states_max = states_max.min(large);
            for (&look, &help) in
                ladder.iter().flat_map(|look| ways.iter().map(move |help| (look, help)))
            {
                if !self.open.is_empty() && self.spent().is_none() {
                    self.climb(look, help);
                }
            }
        }
        let suggested = self.assume();
        self.unite();
        self.finish(&suggested)
    }

    /// The views to try. A declared capacity is only seen where the front is as long.
    fn ladder(&mut self) -> Vec<Look> {
        let lists = self.task.limits.lists;
        let kinds = self.task.model.outline().kinds.iter();
        let capacity = kinds.filter_map(|kind| match kind.capacity {
            Capacity::Messages(n) => Some(n),
            Capacity::Unbounded | Capacity::Rendezvous => None,
        });
        let least = capacity.max().unwrap_or(0);
        let look = |&(prefix, counted): &(u32, u32)| Look {
            prefix: lists.prefix.unwrap_or(prefix.max(least)),
            counted: lists.counted.unwrap_or(counted),
        };
        // Where queues stay short, telling everything apart is enough.
        let complete = self.explored.complete();
        let complete = complete.map(|longest| [(0, 0), (0, 1), (1, 0), (2, 0), (longest, 0)]);
        let steps = complete.as_ref().map_or(&LADDER[..], |steps| &steps[..]);
        let mut ladder: Vec<Look> = Vec::new();
        for look in steps.iter().map(look) {
            if !ladder.contains(&look) {
                ladder.push(look);
            }
        }
        if lists.prefix.is_some_and(|prefix| prefix < least) {
            let because = format!("a queue has a capacity of {least}, and the prefix is shorter");
            self.give_up_all(&outside(because));
            ladder.clear();
        }
        ladder
    }

    /// Tries one view with one kind of help, unless that was tried before and led to an end.
    fn climb(&mut self, look: Look, help: Help) {
        if !self.tried.insert((look, help)) && !self.too_large.contains(&(look, help)) {
            return;
        }
        self.last = Some((look.prefix, look.counted));
        let mut tried = self.stated.usable.clone();
        for candidate in self.candidates(help) {
            if !tried.contains(&candidate) {
                tried.push(candidate);
            }
        }
        if help == Help::Nothing || tried.len() > self.stated.usable.len() {
            self.too_large.remove(&(look, help));
            self.way = (look, help);
            self.settle(look, tried);
        }
    }

    /// What may be true of queues. Where everything was seen, nothing has to be guessed.
    fn candidates(&mut self, help: Help) -> Vec<QueueInvariant> {
        let suggest = self.task.limits.lists.suggest && self.explored.complete().is_none();
        if help == Help::Nothing || !suggest {
            return Vec::new();
        }
        let bound = self.explored.length();
        candidates(self.explored.system(), &self.seen, bound, help)
    }

    /// Tries a view with those of the invariants that can be proved together with it: whichever breaks is
    /// dropped, and the rest is tried again.
    fn settle(&mut self, look: Look, mut invariants: Vec<QueueInvariant>) {
        while self.spent().is_none() {
            let trial = Trial { look, invariants: invariants.clone(), believed: 0 };
            let Some(attempt) = self.attempt(trial) else { return };
            let broken = attempt.broken();
            if broken.is_empty() {
                self.take(attempt);
                return;
            }
            for number in broken.into_iter().rev() {
                invariants.remove(number);
            }
        }
    }

    fn attempt(&mut self, trial: Trial) -> Option<Attempt> {
        let limits = &self.task.limits;
        let means = Means { budget: self.budget, jobs: limits.jobs, states_max: self.states_max };
        let attempt = Attempt::new(&self.task.model, trial, &self.open, means);
        let Some(attempt) = attempt else {
            self.give_up_all(&outside(TOO_WIDE));
            return None;
        };
        self.bytes = self.bytes.max(attempt.bytes());
        self.visited += attempt.len() as u64;
        Some(attempt)
    }

    /// Takes over what a complete attempt shows, and what is in the way of the rest.
    fn take(&mut self, mut attempt: Attempt) {
        self.figures = Figures {
            bound: self.explored.bound(),
            states: attempt.len() as u64,
            transitions: attempt.transitions(),
        };
        let open = std::mem::take(&mut self.open);
        let (shown, left): (Vec<_>, Vec<_>) = open.into_iter().partition(|&p| attempt.shows(p));
        self.open = left;
        self.why.retain(|property, _| self.open.contains(property));
        if !self.open.is_empty() {
            self.note_why(&mut attempt);
        }
        if !shown.is_empty() {
            let mut attempt = self.leanest(attempt, &shown);
            let (set, longest) = (Arc::new(attempt.evidence()), attempt.longest());
            let figures = Figures { states: attempt.len() as u64, ..self.figures };
            let entry =
                |property| Shown { property, set: set.clone(), figures, longest: longest.clone() };
            self.shown.extend(shown.into_iter().map(entry));
        }
    }

    /// Shows everything with the set that needed the finest view, if it does: one certificate is better
    /// than several.
    fn unite(&mut self) {
        let Some(finest) = self.finest() else { return };
        let all: Vec<Property> = self.shown.iter().map(|shown| shown.property).collect();
        if self.shown.iter().all(|shown| Arc::ptr_eq(&shown.set, &finest)) {
            return;
        }
        let look = Look { prefix: finest.prefix, counted: finest.counted };
        let trial = Trial { look, invariants: finest.invariants.clone(), believed: 0 };
        let open = std::mem::replace(&mut self.open, all.clone());
        let attempt = self.attempt(trial);
        self.open = open;
        let Some(mut attempt) = attempt else { return };
        if all.iter().all(|&property| attempt.shows(property)) {
            let (set, longest) = (Arc::new(attempt.evidence()), attempt.longest());
            for shown in &mut self.shown {
                shown.figures.states = attempt.len() as u64;
                (shown.set, shown.longest) = (set.clone(), longest.clone());
            }
        }
    }

    /// The set that needed the finest view.
    fn finest(&self) -> Option<Arc<ListSet>> {
        let fineness = |set: &&Arc<ListSet>| (set.prefix + set.counted, set.set.len());
        self.shown.iter().map(|shown| &shown.set).max_by_key(fineness).cloned()
    }

    /// An attempt that shows these properties with no more invariants than it takes:
    /// halves are left out, then quarters, and so on.
    fn leanest(&mut self, mut attempt: Attempt, shown: &[Property]) -> Attempt {
        /// So many configurations may be visited for it.
        const WORTH: usize = 200_000;
        let open = std::mem::replace(&mut self.open, shown.to_vec());
        let states_max = std::mem::replace(&mut self.states_max, attempt.len() * 2);
        let n_stated = self.stated.usable.len().min(attempt.trial.invariants.len());
        let (mut visited, mut step) = (0, attempt.trial.invariants.len().div_ceil(2));
        // For figures the tightest set is wanted, and that has all of them.
        while step > 0 && !self.task.limits.lists.figures {
            let mut from = n_stated;
            while from < attempt.trial.invariants.len() && visited < WORTH {
                let mut trial = attempt.trial.clone();
                let to = (from + step).min(trial.invariants.len());
                trial.invariants.drain(from..to);
                let Some(mut lean) = self.attempt(trial) else { break };
                visited += lean.len();
                if shown.iter().all(|&property| lean.shows(property)) {
                    attempt = lean;
                } else {
                    from += step;
                }
            }
            step /= 2;
        }
        (self.open, self.states_max) = (open, states_max);
        attempt
    }

    fn give_up_all(&mut self, reason: &Reason) {
        for &property in &self.open {
            self.why.insert(property, reason.clone());
        }
    }

    fn spent(&self) -> Option<Exhausted> {
        self.budget.check(Spent { states: self.visited, bytes: 0 }).err()
    }

    fn budget_reason(&self, exhausted: Exhausted) -> Reason {
        Reason::Budget { exhausted, bound: self.explored.bound(), suspect: None }
    }

    fn name(&self, queue: QueueId) -> String {
        let outline = self.task.model.outline();
        let seen = self.seen.get(&queue);
        seen.map_or_else(|| outline.queue_text(queue), |seen| seen.name.clone())
    }
}

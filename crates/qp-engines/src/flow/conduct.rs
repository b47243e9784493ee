//! One run of the engine: one linear program after the other, and what they come to.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use qp_base::Budget;
use qp_claim::{Claim, Flow, Proof, Reason, Trace};
use qp_machines::{CounterId, Counts, Net, Outline, Property, QueueId, System};

use crate::stop::{Stop, outside};
use crate::{Answer, Answers, Facts, Figures, QueueAnswer, Remark, Task};

use super::cases::{Settled, settle};
use super::census::Census;
use super::confirm;
use super::cycles::{cycles, round};
use super::inequalities::{Inequalities, Most, Ray};
use super::refine::{Refinement, Sizes, Tally};

/// Answers a task.
pub(super) fn run(task: &Task, facts: &Facts, budget: &Budget) -> Answers {
    // The steps of the simplex method are no configurations, so they are not shown as such.
    let budget = budget.beside(Arc::new(AtomicBool::new(false)));
    let mut system = task.model.system();
    Conduct::new(task, &mut system, facts, &budget).answers()
}

/// So many configurations are visited in search for runs that make queues grow, for all queues together.
const SEARCHED_MAX: u64 = 50_000;

const TOO_LARGE: &str = "the numbers of the proof are too large";

/// What is known about the length of a queue.
enum Length {
    AtMost(u32),
    Grows(Trace),
    Open(Reason),
}

struct Conduct<'a> {
    task: &'a Task,
    system: &'a mut System,
    facts: &'a Facts,
    budget: &'a Budget,
    outline: &'a Outline,
    /// For each queue; behind those of the outline, for those that are created at run time.
    lengths: Vec<Length>,
    /// What proves the lengths.
    flow: Arc<Flow>,
    /// How many messages there are in all queues together, if that has a bound.
    total: Option<u32>,
    /// Whether there is progress again and again, if that was asked.
    livelock: Option<Claim>,
    answers: Answers,
}

impl<'a> Conduct<'a> {
    fn new(task: &'a Task, system: &'a mut System, facts: &'a Facts, budget: &'a Budget) -> Self {
        Self {
            task,
            system,
            facts,
            budget,
            outline: task.model.outline(),
            lengths: Vec::new(),
            flow: Arc::default(),
            total: None,
            livelock: None,
            answers: Answers::default(),
        }
    }

    fn answers(mut self) -> Answers {
        let asked = |p: &Property| matches!(p, Property::Bounded | Property::Length(..));
        if self.task.limits.queues || self.task.properties.iter().any(asked) {
            self.measure();
        }
        let livelock = Property::Livelock;
        if self.task.properties.contains(&livelock) && !livelock.is_void(self.outline) {
            self.livelock = Some(self.progress());
        }
        let claim = |property: Property| {
            let (claim, figures) = (self.claim(property), Figures::default());
            Answer { property, claim, figures }
        };
        let claims = self.task.properties.iter().map(|&property| claim(property)).collect();
        let queues = self.queues();
        Answers { claims, queues, ..self.answers }
    }

    /// Asks finer and finer nets, as long as the rays that are left ask for more.
    fn refine<T>(
        &mut self,
        mut ask: impl FnMut(&mut Self, &Net, &mut Tally) -> Result<T, Stop>,
        rays: impl Fn(&T) -> Vec<&Ray>,
    ) -> Result<(Arc<Net>, T, Refinement), Stop> {
        let mut refinement = Refinement::default();
        loop {
            let net = refinement.net(self.system.program_mut(), self.facts);
            let net = net.map_err(Stop::outside)?;
            let found = ask(self, &net, &mut refinement.tally)?;
            let left = rays(&found);
            if !refinement.asks_more(&net, &left) {
                refinement.end(&net, &left);
                return Ok((net, found, refinement));
            }
        }
    }

    /// Why there is no answer.
    fn stopped(&mut self, stop: &Stop) -> Reason {
        if let &Stop::Exhausted(exhausted) = stop {
            self.answers.spent = Some(exhausted);
        }
        stop.reason()
    }

    /// Finds out how long each queue can get.
    fn measure(&mut self) {
        match self.refine(Self::mosts, |mosts| mosts.iter().filter_map(Most::ray).collect()) {
            Ok((net, mosts, refinement)) => {
                self.conclude(&net, mosts, &refinement);
                self.figures(&net, "", &refinement);
                self.note(refinement.remarks);
            }
            Err(stop) => {
                let reason = self.stopped(&stop);
                let open = |_| Length::Open(reason.clone());
                self.lengths = self.outline.queues.iter().map(open).collect();
            }
        }
    }

    /// The most messages in each queue, as far as this net tells.
    fn mosts(&mut self, net: &Net, tally: &mut Tally) -> Result<Vec<Most>, Stop> {
        let mut inequalities = Inequalities::of_runs(net);
        let mut mosts = Vec::new();
        for queue in (0..n_queues(net, self.outline)).map(QueueId::new) {
            let counted = counters(net, |counts| counts.is_in(queue));
            mosts.push(inequalities.most_of(&counted, self.budget)?);
            tally.programs += 1;
        }
        self.total = None;
        if mosts.iter().all(|most| most.ray().is_none()) {
            let counted = counters(net, |counts| matches!(counts, Counts::Messages(_)));
            tally.programs += 1;
            if let Most::Bound { value, .. } = inequalities.most_of(&counted, self.budget)? {
                self.total = u32::try_from(value.floor()).ok();
            }
        }
        Ok(mosts)
    }

    /// What the last net says about each queue.
    fn conclude(&mut self, net: &Net, mosts: Vec<Most>, refinement: &Refinement) {
        let mut weighings = Vec::new();
        let n_open = mosts.iter().filter(|most| most.ray().is_some()).count().max(1);
        let allowance = self.budget.at_most(SEARCHED_MAX / n_open as u64);
        for (queue, most) in mosts.into_iter().enumerate() {
            let length = match most {
                Most::Bound { value, weighing } => {
                    match u32::try_from(value.floor()).ok().zip(weighing) {
                        Some((length, weighing)) => {
                            weighings.push(weighing);
                            Length::AtMost(length)
                        }
                        None => Length::Open(outside(TOO_LARGE)),
                    }
                }
                Most::Nothing => {
                    Length::Open(outside("what is known about the model contradicts itself"))
                }
                Most::Grows(ray) => self.growth(net, QueueId::new(queue), &ray, &allowance),
            };
            self.lengths.push(length);
        }
        let followed = refinement.followed.iter().map(|id| id.raw()).collect();
        self.flow = Arc::new(Flow { followed, weighings, cases: Vec::new() });
    }

    /// Whether a queue does grow along a ray. Nobody looks for a run again that somebody has met.
    fn growth(&self, net: &Net, queue: QueueId, ray: &Ray, allowance: &Budget) -> Length {
        // Queues that are created at run time have other numbers in runs.
        let model = Some(&self.task.model).filter(|_| self.outline.queues.get(queue).is_some());
        let found = model.and_then(|model| {
            let known = self.facts.growth(queue);
            known.or_else(|| confirm::growth(model, net, ray, queue, allowance))
        });
        if let Some(trace) = found {
            return Length::Grows(trace);
        }
        let name = name(net, self.outline, queue);
        let what = format!("counting messages does not rule out that {name} grows for ever");
        Length::Open(rounds(net, what, ray))
    }

    fn note(&mut self, remarks: Vec<Remark>) {
        for remark in remarks {
            if !self.answers.remarks.contains(&remark) {
                self.answers.remarks.push(remark);
            }
        }
    }

    /// Whether every infinite run makes progress again and again.
    fn progress(&mut self) -> Claim {
        let ask = |this: &mut Self, net: &Net, tally: &mut Tally| {
            let (settled, programs) = settle(net, this.budget);
            tally.programs += programs;
            Ok(settled)
        };
        let found = self.refine(ask, |settled| settled.ray().into_iter().collect());
        let (net, settled, refinement) = match found {
            Ok(found) => found,
            Err(stop) => return Claim::GaveUp(stop.reason()),
        };
        self.figures(&net, "livelock-", &refinement);
        self.note(refinement.remarks);
        let followed = refinement.followed.iter().map(|id| id.raw()).collect();
        let reason = match settled {
            Settled::Free(cases) => {
                let flow = Flow { followed, weighings: Vec::new(), cases };
                return Claim::Holds(Proof::Flow(Arc::new(flow)));
            }
            Settled::Open(ray) => {
                let model = &self.task.model;
                if let Some(trace) = confirm::livelock(model, &net, &ray, self.budget) {
                    return Claim::Violated(trace);
                }
                let what = "counting messages does not rule out a run without progress".to_owned();
                rounds(&net, what, &ray)
            }
            Settled::TooLarge => outside(TOO_LARGE),
            Settled::TooMany(_) => outside("runs without progress fall into too many cases"),
            Settled::Spent(exhausted) => self.stopped(&exhausted.into()),
        };
        Claim::GaveUp(reason)
    }

    fn claim(&self, property: Property) -> Claim {
        let reason = match property {
            Property::Bounded => {
                let grows = self.lengths.iter().find(|it| matches!(it, Length::Grows(_)));
                let open = || self.lengths.iter().find(|it| matches!(it, Length::Open(_)));
                let worst = grows.or_else(open);
                return worst.map_or_else(|| self.proved(), |length| self.length_claim(length));
            }
            Property::Length(queue, _) if self.outline.queues.get(queue).is_none() => {
                Reason::NotThisProperty
            }
            Property::Length(queue, bound) => match self.lengths.get(queue.index()) {
                Some(Length::AtMost(length)) if *length > bound => {
                    let name = self.outline.queue_text(queue);
                    outside(format!(
                        "counting messages shows only that {name} holds at most {length}"
                    ))
                }
                Some(length) => return self.length_claim(length),
                None => Reason::NotThisProperty,
            },
            Property::Livelock => match &self.livelock {
                Some(claim) => return claim.clone(),
                None => Reason::NotThisProperty,
            },
            _ => Reason::NotThisProperty,
        };
        Claim::GaveUp(reason)
    }

    fn proved(&self) -> Claim {
        Claim::Holds(Proof::Flow(self.flow.clone()))
    }

    fn length_claim(&self, length: &Length) -> Claim {
        match length {
            Length::AtMost(_) => self.proved(),
            Length::Grows(trace) => Claim::Violated(trace.clone()),
            Length::Open(reason) => Claim::GaveUp(reason.clone()),
        }
    }

    fn queues(&self) -> Vec<QueueAnswer> {
        if !self.task.limits.queues {
            return Vec::new();
        }
        let answer = |(queue, length): (usize, &Length)| {
            let bound = if let Length::AtMost(length) = length { *length } else { 0 };
            let claim = self.length_claim(length);
            QueueAnswer { queue: QueueId::new(queue), longest: 0, bound, met: Vec::new(), claim }
        };
        let n = self.outline.queues.len();
        self.lengths.iter().take(n).enumerate().map(answer).collect()
    }

    /// What the papers' tables tell of the last net and of how it came about.
    fn figures(&mut self, net: &Net, about: &'static str, refinement: &Refinement) {
        let Tally { programs, counterexamples, spurious, analysed, dependencies } =
            refinement.tally;
        let followed = refinement.followed.len() as u64;
        let Sizes { spots, arcs, counters, census } = refinement.sizes;
        let Census { cycles, vectors, kinds } = census;
        let figures = [
            ("spots", "livelock-spots", spots),
            ("arcs", "livelock-arcs", arcs),
            ("counters", "livelock-counters", counters),
            ("facts", "livelock-facts", net.facts.len() as u64),
            ("kinds", "livelock-kinds", kinds),
            ("cycles", "livelock-cycles", cycles),
            ("vectors", "livelock-vectors", vectors),
            ("programs", "livelock-programs", programs),
            ("counterexamples", "livelock-counterexamples", counterexamples),
            ("spurious", "livelock-spurious", spurious),
            ("analysed", "livelock-analysed", analysed),
            ("dependencies", "livelock-dependencies", dependencies),
            ("followed", "livelock-followed", followed),
        ];
        let named = |(plain, livelock, figure)| {
            if about.is_empty() { (plain, figure) } else { (livelock, figure) }
        };
        self.answers.detail.extend(figures.map(named));
        if about.is_empty() {
            self.answers.detail.extend(self.total.map(|total| ("total", u64::from(total))));
        }
    }
}

impl Most {
    fn ray(&self) -> Option<&Ray> {
        match self {
            Self::Grows(ray) => Some(ray),
            Self::Bound { .. } | Self::Nothing => None,
        }
    }
}

impl Settled {
    fn ray(&self) -> Option<&Ray> {
        match self {
            Self::Open(ray) | Self::TooMany(ray) => Some(ray),
            Self::Free(_) | Self::TooLarge | Self::Spent(_) => None,
        }
    }
}

/// How many queues there are, with those that are created at run time.
fn n_queues(net: &Net, outline: &Outline) -> usize {
    let counted = net.counters.iter().filter_map(|counter| match counter.counts {
        Counts::Messages(queue) => Some(queue.index() + 1),
        Counts::Handshakes(_) | Counts::Machines | Counts::Number => None,
    });
    counted.max().unwrap_or(0).max(outline.queues.len())
}

/// The name of a queue. What is created at run time has the name of what is counted in it.
fn name(net: &Net, outline: &Outline, queue: QueueId) -> String {
    let inside = net.counters.iter().find(|counter| counter.counts.is_in(queue));
    match inside.and_then(|counter| counter.name.split_once(": ")) {
        Some((name, _)) if outline.queues.get(queue).is_none() => name.to_owned(),
        _ => outline.queue_text(queue),
    }
}

fn counters(net: &Net, chosen: impl Fn(Counts) -> bool) -> Vec<CounterId> {
    let counters = net.counters.iter_enumerated();
    counters.filter(|(_, counter)| chosen(counter.counts)).map(|(id, _)| id).collect()
}

fn rounds(net: &Net, what: String, ray: &Ray) -> Reason {
    let rounds = cycles(net, ray).iter().map(|cycle| round(net, cycle)).collect();
    Reason::Rounds { what, rounds }
}

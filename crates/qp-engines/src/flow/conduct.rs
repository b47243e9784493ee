//! One run of the engine: one linear program after the other, and what they come to.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use qp_base::{Budget, Exhausted};
use qp_claim::{Claim, Flow, Proof, Reason};
use qp_machines::{CounterId, Counts, Net, Outline, Property, QueueId};

use crate::{Answer, Answers, Figures, QueueAnswer, Task};

use super::cycles::{cycles, describe};
use super::inequalities::{Inequalities, Most};

/// Answers a task.
pub(super) fn run(task: &Task, budget: &Budget) -> Answers {
    // The steps of the simplex method are no configurations, so they are not shown as such.
    let budget = budget.beside(Arc::new(AtomicBool::new(false)));
    let mut system = task.model.system();
    match system.program_mut().net(&[]) {
        Ok(net) => Conduct::new(task, &net, &budget).answers(),
        Err(because) => {
            let claim = Claim::GaveUp(Reason::OutsideFragment { because });
            let answer = |&property| answer(property, claim.clone());
            Answers { claims: task.properties.iter().map(answer).collect(), ..Answers::default() }
        }
    }
}

/// What is known about the length of a queue.
enum Length {
    AtMost(u32),
    Open(Reason),
}

struct Conduct<'a> {
    task: &'a Task,
    net: &'a Net,
    budget: &'a Budget,
    outline: &'a Outline,
    /// For each queue.
    lengths: Vec<Length>,
    /// What proves the lengths.
    flow: Arc<Flow>,
    /// How many messages there are in all queues together, if that has a bound.
    total: Option<u32>,
    spent: Option<Exhausted>,
}

impl<'a> Conduct<'a> {
    fn new(task: &'a Task, net: &'a Net, budget: &'a Budget) -> Self {
        Self {
            task,
            net,
            budget,
            outline: task.model.outline(),
            lengths: Vec::new(),
            flow: Arc::default(),
            total: None,
            spent: None,
        }
    }

    fn answers(mut self) -> Answers {
        let asked = |p: &Property| matches!(p, Property::Bounded | Property::Length(..));
        if self.task.limits.queues || self.task.properties.iter().any(asked) {
            self.measure();
        }
        let claims = self.task.properties.iter();
        let claims: Vec<Answer> = claims.map(|&p| answer(p, self.claim(p))).collect();
        let livelock = claims.iter().find(|answer| answer.property == Property::Livelock);
        let out_of_budget = livelock.and_then(|answer| match answer.claim {
            Claim::GaveUp(Reason::Budget { exhausted, .. }) => Some(exhausted),
            _ => None,
        });
        let mut detail = vec![
            ("spots", self.net.spots.len() as u64),
            ("arcs", self.net.arcs.len() as u64),
            ("counters", self.net.counters.len() as u64),
            ("facts", self.net.facts.len() as u64),
        ];
        detail.extend(self.total.map(|total| ("total", u64::from(total))));
        Answers {
            claims,
            queues: self.queues(),
            detail,
            spent: self.spent.or(out_of_budget),
            ..Answers::default()
        }
    }

    /// Finds out how long each queue can get.
    fn measure(&mut self) {
        let mut inequalities = Inequalities::of_runs(self.net);
        let mut weighings = Vec::new();
        for queue in (0..self.outline.queues.len()).map(QueueId::new) {
            let counted = self.counters(|counts| counts.is_in(queue));
            let length = match inequalities.most_of(&counted, self.budget) {
                Ok(Most::Bound { value, weighing: Some(weighing) }) => {
                    match u32::try_from(value.floor()) {
                        Ok(length) => {
                            weighings.push(weighing);
                            Length::AtMost(length)
                        }
                        Err(_) => Length::Open(too_large()),
                    }
                }
                Ok(Most::Bound { weighing: None, .. }) => Length::Open(too_large()),
                Ok(Most::Nothing) => Length::Open(contradiction()),
                Ok(Most::Grows(ray)) => {
                    let told = describe(self.net, &cycles(self.net, &ray));
                    let name = self.outline.queue_text(queue);
                    let because = format!(
                        "counting messages does not rule out that {name} grows for ever, by rounds {told}"
                    );
                    Length::Open(Reason::OutsideFragment { because })
                }
                Err(exhausted) => {
                    self.spent = Some(exhausted);
                    Length::Open(spent(exhausted))
                }
            };
            self.lengths.push(length);
        }
        if self.lengths.iter().all(|length| matches!(length, Length::AtMost(_))) {
            let counted = self.counters(|counts| matches!(counts, Counts::Messages(_)));
            if let Ok(Most::Bound { value, .. }) = inequalities.most_of(&counted, self.budget) {
                self.total = u32::try_from(value.floor()).ok();
            }
        }
        self.flow = Arc::new(Flow { weighings, ..Flow::default() });
    }

    fn counters(&self, chosen: impl Fn(Counts) -> bool) -> Vec<CounterId> {
        let counters = self.net.counters.iter_enumerated();
        counters.filter(|(_, counter)| chosen(counter.counts)).map(|(id, _)| id).collect()
    }

    fn claim(&self, property: Property) -> Claim {
        let reason = match property {
            Property::Bounded => {
                let open = self.lengths.iter().find_map(|length| match length {
                    Length::Open(reason) => Some(reason.clone()),
                    Length::AtMost(_) => None,
                });
                let Some(reason) = open else { return self.proved() };
                reason
            }
            Property::Length(queue, bound) => match self.lengths.get(queue.index()) {
                Some(Length::AtMost(length)) if *length <= bound => return self.proved(),
                Some(Length::AtMost(length)) => {
                    let name = self.outline.queue_text(queue);
                    let because =
                        format!("counting messages shows only that {name} holds at most {length}");
                    Reason::OutsideFragment { because }
                }
                Some(Length::Open(reason)) => reason.clone(),
                None => Reason::NotThisProperty,
            },
            Property::Livelock if !property.is_void(self.outline) => return self.livelock(),
            _ => Reason::NotThisProperty,
        };
        Claim::GaveUp(reason)
    }

    fn proved(&self) -> Claim {
        Claim::Holds(Proof::Flow(self.flow.clone()))
    }

    fn livelock(&self) -> Claim {
        let mut inequalities = Inequalities::without_progress(self.net);
        let reason = match inequalities.most_steps(self.budget) {
            Ok(Most::Bound { weighing: Some(weighing), .. }) => {
                return Claim::Holds(Proof::Flow(Arc::new(Flow {
                    weighings: vec![weighing],
                    ..Flow::default()
                })));
            }
            Ok(Most::Bound { weighing: None, .. }) => too_large(),
            Ok(Most::Nothing) => contradiction(),
            Ok(Most::Grows(ray)) => {
                let told = describe(self.net, &cycles(self.net, &ray));
                let because = format!(
                    "counting messages does not rule out a run without progress, by rounds {told}"
                );
                Reason::OutsideFragment { because }
            }
            Err(exhausted) => spent(exhausted),
        };
        Claim::GaveUp(reason)
    }

    fn queues(&self) -> Vec<QueueAnswer> {
        if !self.task.limits.queues {
            return Vec::new();
        }
        let answer = |(queue, length): (usize, &Length)| {
            let (bound, claim) = match length {
                Length::AtMost(length) => (*length, self.proved()),
                Length::Open(reason) => (0, Claim::GaveUp(reason.clone())),
            };
            QueueAnswer { queue: QueueId::new(queue), longest: 0, bound, met: Vec::new(), claim }
        };
        self.lengths.iter().enumerate().map(answer).collect()
    }
}

fn answer(property: Property, claim: Claim) -> Answer {
    Answer { property, claim, figures: Figures::default() }
}

fn spent(exhausted: Exhausted) -> Reason {
    Reason::Budget { exhausted, bound: 0, suspect: None }
}

fn too_large() -> Reason {
    let because = "the numbers of the proof are too large".to_owned();
    Reason::OutsideFragment { because }
}

fn contradiction() -> Reason {
    let because = "what is known about the model contradicts itself".to_owned();
    Reason::OutsideFragment { because }
}

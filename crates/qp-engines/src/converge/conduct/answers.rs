//! What a run comes to: claims, invariants and the figures of the paper's table.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use qp_claim::{Claim, Proof, QueueInvariant, Reason};
use qp_machines::{Property, QueueId};

use crate::{Answer, Answers, Figures, InvariantAnswer, QueueAnswer, Standing};

use super::super::explored::Violation;
use super::super::projection::Projection;
use super::Conduct;
use crate::lists::Look;

/// Invariants that are true so far and would help: more are not shown.
const SUGGESTIONS_MAX: usize = 10;

impl Conduct<'_> {
    /// Puts the answers together.
    pub(super) fn finish(mut self, suggested: &[QueueInvariant]) -> Answers {
        let mut detail = self.detail();
        let blurred = self.converged(&mut detail);
        let claims = self.task.properties.clone().into_iter().map(|p| self.answer(p)).collect();
        let answers = Answers {
            claims,
            queues: self.queues(),
            detail,
            bounds: self.explored.bounds().to_vec(),
            blurred,
            invariants: self.invariants(suggested),
            spent: self.spent(),
            exact: self.explored.exact().cloned().collect(),
            ..Answers::default()
        };
        self.explored.leave(&self.violated, self.facts);
        answers
    }

    /// Queues whose greatest length the set shows, and that was seen.
    fn queues(&mut self) -> Vec<QueueAnswer> {
        let Some(finest) = self.finest().filter(|_| self.task.limits.queues) else {
            return Vec::new();
        };
        let known = self.shown.iter().find(|shown| Arc::ptr_eq(&shown.set, &finest));
        let longest = known.map(|shown| shown.longest.clone()).unwrap_or_default();
        let bounded = longest.into_iter().enumerate();
        let bounded = bounded.filter_map(|(queue, n)| Some((QueueId::new(queue), n?)));
        let words = self.explored.system().words();
        let seen = |queue: QueueId, n: u32| {
            let contents = self.seen.get(&queue).into_iter().flat_map(|seen| &seen.contents);
            contents.map(|&word| words.len(word)).max() == Some(n as usize)
        };
        let answer = |(queue, longest)| QueueAnswer {
            queue,
            longest,
            bound: longest,
            met: Vec::new(),
            claim: Claim::Holds(Proof::Lists(finest.clone())),
        };
        bounded.filter(|&(queue, n)| seen(queue, n)).map(answer).collect()
    }

    fn answer(&self, property: Property) -> Answer {
        let shown = self.shown.iter().find(|shown| shown.property == property);
        if let Some(shown) = shown {
            let claim = Claim::Holds(Proof::Lists(shown.set.clone()));
            return Answer { property, claim, figures: shown.figures };
        }
        // The bound is that of what was searched without blurring.
        let figures = Figures { bound: self.explored.bound(), ..self.figures };
        let violated = self.violated.iter().find(|violated| violated.property == property);
        if let Some(Violation { bound, trace, .. }) = violated {
            let claim = Claim::Violated(trace.clone());
            let states = self.explored.len();
            return Answer {
                property,
                claim,
                figures: Figures { bound: *bound, states, ..figures },
            };
        }
        let reason = match (self.why.get(&property), self.spent()) {
            (Some(reason), _) => reason.clone(),
            (None, Some(exhausted)) if self.open.contains(&property) => {
                self.budget_reason(exhausted)
            }
            (None, _) => Reason::NotThisProperty,
        };
        Answer { property, claim: Claim::GaveUp(reason), figures }
    }

    fn detail(&mut self) -> Vec<(&'static str, u64)> {
        let mut detail = Vec::new();
        if let Some(set) = self.finest() {
            detail.push(("p", u64::from(set.prefix)));
            detail.push(("c", u64::from(set.counted)));
            detail.push(("abstract_states", set.set.len() as u64));
            detail.push(("invariants", set.invariants.len() as u64));
        } else if let Some((prefix, counted)) = self.last {
            detail.push(("p", u64::from(prefix)));
            detail.push(("c", u64::from(counted)));
            detail.push(("abstract_states", self.figures.states));
        }
        detail.push(("machines", self.explored.n_machines() as u64));
        detail
    }

    /// The least bound at which everything was seen that looks different, and how much was at each.
    fn converged(&mut self, detail: &mut Vec<(&'static str, u64)>) -> Vec<u64> {
        let mut blurred = Vec::new();
        let wanted = self.finest().map(|set| {
            let look = Look { prefix: set.prefix, counted: set.counted };
            (look, set.set.len())
        });
        if let Some((look, size)) = wanted {
            let mut projection = Projection::new(look);
            let (bound_max, states_max) =
                (self.task.limits.bound_max, self.task.limits.figures_max());
            let mut number = 0;
            loop {
                if number == self.explored.bounds().len()
                    && !self.explored.advance(bound_max, states_max, self.budget)
                {
                    break;
                }
                let bound = self.explored.bounds()[number].bound;
                self.budget.progress().bound.store(bound, Ordering::Relaxed);
                let Some(seen) = self.explored.project(&mut projection, number, size) else {
                    break;
                };
                blurred.push(seen);
                if seen == size as u64 {
                    detail.push(("k_max", u64::from(bound)));
                    break;
                }
                number += 1;
            }
        }
        detail.push(("concrete_states", self.explored.len()));
        detail.push(("bytes", self.bytes.max(self.explored.bytes())));
        blurred
    }

    /// What became of invariants: stated ones, used ones, and what would help.
    fn invariants(&self, suggested: &[QueueInvariant]) -> Vec<InvariantAnswer> {
        let used: Vec<&QueueInvariant> =
            self.shown.iter().flat_map(|shown| &shown.set.invariants).collect();
        let mut answers = self.stated.answers.clone();
        for answer in answers.iter_mut().filter(|answer| answer.standing == Standing::Open) {
            let mut meant = self.stated.usable.iter().filter(|it| it.formula == answer.formula);
            let meant: Vec<&QueueInvariant> =
                meant.by_ref().filter(|it| self.seen[&it.queue].is(&answer.about)).collect();
            if !meant.is_empty() && meant.iter().all(|it| used.contains(it)) {
                answer.standing = Standing::Proved;
            }
        }
        let proved = used.into_iter().map(|it| (it, Standing::Proved));
        let open = suggested.iter().take(SUGGESTIONS_MAX).map(|it| (it, Standing::Open));
        for (invariant, standing) in proved.chain(open) {
            let answer = InvariantAnswer {
                about: self.name(invariant.queue),
                formula: invariant.formula.clone(),
                stated: false,
                standing,
            };
            let known = self.stated.usable.contains(invariant) || answers.contains(&answer);
            if !known {
                answers.push(answer);
            }
        }
        answers
    }
}

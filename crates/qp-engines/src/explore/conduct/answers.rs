//! What a run of the engine comes to: the answers, and the reasons where there are none.

use std::sync::Arc;

use qp_base::Exhausted;
use qp_claim::{Claim, ClosedSet, Proof, RankedSet, Reason, ReducedSet};
use qp_machines::{Failure, Property, QueueId, Step};

use crate::{Answer, Answers, Figures, QueueAnswer};

use super::{Conduct, Eventual, Infinite, figures};
use crate::search::any::AnySearch;
use crate::search::witness;

impl Conduct<'_> {
    /// Puts the answers together.
    pub(super) fn finish(mut self, search: &AnySearch) -> Answers {
        self.look_at_lengths(search);
        let complete = search.is_complete();
        let small = search.len() <= self.task.limits.evidence_max;
        let asked = self.task.limits.queues || !self.task.properties.is_empty();
        let set =
            (complete && small && asked).then(|| Arc::new(search.closed_set(&mut self.space)));
        if let (Some(set), Some(machines)) = (&set, search.reduced()) {
            self.reduced = Some(Arc::new(ReducedSet { set: set.clone(), machines }));
        }
        let mut claims = Vec::new();
        for property in self.task.properties.clone() {
            let answered = self.answers.iter().find(|answer| answer.property == property);
            claims.push(answered.cloned().unwrap_or_else(|| Answer {
                property,
                claim: self.claim(property, search, set.as_ref()),
                // A bound that a limit has cut was not explored completely.
                figures: Figures {
                    bound: if self.spent.is_some() { self.last_complete() } else { search.bound() },
                    ..figures(search)
                },
            }));
        }
        let queues = if self.task.limits.queues {
            self.queue_answers(search, set.as_ref())
        } else {
            Vec::new()
        };
        let bytes = search.bytes() + self.space.bytes();
        let (n_machines, _) = self.space.n_machines_queues();
        let mut detail = vec![
            ("machines", n_machines as u64),
            ("states", search.len() as u64),
            ("transitions", search.transitions()),
            ("bytes", bytes),
            ("bound", u64::from(self.last_complete())),
            ("complete", u64::from(complete)),
        ];
        if self.task.limits.reduce {
            let reduced = search.reduced().map_or(0, |it| it.iter().flatten().count());
            detail.push(("reduced", reduced as u64));
        }
        Answers {
            claims,
            queues,
            detail,
            bounds: self.bounds,
            spent: self.spent,
            ..Answers::default()
        }
    }

    /// What there is to say about a property that was not violated.
    fn claim(
        &mut self,
        property: Property,
        search: &AnySearch,
        set: Option<&Arc<ClosedSet>>,
    ) -> Claim {
        let graph = matches!(property, Property::Stuck | Property::Orphan);
        let reduced = self.reduced.clone();
        let proof = || match reduced {
            Some(reduced) => Claim::Holds(Proof::Reduced(reduced)),
            None => Claim::Holds(Proof::Closed(set.expect("checked before").clone())),
        };
        match property {
            Property::Live | Property::Sync | Property::Sendlang => {
                return Claim::GaveUp(Reason::NotThisProperty);
            }
            Property::Livelock | Property::Accept | Property::Ltl(_) => {
                return self.infinite_claim(property, search, set);
            }
            Property::Bounded => {
                if let Some(pump) = self.growing.iter().flatten().next() {
                    return Claim::Violated(pump.clone());
                }
            }
            _ if self.left_out.contains(&property) => {
                let because = "the model states too many bad situations at once".to_owned();
                return Claim::GaveUp(Reason::OutsideFragment { because });
            }
            _ => {}
        }
        if !search.is_complete() {
            return Claim::GaveUp(self.why_incomplete(search));
        }
        if graph && let Some(exhausted) = self.spent {
            return Claim::GaveUp(self.budget_reason(exhausted));
        }
        if graph && let Some(because) = self.doubt(property) {
            return Claim::GaveUp(Reason::OutsideFragment { because: because.to_owned() });
        }
        if set.is_none() {
            let configurations = search.len();
            return Claim::GaveUp(Reason::EvidenceTooLarge { configurations });
        }
        proof()
    }

    /// What there is to say about a property of infinite runs that was not violated.
    fn infinite_claim(
        &mut self,
        property: Property,
        search: &AnySearch,
        set: Option<&Arc<ClosedSet>>,
    ) -> Claim {
        if property.is_void(self.task.model.outline()) {
            return Claim::GaveUp(Reason::NotThisProperty);
        }
        let known = self.infinite.iter().position(|(known, _)| *known == property);
        let known = known.map(|number| self.infinite.swap_remove(number).1);
        let reason = match (known, set) {
            (Some(Infinite::TooLarge), _) => {
                let because = "its automaton has too many states or letters".to_owned();
                Reason::OutsideFragment { because }
            }
            _ if !search.is_complete() => self.why_incomplete(search),
            (None, _) => match self.spent {
                Some(exhausted) => self.budget_reason(exhausted),
                None => Reason::NotThisProperty,
            },
            (Some(_), None) => Reason::EvidenceTooLarge { configurations: search.len() },
            (Some(Infinite::Clear(ranks)), Some(set)) => {
                let (ranks, reasons) = (ranks.ranks, ranks.reasons);
                let ranked = RankedSet { set: set.clone(), ranks, reasons };
                return Claim::Holds(Proof::Ranked(Arc::new(ranked)));
            }
        };
        Claim::GaveUp(reason)
    }

    /// Why not having found a fault in the graph does not mean that there is none.
    fn doubt(&self, property: Property) -> Option<&'static str> {
        match self.eventual {
            Eventual::Open => Some("the graph was not looked at"),
            Eventual::Clear { skips: true } if property == Property::Orphan => {
                Some("messages are deferred, and a deferred message may wait for ever")
            }
            Eventual::Clear { .. } => None,
        }
    }

    fn queue_answers(
        &mut self,
        search: &AnySearch,
        set: Option<&Arc<ClosedSet>>,
    ) -> Vec<QueueAnswer> {
        let (longest, met) = (self.longest(search), self.met(search));
        let open = match (set, search.is_complete()) {
            (Some(set), _) => Claim::Holds(Proof::Closed(set.clone())),
            (None, true) => {
                Claim::GaveUp(Reason::EvidenceTooLarge { configurations: search.len() })
            }
            (None, false) => Claim::GaveUp(self.why_incomplete(search)),
        };
        let growing = |queue: usize| self.growing.get(queue).cloned().flatten();
        let answers = longest.into_iter().zip(met).enumerate();
        answers
            .map(|(queue, (longest, met))| QueueAnswer {
                queue: QueueId::new(queue),
                longest,
                bound: longest,
                met,
                claim: growing(queue).map_or_else(|| open.clone(), Claim::Violated),
            })
            .collect()
    }

    /// For each queue: a run to where it exists.
    fn met(&mut self, search: &AnySearch) -> Vec<Vec<Step>> {
        let (_, n_queues) = self.space.n_machines_queues();
        let mut met: Vec<Vec<Step>> = Vec::new();
        for place in 0..search.len() as u32 {
            if met.len() == n_queues {
                break;
            }
            let exist = self.space.n_queues(&search.values(place));
            if exist > met.len() {
                let configs = search.way(&mut self.space, place);
                let run = witness::steps(&mut self.space, &configs).into_iter().map(|o| o.step);
                met.resize(exist, run.collect());
            }
        }
        met
    }

    /// The greatest length of each queue in any visited configuration.
    fn longest(&mut self, search: &AnySearch) -> Vec<u32> {
        let mut longest = vec![0; self.space.n_machines_queues().1];
        search.longest(&mut self.space, &mut longest);
        longest
    }

    fn why_incomplete(&mut self, search: &AnySearch) -> Reason {
        if let Some(place) = search.gave_up() {
            let config = self.space.config(&search.values(place));
            let Failure { text, span, .. } = witness::why(self.space.system(), &config);
            return Reason::Program { text, span };
        }
        let bound = self.last_complete();
        if let Some(exhausted) = self.spent {
            return self.budget_reason(exhausted);
        }
        let stalled = search.stalls().iter().enumerate().filter(|(_, places)| !places.is_empty());
        Reason::BoundReached { bound, queues: stalled.map(|(q, _)| QueueId::new(q)).collect() }
    }

    fn budget_reason(&mut self, exhausted: Exhausted) -> Reason {
        let suspect = match exhausted {
            Exhausted::Cancelled => None,
            Exhausted::Time | Exhausted::Memory | Exhausted::States => {
                self.space.system().program().suspect()
            }
        };
        Reason::Budget { exhausted, bound: self.last_complete(), suspect }
    }

    /// The greatest bound whose configurations were all visited.
    fn last_complete(&self) -> u32 {
        self.bounds.last().map_or(0, |figures| figures.bound)
    }
}

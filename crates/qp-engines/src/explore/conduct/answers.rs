//! What a run of the engine comes to: the answers, and the reasons where there are none.

use std::sync::Arc;

use qp_base::Exhausted;
use qp_claim::{
    Claim, ClosedSet, CompleteSearch, DiagramSet, Proof, RankedSet, Reason, ReducedSet,
};
use qp_machines::{Config, Property, QueueId, Step};

use crate::{Answer, Answers, Figures, QueueAnswer, Spread};

use super::{Conduct, Eventual, Verdict};
use crate::search::any::AnySearch;
use crate::search::witness;
use crate::stop::{gave_up, outside};

/// Larger sets are not written down where that is not needed: to search again is faster than to look rows up.
pub(super) const LISTED_MAX: usize = 10_000;

/// What a search came to, however its set was kept.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) figures: Figures,
    /// Whether every configuration was met, at any queue length.
    pub(super) complete: bool,
    /// A configuration in which the interpreter gave up.
    pub(super) gave_up: Option<Config>,
    /// The queues to which sends were cut.
    pub(super) stalled: Vec<QueueId>,
    /// Everything that was visited, if it is evidence.
    pub(super) set: Option<Arc<ClosedSet>>,
    /// The same with whose steps were followed where, if orders of steps were left out.
    pub(super) reduced: Option<Arc<ReducedSet>>,
    /// The same as a decision diagram, if it is too large to be listed.
    pub(super) diagram: Option<Arc<DiagramSet>>,
    /// The claim that it is all there is, if it is.
    pub(super) whole: Option<CompleteSearch>,
    /// For each queue: the greatest length, and a run to where it exists.
    pub(super) queues: Vec<(u32, Vec<Step>)>,
    pub(super) bytes: u64,
    /// Nodes of the decision diagram, if there is one.
    pub(super) nodes: Option<u64>,
    /// How many configurations there are of which only the steps of some machines were taken, if orders were left out.
    pub(super) n_reduced: Option<usize>,
    /// What there is much of, if it is not complete.
    pub(super) spread: Option<Spread>,
}

impl Conduct<'_> {
    /// Puts the answers together.
    pub(super) fn finish(&mut self, search: &AnySearch) -> Answers {
        self.look_at_lengths(search);
        let seen = self.sum_up(search);
        self.conclude(&seen)
    }

    /// What a search of the present space came to.
    pub(super) fn sum_up(&mut self, search: &AnySearch) -> Seen {
        let complete = search.is_complete();
        let small = search.len() <= self.task.limits.evidence_max;
        // Whoever checks a claim about infinite runs, or one for which orders were left out, needs the rows.
        let needed = search.n_reduced() > 0 || !self.found.infinite.is_empty();
        let listed = small && (needed || search.len() <= LISTED_MAX);
        let set = (complete && listed && self.wants_evidence())
            .then(|| Arc::new(search.closed_set(&mut self.space)));
        let machines = search.reduced(&self.space);
        let reduced = set.clone().zip(machines);
        let gave_up = search.gave_up().map(|place| self.space.config(&search.values(place)));
        let stalled = search.stalls().iter().enumerate().filter(|(_, places)| !places.is_empty());
        let stalled = stalled.map(|(queue, _)| QueueId::new(queue)).collect();
        let queues = self.lengths(search);
        Seen {
            figures: search.figures(),
            complete,
            gave_up,
            stalled,
            set,
            reduced: reduced.map(|(set, machines)| Arc::new(ReducedSet { machines, set })),
            whole: whole(complete && search.n_reduced() == 0, search.figures()),
            queues,
            bytes: search.bytes(),
            n_reduced: search.reduces().then(|| search.n_reduced()),
            spread: (!complete).then(|| self.spread(search)),
            ..Seen::default()
        }
    }

    /// Whether anything is asked that a complete set could prove.
    pub(super) fn wants_evidence(&self) -> bool {
        self.task.limits.queues || !self.task.properties.is_empty()
    }

    /// The answers to everything, from what was seen.
    pub(super) fn conclude(&mut self, seen: &Seen) -> Answers {
        let mut claims = Vec::new();
        for property in self.task.properties.clone() {
            let answered = self.answers.iter().find(|answer| answer.property == property);
            claims.push(answered.cloned().unwrap_or_else(|| Answer {
                property,
                claim: self.claim(property, seen),
                // A bound that a limit has cut was not explored completely.
                figures: Figures {
                    bound: if self.spent.is_some() {
                        self.last_complete()
                    } else {
                        seen.figures.bound
                    },
                    ..seen.figures
                },
            }));
        }
        let queues = if self.task.limits.queues { self.queue_answers(seen) } else { Vec::new() };
        // Orders that were left out may come to places to which the others do not.
        let whole = seen.complete && seen.n_reduced.is_none();
        let unseen = self.space.system().program().unvisited();
        let unreached = unseen.clone().filter(|_| whole);
        let (n_machines, _) = self.space.n_machines_queues();
        let mut detail = vec![
            ("machines", n_machines as u64),
            ("states", seen.figures.states),
            ("transitions", seen.figures.transitions),
            ("bytes", seen.bytes + self.space.bytes()),
            ("bound", u64::from(self.last_complete())),
            ("complete", u64::from(seen.complete)),
        ];
        let n_reduced = seen.n_reduced.or(self.found.n_reduced);
        detail.extend(n_reduced.map(|n| ("reduced", n as u64)));
        detail.extend(seen.nodes.map(|nodes| ("nodes", nodes)));
        Answers {
            claims,
            queues,
            detail,
            bounds: self.bounds.clone(),
            exact: self.exact.clone(),
            spent: self.spent,
            unreached,
            unseen,
            spread: seen.spread.clone(),
            every_run_ends: self.found.every_run_ends,
            ..Answers::default()
        }
    }

    /// What there is to say about a property that was not violated.
    pub(super) fn claim(&mut self, property: Property, seen: &Seen) -> Claim {
        let graph = matches!(property, Property::Stuck | Property::Orphan);
        match property {
            Property::Live | Property::Sync | Property::Sendlang | Property::Possible(_) => {
                return Claim::GaveUp(Reason::NotThisProperty);
            }
            Property::Livelock | Property::Accept | Property::Ltl(_) => {
                return self.infinite_claim(property, seen);
            }
            Property::Bounded => {
                if let Some(pump) = self.found.growing.iter().flatten().next() {
                    return Claim::Violated(pump.clone());
                }
            }
            _ if self.left_out.contains(&property) => {
                return Claim::GaveUp(outside("the model states too many bad situations at once"));
            }
            _ => {}
        }
        if !seen.complete {
            return Claim::GaveUp(self.why_incomplete(seen));
        }
        if graph && let Some(exhausted) = self.spent {
            return Claim::GaveUp(self.budget_reason(exhausted));
        }
        if graph && let Some(because) = self.doubt(property) {
            return Claim::GaveUp(outside(because));
        }
        Self::proof(seen)
    }

    /// What a complete set proves.
    fn proof(seen: &Seen) -> Claim {
        let configurations = seen.figures.states as usize;
        Claim::Holds(match seen {
            Seen { reduced: Some(reduced), .. } => Proof::Reduced(reduced.clone()),
            Seen { set: Some(set), .. } => Proof::Closed(set.clone()),
            // It is too large to be listed.
            Seen { diagram: Some(diagram), .. } => Proof::Diagram(diagram.clone()),
            Seen { whole: Some(whole), .. } => Proof::Search(*whole),
            _ => return Claim::GaveUp(Reason::EvidenceTooLarge { configurations }),
        })
    }

    /// What there is to say about a property of infinite runs that was not violated.
    fn infinite_claim(&mut self, property: Property, seen: &Seen) -> Claim {
        if property.is_void(self.task.model.outline()) {
            return Claim::GaveUp(Reason::NotThisProperty);
        }
        let known = self.found.infinite.iter().position(|(known, _)| *known == property);
        let known = known.map(|number| self.found.infinite.swap_remove(number).1);
        let reason = match (known, &seen.set) {
            (Some(Verdict::TooLarge), _) => outside("its automaton has too many states or letters"),
            _ if !seen.complete => self.why_incomplete(seen),
            (None, _) => match self.spent {
                Some(exhausted) => self.budget_reason(exhausted),
                None => Reason::NotThisProperty,
            },
            (Some(Verdict::Wrong(trace)), _) => return Claim::Violated(trace),
            (Some(_), None) => {
                Reason::EvidenceTooLarge { configurations: seen.figures.states as usize }
            }
            (Some(Verdict::Clear(ranks)), Some(set)) => {
                let (ranks, reasons) = (ranks.ranks, ranks.reasons);
                let automaton = self.task.model.outline().translated(property);
                let ranked = RankedSet { set: set.clone(), automaton, ranks, reasons };
                return Claim::Holds(Proof::Ranked(Arc::new(ranked)));
            }
        };
        Claim::GaveUp(reason)
    }

    /// Why not having found a fault in the graph does not mean that there is none.
    fn doubt(&self, property: Property) -> Option<&'static str> {
        match self.found.eventual {
            Eventual::Open => Some("the graph was not looked at"),
            Eventual::Clear { skips: true } if property == Property::Orphan => {
                Some("messages are deferred, and a deferred message may wait for ever")
            }
            Eventual::Clear { .. } => None,
        }
    }

    fn queue_answers(&mut self, seen: &Seen) -> Vec<QueueAnswer> {
        let open = if seen.reduced.is_some() {
            Claim::GaveUp(outside("orders of steps were left out, in which it may be longer"))
        } else if seen.complete {
            Self::proof(seen)
        } else {
            Claim::GaveUp(self.why_incomplete(seen))
        };
        let growing = |queue: usize| self.found.growing.get(queue).cloned().flatten();
        let answers = seen.queues.iter().enumerate();
        answers
            .map(|(queue, (longest, met))| QueueAnswer {
                queue: QueueId::new(queue),
                longest: *longest,
                bound: *longest,
                met: met.clone(),
                claim: growing(queue).map_or_else(|| open.clone(), Claim::Violated),
            })
            .collect()
    }

    /// For each queue: its greatest length, and a run to where it exists.
    pub(super) fn lengths(&mut self, search: &AnySearch) -> Vec<(u32, Vec<Step>)> {
        if !self.task.limits.queues {
            return Vec::new();
        }
        self.longest(search).into_iter().zip(self.met(search)).collect()
    }

    /// For each queue: a run to where it exists.
    fn met(&mut self, search: &AnySearch) -> Vec<Vec<Step>> {
        let (_, n_queues) = self.space.n_machines_queues();
        let (mut firsts, mut known) = (Vec::new(), 0);
        for place in 0..search.len() as u32 {
            if known == n_queues {
                break;
            }
            let exist = self.space.n_queues(&search.values(place));
            if exist > known {
                firsts.push((place, known..exist));
                known = exist;
            }
        }
        let mut met = vec![Vec::new(); known];
        // Runs to later queues usually pass where the earlier ones are met.
        let (mut path, mut run): (Vec<u32>, Vec<Step>) = Default::default();
        for (place, queues) in firsts.into_iter().rev() {
            let passed = path.iter().position(|&passed| passed == place);
            let len = passed.unwrap_or_else(|| {
                path = search.path(place);
                let configs = search.way(&mut self.space, place);
                let steps = witness::steps(&mut self.space, &configs).into_iter();
                run = steps.map(|outcome| outcome.step).collect();
                run.len()
            });
            met[queues].fill(run[..len].to_vec());
        }
        met
    }

    /// The greatest length of each queue in any visited configuration.
    fn longest(&mut self, search: &AnySearch) -> Vec<u32> {
        let mut longest = vec![0; self.space.n_machines_queues().1];
        search.longest(&mut self.space, &mut longest);
        longest
    }

    fn why_incomplete(&mut self, seen: &Seen) -> Reason {
        if let Some(config) = &seen.gave_up {
            return gave_up(witness::why(self.space.system(), config));
        }
        if let Some(exhausted) = self.spent {
            return self.budget_reason(exhausted);
        }
        Reason::BoundReached { bound: self.last_complete(), queues: seen.stalled.clone() }
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
    pub(super) fn last_complete(&self) -> u32 {
        self.bounds.last().map_or(0, |figures| figures.bound)
    }
}

/// The claim that there are no other configurations, of a search that has left nothing out.
pub(super) fn whole(is_whole: bool, figures: Figures) -> Option<CompleteSearch> {
    is_whole.then_some(CompleteSearch { configurations: figures.states })
}

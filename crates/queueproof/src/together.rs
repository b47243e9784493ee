//! The search of all configurations by several processes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use qp_base::Budget;
use qp_claim::{Claim, CompleteSearch, Proof, Reason, Trace};
use qp_cluster::{Counts, Findings, Joined, Question, Tally};
use qp_engines::{Answer, Answers, Engine, Figures, QueueAnswer, Task};
use qp_machines::{Property, QueueId};

use crate::portfolio::{Checked, check_with};
use crate::{Loaded, Options, Refused};

pub use qp_cluster::{NotJoined, free_addresses};

/// A cluster, as one of its processes sees it.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Where each process listens: `host:port`.
    pub addresses: Vec<String>,
    /// Which of them this one is.
    pub process: usize,
    /// How long to wait for the others.
    pub patience: Duration,
}

/// A process that has met the others.
pub struct Member {
    joined: Joined,
    process: usize,
    question: Question,
}

/// What a process comes back with.
pub struct Shared {
    /// The report. Only the first process has one.
    pub checked: Option<Checked>,
    /// How the search ended early, if another process was lost.
    pub lost: Option<String>,
    /// Configurations that all processes have visited, as far as this one knows.
    pub states: u64,
}

/// Reads a file that lists the processes of a cluster, one `host:port` in a line.
pub fn read_hosts(name: &str, text: &str, insecure: bool) -> Result<Vec<String>, Refused> {
    let hosts = qp_cluster::read_hosts(name, text, insecure);
    let hosts = hosts.map_err(|(source, diagnostics)| Refused { source, diagnostics })?;
    Ok(hosts.addresses)
}

/// Waits until all processes of a cluster are there, and makes sure that they are asked the same.
pub fn join_cluster(
    loaded: &Loaded,
    options: &Options,
    cluster: &Cluster,
) -> Result<Member, NotJoined> {
    let question = question(loaded, options);
    let digest = digest(loaded, options, &question);
    let Cluster { addresses, process, patience } = cluster;
    let joined = qp_cluster::join(addresses, *process, digest, *patience)?;
    Ok(Member { joined, process: *process, question })
}

/// Searches together with the other processes.
pub fn explore_together(
    member: Member,
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
) -> Shared {
    let Member { joined, process, question } = member;
    if process > 0 {
        let found = qp_cluster::search(joined, &loaded.model, &question, budget);
        let (tally, lost) = match found {
            Ok(findings) => (findings.tally, None),
            Err(stopped) => (stopped.tally, Some(stopped.lost.to_string())),
        };
        return Shared { checked: None, lost, states: tally.now.states };
    }
    let engine = Together { question, joined: Mutex::new(Some(joined)), ended: Mutex::default() };
    let options = Options { engines: vec![engine.name().to_owned()], ..options.clone() };
    let mut checked = check_with(&[&engine], loaded, &options, budget, &mut |_, _| {});
    let (lost, states) = engine.ended.into_inner().unwrap_or_else(PoisonError::into_inner);
    if lost.is_some() {
        checked.report.limits.hit.push("process".to_owned());
    }
    Shared { checked: Some(checked), lost, states }
}

fn question(loaded: &Loaded, options: &Options) -> Question {
    let (outline, limits) = (loaded.model.outline(), options.task_limits());
    let mut properties = options.selected(outline).unwrap_or_default();
    properties.retain(|property| !property.is_void(outline));
    Question {
        evidence: limits.queues || !properties.is_empty(),
        properties,
        schedule: limits.schedule(),
        evidence_max: limits.evidence_max as u64,
    }
}

/// A number that stands for everything that processes must agree on.
fn digest(loaded: &Loaded, options: &Options, question: &Question) -> u64 {
    let version = env!("CARGO_PKG_VERSION");
    let asked = (&loaded.hash, loaded.switches.pairs(), question, options.states_max, version);
    qp_cluster::fingerprint(&format!("{asked:?}"))
}

/// The search by several processes, as the engine `explore`.
struct Together {
    question: Question,
    joined: Mutex<Option<Joined>>,
    /// Who was lost, and how much was visited.
    ended: Mutex<(Option<String>, u64)>,
}

impl Engine for Together {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn summary(&self) -> &'static str {
        "exact search of everything that happens while no queue holds more than k messages, by several processes"
    }

    fn run(&self, task: Task, budget: &Budget) -> Answers {
        let joined = self.joined.lock().unwrap_or_else(PoisonError::into_inner).take();
        let joined = joined.expect("an engine runs once");
        let found = qp_cluster::search(joined, &task.model, &self.question, budget);
        let (findings, lost) = match found {
            Ok(findings) => (findings, None),
            Err(stopped) => {
                let findings = Findings { tally: stopped.tally, ..Findings::default() };
                (findings, Some(stopped.lost.to_string()))
            }
        };
        let states = findings.tally.now.states;
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = (lost.clone(), states);
        Answering { task, findings, lost }.answers()
    }
}

/// Turns findings into claims.
struct Answering {
    task: Task,
    findings: Findings,
    lost: Option<String>,
}

impl Answering {
    fn answers(mut self) -> Answers {
        let listed = self.findings.closed.take().map(|set| Proof::Closed(Arc::new(set)));
        let proof = listed.or_else(|| {
            let is_whole = self.findings.complete && self.lost.is_none();
            let configurations = self.findings.tally.now.states;
            is_whole.then_some(Proof::Search(CompleteSearch { configurations }))
        });
        let claims =
            self.task.properties.iter().map(|&property| self.answer(property, proof.as_ref()));
        let claims = claims.collect();
        let queues = if self.task.limits.queues { self.queues(proof.as_ref()) } else { Vec::new() };
        let Findings { tally, n_machines, bytes, complete, n_processes, .. } = &self.findings;
        let detail = vec![
            ("machines", u64::from(*n_machines)),
            ("states", tally.now.states),
            ("transitions", tally.now.transitions),
            ("bytes", *bytes),
            ("bound", u64::from(last_complete(tally))),
            ("complete", u64::from(*complete)),
            ("processes", *n_processes as u64),
        ];
        let bounds = tally.bounds.iter().copied().map(figures).collect();
        Answers { claims, queues, detail, bounds, spent: self.findings.spent, ..Answers::default() }
    }

    fn answer(&self, property: Property, proof: Option<&Proof>) -> Answer {
        let violated = self.findings.violations.iter().find(|it| it.property == property);
        if let Some(violation) = violated {
            let claim = Claim::Violated(Trace::finite(violation.steps.clone()));
            return Answer { property, claim, figures: figures(violation.counts) };
        }
        let seen = matches!(
            property,
            Property::Assert
                | Property::Unhandled
                | Property::Deadlock
                | Property::Divergence
                | Property::Bounded
                | Property::Reach(_)
                | Property::Length(..)
        );
        let claim = if seen {
            self.claim(proof)
        } else {
            Claim::GaveUp(self.lost_reason().unwrap_or(Reason::NotThisProperty))
        };
        let tally = &self.findings.tally;
        let cut = self.findings.spent.is_some() || self.lost.is_some();
        let bound = if cut { last_complete(tally) } else { tally.now.bound };
        Answer { property, claim, figures: figures(Counts { bound, ..tally.now }) }
    }

    /// What there is to say about what was not violated.
    fn claim(&self, proof: Option<&Proof>) -> Claim {
        match proof {
            Some(proof) => Claim::Holds(proof.clone()),
            None => Claim::GaveUp(self.reason()),
        }
    }

    fn reason(&self) -> Reason {
        let Findings { tally, gave_up, spent, stalled, complete, .. } = &self.findings;
        let bound = last_complete(tally);
        if let Some(reason) = self.lost_reason() {
            reason
        } else if let Some((text, span)) = gave_up {
            Reason::Program { text: text.clone(), span: *span }
        } else if let Some(exhausted) = *spent {
            Reason::Budget { exhausted, bound, suspect: None }
        } else if *complete {
            Reason::EvidenceTooLarge { configurations: tally.now.states as usize }
        } else {
            Reason::BoundReached { bound, queues: stalled.clone() }
        }
    }

    fn lost_reason(&self) -> Option<Reason> {
        let because = self.lost.as_ref()?;
        Some(Reason::OutsideFragment { because: format!("the search ended early: {because}") })
    }

    fn queues(&self, proof: Option<&Proof>) -> Vec<QueueAnswer> {
        let longest = self.findings.longest.iter().enumerate();
        let n_named = self.task.model.outline().queues.len();
        let met = |queue: usize| if queue < n_named { &[][..] } else { &self.findings.met };
        let answer = |(queue, &longest): (usize, &u32)| QueueAnswer {
            queue: QueueId::new(queue),
            longest,
            bound: longest,
            met: met(queue).to_vec(),
            claim: self.claim(proof),
        };
        longest.map(answer).collect()
    }
}

fn figures(Counts { bound, states, transitions }: Counts) -> Figures {
    Figures { bound, states, transitions }
}

/// The greatest bound whose configurations were all visited.
fn last_complete(tally: &Tally) -> u32 {
    tally.bounds.last().map_or(0, |counts| counts.bound)
}

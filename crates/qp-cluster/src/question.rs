//! What a cluster is asked, and what it answers.

use std::fmt;

use qp_base::{Exhausted, Span};
use qp_claim::ClosedSet;
use qp_engines::Schedule;
use qp_machines::{Property, QueueId, Step};

/// What a cluster is asked. All processes must be asked the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The properties. Those that a look at single configurations cannot tell are not watched.
    pub properties: Vec<Property>,
    /// Which bounds on queue lengths to explore.
    pub schedule: Schedule,
    /// Whether all configurations are wanted where they are evidence.
    pub evidence: bool,
    /// Sets with more configurations than this are not brought together as evidence.
    pub evidence_max: u64,
}

/// How much was visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// The bound on queue lengths.
    pub bound: u32,
    /// Configurations.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
}

/// How far a cluster has got, as far as this process knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// What was explored completely, bound by bound.
    pub bounds: Vec<Counts>,
    /// What was visited, all in all.
    pub now: Counts,
}

/// A run that violates a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The property.
    pub property: Property,
    /// A shortest run, with queues as long as the bound allows.
    pub steps: Vec<Step>,
    /// What had been visited.
    pub counts: Counts,
}

/// What a cluster answers. All processes have the same but for `closed`.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// How far it has got.
    pub tally: Tally,
    /// What is violated.
    pub violations: Vec<Violation>,
    /// Whether every configuration was met, at any queue length.
    pub complete: bool,
    /// All configurations, where that is evidence and not too much; only the first process has them.
    pub closed: Option<ClosedSet>,
    /// For each queue: the greatest length seen.
    pub longest: Vec<u32>,
    /// A run to a configuration with the most queues, for their names.
    pub met: Vec<Step>,
    /// The queues that can get longer than the last bound.
    pub stalled: Vec<QueueId>,
    /// Why the interpreter of the program gave up, if it did, and where.
    pub gave_up: Option<(String, Option<Span>)>,
    /// The limit that some process met.
    pub spent: Option<Exhausted>,
    /// The greatest number of machines seen.
    pub n_machines: u32,
    /// Bytes that all processes held together.
    pub bytes: u64,
    /// How many processes there were.
    pub n_processes: usize,
}

/// The other processes cannot be reached any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost(pub String);

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Lost {}

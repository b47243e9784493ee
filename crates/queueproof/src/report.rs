//! The result of a run, ready to be written in any format.

use std::fmt;

use qp_base::Code;
use qp_engines::Exact;
use qp_load::Fact;

use crate::Chart;

/// Everything one run has to say about one model.
#[derive(Clone, Debug)]
pub struct Report {
    /// The model.
    pub model: ModelReport,
    /// The limits of the run.
    pub limits: LimitsReport,
    /// One entry per property, in a fixed order.
    pub properties: Vec<PropertyReport>,
    /// One entry per queue, in order.
    pub queues: Vec<QueueReport>,
    /// Capacities for all queues at once, if that was asked and there are several.
    pub together: Option<Joint>,
    /// What capacities that were given to queues change, if that was asked.
    pub changes: Option<ChangesReport>,
    /// What was said or found about queues: stated ones first.
    pub invariants: Vec<InvariantReport>,
    /// What no run comes to, in the order of the text; none unless everything that can happen was seen.
    pub unreached: Option<Vec<UnreachedReport>>,
    /// Why something is unknown, and what to try.
    pub why: Option<WhyReport>,
    /// How far search and random schedules came, if something is unknown.
    pub coverage: Option<CoverageReport>,
    /// One entry per engine that ran, in a fixed order.
    pub engines: Vec<EngineReport>,
    /// What limits the meaning of the verdicts.
    pub caveats: Vec<String>,
    /// The ids of what applies to the model and was not asked: `--property all` does.
    pub not_asked: Vec<String>,
    /// Commands worth running next, best first.
    pub next: Vec<String>,
}

/// The model as the user knows it.
#[derive(Clone, Debug)]
pub struct ModelReport {
    /// The path as the user gave it.
    pub path: String,
    /// `cfsm`, `scm`, `fsa`, `p`, `promela`.
    pub language: String,
    /// How the text was understood, where there is a choice.
    pub facts: Vec<Fact>,
    /// The options with which commands read the model in the same way again.
    pub options: Vec<String>,
    /// `mailbox`, `peer-to-peer`, `channels`.
    pub discipline: String,
    /// How many machines there are at the beginning.
    pub machines: usize,
    /// How many queues there are at the beginning.
    pub queues: usize,
    /// How many messages are known before anything runs.
    pub messages: usize,
    /// The greatest number of machines that were met at once, so far as anybody counted.
    pub machines_met: usize,
    /// The greatest number of queues that were met at once, so far as anybody counted.
    pub queues_met: usize,
}

/// The limits of a run.
#[derive(Clone, Debug)]
pub struct LimitsReport {
    /// Seconds; `None` for no limit.
    pub time_s: Option<f64>,
    /// Bytes for the engines' sets.
    pub memory_bytes: u64,
    /// Configurations.
    pub states: u64,
    /// The greatest queue length that is explored.
    pub max_bound: u32,
    /// Which limits were met: `time`, `memory`, `states`, `bound`, `interrupted`.
    pub hit: Vec<String>,
}

/// The three answers, of which one may be limited, and "nothing to check".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VerdictWord {
    /// It holds on every run, at every queue length; [`PropertyReport::assurance`] says who has seen that.
    Proved,
    /// The same, but runs may end in a failure, and nothing is said of what would come behind it.
    ProvedUpToFailure,
    /// It fails on a run that was replayed.
    Violated,
    /// Neither; there is a reason.
    Unknown,
    /// The model gives the property nothing to look at.
    None,
}

impl VerdictWord {
    /// The word itself.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::ProvedUpToFailure => "proved_up_to_failure",
            Self::Violated => "violated",
            Self::Unknown => "unknown",
            Self::None => "none",
        }
    }

    /// Whether something is proved, be it only up to a failure.
    pub const fn is_proved(self) -> bool {
        matches!(self, Self::Proved | Self::ProvedUpToFailure)
    }
}

impl fmt::Display for VerdictWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// What a proof was worth to the referee.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assurance {
    /// The evidence was checked again by independent code.
    Certified,
    /// A search visited everything, and a limit was met before that was done again.
    Searched,
}

impl Assurance {
    /// The word itself.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Certified => "certified",
            Self::Searched => "searched",
        }
    }
}

/// The answer to one property.
#[derive(Clone, Debug)]
pub struct PropertyReport {
    /// Its fixed id: `deadlock`, `reach:Overrun`.
    pub id: String,
    /// The answer.
    pub verdict: VerdictWord,
    /// How far the answer can be trusted, if it is a proof.
    pub assurance: Option<Assurance>,
    /// The ids of the failures that end runs and are not excluded, if the proof reaches only as far as these.
    pub up_to_failure_of: Vec<String>,
    /// The engine whose claim was accepted, if any.
    pub engine: Option<String>,
    /// The kind of finding or of unknown, for `explain`.
    pub code: Option<Code>,
    /// One line in the user's words.
    pub message: String,
    /// Where in the user's text, if anywhere.
    pub location: Option<Location>,
    /// How far the search got.
    pub explored: Option<Explored>,
    /// The certificate file, once written.
    pub certificate: Option<String>,
    /// The run that violates it.
    pub trace: Option<TraceReport>,
    /// Why the answer is unknown.
    pub reason: Option<String>,
    /// For properties of infinite runs: whether only runs that are fair to every machine count.
    pub fair: Option<bool>,
    /// What is in the way of a proof.
    pub in_the_way: Option<SituationReport>,
    /// Seconds until the answer.
    pub time_s: f64,
}

impl PropertyReport {
    /// The answer to a question that there is nothing to say about yet.
    pub(crate) fn blank(id: String) -> Self {
        Self {
            id,
            verdict: VerdictWord::None,
            assurance: None,
            up_to_failure_of: Vec::new(),
            engine: None,
            code: None,
            message: "the model gives it nothing to check".to_owned(),
            location: None,
            explored: None,
            certificate: None,
            trace: None,
            reason: None,
            fair: None,
            in_the_way: None,
            time_s: 0.0,
        }
    }
}

/// A situation that is in the way of a proof: possible as far as a blurred view of queues can tell, and
/// not reached by searching.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SituationReport {
    /// What is wrong there; empty if that cannot be told from the situation alone.
    pub fault: String,
    /// How many messages at the front of a queue were told apart.
    pub prefix: u32,
    /// Up to how many messages of one kind were counted behind them.
    pub counted: u32,
    /// All machines.
    pub machines: Vec<SituationMachine>,
    /// The queues that are not empty.
    pub queues: Vec<SituationQueue>,
}

/// Where a machine is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SituationMachine {
    /// Its name.
    pub name: String,
    /// The control state.
    pub state: String,
    /// Whether it is the one that something is wrong with.
    pub at_fault: bool,
}

/// What a queue looks like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SituationQueue {
    /// Its name.
    pub name: String,
    /// The machine that reads it, if only one does.
    pub reader: Option<String>,
    /// The messages that are told apart, front first; then the others, each once, with how many there are:
    /// `eDone (2)` for two, `eDone (1+)` for one or more.
    pub content: Vec<String>,
}

/// Something that is said about queues, and how it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvariantReport {
    /// The machine or queue that it is about.
    pub about: String,
    /// What it says, as it is written.
    pub formula: String,
    /// Whether somebody stated it; otherwise it was found.
    pub stated: bool,
    /// `proved`, `open` (true wherever the search has been), `false`, `unmatched` (nothing of this name was
    /// met) or `unused` (everything was answered without it).
    pub standing: String,
}

/// A part of the model that no run comes to, whatever the queues hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreachedReport {
    /// The machine to which it belongs, as it is declared; empty if there is no single one.
    pub machine: String,
    /// `machine`, `state`, `transition`, `handler` or `statement`.
    pub kind: String,
    /// What it is called, or its text.
    pub name: String,
    /// Where it is.
    pub location: Location,
}

/// Why something is unknown, in the user's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WhyReport {
    /// What grows or explodes, with figures of the search.
    pub because: String,
    /// What to try, the most promising first.
    pub attempts: Vec<String>,
}

/// What was seen by those who follow real runs, where that was not everything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoverageReport {
    /// Configurations that the search has visited.
    pub configurations: u64,
    /// Random schedules that were drawn.
    pub schedules: u64,
    /// Their steps, all together.
    pub steps: u64,
    /// With this seed the same ones are drawn again.
    pub seed: u64,
    /// How they were drawn: the names of the strategies.
    pub strategies: Vec<String>,
    /// What neither has come to, in the order of the text.
    pub unexercised: Vec<UnreachedReport>,
}

/// A place in the user's text; lines and columns from one.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// How far a search got.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Explored {
    /// The greatest queue length whose configurations were all visited (for a violation: the one
    /// at which it was found). For a proof of `sync`: how many sends a round may have.
    pub bound: u32,
    /// Configurations visited; the greatest number if there are more.
    pub states: u64,
    /// Steps between them; the greatest number if there are more.
    pub transitions: u64,
}

/// A run that violates a property.
#[derive(Clone, Debug)]
pub struct TraceReport {
    /// The trace file, once written.
    pub file: Option<String>,
    /// Choices as `machine.choice`, for `replay --trace`.
    pub choices: Vec<String>,
    /// The run, ready to be drawn.
    pub chart: Chart,
}

/// What is known about one queue.
#[derive(Clone, Debug)]
pub struct QueueReport {
    /// Its number.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// The answer.
    pub status: QueueStatus,
    /// How far the answer can be trusted, if it is a bound.
    pub assurance: Option<Assurance>,
    /// The declared capacity, if the model has one; 0 for a rendezvous.
    pub declared: Option<u32>,
    /// How much fits, as the model is read; none if any number does.
    pub limited: Option<u32>,
    /// The greatest length seen.
    pub longest_seen: u32,
    /// The engine whose claim was accepted, if any.
    pub engine: Option<String>,
    /// The run that makes it grow.
    pub trace: Option<TraceReport>,
    /// The certificate file, once written.
    pub certificate: Option<String>,
    /// Why the answer is unknown.
    pub reason: Option<String>,
    /// How much room it needs, if that was asked.
    pub capacities: Option<CapacityReport>,
}

/// Capacities for all queues at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Joint {
    /// Each queue with its capacity: there is no deadlock when all have theirs. Less in total was tried, beginning
    /// with what each queue needs alone. None if that is not known.
    pub capacities: Option<Vec<(String, u32)>>,
    /// The options that give them, as a shell takes them.
    pub options: Vec<String>,
}

/// How much room a queue needs, the others being as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CapacityReport {
    /// The smallest capacity at which no send ever waits.
    pub never_waits: Smallest,
    /// The smallest capacity that adds no deadlock.
    pub no_deadlock: Smallest,
}

/// The smallest capacity that will do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Smallest {
    /// This one.
    Capacity(u32),
    /// This one will do; perhaps a smaller one does.
    AtMost(u32),
    /// None will do.
    NoCapacity,
    /// There is a deadlock whatever the capacity.
    DeadlocksAnyway,
    /// The search was not complete.
    Unknown,
}

/// What capacities that were given to queues change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangesReport {
    /// One entry per queue that was given a capacity, in the order given.
    pub sets: Vec<SetReport>,
    /// The answer to `deadlock` without them.
    pub deadlock_before: VerdictWord,
    /// The answer to `deadlock` with all of them.
    pub deadlock_after: VerdictWord,
}

/// A capacity that was given to a queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetReport {
    /// The queue.
    pub queue: String,
    /// What it was given.
    pub capacity: u32,
    /// Whether a queue of this name was met at all.
    pub is_met: bool,
    /// Whether some send waits because the queue is full; none if that is open.
    pub waits: Option<bool>,
}

/// Whether a queue has a greatest length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueueStatus {
    /// It never holds more, and sometimes this many.
    Bounded(u32),
    /// Some run makes it grow for ever.
    Unbounded,
    /// Neither was shown.
    Unknown,
}

/// What one engine did.
#[derive(Clone, Debug)]
pub struct EngineReport {
    /// Its name.
    pub name: String,
    /// `answered`, `gave-up`, `crashed`.
    pub outcome: String,
    /// Why it gave up.
    pub reason: Option<String>,
    /// Seconds.
    pub time_s: f64,
    /// Figures by name, in a fixed order: what the papers' tables report.
    pub detail: Vec<(String, u64)>,
    /// States and transitions for each bound that was explored completely.
    pub bounds: Vec<Explored>,
    /// The figures of those of these bounds that have more than fits into an ordinary number.
    pub exact: Vec<Exact>,
    /// For each of these bounds: how many configurations look different, if that was counted.
    pub blurred: Vec<u64>,
    /// What it noticed on the way, with where that is written.
    pub remarks: Vec<String>,
}

impl EngineReport {
    /// A figure that it tells.
    pub fn figure(&self, name: &str) -> Option<u64> {
        self.detail.iter().find(|(it, _)| it == name).map(|(_, figure)| *figure)
    }
}

impl Report {
    /// What the engine of this name did.
    pub fn engine(&self, name: &str) -> Option<&EngineReport> {
        self.engines.iter().find(|engine| engine.name == name)
    }

    /// A figure, of each engine that tells it.
    pub fn figures(&self, name: &str) -> impl Iterator<Item = u64> {
        self.engines.iter().filter_map(move |engine| engine.figure(name))
    }
}

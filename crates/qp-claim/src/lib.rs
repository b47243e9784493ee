//! What an engine may say, and the evidence for it, as plain data.
//!
//! An engine makes a [`Claim`]; only `qp-check` turns it into a verdict. Evidence knows nothing of the
//! engine that made it and can be written to a file, so that somebody else can check it.
//!
//! Absent on purpose: any way to *use* evidence. That is the checker's business.

mod closed;
mod cofinal;
mod diagram;
mod exchange;
mod file;
mod flow;
mod lag;
mod lists;
mod ranked;
mod ranked_regular;
mod reduced;
mod regular;
mod search;
mod sends;
mod sorted;
mod trace;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use qp_base::{Exhausted, Span};
use qp_machines::{QueueId, Suspect};

pub use closed::{ABSENT, ClosedSet, Content};
pub use cofinal::{Core, CoreDeed, CoreEdge, CoreMachine, CoreTransition, Won};
pub use diagram::{DiagramSet, Level};
pub use exchange::{Book, ExchangeSet, Rounds, Single, Waiting, Watch, Watched};
pub use file::{
    CertificateFile, FileError, Switches, TraceFile, model_hash, model_of, read_certificate,
    read_certificate_from, read_trace, write_certificate, write_trace,
};
pub use flow::{Case, Flow, Round, Weighing};
pub use lag::{LagContent, LagSet, Rank, RankGoal, RankStage, RankStep, RankedGoal};
pub use lists::{ListSet, QueueInvariant};
pub use ranked::{RankedSet, Stays};
pub use ranked_regular::{RankedRegular, Weights};
pub use reduced::ReducedSet;
pub use regular::{Language, RegularSet};
pub use search::CompleteSearch;
pub use sends::SendPairs;
pub use sorted::{Led, RankedSorted, SortedSet};
pub use trace::{Shape, Trace};

/// An engine's answer to one property.
#[derive(Clone, Debug)]
pub enum Claim {
    /// The property holds on every run, at every queue length.
    Holds(Proof),
    /// The property fails on this run.
    Violated(Trace),
    /// No answer. Never a statement about the system.
    GaveUp(Reason),
}

/// Evidence for [`Claim::Holds`], in a form that can be checked without the engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// Everything that can be reached was searched: whoever checks it searches again.
    Search(CompleteSearch),
    /// A set that contains the initial configuration and is closed under every step, with queues of
    /// any length. Shared, because one set usually proves several properties.
    Closed(Arc<ClosedSet>),
    /// A set of blurred configurations that contains the initial one and is closed under every step.
    Lists(Arc<ListSet>),
    /// A closed set on which no infinite run is wrong, for one property.
    Ranked(Arc<RankedSet>),
    /// A set that leaves some orders of steps out, for failures and deadlocks.
    Reduced(Arc<ReducedSet>),
    /// A set in which each configuration stands for those that hold other numbers where that does not matter.
    Sorted(Arc<SortedSet>),
    /// Such a set on which no infinite run is wrong, for one property.
    RankedSorted(Arc<RankedSorted>),
    /// A set in which queues hold any word of a language, that contains the initial configuration and is closed
    /// under every step.
    Regular(Arc<RegularSet>),
    /// A closed set as a decision diagram.
    Diagram(Arc<DiagramSet>),
    /// Such a set on which no infinite run is wrong, for one property.
    RankedRegular(Arc<RankedRegular>),
    /// Potentials and weights for the control flow and the numbers of messages.
    Flow(Arc<Flow>),
    /// What can be reached in rounds of sends and their receives, and that rounds are all there is.
    Exchange(Arc<ExchangeSet>),
    /// Short queues allow every sequence of sends.
    Sends(Arc<SendPairs>),
    /// A finite graph into which every run can be extended.
    Core(Arc<Core>),
    /// Rows in which the end of a queue is what its senders sent since some local state, closed under every step.
    Lag(Arc<LagSet>),
    /// Such rows, with strategies that lead to what must always still be possible.
    Rank(Arc<Rank>),
}

impl Proof {
    /// Whether both are the same evidence, and not only equal: cheap to find out.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Search(a), Self::Search(b)) => a == b,
            (Self::Closed(a), Self::Closed(b)) => Arc::ptr_eq(a, b),
            (Self::Lists(a), Self::Lists(b)) => Arc::ptr_eq(a, b),
            (Self::Ranked(a), Self::Ranked(b)) => Arc::ptr_eq(a, b),
            (Self::Reduced(a), Self::Reduced(b)) => Arc::ptr_eq(a, b),
            (Self::Sorted(a), Self::Sorted(b)) => Arc::ptr_eq(a, b),
            (Self::RankedSorted(a), Self::RankedSorted(b)) => Arc::ptr_eq(a, b),
            (Self::Regular(a), Self::Regular(b)) => Arc::ptr_eq(a, b),
            (Self::Diagram(a), Self::Diagram(b)) => Arc::ptr_eq(a, b),
            (Self::RankedRegular(a), Self::RankedRegular(b)) => Arc::ptr_eq(a, b),
            (Self::Flow(a), Self::Flow(b)) => Arc::ptr_eq(a, b),
            (Self::Exchange(a), Self::Exchange(b)) => Arc::ptr_eq(a, b),
            (Self::Sends(a), Self::Sends(b)) => Arc::ptr_eq(a, b),
            (Self::Core(a), Self::Core(b)) => Arc::ptr_eq(a, b),
            (Self::Lag(a), Self::Lag(b)) => Arc::ptr_eq(a, b),
            (Self::Rank(a), Self::Rank(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The rows, if it has any.
    pub fn set(&self) -> Option<&ClosedSet> {
        match self {
            Self::Closed(set) => Some(set),
            Self::Lists(lists) => Some(&lists.set),
            Self::Ranked(ranked) => Some(&ranked.set),
            Self::Reduced(reduced) => Some(&reduced.set),
            Self::Sorted(sorted) => Some(&sorted.set),
            Self::RankedSorted(ranked) => Some(&ranked.set.set),
            Self::Regular(regular) => Some(&regular.set),
            Self::RankedRegular(ranked) => Some(&ranked.set.set),
            Self::Exchange(exchange) => Some(&exchange.set),
            Self::Sends(sends) => Some(&sends.outer),
            Self::Search(_)
            | Self::Diagram(_)
            | Self::Flow(_)
            | Self::Core(_)
            | Self::Lag(_)
            | Self::Rank(_) => None,
        }
    }

    /// What it is and how large, in words: "a closed set of 12 configurations".
    pub fn extent(&self) -> String {
        match self {
            Self::Search(search) => {
                format!("a complete search of {} configurations", search.configurations)
            }
            Self::Flow(flow) if !flow.cases.is_empty() => match flow.cases.len() {
                1 => "a weighing of the control flow".to_owned(),
                n => format!("weighings of the control flow in {n} cases"),
            },
            Self::Flow(flow) => match flow.weighings.len() {
                1 => "a weighing of the control flow".to_owned(),
                n => format!("a set of {n} weighings of the control flow"),
            },
            Self::Reduced(reduced) => {
                format!("a reduced set of {} configurations", reduced.set.len())
            }
            Self::Sorted(sorted) => {
                format!("a closed set of {} configurations up to renaming", sorted.set.len())
            }
            Self::RankedSorted(ranked) => {
                format!("a ranked set of {} configurations up to renaming", ranked.set.set.len())
            }
            Self::Regular(regular) => {
                let n = regular.languages.len();
                format!("a closed set of {} rows with {n} languages", regular.set.len())
            }
            Self::Diagram(diagram) => {
                format!("a closed set as a diagram of {} nodes", diagram.n_nodes())
            }
            Self::RankedRegular(ranked) => {
                let (n_rows, n) = (ranked.set.set.len(), ranked.set.languages.len());
                format!("a ranked set of {n_rows} rows with {n} languages")
            }
            Self::Exchange(exchange) => match &exchange.rounds {
                Rounds::Single(rows) => {
                    format!("a closed set of {} rows with one message a round", rows.len())
                }
                Rounds::UpTo { sends, books, watches } => format!(
                    "closed sets of {} and {} rows with rounds of up to {sends} messages",
                    books.len(),
                    watches.len()
                ),
            },
            Self::Sends(sends) => {
                format!("a set of {} pairs for queues of length {}", sends.pairs.len(), sends.bound)
            }
            Self::Core(core) => {
                let n = core.n_nodes();
                format!("a graph of {n} configurations that every run can be extended into")
            }
            Self::Lag(set) => format!("a closed set of {} rows", set.rows.len()),
            Self::Rank(rank) => {
                let (n, n_rows) = (rank.goals.len(), rank.set.rows.len());
                format!("a closed set of {n_rows} rows with strategies for {n} goals")
            }
            Self::Closed(_) | Self::Lists(_) | Self::Ranked(_) => {
                let configurations = self.set().map_or(0, ClosedSet::len);
                format!("a closed set of {configurations} configurations")
            }
        }
    }
}

/// Why an engine has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Nothing was found up to this queue length, and longer queues are possible.
    BoundReached {
        /// The greatest length that was explored completely.
        bound: u32,
        /// The queues that can grow beyond it.
        queues: Vec<QueueId>,
    },
    /// A limit was met.
    Budget {
        /// Which.
        exhausted: Exhausted,
        /// The greatest queue length that was explored completely.
        bound: u32,
        /// What may never stop growing.
        suspect: Option<Suspect>,
    },
    /// The interpreter of the program cannot say what a step leads to.
    Program {
        /// Why, in the user's words.
        text: String,
        /// Where.
        span: Option<Span>,
    },
    /// The engine does not treat such systems.
    OutsideFragment {
        /// What it does not treat, in the user's words.
        because: String,
    },
    /// Counting does not rule out that these rounds are taken for ever, one after the other or side by side.
    Rounds {
        /// What would come of it, in the user's words.
        what: String,
        /// The rounds.
        rounds: Vec<Round>,
    },
    /// The property holds if this does, of which nobody has a proof.
    Assumes {
        /// About which machine or queue, and what: formulas as they are written.
        invariants: Vec<(String, String)>,
    },
    /// A blurred set that is closed under every step contains a situation that is wrong, and that was not
    /// met by searching.
    InTheWay {
        /// How many messages at the front of a queue were told apart.
        prefix: u32,
        /// Up to how many messages of one kind were counted behind it.
        counted: u32,
        /// The one configuration in question, blurred.
        situation: Arc<ClosedSet>,
    },
    /// Rows that cover everything have one from which no way was found to what must always still be possible.
    NoWay {
        /// To what, and from where, in the user's words.
        text: String,
    },
    /// Longer queues allow more sends, as far as was looked, and nobody knows whether that goes on for ever.
    Sends {
        /// For each queue length that was compared with the next one, in order: a shortest sequence of sends that
        /// only the longer queues allow, in the user's words; `None` if there is none.
        lengths: Vec<Option<Vec<String>>>,
        /// Which limit was met, if the comparison was cut short.
        exhausted: Option<Exhausted>,
    },
    /// The engine does not answer this question.
    NotThisProperty,
    /// There was an answer, but a limit was met before its evidence was checked, so it does not count.
    Unchecked {
        /// Which limit.
        exhausted: Exhausted,
    },
    /// The evidence was too large for the checker, so it does not count.
    EvidenceTooLarge {
        /// How many configurations it has.
        configurations: usize,
    },
}

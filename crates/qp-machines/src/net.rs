//! Nets: what is left of a program when only control flow and the numbers of messages are kept.
//!
//! Every run of the program is a run of its net: each machine follows the arcs of its flow, and a counter is
//! never negative. The net has more runs than the program, because it forgets the order of messages, the
//! values of variables and most conditions. So what cannot happen in the net cannot happen in the program.

use qp_base::{IndexVec, Span, define_index};

use crate::{MachineId, QueueId};

define_index!(SpotId, "p", "A place in the control flow of a machine, as a net knows it.");
define_index!(ArcId, "a", "A step of a machine, as a net knows it.");
define_index!(
    CounterId,
    "n",
    "Something that is counted: messages of one kind in one queue, mostly."
);

define_index!(DetailId, "d", "Something that a net may follow: a variable, mostly.");
define_index!(TestId, "t", "A condition of the program that a net leaves open.");

/// Control flow and counters of a whole program.
///
/// How much of the program a net has is up to who asks for it: each *detail* is followed or left open. What is not
/// followed may have any value, and a condition that depends on it may hold or not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Net {
    /// The places of all machines.
    pub spots: IndexVec<SpotId, Spot>,
    /// The steps of all machines.
    pub arcs: IndexVec<ArcId, Arc>,
    /// What is counted.
    pub counters: IndexVec<CounterId, Counter>,
    /// What is known about how often arcs are taken, beside that.
    pub facts: Vec<Fact>,
    /// What is known about arcs that are taken again and again.
    pub dependencies: Vec<Dependency>,
    /// Everything that can be followed. All nets of a program have the same details in the same order, apart from
    /// whether they are followed.
    pub details: IndexVec<DetailId, Detail>,
    /// Conditions that the net leaves open.
    pub tests: IndexVec<TestId, Test>,
    /// Queues in which messages are put at the back only, and taken from the front only.
    pub in_order: Vec<QueueId>,
}

/// A place in the control flow of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The machine, if it exists from the beginning; all machines of one kind that are created at run time share
    /// their places.
    pub machine: Option<MachineId>,
    /// How many machines are here at the beginning.
    pub initial: u32,
    /// A name for reports.
    pub name: String,
    /// Where it is written.
    pub span: Span,
}

/// A step of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arc {
    /// Where the machine comes from; `None` if it appears with this step.
    pub from: Option<SpotId>,
    /// Where it goes; `None` if it ends with this step.
    pub to: Option<SpotId>,
    /// How much is added to counters. No counter twice.
    pub effects: Vec<(CounterId, i64)>,
    /// Whether it counts as progress. Only if the machine is at a marked place before or after it: then a run
    /// with endlessly many such steps is at marked places again and again.
    pub progress: bool,
    /// The conditions on which it depends and that the net leaves open.
    pub tests: Vec<TestId>,
    /// What the step does, in the user's words.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

/// Something that is counted. It is never negative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counter {
    /// What is counted.
    pub counts: Counts,
    /// How much there is at the beginning.
    pub initial: u32,
    /// A name for reports: the kind of message, for instance.
    pub name: String,
}

/// What a counter counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counts {
    /// Messages of one kind in a queue. Every message in the queue is counted by exactly one counter.
    Messages(QueueId),
    /// Messages of one kind that are handed over: as many are sent as are received, always.
    Handshakes(QueueId),
    /// Machines that were asked for and have not begun.
    Machines,
    /// A number that the program keeps, which is never negative.
    Number,
}

impl Counts {
    /// Whether these are messages in the queue.
    pub fn is_in(self, queue: QueueId) -> bool {
        self == Self::Messages(queue)
    }
}

/// At every moment of every run the sum of how often arcs were taken, each with a factor, is at most so much.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Arcs with factors. No arc twice.
    pub terms: Vec<(ArcId, i64)>,
    /// The greatest value of the sum.
    pub at_most: i64,
    /// Why, in the user's words.
    pub because: String,
}

/// In a run that takes some arc of each of some sets endlessly often, some of other arcs are taken endlessly often too.
/// How often in between is not known, so it says nothing about a finite run.
///
/// A condition that one set of arcs needs, and that another one makes false, must be made true again and again, for
/// instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependency {
    /// The sets of arcs that depend together. Never empty.
    pub all: Vec<Vec<ArcId>>,
    /// The arcs on which they depend. If there are none, one of the sets is taken finitely often.
    pub on: Vec<ArcId>,
    /// Why, in the user's words.
    pub because: String,
}

/// Something that a net may follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detail {
    /// Its name in the program: `Client.i`, say.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Whether machines share it; otherwise it belongs to one, or each machine of a kind has its own.
    pub shared: bool,
    /// Whether this net follows it, and how.
    pub following: Following,
    /// The statements that change it: what they say, and where.
    pub writes: Vec<(String, Span)>,
}

/// Whether a net follows a detail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Following {
    /// It was not asked for.
    No,
    /// It is followed, in this way: *its 3 values are told apart*, say.
    Yes(String),
    /// It was asked for, and is not followed for this reason: *it has too many values*, say.
    Refused(String),
}

/// A condition of the program that a net leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// What it says.
    pub text: String,
    /// Where.
    pub span: Span,
    /// What would have to be followed to decide it; empty if nothing helps.
    pub reads: Vec<DetailId>,
}

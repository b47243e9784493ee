//! Weighed nets: why counting messages is enough; and rounds, where it is not.

use serde::{Deserialize, Serialize};

use qp_base::Span;

/// Ways to weigh a net (`Program::net`) so that no step makes it heavier, or every step lighter.
///
/// A machine at a spot weighs the potential of the spot, and a counter weighs its value times its weight. No
/// configuration weighs less than nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Flow {
    /// The numbers of the details that the net follows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub followed: Vec<u32>,
    /// Each proves something by itself.
    pub weighings: Vec<Weighing>,
    /// All that an infinite run without progress could be, case by case; each is followed by the cases into
    /// which it falls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<Case>,
}

/// What a run could be that makes no progress from some moment on. Everything is said about what it does after
/// another, later moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    /// There is no such run: something would get lighter and lighter.
    Closed(Weighing),
    /// Three cases, by a kind of message in a queue that is kept in order: no more is sent; some are taken again and
    /// again; nothing is taken from the queue any more, because one of them is at its front.
    Order {
        /// The number of the counter.
        counter: u32,
    },
    /// Three cases, by some of a machine's spots: it is at others for ever; it is at these for ever; it
    /// goes from these to others again and again.
    Apart {
        /// The machine.
        machine: u32,
        /// The numbers of the spots.
        spots: Vec<u32>,
    },
    /// Cases by a dependency of the net: one for each of the sets that depend, which is not taken any more; and one in
    /// which that on which they depend is taken again and again.
    Depends {
        /// The number of the dependency.
        dependency: u32,
    },
}

/// One way to weigh a net. All numbers are over the denominator; what is not listed is 0.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Weighing {
    /// What stands below every line; at least 1.
    pub denominator: i64,
    /// Numbers of spots, and their potentials.
    pub potentials: Vec<(u32, i64)>,
    /// Numbers of counters, and their weights.
    pub weights: Vec<(u32, i64)>,
    /// Numbers of facts, and the factors with which they are used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<(u32, i64)>,
}

/// Steps of one machine that lead round in a circle, or from where it begins to where it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Where it begins, in the user's words.
    pub from: String,
    /// How often it is taken, compared with other rounds.
    pub times: String,
    /// The steps in order: what each does, and where it is written.
    pub steps: Vec<(String, Span)>,
}

//! Pairs of what unlimited queues may do and what short ones can: evidence that short queues allow every sequence of
//! sends.

use serde::{Deserialize, Serialize};

use crate::ClosedSet;

/// A simulation of the program with queues of any length by the program with short queues, in what is sent.
///
/// A pair has a row of `outer` and a set of rows of `inner`: wherever the program is when it looks like the first,
/// short queues can be in each configuration of the second after the same sends, and in whatever these reach without
/// sending.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SendPairs {
    /// How many messages short queues hold; 0 if every message is received at once.
    pub bound: u32,
    /// How many messages at the front of a queue are told apart in `outer`. Behind them stands each message once, in
    /// the order in which they first occur.
    pub prefix: u32,
    /// What the program can reach with queues of any length, blurred.
    pub outer: ClosedSet,
    /// Configurations with short queues.
    pub inner: ClosedSet,
    /// Sets of rows of `inner`.
    pub sets: Vec<Vec<u32>>,
    /// The pairs: a row of `outer` and one of the sets.
    pub pairs: Vec<(u32, u32)>,
}

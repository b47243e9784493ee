//! Sets of configurations whose queues hold any word of a regular language.

use serde::{Deserialize, Serialize};

use crate::ClosedSet;

/// A set of configurations in which contents of queues are regular languages.
///
/// A row stands for all configurations that agree with it but for what is in queues: each queue holds any word of
/// its language. The set is the union of what its rows stand for.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RegularSet {
    /// For each content, the language that it stands for; that of a closed queue has no states.
    pub languages: Vec<Language>,
    /// The rows. In a queue cell stands the place of a content, which is a shortest word of its language.
    pub set: ClosedSet,
}

/// A deterministic automaton. It reads the messages of a queue from the front. State 0 is the initial one; what
/// has no step is not accepted.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Language {
    /// For each state, whether a word may end there.
    pub accepting: Vec<bool>,
    /// From which state, with which message (a place in the table of messages), to which state. In order, and no
    /// state has two steps with the same message.
    pub steps: Vec<(u32, u32, u32)>,
}

//! What need not be remembered, because nothing can be learnt from it.
//!
//! Two kinds of reduction keep local states few. [`reduce`] changes a blueprint before it runs: variables
//! and payloads that decide about nothing are no longer assigned ([`needs`], [`flow`], [`rewrite`]). [`Liveness`] is
//! asked whenever a machine rests: what is certainly assigned before it is read goes back to its default
//! ([`registers`], [`fields`]).

mod fields;
mod flow;
mod liveness;
mod needs;
mod reach;
mod registers;
mod rewrite;

#[cfg(test)]
mod tests;

pub(crate) use fields::Control;
pub(crate) use liveness::Liveness;
pub(crate) use reach::Calls;

use qp_base::IndexVec;

use crate::{Blueprint, EventId};

/// What was left out of a blueprint, in the user's words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reductions {
    /// Variables that decide about nothing: `count of Client`, `i in on ePing`.
    pub variables: Vec<String>,
    /// Events whose payload nobody reads.
    pub payloads: Vec<String>,
    /// For each event: which parts of its payload nobody reads. What stands there is not what is sent.
    pub unread: IndexVec<EventId, Vec<bool>>,
}

/// Leaves out what decides about nothing: no send, no choice, no failure depends on it.
pub fn reduce(blueprint: &mut Blueprint) -> Reductions {
    let needs = needs::Needs::of(blueprint);
    let reductions = needs.left_out(blueprint);
    rewrite::rewrite(blueprint, &needs);
    reductions
}

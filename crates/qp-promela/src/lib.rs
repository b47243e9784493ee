//! Runs Promela models: from a [`Spec`] to a program that engines can search.
//!
//! What cannot be run yet is refused by name and place, never left out.
//!
//! Absent on purpose: reading of texts, and everything about searching.

mod capacity;
mod codes;
mod demand;
mod effects;
mod graph;
mod live;
mod net;
mod rotate;
pub mod run;
mod trail;
mod uses;

use qp_base::{Diagnostic, Severity};
use qp_front_promela::Spec;
use qp_machines::Model;

pub use capacity::capacity_tests;
pub use codes::CODES;
pub use trail::{Follower, trail};

/// How a model is to be understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// How much fits into channels.
    pub channels: Channels,
    /// What is one step.
    pub granularity: Granularity,
    /// Whether only those infinite runs count in which no process is passed over for ever (weak fairness).
    pub fair: bool,
}

/// What is one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Granularity {
    /// A statement that others can notice, with what its process does before it and nobody can.
    #[default]
    Visible,
    /// A statement, as SPIN counts without merging.
    Statement,
}

/// How much fits into channels that can hold messages at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Channels {
    /// What their declarations say.
    #[default]
    Declared,
    /// Any number of messages.
    Unbounded,
}

/// The model that a text describes, or why it cannot be run. There is one exactly if no diagnostic is an
/// error.
pub fn model(mut spec: Spec, options: Options) -> (Option<Model>, Vec<Diagnostic>) {
    rotate::write_out(&mut spec);
    let mut said = Vec::new();
    let graphs = graph::graphs(&spec, &mut said);
    let demands = demand::demands(&spec, &mut said);
    let trace = spec.traces.first().map(|it| graph::of_body(&spec, &it.body, it.at, &mut said));
    if said.iter().any(|it| it.severity == Severity::Error) {
        said.sort_by_key(|it| it.primary.span.start);
        return (None, said);
    }
    (Some(Model::new(run::Processes::new(spec, (graphs, trace), demands, options))), said)
}

//! What we say about a model: everything that [`System::successors`](qp_machines::System::successors) reaches.

use std::collections::{BTreeSet, HashSet};

use qp_front_promela::{NoFiles, Reading, read};
use qp_machines::{Config, Event, Model, System};
use qp_promela::{Channels, Granularity, Options};

/// How we say that a `trace` has not come to its end.
const TRACE_IS_NOT_DONE: &str = "the run ends before its `trace`";

/// What a complete search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// How many configurations there are in which nobody is within an atomic sequence.
    pub stored: usize,
    /// What went wrong, other than ends in the wrong place.
    pub failures: BTreeSet<String>,
    /// Whether a run can end in the wrong place.
    pub stuck: bool,
}

/// What the reader makes of a text.
pub fn reading(text: &str) -> Reading {
    read("model.pml", text, &NoFiles, &qp_front_promela::Options::default())
}

/// The model of a text, or the complaints about it.
pub fn model(text: &str, granularity: Granularity) -> Result<Model, String> {
    model_with(text, granularity, Channels::Declared)
}

/// The model of a text in one of its readings, or the complaints about it.
pub fn model_with(
    text: &str,
    granularity: Granularity,
    channels: Channels,
) -> Result<Model, String> {
    let reading = reading(text);
    let Some(spec) = reading.spec else { return Err(format!("{:?}", reading.diagnostics)) };
    let options = Options { channels, granularity, fair: false };
    let (model, said) = qp_promela::model(spec, options);
    model.ok_or_else(|| format!("{said:?}"))
}

/// Searches a model; nothing if it has more than `most` configurations, or somebody gives up.
pub fn search(model: &Model, most: usize) -> Option<Searched> {
    let mut system = model.system();
    let first = system.initial();
    let mut seen = HashSet::from([first.clone()]);
    let mut todo = vec![first];
    let mut stored = HashSet::new();
    let mut found = Searched { stored: 0, failures: BTreeSet::new(), stuck: false };
    while let Some(config) = todo.pop() {
        let inside =
            config.holder.is_some_and(|it| !system.outcomes(&config, it, false).is_empty());
        if !inside {
            stored.insert(Config { holder: None, ..config.clone() });
        }
        let outcomes = system.successors(&config);
        found.stuck |= outcomes.is_empty() && !rests(&system, &config);
        for outcome in outcomes {
            match outcome.event {
                Event::Failed { failure } => {
                    let text = system.program().failure(failure).text;
                    // For SPIN a trace that is not at its end is a process in the wrong place.
                    if text == TRACE_IS_NOT_DONE {
                        found.stuck = true;
                    } else {
                        found.failures.insert(text);
                    }
                }
                Event::GaveUp { .. } => return None,
                _ if outcome_fails(&outcome) => {}
                _ if seen.insert(outcome.config.clone()) => todo.push(outcome.config),
                _ => {}
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    found.stored = stored.len();
    Some(found)
}

fn outcome_fails(outcome: &qp_machines::Outcome) -> bool {
    outcome.acts.iter().any(|act| matches!(act.event, Event::Failed { .. }))
}

fn rests(system: &System, config: &Config) -> bool {
    config.machines().all(|it| system.program().may_rest(it, config.local(it)))
}

//! What is wrong where a run ends.

use std::collections::BTreeSet;

use qp_machines::{Config, Event, Outcome, Property, System};

use crate::exchanges::{self, Crossing};
use crate::faults::{Finding, candidates, comes_about, failure, fault, happens, is_there};
use crate::invariant::Question;
use crate::lists::{Behind, SIGHTS};
use crate::{Checked, Refusal, Run, wrong};

/// Whether a run ends in a fault.
pub(crate) enum Found {
    Yes(Finding),
    No,
    /// The referee would have to look at more configurations than it may.
    TooLarge(usize),
}

impl From<Option<Finding>> for Found {
    fn from(finding: Option<Finding>) -> Self {
        finding.map_or(Self::No, Self::Yes)
    }
}

/// What a run ends in.
pub(crate) fn at_end(
    system: &mut System,
    property: Property,
    run: &Run,
    configurations_max: usize,
) -> Checked<Found> {
    let failed = run.outcomes.iter().position(|o| matches!(o.event, Event::Failed { .. }));
    if failed.is_some_and(|at| at + 1 < run.outcomes.len()) {
        return wrong("the run goes on after a failure");
    }
    if run.outcomes.iter().any(|o| matches!(o.event, Event::GaveUp { .. })) {
        return wrong("nobody knows what the run does in its last step");
    }
    if let Some(outcome) = failed.map(|at| &run.outcomes[at]) {
        return Ok(failure(system, property, outcome.step.machine, outcome.event).into());
    }
    if let Property::Possible(number) = property {
        let open = vec![Finding::Impossible { number }];
        return Ok(if is_there(system, number, run.last()) {
            Found::No
        } else {
            never_again(system, open, run.last(), configurations_max)
        });
    }
    for question in Question::all(property) {
        let found = match question {
            // The run has not failed.
            Question::Fails(_) => Found::No,
            Question::Crosses => crosses(system, run)?,
            Question::Stuck | Question::Orphan => {
                let open = candidates(system, question, run.last());
                never_again(system, open, run.last(), configurations_max)
            }
            _ => {
                let steps = system.successors(run.last());
                let steps = steps.iter().map(|outcome| (outcome.step.machine, outcome.event));
                fault(system, question, run.last(), steps).into()
            }
        };
        if !matches!(found, Found::No) {
            return Ok(found);
        }
    }
    Ok(Found::No)
}

/// Two messages that no round can have, however large it is.
fn crosses(system: &System, run: &Run) -> Checked<Found> {
    match exchanges::crossing(system, &run.initial, run.outcomes.iter()) {
        Ok(Some(Crossing { machine, received, sent })) => {
            Ok(Found::Yes(Finding::Crosses { machine, received, sent }))
        }
        Ok(None) => Ok(Found::No),
        Err(Refusal::TooLarge) => Ok(Found::TooLarge(run.outcomes.len())),
        Err(why) => Err(why),
    }
}

/// So many configurations are visited before covers of them are tried.
const FEW: usize = 10_000;

/// Whether something never happens again from here on: by visiting everything that is reachable, or, where that is much,
/// everything up to how contents of queues look. A cover in which it does not happen is enough; one in which it does
/// says nothing.
fn never_again(
    system: &mut System,
    open: Vec<Finding>,
    config: &Config,
    configurations_max: usize,
) -> Found {
    let mut visit = Visit { open: open.clone(), seen: BTreeSet::new() };
    let found = visit.all(system, config, configurations_max.min(FEW), System::successors);
    if !matches!(found, Found::TooLarge(_)) {
        return found;
    }
    for sight in SIGHTS {
        let mut cover = Visit { open: open.clone(), seen: BTreeSet::new() };
        if let Some(mut lists) = Behind::new(system, config, sight) {
            let first = lists.first().clone();
            let found =
                cover.all(system, &first, FEW, |system, config| lists.steps(system, config));
            if matches!(found, Found::Yes(_)) && lists.is_sure() {
                return found;
            }
        }
        if system.go_on().is_err() {
            return Found::TooLarge(cover.seen.len());
        }
    }
    let mut visit = Visit { open, seen: BTreeSet::new() };
    visit.all(system, config, configurations_max, System::successors)
}

/// Everything that is reachable, until all that is awaited has happened.
struct Visit {
    open: Vec<Finding>,
    seen: BTreeSet<Config>,
}

impl Visit {
    fn all(
        &mut self,
        system: &mut System,
        config: &Config,
        most: usize,
        mut steps: impl FnMut(&mut System, &Config) -> Vec<Outcome>,
    ) -> Found {
        self.seen.insert(config.clone());
        let mut todo = vec![config.clone()];
        while let Some(config) = todo.pop() {
            for outcome in steps(system, &config) {
                // Anything may happen where the interpreter does not know on.
                if matches!(outcome.event, Event::GaveUp { .. }) {
                    return Found::No;
                }
                for (mover, event) in outcome.happenings() {
                    self.open.retain(|&finding| match finding {
                        Finding::Impossible { number } => {
                            !comes_about(system, number, event, &outcome.config)
                        }
                        _ => !happens(finding, mover, event),
                    });
                }
                if self.open.is_empty() {
                    return Found::No;
                }
                let failed = matches!(outcome.event, Event::Failed { .. });
                if !failed && self.seen.insert(outcome.config.clone()) {
                    todo.push(outcome.config);
                }
            }
            if self.seen.len() > most || system.go_on().is_err() {
                return Found::TooLarge(self.seen.len());
            }
        }
        self.open.first().copied().into()
    }
}

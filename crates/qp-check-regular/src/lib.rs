//! Checks evidence in which queues hold any word of a regular language.
//!
//! A part of the referee, with a budget of its own: small, slow and separate. It has its own naive automata, and
//! shares the one step function and the data types of claims with the engines, and nothing else.
//!
//! Absent on purpose: acceleration, approximation, and anything else by which such sets are found.

mod automaton;
mod faults;
mod parts;
mod read;
pub mod tables;

use std::collections::BTreeMap;
use std::fmt;

use qp_claim::RegularSet;
use qp_machines::{Config, Event, FailureId, Outcome, Property, System, WordId};

use crate::automaton::{Automaton, Language, covers};
use crate::parts::{Case, Scope, is_counted};

/// Evidence that does not stand up. Always a bug in Queueproof, or a file that somebody changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected(pub String);

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Rejected {}

pub(crate) type Checked<T> = Result<T, Rejected>;

/// States of an automaton, cases of a row, contents of a queue and pieces of a product: so many of each at most,
/// because no evidence may take for ever.
const MOST: usize = 10_000;

/// A set that was checked: it contains the beginning and is closed under every step.
pub struct Regular {
    /// The rows, by all but what queues hold.
    rows: BTreeMap<Config, Vec<Vec<Language>>>,
    /// What steps from rows run into.
    failures: Vec<FailureId>,
}

impl Regular {
    /// Checks the set: every step from everything that a row stands for leads to something that a row stands for,
    /// and so does the beginning.
    pub fn check(system: &mut System, set: &RegularSet) -> Result<Self, Rejected> {
        if system.program().outline().whole {
            return rejected("a turn may look at all of a queue");
        }
        let mut checked = Self { rows: read::rows(system, set)?, failures: Vec::new() };
        let initial = system.initial();
        let empty = vec![Automaton::word(&[])?; initial.words.len()];
        if !checked.contains(&initial, &empty)? {
            return rejected("the set does not contain the beginning");
        }
        for row in checked.cases() {
            checked.check_row(system, &row)?;
        }
        Ok(checked)
    }

    /// Checks that nothing in the set violates the property.
    pub fn prove(&self, system: &mut System, property: Property) -> Result<(), Rejected> {
        let fails = |&failure: &_| system.program().failure(failure).property == property;
        if self.failures.iter().any(fails) {
            return rejected("the set has a step that fails");
        }
        for row in self.cases() {
            if faults::has_fault(system, property, &row)? {
                return rejected(format!("the set has a fault where {:?} are", row.config.locals));
            }
        }
        Ok(())
    }

    fn cases(&self) -> Vec<Case> {
        let case = |(config, held): (&Config, &Vec<Language>)| {
            let (config, languages) = (config.clone(), held.clone());
            Case { config, split: vec![false; languages.len()], languages }
        };
        let rows =
            self.rows.iter().flat_map(|(config, all)| all.iter().map(move |it| (config, it)));
        rows.map(case).collect()
    }

    fn contains(&self, control: &Config, product: &[Language]) -> Checked<bool> {
        self.rows.get(control).map_or(Ok(false), |rows| covers(rows, product))
    }

    fn check_row(&mut self, system: &mut System, row: &Case) -> Checked<()> {
        let scope = Scope::new(system, row)?;
        let mut open = vec![row.clone()];
        // Only where the holder cannot go on, others can.
        if let Some(holder) = row.config.holder {
            open.clear();
            for case in scope.cases(row, holder)? {
                let outcomes = system.outcomes(&case.config, holder, false);
                if outcomes.is_empty() {
                    open.push(case);
                } else {
                    self.check_steps(system, &case, outcomes)?;
                }
            }
        }
        for case in open {
            for machine in case.config.machines() {
                for case in scope.cases(&case, machine)? {
                    let outcomes = system.outcomes(&case.config, machine, false);
                    self.check_steps(system, &case, outcomes)?;
                }
            }
        }
        Ok(())
    }

    fn check_steps(&mut self, system: &System, case: &Case, all: Vec<Outcome>) -> Checked<()> {
        for outcome in all {
            let step = outcome.step;
            match outcome.event {
                Event::Failed { failure } => self.failures.push(failure),
                Event::GaveUp { .. } => {
                    return rejected(format!("nobody knows what {step:?} leads to"));
                }
                _ => {
                    let (control, product) = after(system, case, outcome)?;
                    if !self.contains(&control, &product)? {
                        return rejected(format!(
                            "the set is not closed: {step:?} leads out of it"
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Where a step leads from any configuration of a case, and what queues may hold there.
fn after(system: &System, case: &Case, outcome: Outcome) -> Checked<(Config, Vec<Language>)> {
    let (mut control, mut product) = (outcome.config, Vec::new());
    for queue in 0..control.words.len() {
        let (word, old) = (control.words[queue], case.languages.get(queue));
        product.push(match (outcome.event, old) {
            (_, Some(old)) if word == case.config.words[queue] => old.clone(),
            (Event::Created { .. }, None) => Automaton::word(&[])?,
            (Event::Closed { queue: at }, Some(_)) if at.index() == queue => Automaton::word(&[])?,
            (_, Some(_)) if is_counted(system, &control, queue) => {
                Automaton::word(&system.words().messages(word))?
            }
            (Event::Sent { queue: at, message }, Some(old)) if at.index() == queue => {
                old.append(message)?
            }
            (Event::Took { queue: at, message, .. }, Some(old)) if at.index() == queue => {
                old.remove(message)?
            }
            _ => return rejected(format!("{:?} does what languages do not follow", outcome.step)),
        });
        if word != WordId::CLOSED {
            control.words[queue] = WordId::EMPTY;
        }
    }
    Ok((control, product))
}

fn rejected<T>(why: impl Into<String>) -> Checked<T> {
    Err(Rejected(why.into()))
}

fn within_limit(amount: usize) -> Checked<()> {
    if amount > MOST { rejected("the set takes too long to check") } else { Ok(()) }
}

//! Checks evidence in which queues hold any word of a regular language.
//!
//! A part of the referee, with a budget of its own of 850 lines: small, slow and separate. It has its own naive automata, and
//! shares the one step function and the data types of claims with the engines, and nothing else.
//!
//! Absent on purpose: acceleration, approximation, and anything else by which such sets are found.

mod automaton;
mod faults;
mod parts;
mod ranks;
mod read;
pub mod tables;

use std::collections::BTreeMap;

use qp_claim::{RankedRegular, RegularSet};
use qp_machines::{Config, Event, FailureId, Outcome, Property, System, WordId};

use crate::automaton::{Automaton, Language};
use crate::parts::{Case, Scope, is_counted};

/// An answer, or why the evidence is refused.
pub type Checked<T> = Result<T, String>;

/// States of an automaton, cases of a row, contents of a queue and pieces of a product: so many of each at most,
/// because no evidence may take for ever.
const MOST: usize = 10_000;

/// A set that was checked: it contains the beginning and is closed under every step.
pub struct Regular {
    rows: Rows,
    /// What steps from rows run into.
    failures: Vec<FailureId>,
}

impl Regular {
    /// Checks the set: every step from everything that a row stands for leads to something that a row stands for,
    /// and so does the beginning. Otherwise says why not.
    pub fn check(system: &mut System, set: &RegularSet) -> Checked<Self> {
        if system.program().outline().whole {
            return rejected("a turn may look at all of a queue");
        }
        let (rows, mut failures) = (read::rows(system, set)?, Vec::new());
        let initial = system.initial();
        let empty = vec![Automaton::word(&[])?; initial.words.len()];
        if !contains(&rows, &initial, empty)? {
            return rejected("the set does not contain the beginning");
        }
        for row in rows.values().flatten() {
            failures.extend(check_row(system, &rows, row)?);
        }
        Ok(Self { rows, failures })
    }

    /// Checks that nothing in the set violates the property. Otherwise says why not.
    pub fn prove(&self, system: &mut System, property: Property) -> Checked<()> {
        let fails = |&failure: &_| system.program().failure(failure).property == property;
        if self.failures.iter().any(fails) {
            return rejected("the set has a step that fails");
        }
        for row in self.rows.values().flatten() {
            if faults::has_fault(system, property, row)? {
                return rejected(format!("the set has a fault where {:?} are", row.config.locals));
            }
        }
        Ok(())
    }

    /// Checks that no infinite run through the set violates the property. Otherwise says why not.
    pub fn prove_ranked(
        &self,
        system: &mut System,
        property: Property,
        ranked: &RankedRegular,
    ) -> Checked<()> {
        ranks::check(system, property, ranked, &self.rows)
    }
}

/// The rows, by all but what queues hold.
type Rows = BTreeMap<Config, Vec<Case>>;

/// Steps of a row: from which case, what happens, and where it leads; and what steps run into.
type Steps = (Vec<(Case, Outcome, (Config, Vec<Language>))>, Vec<FailureId>);

/// Every step from everything that a row stands for.
fn steps(system: &mut System, row: &Case) -> Checked<Steps> {
    system.go_on()?;
    let (scope, mut steps, mut failures) = (Scope::new(system, row)?, Vec::new(), Vec::new());
    for machine in row.config.machines() {
        for case in scope.cases(row, machine)? {
            for outcome in system.outcomes(&case.config, machine, false) {
                match outcome.event {
                    Event::Failed { failure } => failures.push(failure),
                    Event::GaveUp { .. } => {
                        return rejected(format!("nobody knows what {:?} leads to", outcome.step));
                    }
                    _ => {
                        let to = after(system, &case, &outcome)?;
                        steps.push((case.clone(), outcome, to));
                    }
                }
            }
        }
    }
    Ok((steps, failures))
}

/// Checks that every step from a row leads into the set, and returns what steps run into.
fn check_row(system: &mut System, rows: &Rows, row: &Case) -> Checked<Vec<FailureId>> {
    let (steps, failures) = steps(system, row)?;
    for (_, outcome, (control, product)) in steps {
        system.go_on()?;
        if !contains(rows, &control, product)? {
            return rejected(format!("the set is not closed: {:?} leads out", outcome.step));
        }
    }
    Ok(failures)
}

/// Whether a row and a product of languages have something in common.
fn meets(row: &Case, product: &[Language]) -> Checked<bool> {
    for (own, other) in row.languages.iter().zip(product) {
        if own.agree(other, true)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether everything in a product of languages is in the set.
fn contains(rows: &Rows, control: &Config, product: Vec<Language>) -> Checked<bool> {
    let rows = rows.get(control).map_or(&[][..], Vec::as_slice);
    for row in rows {
        let mut pieces = Vec::new();
        cut(product.clone(), &row.languages, &mut pieces)?;
        if pieces.is_empty() {
            return Ok(true);
        }
    }
    // No row has all of it, but together they may.
    let mut left = vec![product];
    for row in rows {
        let mut pieces = Vec::new();
        for piece in left {
            cut(piece, &row.languages, &mut pieces)?;
        }
        within_limit(pieces.len())?;
        left = pieces;
    }
    Ok(left.is_empty())
}

/// Cuts a product out of another one. What is left are the pieces that agree with it in the first languages and not
/// in the next one.
fn cut(mut piece: Vec<Language>, out: &[Language], pieces: &mut Vec<Vec<Language>>) -> Checked<()> {
    let common = piece.iter().zip(out).map(|(own, out)| own.agree(out, true));
    let common: Vec<Language> = common.collect::<Checked<_>>()?;
    if common.iter().any(|language| language.is_none()) {
        pieces.push(piece);
        return Ok(());
    }
    for (place, common) in common.into_iter().enumerate() {
        piece[place] = piece[place].agree(&out[place], false)?;
        if !piece[place].is_none() {
            pieces.push(piece.clone());
        }
        piece[place] = common;
    }
    Ok(())
}

/// Where a step leads from any configuration of a case, and what queues may hold there.
fn after(system: &System, case: &Case, outcome: &Outcome) -> Checked<(Config, Vec<Language>)> {
    let (mut control, mut product) = (outcome.config.clone(), Vec::new());
    for queue in 0..control.words.len() {
        let (word, old) = (control.words[queue], case.languages.get(queue));
        product.push(match (outcome.event, old) {
            (_, Some(old)) if word == case.config.words[queue] => old.clone(),
            (Event::Created { .. }, None) | (Event::Closed { .. }, _) => Automaton::word(&[])?,
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
    Err(why.into())
}

fn within_limit(amount: usize) -> Checked<()> {
    if amount > MOST { rejected("the set takes too long to check") } else { Ok(()) }
}

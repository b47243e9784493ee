//! Checks evidence in which queues hold any word of a regular language.
//!
//! The automata are naive ones of its own.
//!
//! Absent on purpose: acceleration, approximation, and anything else by which such sets are found.

mod automaton;
mod faults;
mod parts;
mod ranks;
mod read;

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::{RankedRegular, RegularSet};
use qp_machines::{Config, FailureId, MachineId, Property, System, Turn};

use crate::languages::automaton::{Automaton, Language};
use crate::languages::parts::{Case, Followed};

/// An answer, or why the evidence is refused.
pub(crate) type Checked<T> = Result<T, String>;

/// States of an automaton, cases of a row, contents of a queue and pieces of a product: so many of each at most,
/// because no evidence may take for ever.
const MOST: usize = 10_000;

/// A set that was checked: it contains the beginning and is closed under every step.
pub(crate) struct Regular {
    rows: Rows,
    /// What steps from rows run into.
    failures: Vec<FailureId>,
    /// The rows in which it may be that nothing can happen.
    ends: BTreeSet<usize>,
}

impl Regular {
    /// Checks the set: every step from everything that a row stands for leads to something that a row stands for,
    /// and so does the beginning. Otherwise says why not.
    pub(crate) fn check(system: &mut System, set: &RegularSet) -> Checked<Self> {
        let (rows, mut failures, mut ends) =
            (read::rows(system, set)?, Vec::new(), BTreeSet::new());
        let initial = system.initial();
        let empty = vec![Automaton::word(&[])?; initial.words.len()];
        if !contains(&rows, &initial, empty)? {
            return rejected("the set does not contain the beginning");
        }
        for row in rows.values().flatten() {
            let (found, may_end) = check_row(system, &rows, row)?;
            failures.extend(found);
            ends.extend(may_end.then_some(row.place));
        }
        Ok(Self { rows, failures, ends })
    }

    /// Checks that nothing in the set violates the property. Otherwise says why not.
    pub(crate) fn prove(&self, system: &mut System, property: Property) -> Checked<()> {
        let fails = |&failure: &_| system.program().failure(failure).property == property;
        if self.failures.iter().any(fails) {
            return rejected("the set has a step that fails");
        }
        for row in self.rows.values().flatten() {
            if faults::has_fault(system, property, row, self.ends.contains(&row.place))? {
                return rejected(format!("the set has a fault where {:?} are", row.config.locals));
            }
        }
        Ok(())
    }

    /// Checks that no infinite run through the set violates the property. Otherwise says why not.
    pub(crate) fn prove_ranked(
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

/// A step: who takes it, and its number among those that the machine has there.
type Step = ((MachineId, usize), Followed);

/// Everything that can happen in a row.
#[derive(Default)]
struct Steps {
    taken: Vec<Step>,
    failures: Vec<FailureId>,
    /// Whether nothing can happen in some of it.
    may_end: bool,
}

/// Every step from everything that a row stands for: first of whoever goes on alone, then of all machines if that
/// one cannot; and if nobody can, the same with those who wait for that.
fn steps(system: &mut System, row: &Case) -> Checked<Steps> {
    let (mut all, mut left) = (Steps::default(), vec![row.clone()]);
    let alone: Vec<MachineId> = row.config.holder.into_iter().collect();
    let everybody: Vec<MachineId> = row.config.machines().collect();
    for timeout in [false, true] {
        for movers in [&alone, &everybody] {
            let mut waiting = left.clone();
            for &machine in movers {
                let mut idle = Vec::new();
                for case in &left {
                    for (case, turns) in parts::turns(system, case, machine, timeout)? {
                        if turns.is_empty() {
                            idle.push(case);
                        }
                        all.add(machine, turns)?;
                    }
                }
                if machine != movers[0] {
                    idle.clear();
                    for case in &waiting {
                        let found = parts::turns(system, case, machine, timeout)?;
                        idle.extend(found.into_iter().filter(|it| it.1.is_empty()).map(|it| it.0));
                    }
                }
                waiting = idle;
            }
            left = waiting;
        }
    }
    all.may_end = !left.is_empty();
    Ok(all)
}

impl Steps {
    fn add(&mut self, machine: MachineId, turns: Vec<Followed>) -> Checked<()> {
        for (number, is) in turns.into_iter().enumerate() {
            match is.turn {
                Turn::Fails { failure, .. } => self.failures.push(failure),
                Turn::GivesUp { .. } => {
                    return rejected(format!("nobody knows what {machine:?} does"));
                }
                Turn::Does { .. } => self.taken.push(((machine, number), is)),
            }
        }
        Ok(())
    }
}

/// Checks that every step from a row leads into the set, and returns what steps run into, and whether it may end there.
fn check_row(system: &mut System, rows: &Rows, row: &Case) -> Checked<(Vec<FailureId>, bool)> {
    let Steps { taken, failures, may_end } = steps(system, row)?;
    for ((machine, choice), is) in taken {
        system.go_on()?;
        if !contains(rows, &is.config, is.languages)? {
            let step = qp_machines::Step { machine, choice: choice as u32 };
            return rejected(format!("the set is not closed: {step:?} leads out"));
        }
    }
    Ok((failures, may_end))
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

fn rejected<T>(why: impl Into<String>) -> Checked<T> {
    Err(why.into())
}

fn within_limit(amount: usize) -> Checked<()> {
    if amount > MOST { rejected("the set takes too long to check") } else { Ok(()) }
}

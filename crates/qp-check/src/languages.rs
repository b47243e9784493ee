//! Checks evidence in which queues hold any word of a regular language.
//!
//! The automata are naive ones of its own.
//!
//! Absent on purpose: acceleration, approximation, and anything else by which such sets are found.

mod automaton;
mod parts;
mod read;

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::RegularSet;
use qp_machines::{Atom, Config, Event, FailureId, MachineId, System, Turn};

use self::automaton::{Automaton, Language};
use self::parts::{Case, Followed};
use crate::cover::{Cover, Leads, Runs};
use crate::invariant::Question;
use crate::{Checked, wrong};

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
        if !rows.contain(&initial, empty)? {
            return wrong("the set does not contain the beginning");
        }
        for (&place, row) in &rows.cases {
            let (found, may_end) = rows.check(system, row)?;
            failures.extend(found);
            ends.extend(may_end.then_some(place));
        }
        Ok(Self { rows, failures, ends })
    }

    /// Whether something that the row stands for is what a question asks about. Failures are not looked for.
    fn may_be(&self, system: &mut System, question: Question, place: usize) -> Checked<bool> {
        let row = &self.rows.cases[&place];
        Ok(match question {
            Question::Fails(_) => false,
            Question::Lost => is_at_a_loss(system, row)?,
            Question::Dead => {
                let mut all = row.config.machines();
                self.ends.contains(&place)
                    && !all.all(|m| system.program().may_rest(m, row.config.local(m)))
            }
            Question::Bad(number) => is_bad(system, row, number)?,
            Question::Longer(queue, bound) => {
                let longest = row.languages.get(queue.index()).map_or(Some(0), |it| it.longest());
                longest.is_none_or(|longest| longest > bound as usize)
            }
            Question::Unbounded => row.languages.iter().any(|it| it.longest().is_none()),
            _ => return wrong("a set with languages does not prove this property"),
        })
    }
}

impl Cover for Regular {
    fn never(&mut self, system: &mut System, question: Question) -> Checked<()> {
        let fails =
            |&failure: &_| question == Question::Fails(system.program().failure(failure).property);
        if self.failures.iter().any(fails) {
            return wrong("the set has a step that fails");
        }
        for (&place, row) in &self.rows.cases {
            if self.may_be(system, question, place)? {
                return wrong(format!("the set has a fault where {:?} are", row.config.locals));
            }
        }
        Ok(())
    }

    fn runs(&self) -> Option<&dyn Runs> {
        Some(self)
    }
}

impl Runs for Regular {
    fn n_rows(&self) -> usize {
        self.rows.n
    }

    fn config(&self, place: usize) -> Checked<Option<Config>> {
        Ok(self.rows.cases.get(&place).map(|row| row.config.clone()))
    }

    fn is_exact(&self) -> bool {
        false
    }

    fn beginnings(&self, system: &mut System) -> Checked<Vec<usize>> {
        let initial = system.initial();
        self.rows.meeting(&initial, &vec![Automaton::word(&[])?; initial.words.len()])
    }

    fn steps(&self, system: &mut System, place: usize) -> Checked<Vec<Leads>> {
        let Steps { taken, may_end, .. } = steps(system, &self.rows.cases[&place])?;
        let mut all: Vec<Leads> = may_end.then(|| Leads::stay(place)).into_iter().collect();
        for ((machine, _), is) in taken {
            let event = is.turn.acts().first().map_or(Event::Internal, |act| act.event);
            let rows = self.rows.meeting(&is.config, &is.languages)?;
            let movers = movers(machine, &is.turn);
            all.push(Leads { event: Some(event), movers, rows, longer: is.longer });
        }
        Ok(all)
    }

    /// Nobody else can where one goes on alone.
    fn is_able(&self, system: &mut System, place: usize, machine: MachineId) -> Checked<bool> {
        let row = &self.rows.cases[&place];
        let is_kept = row.config.holder.is_some_and(|holder| holder != machine);
        if is_kept || machine.index() >= row.config.locals.len() {
            return Ok(false);
        }
        let cases = parts::turns(system, row, machine, false)?;
        Ok(cases.iter().all(|(_, turns)| !turns.is_empty()))
    }
}

/// Who moves in a step.
fn movers(machine: MachineId, turn: &Turn) -> Vec<MachineId> {
    let partner = |event| match event {
        Event::Handshake { receiver, .. } => Some(receiver),
        _ => None,
    };
    let acts = turn.acts().iter().flat_map(|act| [Some(act.machine), partner(act.event)]);
    acts.flatten().chain([machine]).collect()
}

/// Whether a machine is at a loss about a message.
fn is_at_a_loss(system: &mut System, row: &Case) -> Checked<bool> {
    for machine in row.config.machines() {
        let cases = parts::ask(system, row, |system, view, probe| {
            Ok(system.unhandled_over(machine, view, probe).is_some())
        })?;
        if cases.iter().any(|(_, lost)| *lost) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the bad situation with this number holds somewhere.
fn is_bad(system: &System, row: &Case, number: usize) -> Checked<bool> {
    for atoms in &system.program().outline().bad[number].cases {
        let (mut languages, mut holds) = (row.languages.clone(), true);
        for atom in atoms {
            match atom {
                Atom::Control(..) => holds &= atom.holds(system, &row.config),
                Atom::Content(queue, pattern) => match languages.get_mut(queue.index()) {
                    // All that is said about one queue must be true of one content.
                    Some(language) => *language = language.matching(pattern)?,
                    None => holds = false,
                },
            }
        }
        if holds && !languages.iter().any(|language| language.is_none()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The rows that stand for something.
struct Rows {
    /// How many there are, with those that stand for nothing.
    n: usize,
    /// By number.
    cases: BTreeMap<usize, Case>,
    /// The numbers of those that agree in all but what queues hold.
    places: BTreeMap<Config, Vec<usize>>,
}

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
                    return wrong(format!("nobody knows what {machine:?} does"));
                }
                Turn::Does { .. } => self.taken.push(((machine, number), is)),
            }
        }
        Ok(())
    }
}

impl Rows {
    fn at(&self, control: &Config) -> impl Iterator<Item = &Case> {
        self.places.get(control).into_iter().flatten().map(|place| &self.cases[place])
    }

    /// Checks that every step from a row leads into the set, and returns what steps run into, and whether it may end
    /// there.
    fn check(&self, system: &mut System, row: &Case) -> Checked<(Vec<FailureId>, bool)> {
        let Steps { taken, failures, may_end } = steps(system, row)?;
        for ((machine, choice), is) in taken {
            system.go_on()?;
            if !self.contain(&is.config, is.languages)? {
                let step = qp_machines::Step { machine, choice: choice as u32 };
                return wrong(format!("the set is not closed: {step:?} leads out"));
            }
        }
        Ok((failures, may_end))
    }

    /// The rows that have something in common with a product of languages.
    fn meeting(&self, control: &Config, product: &[Language]) -> Checked<Vec<usize>> {
        let mut found = Vec::new();
        for row in self.at(control) {
            let mut meets = true;
            for (own, other) in row.languages.iter().zip(product) {
                meets = meets && !own.agree(other, true)?.is_none();
            }
            found.extend(meets.then_some(row.place));
        }
        Ok(found)
    }

    /// Whether everything in a product of languages is in the set.
    fn contain(&self, control: &Config, product: Vec<Language>) -> Checked<bool> {
        for row in self.at(control) {
            let mut pieces = Vec::new();
            cut(product.clone(), &row.languages, &mut pieces)?;
            if pieces.is_empty() {
                return Ok(true);
            }
        }
        // No row has all of it, but together they may.
        let mut left = vec![product];
        for row in self.at(control) {
            let mut pieces = Vec::new();
            for piece in left {
                cut(piece, &row.languages, &mut pieces)?;
            }
            within_limit(pieces.len())?;
            left = pieces;
        }
        Ok(left.is_empty())
    }
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

fn within_limit(amount: usize) -> Checked<()> {
    if amount > MOST { wrong("the set takes too long to check") } else { Ok(()) }
}

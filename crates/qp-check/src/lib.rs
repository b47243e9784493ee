//! The referee: turns claims into verdicts.
//!
//! Small, slow and separate. It shares the one step function and the data types of claims with the
//! engines, and nothing else: sets are looked through row by row, reachability is a plain loop. A
//! test keeps it below 8,700 lines of code, of which a certificate needs one kind of cover and one argument.
//!
//! Absent on purpose: engines, and anything that makes checking fast at the price of making it clever.

mod anew;
mod cofinal;
mod diagram;
mod exchanges;
mod faults;
mod flow;
mod forever;
mod languages;
mod lasso;
mod lists;
mod pump;
mod ranks;
mod reduced;
mod replay;
mod rows;
mod sends;
mod tables;

use std::fmt;
use std::sync::Arc;

use qp_base::{Exhausted, Phase};
use qp_claim::{
    Claim, ClosedSet, CompleteSearch, DiagramSet, ExchangeSet, ListSet, Proof, Reason, ReducedSet,
    RegularSet, Rounds, Shape, Trace,
};
use qp_machines::{Model, Property, System};

pub use anew::cores;
pub use faults::Finding;
pub use replay::{Run, replay};

use crate::anew::{Anew, Halt};
use crate::diagram::Diagram;
use crate::exchanges::{Exchange, Refusal};
use crate::languages::Regular;
use crate::lists::Lists;
use crate::rows::Rows;

/// An answer that was checked. Only [`Referee::check`] makes one.
#[derive(Clone, Debug)]
pub struct Verdict(Ruling);

/// What a verdict says.
#[derive(Clone, Debug)]
pub enum Ruling {
    /// The property holds on every run, at every queue length, and the evidence stands up.
    Proved(Proof),
    /// The same is claimed by a search that says that it was complete. A limit was met before that was checked, and as
    /// far as it was, nothing is wrong.
    Searched {
        /// What is claimed.
        proof: Proof,
        /// Which limit.
        exhausted: Exhausted,
    },
    /// The property fails on this run.
    Violated {
        /// The choices.
        trace: Trace,
        /// The run, replayed.
        run: Run,
        /// What is wrong at its end.
        finding: Finding,
    },
    /// Neither.
    Unknown(Reason),
}

impl Verdict {
    /// What it says.
    pub fn ruling(&self) -> &Ruling {
        &self.0
    }
}

/// Evidence that does not stand up. Always a bug in Queueproof, or a file that somebody changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected(pub String);

impl From<String> for Rejected {
    fn from(why: String) -> Self {
        Self(why)
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Rejected {}

/// Checks claims about one model.
pub struct Referee {
    system: System,
    /// Plain searches of the referee's own stop after this many configurations.
    configurations_max: usize,
    /// Threads of searches of its own.
    jobs: usize,
    /// Whether a search counts that there is no time or memory to do again.
    is_lenient: bool,
    /// The search done again last, and what came of it.
    last_search: Option<(CompleteSearch, Anew, Result<(), Halt>)>,
    /// The closed set checked last: one set usually proves several properties.
    last: Option<(Arc<ClosedSet>, Rows)>,
    /// The set of lists checked last.
    last_lists: Option<(Arc<ListSet>, Lists)>,
    /// The reduced set checked last: nobody may take its rows for a closed set.
    last_reduced: Option<(Arc<ReducedSet>, Rows)>,
    /// The set with languages checked last.
    last_regular: Option<(Arc<RegularSet>, Regular)>,
    /// The diagram checked last.
    last_diagram: Option<(Arc<DiagramSet>, Diagram)>,
    /// The sets of rounds checked last.
    last_exchange: Option<(Arc<ExchangeSet>, Exchange)>,
}

impl Referee {
    /// A referee for one model.
    pub fn new(model: &Model, configurations_max: usize) -> Self {
        Self {
            system: model.system(),
            configurations_max,
            jobs: 1,
            is_lenient: false,
            last_search: None,
            last: None,
            last_lists: None,
            last_reduced: None,
            last_regular: None,
            last_diagram: None,
            last_exchange: None,
        }
    }

    /// The same with so many threads. They change nothing but the time it takes.
    #[must_use]
    pub fn with_jobs(self, jobs: usize) -> Self {
        Self { jobs, ..self }
    }

    /// The same for those to whom a complete search means something although nobody could do it again
    /// ([`Ruling::Searched`]). All others hear that it is unknown.
    #[must_use]
    pub fn lenient(self, is_lenient: bool) -> Self {
        Self { is_lenient, ..self }
    }

    /// The system in which runs were replayed, for the names of what is in them.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Accepts `claim` if its evidence stands up on its own. Evidence that a limit leaves no room to look at is
    /// neither accepted nor wrong.
    pub fn check(&mut self, property: Property, claim: &Claim) -> Result<Verdict, Rejected> {
        let verdict = self.judge(property, claim);
        let is_open = match &verdict {
            Ok(Verdict(Ruling::Unknown(_))) => !matches!(claim, Claim::GaveUp(_)),
            Ok(_) => false,
            Err(_) => true,
        };
        match self.system.patience() {
            patience if is_open && patience.go_on().is_err() => {
                let exhausted = patience.exhausted().expect("it was just asked");
                Ok(Verdict(Ruling::Unknown(Reason::Unchecked { exhausted })))
            }
            _ => verdict,
        }
    }

    fn judge(&mut self, property: Property, claim: &Claim) -> Result<Verdict, Rejected> {
        match claim {
            Claim::GaveUp(reason) => Ok(Verdict(Ruling::Unknown(reason.clone()))),
            Claim::Violated(trace) => self.check_trace(property, trace),
            Claim::Holds(Proof::Search(search)) => self.check_search(property, *search),
            Claim::Holds(proof @ Proof::Closed(set)) => {
                self.check_set(property, set)?;
                Ok(Verdict(Ruling::Proved(proof.clone())))
            }
            Claim::Holds(proof @ Proof::Ranked(ranked)) => {
                self.read_set(&ranked.set)?;
                let (_, rows) = self.last.as_ref().expect("it was just read");
                ranks::check(&mut self.system, property, ranked, rows)?;
                Ok(Verdict(Ruling::Proved(proof.clone())))
            }
            Claim::Holds(proof @ Proof::Reduced(reduced)) => {
                self.check_reduced(property, reduced)?;
                Ok(Verdict(Ruling::Proved(proof.clone())))
            }
            Claim::Holds(proof @ Proof::Regular(set)) => {
                self.check_regular(property, set)?;
                Ok(Verdict(Ruling::Proved(proof.clone())))
            }
            Claim::Holds(proof @ Proof::Diagram(set)) => match self.check_diagram(property, set) {
                Ok(()) => Ok(Verdict(Ruling::Proved(proof.clone()))),
                Err(diagram::Refusal::Wrong(why)) => Err(Rejected(why)),
                // A diagram of everything that can be reached says how much that is.
                Err(diagram::Refusal::TooLarge) => {
                    let configurations = set.n_configurations() as u64;
                    self.check_search(property, CompleteSearch { configurations })
                }
            },
            Claim::Holds(proof @ Proof::RankedRegular(ranked)) => {
                self.read_regular(&ranked.set)?;
                let (_, checked) = self.last_regular.as_ref().expect("it was just read");
                checked.prove_ranked(&mut self.system, property, ranked)?;
                Ok(Verdict(Ruling::Proved(proof.clone())))
            }
            Claim::Holds(proof @ Proof::Flow(weighed)) => {
                flow::check(&mut self.system, property, weighed)?;
                Ok(Verdict(Ruling::Proved(proof.clone())))
            }
            Claim::Holds(proof @ Proof::Exchange(set)) => {
                match self.check_exchange(property, set) {
                    Ok(()) => Ok(Verdict(Ruling::Proved(proof.clone()))),
                    Err(Refusal::Wrong(why)) => Err(Rejected(why)),
                    Err(Refusal::TooLarge) => Ok(Verdict(Ruling::Unknown(too_large(set)))),
                }
            }
            Claim::Holds(proof @ Proof::Sends(pairs)) => {
                if property != Property::Sendlang {
                    return Err(Rejected("pairs of sends do not prove this property".to_owned()));
                }
                sends::check_pairs(&mut self.system, pairs)?;
                Ok(Verdict(Ruling::Proved(proof.clone())))
            }
            Claim::Holds(proof @ Proof::Core(core)) => {
                cofinal::check(&mut self.system, property, core)?;
                Ok(Verdict(Ruling::Proved(proof.clone())))
            }
            Claim::Holds(proof @ Proof::Lists(lists)) => {
                self.check_lists(property, lists)?;
                Ok(Verdict(Ruling::Proved(proof.clone())))
            }
        }
    }

    fn check_trace(&mut self, property: Property, trace: &Trace) -> Result<Verdict, Rejected> {
        let run = replay(&mut self.system, &trace.steps)?;
        let found = match (trace.shape, property) {
            (Shape::Finite, _) => {
                faults::at_end(&mut self.system, property, &run, self.configurations_max)?
            }
            (Shape::Pump { from, queue }, Property::Bounded | Property::Length(..)) => {
                pump::check(&mut self.system, property, &run, from, queue)?
            }
            (
                Shape::Pump { from, queue },
                Property::Ltl(_) | Property::Livelock | Property::Accept,
            ) => {
                pump::check(&mut self.system, property, &run, from, queue)?;
                lasso::check_pump(&mut self.system, property, &run, from)?
            }
            (Shape::Family { .. }, Property::Sendlang) => {
                let queue = sends::check_family(&mut self.system, trace)?;
                faults::Found::Yes(Finding::NoLength { queue })
            }
            (Shape::Lasso { from }, Property::Ltl(_) | Property::Livelock | Property::Accept) => {
                lasso::check(&mut self.system, property, &run, from)?
            }
            _ => {
                return Err(Rejected(
                    "a run of this shape does not violate this property".to_owned(),
                ));
            }
        };
        let ruling = match found {
            faults::Found::Yes(finding) => Ruling::Violated { trace: trace.clone(), run, finding },
            faults::Found::TooLarge(configurations) => {
                Ruling::Unknown(Reason::EvidenceTooLarge { configurations })
            }
            faults::Found::No => {
                return Err(Rejected("the run ends where nothing is wrong".to_owned()));
            }
        };
        Ok(Verdict(ruling))
    }

    /// Searches again, unless that was done last. What was seen counts, however far it came.
    fn check_search(
        &mut self,
        property: Property,
        search: CompleteSearch,
    ) -> Result<Verdict, Rejected> {
        let progress = self.system.budget().progress().clone();
        let system = &mut self.system;
        progress.enter(Phase::Rechecking);
        let known = self.last_search.take().filter(|(last, ..)| *last == search);
        let (mut anew, end) = known.map_or_else(
            || {
                let initial = system.initial();
                let mut anew = Anew::new(system, &initial, self.jobs);
                let end = anew.search(system, search.configurations);
                (anew, end)
            },
            |(_, anew, end)| (anew, end),
        );
        let proved = anew.prove(system, property, &end);
        progress.enter(Phase::Checking);
        let verdict = match proved {
            Ok(()) => Ok(Verdict(Ruling::Proved(Proof::Search(search)))),
            Err(Halt::Wrong(why)) => Err(Rejected(why)),
            Err(Halt::Exhausted(exhausted)) => {
                if exhausted == Exhausted::Memory {
                    // Without it there is memory again, for other evidence.
                    anew.forget_rows(exhausted);
                    system.heed(&system.budget().clone());
                }
                let proof = Proof::Search(search);
                Ok(Verdict(if self.is_lenient {
                    Ruling::Searched { proof, exhausted }
                } else {
                    Ruling::Unknown(Reason::Unchecked { exhausted })
                }))
            }
        };
        self.last_search = Some((search, anew, end));
        verdict
    }

    /// Checks that a set is closed, unless it was the last one to be looked at.
    fn read_set(&mut self, set: &Arc<ClosedSet>) -> Result<(), Rejected> {
        let known = self.last.as_ref().is_some_and(|(last, _)| Arc::ptr_eq(last, set));
        if !known {
            self.last = None;
            let rows = Rows::check(&mut self.system, set, |_| None)?;
            self.last = Some((set.clone(), rows));
        }
        Ok(())
    }

    fn check_set(&mut self, property: Property, set: &Arc<ClosedSet>) -> Result<(), Rejected> {
        self.read_set(set)?;
        let (set, rows) = self.last.as_ref().expect("it was just put there");
        match property {
            Property::Stuck | Property::Orphan => forever::check(&self.system, property, set, rows),
            // A finite closed set is a bound.
            Property::Bounded => Ok(()),
            Property::Length(queue, bound) if rows.longest(queue) <= bound as usize => Ok(()),
            Property::Assert
            | Property::Unhandled
            | Property::Deadlock
            | Property::Divergence
            | Property::Reach(_)
            | Property::Length(..) => faultless(&mut self.system, property, set, rows),
            Property::Livelock
            | Property::Accept
            | Property::Live
            | Property::Ltl(_)
            | Property::Sync
            | Property::Sendlang => {
                Err(Rejected("a closed set alone does not prove this property".to_owned()))
            }
        }
    }

    fn check_reduced(&mut self, property: Property, set: &Arc<ReducedSet>) -> Result<(), Rejected> {
        if !property.survives_reduction() {
            return Err(Rejected("a reduced set does not prove this property".to_owned()));
        }
        let known = self.last_reduced.take().filter(|(last, _)| Arc::ptr_eq(last, set));
        let rows = match known {
            Some((_, rows)) => rows,
            None => reduced::check(&mut self.system, set)?,
        };
        let proved = faultless(&mut self.system, property, &set.set, &rows);
        self.last_reduced = Some((set.clone(), rows));
        proved
    }

    /// Checks that a set with languages is closed, unless it was the last one to be looked at.
    fn read_regular(&mut self, set: &Arc<RegularSet>) -> Result<(), Rejected> {
        let known = self.last_regular.as_ref().is_some_and(|(last, _)| Arc::ptr_eq(last, set));
        if !known {
            self.last_regular = None;
            self.last_regular = Some((set.clone(), Regular::check(&mut self.system, set)?));
        }
        Ok(())
    }

    fn check_regular(&mut self, property: Property, set: &Arc<RegularSet>) -> Result<(), Rejected> {
        self.read_regular(set)?;
        let (_, checked) = self.last_regular.as_ref().expect("it was just read");
        Ok(checked.prove(&mut self.system, property)?)
    }

    fn check_diagram(
        &mut self,
        property: Property,
        set: &Arc<DiagramSet>,
    ) -> Result<(), diagram::Refusal> {
        let known = self.last_diagram.take().filter(|(last, _)| Arc::ptr_eq(last, set));
        let mut checked = match known {
            Some((_, checked)) => checked,
            None => Diagram::check(&mut self.system, set)?,
        };
        let proved = checked.prove(&mut self.system, property);
        self.last_diagram = Some((set.clone(), checked));
        proved
    }

    fn check_exchange(
        &mut self,
        property: Property,
        set: &Arc<ExchangeSet>,
    ) -> Result<(), Refusal> {
        let known = self.last_exchange.take().filter(|(last, _)| Arc::ptr_eq(last, set));
        let checked = match known {
            Some((_, checked)) => checked,
            None => Exchange::check(&mut self.system, set)?,
        };
        let proved = checked.prove(&mut self.system, property);
        self.last_exchange = Some((set.clone(), checked));
        proved
    }

    fn check_lists(&mut self, property: Property, lists: &Arc<ListSet>) -> Result<(), Rejected> {
        let known = self.last_lists.take().filter(|(last, _)| Arc::ptr_eq(last, lists));
        let mut checked = match known {
            Some((_, checked)) => checked,
            None => Lists::check(&mut self.system, lists)?,
        };
        let proved = checked.prove(&mut self.system, property, &lists.set);
        self.last_lists = Some((lists.clone(), checked));
        proved
    }
}

fn too_large(set: &ExchangeSet) -> Reason {
    let rows = match &set.rounds {
        Rounds::Single(rows) => rows.len(),
        Rounds::UpTo { books, watches, .. } => books.len() + watches.len(),
    };
    Reason::EvidenceTooLarge { configurations: rows }
}

/// Checks that no row has a fault that can be seen in it or in its steps.
fn faultless(
    system: &mut System,
    property: Property,
    set: &ClosedSet,
    rows: &Rows,
) -> Result<(), Rejected> {
    rows.each(set, |place, config| {
        system.go_on()?;
        let steps = rows.edges(place).iter().map(|edge| (edge.machine, edge.event));
        match faults::fault(system, property, config, steps) {
            Some(finding) => Err(Rejected(format!("the set has a fault: {finding:?}"))),
            None => Ok(()),
        }
    })
}

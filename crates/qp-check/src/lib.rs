//! The referee: turns claims into verdicts.
//!
//! Small, slow and separate. It shares the one step function and the data types of claims with the
//! engines, and nothing else: sets are looked through row by row, reachability is a plain loop. A
//! test keeps it below 9,600 lines of code, of which a certificate needs one kind of cover and one argument.
//!
//! Absent on purpose: engines, and anything that makes checking fast at the price of making it clever.

mod anew;
mod automata;
mod backwards;
mod cofinal;
mod columns;
mod cover;
mod diagram;
mod ends;
mod exchanges;
mod faults;
mod flow;
mod forever;
mod heat;
mod invariant;
mod lag;
mod languages;
mod lasso;
mod lists;
mod pump;
mod ranked;
mod reduced;
mod replay;
mod rows;
mod sends;
mod sorted;
mod strategy;
mod tableau;
mod tables;

use std::fmt;
use std::mem::discriminant;

use qp_base::{Exhausted, Phase};
use qp_claim::{Claim, CompleteSearch, Proof, Reason, Rounds, Shape, Trace};
use qp_machines::{Model, Property, System};

pub use anew::cores;
pub use faults::Finding;
pub use replay::{Run, replay};

use crate::anew::Anew;
use crate::cover::Cover;
use crate::ends::Found;
use crate::ranked::Ranks;

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

impl From<Rejected> for String {
    fn from(rejected: Rejected) -> Self {
        rejected.0
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Rejected {}

/// Why evidence is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Refusal {
    /// It does not stand up.
    Wrong(String),
    /// It takes too long to check.
    TooLarge,
    /// A limit was met before that was known.
    Exhausted(Exhausted),
}

impl<T: Into<String>> From<T> for Refusal {
    fn from(why: T) -> Self {
        Self::Wrong(why.into())
    }
}

/// Something that was checked, or why it was not.
type Checked<T> = Result<T, Refusal>;

fn wrong<T>(why: impl Into<String>) -> Checked<T> {
    Err(Refusal::Wrong(why.into()))
}

/// Checks claims about one model.
pub struct Referee {
    system: System,
    /// Plain searches of the referee's own stop after this many configurations.
    configurations_max: usize,
    /// Threads of searches of its own.
    jobs: usize,
    /// Whether a search counts that there is no time or memory to do again.
    is_lenient: bool,
    /// The search done again last.
    searched: Option<(CompleteSearch, Anew)>,
    /// The covers checked last, one of each kind: one cover usually proves several properties.
    covers: Vec<(Proof, Box<dyn Cover + Send>)>,
}

impl Referee {
    /// A referee for one model.
    pub fn new(model: &Model, configurations_max: usize) -> Self {
        Self {
            system: model.system(),
            configurations_max,
            jobs: 1,
            is_lenient: false,
            searched: None,
            covers: Vec::new(),
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
        let ruling = match self.judge(property, claim) {
            Ok(ruling) => Ok(ruling),
            Err(Refusal::Wrong(why)) => Err(Rejected(why)),
            Err(Refusal::TooLarge) => {
                Ok(Ruling::Unknown(Reason::EvidenceTooLarge { configurations: size(claim) }))
            }
            Err(Refusal::Exhausted(exhausted)) => {
                Ok(Ruling::Unknown(Reason::Unchecked { exhausted }))
            }
        };
        let is_open = match &ruling {
            Ok(Ruling::Unknown(_)) => !matches!(claim, Claim::GaveUp(_)),
            Ok(_) => false,
            Err(_) => true,
        };
        match self.system.patience() {
            patience if is_open && patience.go_on().is_err() => {
                let exhausted = patience.exhausted().expect("it was just asked");
                Ok(Verdict(Ruling::Unknown(Reason::Unchecked { exhausted })))
            }
            _ => ruling.map(Verdict),
        }
    }

    fn judge(&mut self, property: Property, claim: &Claim) -> Checked<Ruling> {
        let proof = match claim {
            Claim::GaveUp(reason) => return Ok(Ruling::Unknown(reason.clone())),
            Claim::Violated(trace) => return self.check_trace(property, trace),
            Claim::Holds(proof) => proof,
        };
        match proof {
            Proof::Search(search) => return self.check_search(property, *search),
            Proof::Flow(flow) => flow::check(&mut self.system, property, flow)?,
            Proof::Core(core) => cofinal::check(&mut self.system, property, core)?,
            Proof::Sends(pairs) if property == Property::Sendlang => {
                sends::check_pairs(&mut self.system, pairs)?;
            }
            Proof::Sends(_) => return wrong("pairs of sends do not prove this property"),
            Proof::Ranked(ranked) => {
                let rows = Proof::Closed(ranked.set.clone());
                self.check_ranks(property, &rows, Ranks::from(&**ranked))?;
            }
            Proof::RankedRegular(ranked) => {
                let rows = Proof::Regular(ranked.set.clone());
                self.check_ranks(property, &rows, Ranks::from(&**ranked))?;
            }
            Proof::RankedSorted(_) if !property.is_live(self.system.program().outline()) => {
                return wrong("ranks up to renaming do not prove this property");
            }
            Proof::RankedSorted(ranked) => {
                let rows = Proof::Sorted(ranked.set.clone());
                self.check_ranks(property, &rows, Ranks::from(&**ranked))?;
            }
            Proof::Rank(rank) => {
                let (system, cover) = self.cover(&Proof::Lag(rank.set.clone()))?;
                let rows = cover.choices().expect("lag rows have choices");
                strategy::check(rows, system, property, rank)?;
            }
            Proof::Reduced(_) if !property.survives_reduction() => {
                return wrong("a reduced set does not prove this property");
            }
            Proof::Sorted(_) if !sorted::keeps(property) => {
                return wrong("a set up to renaming does not prove this property");
            }
            Proof::Closed(_)
            | Proof::Lists(_)
            | Proof::Reduced(_)
            | Proof::Sorted(_)
            | Proof::Regular(_)
            | Proof::Diagram(_)
            | Proof::Lag(_)
            | Proof::Exchange(_) => match (self.check_cover(property, proof), proof) {
                // A diagram of everything that can be reached says how much that is.
                (Err(Refusal::TooLarge), Proof::Diagram(set)) => {
                    let configurations = set.n_configurations() as u64;
                    return self.check_search(property, CompleteSearch { configurations });
                }
                (checked, _) => checked?,
            },
        }
        Ok(Ruling::Proved(proof.clone()))
    }

    /// The cover of a proof, checked unless it was the last one of its kind.
    fn cover(&mut self, proof: &Proof) -> Checked<(&mut System, &mut dyn Cover)> {
        let system = &mut self.system;
        let known = self.covers.iter().position(|(known, _)| known.is_same(proof));
        let at = if let Some(at) = known {
            at
        } else {
            self.covers.retain(|(known, _)| discriminant(known) != discriminant(proof));
            let cover: Box<dyn Cover + Send> = match proof {
                Proof::Closed(set) => Box::new(rows::Rows::check(system, set)?),
                Proof::Lists(set) => Box::new(lists::Lists::check(system, set)?),
                Proof::Reduced(set) => Box::new(reduced::check(system, set)?),
                Proof::Sorted(set) => Box::new(sorted::check(system, set)?),
                Proof::Regular(set) => Box::new(languages::Regular::check(system, set)?),
                Proof::Diagram(set) => Box::new(diagram::Diagram::check(system, set)?),
                Proof::Lag(set) => Box::new(lag::Lag::check(system, set)?),
                Proof::Exchange(set) => Box::new(exchanges::Exchange::check(system, set)?),
                _ => return wrong("this evidence has no cover"),
            };
            self.covers.push((proof.clone(), cover));
            self.covers.len() - 1
        };
        Ok((system, &mut *self.covers[at].1))
    }

    fn check_cover(&mut self, property: Property, proof: &Proof) -> Checked<()> {
        let (system, cover) = self.cover(proof)?;
        invariant::check(cover, system, property)
    }

    fn check_ranks(&mut self, property: Property, rows: &Proof, ranks: Ranks<'_>) -> Checked<()> {
        let (system, cover) = self.cover(rows)?;
        let runs = cover.runs().expect("closed sets and sets with languages have steps");
        ranked::check(runs, system, property, ranks)
    }

    fn check_trace(&mut self, property: Property, trace: &Trace) -> Checked<Ruling> {
        let run = replay(&mut self.system, &trace.steps)?;
        let found = match (trace.shape, property) {
            (Shape::Finite, _) => {
                ends::at_end(&mut self.system, property, &run, self.configurations_max)?
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
                let queue = sends::check_family(&mut self.system, trace.shape, &run)?;
                Found::Yes(Finding::NoLength { queue })
            }
            (Shape::Lasso { from }, Property::Ltl(_) | Property::Livelock | Property::Accept) => {
                lasso::check(&mut self.system, property, &run, from)?
            }
            _ => return wrong("a run of this shape does not violate this property"),
        };
        match found {
            Found::Yes(finding) => Ok(Ruling::Violated { trace: trace.clone(), run, finding }),
            Found::TooLarge(configurations) => {
                Ok(Ruling::Unknown(Reason::EvidenceTooLarge { configurations }))
            }
            Found::No => wrong("the run ends where nothing is wrong"),
        }
    }

    /// Searches again, unless that was done last. What was seen counts, however far it came.
    fn check_search(&mut self, property: Property, search: CompleteSearch) -> Checked<Ruling> {
        let progress = self.system.budget().progress().clone();
        let system = &mut self.system;
        progress.enter(Phase::Rechecking);
        let known = self.searched.take().filter(|(last, _)| *last == search);
        let mut anew = known.map_or_else(
            || {
                let initial = system.initial();
                let mut anew = Anew::new(system, &initial, self.jobs);
                anew.search(system, search.configurations);
                anew
            },
            |(_, anew)| anew,
        );
        let proved = anew.prove(system, property);
        progress.enter(Phase::Checking);
        let proof = Proof::Search(search);
        let ruling = match proved {
            Err(Refusal::Exhausted(exhausted)) => {
                if exhausted == Exhausted::Memory {
                    // Without it there is memory again, for other evidence.
                    anew.forget_rows(exhausted);
                    system.heed(&system.budget().clone());
                }
                if self.is_lenient {
                    Ok(Ruling::Searched { proof, exhausted })
                } else {
                    Err(Refusal::Exhausted(exhausted))
                }
            }
            proved => proved.map(|()| Ruling::Proved(proof)),
        };
        self.searched = Some((search, anew));
        ruling
    }
}

/// How many rows evidence has.
fn size(claim: &Claim) -> usize {
    match claim {
        Claim::Holds(Proof::Exchange(set)) => match &set.rounds {
            Rounds::Single(rows) => rows.len(),
            Rounds::UpTo { books, watches, .. } => books.len() + watches.len(),
        },
        _ => 0,
    }
}

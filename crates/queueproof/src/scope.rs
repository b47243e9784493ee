//! How far proofs reach: runs may end in failures, and formulas over sends may have no run to look at.
//!
//! Nothing comes behind a failure in a model. A program that is run goes on there, or is mended and then goes on. So a
//! proof that says nothing of what comes behind is told as what it is.

use qp_base::Budget;
use qp_check::{Referee, Ruling};
use qp_claim::Claim;
use qp_engines::{Engine, Facts, Lists};
use qp_machines::{Ltl, Property};

use crate::clerk::Clerk;
use crate::options::LOOK_STATES_MAX;
use crate::report::{Assurance, PropertyReport, VerdictWord};
use crate::turns::{Ran, run_engines};
use crate::{Loaded, Options};

/// Asks what proofs take for granted.
pub(crate) struct Scope<'s, 'c> {
    pub(crate) engines: &'s [&'s dyn Engine],
    pub(crate) loaded: &'s Loaded,
    pub(crate) options: &'s Options,
    pub(crate) budget: &'s Budget,
    pub(crate) facts: &'s Facts,
    pub(crate) clerk: &'s mut Clerk<'c>,
}

impl Scope<'_, '_> {
    /// A formula over sends that no run has enough sends for is not proved: there is nothing to look at.
    pub(crate) fn of_sends(&mut self, properties: &[Property], reports: &mut [PropertyReport]) {
        let outline = self.loaded.model.outline();
        let is_meant = |(property, report): &(&Property, &mut PropertyReport)| {
            let is_proof =
                matches!(report.verdict, VerdictWord::Proved | VerdictWord::ProvedUpToFailure);
            is_proof && property.is_over_sends(outline)
        };
        let meant: Vec<_> = properties.iter().zip(reports).filter(is_meant).collect();
        if meant.is_empty() {
            return;
        }
        let ends = self.sends_end();
        for (_, report) in meant {
            match ends {
                // Runs that fail were left out, and may refute it.
                Some(true) if report.verdict == VerdictWord::ProvedUpToFailure => {
                    report.message.push_str("; no other run has infinitely many sends");
                }
                Some(true) => {
                    report.verdict = VerdictWord::None;
                    report.message =
                        "no run has infinitely many sends, and no finite run refutes it".to_owned();
                    (report.engine, report.explored, report.certificate) = (None, None, None);
                    report.assurance = None;
                    self.clerk.withdraw(&report.id);
                }
                Some(false) => {}
                None => report.message.push_str("; whether there is such a run is not known"),
            }
        }
    }

    /// Whether every run has finitely many sends; none if that is not known.
    fn sends_end(&mut self) -> Option<bool> {
        let mut loaded = self.loaded.clone();
        let property = Property::Ltl(loaded.model.outline().ltl.len());
        loaded.model.demand(Ltl::sends_end());
        let (options, budget, facts) = (self.options, self.budget, self.facts);
        let Ran { runs, errors } =
            run_engines(self.engines, &loaded, options, budget, &[property], facts, &mut |_| {});
        self.clerk.errors.extend(errors);
        let mut referee = Referee::new(&loaded.model, self.options.evidence_max);
        let answers = runs.iter().filter_map(|run| run.answers.as_ref());
        let claims = answers.flat_map(|answers| &answers.claims);
        let mut claims = claims.filter(|it| it.property == property);
        claims.find_map(|answer| rules(&mut referee, property, &answer.claim))
    }

    /// Proofs of models in which runs may end in a failure say nothing of what would come behind. Returns the failures
    /// that are not excluded.
    pub(crate) fn of_failures(
        &mut self,
        properties: &[Property],
        reports: &mut [PropertyReport],
    ) -> Vec<(Property, VerdictWord)> {
        let outline = self.loaded.model.outline();
        let failing = outline.failing.iter().filter(|property| !property.is_void(outline));
        let is_proof = |report: &PropertyReport| report.verdict == VerdictWord::Proved;
        let (mut open, mut unasked, mut searched) = (Vec::new(), Vec::new(), Vec::new());
        for &failure in failing {
            match properties.iter().position(|&property| property == failure) {
                Some(number) => match reports[number].verdict {
                    VerdictWord::Proved
                        if reports[number].assurance == Some(Assurance::Searched) =>
                    {
                        searched.push(failure);
                    }
                    VerdictWord::Proved | VerdictWord::None => {}
                    verdict => open.push((failure, verdict)),
                },
                None => unasked.push(failure),
            }
        }
        if reports.iter().any(is_proof) {
            open.extend(self.not_excluded(unasked));
        } else {
            open.extend(unasked.into_iter().map(|failure| (failure, VerdictWord::Unknown)));
        }
        for (&property, report) in properties.iter().zip(reports) {
            let others = open.iter().filter(|(failure, _)| *failure != property);
            let others: Vec<(Property, VerdictWord)> = others.copied().collect();
            if is_proof(report) && !others.is_empty() {
                self.limit(property, report, &others);
            }
            // A proof is worth no more than that its runs go on.
            let rests = searched.iter().any(|failure| *failure != property);
            if report.assurance == Some(Assurance::Certified) && rests {
                report.assurance = Some(Assurance::Searched);
                report.message += "; that no run fails was searched, not re-checked";
            }
        }
        open
    }

    /// Those of these failures, which nobody asked about, that are not excluded. What is proved may show that they
    /// are; else they get a look, not a search.
    fn not_excluded(&mut self, mut failures: Vec<Property>) -> Vec<(Property, VerdictWord)> {
        failures.retain(|&failure| !self.clerk.is_shown(failure));
        if failures.is_empty() {
            return Vec::new();
        }
        let budget = self.budget.at_most(LOOK_STATES_MAX);
        // Which engines answer, and how closely they look, was chosen for what was asked.
        let (engines, lists) = (Vec::new(), Lists::default());
        let options = Options { engines, lists, ..self.options.clone() };
        let (engines, loaded, facts) = (self.engines, self.loaded, self.facts);
        let Ran { runs, errors } =
            run_engines(engines, loaded, &options, &budget, &failures, facts, &mut |_| {});
        self.clerk.errors.extend(errors);
        let answers =
            failures.into_iter().map(|failure| (failure, self.clerk.aside(failure, &runs)));
        answers.filter(|(_, verdict)| *verdict != VerdictWord::Proved).collect()
    }

    /// Says that a proof reaches only as far as some failure.
    fn limit(
        &self,
        property: Property,
        report: &mut PropertyReport,
        open: &[(Property, VerdictWord)],
    ) {
        let ids = ids(self.loaded, open);
        let is_certain = open.iter().all(|(_, verdict)| *verdict == VerdictWord::Violated);
        let what = match (property.is_about_infinite_runs(), is_certain) {
            // A run that fails is no infinite one: it does not count at all.
            (true, true) => format!("proved of runs without the failure of {}", ids.join(" and ")),
            (true, false) => format!("proved of runs without a failure of {}", ids.join(" or ")),
            (false, true) => format!("proved up to the failure of {}", ids.join(" and ")),
            (false, false) => {
                format!("proved up to a failure of {}, if there is one", ids.join(" or "))
            }
        };
        report.verdict = VerdictWord::ProvedUpToFailure;
        // That is what every proof is about.
        report.message = match report.message.as_str() {
            "for every queue length" => what,
            more => format!("{what}; {more}"),
        };
        report.up_to_failure_of = ids;
    }
}

/// What the reader of queue lengths should know where failures are not excluded.
pub(crate) fn caveat(loaded: &Loaded, open: &[(Property, VerdictWord)]) -> String {
    let ids = ids(loaded, open).join(", ");
    format!("a run ends where it fails ({ids}): how long queues get behind that is not told")
}

fn ids(loaded: &Loaded, open: &[(Property, VerdictWord)]) -> Vec<String> {
    open.iter().map(|(failure, _)| failure.id(loaded.model.outline())).collect()
}

/// What a claim comes to, if it is right and says something. Another property than those of the report is asked, so that
/// evidence that is wrong only leaves it open.
fn rules(referee: &mut Referee, property: Property, claim: &Claim) -> Option<bool> {
    match referee.check(property, claim).ok()?.ruling() {
        Ruling::Proved(_) => Some(true),
        Ruling::Violated { .. } => Some(false),
        Ruling::Searched { .. } | Ruling::Unknown(_) => None,
    }
}

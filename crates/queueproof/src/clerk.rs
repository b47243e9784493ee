//! Writes the answers of a report: has claims checked, compares verdicts, keeps the evidence.

use qp_base::{Code, Exhausted, Map, Set};
use qp_check::{Referee, Ruling, Run, Verdict, replay};
use qp_claim::{
    CertificateFile, Claim, Proof, Reason, Shape, Trace, TraceFile, write_certificate, write_trace,
};
use qp_engines::{Figures, QueueAnswer, Stated};
use qp_machines::{Capacity, Property, QueueId, Site, Step, System};

use crate::abreast::EngineRun;
use crate::names::Names;
use crate::portfolio::{Artifact, InternalError, explored};
use crate::replaying::trail;
use crate::report::{
    Assurance, Explored, PropertyReport, QueueReport, QueueStatus, TraceReport, VerdictWord,
};
use crate::situation::Closeness;
use crate::{Loaded, draw, invariants, rounds, situation, words};

/// Writes the report: has claims checked, compares verdicts, keeps the evidence.
pub(crate) struct Clerk<'a> {
    loaded: &'a Loaded,
    referee: Referee,
    /// Of everything that the engines have met.
    names: Names,
    pub(crate) artifacts: Vec<Artifact>,
    /// The proofs that count, and what each proves.
    certified: Vec<(Proof, Assurance, Vec<String>)>,
    /// The same as pairs: a proof may be about very many queues.
    certifies: Set<(usize, String)>,
    /// The proofs that were accepted, by what they prove.
    checked: Map<Property, Vec<(Proof, Verdict)>>,
    pub(crate) hit: Vec<&'static str>,
    pub(crate) errors: Vec<InternalError>,
    /// Whether somebody else has checked what was accepted before.
    is_new_referee: bool,
    /// The violations that were told before everything else was known.
    early: Vec<(Property, PropertyReport)>,
}

impl<'a> Clerk<'a> {
    pub(crate) fn new(loaded: &'a Loaded, referee: Referee) -> Self {
        Self {
            loaded,
            referee,
            names: Names::of(loaded.model.outline()),
            artifacts: Vec::new(),
            certified: Vec::new(),
            certifies: Set::default(),
            checked: Map::default(),
            hit: Vec::new(),
            errors: Vec::new(),
            is_new_referee: false,
            early: Vec::new(),
        }
    }

    /// Writes the reports of those properties that these runs violate, unless they are written; says whether there
    /// were any.
    pub(crate) fn note_violations(&mut self, properties: &[Property], runs: &[EngineRun]) -> bool {
        let n_before = self.early.len();
        for &property in properties {
            let known = self.early.iter().any(|(known, _)| *known == property);
            let violated = |run: &EngineRun| {
                run.claims(property).any(|answer| matches!(answer.claim, Claim::Violated(_)))
            };
            if known || !runs.iter().any(violated) {
                continue;
            }
            let report = self.property(property, runs);
            if report.verdict == VerdictWord::Violated {
                self.early.push((property, report));
            }
        }
        self.early.len() > n_before
    }

    /// Has proofs checked that are known already, so that there is time for it.
    pub(crate) fn check_proofs(&mut self, runs: &[EngineRun]) {
        for run in runs {
            let Some(answers) = &run.answers else { continue };
            for answer in &answers.claims {
                if matches!(answer.claim, Claim::Holds(_)) {
                    self.verdict(run.name, answer.property, &answer.claim);
                }
            }
            for answer in &answers.queues {
                if matches!(answer.claim, Claim::Holds(_)) {
                    let property = Property::Length(answer.queue, answer.bound);
                    self.verdict(run.name, property, &answer.claim);
                }
            }
        }
    }

    /// The names of everything that was met.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The violations that were noted, as they were told.
    pub(crate) fn violations(&self) -> Vec<PropertyReport> {
        self.early.iter().map(|(_, report)| report.clone()).collect()
    }

    /// Makes ready for all that is left. A referee who has no time any more, because somebody has asked to stop,
    /// makes room for one who has a little.
    pub(crate) fn prepare(
        &mut self,
        fresh: impl Fn() -> Referee,
        runs: &[EngineRun],
        errors: Vec<InternalError>,
    ) {
        if self.referee.system().go_on().is_err() {
            self.referee = fresh();
            self.is_new_referee = true;
        }
        self.names = names(self.loaded, &self.referee, runs);
        self.errors.splice(0..0, errors);
    }

    pub(crate) fn property(&mut self, property: Property, runs: &[EngineRun]) -> PropertyReport {
        let outline = self.loaded.model.outline();
        let mut report = PropertyReport::blank(property.id(outline));
        report.fair = property.is_about_infinite_runs().then_some(outline.is_fair(property));
        if let Some(why) = property.nothing_to_check(outline) {
            why.clone_into(&mut report.message);
            return report;
        }
        let best = self.best(property, runs);
        // What was told is not told otherwise later.
        if let Some((_, told)) = self.early.iter().find(|(told, _)| *told == property) {
            return told.clone();
        }
        let Some((run, verdict, figures)) = best else {
            report.verdict = VerdictWord::Unknown;
            self.unknown(&mut report, property, &Reason::NotThisProperty);
            return report;
        };
        report.engine = Some(run.name.to_owned());
        report.time_s = run.time_s;
        report.explored = (figures != Figures::default()).then(|| explored(figures));
        match verdict.ruling() {
            Ruling::Proved(proof) => {
                self.proved(&mut report, property, proof, Assurance::Certified);
            }
            Ruling::Searched { proof, exhausted } => {
                self.proved(&mut report, property, proof, Assurance::Searched);
                report.message += &words::searched(*exhausted);
                self.note_hit(limit_name(*exhausted));
            }
            Ruling::Violated { trace, run, finding } => {
                let system = self.referee.system();
                let (saying, chart) = draw::told(self.loaded, system, run, trace, *finding);
                report.verdict = VerdictWord::Violated;
                report.code = Some(saying.code);
                report.location = saying.span.map(|span| words::location(self.loaded, span));
                let chart = rounds::shown(property, chart);
                report.trace = Some(self.keep_trace(&report.id, trace, chart));
                self.keep_trail(report.trace.as_ref(), run, trace);
                report.message = saying.message;
            }
            Ruling::Unknown(reason) => {
                report.verdict = VerdictWord::Unknown;
                self.unknown(&mut report, property, reason);
            }
        }
        report
    }

    fn proved(
        &mut self,
        report: &mut PropertyReport,
        property: Property,
        proof: &Proof,
        assurance: Assurance,
    ) {
        (report.verdict, report.assurance) = (VerdictWord::Proved, Some(assurance));
        let fair = report.fair == Some(true);
        report.message = words::proved(self.loaded.model.outline(), property, proof, fair);
        if let (Property::Sync, Some(sends)) = (property, words::sends(proof)) {
            let before = report.explored.unwrap_or_default();
            report.explored = Some(Explored { bound: sends, ..before });
        }
        report.certificate = Some(self.certify(proof, assurance, report.id.clone()));
    }

    /// Says of proofs that rest on nothing that there is nothing to check. Those that reach up to a failure only are
    /// left as they are: what they rest on may come behind it.
    pub(crate) fn note_vacuous(
        &mut self,
        properties: &[Property],
        reports: &mut [PropertyReport],
        runs: &[EngineRun],
    ) {
        for (&property, report) in properties.iter().zip(reports) {
            if report.verdict != VerdictWord::Proved {
                continue;
            }
            let Some(why) = self.vacuous(property, runs) else { continue };
            self.withdraw(&report.id);
            let (id, fair) = (report.id.clone(), report.fair);
            *report = PropertyReport { fair, message: why.to_owned(), ..PropertyReport::blank(id) };
        }
    }

    /// Why a proof rests on nothing, in the user's words: there is nothing in any run that could have violated the
    /// property. What ends is judged by formulas and acceptance as if it stayed for ever, so they do not need an
    /// infinite run.
    fn vacuous(&mut self, property: Property, runs: &[EngineRun]) -> Option<&'static str> {
        match property {
            Property::Livelock => {
                let mut answers = runs.iter().filter_map(|run| run.answers.as_ref());
                answers.any(|answers| answers.every_run_ends).then_some("no run is infinite")
            }
            // Events that are raised are in no queue.
            Property::Unhandled if self.loaded.model.outline().failing.contains(&property) => None,
            Property::Unhandled
            | Property::Orphan
            | Property::Bounded
            | Property::Sync
            | Property::Sendlang => self.silence(runs),
            Property::Assert
            | Property::Deadlock
            | Property::Stuck
            | Property::Divergence
            | Property::Accept
            | Property::Live
            | Property::Ltl(_)
            | Property::Reach(_)
            | Property::Length(..)
            | Property::Possible(_) => None,
        }
    }

    /// Why no queue matters, if a set that was accepted shows that all of them are always empty.
    fn silence<'r>(&mut self, runs: &'r [EngineRun]) -> Option<&'static str> {
        let outline = self.loaded.model.outline();
        let is_empty = |answer: &QueueAnswer| {
            let complete = matches!(
                answer.claim,
                Claim::Holds(Proof::Search(_) | Proof::Closed(_) | Proof::Diagram(_))
            );
            complete && answer.bound == 0
        };
        let all_empty = |queues: &[QueueAnswer]| match queues {
            // Nobody may have looked.
            [] => outline.kinds.is_empty(),
            queues => queues.len() >= outline.queues.len() && queues.iter().all(is_empty),
        };
        let queues = |run: &'r EngineRun| Some((run.name, &run.answers.as_ref()?.queues));
        let (name, queues) =
            runs.iter().filter_map(queues).find(|(_, queues)| all_empty(queues))?;
        let accepted = queues.iter().all(|answer| {
            let verdict = self.verdict(name, Property::Length(answer.queue, 0), &answer.claim);
            verdict.is_some_and(|verdict| matches!(verdict.ruling(), Ruling::Proved(_)))
        });
        let handed = outline.kinds.iter().any(|kind| kind.capacity == Capacity::Rendezvous);
        let why = if handed { "no queue ever holds a message" } else { "no message is ever sent" };
        accepted.then_some(why)
    }

    fn unknown(&mut self, report: &mut PropertyReport, property: Property, reason: &Reason) {
        let (code, text) = words::reason(self.loaded, &self.names, property, reason);
        let outline = self.loaded.model.outline();
        let hot = match property {
            Property::Ltl(number) if property.is_live(outline) => Some(outline.ltl[number].span),
            _ => None,
        };
        let span = words::obstacle(reason).or(hot);
        report.location = span.map(|span| words::location(self.loaded, span));
        self.note_limit(reason);
        if *reason == Reason::NotThisProperty {
            (report.engine, report.explored) = (None, None);
        }
        report.code = Some(code);
        let outline = self.loaded.model.outline();
        let gist = words::gist(property, reason, report.explored, outline);
        report.message = gist.unwrap_or_else(|| text.clone());
        report.reason = Some(text);
        if let Reason::InTheWay { prefix, counted, situation } = reason {
            let closeness = Closeness { prefix: *prefix, counted: *counted };
            report.in_the_way =
                situation::situation(self.loaded, &self.names, property, closeness, situation);
            let bound = report.explored.map_or(0, |explored| explored.bound);
            let told = report.in_the_way.as_ref().map(|it| words::in_the_way(it, bound));
            report.reason = told.or(report.reason.take());
        }
    }

    /// A run that breaks what somebody stated about queues, played again before it is shown. Without such a run nothing
    /// is said to be violated, although an engine has met what breaks it.
    pub(crate) fn breach(
        &mut self,
        id: String,
        stated: &Stated,
        run: Option<&(Vec<Step>, QueueId)>,
    ) -> PropertyReport {
        let mut system = self.loaded.model.system();
        let replayed = run.and_then(|(steps, queue)| {
            let run = replay(&mut system, steps).ok()?;
            Some((run, Trace::finite(steps.clone()), *queue))
        });
        let Some((run, trace, queue)) = replayed else {
            return invariants::unshown(id, stated);
        };
        let say = |system: &System, run: &Run| words::broken(system, run, queue, stated);
        let (saying, chart) = draw::said(self.loaded, (&system, &run), &trace, say);
        PropertyReport {
            verdict: VerdictWord::Violated,
            code: Some(words::BROKEN),
            message: saying.message,
            trace: Some(TraceReport { file: None, choices: choices(&trace), chart }),
            ..PropertyReport::blank(id)
        }
    }

    /// What is known about the length of a queue: engines by name, with what each says.
    pub(crate) fn queue(
        &mut self,
        queue: QueueId,
        answers: &[(&str, &QueueAnswer)],
    ) -> QueueReport {
        let outline = self.loaded.model.outline();
        let kind = outline.queues.get(queue).map(|info| outline.kinds[info.kind]);
        let created = outline.created.get(&queue).map(|&kind| outline.kinds[kind]);
        let limited = match kind.or(created).map(|kind| kind.capacity) {
            Some(Capacity::Messages(n)) => Some(n),
            Some(Capacity::Rendezvous) => Some(0),
            Some(Capacity::Unbounded) | None => None,
        };
        let mut report = QueueReport {
            number: queue.index(),
            name: self.names.queue(queue),
            status: QueueStatus::Unknown,
            assurance: None,
            declared: outline.declared.get(&queue).copied().unwrap_or(limited),
            limited,
            longest_seen: 0,
            engine: None,
            trace: None,
            certificate: None,
            reason: None,
            capacities: None,
        };
        let mut open = None;
        for &(engine, answer) in answers {
            report.longest_seen = report.longest_seen.max(answer.longest);
            let property = match answer.claim {
                Claim::Holds(_) => Property::Length(queue, answer.bound),
                _ => Property::Bounded,
            };
            let Some(verdict) = self.verdict(engine, property, &answer.claim) else { continue };
            self.queue_verdict(&mut report, engine, property, verdict.ruling());
            if let Ruling::Unknown(reason) = verdict.ruling() {
                open = Some(reason.clone());
            }
        }
        if let Some(reason) = open.filter(|_| report.status == QueueStatus::Unknown) {
            self.note_limit(&reason);
        }
        if matches!(report.status, QueueStatus::Bounded(n) if n < report.longest_seen) {
            self.disagree(&format!("the queue {}", report.name));
        }
        report
    }

    fn queue_verdict(
        &mut self,
        report: &mut QueueReport,
        engine: &str,
        property: Property,
        ruling: &Ruling,
    ) {
        let outline = self.loaded.model.outline();
        match ruling {
            Ruling::Proved(proof) | Ruling::Searched { proof, .. } => {
                let Property::Length(_, bound) = property else { return };
                let assurance = match ruling {
                    Ruling::Searched { exhausted, .. } => {
                        self.note_hit(limit_name(*exhausted));
                        Assurance::Searched
                    }
                    _ => Assurance::Certified,
                };
                match report.status {
                    QueueStatus::Unbounded => {
                        return self.disagree(&format!("the queue {}", report.name));
                    }
                    // Nobody needs a weaker bound, or one that was not checked.
                    QueueStatus::Bounded(known)
                        if known < bound
                            || known == bound && report.assurance != Some(Assurance::Searched) =>
                    {
                        return;
                    }
                    QueueStatus::Bounded(_) | QueueStatus::Unknown => {}
                }
                (report.status, report.assurance) = (QueueStatus::Bounded(bound), Some(assurance));
                report.certificate = Some(self.certify(proof, assurance, property.id(outline)));
            }
            Ruling::Violated { trace, run, finding } => {
                match report.status {
                    QueueStatus::Bounded(_) => {
                        return self.disagree(&format!("the queue {}", report.name));
                    }
                    // Nobody needs a second run.
                    QueueStatus::Unbounded => return,
                    QueueStatus::Unknown => {}
                }
                let (_, chart) =
                    draw::told(self.loaded, self.referee.system(), run, trace, *finding);
                report.status = QueueStatus::Unbounded;
                report.trace =
                    Some(self.keep_trace(&format!("grows:{}", report.name), trace, chart));
            }
            Ruling::Unknown(reason) => {
                if report.status == QueueStatus::Unknown {
                    report.reason =
                        Some(words::reason(self.loaded, &self.names, property, reason).1);
                }
                return;
            }
        }
        report.engine = Some(engine.to_owned());
        report.reason = None;
    }

    /// The verdict that says most; two that contradict each other are a bug.
    fn best<'r>(
        &mut self,
        property: Property,
        runs: &'r [EngineRun],
    ) -> Option<(&'r EngineRun, Verdict, Figures)> {
        let answers = runs.iter().flat_map(|run| {
            let claims = run.answers.iter().flat_map(|answers| &answers.claims);
            let mine = claims.filter(|answer| answer.property == property);
            mine.map(move |answer| (run, &answer.claim, answer.figures))
        });
        let mut best: Option<(&EngineRun, Verdict, Figures)> = None;
        for (run, claim, figures) in answers {
            let Some(verdict) = self.verdict(run.name, property, claim) else { continue };
            let Some((_, old, old_figures)) = &best else {
                best = Some((run, verdict, figures));
                continue;
            };
            match (old.ruling(), verdict.ruling()) {
                (Ruling::Proved(_) | Ruling::Searched { .. }, Ruling::Violated { .. })
                | (Ruling::Violated { .. }, Ruling::Proved(_) | Ruling::Searched { .. }) => {
                    self.disagree(&property.id(self.loaded.model.outline()));
                    return None;
                }
                (Ruling::Unknown(_) | Ruling::Searched { .. }, Ruling::Proved(_))
                | (Ruling::Unknown(_), Ruling::Searched { .. } | Ruling::Violated { .. }) => {
                    best = Some((run, verdict, figures));
                }
                (Ruling::Unknown(known), Ruling::Unknown(reason))
                    if helpfulness(reason) > helpfulness(known) =>
                {
                    // What is in the way is told together with how far the search got.
                    let searched = *known != Reason::NotThisProperty;
                    let further = searched && old_figures.bound > figures.bound;
                    best = Some((run, verdict, if further { *old_figures } else { figures }));
                }
                _ => {}
            }
        }
        best
    }

    /// Has a claim checked. Evidence that does not stand up is a bug, not an answer.
    fn verdict(&mut self, engine: &str, property: Property, claim: &Claim) -> Option<Verdict> {
        if let Claim::Holds(proof) = claim {
            let mut known = self.checked.get(&property).into_iter().flatten();
            if let Some((_, verdict)) = known.find(|(known, _)| known.is_same(proof)) {
                return Some(verdict.clone());
            }
        }
        match self.referee.check(property, claim) {
            Ok(verdict) => {
                // A run is in the words of the referee who has replayed it, which takes no time.
                if let Ruling::Proved(proof) = verdict.ruling() {
                    let said = self.checked.entry(property).or_default();
                    said.push((proof.clone(), verdict.clone()));
                }
                Some(verdict)
            }
            Err(rejected) => {
                let id = property.id(self.loaded.model.outline());
                let message = format!("evidence of {engine} for {id} was refused: {rejected}");
                if self.errors.iter().all(|known| known.message != message) {
                    self.errors.push(InternalError { code: Code(9001), message });
                }
                None
            }
        }
    }

    fn disagree(&mut self, what: &str) {
        let message = format!("two accepted verdicts about {what} contradict each other");
        self.errors.push(InternalError { code: Code(9002), message });
    }

    fn note_limit(&mut self, reason: &Reason) {
        match reason {
            Reason::BoundReached { .. } => self.note_hit("bound"),
            Reason::EvidenceTooLarge { .. } => self.note_hit("evidence"),
            Reason::Budget { exhausted, .. }
            | Reason::Unchecked { exhausted }
            | Reason::Sends { exhausted: Some(exhausted), .. } => {
                self.note_hit(limit_name(*exhausted));
            }
            Reason::OutsideFragment { .. }
            | Reason::Rounds { .. }
            | Reason::Sends { exhausted: None, .. }
            | Reason::Program { .. }
            | Reason::Assumes { .. }
            | Reason::InTheWay { .. }
            | Reason::NoWay { .. }
            | Reason::NotThisProperty => {}
        }
    }

    pub(crate) fn note_hit(&mut self, limit: &'static str) {
        if !self.hit.contains(&limit) {
            self.hit.push(limit);
        }
    }

    fn keep_trace(&mut self, id: &str, trace: &Trace, chart: crate::Chart) -> TraceReport {
        let name = self.free_name(&format!("traces/{}", file_name(id)));
        let property = match trace.shape {
            Shape::Pump { .. } if id != LIVELOCK => "bounded".to_owned(),
            Shape::Pump { .. } | Shape::Finite | Shape::Lasso { .. } | Shape::Family { .. } => {
                id.to_owned()
            }
        };
        let file = TraceFile {
            model: self.loaded.source.name.clone(),
            switches: self.loaded.switches.pairs(),
            hash: self.loaded.hash.clone(),
            property,
            trace: trace.clone(),
        };
        let text = write_trace(&file, self.loaded.model.outline());
        self.artifacts.push(Artifact { name: name.clone(), text });
        TraceReport { file: Some(name), choices: choices(trace), chart }
    }

    /// Keeps a run of a Promela model also as SPIN's simulator reads it, beside the file that we read.
    fn keep_trail(&mut self, report: Option<&TraceReport>, run: &Run, trace: &Trace) {
        let file = report.and_then(|report| report.file.as_ref());
        let stem = file.and_then(|file| file.strip_suffix(".json"));
        let is_promela = self.loaded.model.outline().language == "promela";
        let text = trail(run, trace).filter(|_| is_promela);
        if let (Some(stem), Some(text)) = (stem, text) {
            self.artifacts.push(Artifact { name: format!("{stem}.trail"), text });
        }
    }

    /// The places of the text to which no run comes. Whoever has seen everything that can happen knows them; so does
    /// the referee, who has asked for every step of the sets that it accepted, and they hold everything that can
    /// happen, and perhaps more.
    pub(crate) fn unreached(&self, runs: &[EngineRun]) -> Option<Vec<Site>> {
        let mut answers = runs.iter().filter_map(|run| run.answers.as_ref());
        let seen = answers.find_map(|answers| answers.unreached.clone());
        let is_closed = |proof: &Proof| match proof {
            Proof::Closed(_)
            | Proof::Lists(_)
            | Proof::Ranked(_)
            | Proof::Regular(_)
            | Proof::Diagram(_)
            | Proof::RankedRegular(_) => true,
            // Whoever has searched has told it already.
            Proof::Search(_)
            | Proof::Reduced(_)
            | Proof::Sorted(_)
            | Proof::RankedSorted(_)
            | Proof::Flow(_)
            | Proof::Exchange(_)
            | Proof::Sends(_)
            | Proof::Core(_)
            | Proof::Lag(_)
            | Proof::Rank(_) => false,
        };
        // A new referee has not been where the old one was.
        let accepted =
            || !self.is_new_referee && self.certified.iter().any(|(proof, ..)| is_closed(proof));
        seen.or_else(|| accepted().then(|| self.referee.system().program().unvisited()).flatten())
    }

    /// A name that no other file has, also where small and capital letters are the same: names of
    /// queues may differ in nothing else, and in letters that file names do not have.
    fn free_name(&self, stem: &str) -> String {
        let taken = |name: &str| {
            let name = name.to_ascii_lowercase();
            self.artifacts.iter().any(|artifact| artifact.name.to_ascii_lowercase() == name)
        };
        let numbered = (2..).map(|number| format!("{stem}-{number}.json"));
        let mut names = std::iter::once(format!("{stem}.json")).chain(numbered);
        names.find(|name| !taken(name)).expect("there are numbers enough")
    }

    /// The answer to something that no row of the report is about. If it is proved, a certificate names it.
    pub(crate) fn aside(&mut self, property: Property, runs: &[EngineRun]) -> VerdictWord {
        let best = self.best(property, runs);
        match best.as_ref().map(|(_, verdict, _)| verdict.ruling()) {
            Some(Ruling::Proved(proof)) => {
                let id = property.id(self.loaded.model.outline());
                self.certify(proof, Assurance::Certified, id);
                VerdictWord::Proved
            }
            Some(Ruling::Violated { .. }) => VerdictWord::Violated,
            // It would be no more than what was searched, and the report would not say so.
            Some(Ruling::Searched { .. } | Ruling::Unknown(_)) | None => VerdictWord::Unknown,
        }
    }

    /// Whether evidence that is kept already shows something else, too; then its certificate names that as well.
    pub(crate) fn is_shown(&mut self, property: Property) -> bool {
        let kept: Vec<Proof> = self.certified.iter().map(|(proof, ..)| plain(proof)).collect();
        let shows = |proof: &Proof| {
            let verdict = self.referee.check(property, &Claim::Holds(proof.clone()));
            verdict.is_ok_and(|verdict| matches!(verdict.ruling(), Ruling::Proved(_)))
        };
        let Some(proof) = kept.into_iter().find(shows) else { return false };
        self.certify(&proof, Assurance::Certified, property.id(self.loaded.model.outline()));
        true
    }

    /// One file holds a proof and names everything that it shows. What was checked and what was not do not share one.
    fn certify(&mut self, proof: &Proof, assurance: Assurance, id: String) -> String {
        let mut kept = self.certified.iter();
        let known =
            kept.position(|(kept, as_what, _)| kept.is_same(proof) && *as_what == assurance);
        let number = known.unwrap_or_else(|| {
            self.certified.push((proof.clone(), assurance, Vec::new()));
            self.certified.len() - 1
        });
        if self.certifies.insert((number, id.clone())) {
            self.certified[number].2.push(id);
        }
        certificate_name(number)
    }

    /// Nothing was proved by it after all. Other files keep their names.
    pub(crate) fn withdraw(&mut self, id: &str) {
        self.certified.iter_mut().for_each(|(.., ids)| ids.retain(|it| it != id));
    }

    pub(crate) fn write_certificates(&mut self) {
        let certified = std::mem::take(&mut self.certified).into_iter().enumerate();
        for (number, (proof, _, properties)) in certified.filter(|(_, (.., ids))| !ids.is_empty()) {
            let file = CertificateFile {
                model: self.loaded.source.name.clone(),
                switches: self.loaded.switches.pairs(),
                hash: self.loaded.hash.clone(),
                properties,
                proof,
            };
            let text = write_certificate(&file);
            self.artifacts.push(Artifact { name: certificate_name(number), text });
        }
    }
}

/// The steps of a run as `replay --trace` takes them.
fn choices(trace: &Trace) -> Vec<String> {
    let choice = |step: &Step| format!("{}.{}", step.machine.raw(), step.choice);
    trace.steps.iter().map(choice).collect()
}

/// The property that a run with growing queues may violate, beside `bounded`.
const LIVELOCK: &str = "livelock";

/// Which of several reasons tells the user most about what to do.
fn helpfulness(reason: &Reason) -> u8 {
    match reason {
        Reason::NotThisProperty => 0,
        Reason::BoundReached { .. }
        | Reason::Budget { .. }
        | Reason::Program { .. }
        | Reason::OutsideFragment { .. }
        | Reason::Rounds { .. }
        | Reason::Sends { .. }
        | Reason::EvidenceTooLarge { .. } => 1,
        Reason::InTheWay { .. } | Reason::NoWay { .. } => 2,
        Reason::Assumes { .. } | Reason::Unchecked { .. } => 3,
    }
}

/// The evidence without the ranks that are good for one property only.
fn plain(proof: &Proof) -> Proof {
    match proof {
        Proof::Ranked(ranked) => Proof::Closed(ranked.set.clone()),
        Proof::RankedRegular(ranked) => Proof::Regular(ranked.set.clone()),
        other => other.clone(),
    }
}

/// One proof is the rule.
fn certificate_name(number: usize) -> String {
    match number {
        0 => "certificate.json".to_owned(),
        _ => format!("certificate-{}.json", number + 1),
    }
}

/// The names of everything that the engines have met.
fn names(loaded: &Loaded, referee: &Referee, runs: &[EngineRun]) -> Names {
    let mut system = loaded.model.system();
    let mut names = Names::of(loaded.model.outline());
    let answers = runs.iter().filter_map(|run| run.answers.as_ref());
    let met = answers.flat_map(|answers| &answers.queues).map(|answer| &answer.met);
    let mut met = met.filter(|met| !met.is_empty()).peekable();
    while let Some(steps) = met.next() {
        // Queues that are created one after the other are met on runs that go on from one another: the longest of
        // them tells what the others do.
        if met.peek().is_some_and(|next| next.starts_with(steps)) {
            continue;
        }
        if referee.system().go_on().is_err() {
            break;
        }
        if let Ok(run) = replay(&mut system, steps) {
            names.learn(&system, &run);
        }
    }
    names
}

pub(crate) fn limit_name(exhausted: Exhausted) -> &'static str {
    match exhausted {
        Exhausted::Time => "time",
        Exhausted::Memory => "memory",
        Exhausted::States => "states",
        Exhausted::Cancelled => "interrupted",
    }
}

/// A property id as part of a file name.
fn file_name(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    id.chars().map(plain).collect()
}

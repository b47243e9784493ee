//! Writes the answers of a report: has claims checked, compares verdicts, keeps the evidence.

use qp_base::{Code, Exhausted, Map, Set};
use qp_check::{Referee, Ruling, Run, Verdict, replay};
use qp_claim::{
    CertificateFile, Claim, Proof, Reason, Shape, Trace, TraceFile, write_certificate, write_trace,
};
use qp_engines::{Figures, QueueAnswer};
use qp_machines::{Capacity, Property, QueueId};

use crate::abreast::EngineRun;
use crate::names::Names;
use crate::portfolio::{Artifact, InternalError, explored};
use crate::replaying::trail;
use crate::report::{Explored, PropertyReport, QueueReport, QueueStatus, TraceReport, VerdictWord};
use crate::situation::Closeness;
use crate::{Loaded, draw, rounds, situation, words};

/// Writes the report: has claims checked, compares verdicts, keeps the evidence.
pub(crate) struct Clerk<'a> {
    loaded: &'a Loaded,
    referee: Referee,
    /// Of everything that the engines have met.
    names: Names,
    pub(crate) artifacts: Vec<Artifact>,
    /// The proofs that were accepted, and what each proves.
    certified: Vec<(Proof, Vec<String>)>,
    /// The same as pairs: a proof may be about very many queues.
    certifies: Set<(usize, String)>,
    /// The proofs that were accepted, by what they prove.
    checked: Map<Property, Vec<(Proof, Verdict)>>,
    pub(crate) hit: Vec<&'static str>,
    pub(crate) errors: Vec<InternalError>,
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
        }
        self.names = names(self.loaded, &self.referee, runs);
        self.errors.splice(0..0, errors);
    }

    pub(crate) fn property(&mut self, property: Property, runs: &[EngineRun]) -> PropertyReport {
        let outline = self.loaded.model.outline();
        let mut report = PropertyReport {
            id: property.id(outline),
            verdict: VerdictWord::None,
            engine: None,
            code: None,
            message: "the model gives it nothing to check".to_owned(),
            location: None,
            explored: None,
            certificate: None,
            trace: None,
            reason: None,
            fair: property.is_about_infinite_runs().then_some(outline.fair),
            in_the_way: None,
            time_s: 0.0,
        };
        if property.is_void(outline) {
            return report;
        }
        let answers = runs.iter().flat_map(|run| {
            let claims = run.answers.iter().flat_map(|answers| &answers.claims);
            let mine = claims.filter(|answer| answer.property == property);
            mine.map(move |answer| (run, &answer.claim, answer.figures))
        });
        let best = self.best(property, answers.collect());
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
                report.verdict = VerdictWord::Proved;
                let fair = report.fair == Some(true);
                report.message = words::proved(property, proof, fair);
                if let (Property::Sync, Some(sends)) = (property, words::sends(proof)) {
                    let before = report.explored.unwrap_or_default();
                    report.explored = Some(Explored { bound: sends, ..before });
                }
                report.certificate = Some(self.certify(proof, report.id.clone()));
            }
            Ruling::Violated { trace, run, finding } => {
                let saying = words::finding(self.referee.system(), run, *finding);
                report.verdict = VerdictWord::Violated;
                report.code = Some(saying.code);
                report.location = saying.span.map(|span| words::location(self.loaded, span));
                let chart =
                    draw::chart(self.loaded, self.referee.system(), run, trace, Some(&saying));
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

    fn unknown(&mut self, report: &mut PropertyReport, property: Property, reason: &Reason) {
        let (code, text) = words::reason(self.loaded, &self.names, property, reason);
        report.location = words::obstacle(reason).map(|span| words::location(self.loaded, span));
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
            Ruling::Proved(proof) => {
                let Property::Length(_, bound) = property else { return };
                match report.status {
                    QueueStatus::Unbounded => {
                        return self.disagree(&format!("the queue {}", report.name));
                    }
                    // Nobody needs a weaker bound.
                    QueueStatus::Bounded(known) if known <= bound => return,
                    QueueStatus::Bounded(_) | QueueStatus::Unknown => {}
                }
                report.status = QueueStatus::Bounded(bound);
                report.certificate = Some(self.certify(proof, property.id(outline)));
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
                let saying = words::finding(self.referee.system(), run, *finding);
                let chart =
                    draw::chart(self.loaded, self.referee.system(), run, trace, Some(&saying));
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
        answers: Vec<(&'r EngineRun, &'r Claim, Figures)>,
    ) -> Option<(&'r EngineRun, Verdict, Figures)> {
        let mut best: Option<(&EngineRun, Verdict, Figures)> = None;
        for (run, claim, figures) in answers {
            let Some(verdict) = self.verdict(run.name, property, claim) else { continue };
            let Some((_, old, old_figures)) = &best else {
                best = Some((run, verdict, figures));
                continue;
            };
            match (old.ruling(), verdict.ruling()) {
                (Ruling::Proved(_), Ruling::Violated { .. })
                | (Ruling::Violated { .. }, Ruling::Proved(_)) => {
                    self.disagree(&property.id(self.loaded.model.outline()));
                    return None;
                }
                (Ruling::Unknown(_), Ruling::Proved(_) | Ruling::Violated { .. }) => {
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
            Reason::Budget { exhausted, .. } | Reason::Unchecked { exhausted } => {
                self.note_hit(limit_name(*exhausted));
            }
            Reason::EvidenceTooLarge { .. } => self.note_hit("evidence"),
            Reason::Sends { exhausted: Some(exhausted), .. } => {
                self.note_hit(limit_name(*exhausted));
            }
            Reason::OutsideFragment { .. }
            | Reason::Rounds { .. }
            | Reason::Sends { exhausted: None, .. }
            | Reason::Program { .. }
            | Reason::Assumes { .. }
            | Reason::InTheWay { .. }
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
        let choice = |step: &qp_machines::Step| format!("{}.{}", step.machine.raw(), step.choice);
        TraceReport { file: Some(name), choices: trace.steps.iter().map(choice).collect(), chart }
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

    /// One file holds a proof and names everything that it shows.
    fn certify(&mut self, proof: &Proof, id: String) -> String {
        let known = self.certified.iter().position(|(kept, _)| kept.is_same(proof));
        let number = known.unwrap_or_else(|| {
            self.certified.push((proof.clone(), Vec::new()));
            self.certified.len() - 1
        });
        if self.certifies.insert((number, id.clone())) {
            self.certified[number].1.push(id);
        }
        certificate_name(number)
    }

    pub(crate) fn write_certificates(&mut self) {
        let certified = std::mem::take(&mut self.certified);
        for (number, (proof, properties)) in certified.into_iter().enumerate() {
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
        Reason::InTheWay { .. } => 2,
        Reason::Assumes { .. } | Reason::Unchecked { .. } => 3,
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

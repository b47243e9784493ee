//! All engines side by side, their claims checked, their verdicts compared.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use qp_base::{Budget, Code, Exhausted};
use qp_check::{Referee, Ruling, Verdict};
use qp_claim::{
    CertificateFile, Claim, ClosedSet, Proof, Reason, Shape, Trace, TraceFile, write_certificate,
    write_trace,
};
use qp_engines::{Answers, ENGINES, Engine, Figures, Task};
use qp_machines::{Capacity, Discipline, Outline, Property, QueueId, QueueInfo};

use crate::report::{
    EngineReport, Explored, LimitsReport, ModelReport, PropertyReport, QueueReport, QueueStatus,
    Report, TraceReport, VerdictWord,
};
use crate::{Loaded, Options, draw, words};

/// Names of all engines, each with what it does in one line.
pub fn engines() -> impl Iterator<Item = (&'static str, &'static str)> {
    ENGINES.iter().map(|engine| (engine.name(), engine.summary()))
}

/// The result of a run.
pub struct Checked {
    /// What to show.
    pub report: Report,
    /// What to keep: traces and certificates. The report refers to them by name.
    pub artifacts: Vec<Artifact>,
    /// Bugs in Queueproof that came to light. The report does not rest on what was wrong.
    pub errors: Vec<InternalError>,
}

/// A file to keep.
pub struct Artifact {
    /// A relative path.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// A bug in Queueproof.
#[derive(Clone, Debug)]
pub struct InternalError {
    /// Which kind.
    pub code: Code,
    /// What happened.
    pub message: String,
}

/// Checks the selected properties of a model with the selected engines.
///
/// Unknown names in the options select nothing; callers that take names from users ask
/// [`Options::selected`] first.
pub fn check(loaded: &Loaded, options: &Options, budget: &Budget) -> Checked {
    let properties = options.selected(loaded.model.outline()).unwrap_or_default();
    let (runs, errors) = run_engines(loaded, options, budget, &properties);
    let referee = Referee::new(&loaded.model, options.evidence_max);
    let mut clerk =
        Clerk { loaded, referee, artifacts: Vec::new(), certified: None, hit: Vec::new(), errors };
    let property_reports = properties.iter().map(|&p| clerk.property(p, &runs)).collect();
    // A mailbox that nobody reads or writes is there only because everybody has one.
    let outline = loaded.model.outline();
    let spare = |info: &QueueInfo| {
        let unused = info.readers.is_empty() && info.writers.is_empty();
        unused && outline.discipline == Discipline::Mailbox
    };
    let used = outline.queues.iter_enumerated().filter(|(_, info)| !spare(info));
    let queue_reports = used.map(|(queue, _)| clerk.queue(queue, &runs)).collect();
    clerk.write_certificate();
    for exhausted in runs.iter().filter_map(|run| run.answers.as_ref()?.spent) {
        clerk.note_hit(limit_name(exhausted));
    }
    let mut report = Report {
        model: model_report(loaded),
        limits: limits_report(options, std::mem::take(&mut clerk.hit)),
        properties: property_reports,
        queues: queue_reports,
        engines: runs.iter().map(engine_report).collect(),
        caveats: caveats(loaded.model.outline()),
        next: Vec::new(),
    };
    report.next = next(&report);
    Checked { report, artifacts: clerk.artifacts, errors: clerk.errors }
}

/// What one engine came back with.
struct EngineRun {
    name: &'static str,
    answers: Option<Answers>,
    time_s: f64,
}

/// Runs the selected engines side by side. One that panics contributes nothing but an error.
fn run_engines(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    properties: &[Property],
) -> (Vec<EngineRun>, Vec<InternalError>) {
    let wanted = |engine: &&&dyn Engine| {
        options.engines.is_empty() || options.engines.iter().any(|name| name == engine.name())
    };
    let outline = loaded.model.outline();
    let asked: Vec<Property> = properties.iter().copied().filter(|p| !p.is_void(outline)).collect();
    let limits = options.task_limits();
    let run = |engine: &dyn Engine, task: Task| {
        let start = Instant::now();
        let answers = catch_unwind(AssertUnwindSafe(|| engine.run(task, budget))).ok();
        EngineRun { name: engine.name(), answers, time_s: start.elapsed().as_secs_f64() }
    };
    let runs: Vec<EngineRun> = std::thread::scope(|scope| {
        let spawn = |engine: &&'static dyn Engine| {
            let engine: &'static dyn Engine = *engine;
            let model = loaded.model.clone();
            let task = Task { model, properties: asked.clone(), limits };
            scope.spawn(move || run(engine, task))
        };
        let threads: Vec<_> = ENGINES.iter().filter(wanted).map(spawn).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let crashed = runs.iter().filter(|run| run.answers.is_none());
    let errors = crashed.map(|run| InternalError {
        code: Code(9003),
        message: format!("the engine {} crashed; its answers do not count", run.name),
    });
    let errors = errors.collect();
    (runs, errors)
}

/// Writes the report: has claims checked, compares verdicts, keeps the evidence.
struct Clerk<'a> {
    loaded: &'a Loaded,
    referee: Referee,
    artifacts: Vec<Artifact>,
    /// The closed set that was accepted, and what it proves.
    certified: Option<(std::sync::Arc<ClosedSet>, Vec<String>)>,
    hit: Vec<&'static str>,
    errors: Vec<InternalError>,
}

const CERTIFICATE: &str = "certificate.json";

impl Clerk<'_> {
    fn property(&mut self, property: Property, runs: &[EngineRun]) -> PropertyReport {
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
        let Some((run, verdict, figures)) = best else {
            report.verdict = VerdictWord::Unknown;
            self.unknown(&mut report, property, &Reason::NotThisProperty);
            return report;
        };
        report.engine = Some(run.name.to_owned());
        report.time_s = run.time_s;
        report.explored = Some(explored(figures));
        match verdict.ruling() {
            Ruling::Proved(Proof::Closed(set)) => {
                report.verdict = VerdictWord::Proved;
                report.message = "for every queue length".to_owned();
                report.certificate = self.certify(set, report.id.clone());
            }
            Ruling::Violated { trace, run, finding } => {
                let saying = words::finding(self.referee.system(), run, *finding);
                report.verdict = VerdictWord::Violated;
                report.code = Some(saying.code);
                report.location = saying.span.map(|span| words::location(self.loaded, span));
                let chart = draw::chart(self.referee.system(), run, trace, Some(&saying));
                report.trace = Some(self.keep_trace(&report.id, trace, chart));
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
        let (code, text) = words::reason(self.loaded.model.outline(), property, reason);
        self.note_limit(reason);
        if *reason == Reason::NotThisProperty {
            (report.engine, report.explored) = (None, None);
        }
        report.code = Some(code);
        report.message = words::gist(property, reason).unwrap_or_else(|| text.clone());
        report.reason = Some(text);
    }

    fn queue(&mut self, queue: QueueId, runs: &[EngineRun]) -> QueueReport {
        let outline = self.loaded.model.outline();
        let info = &outline.queues[queue];
        let mut report = QueueReport {
            name: info.name.clone(),
            status: QueueStatus::Unknown,
            declared: match outline.kinds[info.kind].capacity {
                Capacity::Messages(n) => Some(n),
                Capacity::Rendezvous => Some(0),
                Capacity::Unbounded => None,
            },
            longest_seen: 0,
            engine: None,
            trace: None,
            certificate: None,
            reason: None,
        };
        for run in runs {
            let answers = run.answers.iter().flat_map(|answers| &answers.queues);
            for answer in answers.filter(|answer| answer.queue == queue) {
                report.longest_seen = report.longest_seen.max(answer.longest);
                let property = match answer.claim {
                    Claim::Holds(_) => Property::Length(queue, answer.longest),
                    _ => Property::Bounded,
                };
                let Some(verdict) = self.verdict(run.name, property, &answer.claim) else {
                    continue;
                };
                self.queue_verdict(&mut report, run.name, property, verdict.ruling());
            }
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
            Ruling::Proved(Proof::Closed(set)) => {
                if report.status == QueueStatus::Unbounded {
                    return self.disagree(&format!("the queue {}", report.name));
                }
                report.status = QueueStatus::Bounded(report.longest_seen);
                report.certificate = self.certify(set, property.id(outline));
            }
            Ruling::Violated { trace, run, finding } => {
                if matches!(report.status, QueueStatus::Bounded(_)) {
                    return self.disagree(&format!("the queue {}", report.name));
                }
                let saying = words::finding(self.referee.system(), run, *finding);
                let chart = draw::chart(self.referee.system(), run, trace, Some(&saying));
                report.status = QueueStatus::Unbounded;
                report.trace =
                    Some(self.keep_trace(&format!("grows:{}", report.name), trace, chart));
            }
            Ruling::Unknown(reason) => {
                if report.status == QueueStatus::Unknown {
                    report.reason = Some(words::reason(outline, property, reason).1);
                    self.note_limit(reason);
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
            let Some((_, old, _)) = &best else {
                best = Some((run, verdict, figures));
                continue;
            };
            match (old.ruling(), verdict.ruling()) {
                (Ruling::Proved(_), Ruling::Violated { .. })
                | (Ruling::Violated { .. }, Ruling::Proved(_)) => {
                    self.disagree(&property.id(self.loaded.model.outline()));
                    return None;
                }
                (Ruling::Unknown(Reason::NotThisProperty), _)
                | (Ruling::Unknown(_), Ruling::Proved(_) | Ruling::Violated { .. }) => {
                    best = Some((run, verdict, figures));
                }
                _ => {}
            }
        }
        best
    }

    /// Has a claim checked. Evidence that does not stand up is a bug, not an answer.
    fn verdict(&mut self, engine: &str, property: Property, claim: &Claim) -> Option<Verdict> {
        match self.referee.check(property, claim) {
            Ok(verdict) => Some(verdict),
            Err(rejected) => {
                let id = property.id(self.loaded.model.outline());
                let message = format!("evidence of {engine} for {id} was refused: {rejected}");
                self.errors.push(InternalError { code: Code(9001), message });
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
            Reason::Budget { exhausted, .. } => self.note_hit(limit_name(*exhausted)),
            Reason::EvidenceTooLarge { .. } => self.note_hit("evidence"),
            Reason::OutsideFragment { .. } | Reason::NotThisProperty => {}
        }
    }

    fn note_hit(&mut self, limit: &'static str) {
        if !self.hit.contains(&limit) {
            self.hit.push(limit);
        }
    }

    fn keep_trace(&mut self, id: &str, trace: &Trace, chart: crate::Chart) -> TraceReport {
        let name = self.free_name(&format!("traces/{}", file_name(id)));
        let property = match trace.shape {
            Shape::Pump { .. } => "bounded".to_owned(),
            Shape::Finite | Shape::Lasso { .. } => id.to_owned(),
        };
        let file = TraceFile {
            model: self.loaded.source.name.clone(),
            hash: self.loaded.hash.clone(),
            property,
            trace: trace.clone(),
        };
        let text = write_trace(&file, self.loaded.model.outline());
        self.artifacts.push(Artifact { name: name.clone(), text });
        let choice = |step: &qp_machines::Step| format!("{}.{}", step.machine.raw(), step.choice);
        TraceReport { file: Some(name), choices: trace.steps.iter().map(choice).collect(), chart }
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

    /// One file holds the set and names everything it proves.
    fn certify(&mut self, set: &std::sync::Arc<ClosedSet>, id: String) -> Option<String> {
        let (kept, ids) = self.certified.get_or_insert_with(|| (set.clone(), Vec::new()));
        if !std::sync::Arc::ptr_eq(kept, set) {
            return None;
        }
        ids.push(id);
        Some(CERTIFICATE.to_owned())
    }

    fn write_certificate(&mut self) {
        if let Some((set, properties)) = self.certified.take() {
            let file = CertificateFile {
                model: self.loaded.source.name.clone(),
                hash: self.loaded.hash.clone(),
                properties,
                set: (*set).clone(),
            };
            let text = write_certificate(&file);
            self.artifacts.push(Artifact { name: CERTIFICATE.to_owned(), text });
        }
    }
}

fn limit_name(exhausted: Exhausted) -> &'static str {
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

fn explored(figures: Figures) -> Explored {
    let Figures { bound, states, transitions } = figures;
    Explored { bound, states, transitions }
}

fn model_report(loaded: &Loaded) -> ModelReport {
    let outline = loaded.model.outline();
    ModelReport {
        path: loaded.source.name.clone(),
        language: outline.language.to_owned(),
        discipline: outline.discipline.name().to_owned(),
        machines: outline.machines.len(),
        queues: outline.queues.len(),
        messages: outline.messages.len(),
    }
}

fn limits_report(options: &Options, hit: Vec<&'static str>) -> LimitsReport {
    LimitsReport {
        time_s: options.time.map(|time| time.as_secs_f64()),
        memory_bytes: options.memory_bytes,
        states: options.states_max,
        max_bound: options.bound_max,
        hit: hit.into_iter().map(str::to_owned).collect(),
    }
}

fn engine_report(run: &EngineRun) -> EngineReport {
    let claims = run.answers.iter().flat_map(|answers| &answers.claims);
    let answered = claims.filter(|answer| !matches!(answer.claim, Claim::GaveUp(_))).count();
    let outcome = match &run.answers {
        None => "crashed",
        Some(_) if answered > 0 => "answered",
        Some(_) => "gave-up",
    };
    let detail = run.answers.iter().flat_map(|answers| &answers.detail);
    let bounds = run.answers.iter().flat_map(|answers| &answers.bounds);
    EngineReport {
        name: run.name.to_owned(),
        outcome: outcome.to_owned(),
        reason: None,
        time_s: run.time_s,
        detail: detail.map(|&(name, figure)| (name.to_owned(), figure)).collect(),
        bounds: bounds.map(|&figures| explored(figures)).collect(),
    }
}

/// What the reader of a verdict should know about the model.
fn caveats(outline: &Outline) -> Vec<String> {
    let mut caveats = Vec::new();
    let limited = outline
        .queues
        .iter()
        .filter(|queue| matches!(outline.kinds[queue.kind].capacity, Capacity::Messages(_)));
    if limited.count() > 0 {
        caveats.push(
            "queues with a declared capacity are read as declared: full queues block".to_owned(),
        );
    }
    caveats
}

/// Commands worth running next.
fn next(report: &Report) -> Vec<String> {
    let mut next = Vec::new();
    let violated = report.properties.iter().filter(|p| p.verdict == VerdictWord::Violated);
    for property in violated.take(1) {
        if let Some(file) = property.trace.as_ref().and_then(|trace| trace.file.as_ref()) {
            next.push(format!("queueproof replay {file}"));
            next.push(format!("queueproof trace {file} --to svg"));
        }
        if let Some(code) = property.code {
            next.push(format!("queueproof explain {code}"));
        }
    }
    if next.is_empty() {
        let unknown = report.properties.iter().find(|p| p.verdict == VerdictWord::Unknown);
        if let Some(code) = unknown.and_then(|property| property.code) {
            next.push(format!("queueproof explain {code}"));
        }
        let certificate = report.properties.iter().find_map(|p| p.certificate.as_ref());
        if let Some(file) = certificate {
            next.push(format!("queueproof cert verify {file}"));
        }
    }
    next
}

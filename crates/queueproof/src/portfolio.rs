//! All engines side by side, and the report put together.

use qp_base::{Budget, Code, Phase, Set, Span};
use qp_check::Referee;
use qp_claim::{Claim, Proof};
use qp_engines::{Answers, ENGINES, Engine, Facts, Figures, QueueAnswer, Sets, Strategy};
use qp_machines::{Capacity, Discipline, Outline, Property, QueueId, QueueInfo, Site};

use crate::abreast::EngineRun;
use crate::clerk::{Clerk, limit_name};
use crate::report::{
    CoverageReport, EngineReport, Explored, LimitsReport, ModelReport, PropertyReport, QueueReport,
    QueueStatus, Report, UnreachedReport, VerdictWord,
};
use crate::scope::{self, Scope};
use crate::turns::{Ran, run_engines};
use crate::{Loaded, Options, invariants, why, words};

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
    /// How often the search of one bounded space was begun at most: once, unless an engine crashed.
    pub n_begun: usize,
}

/// A file to keep.
pub struct Artifact {
    /// A relative path.
    pub name: String,
    /// Its content.
    pub text: String,
}

impl Artifact {
    /// Whether it is for SPIN, and not for us, to read again.
    pub fn is_trail(&self) -> bool {
        std::path::Path::new(&self.name).extension().is_some_and(|it| it == "trail")
    }
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
    check_with(ENGINES, loaded, options, budget, &mut |_, _| {})
}

/// Checks as [`check`] does. Violations that are known while something else is still open are told at once, turn by
/// turn and in the order of the properties: `tell` gets a report that has nothing but those, with their files.
pub fn check_telling(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    tell: &mut Tell<'_>,
) -> Checked {
    check_with(ENGINES, loaded, options, budget, tell)
}

/// Is told violations early.
pub type Tell<'a> = dyn FnMut(Report, &[Artifact]) + 'a;

/// Tests bring engines of their own: ones that lie, and ones that crash. So does a search by several processes.
pub(crate) fn check_with(
    engines: &[&dyn Engine],
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    tell: &mut Tell<'_>,
) -> Checked {
    let properties = options.selected(loaded.model.outline()).unwrap_or_default();
    let reduce = options.leaves_out(&properties);
    let asked = Options { reduce, ..options.clone() };
    let mut clerk = Clerk::new(loaded, referee(loaded, options, budget));
    let facts = Facts::default();
    let ran = run_engines(engines, loaded, &asked, budget, &properties, &facts, &mut |runs| {
        budget.progress().enter(Phase::Checking);
        if clerk.note_violations(&properties, runs) {
            let mut news = bare_report(loaded, options);
            news.properties = clerk.violations();
            news.next = next(&news, options);
            tell(news, &clerk.artifacts);
        }
        clerk.check_proofs(runs);
    });
    let Ran { runs, errors } = ran;
    budget.progress().enter(Phase::Checking);
    clerk.prepare(|| referee(loaded, options, budget), &runs, errors);
    let mut property_reports: Vec<PropertyReport> =
        properties.iter().map(|&p| clerk.property(p, &runs)).collect();
    let mut scope =
        Scope { engines, loaded, options: &asked, budget, facts: &facts, clerk: &mut clerk };
    let open = scope.of_failures(&properties, &mut property_reports);
    scope.of_sends(&properties, &mut property_reports);
    clerk.note_vacuous(&properties, &mut property_reports, &runs);
    let outline = loaded.model.outline();
    let said = said_of_queues(outline, &runs);
    let used = (0..said.len()).map(QueueId::new).filter(|&queue| !is_spare(outline, queue));
    let queue_reports: Vec<QueueReport> =
        used.map(|queue| clerk.queue(queue, &said[queue.index()])).collect();
    let breaches = invariants::look(loaded, options, &facts, budget);
    let mut invariants = invariants::reports(options.stated(loaded), &runs);
    let findings =
        invariants::findings(options.stated(loaded), &breaches, &mut invariants, &mut clerk);
    if !options.count_only {
        property_reports.extend(findings);
    }
    let unreached = clerk.unreached(&runs);
    let is_open = property_reports.iter().any(|it| it.verdict == VerdictWord::Unknown);
    let coverage = (is_open && unreached.is_none()).then(|| coverage(loaded, options, &runs));
    clerk.write_certificates();
    let spent = runs.iter().filter_map(|run| run.answers.as_ref()?.spent);
    spent.for_each(|exhausted| clerk.note_hit(limit_name(exhausted)));
    let mut caveats = caveats(loaded, options, &properties);
    let left_out = left_out(&runs).filter(|_| !options.reduce);
    caveats.extend([left_out, counted_on(&runs), fair_up_to_numbers(&runs)].into_iter().flatten());
    let is_bounded = |queue: &QueueReport| matches!(queue.status, QueueStatus::Bounded(_));
    if !properties.is_empty() && !open.is_empty() && queue_reports.iter().any(is_bounded) {
        caveats.push(scope::caveat(loaded, &open));
    }
    let mut report = Report {
        model: ModelReport {
            machines_met: machines_met(&runs).max(outline.machines.len()),
            queues_met: said.len(),
            ..model_report(loaded)
        },
        limits: limits_report(options, std::mem::take(&mut clerk.hit)),
        properties: property_reports,
        queues: queue_reports,
        invariants,
        unreached: unreached.map(|sites| unreached_reports(loaded, &sites)),
        coverage: coverage.flatten(),
        why: None,
        engines: runs.iter().map(|run| engine_report(loaded, run)).collect(),
        caveats,
        not_asked: options.not_asked(outline).iter().map(|it| it.id(outline)).collect(),
        ..bare_report(loaded, options)
    };
    report.why = why::why(&report, &runs, (loaded, clerk.names()), options);
    report.next = next(&report, options);
    let n_begun = facts.n_begun();
    Checked { report, artifacts: clerk.artifacts, errors: clerk.errors, n_begun }
}

/// What engines say about each queue, those that are created included.
fn said_of_queues<'r>(
    outline: &Outline,
    runs: &'r [EngineRun],
) -> Vec<Vec<(&'r str, &'r QueueAnswer)>> {
    let mut said: Vec<Vec<(&str, &QueueAnswer)>> = vec![Vec::new(); outline.queues.len()];
    for run in runs {
        for answer in run.answers.iter().flat_map(|answers| &answers.queues) {
            let n = said.len().max(answer.queue.index() + 1);
            said.resize(n, Vec::new());
            said[answer.queue.index()].push((run.name, answer));
        }
    }
    said
}

/// A mailbox that nobody reads or writes is there only because everybody has one.
fn is_spare(outline: &Outline, queue: QueueId) -> bool {
    let unused = |info: &QueueInfo| info.readers.is_empty() && info.writers.is_empty();
    outline.discipline == Discipline::Mailbox && outline.queues.get(queue).is_some_and(unused)
}

/// A referee who has a little more time than the engines: from now on, if somebody has asked to stop.
fn referee(loaded: &Loaded, options: &Options, budget: &Budget) -> Referee {
    let referee = Referee::new(&loaded.model.heeding(&budget.with_grace()), options.evidence_max);
    referee.with_jobs(options.jobs).lenient(!options.certified)
}

/// A report in which nothing is answered.
fn bare_report(loaded: &Loaded, options: &Options) -> Report {
    Report {
        model: model_report(loaded),
        limits: limits_report(options, Vec::new()),
        properties: Vec::new(),
        queues: Vec::new(),
        together: None,
        changes: None,
        invariants: Vec::new(),
        unreached: None,
        coverage: None,
        why: None,
        engines: Vec::new(),
        caveats: Vec::new(),
        not_asked: Vec::new(),
        next: Vec::new(),
    }
}

pub(crate) fn explored(figures: Figures) -> Explored {
    let Figures { bound, states, transitions } = figures;
    Explored { bound, states, transitions }
}

/// How many machines there were at once wherever the engines have been.
fn machines_met(runs: &[EngineRun]) -> usize {
    let details = runs.iter().filter_map(|run| run.answers.as_ref()).flat_map(|it| &it.detail);
    let counted = details.filter(|(name, _)| *name == "machines").map(|(_, figure)| *figure);
    counted.max().and_then(|figure| usize::try_from(figure).ok()).unwrap_or(0)
}

fn model_report(loaded: &Loaded) -> ModelReport {
    let outline = loaded.model.outline();
    ModelReport {
        path: loaded.source.name.clone(),
        language: outline.language.to_owned(),
        facts: loaded.facts.clone(),
        options: loaded.switches.arguments(),
        discipline: outline.discipline.name().to_owned(),
        machines: outline.machines.len(),
        queues: outline.queues.len(),
        messages: outline.messages.len(),
        machines_met: outline.machines.len(),
        queues_met: outline.queues.len(),
    }
}

/// What no run comes to, in the user's words.
fn unreached_reports(loaded: &Loaded, sites: &[Site]) -> Vec<UnreachedReport> {
    let report = |site: &Site| UnreachedReport {
        machine: site.machine.clone(),
        kind: site.kind.word().to_owned(),
        name: site.name.clone(),
        location: words::location(loaded, site.span),
    };
    sites.iter().map(report).collect()
}

/// How far those came who follow real runs; none if nobody did.
fn coverage(loaded: &Loaded, options: &Options, runs: &[EngineRun]) -> Option<CoverageReport> {
    let mut unseen: Option<Vec<Site>> = None;
    for sites in runs.iter().filter_map(|run| run.answers.as_ref()?.unseen.as_ref()) {
        match &mut unseen {
            Some(unseen) => {
                let sites: Set<(Span, &str)> =
                    sites.iter().map(|site| (site.span, site.name.as_str())).collect();
                unseen.retain(|site| sites.contains(&(site.span, site.name.as_str())));
            }
            None => unseen = Some(sites.clone()),
        }
    }
    let figure = |engine: &str, wanted: &str| {
        let mine = runs.iter().filter(|run| run.name == engine);
        let detail = mine.filter_map(|run| run.answers.as_ref()).flat_map(|it| &it.detail);
        detail.filter(|(name, _)| *name == wanted).map(|(_, figure)| *figure).sum()
    };
    let all = Strategy::ALL.map(Strategy::name).to_vec();
    let strategies = options.walks.strategy.map_or(all, |it| vec![it.name()]);
    Some(CoverageReport {
        configurations: figure("explore", "states"),
        schedules: figure("roam", "runs"),
        steps: figure("roam", "steps"),
        seed: options.walks.seed,
        strategies: strategies.into_iter().map(str::to_owned).collect(),
        unexercised: unreached_reports(loaded, &unseen?),
    })
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

fn engine_report(loaded: &Loaded, run: &EngineRun) -> EngineReport {
    // Who is asked nothing else is asked about queues.
    let claims = run.answers.iter().flat_map(|answers| match &answers.claims[..] {
        [] => answers.queues.iter().map(|answer| &answer.claim).collect::<Vec<&Claim>>(),
        claims => claims.iter().map(|answer| &answer.claim).collect(),
    });
    let answered = claims.filter(|claim| !matches!(claim, Claim::GaveUp(_))).count();
    let outcome = match &run.answers {
        None => "crashed",
        Some(_) if answered > 0 => "answered",
        Some(_) => "gave-up",
    };
    let detail = run.answers.iter().flat_map(|answers| &answers.detail);
    let bounds = run.answers.iter().flat_map(|answers| &answers.bounds);
    let remarks = run.answers.iter().flat_map(|answers| &answers.remarks);
    EngineReport {
        name: run.name.to_owned(),
        outcome: outcome.to_owned(),
        reason: None,
        time_s: run.time_s,
        detail: detail.map(|&(name, figure)| (name.to_owned(), figure)).collect(),
        bounds: bounds.map(|&figures| explored(figures)).collect(),
        exact: run.answers.iter().flat_map(|answers| &answers.exact).cloned().collect(),
        blurred: run.answers.iter().flat_map(|answers| &answers.blurred).copied().collect(),
        remarks: remarks.map(|remark| words::remark(loaded, remark)).collect(),
    }
}

/// What the reader of a verdict should know about the model.
fn caveats(loaded: &Loaded, options: &Options, properties: &[Property]) -> Vec<String> {
    let (outline, mut caveats) = (loaded.model.outline(), loaded.caveats.clone());
    let limited = outline
        .queues
        .iter()
        .filter(|queue| matches!(outline.kinds[queue.kind].capacity, Capacity::Messages(_)));
    if limited.count() > loaded.switches.capacities.len() {
        caveats.push(
            "queues with a declared capacity are read as declared: full queues block".to_owned(),
        );
    }
    caveats.extend(options.reduce.then(|| reduction(outline, options, properties)));
    if options.sets == Sets::Symbolic && options.leaves_out(properties) {
        caveats.push("--sets symbolic changes nothing together with --reduce".to_owned());
    }
    caveats
}

/// That orders of steps were left out where there are many.
fn left_out(runs: &[EngineRun]) -> Option<String> {
    let mut detail = runs.iter().filter_map(|run| run.answers.as_ref()).flat_map(|it| &it.detail);
    let text = "orders of steps that do not matter were left out because there are many configurations (not with --no-reduce): there are \
                more than counted, and there may be shorter runs";
    detail.any(|(name, figure)| *name == "reduced" && *figure > 0).then(|| text.to_owned())
}

/// That numbers which are counted up are taken to be unbounded.
fn counted_on(runs: &[EngineRun]) -> Option<String> {
    let answered = runs.iter().filter_map(|run| run.answers.as_ref());
    let counts = |answers: &&Answers| {
        let mut claims = answers.claims.iter();
        answers.detail.contains(&("counting", 1))
            && claims.any(|answer| matches!(answer.claim, Claim::Holds(_)))
    };
    let text =
        "numbers that are counted up are taken to be unbounded: they come round after 2^64 steps";
    answered.into_iter().find(counts).map(|_| text.to_owned())
}

/// What fairness to choices means in a proof up to renaming that a spec does not stay hot.
fn fair_up_to_numbers(runs: &[EngineRun]) -> Option<String> {
    let claims = runs.iter().filter_map(|run| run.answers.as_ref()).flat_map(|it| &it.claims);
    let ranked = |claim: &Claim| matches!(claim, Claim::Holds(Proof::RankedSorted(_)));
    let text = "live: choices are fair where machines come again and again, whichever numbers they hold then";
    claims.into_iter().any(|answer| ranked(&answer.claim)).then(|| text.to_owned())
}

/// What came of the wish to leave orders of steps out.
fn reduction(outline: &Outline, options: &Options, properties: &[Property]) -> String {
    if options.leaves_out(properties) {
        return "orders of steps that do not matter were left out (--reduce): there are more configurations \
                than counted, and there may be shorter runs"
            .to_owned();
    }
    let others = properties.iter().filter(|property| !property.survives_reduction());
    let ids: Vec<String> = others.map(|property| property.id(outline)).collect();
    format!(
        "nothing was left out although --reduce asks for it: {} needs every order",
        ids.join(", ")
    )
}

/// Commands worth running next.
fn next(report: &Report, options: &Options) -> Vec<String> {
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
        // No invariant helps with infinite runs.
        let open = unknown.filter(|property| !property.id.starts_with("live:"));
        next.extend(open.and_then(|_| invariants::command(report, options)));
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use qp_claim::{ClosedSet, CompleteSearch, Proof, Reason, Trace};
    use qp_engines::{Answer, Explore, Task};

    use super::*;
    use crate::{Assurance, load};

    /// Answers every question with the same claim.
    struct Liar(fn() -> Claim);

    impl Engine for Liar {
        fn name(&self) -> &'static str {
            "liar"
        }
        fn summary(&self) -> &'static str {
            "says what it is told to say"
        }
        fn run(&self, task: Task, _: &Budget) -> Answers {
            let answer =
                |property| Answer { property, claim: (self.0)(), figures: Figures::default() };
            let claims = task.properties.into_iter().map(answer).collect();
            Answers { claims, ..Answers::default() }
        }
    }

    /// Never comes back with an answer.
    struct Crasher;

    impl Engine for Crasher {
        fn name(&self) -> &'static str {
            "crasher"
        }
        fn summary(&self) -> &'static str {
            "panics"
        }
        fn run(&self, _: Task, _: &Budget) -> Answers {
            panic!("this engine crashes on purpose")
        }
    }

    /// `deadlock` is violated in the first model and holds in the second.
    const DEADLOCK: &str = "machine A { init S: recv m -> T  T: }  machine B { init S: }";
    const FINE: &str =
        "machine A { init S: recv m -> T  T: }  machine B { init S: send A m -> T  T: }";

    fn run(text: &str, engines: &[&dyn Engine]) -> (VerdictWord, Vec<u16>) {
        let loaded = load("m.cfsm", text.as_bytes()).expect("it is a model");
        let properties = vec!["deadlock".to_owned()];
        let options = Options { properties, ..Options::default() };
        let checked = check_with(engines, &loaded, &options, &options.budget(), &mut |_, _| {});
        let codes = checked.errors.iter().map(|error| error.code.0).collect();
        (checked.report.properties[0].verdict, codes)
    }

    #[test]
    fn a_false_proof_is_refused_and_proves_nothing() {
        let empty = Liar(|| Claim::Holds(Proof::Closed(Arc::new(ClosedSet::default()))));
        assert_eq!(run(DEADLOCK, &[&empty]), (VerdictWord::Unknown, vec![9001]));
        assert_eq!(run(FINE, &[&empty]), (VerdictWord::Unknown, vec![9001]));
    }

    /// Nobody can do this search again: it has no end.
    const ENDLESS: &str = "machine A { init S: send B m -> S | send C m -> S | send D m -> S }
        machine B { init S: } machine C { init S: } machine D { init S: }";

    /// A search that claims to have met more configurations than fit into any memory.
    fn immense() -> Claim {
        Claim::Holds(Proof::Search(CompleteSearch { configurations: u64::MAX / 2 }))
    }

    #[test]
    fn a_search_that_cannot_be_done_again_is_marked() {
        let loaded = load("m.cfsm", ENDLESS.as_bytes()).expect("it is a model");
        for certified in [false, true] {
            let properties = vec!["deadlock".to_owned()];
            let options = Options { properties, certified, ..Options::default() };
            let engines: [&dyn Engine; 1] = [&Liar(immense)];
            let checked =
                check_with(&engines, &loaded, &options, &options.budget(), &mut |_, _| {});
            let report = &checked.report.properties[0];
            assert!(checked.errors.is_empty());
            assert_eq!(checked.report.limits.hit, ["memory"]);
            if certified {
                assert_eq!((report.verdict, report.assurance), (VerdictWord::Unknown, None));
                assert_eq!(report.code, Some(Code(3015)));
                assert!(report.message.contains("--memory allows more"), "{}", report.message);
            } else {
                let expected = (VerdictWord::Proved, Some(Assurance::Searched));
                assert_eq!((report.verdict, report.assurance), expected);
                assert!(
                    report.message.ends_with("searched, not re-checked: the memory limit is met")
                );
                let file = checked.artifacts.iter().find(|it| it.name == "certificate.json");
                assert!(file.is_some_and(|file| file.text.contains(r#""evidence":{"search""#)));
            }
        }
    }

    /// Claims a search, and has somebody ask to stop before it is done again.
    struct Stopper(Arc<AtomicBool>);

    impl Engine for Stopper {
        fn name(&self) -> &'static str {
            "stopper"
        }
        fn summary(&self) -> &'static str {
            "asks to stop when it has an answer"
        }
        fn run(&self, task: Task, budget: &Budget) -> Answers {
            self.0.store(true, Ordering::Relaxed);
            let enough =
                || Claim::Holds(Proof::Search(CompleteSearch { configurations: 100_000_000 }));
            Liar(enough).run(task, budget)
        }
    }

    #[test]
    fn whoever_is_interrupted_while_searching_again_says_so() {
        let loaded = load("m.cfsm", ENDLESS.as_bytes()).expect("it is a model");
        let options = Options { properties: vec!["deadlock".to_owned()], ..Options::default() };
        let (budget, stop) = (options.budget(), Stopper(options.cancelled.clone()));
        let checked = check_with(&[&stop], &loaded, &options, &budget, &mut |_, _| {});
        let report = &checked.report.properties[0];
        assert_eq!(report.assurance, Some(Assurance::Searched), "{}", report.message);
        assert!(report.message.contains("searched, not re-checked"), "{}", report.message);
        assert!(checked.errors.is_empty());
        assert_eq!(budget.progress().phase(), Phase::Checking);
    }

    #[test]
    fn a_false_search_is_refused_however_large_it_claims_to_be() {
        let few = || Claim::Holds(Proof::Search(CompleteSearch { configurations: 3 }));
        assert_eq!(run(FINE, &[&Liar(few)]), (VerdictWord::Proved, Vec::new()));
        assert_eq!(run(FINE, &[&Liar(immense)]), (VerdictWord::Unknown, vec![9001]));
        assert_eq!(run(DEADLOCK, &[&Liar(immense)]), (VerdictWord::Unknown, vec![9001]));
        assert_eq!(run(ENDLESS, &[&Liar(few)]), (VerdictWord::Unknown, vec![9001]));
    }

    #[test]
    fn a_false_violation_is_refused_and_shown_to_nobody() {
        let nothing_wrong = Liar(|| Claim::Violated(Trace::finite(Vec::new())));
        assert_eq!(run(FINE, &[&nothing_wrong]), (VerdictWord::Unknown, vec![9001]));
    }

    #[test]
    fn what_others_have_shown_counts_beside_a_liar_and_a_crasher() {
        let liar = Liar(|| Claim::Violated(Trace::finite(Vec::new())));
        let all: [&dyn Engine; 3] = [&liar, &Crasher, &Explore];
        assert_eq!(run(FINE, &all), (VerdictWord::Proved, vec![9003, 9001]));
        let empty = Liar(|| Claim::Holds(Proof::Closed(Arc::new(ClosedSet::default()))));
        let all: [&dyn Engine; 3] = [&Crasher, &empty, &Explore];
        assert_eq!(run(DEADLOCK, &all), (VerdictWord::Violated, vec![9003, 9001]));
    }

    #[test]
    fn of_several_reasons_the_most_helpful_one_is_told() {
        let bound = || Claim::GaveUp(Reason::BoundReached { bound: 8, queues: Vec::new() });
        let in_the_way = || {
            let situation = Arc::new(ClosedSet::default());
            Claim::GaveUp(Reason::InTheWay { prefix: 0, counted: 0, situation })
        };
        let assumes = || {
            let invariants = vec![("A".to_owned(), "#m <= 1".to_owned())];
            Claim::GaveUp(Reason::Assumes { invariants })
        };
        let (bound, in_the_way, assumes) = (Liar(bound), Liar(in_the_way), Liar(assumes));
        let told = |engines: &[&dyn Engine]| {
            let loaded = load("m.cfsm", FINE.as_bytes()).expect("it is a model");
            let options = Options { properties: vec!["deadlock".to_owned()], ..Options::default() };
            let checked = check_with(engines, &loaded, &options, &options.budget(), &mut |_, _| {});
            checked.report.properties[0].code.map(|code| code.0)
        };
        assert_eq!(told(&[&bound, &in_the_way]), Some(3009));
        assert_eq!(told(&[&in_the_way, &bound]), Some(3009));
        assert_eq!(told(&[&in_the_way, &assumes, &bound]), Some(3008));
        assert_eq!(told(&[&bound, &Crasher]), Some(3001));
    }
}

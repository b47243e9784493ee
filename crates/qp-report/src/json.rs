//! The report as JSON: the contract with other people's scripts.
//!
//! Within `queueproof.report/1` fields are only added. Every field is written down here, so that a change of the
//! internal model cannot change the format unnoticed; the order here is the order in the output.

use std::collections::BTreeMap;

use qp_base::{Diagnostic, Severity, Source};
use queueproof::{
    Assurance, ChangesReport, CoverageReport, EngineReport, Explored, InvariantReport, Joint,
    LimitsReport, Location, ModelReport, PropertyReport, QueueReport, QueueStatus, Report,
    SituationReport, Smallest, TraceReport, UnreachedReport,
};

mod run;
mod value;

pub(crate) use value::{Json, object};

/// One report as an object of schema `queueproof.report/1`, with a final line feed.
pub fn report(report: &Report) -> String {
    pretty(&answers(report))
}

/// What became of one model.
pub enum Item {
    /// It was checked.
    Report(Box<Report>),
    /// It was refused, for these reasons.
    Refused(Source, Vec<Diagnostic>),
    /// There is no answer about the model of this path, for this reason.
    Failed(String, ErrorReport),
}

/// Why a command has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorReport {
    /// `unreadable`, `refused`, `usage` or `internal`.
    pub kind: &'static str,
    /// The exit code that such an error gives.
    pub exit: u8,
    /// One line for people.
    pub message: String,
}

/// What became of several models, as `queueproof.reports/1`; of a single one, as an object of its own.
pub fn items(items: &[Item]) -> String {
    match items {
        [one] => pretty(&item(one)),
        many => {
            pretty(&object! { schema: "queueproof.reports/1", reports: Json::list(many, item) })
        }
    }
}

fn item(item: &Item) -> Json<'_> {
    match item {
        Item::Report(report) => answers(report),
        Item::Refused(source, list) => refused(source, list),
        Item::Failed(path, error) => without_answers(path, Vec::new(), error, None),
    }
}

/// An object of schema `queueproof.error/1`: nothing could be said about any model.
pub fn error(error: &ErrorReport) -> String {
    pretty(&object! { schema: "queueproof.error/1", tool: tool(), error: why(error) })
}

pub(crate) fn pretty(value: &impl serde::Serialize) -> String {
    let mut text =
        serde_json::to_string_pretty(value).expect("no map has keys that are not strings");
    text.push('\n');
    text
}

fn why(error: &ErrorReport) -> Json<'static> {
    object! { kind: error.kind, exit: error.exit, message: error.message.clone() }
}

fn tool() -> Json<'static> {
    object! { name: "queueproof", version: env!("CARGO_PKG_VERSION") }
}

fn refused<'a>(source: &'a Source, list: &'a [Diagnostic]) -> Json<'a> {
    let diagnostic = |it: &'a Diagnostic| {
        let place = source.place(it.primary.span.start);
        object! {
            code: it.code.to_string(),
            severity: match it.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: &it.message,
            file: source.file(it.primary.span.start).name,
            line: place.line,
            column: place.column,
            help: &it.help,
        }
    };
    let first = list.iter().find(|it| it.severity == Severity::Error);
    let next = first.map(|it| format!("queueproof explain {}", it.code));
    let message = format!("{} was refused", source.name);
    let error = ErrorReport { kind: "refused", exit: 3, message };
    without_answers(&source.name, list.iter().map(diagnostic).collect(), &error, next)
}

/// A model that was refused or could not be read: a report without answers, and with what is wrong.
fn without_answers<'a>(
    path: &'a str,
    refused: Vec<Json<'a>>,
    error: &ErrorReport,
    next: Option<String>,
) -> Json<'a> {
    let nothing = || Json::List(Vec::new());
    object! {
        schema: "queueproof.report/1",
        tool: tool(),
        model: object! { path: path },
        refused: Json::List(refused),
        error: why(error),
        properties: nothing(),
        queues: nothing(),
        invariants: nothing(),
        engines: nothing(),
        caveats: nothing(),
        next: Json::List(next.into_iter().map(Json::from).collect()),
    }
}

fn answers(report: &Report) -> Json<'_> {
    object! {
        schema: "queueproof.report/1",
        tool: tool(),
        model: model(&report.model),
        limits: limits(&report.limits),
        properties: Json::list(&report.properties, property),
        queues: Json::list(&report.queues, queue),
        together: report.together.as_ref().map(together),
        changes: report.changes.as_ref().map(changes),
        invariants: Json::list(&report.invariants, invariant),
        unreached: report.unreached.as_ref().map(|it| Json::list(it, unreached)),
        why: report.why.as_ref().map(|it| object! { because: &it.because, attempts: &it.attempts }),
        coverage: report.coverage.as_ref().map(coverage),
        engines: Json::list(&report.engines, engine),
        caveats: &report.caveats,
        not_asked: &report.not_asked,
        next: &report.next,
    }
}

fn model(model: &ModelReport) -> Json<'_> {
    let facts: BTreeMap<String, &String> =
        model.facts.iter().map(|fact| (fact.name.replace(' ', "_"), &fact.value)).collect();
    let facts = facts.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
    let head = object! { path: &model.path, language: &model.language };
    head.and(Json::Object(facts)).and(object! {
        discipline: &model.discipline,
        machines: model.machines,
        queues: model.queues,
        messages: model.messages,
        machines_met: model.machines_met,
        queues_met: model.queues_met,
    })
}

fn limits(limits: &LimitsReport) -> Json<'_> {
    object! {
        time_s: limits.time_s.map(seconds),
        memory_bytes: limits.memory_bytes,
        states: limits.states,
        max_bound: limits.max_bound,
        hit: &limits.hit,
    }
}

fn property(property: &PropertyReport) -> Json<'_> {
    object! {
        id: &property.id,
        verdict: property.verdict.word(),
        assurance: property.assurance.map(Assurance::word),
        up_to_failure_of: &property.up_to_failure_of,
        engine: &property.engine,
        code: property.code.map(|code| code.to_string()),
        message: &property.message,
        location: property.location.as_ref().map(place),
        explored: property.explored.as_ref().map(explored),
        certificate: &property.certificate,
        trace: property.trace.as_ref().map(trace),
        reason: &property.reason,
        fair: property.fair,
        in_the_way: property.in_the_way.as_ref().map(situation),
        time_s: seconds(property.time_s),
    }
}

fn situation(situation: &SituationReport) -> Json<'_> {
    object! {
        fault: &situation.fault,
        prefix: situation.prefix,
        counted: situation.counted,
        machines: Json::list(&situation.machines, |it| {
            object! { name: &it.name, state: &it.state, at_fault: it.at_fault }
        }),
        queues: Json::list(&situation.queues, |it| object! { name: &it.name, content: &it.content }),
    }
}

fn invariant(it: &InvariantReport) -> Json<'_> {
    object! { about: &it.about, formula: &it.formula, stated: it.stated, standing: &it.standing }
}

fn place(it: &Location) -> Json<'_> {
    object! {
        file: &it.file,
        line: it.line,
        column: it.column,
        end_line: it.end_line,
        end_column: it.end_column,
    }
}

fn explored(it: &Explored) -> Json<'static> {
    object! { bound: it.bound, states: it.states, transitions: it.transitions }
}

fn trace(trace: &TraceReport) -> Json<'_> {
    object! {
        steps: trace.chart.rows.len(),
        cycle_from: trace.chart.cycle_from,
        file: &trace.file,
        choices: &trace.choices,
        start: run::starts(&trace.chart),
        run: run::steps(&trace.chart),
    }
}

fn queue(queue: &QueueReport) -> Json<'_> {
    let (status, bound) = match queue.status {
        QueueStatus::Bounded(bound) => ("bounded", Some(bound)),
        QueueStatus::Unbounded => ("unbounded", None),
        QueueStatus::Unknown => ("unknown", None),
    };
    object! {
        name: &queue.name,
        status: status,
        bound: bound,
        assurance: queue.assurance.map(Assurance::word),
        declared: queue.declared,
        longest_seen: queue.longest_seen,
        engine: &queue.engine,
        trace: queue.trace.as_ref().map(trace),
        certificate: &queue.certificate,
        reason: &queue.reason,
        never_blocks: queue.capacities.map(|room| smallest(room.never_waits)),
        no_deadlock: queue.capacities.map(|room| smallest(room.no_deadlock)),
    }
}

/// The smallest capacity that will do.
fn smallest(smallest: Smallest) -> Json<'static> {
    let (known, capacity) = match smallest {
        Smallest::Capacity(n) => ("smallest", Some(n)),
        Smallest::AtMost(n) => ("at-most", Some(n)),
        Smallest::NoCapacity => ("none", None),
        Smallest::DeadlocksAnyway => ("deadlocks-anyway", None),
        Smallest::Unknown => ("unknown", None),
    };
    object! { known: known, capacity: capacity }
}

/// Capacities for all queues at once.
fn together(joint: &Joint) -> Json<'_> {
    let capacities = joint.capacities.as_ref().map(|all| {
        Json::list(all, |(queue, capacity)| object! { queue: queue, capacity: *capacity })
    });
    object! { capacities: capacities }
}

/// What capacities that were given to queues change.
fn changes(changes: &ChangesReport) -> Json<'_> {
    object! {
        set: Json::list(&changes.sets, |it| {
            object! { queue: &it.queue, capacity: it.capacity, met: it.is_met, waits: it.waits }
        }),
        deadlock_before: changes.deadlock_before.word(),
        deadlock_after: changes.deadlock_after.word(),
    }
}

/// A part of the model that no run comes to.
fn unreached(it: &UnreachedReport) -> Json<'_> {
    object! {
        machine: Some(&it.machine).filter(|name| !name.is_empty()),
        kind: &it.kind,
        name: &it.name,
        location: place(&it.location),
    }
}

/// How far search and random schedules came.
fn coverage(it: &CoverageReport) -> Json<'_> {
    object! {
        configurations: it.configurations,
        schedules: it.schedules,
        steps: it.steps,
        seed: it.seed,
        strategies: &it.strategies,
        unexercised: Json::list(&it.unexercised, unreached),
    }
}

fn engine(engine: &EngineReport) -> Json<'_> {
    let bound = |(i, it): (usize, &Explored)| {
        let exact = engine.exact.iter().find(|exact| exact.bound == it.bound);
        let more = object! {
            blurred: engine.blurred.get(i).copied(),
            states_exact: exact.map(|exact| &exact.states),
            transitions_exact: exact.map(|exact| &exact.transitions),
        };
        explored(it).and(more.without_nulls())
    };
    let figures = engine.detail.iter().map(|(name, figure)| (name.into(), (*figure).into()));
    let told = object! {
        name: &engine.name,
        outcome: &engine.outcome,
        reason: &engine.reason,
        time_s: seconds(engine.time_s),
        detail: Json::Object(figures.collect()),
        bounds: Json::List(engine.bounds.iter().enumerate().map(bound).collect()),
    };
    let remarks = Some(&engine.remarks).filter(|remarks| !remarks.is_empty());
    told.and(object! { remarks: remarks }.without_nulls())
}

/// Whole microseconds: more digits would be noise in every diff.
fn seconds(time_s: f64) -> f64 {
    (time_s * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, mixed_report};
    use serde_json::Value;

    #[test]
    fn it_parses_back_with_every_field() {
        let text = report(&mixed_report());
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["schema"], "queueproof.report/1");
        assert_eq!(value["tool"]["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(value["properties"][0]["code"], "QP1001");
        assert_eq!(value["properties"][0]["trace"]["steps"], 4);
        assert_eq!(value["properties"][0]["location"]["line"], 12);
        assert_eq!(value["properties"][1]["code"], Value::Null);
        assert_eq!(value["properties"][2]["verdict"], "none");
        assert_eq!(value["queues"][0]["bound"], 1);
        assert_eq!(value["queues"][1]["status"], "unbounded");
        assert_eq!(value["queues"][1]["bound"], Value::Null);
    }

    #[test]
    fn whole_numbers_are_exact_and_keys_keep_their_order() {
        let text = report(&mixed_report());
        assert!(text.contains("\"memory_bytes\": 9007199254740993"));
        assert!(text.contains("\"states\": 18446744073709551615"));
        assert!(text.find("\"zeta\"").unwrap() < text.find("\"alpha\"").unwrap());
        let keys = ["schema", "tool", "model", "limits", "properties", "queues", "engines", "next"];
        let places = keys.map(|key| text.find(&format!("\n  \"{key}\"")).unwrap());
        assert!(places.is_sorted());
    }

    #[test]
    fn proofs_for_every_length_are_told_completely() {
        let text = report(&samples::lists_report());
        let value: Value = serde_json::from_str(&text).unwrap();
        let way = &value["properties"][1]["in_the_way"];
        assert_eq!(way["prefix"], 0);
        assert_eq!(way["machines"][1]["at_fault"], true);
        assert_eq!(way["queues"][0]["content"][0], "Prime (1+)");
        assert_eq!(value["properties"][0]["in_the_way"], Value::Null);
        assert_eq!(value["invariants"][0]["formula"], "G (Done => G !Prime)");
        assert_eq!(value["invariants"][0]["standing"], "proved");
        assert_eq!(value["invariants"][0]["stated"], true);
        assert_eq!(value["engines"][1]["bounds"][0]["blurred"], 8);
        assert_eq!(value["engines"][0]["bounds"][0].get("blurred"), None);
    }

    #[test]
    fn several_models_make_one_object() {
        let text = items(&[mixed_report(), mixed_report()].map(|it| Item::Report(Box::new(it))));
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["schema"], "queueproof.reports/1");
        assert_eq!(value["reports"].as_array().unwrap().len(), 2);
        assert_eq!(items(&[Item::Report(Box::new(mixed_report()))]), report(&mixed_report()));
    }
}

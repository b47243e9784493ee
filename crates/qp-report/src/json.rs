//! The report as JSON: the contract with other people's scripts.
//!
//! Within `queueproof.report/1` fields are only added. The structures below exist so that a change
//! of the internal model cannot change the format unnoticed; the order of their fields is the order
//! in the output.

use std::collections::BTreeMap;

use qp_base::{Diagnostic, Severity, Source};
use queueproof::{
    Assurance, ChangesReport, EngineReport, Explored, Fact, InvariantReport, Joint, LimitsReport,
    Location, ModelReport, PropertyReport, QueueReport, QueueStatus, Report, SetReport,
    SituationReport, Smallest, TraceReport, UnreachedReport,
};
use serde::{Serialize, Serializer};

mod errors;
mod run;

pub use errors::{ErrorReport, error};

/// One report as an object of schema `queueproof.report/1`, with a final line feed.
pub fn report(report: &Report) -> String {
    pretty(&JsonReport::of(report))
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

/// What became of several models, as `queueproof.reports/1`; of a single one, as an object of its own.
pub fn items(items: &[Item]) -> String {
    match items {
        [one] => pretty(&Entry::of(one)),
        many => pretty(&JsonReports {
            schema: "queueproof.reports/1",
            reports: many.iter().map(Entry::of).collect(),
        }),
    }
}

pub(crate) fn pretty(value: &impl Serialize) -> String {
    let mut text =
        serde_json::to_string_pretty(value).expect("no map has keys that are not strings");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct JsonReports<'a> {
    schema: &'static str,
    reports: Vec<Entry<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'a> {
    Report(Box<JsonReport<'a>>),
    Refused(JsonRefused<'a>),
}

impl<'a> Entry<'a> {
    fn of(item: &'a Item) -> Self {
        match item {
            Item::Report(report) => Self::Report(Box::new(JsonReport::of(report))),
            Item::Refused(source, list) => Self::Refused(JsonRefused::of(source, list)),
            Item::Failed(path, error) => Self::Refused(JsonRefused::failed(path, error.clone())),
        }
    }
}

/// A model that was refused or could not be read: a report without answers, and with what is wrong.
#[derive(Serialize)]
struct JsonRefused<'a> {
    schema: &'static str,
    tool: Tool,
    model: RefusedModel<'a>,
    refused: Vec<JsonDiagnostic<'a>>,
    error: ErrorReport,
    properties: [(); 0],
    queues: [(); 0],
    invariants: [(); 0],
    engines: [(); 0],
    caveats: [(); 0],
    next: Vec<String>,
}

#[derive(Serialize)]
struct RefusedModel<'a> {
    path: &'a str,
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: String,
    severity: &'static str,
    message: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    help: Option<&'a str>,
}

impl<'a> JsonRefused<'a> {
    fn of(source: &'a Source, list: &'a [Diagnostic]) -> Self {
        let diagnostic = |it: &'a Diagnostic| {
            let place = source.place(it.primary.span.start);
            JsonDiagnostic {
                code: it.code.to_string(),
                severity: match it.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                },
                message: &it.message,
                file: source.file(it.primary.span.start).name,
                line: place.line,
                column: place.column,
                help: it.help.as_deref(),
            }
        };
        let first = list.iter().find(|it| it.severity == Severity::Error);
        let message = format!("{} was refused", source.name);
        let error = ErrorReport { kind: "refused", exit: 3, message };
        Self {
            refused: list.iter().map(diagnostic).collect(),
            next: first.map(|it| format!("queueproof explain {}", it.code)).into_iter().collect(),
            ..Self::failed(&source.name, error)
        }
    }

    fn failed(path: &'a str, error: ErrorReport) -> Self {
        Self {
            schema: "queueproof.report/1",
            tool: Tool::this(),
            model: RefusedModel { path },
            refused: Vec::new(),
            error,
            properties: [],
            queues: [],
            invariants: [],
            engines: [],
            caveats: [],
            next: Vec::new(),
        }
    }
}

#[derive(Serialize)]
struct JsonReport<'a> {
    schema: &'static str,
    tool: Tool,
    model: Model<'a>,
    limits: Limits<'a>,
    properties: Vec<Property<'a>>,
    queues: Vec<Queue<'a>>,
    together: Option<Together<'a>>,
    changes: Option<Changes<'a>>,
    invariants: Vec<Invariant<'a>>,
    unreached: Option<Vec<Unreached<'a>>>,
    engines: Vec<Engine<'a>>,
    caveats: &'a [String],
    not_asked: &'a [String],
    next: &'a [String],
}

impl<'a> JsonReport<'a> {
    fn of(report: &'a Report) -> Self {
        Self {
            schema: "queueproof.report/1",
            tool: Tool::this(),
            model: Model::of(&report.model),
            limits: Limits::of(&report.limits),
            properties: report.properties.iter().map(Property::of).collect(),
            queues: report.queues.iter().map(Queue::of).collect(),
            together: report.together.as_ref().map(Together::of),
            changes: report.changes.as_ref().map(Changes::of),
            invariants: report.invariants.iter().map(Invariant::of).collect(),
            unreached: report.unreached.as_ref().map(|it| it.iter().map(Unreached::of).collect()),
            engines: report.engines.iter().map(Engine::of).collect(),
            caveats: &report.caveats,
            not_asked: &report.not_asked,
            next: &report.next,
        }
    }
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

impl Tool {
    const fn this() -> Self {
        Self { name: "queueproof", version: env!("CARGO_PKG_VERSION") }
    }
}

#[derive(Serialize)]
struct Model<'a> {
    path: &'a str,
    language: &'a str,
    #[serde(flatten)]
    facts: BTreeMap<String, &'a str>,
    discipline: &'a str,
    machines: usize,
    queues: usize,
    messages: usize,
    machines_met: usize,
    queues_met: usize,
}

impl<'a> Model<'a> {
    fn of(model: &'a ModelReport) -> Self {
        Self {
            path: &model.path,
            language: &model.language,
            facts: model.facts.iter().map(fact).collect(),
            discipline: &model.discipline,
            machines: model.machines,
            queues: model.queues,
            messages: model.messages,
            machines_met: model.machines_met,
            queues_met: model.queues_met,
        }
    }
}

fn fact(fact: &Fact) -> (String, &str) {
    (fact.name.replace(' ', "_"), &fact.value)
}

#[derive(Serialize)]
struct Limits<'a> {
    time_s: Option<f64>,
    memory_bytes: u64,
    states: u64,
    max_bound: u32,
    hit: &'a [String],
}

impl<'a> Limits<'a> {
    fn of(limits: &'a LimitsReport) -> Self {
        Self {
            time_s: limits.time_s.map(seconds),
            memory_bytes: limits.memory_bytes,
            states: limits.states,
            max_bound: limits.max_bound,
            hit: &limits.hit,
        }
    }
}

#[derive(Serialize)]
struct Property<'a> {
    id: &'a str,
    verdict: &'static str,
    assurance: Option<&'static str>,
    up_to_failure_of: &'a [String],
    engine: Option<&'a str>,
    code: Option<String>,
    message: &'a str,
    location: Option<Place<'a>>,
    explored: Option<Search>,
    certificate: Option<&'a str>,
    trace: Option<Trace<'a>>,
    reason: Option<&'a str>,
    fair: Option<bool>,
    in_the_way: Option<Situation<'a>>,
    time_s: f64,
}

impl<'a> Property<'a> {
    fn of(property: &'a PropertyReport) -> Self {
        Self {
            id: &property.id,
            verdict: property.verdict.word(),
            assurance: property.assurance.map(Assurance::word),
            up_to_failure_of: &property.up_to_failure_of,
            engine: property.engine.as_deref(),
            code: property.code.map(|code| code.to_string()),
            message: &property.message,
            location: property.location.as_ref().map(Place::of),
            explored: property.explored.map(Search::of),
            certificate: property.certificate.as_deref(),
            trace: property.trace.as_ref().map(Trace::of),
            reason: property.reason.as_deref(),
            fair: property.fair,
            in_the_way: property.in_the_way.as_ref().map(Situation::of),
            time_s: seconds(property.time_s),
        }
    }
}

#[derive(Serialize)]
struct Situation<'a> {
    fault: &'a str,
    prefix: u32,
    counted: u32,
    machines: Vec<SituationMachine<'a>>,
    queues: Vec<SituationQueue<'a>>,
}

#[derive(Serialize)]
struct SituationMachine<'a> {
    name: &'a str,
    state: &'a str,
    at_fault: bool,
}

#[derive(Serialize)]
struct SituationQueue<'a> {
    name: &'a str,
    content: &'a [String],
}

impl<'a> Situation<'a> {
    fn of(situation: &'a SituationReport) -> Self {
        let machine = |it: &'a queueproof::SituationMachine| SituationMachine {
            name: &it.name,
            state: &it.state,
            at_fault: it.at_fault,
        };
        let queue = |it: &'a queueproof::SituationQueue| SituationQueue {
            name: &it.name,
            content: &it.content,
        };
        Self {
            fault: &situation.fault,
            prefix: situation.prefix,
            counted: situation.counted,
            machines: situation.machines.iter().map(machine).collect(),
            queues: situation.queues.iter().map(queue).collect(),
        }
    }
}

#[derive(Serialize)]
struct Invariant<'a> {
    about: &'a str,
    formula: &'a str,
    stated: bool,
    standing: &'a str,
}

impl<'a> Invariant<'a> {
    fn of(invariant: &'a InvariantReport) -> Self {
        Self {
            about: &invariant.about,
            formula: &invariant.formula,
            stated: invariant.stated,
            standing: &invariant.standing,
        }
    }
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

impl<'a> Place<'a> {
    fn of(place: &'a Location) -> Self {
        Self {
            file: &place.file,
            line: place.line,
            column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
        }
    }
}

#[derive(Serialize)]
struct Search {
    bound: u32,
    states: u64,
    transitions: u64,
}

impl Search {
    const fn of(explored: Explored) -> Self {
        Self { bound: explored.bound, states: explored.states, transitions: explored.transitions }
    }
}

#[derive(Serialize)]
struct Trace<'a> {
    steps: usize,
    cycle_from: Option<usize>,
    file: Option<&'a str>,
    choices: &'a [String],
    start: Vec<run::Start<'a>>,
    run: Vec<run::Step<'a>>,
}

impl<'a> Trace<'a> {
    fn of(trace: &'a TraceReport) -> Self {
        Self {
            steps: trace.chart.rows.len(),
            cycle_from: trace.chart.cycle_from,
            file: trace.file.as_deref(),
            choices: &trace.choices,
            start: run::starts(&trace.chart),
            run: run::steps(&trace.chart),
        }
    }
}

#[derive(Serialize)]
struct Queue<'a> {
    name: &'a str,
    status: &'static str,
    bound: Option<u32>,
    assurance: Option<&'static str>,
    declared: Option<u32>,
    longest_seen: u32,
    engine: Option<&'a str>,
    trace: Option<Trace<'a>>,
    certificate: Option<&'a str>,
    reason: Option<&'a str>,
    never_blocks: Option<Room>,
    no_deadlock: Option<Room>,
}

/// The smallest capacity that will do.
#[derive(Serialize)]
struct Room {
    known: &'static str,
    capacity: Option<u32>,
}

impl Room {
    const fn of(smallest: Smallest) -> Self {
        let (known, capacity) = match smallest {
            Smallest::Capacity(n) => ("smallest", Some(n)),
            Smallest::AtMost(n) => ("at-most", Some(n)),
            Smallest::NoCapacity => ("none", None),
            Smallest::DeadlocksAnyway => ("deadlocks-anyway", None),
            Smallest::Unknown => ("unknown", None),
        };
        Self { known, capacity }
    }
}

/// Capacities for all queues at once.
#[derive(Serialize)]
struct Together<'a> {
    capacities: Option<Vec<Given<'a>>>,
}

#[derive(Serialize)]
struct Given<'a> {
    queue: &'a str,
    capacity: u32,
}

impl<'a> Together<'a> {
    fn of(joint: &'a Joint) -> Self {
        let given = |(queue, capacity): &'a (String, u32)| Given { queue, capacity: *capacity };
        let capacities = joint.capacities.as_ref();
        Self { capacities: capacities.map(|it| it.iter().map(given).collect()) }
    }
}

/// What capacities that were given to queues change.
#[derive(Serialize)]
struct Changes<'a> {
    set: Vec<Set<'a>>,
    deadlock_before: &'static str,
    deadlock_after: &'static str,
}

#[derive(Serialize)]
struct Set<'a> {
    queue: &'a str,
    capacity: u32,
    met: bool,
    waits: Option<bool>,
}

impl<'a> Changes<'a> {
    fn of(changes: &'a ChangesReport) -> Self {
        let set = |it: &'a SetReport| Set {
            queue: &it.queue,
            capacity: it.capacity,
            met: it.is_met,
            waits: it.waits,
        };
        Self {
            set: changes.sets.iter().map(set).collect(),
            deadlock_before: changes.deadlock_before.word(),
            deadlock_after: changes.deadlock_after.word(),
        }
    }
}

impl<'a> Queue<'a> {
    fn of(queue: &'a QueueReport) -> Self {
        let (status, bound) = match queue.status {
            QueueStatus::Bounded(bound) => ("bounded", Some(bound)),
            QueueStatus::Unbounded => ("unbounded", None),
            QueueStatus::Unknown => ("unknown", None),
        };
        Self {
            name: &queue.name,
            status,
            bound,
            assurance: queue.assurance.map(Assurance::word),
            declared: queue.declared,
            longest_seen: queue.longest_seen,
            engine: queue.engine.as_deref(),
            trace: queue.trace.as_ref().map(Trace::of),
            certificate: queue.certificate.as_deref(),
            reason: queue.reason.as_deref(),
            never_blocks: queue.capacities.map(|room| Room::of(room.never_waits)),
            no_deadlock: queue.capacities.map(|room| Room::of(room.no_deadlock)),
        }
    }
}

/// A part of the model that no run comes to.
#[derive(Serialize)]
struct Unreached<'a> {
    machine: Option<&'a str>,
    kind: &'a str,
    name: &'a str,
    location: Place<'a>,
}

impl<'a> Unreached<'a> {
    fn of(it: &'a UnreachedReport) -> Self {
        Self {
            machine: Some(it.machine.as_str()).filter(|name| !name.is_empty()),
            kind: &it.kind,
            name: &it.name,
            location: Place::of(&it.location),
        }
    }
}

#[derive(Serialize)]
struct Engine<'a> {
    name: &'a str,
    outcome: &'a str,
    reason: Option<&'a str>,
    time_s: f64,
    #[serde(serialize_with = "in_order")]
    detail: &'a [(String, u64)],
    bounds: Vec<Bound>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    remarks: &'a [String],
}

/// What was explored at one bound.
#[derive(Serialize)]
struct Bound {
    #[serde(flatten)]
    search: Search,
    #[serde(skip_serializing_if = "Option::is_none")]
    blurred: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states_exact: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transitions_exact: Option<String>,
}

impl<'a> Engine<'a> {
    fn of(engine: &'a EngineReport) -> Self {
        let bound = |(i, explored): (usize, &Explored)| {
            let exact = engine.exact.iter().find(|exact| exact.bound == explored.bound);
            Bound {
                search: Search::of(*explored),
                blurred: engine.blurred.get(i).copied(),
                states_exact: exact.map(|exact| exact.states.clone()),
                transitions_exact: exact.map(|exact| exact.transitions.clone()),
            }
        };
        Self {
            name: &engine.name,
            outcome: &engine.outcome,
            reason: engine.reason.as_deref(),
            time_s: seconds(engine.time_s),
            detail: &engine.detail,
            bounds: engine.bounds.iter().enumerate().map(bound).collect(),
            remarks: &engine.remarks,
        }
    }
}

/// As an object whose keys keep the order the engine gave them.
fn in_order<S: Serializer>(detail: &[(String, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(detail.iter().map(|(name, value)| (name, value)))
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

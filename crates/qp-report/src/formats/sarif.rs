//! SARIF 2.1.0, the format of code scanning: rules with their help, results with places, runs as code flows.
//!
//! A violated property is a failed result. One that is unknown is an open one, as the standard has it for *not enough was
//! known*; scanners show these apart or not at all. What is proved is no result.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use queueproof::{Chart, Location, model_hash};

use super::findings::{Finding, Weight, findings};
use crate::explain::{self, explain};
use crate::json::{Item, Json, object, pretty};
use crate::reading;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";
/// The rule of what has no code: a file that is not there, a wrong option.
const OTHER: &str = "no-answer";

pub(super) fn written(items: &[Item]) -> String {
    let found = findings(items);
    let mut ids: Vec<&str> = found.iter().map(rule_of).collect();
    ids.sort_unstable();
    ids.dedup();
    let titles: BTreeMap<&str, &str> = explain::codes().collect();
    let rules = ids.iter().map(|&id| rule(id, titles.get(id).copied()));
    let results = found.iter().map(|it| {
        let index = ids.iter().position(|id| *id == rule_of(it)).unwrap_or_default();
        result(it, index as u64)
    });
    let went_well = !items.iter().any(|item| matches!(item, Item::Failed(..)));
    let driver = object! {
        name: "queueproof",
        semanticVersion: env!("CARGO_PKG_VERSION"),
        rules: Json::List(rules.collect()),
    };
    let run = object! {
        tool: object! { driver: driver },
        invocations: Json::List(vec![object! { executionSuccessful: went_well }]),
        columnKind: "unicodeCodePoints",
        results: Json::List(results.collect()),
    };
    let head = Json::Object(vec![("$schema".into(), SCHEMA.into())]);
    pretty(&head.and(object! { version: "2.1.0", runs: Json::List(vec![run]) }))
}

fn rule_of<'a>(it: &'a Finding<'_>) -> &'a str {
    it.code.as_deref().unwrap_or(OTHER)
}

fn rule<'a>(id: &'a str, title: Option<&'a str>) -> Json<'a> {
    let page = explain(id).unwrap_or("The command did not come to an answer.");
    object! {
        id: id,
        shortDescription: message(title.unwrap_or("no answer")),
        help: object! { text: page, markdown: page },
    }
}

fn message<'a>(text: impl Into<Json<'a>>) -> Json<'a> {
    object! { text: text.into() }
}

fn result<'a>(it: &'a Finding<'_>, rule: u64) -> Json<'a> {
    let (kind, level) = match it.weight {
        Weight::Error => ("fail", "error"),
        Weight::Warning => ("fail", "warning"),
        Weight::Open => ("open", "none"),
    };
    let mut result = object! {
        ruleId: rule_of(it),
        ruleIndex: rule,
        kind: kind,
        level: level,
        message: message(&it.message),
        locations: Json::List(vec![place(it.model, it.location.as_ref(), None)]),
        partialFingerprints: object! { queueproofResult: fingerprint(it) },
    };
    if let Some(chart) = it.run {
        let flow =
            object! { threadFlows: Json::List(vec![object! { locations: steps(it, chart) }]) };
        result = result.and(object! { codeFlows: Json::List(vec![flow]) });
    }
    result
}

/// What stays the same when lines move: which question about which model has which kind of answer.
fn fingerprint(it: &Finding<'_>) -> String {
    let question = it.property.unwrap_or(&it.message);
    model_hash(&format!("{}\n{}\n{question}\n{}", it.model, it.options.join(" "), rule_of(it)))
}

fn steps<'a>(it: &'a Finding<'_>, chart: &'a Chart) -> Json<'a> {
    let step = |row: usize| {
        let at = &chart.rows[row];
        let location = at.deeds.first().map(|deed| &deed.location).or(at.location.as_ref());
        let text = reading::sentence(chart, row);
        object! { location: place(it.model, location, Some(text)), executionOrder: row as u64 + 1 }
    };
    Json::List((0..chart.rows.len()).map(step).collect())
}

/// A place in a file; without one, the beginning of the model.
fn place<'a>(model: &str, at: Option<&Location>, text: Option<String>) -> Json<'a> {
    let region = match at {
        Some(at) => object! {
            startLine: at.line,
            startColumn: at.column,
            endLine: at.end_line,
            endColumn: at.end_column,
        },
        None => object! { startLine: 1_u64 },
    };
    let file = object! { uri: uri(at.map_or(model, |at| &at.file)) };
    let place = object! { physicalLocation: object! { artifactLocation: file, region: region } };
    match text {
        Some(text) => place.and(object! { message: message(text) }),
        None => place,
    }
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.strip_prefix("./").unwrap_or(path).bytes() {
        match byte {
            b'\\' => out.push('/'),
            b'/' | b'-' | b'.' | b'_' | b'~' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                out.push(byte as char);
            }
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

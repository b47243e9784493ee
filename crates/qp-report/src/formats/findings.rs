//! What somebody has to look at, whatever the format.

use std::fmt::Write as _;

use qp_base::Severity;
use queueproof::{Chart, Location, PropertyReport, Report, VerdictWord};

use crate::json::Item;
use crate::reading;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Weight {
    /// A property is violated, a model is refused, or a command did not work.
    Error,
    /// The text of a model has something odd.
    Warning,
    /// Nobody knows.
    Open,
}

/// One thing to look at.
pub(super) struct Finding<'a> {
    pub(super) weight: Weight,
    /// The path of the model, and how it was read where there is a choice.
    pub(super) model: &'a str,
    pub(super) options: &'a [String],
    /// The id of the property; none if the model was not checked.
    pub(super) property: Option<&'a str>,
    pub(super) code: Option<String>,
    pub(super) message: String,
    pub(super) location: Option<Location>,
    /// The run that shows it.
    pub(super) run: Option<&'a Chart>,
}

/// Everything that is to be looked at, in order.
pub(super) fn findings(items: &[Item]) -> Vec<Finding<'_>> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Report(report) => {
                found.extend(report.properties.iter().filter_map(|it| of_property(report, it)));
            }
            Item::Refused(source, list) => found.extend(list.iter().map(|it| {
                let (start, end) = (it.primary.span.start, it.primary.span.end);
                let (from, to) = (source.place(start), source.place(end));
                let help = it.help.as_ref().map(|help| format!("\nhelp: {help}"));
                Finding {
                    weight: match it.severity {
                        Severity::Error => Weight::Error,
                        Severity::Warning => Weight::Warning,
                    },
                    model: &source.name,
                    options: &[],
                    property: None,
                    code: Some(it.code.to_string()),
                    message: format!("{}{}", it.message, help.unwrap_or_default()),
                    location: Some(Location {
                        file: source.file(start).name.to_owned(),
                        line: from.line,
                        column: from.column,
                        end_line: to.line,
                        end_column: to.column,
                    }),
                    run: None,
                }
            })),
            Item::Failed(path, error) => found.push(Finding {
                weight: Weight::Error,
                model: path,
                options: &[],
                property: None,
                code: None,
                message: error.message.clone(),
                location: None,
                run: None,
            }),
        }
    }
    found
}

fn of_property<'a>(report: &'a Report, it: &'a PropertyReport) -> Option<Finding<'a>> {
    let weight = match it.verdict {
        VerdictWord::Violated => Weight::Error,
        VerdictWord::Unknown | VerdictWord::ProvedUpToFailure => Weight::Open,
        VerdictWord::Proved | VerdictWord::None => return None,
    };
    let said = match (it.verdict, &it.reason) {
        (VerdictWord::ProvedUpToFailure, _) => {
            format!("proved up to a failure of {}: {}", it.up_to_failure_of.join(", "), it.message)
        }
        (VerdictWord::Unknown, Some(reason)) => format!("unknown: {reason}"),
        (VerdictWord::Unknown, None) => format!("unknown: {}", it.message),
        _ => it.message.clone(),
    };
    Some(Finding {
        weight,
        model: &report.model.path,
        options: &report.model.options,
        property: Some(&it.id),
        code: it.code.map(|code| code.to_string()),
        message: format!("{}: {said}", it.id),
        location: it.location.clone(),
        run: it.trace.as_ref().map(|trace| &trace.chart),
    })
}

/// The steps of a run in words, one a line.
pub(super) fn steps(chart: &Chart) -> String {
    let line = |row: usize| format!("{:>4}  {}\n", row + 1, reading::sentence(chart, row));
    let mut text: String = (0..chart.rows.len()).map(line).collect();
    if let Some(from) = chart.cycle_from {
        let _ = writeln!(text, "      and again from step {}", from + 1);
    }
    if !chart.ending.is_empty() {
        let _ = writeln!(text, "      {}", chart.ending);
    }
    text
}

/// A model as people tell it from others: its path, and how it was read.
pub(super) fn name(path: &str, options: &[String]) -> String {
    std::iter::once(path).chain(options.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

/// How many properties have each verdict, in the words of the report: `3 proved, 1 violated`.
pub(super) fn tally(report: &Report) -> String {
    let words = [
        VerdictWord::Proved,
        VerdictWord::ProvedUpToFailure,
        VerdictWord::Violated,
        VerdictWord::Unknown,
    ];
    let count = |word| report.properties.iter().filter(|it| it.verdict == word).count();
    let words = words.into_iter().map(|word| (count(word), word.word().replace('_', " ")));
    let told = words.filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}"));
    let told: Vec<String> = told.collect();
    if told.is_empty() { "nothing to check".to_owned() } else { told.join(", ") }
}

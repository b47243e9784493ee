//! Workflow commands of GitHub Actions: a line that is printed becomes an annotation of the line in a file.

use super::findings::{Finding, Weight, findings};
use crate::json::Item;

pub(super) fn written(items: &[Item]) -> String {
    findings(items).iter().map(annotation).collect()
}

fn annotation(it: &Finding<'_>) -> String {
    let command = match it.weight {
        Weight::Error => "error",
        Weight::Warning | Weight::Open => "warning",
    };
    let mut properties = match &it.location {
        Some(at) => vec![
            ("file", at.file.clone()),
            ("line", at.line.to_string()),
            ("endLine", at.end_line.to_string()),
            ("col", at.column.to_string()),
            ("endColumn", at.end_column.to_string()),
        ],
        None => vec![("file", it.model.to_owned())],
    };
    // Columns of a place with several lines are refused.
    if it.location.as_ref().is_some_and(|at| at.line != at.end_line) {
        properties.truncate(3);
    }
    let title = it.property.map_or("queueproof".to_owned(), |id| format!("queueproof {id}"));
    properties.push(("title", it.code.iter().fold(title, |title, code| format!("{title} {code}"))));
    let properties: Vec<String> = properties
        .into_iter()
        .map(|(name, value)| format!("{name}={}", in_property(&value)))
        .collect();
    format!("::{command} {}::{}\n", properties.join(","), in_data(&it.message))
}

fn in_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn in_property(text: &str) -> String {
    in_data(text).replace(':', "%3A").replace(',', "%2C")
}

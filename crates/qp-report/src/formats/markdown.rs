//! A summary for a pull request or the page of a workflow: a table of verdicts, and each run as a drawing.

use std::fmt::Write as _;

use super::findings::{Weight, findings, name, steps, tally};
use crate::json::Item;
use crate::mermaid;
use crate::table::{self, Form};

/// Longer runs are told in words only: nobody reads such a drawing.
const DRAWN_MAX: usize = 60;

pub(super) fn written(items: &[Item]) -> String {
    let mut out = String::from("## Queueproof\n\n");
    let rows: Vec<Vec<String>> = items.iter().map(row).collect();
    out.push_str(&table::written(Form::Markdown, &["model", "answer"], &rows));
    for it in findings(items) {
        let sign = match it.weight {
            Weight::Error => "❌",
            Weight::Warning => "⚠️",
            Weight::Open => "❔",
        };
        let at = it.location.as_ref().map(|at| format!(", `{}:{}`", at.file, at.line));
        let code = it.code.as_ref().map(|code| format!(" ({code})"));
        let _ = write!(
            out,
            "\n{sign} `{}`{}{}  \n{}\n",
            name(it.model, it.options),
            at.unwrap_or_default(),
            code.unwrap_or_default(),
            text(&it.message),
        );
        let Some(run) = it.run else { continue };
        let n = run.rows.len();
        let _ = write!(out, "\n<details><summary>the run: {n} steps</summary>\n\n");
        if n <= DRAWN_MAX {
            let _ = write!(out, "```mermaid\n{}```\n\n", mermaid::mermaid(run));
        }
        let _ = write!(out, "```text\n{}```\n\n</details>\n", steps(run).replace("```", "'''"));
    }
    out
}

fn row(item: &Item) -> Vec<String> {
    let (name, answer) = match item {
        Item::Report(report) => (name(&report.model.path, &report.model.options), tally(report)),
        Item::Refused(source, _) => (source.name.clone(), "refused".to_owned()),
        Item::Failed(path, _) => (path.clone(), "not checked".to_owned()),
    };
    vec![format!("`{name}`"), answer]
}

/// A text that is not Markdown.
fn text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' => out.push_str("  \n"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

//! What queues can hold: a table for people, an object for scripts.

use queueproof::{EndingReport, ReachReport, ReachRow};

use crate::json::{Json, object, pretty};
use crate::table::table;

/// A table with one column for each machine and each queue, and a line that says what it is.
pub fn text(report: &ReachReport) -> String {
    let headers: Vec<&str> =
        report.machines.iter().chain(&report.queues).map(String::as_str).collect();
    let cells = |row: &ReachRow| -> Vec<String> {
        let absent = || "-".to_owned();
        let control = |machine: usize| row.controls.get(machine).cloned().unwrap_or_else(absent);
        let content = |queue: usize| match row.queues.get(queue) {
            Some(Some(expression)) => expression.clone(),
            Some(None) => "closed".to_owned(),
            None => absent(),
        };
        let controls = (0..report.machines.len()).map(control);
        controls.chain((0..report.queues.len()).map(content)).collect()
    };
    let rows: Vec<Vec<String>> = report.rows.iter().map(cells).collect();
    let mut text = table(&headers, &rows);
    text.push('\n');
    text.push_str(if report.exact {
        "These are exactly the contents that can be reached.\n"
    } else {
        "Nothing else can be reached; some of it may be impossible.\n"
    });
    if report.left_out > 0 {
        let rows = if report.left_out == 1 { "row" } else { "rows" };
        let left_out = report.left_out;
        text.extend([
            left_out.to_string().as_str(),
            " ",
            rows,
            " in which a machine is between two actions of a line left out (--all shows all).\n",
        ]);
    }
    text
}

/// An object of schema `queueproof.reach/1`, with a final line feed.
pub fn json(report: &ReachReport) -> String {
    pretty(&object! {
        schema: "queueproof.reach/1",
        path: &report.path,
        exact: report.exact,
        machines: &report.machines,
        queues: &report.queues,
        rows: Json::list(&report.rows, |row| {
            object! { controls: &row.controls, queues: &row.queues }
        }),
        left_out: report.left_out,
    })
}

/// Whether the search is bound to come to an end, and what is in the way.
pub fn ending_text(report: &EndingReport) -> String {
    let mut lines = vec![if report.will_end {
        format!("The search is bound to come to an end: {}.", report.because)
    } else {
        format!("Nothing guarantees that the search comes to an end: {}.", report.because)
    }];
    for (number, cycle) in report.cycles.iter().enumerate() {
        lines.push(if number == 0 { "The cycle:" } else { "The other cycle:" }.to_owned());
        lines.extend(cycle.iter().map(|step| format!("  {step}")));
    }
    lines.extend(report.step.iter().map(|step| format!("The step: {step}.")));
    if let Some(longest) = report.longest.filter(|&longest| longest > 0) {
        lines.push(format!("The longest cycle has {longest} steps (--cycles {longest})."));
    }
    lines.join("\n") + "\n"
}

/// An object of schema `queueproof.ending/1`, with a final line feed.
pub fn ending_json(report: &EndingReport) -> String {
    pretty(&object! {
        schema: "queueproof.ending/1",
        path: &report.path,
        will_end: report.will_end,
        because: &report.because,
        cycles: &report.cycles,
        step: &report.step,
        longest: report.longest,
    })
}

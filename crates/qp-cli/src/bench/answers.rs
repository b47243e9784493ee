//! The table of answers: which engine answered what, and how fast.

use queueproof::{Checked, QueueStatus, VerdictWord};

pub(super) const HEADERS: [&str; 5] = ["model", "property", "verdict", "engine", "time"];

/// One row for each property of a model that has something to check, and for each of its queues.
pub(super) fn rows(checked: &Checked) -> Vec<Vec<String>> {
    let report = &checked.report;
    let path = &report.model.path;
    let engine = |engine: &Option<String>| engine.clone().unwrap_or_default();
    let properties = report.properties.iter().filter(|it| it.verdict != VerdictWord::None);
    let properties = properties.map(|it| {
        let time = format!("{:.3}", it.time_s);
        vec![path.clone(), it.id.clone(), it.verdict.word().to_owned(), engine(&it.engine), time]
    });
    let queues = report.queues.iter().map(|queue| {
        let verdict = match queue.status {
            QueueStatus::Bounded(most) => format!("at most {most}"),
            QueueStatus::Unbounded => "grows".to_owned(),
            QueueStatus::Unknown => "unknown".to_owned(),
        };
        let name = format!("queue {}", queue.name);
        vec![path.clone(), name, verdict, engine(&queue.engine), String::new()]
    });
    properties.chain(queues).collect()
}

/// How many answers there are of each kind, and of how many models everything is answered.
pub(super) fn summary(all: &[Vec<Vec<String>>]) -> String {
    let rows = || all.iter().flatten();
    let is_open = |row: &Vec<String>| row[2] == VerdictWord::Unknown.word();
    let answered = all.iter().filter(|rows| !rows.iter().any(is_open)).count();
    let open = rows().filter(|row| is_open(row)).count();
    format!(
        "\n{} of {} models and {} of {} questions answered\n",
        answered,
        all.len(),
        rows().count() - open,
        rows().count()
    )
}

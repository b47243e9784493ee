//! The table of rounds: how many messages per round are enough, in the shape of Figure 11 of Bouajjani, Enea, Ji and
//! Qadeer (CAV 2018).

use queueproof::{Report, VerdictWord};
use serde::Serialize;

use crate::table::{self, Form};

const HEADERS: [&str; 11] = [
    "benchmark",
    "model",
    "processes",
    "verdict",
    "k",
    "k (paper)",
    "vectors",
    "books",
    "watches",
    "time",
    "time (paper)",
];

/// What a model stands for. The paper's figure is not in the text that we have: the numbers are those that its prose
/// tells, and of times it tells the unit.
struct Benchmark {
    stem: &'static str,
    name: &'static str,
    paper: Option<Paper>,
}

/// What the paper says.
#[derive(Clone, Copy)]
struct Paper {
    least_k: Option<u64>,
}

/// In the order of the table.
const BENCHMARKS: [Benchmark; 13] = [
    paper("commit_protocol", "two-phase commit", Some(1)),
    paper("two_phase_commit", "two-phase commit, with votes", None),
    paper("replicated_storage", "replicated storage", None),
    paper("elevator_sync1", "elevator", Some(1)),
    paper("elevator_sync2", "elevator, opening again", Some(2)),
    paper("german_pending", "German", None),
    paper("german_both", "German, invalidating at once", None),
    paper("osr_driver_flags", "OSR", None),
    ours("elevator_sync_no_k", "elevator, reading meanwhile"),
    ours("figure_eight", "counterexample figure_eight"),
    ours("rr_alarm", "counterexample rr_alarm"),
    ours("weakly1_not_rsc", "rounds that are no run"),
    ours("half_duplex", "half-duplex"),
];

const fn paper(stem: &'static str, name: &'static str, least_k: Option<u64>) -> Benchmark {
    Benchmark { stem, name, paper: Some(Paper { least_k }) }
}

const fn ours(stem: &'static str, name: &'static str) -> Benchmark {
    Benchmark { stem, name, paper: None }
}

/// The models that have a row, by their names without ending, in order.
pub fn stems() -> impl Iterator<Item = &'static str> {
    BENCHMARKS.iter().map(|benchmark| benchmark.stem)
}

/// One model of the table.
#[derive(Serialize)]
pub struct Row {
    benchmark: Option<&'static str>,
    model: String,
    processes: u64,
    verdict: &'static str,
    least_k: Option<u64>,
    paper_k: Option<u64>,
    in_paper: bool,
    vectors: Option<u64>,
    books: Option<u64>,
    watches: Option<u64>,
    time_s: f64,
    reason: Option<String>,
}

impl Row {
    /// The row of the model with this name and so many machines, from a report about `sync`.
    pub fn new(stem: &str, processes: u64, report: &Report) -> Self {
        let benchmark = BENCHMARKS.iter().find(|benchmark| benchmark.stem == stem);
        let paper = benchmark.and_then(|benchmark| benchmark.paper);
        let engine = report.engine("exchange");
        let figure = |name| engine.and_then(|engine| engine.figure(name));
        let sync = report.properties.iter().find(|property| property.id == "sync");
        let verdict = sync.map_or(VerdictWord::Unknown, |sync| sync.verdict);
        Self {
            benchmark: benchmark.map(|benchmark| benchmark.name),
            model: report.model.path.clone(),
            processes,
            verdict: verdict.word(),
            least_k: figure("least_k").filter(|_| verdict.is_proved()),
            paper_k: paper.and_then(|paper| paper.least_k),
            in_paper: paper.is_some(),
            vectors: figure("vectors"),
            books: figure("books"),
            watches: figure("watches"),
            time_s: engine.map_or(0.0, |engine| engine.time_s),
            reason: sync.and_then(|sync| sync.reason.clone()),
        }
    }

    fn cells(&self) -> Vec<String> {
        let number = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
        vec![
            self.benchmark.unwrap_or("-").to_owned(),
            self.model.clone(),
            self.processes.to_string(),
            self.verdict.to_owned(),
            number(self.least_k),
            number(self.paper_k),
            number(self.vectors),
            number(self.books),
            number(self.watches),
            format!("{:.3} s", self.time_s),
            if self.in_paper { "minutes" } else { "-" }.to_owned(),
        ]
    }
}

/// The table; for scripts one object of schema `queueproof.ksync/1`, with a final line feed.
pub fn written(form: Form, rows: &[Row]) -> String {
    #[derive(Serialize)]
    struct Object<'a> {
        schema: &'static str,
        rows: &'a [Row],
    }
    match form {
        Form::Json => crate::json::pretty(&Object { schema: "queueproof.ksync/1", rows }),
        _ => table::written(form, &HEADERS, &rows.iter().map(Row::cells).collect::<Vec<_>>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::mixed_report;
    use serde_json::Value;

    /// A report in which `exchange` tells its figures.
    fn told(verdict: VerdictWord) -> Report {
        let mut report = mixed_report();
        report.model.path = "elevator.cfsm".into();
        report.properties.truncate(1);
        report.properties[0].id = "sync".into();
        report.properties[0].verdict = verdict;
        report.properties[0].reason = None;
        report.engines.truncate(1);
        report.engines[0].name = "exchange".into();
        report.engines[0].time_s = 0.25;
        let figures = [("least_k", 2), ("vectors", 40), ("books", 50), ("watches", 60)];
        report.engines[0].detail = figures.map(|(name, n)| (name.to_owned(), n)).to_vec();
        report
    }

    #[test]
    fn ours_and_theirs_stand_side_by_side() {
        let rows = [
            Row::new("elevator_sync2", 3, &told(VerdictWord::Proved)),
            Row::new("other", 3, &told(VerdictWord::Violated)),
        ];
        let expected = "\
benchmark                model          processes  verdict   k  k (paper)  vectors  books  watches     time  time (paper)
-----------------------  -------------  ---------  --------  -  ---------  -------  -----  -------  -------  ------------
elevator, opening again  elevator.cfsm          3  proved    2          2       40     50       60  0.250 s  minutes
-                        elevator.cfsm          3  violated  -          -       40     50       60  0.250 s  -
";
        assert_eq!(written(Form::Text, &rows), expected);
    }

    #[test]
    fn without_the_engine_everything_is_unknown() {
        let mut report = told(VerdictWord::Unknown);
        report.engines.clear();
        let rows = [Row::new("german_pending", 3, &report)];
        let value: Value = serde_json::from_str(&written(Form::Json, &rows)).unwrap();
        assert_eq!(value["schema"], "queueproof.ksync/1");
        let row = &value["rows"][0];
        assert_eq!((&row["verdict"], &row["benchmark"]), (&"unknown".into(), &"German".into()));
        assert_eq!((&row["least_k"], &row["vectors"]), (&Value::Null, &Value::Null));
    }
}

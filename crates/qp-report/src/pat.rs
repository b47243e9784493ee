//! The table of proofs for every queue length, in the shape of Table 1 of Liu, Wahl and Lal (CAV 2019).

use queueproof::{EngineReport, Report, VerdictWord};
use serde::Serialize;

use crate::fit::{clean, columns, shorten};
use crate::table::{self, Form};

/// Lines are at most so wide.
const WIDTH: usize = 120;
/// What the other columns leave to the name of a program.
const PROGRAM_WIDTH: usize = 34;

/// One program of the table.
#[derive(Serialize)]
pub struct Row {
    program: String,
    machines: u64,
    lines: usize,
    verdict: &'static str,
    p: Option<u64>,
    c: Option<u64>,
    k_max: Option<u64>,
    time_s: f64,
    bytes: u64,
    proof: String,
    bounds: Vec<Counts>,
}

/// How many configurations there are while no queue holds more than k messages.
#[derive(Serialize)]
struct Counts {
    k: u32,
    concrete: u64,
    #[serde(rename = "abstract")]
    blurred: Option<u64>,
}

impl Row {
    /// The row of a program with this text.
    pub fn new(report: &Report, text: &str) -> Self {
        let blurring = report.engines.iter().find(|engine| !engine.blurred.is_empty());
        let counting = blurring.or_else(|| report.engines.iter().find(|it| !it.bounds.is_empty()));
        let counts = counting.iter().flat_map(|engine| {
            let explored = engine.bounds.iter().enumerate();
            explored.map(|(i, it)| Counts {
                k: it.bound,
                concrete: it.states,
                blurred: engine.blurred.get(i).copied(),
            })
        });
        let machines = report.figures("machines").max().unwrap_or(report.model.machines as u64);
        let verdict = worst(report);
        Self {
            program: report.model.path.clone(),
            machines,
            lines: lines_of_code(text),
            verdict: verdict.word(),
            p: report.figures("p").next(),
            c: report.figures("c").next(),
            k_max: report.figures("k_max").next(),
            time_s: time_s(report),
            bytes: report.figures("bytes").max().unwrap_or(0),
            proof: proof(report, verdict),
            bounds: counts.collect(),
        }
    }

    fn cells(&self) -> Vec<String> {
        let number = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
        vec![
            self.program.clone(),
            self.machines.to_string(),
            self.lines.to_string(),
            self.verdict.to_owned(),
            number(self.p),
            number(self.c),
            number(self.k_max),
            format!("{:.2} s", self.time_s),
            mebibytes(self.bytes),
            self.proof.clone(),
        ]
    }

    /// `k=1 12/8  k=2 40/17`.
    fn counts(&self) -> Vec<String> {
        let count = |it: &Counts| match it.blurred {
            Some(blurred) => format!("k={} {}/{blurred}", it.k, it.concrete),
            None => format!("k={} {}", it.k, it.concrete),
        };
        self.bounds.iter().map(count).collect()
    }
}

const HEADERS: [&str; 10] =
    ["program", "machines", "lines", "verdict", "p", "c", "k_max", "time", "memory", "proof"];
/// The last column, where a row is one line.
const COUNTS: &str = "concrete/abstract";

/// The table; for people with the numbers of configurations of each program below it.
pub fn written(form: Form, rows: &[Row], peak_bytes: Option<u64>) -> String {
    match form {
        Form::Text => text(rows),
        Form::Json => json(rows, peak_bytes),
        Form::Markdown | Form::Csv => wide(form, rows),
    }
}

/// Aligned columns, with the numbers of configurations of each program below it.
fn text(rows: &[Row]) -> String {
    let mut cells: Vec<Vec<String>> = rows.iter().map(Row::cells).collect();
    for row in &mut cells {
        row[0] = shorten(&clean(&row[0]), PROGRAM_WIDTH, '~');
    }
    let aligned = table::table(&HEADERS, &cells);
    let mut out = String::new();
    for (i, line) in aligned.lines().enumerate() {
        out.push_str(line);
        out.push('\n');
        // Two lines of heads stand in front.
        let row = i.checked_sub(2).and_then(|number| rows.get(number));
        for line in row.map(|row| lines(&row.counts())).unwrap_or_default() {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out
}

/// Indented lines that hold as many texts as fit.
fn lines(texts: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in texts {
        match lines.last_mut().filter(|line| columns(line) + 3 + columns(text) <= WIDTH) {
            Some(line) => *line = format!("{line}   {text}"),
            None => lines.push(format!("    {text}")),
        }
    }
    lines
}

/// One object of schema `queueproof.pat/1`, with a final line feed.
fn json(rows: &[Row], peak_bytes: Option<u64>) -> String {
    #[derive(Serialize)]
    struct Table<'a> {
        schema: &'static str,
        rows: &'a [Row],
        peak_bytes: Option<u64>,
    }
    crate::json::pretty(&Table { schema: "queueproof.pat/1", rows, peak_bytes })
}

/// `12.3 MiB`.
pub fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// One line for each program.
fn wide(form: Form, rows: &[Row]) -> String {
    let headers: Vec<&str> = HEADERS.into_iter().chain([COUNTS]).collect();
    let cells = |row: &Row| {
        let counts = row.counts().join("; ");
        row.cells().into_iter().chain([counts]).collect()
    };
    table::written(form, &headers, &rows.iter().map(cells).collect::<Vec<_>>())
}

/// The time of the engines that verdicts rest on, in whole milliseconds. The first of them has told the
/// others what is open.
fn time_s(report: &Report) -> f64 {
    let rests = |engine: &EngineReport| {
        report.properties.iter().any(|property| property.engine.as_ref() == Some(&engine.name))
    };
    let engines = report.engines.iter().enumerate().filter(|(i, engine)| *i == 0 || rests(engine));
    let time_s: f64 = engines.map(|(_, engine)| engine.time_s).sum();
    (time_s * 1e3).round() / 1e3
}

/// The verdict that a reader of the table has to know: of several, the worst.
fn worst(report: &Report) -> VerdictWord {
    let has = |word| report.properties.iter().any(|property| property.verdict == word);
    let order = [
        VerdictWord::Violated,
        VerdictWord::Unknown,
        VerdictWord::ProvedUpToFailure,
        VerdictWord::Proved,
    ];
    order.into_iter().find(|&word| has(word)).unwrap_or(VerdictWord::None)
}

/// Where the verdict came from.
fn proof(report: &Report, verdict: VerdictWord) -> String {
    match verdict {
        VerdictWord::Violated => "run".to_owned(),
        VerdictWord::Unknown | VerdictWord::None => "-".to_owned(),
        VerdictWord::Proved | VerdictWord::ProvedUpToFailure => {
            let engines = report.properties.iter().filter_map(|it| it.engine.as_deref());
            let by = |name: &&&str| **name != "explore";
            let Some(name) = engines.collect::<Vec<_>>().iter().find(by).copied() else {
                return "unblocked".to_owned();
            };
            match report.engine(name).and_then(|engine| engine.figure("invariants")) {
                Some(n) if n > 0 => format!("lists+invariants ({n})"),
                _ => "lists".to_owned(),
            }
        }
    }
}

/// Lines that are neither blank nor comments.
fn lines_of_code(text: &str) -> usize {
    let mut in_comment = false;
    let mut code = 0;
    for line in text.lines() {
        let (mut rest, mut has_code) = (line, false);
        while !rest.is_empty() {
            if in_comment {
                let Some((_, after)) = rest.split_once("*/") else { break };
                (rest, in_comment) = (after, false);
                continue;
            }
            let line_comment = rest.find("//").unwrap_or(rest.len());
            let block = rest.find("/*").unwrap_or(rest.len());
            let before = line_comment.min(block);
            has_code |= !rest[..before].trim().is_empty();
            if line_comment <= block {
                break;
            }
            (rest, in_comment) = (&rest[block + 2..], true);
        }
        code += usize::from(has_code);
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::lists_report;

    const SOURCE: &str =
        "// a comment\n\nmachine A { /* two */ }\n/* three\n  four */ x\n  /* */\n";

    fn rows() -> Vec<Row> {
        let mut proved = lists_report();
        proved.properties.truncate(1);
        proved.engines[1].detail.push(("bytes".into(), 3 << 20));
        let mut searched = lists_report();
        searched.engines.truncate(1);
        searched.properties.truncate(1);
        searched.properties[0].engine = Some("explore".into());
        searched.model.path = "small.p".into();
        vec![Row::new(&proved, SOURCE), Row::new(&searched, SOURCE)]
    }

    #[test]
    fn the_table_is_aligned_and_has_the_numbers_of_each_length() {
        let expected = "\
program      machines  lines  verdict  p  c  k_max    time   memory  proof
-----------  --------  -----  -------  -  -  -----  ------  -------  --------------------
cancel.cfsm         2      2  proved   0  0      2  0.50 s  3.0 MiB  lists+invariants (1)
    k=1 12/8   k=2 40/17
small.p             2      2  proved   -  -      -  0.25 s  0.0 MiB  unblocked
    k=1 9
";
        let text = text(&rows());
        assert!(text == expected, "written:\n{text}");
    }

    #[test]
    fn many_lengths_take_several_lines() {
        let mut report = lists_report();
        let engine = &mut report.engines[1];
        engine.bounds = (1..40)
            .map(|bound| queueproof::Explored { bound, states: 1_000_000, transitions: 1 })
            .collect();
        engine.blurred = vec![1000; 39];
        engine.time_s = 59.99;
        engine.detail.push(("bytes".into(), 4000 << 20));
        report.properties.truncate(1);
        report.model.path = "a/very/long/path/to/a/folder/with/a/very_long_name.p".into();
        let text = text(&[Row::new(&report, SOURCE)]);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(text.contains("k=39 1000000/1000\n"), "{text}");
    }

    #[test]
    fn the_worst_verdict_counts() {
        let row = Row::new(&lists_report(), SOURCE);
        assert_eq!((row.verdict, row.proof.as_str()), ("unknown", "-"));
    }

    #[test]
    fn scripts_get_the_same() {
        let value: serde_json::Value = serde_json::from_str(&json(&rows(), Some(7))).unwrap();
        assert_eq!(value["schema"], "queueproof.pat/1");
        assert_eq!(value["peak_bytes"], 7);
        assert_eq!(value["rows"][0]["k_max"], 2);
        assert_eq!(value["rows"][0]["bounds"][1]["abstract"], 17);
        assert_eq!(value["rows"][1]["bounds"][0]["abstract"], serde_json::Value::Null);
        let csv = written(Form::Csv, &rows(), None);
        assert!(csv.lines().nth(1).is_some_and(|line| line.ends_with(",k=1 12/8; k=2 40/17")));
    }

    #[test]
    fn comments_and_blank_lines_are_no_code() {
        assert_eq!(lines_of_code(SOURCE), 2);
        assert_eq!(lines_of_code("a // b /*\nc\n"), 2);
    }
}

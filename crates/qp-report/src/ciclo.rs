//! Tables of boundedness and livelock freedom in the shape of Tables III to VI of Leue and Wei (2013), with the
//! paper's figures beside ours.

mod paper;

use queueproof::{QueueStatus, Report, VerdictWord};
use serde_json::{Map, Value};

use crate::table::{self, Form};

/// What was found out about one model.
pub struct Row {
    /// The file without its folder and ending.
    pub stem: String,
    /// Whether its queues grow.
    pub growth: Answer,
    /// Whether there is always progress again, if the model says what that is.
    pub livelock: Option<Answer>,
}

/// What was found out about a model of some size.
pub struct Size {
    /// The file without its folder and ending.
    pub stem: String,
    /// How many there are of what the model has several of.
    pub size: u32,
    /// Processes and queues.
    pub processes: usize,
    /// Queues.
    pub queues: usize,
    /// Whether its queues grow.
    pub growth: Answer,
}

/// The answer to one question.
pub struct Answer {
    /// In words.
    pub verdict: String,
    /// Who gave it.
    pub engine: Option<String>,
    /// Seconds that counting took.
    pub time_s: f64,
    /// What counting had to do, by name.
    figures: Vec<(String, u64)>,
}

impl Answer {
    /// How long queues get: what counting says, and where that leaves something open, what a search says.
    pub fn of_queues(counted: &Report, searched: Option<&Report>) -> Self {
        let statuses = |report: &Report| {
            report
                .queues
                .iter()
                .map(|queue| (queue.status, queue.engine.clone()))
                .collect::<Vec<_>>()
        };
        let mut known = statuses(counted);
        // Queues that are created at run time are met by searching only.
        for (i, (status, engine)) in
            searched.map(statuses).unwrap_or_default().into_iter().enumerate()
        {
            match known.get_mut(i) {
                Some(it) if it.0 == QueueStatus::Unknown => *it = (status, engine),
                Some((QueueStatus::Bounded(n), by)) => {
                    if matches!(status, QueueStatus::Bounded(m) if m < *n) {
                        (known[i], _) = ((status, engine), by);
                    }
                }
                Some(_) => {}
                None => known.push((status, engine)),
            }
        }
        let growing = known.iter().find(|(status, _)| *status == QueueStatus::Unbounded);
        let is_open = known.iter().any(|(status, _)| *status == QueueStatus::Unknown);
        let longest = known.iter().map(|(status, engine)| match status {
            QueueStatus::Bounded(n) => (*n, engine),
            QueueStatus::Unbounded | QueueStatus::Unknown => (0, engine),
        });
        let (verdict, engine) = match (growing, longest.max()) {
            (Some((_, engine)), _) => ("unbounded".to_owned(), engine.clone()),
            _ if is_open => ("unknown".to_owned(), None),
            (None, Some((n, engine))) => (format!("bounded by {n}"), engine.clone()),
            (None, None) => ("no queues".to_owned(), None),
        };
        Self::new(verdict, engine, counted)
    }

    /// Whether there is always progress again: what counting says, else what a search says.
    pub fn of_livelock(counted: &Report, searched: Option<&Report>) -> Self {
        let answers = std::iter::once(counted).chain(searched);
        let mut answers = answers.flat_map(|report| &report.properties);
        let answer = answers.find(|it| {
            it.id == "livelock" && !matches!(it.verdict, VerdictWord::Unknown | VerdictWord::None)
        });
        let verdict = match answer.map(|it| it.verdict) {
            Some(VerdictWord::Proved | VerdictWord::ProvedUpToFailure) => "livelock-free",
            Some(VerdictWord::Violated) => "livelock",
            Some(VerdictWord::Unknown | VerdictWord::None) | None => "unknown",
        };
        Self::new(verdict.to_owned(), answer.and_then(|it| it.engine.clone()), counted)
    }

    fn new(verdict: String, engine: Option<String>, counted: &Report) -> Self {
        let flow = counted.engine("flow");
        let time_s = flow.map_or(0.0, |engine| engine.time_s);
        let figures = flow.map(|engine| engine.detail.clone()).unwrap_or_default();
        Self { verdict, engine, time_s, figures }
    }

    /// A figure; nothing if the engine does not tell it.
    fn figure(&self, name: &str) -> Cell {
        let figure = self.figures.iter().find(|(it, _)| it == name);
        figure.map_or(Cell::Nothing, |(_, figure)| Cell::Number(*figure))
    }

    fn engine(&self) -> Cell {
        self.engine.as_ref().map_or(Cell::Nothing, |engine| Cell::Text(engine.clone()))
    }
}

/// A cell of a table.
enum Cell {
    Text(String),
    Number(u64),
    Seconds(f64),
    Ratio(f64),
    Nothing,
}

impl Cell {
    fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(n) => n.to_string(),
            Self::Seconds(time_s) => format!("{time_s:.3} s"),
            Self::Ratio(ratio) => format!("{ratio:.2}"),
            Self::Nothing => "-".to_owned(),
        }
    }

    fn value(&self) -> Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Number(n) => (*n).into(),
            Self::Seconds(it) | Self::Ratio(it) => ((it * 1e6).round() / 1e6).into(),
            Self::Nothing => Value::Null,
        }
    }
}

/// One of the tables.
struct Table {
    number: &'static str,
    title: &'static str,
    /// With a blank between them.
    headers: &'static str,
    rows: Vec<Vec<Cell>>,
}

/// All tables, with an empty line before the next one.
pub fn written(form: Form, rows: &[Row], sizes: &[Size]) -> String {
    let text = |it: &Table| {
        let heading = match form {
            Form::Text => format!("{}\n\n", it.heading()),
            Form::Markdown => format!("### {}\n\n", it.heading()),
            Form::Csv | Form::Json => String::new(),
        };
        heading + &table::written(form, &it.headers(), &it.cells())
    };
    let all = tables(rows, sizes);
    match form {
        Form::Json => json(&all),
        _ => all.iter().map(text).collect::<Vec<_>>().join("\n"),
    }
}

/// One object of schema `queueproof.ciclo/1`, with a final line feed.
fn json(tables: &[Table]) -> String {
    let row = |headers: &[&str], cells: &Vec<Cell>| {
        let pairs =
            headers.iter().zip(cells).map(|(name, cell)| ((*name).to_owned(), cell.value()));
        Value::Object(pairs.collect())
    };
    let object = |it: &Table| {
        let rows: Vec<Value> = it.rows.iter().map(|cells| row(&it.headers(), cells)).collect();
        let pairs =
            [("table", it.number.into()), ("title", it.title.into()), ("rows", rows.into())];
        Value::Object(
            pairs.map(|(name, value): (_, Value)| (name.to_owned(), value)).into_iter().collect(),
        )
    };
    let tables: Vec<Value> = tables.iter().map(object).collect();
    let mut all = Map::new();
    all.insert("schema".to_owned(), "queueproof.ciclo/1".into());
    all.insert("tables".to_owned(), tables.into());
    crate::json::pretty(&all)
}

impl Table {
    fn heading(&self) -> String {
        format!("Table {}: {}", self.number, self.title)
    }

    fn headers(&self) -> Vec<&'static str> {
        self.headers.split(' ').collect()
    }

    fn cells(&self) -> Vec<Vec<String>> {
        self.rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect()
    }
}

fn tables(rows: &[Row], sizes: &[Size]) -> [Table; 4] {
    [boundedness(rows), refinement(rows), growth(sizes), livelock(rows)]
}

/// Who a row is of.
const HERE: &str = "here";
const PAPER: &str = "paper";

/// Who answers what about a model, and how long that took.
fn answer(stem: &str, who: &str, verdict: &str, engine: Cell, time_s: f64) -> Vec<Cell> {
    let texts = [stem, who, verdict].map(Cell::text);
    texts.into_iter().chain([engine, Cell::Seconds(time_s)]).collect()
}

fn boundedness(rows: &[Row]) -> Table {
    const HEADERS: &str =
        "model of verdict by time states transitions cycles vectors types programs";
    let mut cells = Vec::new();
    for Row { stem, growth, .. } in rows {
        let mut ours = answer(stem, HERE, &growth.verdict, growth.engine(), growth.time_s);
        let names = ["spots", "arcs", "cycles", "vectors", "kinds", "programs"];
        ours.extend(names.map(|name| growth.figure(name)));
        cells.push(ours);
        let Some(paper::Row { size, growth: Some(growth), .. }) = paper::row(stem) else {
            continue;
        };
        let mut theirs = answer(stem, PAPER, growth.verdict, Cell::Nothing, growth.time_s);
        theirs.extend(size.iter().chain(&growth.sizes).map(|&n| Cell::Number(n)));
        cells.push(theirs);
    }
    Table { number: "III", title: "do queues grow?", headers: HEADERS, rows: cells }
}

fn refinement(rows: &[Row]) -> Table {
    const HEADERS: &str = "model of counterexamples spurious analysed dependencies";
    let mut cells = Vec::new();
    for Row { stem, growth, .. } in rows {
        let mut ours = vec![Cell::text(stem), Cell::text(HERE)];
        ours.extend(HEADERS.split(' ').skip(2).map(|name| growth.figure(name)));
        cells.push(ours);
        let growth = paper::row(stem).and_then(|row| row.growth.as_ref());
        if let Some(refined) = growth.and_then(|growth| growth.refined) {
            let mut theirs = vec![Cell::text(stem), Cell::text(PAPER)];
            theirs.extend(refined.map(Cell::Number));
            cells.push(theirs);
        }
    }
    Table { number: "IV", title: "what refinement had to do", headers: HEADERS, rows: cells }
}

fn growth(sizes: &[Size]) -> Table {
    const HEADERS: &str = "model size of processes queues verdict time ratio vectors types \
                           counterexamples spurious dependencies";
    let mut cells = Vec::new();
    let mut before: Option<(&str, f64, Option<f64>)> = None;
    for it in sizes {
        let theirs = paper::size(&it.stem, it.size);
        let last = before.filter(|(stem, _, _)| *stem == it.stem);
        let ratio = |time: f64, before: Option<f64>| match before {
            Some(before) if before > 0.0 => Cell::Ratio(time / before),
            _ => Cell::Nothing,
        };
        let time_s = it.growth.time_s;
        let head =
            |who: &str, processes: u64, queues: u64, verdict: &str, time_s: f64, ratio: Cell| {
                vec![
                    Cell::text(&it.stem),
                    Cell::Number(u64::from(it.size)),
                    Cell::text(who),
                    Cell::Number(processes),
                    Cell::Number(queues),
                    Cell::text(verdict),
                    Cell::Seconds(time_s),
                    ratio,
                ]
            };
        let (processes, queues) = (it.processes as u64, it.queues as u64);
        let ours = ratio(time_s, last.map(|(_, ours, _)| ours));
        let mut row = head(HERE, processes, queues, &it.growth.verdict, time_s, ours);
        let names = ["vectors", "kinds", "counterexamples", "spurious", "dependencies"];
        row.extend(names.map(|name| it.growth.figure(name)));
        cells.push(row);
        if let Some(paper) = theirs {
            let verdict = if it.stem == "mvcc" { "unknown" } else { "bounded" };
            let theirs = ratio(paper.time_s, last.and_then(|(_, _, theirs)| theirs));
            let mut row = head(PAPER, paper.processes, paper.queues, verdict, paper.time_s, theirs);
            row.extend(paper.figures.map(Cell::Number));
            row.push(paper.dependencies.map_or(Cell::Nothing, Cell::Number));
            cells.push(row);
        }
        before = Some((&it.stem, time_s, theirs.map(|paper| paper.time_s)));
    }
    Table { number: "V", title: "how time grows with size", headers: HEADERS, rows: cells }
}

fn livelock(rows: &[Row]) -> Table {
    const HEADERS: &str = "model of verdict by time programs counterexamples spurious dependencies";
    let mut cells = Vec::new();
    for Row { stem, livelock, .. } in rows {
        if let Some(it) = livelock {
            let mut ours = answer(stem, HERE, &it.verdict, it.engine(), it.time_s);
            let names = HEADERS.split(' ').skip(5);
            ours.extend(names.map(|name| it.figure(&format!("livelock-{name}"))));
            cells.push(ours);
        }
        let theirs = paper::row(stem).and_then(|row| row.livelock.as_ref());
        if let (Some(theirs), Some(_)) = (theirs, livelock) {
            let mut row = answer(stem, PAPER, theirs.verdict, Cell::Nothing, theirs.time_s);
            row.extend(theirs.figures.map(Cell::Number));
            cells.push(row);
        }
    }
    Table { number: "VI", title: "is there always progress again?", headers: HEADERS, rows: cells }
}

#[cfg(test)]
mod tests;

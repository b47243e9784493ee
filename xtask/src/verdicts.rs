//! A table of verdicts over many models, and what changed between two of them.
//!
//! A line is `model<TAB>test<TAB>property<TAB>verdict`; models are named from the folder they were found in, so that
//! tables of two machines can be compared. Times are left out: a table is about answers.
#![allow(clippy::print_stdout, reason = "a command-line tool prints")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// What is asked of which program.
pub struct Asked {
    /// The `queueproof` that answers.
    pub binary: PathBuf,
    /// Its limit for each model, as it takes it.
    pub time: String,
    /// Models at once.
    pub jobs: usize,
    /// More arguments for `check`.
    pub more: Vec<String>,
    /// Files and folders with models.
    pub places: Vec<PathBuf>,
    /// Folders in which each innermost folder is one P program.
    pub programs: Vec<PathBuf>,
}

type Table = BTreeMap<(String, String, String), String>;

/// The endings of names of models that are files. A project stands for the P files beside and below it.
const ENDINGS: [&str; 6] = ["cfsm", "fsa", "fsm", "scm", "pml", "pproj"];

/// Asks about every model, and writes the table.
pub fn record(asked: &Asked, out: &Path) -> Result<(), String> {
    let mut models = Vec::new();
    for place in &asked.places {
        let start = models.len();
        if place.is_dir() {
            walk(place, &mut models)?;
        } else {
            models.push(place.clone());
        }
        println!("{}: {} models", place.display(), models.len() - start);
    }
    for place in &asked.programs {
        programs(place, &mut models)?;
    }
    let (next, table) = (AtomicUsize::new(0), Mutex::new(Table::new()));
    std::thread::scope(|scope| {
        for _ in 0..asked.jobs {
            scope.spawn(|| {
                while let Some(model) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let rows = ask(asked, model);
                    table.lock().expect("nobody panics").extend(rows);
                }
            });
        }
    });
    let table = table.into_inner().expect("nobody panics");
    let mut text = String::new();
    for ((model, test, property), verdict) in &table {
        let _ = writeln!(text, "{model}\t{test}\t{property}\t{verdict}");
    }
    fs::write(out, text).map_err(|error| format!("cannot write {}: {error}", out.display()))?;
    println!("{}", summary(&table));
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot = |error| format!("cannot list {}: {error}", folder.display());
    let found = fs::read_dir(folder).map_err(cannot)?;
    let mut paths: Vec<PathBuf> = found.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

fn ends_with(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|it| endings.iter().any(|&ending| it == ending))
}

fn walk(folder: &Path, models: &mut Vec<PathBuf>) -> Result<(), String> {
    let paths = entries(folder)?;
    let is_project = paths.iter().any(|it| ends_with(it, &["pproj"]));
    for path in &paths {
        if path.is_dir() {
            // What a project has below it is its own.
            if !is_project {
                walk(path, models)?;
            }
        } else if ends_with(path, &ENDINGS) || (!is_project && ends_with(path, &["p"])) {
            models.push(path.clone());
        }
    }
    Ok(())
}

fn programs(folder: &Path, models: &mut Vec<PathBuf>) -> Result<(), String> {
    let paths = entries(folder)?;
    if paths.iter().any(|it| ends_with(it, &["p"])) {
        models.push(folder.to_owned());
        return Ok(());
    }
    paths.iter().filter(|it| it.is_dir()).try_for_each(|it| programs(it, models))
}

/// The rows of one model: an answer for each property, and how the program ended.
fn ask(asked: &Asked, model: &Path) -> Vec<((String, String, String), String)> {
    let mut command = Command::new(&asked.binary);
    command.arg("check").arg(model).args(["--no-files", "--progress", "none", "--format", "json"]);
    command.args(["--time", &asked.time]).args(&asked.more);
    if model.is_dir() || ends_with(model, &["p", "pproj"]) {
        command.arg("--all-tests");
    }
    let name = name(asked, model);
    let row = |test: &str, property: &str, verdict: &str| {
        ((name.clone(), test.to_owned(), property.to_owned()), verdict.to_owned())
    };
    let output = match command.stdin(Stdio::null()).output() {
        Ok(output) => output,
        Err(error) => return vec![row("", "exit", &error.to_string())],
    };
    let exit = output.status.code().map_or("signal".to_owned(), |code| code.to_string());
    let mut rows = vec![row("", "exit", &exit)];
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let reports = said["reports"].as_array().cloned().unwrap_or_else(|| vec![said.clone()]);
    for report in &reports {
        let test = report["model"]["test"].as_str().unwrap_or_default();
        for property in report["properties"].as_array().into_iter().flatten() {
            let id = property["id"].as_str().unwrap_or_default();
            rows.push(row(test, id, property["verdict"].as_str().unwrap_or_default()));
        }
    }
    rows
}

fn name(asked: &Asked, model: &Path) -> String {
    let mut places = asked.places.iter().chain(&asked.programs);
    let place = places.find(|place| model.starts_with(place));
    let base = place.and_then(|it| it.parent()).unwrap_or(Path::new(""));
    model.strip_prefix(base).unwrap_or(model).display().to_string()
}

fn summary(table: &Table) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for ((_, _, property), verdict) in table {
        if property != "exit" {
            *counts.entry(verdict).or_default() += 1;
        }
    }
    let counts: Vec<String> =
        counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    counts.join(", ")
}

/// What became of a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Change {
    /// An answer is none any more.
    Lost,
    /// Another answer, or another way to end.
    Other,
    /// An answer where there was none.
    Won,
    /// Only the first table has the row.
    Gone,
    /// Only the second one has it.
    New,
}

fn change(property: &str, before: Option<&str>, after: Option<&str>) -> Option<Change> {
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) if before == after => return None,
        (Some(before), Some(after)) => (before, after),
        (Some(_), None) => return Some(Change::Gone),
        (None, _) => return Some(Change::New),
    };
    Some(match (property, before, after) {
        ("exit", ..) => Change::Other,
        (_, "unknown", _) => Change::Won,
        (_, _, "unknown") => Change::Lost,
        _ => Change::Other,
    })
}

fn read(path: &Path) -> Result<Table, String> {
    let cannot = |error| format!("cannot read {}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(cannot)?;
    let row = |line: &str| {
        let mut words = line.split('\t').map(str::to_owned);
        let key = (words.next()?, words.next()?, words.next()?);
        Some((key, words.next()?))
    };
    let rows = text.lines().map(|line| row(line).ok_or_else(|| format!("{line}: no such row")));
    rows.collect()
}

/// Prints what is different; an answer that was lost or is another one is an error.
pub fn compare(before: &Path, after: &Path) -> Result<(), String> {
    let (before, after) = (read(before)?, read(after)?);
    let mut counts: BTreeMap<Change, usize> = BTreeMap::new();
    let keys: std::collections::BTreeSet<_> = before.keys().chain(after.keys()).collect();
    for key in keys {
        let (old, new) = (before.get(key), after.get(key));
        let Some(change) = change(&key.2, old.map(String::as_str), new.map(String::as_str)) else {
            continue;
        };
        *counts.entry(change).or_default() += 1;
        let word = |it: Option<&String>| it.map_or("-", String::as_str).to_owned();
        let (model, test, property) = key;
        println!("{change:?}\t{model}\t{test}\t{property}\t{} -> {}", word(old), word(new));
    }
    println!("before: {}\nafter: {}\n{counts:?}", summary(&before), summary(&after));
    let bad = [Change::Lost, Change::Other].map(|it| counts.get(&it).copied().unwrap_or(0));
    if bad == [0, 0] { Ok(()) } else { Err(format!("{} lost, {} changed", bad[0], bad[1])) }
}

#[cfg(test)]
mod tests {
    use super::{Change, change};

    #[test]
    fn an_answer_may_be_won_and_not_lost() {
        assert_eq!(change("stuck", Some("unknown"), Some("proved")), Some(Change::Won));
        assert_eq!(change("stuck", Some("proved"), Some("unknown")), Some(Change::Lost));
        assert_eq!(change("stuck", Some("proved"), Some("violated")), Some(Change::Other));
        assert_eq!(change("exit", Some("2"), Some("0")), Some(Change::Other));
        assert_eq!(change("stuck", Some("proved"), Some("proved")), None);
        assert_eq!(change("stuck", None, Some("proved")), Some(Change::New));
        assert_eq!(change("stuck", Some("proved"), None), Some(Change::Gone));
    }
}

//! Two tools side by side.

use std::collections::BTreeMap;

use crate::json::{Json, object, pretty};
use crate::table;

/// What came of running two tools on one model.
pub struct Comparison {
    /// The path of the model as the user gave it.
    pub path: String,
    /// The options with which it was read.
    pub options: Vec<String>,
    /// One entry for each run.
    pub runs: Vec<ComparedRun>,
    /// Where the tools contradict each other.
    pub differences: Vec<String>,
    /// What both say alike.
    pub same: Same,
    /// What could not be compared, and why.
    pub gaps: Vec<String>,
    /// What the reader should know besides.
    pub notes: Vec<String>,
}

/// What two tools say alike.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Same {
    /// The ids of the properties about which they do.
    pub verdicts: Vec<String>,
    /// Whether they count as many states.
    pub states: bool,
}

/// One run of one tool.
pub struct ComparedRun {
    /// `queueproof` or `spin`.
    pub tool: &'static str,
    /// How it was used, in a few words.
    pub setting: &'static str,
    /// What it says about each property: the id and a word.
    pub verdicts: Vec<(String, &'static str)>,
    /// Stored states.
    pub states: Option<u64>,
    /// Transitions.
    pub transitions: Option<u64>,
    /// Seconds.
    pub time_s: Option<f64>,
    /// Bytes.
    pub memory_bytes: Option<u64>,
}

/// As an aligned table with sentences below it.
pub fn text(comparison: &Comparison) -> String {
    let mut headers = vec![String::new()];
    headers
        .extend(comparison.runs.iter().map(|run| format!("{}, {}", shown(run.tool), run.setting)));
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let mut out = format!("{}\n\n", comparison.path);
    out += &table::table(&headers, &rows(&comparison.runs));
    out.push('\n');
    let different = comparison.differences.iter().map(|it| ("different", it));
    let open = comparison.gaps.iter().map(|it| ("not compared", it));
    let alike = alike(comparison);
    let is_same = comparison.differences.is_empty() && comparison.gaps.is_empty();
    let same = is_same.then_some(("the same", &alike));
    let notes = comparison.notes.iter().map(|it| ("note", it));
    for (word, sentence) in different.chain(open).chain(same).chain(notes) {
        out.extend([word, ": ", sentence, "\n"]);
    }
    out
}

/// What is the same, in words: nothing that was not compared.
fn alike(Comparison { runs, same, .. }: &Comparison) -> String {
    let n_asked = runs.first().map_or(0, |run| run.verdicts.len());
    let verdicts = if same.verdicts.len() == n_asked {
        "every verdict".to_owned()
    } else {
        match &same.verdicts[..] {
            [] => "nothing that was compared is different".to_owned(),
            ids => format!("the verdicts about {}", ids.join(", ")),
        }
    };
    if same.states { format!("{verdicts}, and the number of states") } else { verdicts }
}

fn shown(tool: &str) -> &str {
    if tool == "spin" { "SPIN" } else { tool }
}

fn rows(runs: &[ComparedRun]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let ids = runs.first().map(|run| run.verdicts.iter().map(|(id, _)| id)).into_iter().flatten();
    for id in ids {
        let word = |run: &ComparedRun| {
            let found = run.verdicts.iter().find(|(other, _)| other == id);
            found.map_or("-", |(_, word)| *word).to_owned()
        };
        rows.push(row(id, runs, word));
    }
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    rows.push(row("stored states", runs, |run| or_dash(run.states.map(|n| n.to_string()))));
    rows.push(row("transitions", runs, |run| or_dash(run.transitions.map(|n| n.to_string()))));
    rows.push(row("time", runs, |run| or_dash(run.time_s.map(|time| format!("{time:.2} s")))));
    rows.push(row("memory", runs, |run| or_dash(run.memory_bytes.map(crate::pat::mebibytes))));
    rows
}

fn row(name: &str, runs: &[ComparedRun], cell: impl Fn(&ComparedRun) -> String) -> Vec<String> {
    std::iter::once(name.to_owned()).chain(runs.iter().map(cell)).collect()
}

/// As an object of schema `queueproof.comparison/1`.
pub fn json(comparison: &Comparison) -> String {
    let Comparison { path, options, runs, differences, same, gaps, notes } = comparison;
    pretty(&object! {
        schema: "queueproof.comparison/1",
        model: object! { path: path, options: options },
        outcome: match (differences.is_empty(), gaps.is_empty()) {
            (false, _) => "different",
            (true, false) => "incomplete",
            (true, true) => "same",
        },
        runs: Json::list(runs, json_run),
        same: object! { verdicts: &same.verdicts, states: same.states },
        differences: differences,
        gaps: gaps,
        notes: notes,
    })
}

fn json_run(run: &ComparedRun) -> Json<'_> {
    let verdicts: BTreeMap<&String, &str> =
        run.verdicts.iter().map(|(id, word)| (id, *word)).collect();
    let verdicts = verdicts.into_iter().map(|(id, word)| (id.into(), word.into()));
    object! {
        tool: run.tool,
        setting: run.setting,
        verdicts: Json::Object(verdicts.collect()),
        states: run.states,
        transitions: run.transitions,
        time_s: run.time_s,
        memory_bytes: run.memory_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Comparison {
        let run = |tool, setting, states| ComparedRun {
            tool,
            setting,
            verdicts: vec![("deadlock".to_owned(), "violated")],
            states,
            transitions: Some(20),
            time_s: Some(0.125),
            memory_bytes: Some(3 << 20),
        };
        Comparison {
            path: "dining.pml".to_owned(),
            options: Vec::new(),
            runs: vec![run("queueproof", "statements", Some(13)), run("spin", "unmerged", None)],
            differences: Vec::new(),
            same: Same { verdicts: vec!["deadlock".to_owned()], states: true },
            gaps: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn runs_are_columns() {
        let expected = "\
dining.pml

               queueproof, statements  SPIN, unmerged
-------------  ----------------------  --------------
deadlock       violated                violated
stored states  13                      -
transitions    20                      20
time           0.12 s                  0.12 s
memory         3.0 MiB                 3.0 MiB

the same: every verdict, and the number of states
";
        assert_eq!(text(&sample()), expected);
    }

    #[test]
    fn only_what_was_compared_is_the_same() {
        let mut comparison = sample();
        comparison.same.states = false;
        assert!(text(&comparison).contains("\nthe same: every verdict\n"), "{}", text(&comparison));
        comparison.runs[0].verdicts.push(("assert".to_owned(), "violated"));
        assert!(text(&comparison).contains("\nthe same: the verdicts about deadlock\n"));
    }

    #[test]
    fn the_outcome_is_one_word() {
        let outcome = |comparison: &Comparison| -> String {
            let value: serde_json::Value =
                serde_json::from_str(&json(comparison)).expect("it is JSON");
            value["outcome"].as_str().unwrap_or_default().to_owned()
        };
        let mut comparison = sample();
        assert_eq!(outcome(&comparison), "same");
        comparison.gaps.push("SPIN met the time limit".to_owned());
        assert_eq!(outcome(&comparison), "incomplete");
        comparison.differences.push("deadlock".to_owned());
        assert_eq!(outcome(&comparison), "different");
        assert!(text(&comparison).contains("different: deadlock\nnot compared: SPIN met"));
    }
}

//! Runs corpus files and compares the answers with the expected ones.

use std::path::{Path, PathBuf};
use std::time::Duration;

use qp_machines::Property;
use queueproof::{
    Checked, Loaded, Options, QueueStatus, Report, VerdictWord, Walks, check, load, replay_file,
    verify_certificate,
};

use crate::expect::{self, Answer, Expectations, Expected, QueueAnswer};

/// A model of the corpus.
pub struct Case {
    /// The path below `corpus/`.
    pub name: String,
    /// The model.
    pub loaded: Loaded,
    /// What is known about it.
    pub expected: Expectations,
}

/// All models of the corpus, in the order of their names. Problems with a file are errors.
pub fn cases() -> Vec<Result<Case, String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    paths.sort();
    paths.iter().map(|path| read(&root, path)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the corpus can be listed");
    for entry in entries {
        let path = entry.expect("the corpus can be listed").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension != "md") {
            paths.push(path);
        }
    }
}

fn read(root: &Path, path: &Path) -> Result<Case, String> {
    let name = path.strip_prefix(root).expect("it was found there").display().to_string();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let expected = expect::read(&text).map_err(|problem| format!("{name}: {problem}"))?;
    let mut loaded = load(&name, &bytes)
        .map_err(|refused| format!("{name}: refused: {:?}", refused.diagnostics))?;
    if expected.fair {
        loaded.model.count_fair_runs();
    }
    Ok(Case { name, loaded, expected })
}

impl Case {
    /// The options of a run: what models are asked, and everything that is expected. Promela models are asked
    /// more than SPIN asks, so that engines are compared in it.
    pub fn options(&self, engines: &[&str], jobs: usize) -> Options {
        let outline = self.loaded.model.outline();
        let mut options = Options {
            engines: engines.iter().map(|&name| name.to_owned()).collect(),
            properties: if outline.language == "promela" { vec!["all".to_owned()] } else { vec![] },
            // Answers must not depend on the clock; this only keeps a hang from being one.
            time: Some(Duration::from_mins(5)),
            states_max: self.expected.states.unwrap_or(300_000),
            bound_max: self.expected.bound.unwrap_or(6),
            jobs,
            // Enough to find what is not deep; there are many models.
            walks: Walks { steps_max: 2_000, ..Walks::NONE },
            ..Options::default()
        };
        let selected = options.selected(outline).expect("no property was named");
        options.properties = selected.into_iter().map(|property| property.id(outline)).collect();
        for expected in &self.expected.properties {
            if !options.properties.contains(&expected.about) {
                options.properties.push(expected.about.clone());
            }
        }
        options
    }

    /// Runs the model.
    pub fn check(&self, engines: &[&str], jobs: usize) -> Checked {
        let options = self.options(engines, jobs);
        check(&self.loaded, &options, &options.budget())
    }

    /// Everything that is wrong with the result of a run, with the engines that took part.
    pub fn problems(&self, checked: &Checked, engines: &[&str]) -> Vec<String> {
        let mut problems: Vec<String> = checked
            .errors
            .iter()
            .map(|error| format!("internal error: {}", error.message))
            .collect();
        for expected in &self.expected.properties {
            problems.extend(property_problem(expected, &checked.report, engines));
            if Property::from_id(&expected.about, self.loaded.model.outline()).is_none() {
                problems.push(format!("there is no property {}", expected.about));
            }
        }
        for expected in &self.expected.queues {
            problems.extend(queue_problem(expected, &checked.report, engines));
        }
        for property in &checked.report.properties {
            let explained = property.reason.is_some() && property.code.is_some();
            if property.verdict == VerdictWord::Unknown && !explained {
                problems.push(format!("{}: unknown without a reason and a code", property.id));
            }
        }
        problems.extend(self.artifact_problems(checked));
        problems.into_iter().map(|problem| format!("{}: {problem}", self.name)).collect()
    }

    /// What was kept must stand up when it is taken up again from its text.
    fn artifact_problems(&self, checked: &Checked) -> Vec<String> {
        let mut problems = Vec::new();
        let ours = checked.artifacts.iter().filter(|artifact| !artifact.is_trail());
        for artifact in ours {
            let problem = if artifact.name.starts_with("certificate") {
                verify_certificate(&self.loaded, &artifact.text).err()
            } else {
                replay_file(&self.loaded, &artifact.text).err()
            };
            problems.extend(problem.map(|problem| format!("{}: {problem}", artifact.name)));
        }
        let mut names: Vec<String> =
            checked.artifacts.iter().map(|artifact| artifact.name.to_lowercase()).collect();
        names.sort();
        problems.extend(
            names.windows(2).filter(|pair| pair[0] == pair[1]).map(|p| format!("{} twice", p[0])),
        );
        let named = checked.report.properties.iter().filter_map(|p| p.certificate.as_ref());
        for name in named {
            if !checked.artifacts.iter().any(|artifact| artifact.name == *name) {
                problems.push(format!("{name} is named but was not kept"));
            }
        }
        problems
    }
}

fn property_problem(
    expected: &Expected<Answer>,
    report: &Report,
    engines: &[&str],
) -> Option<String> {
    let about = &expected.about;
    let Some(found) = report.properties.iter().find(|p| p.id == *about) else {
        return Some(format!("{about}: no answer at all"));
    };
    let must = expected.must.iter().any(|name| engines.contains(&name.as_str()));
    let figures = || {
        let steps = found.trace.as_ref().map(|trace| trace.choices.len());
        (steps, found.explored.map(|explored| explored.bound))
    };
    let fine = match (expected.answer, found.verdict) {
        (Answer::Unknown, _) | (Answer::None, VerdictWord::None) => true,
        // Who has not seen everything cannot tell that there is nothing.
        (
            Answer::None,
            VerdictWord::Proved | VerdictWord::ProvedUpToFailure | VerdictWord::Unknown,
        ) => !must && !expected.must.is_empty(),
        (_, VerdictWord::Unknown) => !must,
        (Answer::ProvedUpToFailure, verdict) => verdict == VerdictWord::ProvedUpToFailure,
        // Engines that are alone may not have excluded a failure.
        (Answer::Proved { bound }, VerdictWord::Proved | VerdictWord::ProvedUpToFailure) => {
            bound.is_none() || bound == figures().1
        }
        (Answer::Violated { steps, bound }, VerdictWord::Violated) => {
            let (found_steps, found_bound) = figures();
            // Random runs are not the shortest, and rounds know no lengths of queues.
            let shortest = !matches!(found.engine.as_deref(), Some("roam" | "exchange"));
            !shortest
                || (steps.is_none() || steps == found_steps)
                    && (bound.is_none() || bound == found_bound)
        }
        (Answer::None | Answer::Proved { .. } | Answer::Violated { .. }, _) => false,
    };
    let reason = found.reason.as_deref().unwrap_or("");
    (!fine).then(|| {
        format!(
            "{about}: expected {:?}, found {} {:?} {reason}",
            expected.answer,
            found.verdict.word(),
            figures()
        )
    })
}

fn queue_problem(
    expected: &Expected<QueueAnswer>,
    report: &Report,
    engines: &[&str],
) -> Option<String> {
    let about = &expected.about;
    let Some(found) = report.queues.iter().find(|queue| queue.name == *about) else {
        return Some(format!("there is no queue {about}"));
    };
    let must = expected.must.iter().any(|name| engines.contains(&name.as_str()));
    let fine = match (expected.answer, found.status) {
        (QueueAnswer::Unknown, _) | (QueueAnswer::Unbounded, QueueStatus::Unbounded) => true,
        (_, QueueStatus::Unknown) => !must,
        (QueueAnswer::Bounded(n), QueueStatus::Bounded(m)) => {
            // Bounds from counting messages may be too large, never too small.
            let counted = found.engine.as_deref() == Some("flow");
            n == m || n < m && counted && !must
        }
        (QueueAnswer::Bounded(_) | QueueAnswer::Unbounded, _) => false,
    };
    let reason = found.reason.as_deref().unwrap_or("");
    (!fine).then(|| {
        format!("queue {about}: expected {:?}, found {:?} {reason}", expected.answer, found.status)
    })
}

/// The report as JSON with every time set to zero: all that may differ between two runs.
pub fn timeless_json(report: &Report) -> String {
    let mut report = report.clone();
    report.properties.iter_mut().for_each(|property| property.time_s = 0.0);
    report.engines.iter_mut().for_each(|engine| engine.time_s = 0.0);
    // How wide keys are when they are made wider depends on the batches, and so does the memory.
    let details = report.engines.iter_mut().flat_map(|engine| &mut engine.detail);
    details.filter(|(name, _)| name == "bytes").for_each(|(_, bytes)| *bytes = 0);
    qp_report::json::report(&report)
}

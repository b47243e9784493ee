//! Runs the `queueproof` binary as a user would.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::Figures;
use super::measure::{self, Cost};

/// The release binary.
pub(super) struct Queueproof(PathBuf);

impl Queueproof {
    /// Builds the binary as it is released; also the folder for what is measured.
    pub(super) fn build(root: &Path) -> Result<(Self, PathBuf), String> {
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
        let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
        let status = Command::new(cargo)
            .args(["build", "--quiet", "--release", "--package", "qp-cli"])
            .current_dir(root)
            .status()
            .map_err(|error| format!("cargo: {error}"))?;
        if !status.success() {
            return Err("the release build did not succeed".to_owned());
        }
        Ok((Self(target.join("release").join("queueproof")), target.join("bench")))
    }

    /// Explores the model at exactly this bound, or the whole of it.
    pub(super) fn run(
        &self,
        model: &Path,
        bound: Option<usize>,
        threads: usize,
    ) -> Result<(Cost, Figures), String> {
        let (cost, report, errors) = self.report(model, &arguments(model, bound, threads))?;
        let figures = figures(&report);
        let missing = || format!("{}: no counts in the report; see {errors}", model.display());
        figures.map(|figures| (cost, figures)).ok_or_else(missing)
    }

    /// What a run cost, what it reported, and where its errors are.
    fn report(&self, model: &Path, words: &[String]) -> Result<(Cost, String, String), String> {
        let folder = model.parent().expect("the model is a file in a folder");
        let (cost, report) = measure::run(folder, &self.0, words)?;
        Ok((cost, report, folder.join("stderr.txt").display().to_string()))
    }

    /// Explores the model at exactly this bound with sets of this kind; the number of configurations in digits.
    pub(super) fn run_sets(
        &self,
        model: &Path,
        bound: usize,
        sets: &str,
    ) -> Result<(Cost, Counted), String> {
        let (cost, report, errors) = self.report(model, &with_sets(model, Some(bound), sets))?;
        let missing = || format!("{}: no complete count; see {errors}", model.display());
        counted(&report).map(|counted| (cost, counted)).ok_or_else(missing)
    }

    /// The program and its arguments for a search with sets of this kind, at a bound or to the end.
    pub(super) fn command(
        &self,
        model: &Path,
        bound: Option<usize>,
        sets: &str,
    ) -> (&Path, Vec<String>) {
        (&self.0, with_sets(model, bound, sets))
    }

    /// The peak memory of a run of its own, which is not timed.
    pub(super) fn peak_memory_kb(
        &self,
        model: &Path,
        bound: Option<usize>,
        threads: usize,
    ) -> Option<u64> {
        measure::peak_memory_kb(&self.0, &arguments(model, bound, threads))
    }

    /// The same with sets of this kind.
    pub(super) fn peak_of_sets_kb(&self, model: &Path, bound: usize, sets: &str) -> Option<u64> {
        measure::peak_memory_kb(&self.0, &with_sets(model, Some(bound), sets))
    }
}

/// `--from` skips the smaller bounds, which SPIN does not look at either; `--count` checks nothing, as SPIN
/// does without end states.
fn arguments(model: &Path, bound: Option<usize>, threads: usize) -> Vec<String> {
    let (model, threads) = (model.display().to_string(), threads.to_string());
    let words =
        ["explore", &model, "--count", "--no-files", "--format", "json", "--jobs", &threads];
    let mut words = words.map(str::to_owned).to_vec();
    if let Some(bound) = bound {
        words.extend(
            ["--bound", &bound.to_string(), "--from", &bound.to_string()].map(str::to_owned),
        );
    }
    words
}

fn with_sets(model: &Path, bound: Option<usize>, sets: &str) -> Vec<String> {
    let mut arguments = arguments(model, bound, 1);
    arguments.extend(["--sets", sets, "--time", "60s"].map(str::to_owned));
    arguments
}

/// What a search counted at one bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Counted {
    /// Configurations, in digits.
    pub(super) states: String,
    /// Steps, in digits.
    pub(super) transitions: String,
    /// Nodes of the decision diagram, if there was one.
    pub(super) nodes: Option<u64>,
    pub(super) bytes: u64,
}

fn counted(report: &str) -> Option<Counted> {
    let report: Value = serde_json::from_str(report).ok()?;
    let engine = &report["engines"][0];
    let bound = engine["bounds"].as_array()?.last()?;
    let digits = |name: &str| match &bound[format!("{name}_exact")] {
        Value::String(digits) => Some(digits.clone()),
        _ => Some(bound[name].as_u64()?.to_string()),
    };
    Some(Counted {
        states: digits("states")?,
        transitions: digits("transitions")?,
        nodes: engine["detail"]["nodes"].as_u64(),
        bytes: engine["detail"]["bytes"].as_u64()?,
    })
}

/// The number of transitions in a report, as far as it is small.
pub(super) fn transitions(report: &str) -> Option<u64> {
    figures(report).map(|figures| figures.transitions)
}

fn figures(report: &str) -> Option<Figures> {
    let report: Value = serde_json::from_str(report).ok()?;
    let detail = &report["engines"][0]["detail"];
    Some(Figures {
        states: detail["states"].as_u64()?,
        transitions: detail["transitions"].as_u64()?,
        bytes: detail["bytes"].as_u64()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_counts_come_first() {
        let report = r#"{"engines": [{"detail": {"bytes": 9, "nodes": 4}, "bounds": [
            {"bound": 1, "states": 7, "transitions": 8},
            {"bound": 2, "states": 8, "transitions": 9, "states_exact": "80", "transitions_exact": "90"}]}]}"#;
        let (states, transitions) = ("80".to_owned(), "90".to_owned());
        assert_eq!(
            counted(report),
            Some(Counted { states, transitions, nodes: Some(4), bytes: 9 })
        );
        assert_eq!(counted(r#"{"engines": [{"detail": {"bytes": 9}, "bounds": []}]}"#), None);
    }

    #[test]
    fn counts_come_from_the_detail_of_the_first_engine() {
        let report = r#"{"engines": [{"detail": {"states": 9, "transitions": 10, "bytes": 72}}], "next": []}"#;
        assert_eq!(figures(report), Some(Figures { states: 9, transitions: 10, bytes: 72 }));
        assert_eq!(figures(r#"{"engines": []}"#), None);
        assert_eq!(figures("error"), None);
    }
}

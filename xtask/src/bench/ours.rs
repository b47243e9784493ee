//! Runs the `queueproof` binary as a user would.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::Figures;
use super::measure::{self, Cost};

/// The release binary.
pub(super) struct Queueproof(PathBuf);

impl Queueproof {
    /// Builds the binary as it is released.
    pub(super) fn build(root: &Path, target: &Path) -> Result<Self, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
        let status = Command::new(cargo)
            .args(["build", "--quiet", "--release", "--package", "qp-cli"])
            .current_dir(root)
            .status()
            .map_err(|error| format!("cargo: {error}"))?;
        if !status.success() {
            return Err("the release build did not succeed".to_owned());
        }
        Ok(Self(target.join("release").join("queueproof")))
    }

    /// Explores the model at exactly this bound.
    pub(super) fn run(
        &self,
        model: &Path,
        bound: usize,
        threads: usize,
    ) -> Result<(Cost, Figures), String> {
        self.count(model, &arguments(model, Some(bound), threads))
    }

    /// Explores the whole model.
    pub(super) fn run_all(&self, model: &Path, threads: usize) -> Result<(Cost, Figures), String> {
        self.count(model, &arguments(model, None, threads))
    }

    fn count(&self, model: &Path, arguments: &[String]) -> Result<(Cost, Figures), String> {
        let folder = model.parent().expect("the model is a file in a folder");
        let (cost, report) = measure::run(folder, &self.0, arguments)?;
        let figures = figures(&report).ok_or_else(|| {
            format!(
                "{}: no counts in the report; see {}",
                model.display(),
                folder.join("stderr.txt").display()
            )
        })?;
        Ok((cost, figures))
    }

    /// The peak memory of a run of its own, which is not timed.
    pub(super) fn peak_memory_kb(&self, model: &Path, bound: usize, threads: usize) -> Option<u64> {
        measure::peak_memory_kb(&self.0, &arguments(model, Some(bound), threads))
    }

    /// The same for the whole model.
    pub(super) fn peak_memory_of_all_kb(&self, model: &Path, threads: usize) -> Option<u64> {
        measure::peak_memory_kb(&self.0, &arguments(model, None, threads))
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
    fn counts_come_from_the_detail_of_the_first_engine() {
        let report = r#"{"engines": [{"detail": {"states": 9, "transitions": 10, "bytes": 72}}], "next": []}"#;
        assert_eq!(figures(report), Some(Figures { states: 9, transitions: 10, bytes: 72 }));
        assert_eq!(figures(r#"{"engines": []}"#), None);
        assert_eq!(figures("error"), None);
    }
}

//! What every engine says about itself, and that engines do not know each other.

use super::source::{Source, imported, leading_name, line_of, words};
use super::{File, Finding, rust_files};

const FOLDER: &str = "crates/qp-engines/src/";

const HEADINGS: [&str; 7] =
    ["Question", "Fragment", "Theorem", "Algorithm", "Certificate", "Limits", "What it never does"];

/// What engines share: the search of configurations, exact or blurred. It answers nothing by itself.
pub const SHARED: &str = "search";

/// The engines: folders with a `mod.rs`.
fn engines(files: &[File]) -> Vec<(&str, &File)> {
    let engine = |path: &'_ str| -> Option<usize> {
        let name = path.strip_prefix(FOLDER)?.strip_suffix("/mod.rs")?;
        (!name.contains('/') && name != SHARED).then_some(name.len())
    };
    files
        .iter()
        .filter_map(|file| {
            let length = engine(&file.path)?;
            Some((&file.path[FOLDER.len()..FOLDER.len() + length], file))
        })
        .collect()
}

pub(super) fn headings(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (engine, file) in engines(files) {
        for heading in HEADINGS {
            let line = format!("//! # {heading}");
            if !file.text.lines().any(|text| text.trim_end() == line) {
                let message = format!(
                    "engine {engine} has no heading `# {heading}` in its module documentation: every \
                     engine answers the same seven questions, and the manual is made from the answers"
                );
                findings.push(Finding::new(&file.path, 1, message));
            }
        }
    }
    findings
}

pub(super) fn imports(files: &[File]) -> Vec<Finding> {
    let names: Vec<&str> = engines(files).into_iter().map(|(name, _)| name).collect();
    let mut findings = Vec::new();
    for file in rust_files(files) {
        let Some(path) = file.path.strip_prefix(FOLDER) else { continue };
        let Some((own, _)) = path.split_once('/') else { continue };
        let code = Source::outside_tests(files, file).code;
        for (at, name) in named_from_the_root(&code, path) {
            if name != own && names.contains(&name) {
                let message = format!(
                    "engine {own} imports engine {name}: what two engines share moves down into \
                     {SHARED} or qp-machines under its own name"
                );
                findings.push(Finding::new(&file.path, line_of(&code, at), message));
            }
        }
    }
    findings
}

/// The top-level modules that the code names, through `crate::` or through enough `super::`.
fn named_from_the_root<'a>(code: &'a str, path: &str) -> Vec<(usize, &'a str)> {
    let parts = path.trim_end_matches(".rs").trim_end_matches("/mod").split('/').count();
    let mut named = imported(code, "crate::");
    for at in words(code, "super::") {
        let rest = code[at..].trim_start_matches("super::");
        let climbed = (code.len() - at - rest.len()) / "super::".len();
        let inner = code[..at].ends_with("super::");
        if climbed >= parts && !inner {
            match rest.strip_prefix('{') {
                Some(_) => named.extend(imported(&code[at..], "super::")),
                None => named.push((at, leading_name(rest))),
            }
        }
    }
    named
}

//! Pages that must exist, and be found.

use super::source::{Source, leading_name, line_of, words};
use super::{File, Finding, rust_files};

/// Every code has a page and every page a code.
pub(super) fn error_pages(files: &[File]) -> Vec<Finding> {
    let page = |code: &str| format!("docs/errors/{code}.md");
    let used = codes(files);
    let mut findings = Vec::new();
    for (file, line, code) in &used {
        if !files.iter().any(|file| file.path == page(code)) {
            let message = format!(
                "{code} has no page {}: who meets a message must be able to look it up",
                page(code)
            );
            findings.push(Finding::new(&file.path, *line, message));
        }
    }
    for file in files {
        let name = file.path.strip_prefix("docs/errors/").and_then(|n| n.strip_suffix(".md"));
        let Some(name) = name.filter(|name| name.starts_with("QP")) else { continue };
        if !used.iter().any(|(_, _, code)| code == name) {
            let message = format!("no code prints {name}: remove the page or use the code");
            findings.push(Finding::new(&file.path, 0, message));
        }
    }
    findings
}

/// Each `Code(n)` and each literal `QPnnnn` in our crates outside tests, as file, line and `QPnnnn`.
fn codes(files: &[File]) -> Vec<(&File, usize, String)> {
    let mut found = Vec::new();
    for file in rust_files(files).filter(|file| file.path.starts_with("crates/")) {
        let Source { code, literals, .. } = Source::outside_tests(files, file);
        for at in words(&code, "Code(") {
            let digits = leading_name(&code[at + "Code(".len()..]).replace('_', "");
            if let Ok(number) = digits.parse::<u16>() {
                found.push((file, line_of(&code, at), format!("QP{number:04}")));
            }
        }
        for (at, _) in literals.match_indices("QP") {
            let name = leading_name(&literals[at..]);
            if name.len() == 6 && name[2..].parse::<u16>().is_ok() {
                found.push((file, line_of(&literals, at), name.to_owned()));
            }
        }
    }
    found
}

/// Every page of the manual is linked from its first page, if there is one.
pub(super) fn manual_links(files: &[File]) -> Vec<Finding> {
    const FOLDER: &str = "docs/manual/";
    let contents = format!("{FOLDER}README.md");
    let Some(contents) = files.iter().find(|file| file.path == contents) else { return vec![] };
    let pages = files.iter().filter(|file| file.path != contents.path);
    pages
        .filter_map(|file| Some((file, file.path.strip_prefix(FOLDER)?)))
        .filter(|(_, name)| !contents.text.contains(&format!("]({name}")))
        .map(|(file, _)| {
            let message = "docs/manual/README.md does not link this page, so nobody will find it";
            Finding::new(&file.path, 0, message)
        })
        .collect()
}

/// Every path of a crate that a page names exists.
pub(super) fn named_paths(files: &[File]) -> Vec<Finding> {
    let is_page = |file: &&File| {
        let is_text = std::path::Path::new(&file.path).extension().is_some_and(|it| it == "md");
        is_text && file.path != "CHANGELOG.md"
    };
    let exists = |path: &str| {
        let below = format!("{path}/");
        files.iter().any(|file| file.path == path || file.path.starts_with(&below))
    };
    let mut findings = Vec::new();
    for file in files.iter().filter(is_page) {
        let quoted = file.text.lines().enumerate().flat_map(|(number, line)| {
            line.split('`').skip(1).step_by(2).map(move |quoted| (number + 1, quoted))
        });
        for (line, path) in quoted.filter(|(_, it)| it.starts_with("crates/")) {
            if !path.contains(['*', ' ', '{']) && !exists(path.trim_end_matches('/')) {
                let message = format!("`{path}` is not there: who follows the page finds nothing");
                findings.push(Finding::new(&file.path, line, message));
            }
        }
    }
    findings
}

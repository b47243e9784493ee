//! How long files and functions may be.

use super::source::{Source, item_end, leading_name, line_of, words};
use super::{File, Finding, rust_files};

const FILE_LINES_MAX: usize = 1_000;
const FILE_LINES_WARN: usize = 800;
const FUNCTION_LINES_MAX: usize = 80;
/// The folder of the checker, and how many lines of code it may have.
const CHECKER: &str = "crates/qp-check/src/";
/// 1,200 of these search again: the one thing that has to be fast (decision 011).
const CHECKER_LINES_MAX: usize = 9_600;

pub(super) fn long_files(files: &[File]) -> Vec<Finding> {
    let long = rust_files(files).filter(|file| lines(file) > FILE_LINES_MAX);
    long.map(|file| {
        let message = format!(
            "{} lines; the cap is {FILE_LINES_MAX}: split the file by concept, nobody reads this much at once",
            lines(file)
        );
        Finding::new(&file.path, 0, message)
    })
    .collect()
}

pub(super) fn nearly_long_files(files: &[File]) -> Vec<Finding> {
    let range = FILE_LINES_WARN..=FILE_LINES_MAX;
    let nearly = rust_files(files).filter(|file| range.contains(&lines(file)));
    nearly
        .map(|file| {
            let message = format!("{} lines: find the concept that splits it", lines(file));
            Finding::new(&file.path, 0, message)
        })
        .collect()
}

pub(super) fn long_functions(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in rust_files(files) {
        let code = Source::of(file).code;
        for start in words(&code, "fn") {
            let name = leading_name(code[start + 2..].trim_start());
            let end = item_end(&code, start);
            let length = code[start..end].matches('\n').count() + 1;
            // Without a name it is the type of a function.
            if !name.is_empty() && length > FUNCTION_LINES_MAX {
                let message = format!(
                    "function {name} has {length} lines; the cap is {FUNCTION_LINES_MAX}: let the \
                     caller decide and move the work into named functions"
                );
                findings.push(Finding::new(&file.path, line_of(&code, start), message));
            }
        }
    }
    findings
}

/// The checker is trusted only because one person can read all of it. What explains it does
/// not make that harder, so comments do not count.
pub(super) fn checker(files: &[File]) -> Vec<Finding> {
    let own = rust_files(files).filter(|file| file.path.starts_with(CHECKER));
    let total: usize = own.map(|file| production_lines(files, file).0).sum();
    if total <= CHECKER_LINES_MAX {
        return Vec::new();
    }
    let message = format!(
        "the checker has {total} lines of code; the budget is {CHECKER_LINES_MAX}: it is trusted because one \
         person can read all of it"
    );
    vec![Finding::new(CHECKER, 0, message)]
}

fn lines(file: &File) -> usize {
    file.text.lines().count()
}

/// How many lines of code of a file are compiled into what users run, and how many there are in all.
pub fn production_lines(files: &[File], file: &File) -> (usize, usize) {
    let (shipped, all) = (Source::outside_tests(files, file), Source::of(file));
    let count = |source: &Source| {
        let lines = source.code.lines().zip(source.literals.lines());
        lines.filter(|(code, text)| !code.trim().is_empty() || !text.trim().is_empty()).count()
    };
    (count(&shipped), count(&all))
}
